"""A kind of result, and a format, are registered in one place; everything else walks over it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import report
from bakeoff.cli import main
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.leaderboards import RankedComparison
from bakeoff.report.data import all_but, plain_data
from bakeoff.report.document import Document, Table
from bakeoff.report.experiment.run_page import RunPage
from bakeoff.report.formats import FORMATS, TABLES, Report
from bakeoff.report.kinds import KINDS
from bakeoff.report.plan.answers import Answers, how_many
from bakeoff.report.study.document import Studies
from bakeoff.reportable import Reportable
from bakeoff.robustness import ExaminedComparison


def noisy(problem: float, rng: object) -> float:
    return problem + float(rng.normal())  # type: ignore[attr-defined]


def ran() -> bo.RunResult:
    problems = {f"p{i}": float(i) for i in range(6)}
    return bo.run(bo.Experiment({"new": noisy, "old": noisy}, problems, better="lower", seed=1, runs=2))


def examined() -> ExaminedComparison:
    compared = bo.compare(bo.datasets.load("demsar_2006"))
    return ExaminedComparison(comparison=compared, sensitivity=bo.sensitivity(compared, resamples=20))


RESULTS: dict[str, Callable[[], Reportable]] = {
    "comparison": lambda: bo.compare(bo.datasets.load("demsar_2006")),
    "bayes": lambda: bo.bayes.overview(bo.datasets.load("demsar_2006"), n_draws=200),
    "plackett-luce": lambda: bo.bayes.plackett_luce(bo.datasets.load("demsar_2006"), n_draws=200),
    "scores": lambda: bo.score_table(bo.datasets.load("demsar_2006"), ranks=True),
    "per-problem": lambda: bo.per_problem(bo.Scores([[[1, 2, 3, 4], [6, 7, 8, 9]]] * 3, better="lower")),
    "check": lambda: bo.check({"P1": [1.0, 1.1, 1.2]}, {"P1": [1.5, 1.6, 1.8]}, "5%", better="lower"),
    "history": lambda: bo.change_points(
        bo.Scores([[10, 11, 9, 10.5, 14, 15, 13, 16]], list("abcdefgh"), better="lower"), min_segment=2
    ),
    "timing": lambda: bo.time_ratios(
        bo.Scores([[[1.0 + 0.01 * i for i in range(9)], [1.5] * 9]], ["new", "old"], better="lower")
    ),
    "iqm": lambda: bo.interquartile_mean(bo.datasets.load("demsar_2006"), interval="percentile", resamples=100),
    "ratings": lambda: bo.ratings(bo.datasets.load("demsar_2006"), resamples=100),
    "evaluation": lambda: bo.evaluate(bo.datasets.load("demsar_2006")),
    "profile": lambda: bo.profile(bo.datasets.load("derrac_cec2005")),
    "runtimes": lambda: bo.runtimes(bo.Scores([[1, 2], [9, 4], [3, 9], [2, 5]], better="lower"), 9, resamples=100),
    "leaderboard": lambda: bo.leaderboard(bo.datasets.load("demsar_2006")),
    "ranked": lambda: RankedComparison(
        comparison=bo.compare(bo.datasets.load("demsar_2006")),
        leaderboard=bo.leaderboard(bo.datasets.load("demsar_2006"), by="mean-rank"),
    ),
    "tradeoff": lambda: bo.tradeoff(
        {
            "error": bo.Scores([[1, 2], [2, 2.5], [3, 3.4]], better="lower"),
            "seconds": bo.Scores([[1, 2], [2, 3], [3, 4]], better="lower"),
        },
        {"error": 0.5, "seconds": "5%"},
        n_draws=100,
    ),
    "curves": lambda: bo.curves(
        [
            {"problem": f"p{i}", "algorithm": a, "budget": b, "score": i % 3 + (a == "B") + 1 / b}
            for i in range(8)
            for a in "AB"
            for b in (1, 2, 4)
        ],
        better="lower",
    ),
    "sensitivity": lambda: bo.sensitivity(bo.datasets.load("demsar_2006"), resamples=20),
    "examined": examined,
    "experiment": ran,
    "run": lambda: RunPage(ran(), Path("store.sqlite")),
    "race": lambda: bo.race.replay(bo.datasets.load("derrac_cec2005")),
    "plan": lambda: bo.plan.curve(20, values=[0.5, 1.0]),
    "power": lambda: bo.study.power(bo.datasets.load("demsar_2006"), 0, 1, ["sign", "holm"], draws=9),
    "known-truth": lambda: bo.study.known_truth(bo.datasets.load("demsar_2006"), 0, 1, ["sign", "holm"], draws=9),
    "study": lambda: Studies("race", [({}, bo.study.race("e-sign", 3, rounds=4, repetitions=3))]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_rendered_in_every_format(kind: str, tmp_path: Path) -> None:
    result = RESULTS[kind]()
    assert result.kind == kind
    document = report.document(result, "bakeoff x")
    sections = [section.key for section in document.sections]
    assert len(set(sections)) == len(sections)
    assert document.on_screen
    assert set(document.on_screen) <= {*sections, "steps", "cautions", "eliminated"}
    for name in FORMATS:
        report.save(result, tmp_path / f"r.{name}")
        assert (tmp_path / f"r.{name}").stat().st_size > 100
    for name in TABLES:
        report.save(result, tmp_path / f"r.{name}")
        assert (tmp_path / f"r.{name}").stat().st_size > 10
    for name in ("html", "md", "tex", "txt"):
        assert document.verdict.split()[0] in report.render(result, name)
    content = json.loads(report.render(result, "json"))
    assert content == report.to_dict(result)
    assert content["schema"].startswith("bakeoff.")
    assert len(report.pairs_frame(result)) >= 1


def test_a_format_is_registered_in_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def shout(what: Report) -> str:
        return what.document.verdict.upper()

    result = bo.compare(bo.datasets.load("demsar_2006"))
    path = tmp_path / "r.toy"
    with pytest.raises(ParameterError, match=r"must end in \.html"):
        result.save(path)
    monkeypatch.setitem(FORMATS, "toy", shout)
    expected = report.document(result).verdict.upper()
    assert report.render(result, "toy") == expected
    result.save(path)
    assert path.read_text(encoding="utf-8") == expected
    assert report.check_path(path) == path
    for command in ("compare", "bayes", "race", "study"):
        words = [command, "race", "--help"] if command == "study" else [command, "--help"]
        assert ".toy" in CliRunner().invoke(main, words).stdout
    table = tmp_path / "t.csv"
    table.write_text("problem,a,b\n" + "".join(f"p{i},{i},{i + 1}\n" for i in range(9)))
    asked = ["compare", str(table), "--better", "lower", "--report", str(tmp_path / "c.toy")]
    assert CliRunner().invoke(main, asked).exit_code == 0
    assert (tmp_path / "c.toy").read_text(encoding="utf-8").startswith("A IS BETTER THAN B")


def test_a_table_is_registered_in_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def columns(what: Report, path: Path) -> None:
        path.write_text(" ".join(what.sheets.pairs))

    monkeypatch.setitem(TABLES, "cols", columns)
    bo.compare(bo.datasets.load("demsar_2006")).save(tmp_path / "r.cols")
    assert (tmp_path / "r.cols").read_text().startswith("a b statistic pvalue")


def test_what_has_no_report_is_refused() -> None:
    for thing in (3, "x", bo.datasets.load("demsar_2006")):
        with pytest.raises(WrongTypeError, match="there is no report of"):
            report.document(thing)  # type: ignore[arg-type]


def test_a_plan_is_one_document(tmp_path: Path) -> None:
    answers = Answers((how_many(0.5, 0.8, {"n_algorithms": 4}),))
    document: Document = report.document(answers)
    assert document.verdict.startswith("52 problems: 4 algorithms")
    table = document.table("power")
    assert isinstance(table, Table)
    assert [row.cells[:2] for row in table.rows][2] == ("52", "0.801")
    for name, start in (("p.tex", "% needs"), ("p.svg", "<svg"), ("p.html", "<!DOCTYPE")):
        answers.save(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert r"\begin{tikzpicture}" in report.render(answers, "tex")
    with pytest.raises(ParameterError, match="no power curve"):
        Answers((how_many([0.0, 0.0, 0.5], 0.8, {"test": "friedman"}),)).save(tmp_path / "p.pdf")
    with pytest.raises(ParameterError, match="no picture of a study"):
        report.save(RESULTS["study"](), tmp_path / "s.svg")


def test_the_walk_to_plain_values() -> None:
    plan = bo.plan.instances(0.5)
    assert plain_data(plan, {bo.plan.InstancePlan: ("n", "levels")}) == {"n": 34, "levels": [0.05]}
    assert plain_data({"a": (plan.levels, [1.5])}) == {"a": [[0.05], [1.5]]}
    assert list(plain_data(plan)) == list(all_but(bo.plan.InstancePlan))
    assert all_but(bo.plan.InstancePlan, "n", "power")[:2] == ("n_first", "n_unrounded")
