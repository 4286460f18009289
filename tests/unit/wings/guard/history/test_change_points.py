"""Change points against the formula written out, all permutations, and the rank-sum test of SciPy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.scores import Array
from bakeoff.wings.guard.history.statistics.segmentation import (
    SingleNulls,
    largest_split,
    midranks,
    null_of_largest,
    pvalue_of,
    serial_products,
    shift_between,
)

GOLDEN = (10.0, 11.0, 9.0, 10.5, 14.0, 15.0, 13.0, 16.0)


def names(n: int) -> list[str]:
    return [f"v{i}" for i in range(n)]


def slow_statistic(values: Sequence[float], h: int) -> float:
    """The formula, by loops."""
    total = len(values)
    ranks = [sum(y < x for y in values) + (sum(y == x for y in values) + 1) / 2 for x in values]
    return max(
        abs(sum(ranks[i] - (total + 1) / 2 for i in range(t))) / math.sqrt(t * (total - t) * (total + 1) / 12)
        for t in range(h, total - h + 1)
    )


def test_the_worked_example() -> None:
    """M at t = 4, and 1152 of the 40320 permutations at least as large."""
    found = bo.change_points(bo.Scores([GOLDEN], names(8), better="lower"), min_segment=2)
    (series,), (step,) = found.series, found.steps
    assert found.method == "exact"
    assert series.statistic == pytest.approx(2.3094010768, abs=1e-10)
    assert series.split == 4
    assert series.pvalue == 1152 / 40320
    assert (step.version, step.previous, step.worse) == ("v4", "v3", True)
    assert (step.before, step.after) == (10.25, 14.5)
    assert [segment[:2] for segment in series.segments] == [("v0", "v3"), ("v4", "v7")]


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(15))
def test_the_statistic_and_all_permutations_by_loops(seed: int) -> None:
    rng = np.random.default_rng(seed)
    total, h = int(rng.integers(4, 7)), int(rng.integers(1, 3))
    rows = np.round(rng.normal(size=(2, total)), int(rng.integers(0, 2)))  # ties
    observed = [slow_statistic(row.tolist(), h) for row in rows]
    for row, expected in zip(rows, observed, strict=True):
        assert largest_split(row, h)[0] == pytest.approx(expected, abs=1e-12)
    largest = [
        max(slow_statistic([row[i] for i in order], h) for row in rows.tolist())
        for order in itertools.permutations(range(total))
    ]
    null = null_of_largest(list(rows), h, True, 0, rng)
    assert sorted(null) == pytest.approx(sorted(largest), abs=1e-12)
    for expected in observed:
        share = sum(x >= expected - 1e-9 for x in largest) / len(largest)
        assert pvalue_of(expected, null, True) == share


def test_a_gap_takes_the_order_of_the_rest() -> None:
    """All permutations of the versions give each order of those it has equally often."""
    row = np.array([3.0, np.nan, 1.0, 4.0, np.nan, 9.0])
    with_gaps = null_of_largest([row], 1, True, 0, np.random.default_rng(0))
    alone = null_of_largest([row[~np.isnan(row)]], 1, True, 0, np.random.default_rng(0))
    np.testing.assert_allclose(np.sort(with_gaps), np.repeat(np.sort(alone), 30))


def test_a_null_is_kept_for_the_same_ranks_in_any_order_and_for_no_others() -> None:
    """The slow twin: each series by all permutations of its own."""
    nulls = SingleNulls(h=1, n_resamples=99, root=[0])
    for values in ([1.0, 2, 3, 4, 5], [9.0, 7, 8, 1, 2], [1.0, 1, 2, 3, 3], [3.0, 5, 5, 1, 1], [3.0, 5, 5, 5, 1]):
        statistic, place, pvalue = nulls.test(np.array(values))
        assert (statistic, place) == largest_split(np.array(values), 1)
        of_its_own = null_of_largest([np.array(values)], 1, True, 0, np.random.default_rng(0))
        assert pvalue == pvalue_of(statistic, of_its_own, True)
    assert len(nulls.known) == 3  # without ties, with two ties of two, with one of three


def test_the_order_of_benchmarks_decides_nothing() -> None:
    """Permutations of a part belonged to its place among all parts."""
    rng = np.random.default_rng(4)
    values = rng.normal(10, 0.5, size=(6, 60)).round(1) + 2 * (np.arange(60) >= 30) + 0.7 * (np.arange(60) >= 45)
    order = rng.permutation(6)
    rows = [f"b{i}" for i in range(6)]
    found, moved = (
        bo.change_points(bo.Scores(values[o], names(60), [rows[i] for i in o], better="lower"), n_resamples=999)
        for o in (np.arange(6), order)
    )
    assert found.steps == moved.steps
    assert max(step.level for step in found.steps) > 1
    assert [c.code for c in found.cautions] == [c.code for c in moved.cautions]


@pytest.mark.slow
def test_sampling_agrees_with_all_permutations_and_is_never_zero() -> None:
    scores = bo.Scores([GOLDEN, GOLDEN[::-1]], names(8), better="lower")
    exact, sampled = (bo.change_points(scores, min_segment=2, method=method) for method in ("exact", "permutation"))
    for one, other in zip(exact.series, sampled.series, strict=True):
        assert one.pvalue is not None
        assert other.pvalue == pytest.approx(one.pvalue, abs=4 * math.sqrt(one.pvalue / 9999))
    long = np.r_[np.arange(40.0), 1000 + np.arange(40.0)]
    (series,) = bo.change_points(bo.Scores([long], names(80), better="lower"), n_resamples=199).series
    assert series.pvalue == 1 / 200
    again = bo.change_points(scores, min_segment=2, method="permutation", rng=0)
    assert [s.pvalue for s in again.series] == [s.pvalue for s in sampled.series]


def inverted(before: Array, after: Array, level: float) -> tuple[float, float]:
    """All shifts that the exact rank-sum test does not reject, between neighbouring differences."""
    cuts = np.sort((after[:, None] - before[None, :]).ravel())
    middles = (cuts[1:] + cuts[:-1]) / 2
    kept = [
        i
        for i, shift in enumerate(middles)
        if stats.mannwhitneyu(after - shift, before, method="exact").pvalue > 1 - level
    ]
    return float(cuts[kept[0]]), float(cuts[kept[-1] + 1])


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(8))
def test_the_interval_of_a_step_inverts_the_rank_sum_test(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before, after = rng.normal(size=5 + seed % 3), rng.normal(size=6) + 2
    middle, low, high = shift_between(before, after, 0.95)
    assert middle == pytest.approx(np.median(after[:, None] - before[None, :]))
    assert (low, high) == pytest.approx(inverted(before, after, 0.95))


@pytest.mark.slow
def test_the_normal_interval_is_near_the_exact_one() -> None:
    rng = np.random.default_rng(3)
    before, after = rng.normal(size=21), rng.normal(size=20)  # 420 differences: just beyond
    _, low, high = shift_between(before, after, 0.95)
    expected = inverted(before, after, 0.95)
    assert low == pytest.approx(expected[0], abs=0.05)
    assert high == pytest.approx(expected[1], abs=0.05)


def test_three_versions_have_no_interval() -> None:
    assert shift_between(np.arange(3.0), np.arange(3.0) + 9, 0.95)[1:] == (None, None)  # 2/20 > 5 %


@pytest.mark.slow
def test_steps_up_and_down_are_found_and_sized() -> None:
    rng = np.random.default_rng(1)
    values = 10 + 0.1 * rng.normal(size=(3, 90))
    values[1, 30:60] *= 1.5
    values[1, 60:] *= 0.8
    found = bo.change_points(bo.Scores(values, names(90), ["a", "b", "c"], better="lower"))
    assert [(s.problem, s.version, s.worse) for s in found.steps] == [("b", "v30", True), ("b", "v60", False)]
    assert found.steps[0].change == pytest.approx(1.5, rel=0.02)
    assert found.steps[1].change == pytest.approx(0.8 / 1.5, rel=0.02)
    assert [series.verdict for series in found.series] == ["no change shown", "changed", "no change shown"]
    turned = bo.change_points(bo.Scores(-values, names(90), ["a", "b", "c"], better="higher"))
    assert [(s.version, s.worse, s.pvalue) for s in turned.steps] == [
        (s.version, s.worse, s.pvalue) for s in found.steps
    ]
    assert turned.scale == "difference"


def test_runs_count_by_their_median_and_iterations_by_process() -> None:
    runs = np.ones((1, 6, 4)) * np.array([1.0, 1.1, 1.2, 3.0, 3.1, 3.2])[None, :, None]
    runs[0, :, 0] = 50.0  # one slow run of four
    found = bo.change_points(bo.Scores(runs, names(6), better="lower"))
    assert found.steps == ()
    assert found.series[0].verdict == "cannot tell"  # 2 of 20
    assert [caution.name for caution in found.cautions] == ["out-of-reach (history)"]
    ids = ["1.0", "1.1", "1.2", "2.0"]
    cells = np.array([[[5.0, 6.0, 7.0, 1.0]] * 8])
    iterations = bo.Scores(cells, names(8), better="lower", run_ids=ids, run_kind="iteration")
    assert bo.change_points(iterations).series[0].segments[0][2] == 3.5  # (6 + 1)/2, not the median of four


@pytest.mark.parametrize("values", [[3.0, 1.0, 4.0, 1.0, 5.0, 9.0], [1.0, 2.0, 3.0, 4.0], [2.0, 2.0, 2.0, 2.0]])
def test_products_of_neighbours_beside_those_of_all_orders(values: list[float]) -> None:
    """In a segment of L they add up to −1/L of the squares on average: beside 0, short ones hid what wanders."""
    x = midranks(np.array(values)) - (len(values) + 1) / 2
    sums = np.array(
        [np.dot(x[list(order[1:])], x[list(order[:-1])]) for order in itertools.permutations(range(len(x)))]
    )
    above, variance = serial_products(midranks(np.array(values)))
    assert above == pytest.approx(np.dot(x[1:], x[:-1]) - sums.mean())
    assert variance == pytest.approx(sums.var(), abs=1e-9)
    assert serial_products(np.arange(3.0)) == (0.0, 0.0)


@pytest.mark.slow
def test_most_histories_that_wander_are_named_and_few_that_do_not() -> None:
    """Of 60 versions with autocorrelation ½: a lag-1 coefficient beside 0, at 1 %, saw 65 %."""
    rng = np.random.default_rng(5)
    named = []
    for autocorrelation in (0.5, 0.0):
        x = rng.normal(size=(60, 100))
        for i in range(1, 60):
            x[i] += autocorrelation * x[i - 1]
        results = [bo.change_points(bo.Scores(100 + h[None], better="lower"), n_resamples=99, rng=1) for h in x.T]
        named.append(sum("dependence (history)" in [c.name for c in r.cautions] for r in results))
    assert named[0] >= 76
    assert named[1] <= 12


def test_values_that_wander_are_named() -> None:
    rng = np.random.default_rng(0)
    values = 100 + np.cumsum(rng.normal(size=200))
    found = bo.change_points(bo.Scores([values], names(200), better="lower"), n_resamples=199, min_segment=40)
    assert "dependence (history)" in [caution.name for caution in found.cautions]
    steady = bo.change_points(bo.Scores(10 + rng.normal(size=(2, 60)), names(60), better="lower"), n_resamples=199)
    assert steady.cautions == ()


@pytest.mark.parametrize(
    ("values", "options", "said"),
    [
        ([[1.0, 2.0, 3.0]], {}, "at least 6 versions"),
        ([[1.0, 2.0, 3.0, 4.0, 5.0, np.inf]], {}, "infinite"),
        ([[-1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], {"scale": "ratio"}, "above 0"),
        ([list(range(9))], {"method": "exact"}, "up to 8 versions"),
        ([list(range(9))], {"n_resamples": 5}, "n_resamples must be"),
    ],
)
def test_refusals(values: list[list[float]], options: dict[str, object], said: str) -> None:
    scores = bo.Scores(values, names(len(values[0])), better="lower")
    with pytest.raises(bo.BakeoffError, match=said):
        bo.change_points(scores, **options)  # type: ignore[arg-type]
