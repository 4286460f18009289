"""What a check counts: the error of a suite, runs that belong together, problems that were lost."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.errors import ScoreError
from bakeoff.wings.guard.check.statistics import judge
from bakeoff.wings.guard.check.statistics.contrasts import Contrasts
from bakeoff.wings.guard.check.statistics.judgement import NO_SPREAD, ONE_RUN, _reason, _Tested
from bakeoff.wings.guard.check.statistics.margins import Scale


def test_a_suite_with_a_given_spread_in_closed_form() -> None:
    """The mean over 6 problems of differences of means of 4 and 2 runs, whose standard deviation is 0.1."""
    rng = np.random.default_rng(4)
    old = {f"p{i}": rng.normal(1, 0.1, 4).tolist() for i in range(6)}
    new = {f"p{i}": rng.normal(1, 0.1, 2).tolist() for i in range(6)}
    found = bo.check(old, new, 0.05, 0.05, better="lower", scale="difference", level="suite", run_sd=0.1)
    (row,) = found.rows
    effect = float(np.mean([np.mean(new[p]) - np.mean(old[p]) for p in old]))
    error = 0.1 * math.sqrt(6 * (1 / 4 + 1 / 2)) / 6
    reach = float(stats.norm.isf(0.05)) * error
    assert (found.test, found.unit) == ("z", "run")
    assert row.effect == pytest.approx(effect, rel=1e-12)
    assert (row.old, row.new) == pytest.approx([np.mean([np.mean(s[p]) for p in s]) for s in (old, new)], rel=1e-12)
    assert row.runs == (6, 6)
    assert row.interval == pytest.approx((effect - reach, effect + reach), rel=1e-9)
    assert row.pvalue == pytest.approx(stats.norm.sf((effect - 0.05) / error), rel=1e-9)
    assert row.p_ok == pytest.approx(stats.norm.cdf((effect - 0.05) / error), rel=1e-9)


def test_runs_without_names_are_paired_only_if_they_are_as_many() -> None:
    scores = bo.Scores(
        [[[1.0, 1.1, 1.2, 1.3], [1.0, 1.1, 1.2, math.nan]]], ["old", "new"], ["p"], better="lower", missing="keep"
    )
    with pytest.raises(ScoreError, match="other runs than the baseline on problem 'p', and paired=True"):
        judge(scores, "5%", paired=True)
    assert judge(scores, "5%").rows[0].runs == (4, 3)


def test_a_problem_lost_against_two_baselines_counts_for_both() -> None:
    runs, gone = [1.0, 1.01, 0.99, 1.0, 1.02, 0.98], [math.nan] * 6
    table = [[runs, runs, runs], [runs, runs, gone], [runs, gone, gone]]
    scores = bo.Scores(table, ["pinned", "previous", "new"], list("pqr"), better="lower", missing="keep")
    rows = judge(scores, "50%").rows
    lost = [(row.problem, row.against, row.runs, row.reason) for row in rows if row.effect is None]
    missing = "missing in new"
    assert lost == [
        ("q", "pinned", (6, 0), missing),
        ("r", "pinned", (6, 0), missing),
        ("q", "previous", (6, 0), missing),
    ]
    assert [(row.problem, row.verdict) for row in rows if row.effect is not None] == [("p", "ok"), ("p", "ok")]


def test_no_problem_in_common_is_no_improvement() -> None:
    runs, gone = [1.0, 1.01, 0.99], [math.nan] * 3
    scores = bo.Scores([[runs, gone], [gone, runs]], ["old", "new"], ["p", "q"], better="lower", missing="keep")
    found = judge(scores, "5%")
    assert [(row.problem, row.verdict, row.effect) for row in found.rows] == [("p", "regressed", None)]
    assert (found.diagnostics.improved, found.diagnostics.regressed, found.diagnostics.measured) == (0, 0, 0)


def named(new: str) -> bo.Scores:
    values = [[[1.0, 2.0, 3.0, 4.0, 5.0], [3.1, 1.1, 2.2, 4.3, 5.4]]]
    return bo.Scores(values, ["old", "new"], ["p"], better="lower", run_ids=[[list("abcde"), list(new)]])


def test_runs_are_paired_by_their_names() -> None:
    (row,) = judge(named("cabde"), 0.5, scale="difference", paired=True).rows
    differences = np.array([0.1, 0.2, 0.1, 0.3, 0.4])
    t = (0.5 - differences.mean()) / (differences.std(ddof=1) / math.sqrt(5))
    assert row.p_ok == pytest.approx(stats.t.sf(t, 4), rel=1e-9)
    (suite,) = judge(named("cabde"), 0.5, scale="difference", paired=True, level="suite").rows
    assert suite.p_ok == pytest.approx(row.p_ok, rel=1e-9)
    with pytest.raises(ScoreError, match="other runs than the baseline on problem 'p', and paired=True"):
        judge(named("efghi"), 0.5, scale="difference", paired=True)


def test_runs_are_paired_by_their_names_with_each_of_two_baselines() -> None:
    """The baselines list their runs in one order, and new in another."""
    both = [[1.0, 2.0, 3.0, 4.0, 5.0], [1.05, 2.0, 3.1, 4.0, 5.0], [3.1, 1.1, 2.2, 4.3, 5.4]]
    ids = [[list("abcde"), list("abcde"), list("cabde")]]
    scores = bo.Scores([both], ["pinned", "previous", "new"], ["p"], better="lower", run_ids=ids)
    rows = judge(scores, 0.5, scale="difference", paired=True).rows
    assert [row.effect for row in rows] == pytest.approx([1.1 / 5, 0.95 / 5])
    assert rows[0].p_ok == judge(named("cabde"), 0.5, scale="difference", paired=True).rows[0].p_ok


def test_problem_by_problem_each_row_counts_and_the_test_is_named() -> None:
    spread = np.array([0.98, 0.99, 1.0, 1.01, 1.02])
    old = {p: spread.tolist() for p in "pqrs"}
    new = {p: (size * spread).tolist() for p, size in (("p", 0.5), ("q", 0.6), ("r", 1.9), ("s", 1.0))}
    found = bo.check(old, new, "5%", better="lower", level="problem")
    assert (found.test, found.diagnostics.improved, found.diagnostics.regressed) == ("t", 2, 1)
    assert bo.check(old, new, "5%", better="lower", level="problem", test="rank").test == "rank"
    assert bo.check(old, new, "5%", better="lower", level="problem", run_sd=0.02).test == "z"


def test_a_suite_counts_its_problems() -> None:
    spread = np.array([0.98, 0.99, 1.0, 1.01, 1.02])
    old = {p: spread.tolist() for p in "pqr"}
    new = {p: (size * spread).tolist() for p, size in (("p", 0.5), ("q", 0.6), ("r", 1.9))}
    found = bo.check(old, new, "5%", better="lower", level="suite")
    assert len(found.rows) == 1
    assert (found.diagnostics.improved, found.diagnostics.regressed) == (2, 1)


def test_a_suite_counts_against_no_margin_where_none_is_allowed() -> None:
    """p is 2 % worse, which counts only if every loss does: REGRESSED is then worse than by nothing."""
    spread = np.array([0.999, 0.9995, 1.0, 1.0005, 1.001])
    old, new = ({p: (size * spread).tolist() for p, size in (("p", one), ("q", 1.0))} for one in (1.0, 1.02))
    for strict, counted in ((False, 0), (True, 1)):
        found = bo.check(old, new, "5%", better="lower", level="suite", strict=strict)
        assert (found.diagnostics.improved, found.diagnostics.regressed) == (0, counted)


def test_without_a_correction_the_p_values_stay() -> None:
    rng = np.random.default_rng(0)
    old, new = ({p: rng.normal(1, 0.1, 4).tolist() for p in "pqr"} for _ in range(2))
    rows = bo.check(old, new, "5%", better="lower", level="problem", correction="none").rows
    assert [row.adjusted for row in rows] == [row.pvalue for row in rows]
    holm = bo.check(old, new, "5%", better="lower", level="problem").rows
    assert [row.adjusted for row in holm] == pytest.approx(bo.adjust([row.pvalue for row in rows], "holm").tolist())


def test_one_problem_of_one_run_is_no_table_of_single_runs() -> None:
    runs = {"p": [1.0], "q": [1.0, 1.1, 1.2], "r": [1.0, 1.1, 1.3]}
    with pytest.raises(ScoreError, match="different numbers of runs"):
        bo.check(runs, runs, "5%", better="lower", level="suite")


def test_why_nothing_was_tested() -> None:
    (alone,) = bo.check({"p": [1.0]}, {"p": [1.5]}, "5%", better="lower", level="problem").rows
    assert (alone.verdict, alone.pvalue, alone.reason.split(":")[0]) == (
        "inconclusive",
        None,
        "one independent run per side",
    )
    old, new = {"p": [1.0], "q": [2.0]}, {"p": [1.5], "q": [2.5]}
    (suite,) = bo.check(old, new, 0.1, better="lower", scale="difference", level="suite").rows
    assert (suite.verdict, suite.pvalue, suite.reason) == ("inconclusive", None, "all differences are equal")


def test_where_nothing_may_be_lost_and_nothing_is_shared_there_is_no_check() -> None:
    runs, gone = [1.0, 1.01, 0.99], [math.nan] * 3
    scores = bo.Scores([[runs, gone], [gone, runs]], ["old", "new"], ["p", "q"], better="lower", missing="keep")
    with pytest.raises(ScoreError, match="new has no problem that can be compared with the baseline"):
        judge(scores, "5%", allow_missing=True)


@pytest.mark.parametrize("test", ["t", "rank"])
def test_centring_divides_the_new_side_by_the_common_ratio(test: str) -> None:
    old, new = np.random.default_rng(1).lognormal(0, 0.02, (2, 12, 8)) * [[[1.0]], [[1.03]]]
    plain = bo.check(old, new, "5%", better="lower", level="problem", test=test)
    centred = bo.check(old, new, "5%", better="lower", level="problem", test=test, center=True)
    common = math.exp(float(np.median(np.log1p([row.effect for row in plain.rows]))))
    for one, other in zip(plain.rows, centred.rows, strict=True):
        assert other.effect == pytest.approx((1 + one.effect) / common - 1, rel=1e-9)
        assert other.new == pytest.approx(one.new / common, rel=1e-9)
        assert other.old == one.old
    moved = bo.check(old, new / common, "5%", better="lower", level="problem", test=test)
    assert [row.pvalue for row in centred.rows] == pytest.approx([row.pvalue for row in moved.rows], rel=1e-9)
    assert [row.p_ok for row in centred.rows] == pytest.approx([row.p_ok for row in moved.rows], rel=1e-9)


@pytest.mark.parametrize("level", ["problem", "suite"])
@pytest.mark.parametrize(("part", "counts"), [(1.0, (1, 1)), (1 - 1e-9, (0, 0))])
def test_a_p_equal_to_alpha_counts(level: str, part: float, counts: tuple[int, int]) -> None:
    """q gets better as p gets worse."""
    spread = np.array([0.98, 0.99, 1.0, 1.01, 1.02])
    old, new = ({"p": (size * spread).tolist(), "q": (x * spread).tolist()} for size, x in ((1.0, 1.2), (1.2, 1.0)))
    options = {"better": "lower", "run_sd": 0.05, "correction": "none"}
    p = bo.check(old, new, "5%", level="problem", **options).rows[0].pvalue
    found = bo.check(old, new, "5%", p * part, level=level, **options).diagnostics
    assert (found.improved, found.regressed) == counts


@pytest.mark.parametrize(
    ("test", "old", "new", "reason"),
    [
        ("t", [1.0, 1.1, 1.2], [1.3, 1.4, 1.5], "no p-value of such runs is below 0.05"),
        ("t", [1.0, 1.0, 1.0], [1.5, 1.5, 1.5], NO_SPREAD),
        ("t", [1.0, 1.0, 1.0], [1.0, 1.0, 1.0], NO_SPREAD),
        ("rank", [1.0, 1.0, 1.0], [1.5, 1.5, 1.5], "no p-value of such runs is below 0.05"),
        ("rank", [1.0, 1.0], [1.02, 1.02], "no p-value of such runs is below 0.167"),
        ("t", [1.0, 1.1, 1.2], [1.05, 1.14, 1.31], ""),
    ],
)
def test_why_there_is_no_verdict(test: str, old: list[float], new: list[float], reason: str) -> None:
    """Of three runs a side no order is rarer than 1/C(6, 3), of two than 1/C(4, 2)."""
    (row,) = bo.check({"p": old}, {"p": new}, "5%", better="lower", level="problem", test=test).rows
    assert (row.verdict, row.reason) == ("inconclusive", reason)


@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.parametrize("scale", ["ratio", "difference"])
def test_a_row_in_closed_form(better: str, scale: str) -> None:
    """Welch's test of what is lost, in the unit of the margin."""
    old, new = np.random.default_rng(5).normal(10, 1, 7), np.random.default_rng(6).normal(11, 1, 5)
    margin = "5%" if scale == "ratio" else 0.5
    (row,) = bo.check({"p": old}, {"p": new}, margin, 0.05, better=better, level="problem", scale=scale).rows
    side = 1 if better == "lower" else -1
    costs = [side * (np.log(x) if scale == "ratio" else x) for x in (old, new)]
    theta = 0.5 if scale == "difference" else math.log(1.05) if better == "lower" else -math.log(0.95)
    found = stats.ttest_ind(costs[1] - theta, costs[0], equal_var=False, alternative="greater")
    assert row.pvalue == pytest.approx(found.pvalue, rel=1e-9)
    assert row.p_ok == pytest.approx(1 - found.pvalue, rel=1e-9)
    if scale == "difference":
        interval = stats.ttest_ind(costs[1], costs[0], equal_var=False).confidence_interval(0.9)
        assert row.interval == pytest.approx(tuple(interval), rel=1e-9)
    assert row.runs == (7, 5)


