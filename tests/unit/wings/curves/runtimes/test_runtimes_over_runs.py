"""Runtimes over runs of given problems: against a literal version, in any order, with failures, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import brunnermunzel, rankdata, ttest_ind

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.scores import Array
from bakeoff.wings.verify._verify import verify

CAP = 4.0


def times(n: int = 5, r: int = 4, k: int = 3, lead: float = 0.0, seed: int = 1) -> Array:
    """Of k solvers; a quarter of the runs is stopped at the cap, and times are in steps of a half."""
    rng = np.random.default_rng(seed)
    drawn = np.exp(rng.normal(size=(n, 1, 1)) + lead * np.arange(k)[:, None] + 0.7 * rng.normal(size=(n, k, r)))
    return np.asarray(np.minimum(np.ceil(2 * drawn) / 2, CAP))


def over_runs(cells: Array, **more: Any) -> bo.Runtimes:
    names = [f"p{i}" for i in range(len(cells))]
    s = bo.Scores.from_cells(cells, list("abcdef"[: cells.shape[1]]), names, better="lower", holes=True)
    return bo.runtimes(s, **({"cap": CAP, "over": "runs", "n_resamples": 100} | more))


def literal(cells: Array, a: int, b: int) -> tuple[float, float, float]:
    """The lead of a over b, its error and degrees of freedom; timeouts tie behind all that was solved."""
    parts, degrees, leads, alike = [], [], [], []
    for row in cells:
        x, y = ([t for t in side.tolist() if t == t] for side in (row[a], row[b]))
        ranks = rankdata(x + y)
        alike.append((student_error(ranks[: len(x)], ranks[len(x) :]) * 2 / (len(x) + len(y)), len(x) + len(y) - 2))
        own = [[np.sign(v - u) for v in y] for u in x]
        leads.append(np.mean(own))
        for of_run in (np.mean(own, axis=1), -np.mean(own, axis=0)):
            parts.append(np.var(of_run, ddof=1) / len(of_run))
            degrees.append(len(of_run) - 1)
    error, df = summed(list(zip(parts, degrees, strict=True)))
    if np.isnan(cells[:, [a, b]]).any():  # unequal numbers of runs: at least Student's error, of ranks
        least, its_df = summed([(error**2, df) for error, df in alike])
        error, df = max(error, least), min(df, its_df)
    return float(np.mean(leads)), error / len(cells), df


def student_error(x: Array, y: Array) -> float:
    """Of the difference of the means."""
    within = (len(x) - 1) * np.var(x, ddof=1) + (len(y) - 1) * np.var(y, ddof=1)
    return float(np.sqrt(within / (len(x) + len(y) - 2) * (1 / len(x) + 1 / len(y))))


def summed(parts: list[tuple[float, float]]) -> tuple[float, float]:
    """The error of a sum of variances, and Satterthwaite's degrees of freedom."""
    total = sum(v for v, _ in parts)
    return total**0.5, total**2 / sum(v**2 / df for v, df in parts)


@pytest.mark.parametrize("seed", range(6))
def test_order_is_that_of_a_literal_version(seed: int) -> None:
    from scipy.stats import t as student

    cells = times(lead=0.4, seed=seed)
    if seed % 2:
        cells[0, 0, 2:], cells[3, 1, 3] = np.nan, np.nan  # cells of fewer runs
    found = over_runs(cells)
    for pair in found.pairs:
        a, b = "abc".index(pair.a), "abc".index(pair.b)
        lead, error, df = literal(cells, a, b)
        assert pair.lead == pytest.approx(lead, abs=1e-12)
        assert pair.pvalue == pytest.approx(2 * student.sf(abs(lead) / error, df), rel=1e-9)
        assert pair.turned.lead == pytest.approx(-lead, abs=1e-12)


def test_one_problem_is_brunner_and_munzels_test_and_welchs() -> None:
    rng = np.random.default_rng(5)
    cells = np.exp(np.stack([rng.normal(size=12), 0.8 + 2 * rng.normal(size=12)]))[None]
    [pair] = over_runs(cells, cap=1e9, k=1).pairs
    assert pair.pvalue == pytest.approx(float(brunnermunzel(cells[0, 0], cells[0, 1]).pvalue), rel=1e-6)
    assert pair.par_pvalues[1] == pytest.approx(float(ttest_ind(cells[0, 0], cells[0, 1], equal_var=False).pvalue))
    interval = ttest_ind(cells[0, 1], cells[0, 0], equal_var=False).confidence_interval()
    assert pair.par_intervals[1] == pytest.approx((interval.low, interval.high), rel=1e-8)


