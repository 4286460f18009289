"""Ranks: the papers' tables, ties decided on decimals, infinities, the largest floats, and bitwise invariance."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

import bakeoff as bo
from bakeoff.errors import InfiniteScoreError, ParameterError, WrongTypeError
from bakeoff.ranks import (
    TIE_ULPS,
    doubled_aligned_ranks,
    doubled_problem_ranks,
    doubled_ranks,
    doubled_row_ranks,
    doubled_tied_ranks,
    tie_groups,
    tie_tolerance,
)
from oracles import published

INF = float("inf")
LARGEST = float(np.finfo(float).max)

# Derrac et al. (2011), Table 7: the toy of section 4.2
TOY = bo.Scores(
    [
        [2.711, 3.147, 2.515, 2.612],
        [7.832, 9.828, 7.832, 7.921],
        [0.012, 0.532, 0.122, 0.005],
        [3.431, 4.111, 3.401, 3.401],
    ],
    algorithms=["A", "B", "C", "D"],
    better="lower",
)


def test_friedman_ranks_of_derrac_table_8() -> None:
    expected = [[3, 4, 1, 2], [1.5, 4, 1.5, 3], [2, 4, 3, 1], [3, 4, 1.5, 1.5]]
    assert bo.rank(TOY).tolist() == expected
    # ERRATA D3: the average of C is printed 1.250, but (1 + 1.5 + 3 + 1.5)/4 = 1.75
    assert bo.rank(TOY).mean(axis=0).tolist() == [2.375, 4, 1.75, 1.875]


def test_aligned_ranks_of_derrac_table_9() -> None:
    expected = [[12, 14, 4, 10], [1.5, 16, 1.5, 3], [8, 13, 11, 7], [9, 15, 5.5, 5.5]]
    assert bo.rank_aligned(TOY).tolist() == expected
    assert bo.rank_aligned(TOY).mean(axis=0).tolist() == [7.625, 14.5, 5.5, 6.375]


def test_weighted_ranks_of_derrac_table_10() -> None:
    weighted = [[6, 8, 2, 4], [6, 16, 6, 12], [2, 4, 3, 1], [9, 12, 4.5, 4.5]]  # the W, without centring
    centred = [[1, 3, -3, -1], [-4, 6, -4, 2], [-0.5, 1.5, 0.5, -1.5], [1.5, 4.5, -3, -3]]  # the S
    assert bo.rank_weighted(TOY).tolist() == weighted
    q = doubled_problem_ranks(TOY) / 2
    assert q.tolist() == [2, 4, 1, 3]
    assert (q[:, None] * (bo.rank(TOY) - 2.5)).tolist() == centred
    # T_j = W_j/(n(n+1)/2): 2.3, 4, 1.55, 2.15
    assert bo.rank_weighted(TOY).sum(axis=0).tolist() == [23, 40, 15.5, 21.5]


def test_friedman_ranks_of_garcia_table_3() -> None:
    scores = published.scores("garcia_table3_accuracy", "higher")
    printed = published.cells("garcia_table3_ranks")
    for i, problem in enumerate(scores.problems):
        assert bo.rank(scores)[i].tolist() == [float(printed[problem, a]) for a in scores.algorithms], problem


def test_aligned_ranks_of_garcia_table_7_as_far_as_three_decimals_allow() -> None:
    # ERRATA G11: the authors ranked unrounded accuracies. From the printed ones 14 of the 96 ranks differ; the totals
    # recomputed from them in exact fractions are 704.5, 1122.5, 1127, 1702 (printed 703.5, 1121.5, 1129.5, 1701.5).
    scores = published.scores("garcia_table3_accuracy", "higher")
    printed = published.cells("garcia_table7_aligned")
    names = published.rows("garcia_table7_aligned")
    theirs = np.array([[float(printed[p, f"{a}_rank"]) for a in scores.algorithms] for p in names])
    ours = bo.rank_aligned(scores)
    assert ours.sum(axis=0).tolist() == [704.5, 1122.5, 1127, 1702]
    assert int((ours != theirs).sum()) == 14
    assert np.abs(ours - theirs).max() <= 2


def test_weighted_ranks_of_garcia_table_8_as_far_as_three_decimals_allow() -> None:
    # ERRATA G11: Adult and German both range .043 and tie at Q = 7.5, printed 8 and 7; the sums of S are
    # then -333.5, 11.5, 27.5, 294.5 (printed -332, 11, 27.5, 293.5)
    scores = published.scores("garcia_table3_accuracy", "higher")
    printed = published.cells("garcia_table8_quade")
    names = published.rows("garcia_table8_quade")
    q = doubled_problem_ranks(scores) / 2
    differ = {
        p: (x, float(printed[p, "Q"])) for p, x in zip(names, q.tolist(), strict=True) if x != float(printed[p, "Q"])
    }
    assert differ == {"Adult": (7.5, 8), "German": (7.5, 7)}
    s = bo.rank_weighted(scores) - 2.5 * q[:, None]
    assert s.sum(axis=0).tolist() == [-333.5, 11.5, 27.5, 294.5]


def test_ranks_of_demsar_table_6_differ_where_rounding_hid_a_tie() -> None:
    # ERRATA M1: voting prints .975 twice, ranked 2 and 3 in the paper
    scores = bo.datasets.load("demsar_2006")
    printed = published.cells("demsar_table6_ranks")
    theirs = np.array([[float(printed[p, a]) for a in scores.algorithms] for p in scores.problems])
    rows = np.flatnonzero((bo.rank(scores) != theirs).any(axis=1))
    assert [scores.problems[i] for i in rows] == ["voting"]
    assert bo.rank(scores)[rows[0]].tolist() == [4, 1, 2.5, 2.5]


def test_mean_ranks_of_the_cec_table() -> None:
    # Derrac Table 11 prints 6.76 ... with DE-Exp 3.50, SaDE 3.84, SSGA 5.50; ERRATA D2: from the data 3.44, 3.88, 5.52
    scores = bo.datasets.load("derrac_cec2005")
    mean = dict(zip(scores.algorithms, bo.rank(scores).mean(axis=0).round(10).tolist(), strict=True))
    assert (mean["DE-Exp"], mean["SaDE"], mean["SSGA"]) == (3.44, 3.88, 5.52)
    # Table 12 (four algorithms): Friedman, aligned and Quade's averages, all as printed
    four = scores.select(["IPOP-CMA-ES", "CHC", "SS-BLX", "SaDE"])
    assert bo.rank(four).mean(axis=0).round(10).tolist() == [2.48, 3.12, 2.44, 1.96]
    assert bo.rank_aligned(four).mean(axis=0).round(10).tolist() == [51.96, 65.92, 48.52, 35.6]
    assert (bo.rank_weighted(four).sum(axis=0) / 325).round(4).tolist() == [2.3785, 3.4185, 2.48, 1.7231]


def test_rank_one_is_best_whatever_the_direction() -> None:
    values = [[1.0, 2.0, 3.0]]
    assert bo.rank(bo.Scores(values, better="lower")).tolist() == [[1, 2, 3]]
    assert bo.rank(bo.Scores(values, better="higher")).tolist() == [[3, 2, 1]]


def test_infinite_scores_are_ordered_and_tie() -> None:
    scores = bo.Scores([[INF, 1.0, INF, -INF]], better="lower")
    assert bo.rank(scores).tolist() == [[3.5, 2, 3.5, 1]]
    assert bo.rank(bo.Scores(scores.values, better="higher")).tolist() == [[1.5, 3, 1.5, 4]]
    for method in (bo.rank_aligned, bo.rank_weighted):
        with pytest.raises(InfiniteScoreError, match=r"problem 'P1', algorithm 'A1' is inf \(3 such cells\)"):
            method(scores)
    assert bo.rank_weighted(scores, weights=[3]).tolist() == bo.rank(scores).tolist()


def test_negative_zero_and_denormals() -> None:
    tiny = 5e-324
    scores = bo.Scores([[0.0, -0.0, tiny, 2 * tiny, -tiny]], better="lower")
    assert bo.rank(scores).tolist() == [[2.5, 2.5, 4, 5, 1]]


def test_plain_scores_are_compared_exactly() -> None:
    near = float(np.nextafter(0.3, 1))
    assert bo.rank(bo.Scores([[0.3, near]], better="lower")).tolist() == [[1, 2]]


def test_means_over_runs_are_tied_on_decimals() -> None:
    # 0.1 + 0.2 + 0.3 and 0.2 + 0.2 + 0.2 have the same mean, not in binary
    runs = [[[0.1, 0.1, 0.4], [0.3, 0.2, 0.1], [0.2, 0.2, 0.2], [0.7, 0.7, 0.7]]]
    assert bo.rank(bo.Scores(runs, better="lower")).tolist() == [[2, 2, 2, 4]]


def test_the_tolerance_comes_from_the_pair_and_not_from_the_table() -> None:
    rng = np.random.default_rng(0)
    small = rng.integers(1, 9, (6, 3)) * 1e-15
    table = np.vstack([small, [[1e9, 2e9, 3e9]]])
    with_large = bo.rank_weighted(bo.Scores(table, better="lower"))[:-1]
    alone = bo.rank_weighted(bo.Scores(small, better="lower"))
    assert np.array_equal(with_large, alone)


def test_tie_groups_use_the_first_member() -> None:
    ulp = float(np.spacing(1.0))
    values = np.array([1, 1 + 10 * ulp, 1 + 20 * ulp, 1 + 26 * ulp, 1 + 40 * ulp])
    ones = np.ones(5)
    # 0 and 10 are within 16; 20 is not within 16 of 0 and begins a group that 26 joins, 40 not
    assert tie_groups(values, ones).tolist() == [0, 0, 1, 1, 2]
    assert tie_groups(values, ones, ulps=0).tolist() == [0, 1, 2, 3, 4]
    assert doubled_tied_ranks(values, ones).tolist() == [3, 3, 7, 7, 10]
    assert tie_tolerance(np.array([1.0, INF]))[0] == TIE_ULPS * ulp
    assert tie_tolerance(np.array([1.0, INF]))[1] == 0


def test_tie_groups_order_infinities() -> None:
    values = np.array([INF, 0.0, -INF, INF, -INF])
    assert tie_groups(values, np.abs(values)).tolist() == [2, 1, 0, 2, 0]


def test_the_largest_floats_do_not_warn() -> None:
    scores = bo.Scores([[LARGEST, 0.0, 1.0], [LARGEST, 0.0, 2.0]], better="lower")
    assert bo.rank_weighted(scores).tolist() == [[4.5, 1.5, 3], [4.5, 1.5, 3]]
    assert doubled_tied_ranks(np.array([-LARGEST, LARGEST]), np.full(2, LARGEST)).tolist() == [2, 4]
    runs = bo.Scores([[[LARGEST] * 2, [-LARGEST] * 2, [0, 0]]], better="lower")
    assert bo.rank(runs).tolist() == [[3, 1, 2]]
    opposite = bo.Scores([[LARGEST, -LARGEST]], better="lower")
    assert bo.rank(opposite).tolist() == [[2, 1]]
    with pytest.raises(ParameterError, match="too large to subtract"):
        bo.rank_weighted(opposite)
    with pytest.raises(ParameterError, match="too large to subtract"):
        bo.rank_aligned(bo.Scores([[LARGEST, -LARGEST, -LARGEST]], better="lower"))


def test_weights_of_problems() -> None:
    assert bo.rank_weighted(TOY, weights=[10, 20, 20, 5])[:, 1].tolist() == [8, 14, 14, 4]
    for bad, message in [
        ([1, 2], r"one value per problem, shape \(4,\); got shape \(2,\)"),
        ([1, 2, 3, np.nan], "finite"),
        ([1, 2, 3, INF], "finite"),
        (["a", "b", "c", "d"], "finite numbers"),
    ]:
        with pytest.raises(ParameterError, match=message):
            bo.rank_weighted(TOY, weights=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", [bo.rank, bo.rank_aligned, bo.rank_weighted])
def test_ranks_are_read_only_and_need_scores(method) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="read-only"):
        method(TOY)[0, 0] = 1
    with pytest.raises(WrongTypeError, match=r"must be a bakeoff\.Scores, got ndarray"):
        method(np.ones((3, 3)))


@pytest.mark.parametrize("k", [2, 40, 48, 49])
def test_both_ways_of_ranking_rows_agree(k: int) -> None:
    # short rows are ranked by counting comparisons, long ones by sorting; columns worse than all others change nothing
    costs = np.random.default_rng(k).integers(0, k, (300, k)).astype(float)
    costs[::7, 0] = INF
    longer = np.hstack([np.minimum(costs, 1e300), np.full((300, 30), INF)])
    assert np.array_equal(doubled_row_ranks(costs), doubled_row_ranks(longer)[:, :k])
    assert doubled_row_ranks(costs).sum() == 300 * k * (k + 1)


@st.composite
def decimal_scores(draw: st.DrawFn) -> bo.Scores:
    n, k, r = draw(st.integers(1, 8)), draw(st.integers(2, 6)), draw(st.sampled_from([1, 1, 3]))
    digits = draw(st.integers(0, 3))
    cells = draw(st.lists(st.integers(-30, 60), min_size=n * k * r, max_size=n * k * r))
    values = np.array([c / 10**digits for c in cells]).reshape(n, k, r)
    return bo.Scores(values, better=draw(st.sampled_from(["lower", "higher"])))


METHODS = (doubled_ranks, doubled_aligned_ranks)


@given(scores=decimal_scores(), data=st.data())
def test_relabelling_and_shuffling_permute_ranks_bitwise(scores: bo.Scores, data: st.DataObject) -> None:
    rows = data.draw(st.permutations(range(scores.n_problems)))
    columns = data.draw(st.permutations(range(scores.n_algorithms)))
    other = scores.select(columns, rows)
    for method in METHODS:
        assert np.array_equal(method(scores)[np.ix_(rows, columns)], method(other))
    assert np.array_equal(doubled_problem_ranks(scores)[list(rows)], doubled_problem_ranks(other))


@given(scores=decimal_scores())
def test_ranks_add_up_and_reverse(scores: bo.Scores) -> None:
    n, k = scores.values.shape
    turned = bo.Scores(
        scores.values if scores.runs is None else scores.runs, better="higher" if scores.better == "lower" else "lower"
    )
    assert (doubled_ranks(scores).sum(axis=1) == k * (k + 1)).all()
    assert (doubled_ranks(scores) + doubled_ranks(turned) == 2 * (k + 1)).all()
    assert doubled_aligned_ranks(scores).sum() == n * k * (n * k + 1)
    assert (doubled_aligned_ranks(scores) + doubled_aligned_ranks(turned) == 2 * (n * k + 1)).all()
    assert doubled_problem_ranks(scores).sum() == n * (n + 1)


def test_every_small_row_against_pairwise_counting() -> None:
    for k in (2, 3, 4):
        rows = np.array(list(itertools.product([0.0, 1.0, 2.0, INF], repeat=k)))
        lower = (rows[:, :, None] > rows[:, None, :]).sum(axis=2)
        equal = (rows[:, :, None] == rows[:, None, :]).sum(axis=2)
        assert np.array_equal(doubled_row_ranks(rows), 2 * lower + equal + 1)


def test_the_smallest_scores_tie_only_if_they_are_equal() -> None:
    """16 units in the last place of 5e-324 are 16 times the score: all algorithms of a profile were best."""
    tiny = np.finfo(float).tiny
    ordinary = np.array([tiny, 1.0, 0.3, 1e308])
    assert tie_tolerance(ordinary).tolist() == (16 * np.spacing(ordinary)).tolist()
    assert tie_tolerance(np.array([0.0, 5e-324, 1e-310, np.inf])).tolist() == [0.0] * 4
    rng = np.random.default_rng(0)
    whole = np.array([rng.permutation(20)[:3] + 1.0 for _ in range(12)])
    at_one, at_least = (bo.Scores(whole * size, better="higher") for size in (1.0, 5e-324))
    assert bo.profile(at_least).verdict == bo.profile(at_one).verdict
    assert bo.wilcoxon(at_least, 0, 1).pvalue == bo.wilcoxon(at_one, 0, 1).pvalue
    assert bo.quade(at_least).pvalue == pytest.approx(bo.quade(at_one).pvalue)
