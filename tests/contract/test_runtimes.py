"""bo.runtimes and bakeoff runtimes: timeouts by cap and by status, the verdicts at several penalties, errors, files."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import BakeoffError, MissingScoreError, ParameterError, ScoreError
from bakeoff.wings.curves.runtimes.statistics import Runtimes
from solver_times import CAP, reversal, solver_times


def codes(found: Runtimes) -> list[str]:
    return [caution.code for caution in found.cautions]


def with_status(words: dict[tuple[int, int], str]) -> bo.Scores:
    times = np.array([[3.0, 4.0], [12.0, 30.0], [50.0, 40.0], [8.0, 7.0], [5.0, 20.0], [9.0, 9.0]])
    status = np.full(times.shape, "ok", dtype=object)
    for place, word in words.items():
        times[place], status[place] = 60.0, word
    return bo.Scores(times, ["A", "B"], better="lower", status=status, missing="keep")


@pytest.mark.slow
def test_par1_and_par10_reverse_and_the_report_says_so() -> None:
    found = bo.runtimes(reversal(), CAP)
    pair = found.pairs[0]
    assert pair.verdict == pair.par_verdicts[1] == "a better"
    assert pair.par_verdicts[10] == "b better"  # significant in opposite directions
    assert pair.reversed
    assert pair.penalty_decides
    (caution,) = (each for each in found.cautions if each.code == "penalty-decides")
    assert caution.text.startswith(
        "The penalty of a timeout decides the verdict of 1 pair (quick and steady): the verdicts"
    )
    assert "the penalty of a timeout decides" in found.verdict
    assert found.portfolio.single_best == {1: "quick", 2: "steady", 10: "steady"}
    table = found._repr_html_()
    for k in (1, 2, 10):
        assert f"PAR{k}" in table


@pytest.mark.slow
def test_aslib_like_tables_have_timeouts_and_penalties_that_decide() -> None:
    times = solver_times(200, 6, seed=1)
    assert 0.25 < (times == CAP).mean() < 0.4
    found = bo.runtimes(bo.Scores(times, better="lower"), CAP)
    assert any(pair.penalty_decides for pair in found.pairs)
    for pair in found.pairs:  # the order does not depend on the penalty
        assert pair.wins + pair.losses + pair.ties == 200


def test_the_order_does_not_depend_on_the_penalty_or_on_others() -> None:
    s = bo.Scores(solver_times(60, 4, seed=5), better="lower")
    a, b = bo.runtimes(s, CAP, k=1), bo.runtimes(s, CAP, k=(10, 50))
    for p, q in zip(a.pairs, b.pairs, strict=True):
        assert (p.pvalue, p.logrank, p.mcnemar, p.verdict) == (q.pvalue, q.logrank, q.mcnemar, q.verdict)
    assert a.mean_ranks.tolist() == b.mean_ranks.tolist()
    alone = bo.runtimes(s.select([0, 1]), CAP).pairs[0]
    assert (alone.pvalue, alone.logrank) == (a.pairs[0].pvalue, a.pairs[0].logrank)


def test_a_status_marks_timeouts_and_other_failures_are_named() -> None:
    found = bo.runtimes(with_status({(1, 1): "timeout", (2, 0): "memout"}), 60)
    assert found.solved.tolist() == [5, 5]
    assert found.estimate("A").ends == {"memout": 1, "ok": 5}
    assert found.estimate("B").ends == {"ok": 5, "timeout": 1}
    assert found.par[1].tolist() == pytest.approx([(3 + 12 + 60 + 8 + 5 + 9) / 6, (4 + 60 + 40 + 7 + 20 + 9) / 6])
    assert "counted-as-unsolved" in codes(found)
    assert (found.pairs[0].wins, found.pairs[0].losses, found.pairs[0].ties) == (3, 2, 1)


def test_a_cap_below_some_times_cuts_them() -> None:
    found = bo.runtimes(with_status({(1, 1): "timeout"}), 40)
    assert found.solved.tolist() == [5, 5]  # 40 is not above the cap: its status says ok
    assert "counted-as-unsolved" in codes(found)


def test_without_a_cap_there_is_an_order_and_no_penalised_mean() -> None:
    found = bo.runtimes(with_status({(1, 1): "timeout"}))
    assert found.par == {}
    assert found.sgm is None
    assert found.pairs[0].par_pvalues == {}
    assert found.pairs[0].wins == 3
    assert "no-cap" in codes(found)
    assert bo.verify(json.loads(json.dumps(found.to_dict()))).ok


def test_caps_of_each_problem() -> None:
    s = bo.Scores([[3, 10], [20, 5], [7, 30]], ["A", "B"], ["p", "q", "r"], better="lower")
    found = bo.runtimes(s, [10, 20, 30], n_resamples=100)
    assert found.cap == (10, 20, 30)
    assert found.solved.tolist() == [2, 1]
    assert found.par[10].tolist() == pytest.approx([(3 + 200 + 7) / 3, (100 + 5 + 300) / 3])
    assert found == bo.runtimes(s, {"q": 20, "p": 10, "r": 30}, n_resamples=100)
    with pytest.raises(ParameterError, match="one for each of the 3 problems"):
        bo.runtimes(s, [10, 20])
    with pytest.raises(ParameterError, match="r is missing"):
        bo.runtimes(s, {"p": 1, "q": 2})
    with pytest.raises(BakeoffError, match="'z'"):
        bo.runtimes(s, {"p": 1, "q": 2, "r": 3, "z": 4})


def test_times_that_look_capped_are_pointed_out() -> None:
    s = bo.Scores([[100, 3], [100, 100], [4, 100], [5, 6]], better="lower")
    assert "looks-capped" in codes(bo.runtimes(s))
    assert "looks-capped" not in codes(bo.runtimes(s, 100))


def test_what_is_refused() -> None:
    with pytest.raises(ScoreError, match="lower is better"):
        bo.runtimes(bo.Scores([[1, 2], [3, 4]], better="higher"), 10)
    with pytest.raises(ScoreError, match=r"negative time: problem 'P2', algorithm 'A1'"):
        bo.runtimes(bo.Scores([[1, 2], [-3, 4]], better="lower"), 10)
    hole = bo.Scores([[1, 2], [np.nan, 4]], better="lower", missing="keep")
    with pytest.raises(MissingScoreError, match=r"'P2', algorithm 'A1'.*status"):
        bo.runtimes(hole, 10)
    s = bo.Scores([[1, 2], [3, 4]], better="lower")
    for wrong in ({"cap": 0}, {"cap": -1}, {"cap": float("inf")}, {"k": 0.5}, {"k": ()}, {"shift": -1}, {"alpha": 0}):
        with pytest.raises(ParameterError):
            bo.runtimes(s, **{"cap": 10, **wrong})  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="shift"):
        bo.runtimes(bo.Scores([[0, 2], [3, 4]], better="lower"), 10, shift=0)


def test_clusters_count_once() -> None:
    """Copies of problems, named as clusters, tell nothing new."""
    short = bo.Scores(solver_times(12, 2, seed=2), better="lower")
    rows = np.repeat(np.arange(12), 3)
    long = bo.Scores(short.values[rows], better="lower", clusters=[f"c{i}" for i in rows])
    p, q = bo.runtimes(short, CAP).pairs[0], bo.runtimes(long, CAP).pairs[0]
    assert (p.pvalue, p.mcnemar) == (q.pvalue, q.mcnemar)
    assert p.logrank == pytest.approx(q.logrank, rel=1e-12)
    for k in (1, 2, 10):
        assert p.par_pvalues[k] == pytest.approx(q.par_pvalues[k], rel=1e-9)
        assert p.wilcoxon_pvalues[k] == q.wilcoxon_pvalues[k]
        assert p.par_intervals[k] == pytest.approx(q.par_intervals[k], rel=1e-9)
    with pytest.raises(ScoreError, match="one cluster"):
        bo.runtimes(bo.Scores([[1, 2], [3, 4]], better="lower", clusters=["c", "c"]), 10)


def test_directions_and_names_swap() -> None:
    s = bo.Scores(solver_times(40, 2, seed=4), ["A", "B"], better="lower")
    p, q = bo.runtimes(s, CAP).pairs[0], bo.runtimes(s.select(["B", "A"]), CAP).pairs[0]
    assert (p.wins, p.losses, p.pvalue) == (q.losses, q.wins, q.pvalue)
    assert p.par_differences[10] == pytest.approx(-q.par_differences[10], rel=1e-12)
    assert p.par_intervals[1] == pytest.approx(tuple(-x for x in reversed(q.par_intervals[1])), rel=1e-9)


@pytest.mark.parametrize("clustered", [False, True])
def test_rows_columns_and_runs_in_another_order_change_nothing(clustered: bool) -> None:
    rng = np.random.default_rng(12)
    times = np.minimum(10 ** rng.normal(2.6, 1.6, size=(24, 3, 2)), CAP)
    labels = [f"c{i // 3}" for i in range(24)] if clustered else None
    s = bo.Scores(times, ["A", "B", "C"], better="lower", clusters=labels)
    rows, columns = rng.permutation(24), [2, 0, 1]
    t = bo.Scores(
        times[rows][:, columns, ::-1],
        ["C", "A", "B"],
        better="lower",
        clusters=None if labels is None else [labels[i] for i in rows],
    )
    p, q = (bo.runtimes(x, CAP, n_resamples=200) for x in (s, t))
    for name in "ABC":
        assert p.estimate(name) == q.estimate(name)
        assert p.curves.reach[name] == q.curves.reach[name]
    for a, b in ("AB", "CA", "CB"):
        assert p.pair(a, b).pvalue == q.pair(a, b).pvalue
        one, other = p.pair(a, b).par_intervals[10], q.pair(a, b).par_intervals[10]
        assert one is not None
        assert other is not None
        assert sorted(map(abs, one)) == sorted(map(abs, other))


def test_an_interval_holds_that_of_t_and_stays_within_what_is_possible() -> None:
    """So that it never shows a difference that the t-test does not."""
    for n in (3, 8, 40):
        found = bo.runtimes(bo.Scores(solver_times(n, 3, seed=n), better="lower"), CAP)
        for pair in found.pairs:
            for k, interval in pair.par_intervals.items():
                if interval is None:
                    assert pair.par_differences[k] == 0
                    continue
                assert (interval[0] <= 0 <= interval[1]) or pair.par_pvalues[k] <= 0.05
                assert -k * CAP <= interval[0] <= pair.par_differences[k] <= interval[1] <= k * CAP


def test_means_of_penalties_that_few_paid_are_pointed_out() -> None:
    times = np.tile([[3.0, 4.0], [5.0, 2.0]], (20, 1))
    times[:8, 1] = 9
    assert "few-timeouts" in codes(bo.runtimes(bo.Scores(times, better="lower"), 9))
    assert "few-timeouts" not in codes(bo.runtimes(bo.Scores(times, better="lower"), 9, k=1))
    assert "few-timeouts" not in codes(bo.runtimes(bo.Scores(times, better="lower"), 20))  # all is solved
    times[8:12, 0] = 9
    assert "few-timeouts" not in codes(bo.runtimes(bo.Scores(times, better="lower"), 9))


def test_where_nothing_varies_there_is_no_interval() -> None:
    found = bo.runtimes(bo.Scores([[9, 1], [9, 2], [9, 4], [9, 3]], ["A", "B"], better="lower"), 9)
    assert found.estimate("A").par_intervals[10] is None
    assert found.estimate("A").sgm_interval is None
    assert bo.verify(json.loads(json.dumps(found.to_dict()))).ok


def test_few_problems_cannot_tell() -> None:
    found = bo.runtimes(bo.Scores([[1, 2], [3, 4], [5, 6]], better="lower"), 10)
    assert found.pairs[0].verdict == "cannot tell"
    assert "out-of-reach" in codes(found)
    assert "There is no verdict" in found.verdict


def test_a_control() -> None:
    s = bo.Scores(solver_times(80, 4, seed=6), ["A", "B", "C", "D"], better="lower")
    found = bo.runtimes(s, CAP, control="C")
    assert [(p.a, p.b) for p in found.pairs] == [("C", "A"), ("C", "B"), ("C", "D")]
    assert "C" in found.verdict
    with pytest.raises(BakeoffError, match="no pair"):
        found.pair("A", "B")


def test_the_same_seed_gives_the_same_answer_and_verify_finds_changes() -> None:
    s = bo.Scores(solver_times(50, 3, seed=7), better="lower")
    found = bo.runtimes(s, CAP, rng=4, n_resamples=200)
    assert found == bo.runtimes(s, CAP, rng=4, n_resamples=200)
    report = json.loads(json.dumps(found.to_dict()))
    assert bo.verify(report).ok
    report["pairs"][1]["par_pvalues"]["10"] /= 10
    assert [d.where for d in bo.verify(report).differences] == ["pairs[1].par_pvalues.10"]


@pytest.mark.slow
def test_the_example_of_the_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "guides" / "runtimes.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    known: dict[str, Runtimes] = {}
    exec(code, known)
    assert capsys.readouterr().out == shown
    bo.diagram(known["found"], width_mm=120).save(tmp_path / "runtimes.svg")
    drawn = (tmp_path / "runtimes.svg").read_text(encoding="utf-8")
    assert drawn == (docs / "figures" / "runtimes.svg").read_text(encoding="utf-8")
    for caution in ("penalty-decides", "counted-as-unsolved (late-runs)", "counted-as-unsolved (crashes)"):
        assert f"`{caution}`" in page


def test_the_defaults_are_those_of_the_contract() -> None:
    defaults = {name: p.default for name, p in inspect.signature(bo.runtimes).parameters.items()}
    assert (defaults["cap"], defaults["k"], defaults["shift"], defaults["rng"]) == (None, (1, 2, 10), 10.0, None)


def long_table() -> str:
    rows = ["problem,algorithm,score,status,family"]
    for i in range(24):
        for j, name in enumerate(("A", "B")):
            stopped = (i + j) % 4 == 0
            time, status = (5000, "timeout") if stopped else (10 * i + 3 * j + 1, "ok")
            rows.append(f"p{i},{name},{time},{status},f{i // 2}")
    return "\n".join(rows) + "\n"


@pytest.mark.slow
def test_command_line(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(long_table())
    reports = [
        arg for x in ("html", "tex", "md", "json", "xlsx", "svg") for arg in ("--report", str(tmp_path / f"r.{x}"))
    ]
    asked = ["runtimes", str(table), "--cap", "5000", "--status", "status", "--cluster", "family", *reports]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    assert "PAR10" in done.stdout
    assert "24 problems in 12 clusters" in " ".join(done.stdout.split())
    checked = CliRunner().invoke(main, ["verify", str(tmp_path / "r.json")])
    assert checked.exit_code == 0, checked.output
    plain = CliRunner().invoke(main, ["runtimes", str(table), "--cap", "5000", "--k", "3", "--drop", "none-such"])
    assert plain.exit_code == 2
    same = CliRunner().invoke(main, ["runtimes", str(table), "--cap", "5000", "--k", "1", "--k", "3", "--json"])
    content = json.loads(same.stdout)
    assert content["k"] == [1, 3]
    assert set(content["pairs"][0]["par_pvalues"]) == {"1", "3"}
    listed = CliRunner().invoke(main, ["runtimes", str(table), "--cap", "5000", "--k", "1,3"])
    assert listed.exit_code == 2
    assert "say --k 1 --k 3" in listed.stderr


CAPS = """problem,algorithm,runtime,status,limit
p 1,A,3,ok,10
p 1,B,10,timeout,10
p2,A,20,timeout,20
p2,B,20,timeout,20
p3,A,5,ok,30
p3,B,7,ok,25
"""


def test_a_column_of_caps(tmp_path: Path) -> None:
    """One number for each problem; of different ones the smallest."""
    table = tmp_path / "t.csv"
    table.write_text(CAPS)
    asked = ["runtimes", str(table), "--score", "runtime", "--cap"]
    done = CliRunner().invoke(main, [*asked, "limit", "--json"])
    assert done.exit_code == 0, done.output
    content = json.loads(done.stdout)
    assert content["cap"] == [10, 20, 25]
    assert content["estimates"][1]["par"]["10"] == pytest.approx((100 + 200 + 7) / 3)
    same = CliRunner().invoke(main, [*asked, "limit", "--status", "status", "--json"])
    assert json.loads(same.stdout)["pairs"] == content["pairs"]
    for wrong, said in (("limits", "--cap must be a number, or a column"), ("-5", "--cap"), ("nan", "--cap")):
        found = CliRunner().invoke(main, [*asked, wrong])
        assert found.exit_code in (1, 2)
        assert said in found.output
        assert "Traceback" not in found.output
    piped = CliRunner().invoke(main, ["runtimes", "-", "--score", "runtime", "--cap", "limit"], input=CAPS)
    assert "standard input" in piped.output
    table.write_text(CAPS.replace(",20\n", ",\n"))
    assert "p2" in CliRunner().invoke(main, [*asked, "limit"]).output


@pytest.mark.parametrize("status", [True, False])
def test_limits_that_differ_between_algorithms_are_said(tmp_path: Path, status: bool) -> None:
    """B solved all within its own limit, and is said to have solved four of twelve."""
    rows = [f"p{i},A,{20 + i},100,ok\np{i},B,{50 + i if i < 4 else 150 + i},300,ok" for i in range(12)]
    lines = "\n".join(["problem,algorithm,runtime,limit,status", *rows]).splitlines()
    table = tmp_path / "t.csv"
    table.write_text("\n".join(line if status else line.rpartition(",")[0] for line in lines))
    done = CliRunner().invoke(main, ["runtimes", str(table), "--score", "runtime", "--cap", "limit", "--json"])
    content = json.loads(done.stdout)
    (said,) = [each for each in content["cautions"] if each["code"] == "unequal"]
    assert content["estimates"][1]["solved"] == 4
    assert (said["severity"], "8 runs of B" in said["text"], " of A" in said["text"]) == ("warning", True, False)
    assert said in content["added_cautions"]


@pytest.mark.few(3)
@pytest.mark.parametrize("width_mm", [80, 160])
@pytest.mark.parametrize("k", [2, 3, 12, 40])
def test_the_figure_shows_every_algorithm_or_says_how_many(k: int, width_mm: float) -> None:
    s = bo.Scores(solver_times(40, k, seed=k), [f"solver-{j}" for j in range(k)], better="lower", unit="s")
    drawing = bo.diagram(bo.runtimes(s, CAP, n_resamples=100), width_mm=width_mm)
    lines = {role: {item.about[0] for item in drawing.items if item.role == role} for role in ("line", "other", "name")}
    assert len(lines["line"]) == (k if k <= 12 else 8)
    assert len(lines["line"] | lines["other"]) == k or k == 12  # of many, the grey range behind each
    assert len(lines["name"]) == (k if k <= 12 else 0)
    for item in drawing.items:
        for x, _ in getattr(item, "points", ()):
            assert 0 <= x <= drawing.width
    assert ("8 of 40" in drawing.description) is (k == 40)


@pytest.mark.parametrize("metric", ["precision", "best y", "accuracy", "Error", "logloss", "metric_error"])
def test_what_is_known_to_be_no_time_is_refused(metric: str) -> None:
    scores = bo.Scores([[1, 2], [9, 4], [3, 9]], better="lower", metric=metric)
    with pytest.raises(bo.BakeoffError, match=rf"must be times, and '{metric}' is none.*evals to 1e-8"):
        bo.runtimes(scores, n_resamples=100)


@pytest.mark.parametrize("metric", ["seconds", "time", "training_duration", "Runtime", "evals to 1e-8", None])
def test_times_and_evaluations_are_taken(metric: str | None) -> None:
    scores = bo.Scores([[1, 2], [9, 4], [3, 9]], better="lower", metric=metric)
    assert bo.runtimes(scores, n_resamples=100).scores is scores


def test_final_errors_of_coco_are_refused_and_evaluations_taken() -> None:
    folder = Path(__file__).parents[1] / "oracles" / "data" / "formats" / "coco"
    sides = {"a": folder, "b": folder}
    with pytest.raises(bo.BakeoffError, match="'best error' is none"):
        bo.runtimes(bo.read_results(sides), n_resamples=100)
    evaluations = bo.read_results(sides, metric="evals to 1e1", missing="keep")
    assert bo.runtimes(evaluations, n_resamples=100).scores.unit == "evaluations"


def test_a_geometric_mean_of_zero_has_no_interval_of_its_ratio() -> None:
    times = [[0.0, 3.0], [0.0, 2.0], [0.0, 4.0], [0.0, 1.0]]
    for better, ratio in ((0, 0.0), (1, None)):
        s = bo.Scores(np.array(times)[:, [better, 1 - better]], better="lower")
        (pair,) = bo.runtimes(s, 100, shift=1.0, n_resamples=100).pairs
        assert (pair.sgm_ratio, pair.sgm_interval) == (ratio, None)


def test_a_strict_level_needs_resamples_enough_to_reach_it() -> None:
    s = bo.Scores(solver_times(8, 2, seed=5), better="lower")
    bo.runtimes(s, CAP, alpha=0.001, n_resamples=2000)
    with pytest.raises(ParameterError, match="n_resamples must be a whole number of at least 2000"):
        bo.runtimes(s, CAP, alpha=0.001, n_resamples=1999)


def test_differences_that_rounding_links_in_a_chain_belong_to_their_own_pair() -> None:
    """1, 1 + 5e-15 and 1 + 1e-14: the first two are tied, and so are the last two, but not the first and the last."""
    one, other = np.ones(6), np.array([3, 2.5, 1.5, 4, 0.7, 0.2])
    linked = np.array([2, 2 + 5e-15, 2 + 1e-14, 3, 0.5, 4])
    table = bo.Scores(np.column_stack([one, other, linked]), better="lower")
    for pair in bo.runtimes(table, 100, n_resamples=100).pairs:
        (alone,) = bo.runtimes(table.select([pair.a, pair.b]), 100, n_resamples=100).pairs
        assert pair.wilcoxon_pvalues == alone.wilcoxon_pvalues


@pytest.mark.slow
def test_two_modes_far_apart_have_no_interval_beyond_what_doubles_hold() -> None:
    """One problem of eight differs by a factor of ten thousand: it ended in "math range error"."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        slow, draws = rng.random((8, 2)) < 0.5, rng.lognormal(0, 0.3, (8, 2))
        times = np.minimum(np.where(slow, 50 * draws, 0.01 * draws), 60.0)
        found = bo.runtimes(bo.Scores(times, better="lower"), cap=60.0, n_resamples=100)
        assert all(one is None or one[1] < np.inf for one in (each.sgm_interval for each in found.estimates))
        assert bo.runtimes(bo.Scores(times[:, ::-1], better="lower"), cap=60.0, n_resamples=100).pairs