@pytest.mark.parametrize(
    ("error", "runs", "verdict", "p", "least", "tick", "ratio", "said"),
    [
        (math.nan, (5, 1), "inconclusive", 1.0, 0.0, 0.0, True, ONE_RUN),
        (math.nan, (1, 5), "inconclusive", 1.0, 0.0, 0.0, True, ONE_RUN),
        (math.nan, (2, 2), "inconclusive", 1.0, 0.0, 0.0, True, "all differences are equal"),
        (0.0, (5, 5), "inconclusive", 1.0, 0.0, 0.0, True, NO_SPREAD),
        (0.0, (5, 5), "regressed", 1.0, 0.0, 0.0, True, ""),
        (0.1, (5, 5), "ok", 0.01, 0.02, 0.1, True, ""),
        (
            0.1,
            (5, 5),
            "inconclusive",
            1.0,
            0.02,
            0.01234,
            True,
            "runs have so few values that their rounding may hide 1.2 %",
        ),
        (
            0.1,
            (5, 5),
            "inconclusive",
            1.0,
            0.02,
            0.01234,
            False,
            "runs have so few values that their rounding may hide 0.012",
        ),
        (0.1, (5, 5), "inconclusive", 0.02, 0.02, 0.0, True, "no p-value of such runs is below 0.02"),
        (0.1, (5, 5), "inconclusive", 0.03, 0.02, 0.0, True, ""),
        (0.1, (5, 5), "inconclusive", 0.0, 0.0, 0.0, True, ""),
    ],
)
def test_why_nothing_can_be_said_of_a_row(
    error: float, runs: tuple[int, int], verdict: Any, p: float, least: float, tick: float, ratio: bool, said: str
) -> None:
    one = np.ones(1)
    contrasts = Contrasts(one, error * one, 4 * one, least=least, tick=tick)
    row = _Tested("old", ("p",), contrasts, np.ones((1, 2)), np.array([runs]))
    assert _reason(row, 0, verdict, p, Scale(ratio=ratio, lower=True)) == said


def test_a_problem_below_the_clock_is_one_row_also_if_it_was_lost() -> None:
    old = {"p": [1.0, 1.1, 1.2], "q": [0.0, 0.1, 0.0], "r": [0.0, 0.1, 0.2], "s": [0.1, 0.2, 0.3]}
    new = {"p": [1.0, 1.1, 1.2], "r": [0.1, 0.2, 0.3], "s": [0.1, 0.0, 0.0]}
    found = bo.check(old, new, "5%", better="lower").rows
    rows = {row.problem: row for row in found}
    assert len(found) == len(rows) == 4
    assert [(rows[p].verdict, rows[p].runs, rows[p].effect) for p in "qrs"] == [
        ("regressed", (3, 0), None),
        ("inconclusive", (3, 3), None),
        ("inconclusive", (3, 3), None),
    ]
    assert rows["q"].reason == "missing in new"
    assert rows["r"].reason.startswith("below the clock: scores of 0 (1 of 3 in baseline) have no ratio")
    assert rows["s"].reason.startswith("below the clock: scores of 0 (2 of 3 in new) have no ratio")
    assert (rows["r"].new, rows["s"].old) == pytest.approx((0.2, 0.2))
