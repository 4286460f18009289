"""What the scores are called (U-A34): --metric in reports, JSON and verification, and as a column of long tables."""

import io
import json
import pickle
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ReportError
from bakeoff.report import document, render
from bakeoff.report.methods import measured_first
from bakeoff.scores import with_metric

HOSTILE = "<b>[@x2000] 50%_$\\x{}\n\x1b[1m\u202e|"
FORMATS = ("txt", "md", "html", "tex", "json")


def table(metric: str | None = None) -> bo.Scores:
    values = [[0.9 + i / 1000, 0.8 + i * i / 1000, 0.7 - i / 500] for i in range(9)]
    return bo.Scores(values, ["Ours", "Theirs", "Other"], better="higher", metric=metric)


def fast(problem: float, rng: object) -> dict[str, float]:
    return {"loss": problem, "seconds": 1.0}


def slow(problem: float, rng: object) -> dict[str, float]:
    return {"loss": 2.0, "seconds": 3.0}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [f"p{i},{0.9 + i / 1000},{0.8 + i * i / 1000},{0.7 - i / 500}" for i in range(9)]
    Path("wide.csv").write_text("\n".join(["problem,Ours,Theirs,Other", *rows]))
    long = [
        f"p{i},{a},{r},{0.5 + i / 100 + j / 7 + r / 90},{i + 3 * j + r}"
        for i in range(9)
        for j, a in enumerate("AB")
        for r in range(4)
    ]
    Path("long.csv").write_text("\n".join(["problem,algorithm,run,score,Runtime", *long]))
    return tmp_path


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code in (1, 2), done.output
    return " ".join(done.output.split())


def test_a_comparison_says_what_the_scores_are(folder: Path) -> None:
    """U-A34: no report named the metric."""
    shown = run("compare", "wide.csv", "--better", "higher", "--metric", "accuracy", "--report", "r.md", "--details")
    assert "higher accuracy is better" in shown
    assert "Hodges–Lehmann estimate in units of accuracy" in shown
    page = Path("r.md").read_text()
    assert page.startswith("# Accuracy of 3 algorithms on 9 problems\n")
    assert "| mean accuracy | median accuracy |" in page
    assert "*Accuracy; higher is better*" in page
    assert "were compared on 9 problems (higher accuracy is better)" in page
    assert "Effects are given as Hodges–Lehmann estimate in units of accuracy (Hodges" in page
    assert not re.search(r"mean score|scores are better|score units", page)


@pytest.mark.parametrize("command", ["bayes", "per-problem", "race"])
def test_every_command_on_a_table_takes_it(folder: Path, command: str) -> None:
    arguments = [command, "long.csv", "--better", "lower", "--metric", "runtime"]
    run(*arguments, "--report", "r.md", "--report", "r.json")
    page = Path("r.md").read_text()
    said = {
        "bayes": "lower runtime is better.",
        "per-problem": "Runtime: mean ± standard deviation over 4 runs; lower is better",
        "race": "; metric: runtime.",
    }
    assert said[command] in page
    assert json.loads(Path("r.json").read_text())["metric"] == "runtime"


def test_the_table_for_a_paper_is_named(folder: Path) -> None:
    run("compare", "wide.csv", "--better", "higher", "--metric", "mAP", "--report", "scores.tex")
    assert "mAP; higher is better" in Path("scores.tex").read_text()


@pytest.mark.parametrize(
    ("given", "first"),
    [
        ("accuracy", "Accuracy"),
        ("mAP", "mAP"),
        ("ms", "ms"),
        ("rmse", "rmse"),
        ("F1", "F1"),
        ("error rate", "Error rate"),
    ],
)
def test_a_title_keeps_abbreviations_and_units(given: str, first: str) -> None:
    assert measured_first(table(given)) == first


def test_nothing_changes_without_it() -> None:
    comparison = bo.compare(table())
    page = render(comparison, "md")
    assert page.startswith("# 3 algorithms on 9 problems\n")
    assert "| mean score | median score |" in page
    assert "higher scores are better" in page
    assert "estimate in score units" in page
    assert "metric" not in comparison.to_dict()
    assert "metric" not in comparison.to_dict()["scores"]
    assert "metric" not in bo.race.replay(table()).to_dict()


def test_it_changes_no_number() -> None:
    plain, named = bo.compare(table()).to_dict(), bo.compare(table("accuracy")).to_dict()
    assert named.pop("metric") == named["scores"].pop("metric") == "accuracy"
    assert plain == named


def test_it_is_kept() -> None:
    s = bo.Scores([[[1.0, 2.0], [3.0, 5.0]]] * 3, better="lower", metric=" runtime ")
    assert s.metric == "runtime"
    assert s.select(["A2", "A1"], [0, 1]).metric == s.summarised("median").metric == "runtime"
    assert pickle.loads(pickle.dumps(s)).metric == "runtime"
    assert repr(s) == "Scores(3 problems × 2 algorithms, 2 runs per cell, better='lower', metric='runtime')"
    assert s.source_sha256 == with_metric(s, None).source_sha256
    assert table().metric is None
    assert "metric" not in repr(table())