def test_few_runs_against_many_are_students_tests() -> None:
    """Of three alike, s² is far too small: neither ranks nor penalised means are told apart by it."""
    few, many = np.array([0.4, 0.5, 0.45]), np.exp(np.random.default_rng(1).normal(size=20))
    cells = np.full((1, 2, 20), np.nan)
    cells[0, 0, :3], cells[0, 1] = few, many
    [pair] = over_runs(cells, cap=1e9, k=1).pairs
    student, welch = (ttest_ind(few, many, equal_var=equal) for equal in (True, False))
    ranks = rankdata([*few, *many])
    of_ranks = ttest_ind(ranks[:3], ranks[3:])
    assert pair.par_pvalues[1] >= student.pvalue > 3 * welch.pvalue
    assert pair.pvalue >= of_ranks.pvalue > 3 * brunnermunzel(few, many).pvalue
    low, high = pair.par_intervals[1]
    assert high - low >= np.ptp(student.confidence_interval())


def test_geometric_means_have_welchs_interval_of_logarithms() -> None:
    cells = np.exp(np.random.default_rng(6).normal(size=(1, 2, 9)))
    found = over_runs(cells, cap=None, shift=0)
    interval = ttest_ind(*np.log(cells[0]), equal_var=False).confidence_interval()
    assert found.pairs[0].sgm_interval == pytest.approx((np.exp(interval.low), np.exp(interval.high)), rel=1e-8)
    assert found.sgm == pytest.approx(np.exp(np.log(cells[0]).mean(axis=1)))


def test_bands_are_those_of_a_profile_of_the_same_times() -> None:
    cells = np.exp(np.random.default_rng(7).normal(size=(3, 2, 6)))
    profile = bo.profile(bo.Scores(cells, better="lower"), "data", over="runs", n_resamples=100)
    found = over_runs(cells, cap=None)
    assert list(found.curves.reach.values()) == pytest.approx(profile.half_widths.tolist(), rel=1e-9)
    assert list(found.curves.share.values()) == [pytest.approx(row) for row in profile.share.tolist()]


def test_no_p_is_below_that_of_exchanging_runs() -> None:
    """Three runs against three on two problems, all apart: 2/C(6, 3) on each by penalised means, two in 2⁶ by order."""
    cells = np.array([[[1.0, 1, 1], [2, 2, 2]], [[1.0, 1, 1], [3, 3, 3]]])
    [pair] = over_runs(cells).pairs
    assert pair.pvalue == pytest.approx(2 / 2**6)
    assert pair.par_pvalues[1] == pytest.approx(0.01)
    assert pair.verdict == "a better"
    [one] = over_runs(cells[:1]).pairs
    assert one.pvalue == pytest.approx(2 / 2**3)
    assert one.verdict == "cannot tell"
    [equal] = over_runs(np.ones((2, 2, 3))).pairs
    assert (equal.pvalue, equal.par_pvalues[1], equal.solved_pvalue) == (1, 1, 1)


def test_neither_order_of_problems_nor_of_runs_matters() -> None:
    cells = times(n=6, r=5, lead=0.3)
    rng = np.random.default_rng(0)
    mixed = rng.permuted(cells, axis=2)[rng.permutation(6)]
    one, two = over_runs(cells), over_runs(mixed)
    assert [p.pvalue for p in one.pairs] == [p.pvalue for p in two.pairs]
    assert [p.par_pvalues for p in one.pairs] == [p.par_pvalues for p in two.pairs]
    assert one.curves.reach == two.curves.reach


def test_a_lead_is_shown_of_other_runs_of_these_problems() -> None:
    found = over_runs(times(lead=1.5, k=2))
    assert found.decision == "difference"
    assert found.verdict.startswith("a is faster than b in more pairs of runs (ahead by ")
    assert ", for other runs of these problems" in found.verdict
    assert (found.unit, found.n_units) == ("run", 20)
    both = over_runs(times(n=8, lead=1.5, k=2), over="both")
    plain = over_runs(times(n=8, lead=1.5, k=2), over="problems")
    assert ", for other problems with runs of their own" in both.verdict
    assert [p.pvalue for p in both.pairs] == [p.pvalue for p in plain.pairs]
    assert plain.pairs[0].mcnemar == plain.pairs[0].solved_pvalue
    assert found.pairs[0].mcnemar is None
    assert found.pairs[0].wilcoxon_pvalues == {}


def test_two_problems_of_many_runs_are_enough_where_the_problems_are_given() -> None:
    cells = times(n=2, r=12, k=2, lead=1.2)
    assert over_runs(cells).decision == "difference"
    assert over_runs(cells, over="problems").decision == "cannot tell"


def test_clusters_of_problems_do_not_matter_over_runs() -> None:
    cells, names = times(n=6), [f"p{i}" for i in range(6)]
    s = bo.Scores.from_cells(cells, list("abc"), names, better="lower", clusters=list("xxyyzz"))
    found = bo.runtimes(s, CAP, over="runs", n_resamples=100)
    assert [p.pvalue for p in found.pairs] == [p.pvalue for p in over_runs(cells).pairs]
    assert [p.logrank for p in found.pairs] == [p.logrank for p in over_runs(cells).pairs]