def test_shares_of_runs_are_not_called_by_the_metric() -> None:
    """ "Mean runtime" would be false of them."""
    text = "problem,algorithm,run,score\n" + "".join(
        f"p{i},{a},{r},{r}\n" for i in range(3) for a in "AB" for r in "12"
    )
    s = bo.read_scores(io.StringIO(text), better="lower", cell="success", metric="runtime")
    assert (s.metric, s.better) == ("share of successful runs", "higher")


def test_it_selects_the_column_of_a_long_table(folder: Path) -> None:
    """A column called score beside it would have gone by its name."""
    by_name = bo.read_scores("long.csv", better="lower", metric="runtime")
    assert by_name.values.tolist() == bo.read_scores("long.csv", better="lower", score="Runtime").values.tolist()
    assert by_name.values.tolist() != bo.read_scores("long.csv", better="lower", metric="cost").values.tolist()
    assert bo.read_scores("long.csv", better="lower", metric="runtime", score="Runtime").metric == "runtime"
    said = refused("compare", "long.csv", "--better", "lower", "--metric", "Runtime", "--score", "score")
    assert "--metric is 'Runtime', which is a column, but score names another, 'score'; give one of them" in said


def test_a_wide_table_may_have_an_algorithm_of_this_name(folder: Path) -> None:
    s = bo.read_scores("wide.csv", better="higher", metric="ours")
    assert s.algorithms == ("Ours", "Theirs", "Other")
    assert s.metric == "ours"


@pytest.mark.few(7)
@pytest.mark.parametrize("make", [bo.compare, bo.bayes.overview, bo.race.replay, bo.score_table])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.slow_cases("html-overview")
def test_hostile_names_are_safe(make: object, format: str) -> None:
    """They are text in every format: no tag, no control character, no citation, no line of their own."""
    assert callable(make)
    shown = render(make(table(HOSTILE)), format)
    assert "<b>" not in shown or format not in ("html", "md")
    if format == "tex":
        assert not re.search(r"(?<!\\)50%_", re.sub(r"(?m)^% .*", "", shown))
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", shown)


def test_a_citation_in_a_name_stays_text() -> None:
    said = str(document(bo.compare(table("[@x2000]"))))
    assert "in units of [@x2000]" in said


@pytest.mark.slow
def test_a_report_is_verified_with_it(folder: Path) -> None:
    run("compare", "wide.csv", "--better", "higher", "--metric", HOSTILE.replace("\n", ""), "--report", "r.json")
    assert bo.verify("r.json").ok
    run("verify", "r.json", "wide.csv")
    run("bayes", "wide.csv", "--better", "higher", "--metric", "accuracy", "--report", "b.json")
    found = bo.verify("b.json", bo.read_scores("wide.csv", better="higher"))
    assert found.ok, found.differences
    report = json.loads(Path("b.json").read_text())
    assert "metric" not in [d.where for d in bo.verify(report).differences]
    report["metric"] = "error"
    assert [d.where for d in bo.verify(report).differences] == ["metric"]
    report["scores"]["metric"] = 3
    with pytest.raises(ReportError, match=r"scores\.metric must be a string; it is 3"):
        bo.verify(report)


@pytest.mark.parametrize("metric", ["", " \n", "x" * 81, 3, True, ["accuracy"]])
def test_what_is_no_name_is_refused(metric: object) -> None:
    with pytest.raises(
        bo.BakeoffError, match=r"^metric must be the name of what is scored, such as 'accuracy'"
    ) as told:
        bo.Scores([[1, 2]], better="lower", metric=metric)  # type: ignore[arg-type]
    assert getattr(told.value, "parameter", "") == "metric"


def test_a_store_of_runs_knows_its_other_numbers(folder: Path) -> None:
    """The score of its experiment must not go by the name of another number."""
    experiment = bo.Experiment(
        {"a": fast, "b": slow}, {f"p{i}": float(i) for i in range(6)}, better="lower", seed=1, score="loss"
    )
    bo.run(experiment, "runs.sqlite")
    assert "lower loss is better" in run("compare", "runs.sqlite", "--metric", "loss")
    assert "lower test error is better" in run("compare", "runs.sqlite", "--metric", "test error")
    said = refused("compare", "runs.sqlite", "--metric", "seconds")
    assert "the runs in 'runs.sqlite' were scored by 'loss', and 'seconds' is another of their numbers" in said
    run("export", "runs.sqlite", "-o", "runs.csv")
    assert "lower seconds is better" in run("compare", "runs.csv", "--better", "lower", "--metric", "seconds")


def of_three(problem: float, rng: object) -> float:
    """Runs whose median is the first problem's number and whose mean is not."""
    return problem + float(rng.exponential()) ** 3  # type: ignore[attr-defined]


def test_the_runs_of_a_store_may_be_summed_up_by_their_median(folder: Path) -> None:
    experiment = bo.Experiment(
        {"a": of_three, "b": of_three}, {f"p{i}": float(i) for i in range(6)}, better="lower", seed=1, runs=5
    )
    scores = bo.run(experiment, "medians.sqlite").scores
    found = json.loads(run("compare", "medians.sqlite", "--read", "cell=median", "--json"))
    means = json.loads(run("compare", "medians.sqlite", "--json"))
    assert found["means"]["a"] == pytest.approx(float(scores.medians[:, 0].mean()), rel=1e-12)
    assert found["means"] != means["means"]