def test_what_does_not_fit_is_refused() -> None:
    lone = times()
    lone[2, 1, 1:] = np.nan
    with pytest.raises(ScoreError, match=r"one run of 'b' on 'p2'.*over='problems'"):
        over_runs(lone)
    with pytest.raises(ScoreError, match="one run of 'a' on 'p0'"):
        over_runs(times(r=1))
    with pytest.raises(ParameterError, match="over"):
        over_runs(times(), over="run")


def test_runs_that_share_their_data_are_refused_and_those_of_one_process_cautioned() -> None:
    def of(kind: str) -> bo.Scores:
        names = [f"p{i}" for i in range(5)]
        return bo.Scores.from_cells(times(), list("abc"), names, better="lower", run_kind=kind)

    assert "dependence" in [c.code for c in bo.runtimes(of("iteration"), CAP, over="runs", n_resamples=100).cautions]
    assert "dependence" in [c.code for c in bo.profile(of("iteration"), over="runs", n_resamples=99).cautions]
    split = of("split")
    assert "dependence" not in [c.code for c in bo.runtimes(split, CAP, over="both", n_resamples=100).cautions]
    with pytest.raises(ScoreError, match=r"runs that are folds.*over='problems'"):
        bo.runtimes(split, CAP, over="runs")
    with pytest.raises(ScoreError, match="runs that are folds"):
        bo.profile(split, over="runs")


@pytest.mark.parametrize("over", ["problems", "both"])
def test_as_many_runs_of_each_are_drawn_over_problems(over: str) -> None:
    cells = times(r=16)
    assert "unequal (drawn-runs)" not in [c.name for c in over_runs(cells, over=over).cautions]
    cells[:, 1, 4:] = np.nan
    found = over_runs(cells, over=over)
    assert "unequal (drawn-runs)" in [c.name for c in found.cautions]
    assert "unequal (drawn-runs)" not in [c.name for c in over_runs(cells).cautions]
    others = found.pairs[1]
    assert (others.a, others.b) == ("a", "c")
    assert others.lead == over_runs(cells[:, [0, 2]], over=over).pairs[0].lead  # of all 16 runs


def test_runs_are_drawn_by_content() -> None:
    cells = times(n=6, r=9, k=2)
    cells[:, 1, 2:] = np.nan
    rng = np.random.default_rng(1)
    moved = rng.permuted(cells[rng.permutation(6)], axis=2)

    def of(cells: Array, names: str) -> Any:
        s = bo.Scores.from_cells(cells, list(names), list("abcdef"), better="lower", holes=True)
        return bo.runtimes(s, CAP, n_resamples=100).pairs[0], bo.profile(s, n_resamples=99).swap

    pair, swap = of(cells, "ab")
    assert of(moved, "ab") == (pair, swap)
    turned, swapped = of(moved[:, ::-1], "ba")
    assert (turned.turned.pvalue, turned.turned.wins) == (pair.pvalue, pair.wins)
    assert swapped == swap


def test_logrank_of_several_runs_speaks_of_problems_unless_these_are_given() -> None:
    """Forty runs on three problems: χ² over problems is at most 3."""
    cells = times(n=3, r=40, k=2, lead=1.5)
    over = {what: over_runs(cells, over=what).pairs[0].logrank for what in ("runs", "problems", "both")}
    assert over["runs"] > 30
    assert over["problems"] == over["both"] <= 3


def test_times_near_the_largest_number_have_errors() -> None:
    found = over_runs(times(k=2, lead=1.5) * 1e300, cap=None)
    small = over_runs(times(k=2, lead=1.5), cap=None)
    assert found.pairs[0].par_pvalues[1] == pytest.approx(small.pairs[0].par_pvalues[1], rel=1e-9)
    assert found.pairs[0].par_intervals[1] == pytest.approx(np.multiply(small.pairs[0].par_intervals[1], 1e300))


def test_the_command_has_it_and_its_report_is_verified(tmp_path: Path) -> None:
    rows = ["problem,algorithm,run,time,status"]
    rows += [
        f"p{i},{'abc'[j]},{r},{t if t < CAP else ''},{'ok' if t < CAP else 'timeout'}"
        for (i, j, r), t in np.ndenumerate(times(lead=0.8))
    ]
    (path := tmp_path / "times.csv").write_text("\n".join(rows), encoding="utf8")
    report = tmp_path / "report.json"
    command = ["runtimes", str(path), "--cap", "4", "--over", "runs", "--resamples", "100", "--report", str(report)]
    shown = CliRunner().invoke(main, command)
    assert shown.exit_code == 0, shown.output
    assert "for other runs of these problems" in shown.output
    assert json.loads(report.read_text(encoding="utf8"))["over"] == "runs"
    assert verify(report).ok
