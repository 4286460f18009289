"""Effects beside slow twins: fractions, loops, and every Walsh average listed."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.effects._hodges_lehmann import interval_cut
from bakeoff.effects.signed_rank_inversion import Places, shifts_not_rejected
from bakeoff.effects.walsh_averages import walsh_order_statistics
from bakeoff.errors import InfiniteScoreError
from bakeoff.nulls.signed_rank import signed_rank_null
from bakeoff.paired._wilcoxon import signed_rank_sums
from bakeoff.paired.differences import Differences, ordered_differences
from bakeoff.paired.many_pairs import RowDifferences


def random_table(rng: np.random.Generator, largest_n: int, largest_k: int) -> tuple[list[list[int]], int]:
    """Whole numbers and what to divide them by; many ties, sometimes none."""
    n, k = int(rng.integers(1, largest_n + 1)), int(rng.integers(2, largest_k + 1))
    spread = int(rng.choice([1, 2, 5, 20, 10_000]))
    return rng.integers(-spread, spread + 1, size=(n, k)).tolist(), int(rng.choice([1, 10, 1000]))


def as_scores(table: list[list[int]], digits: int, better: str = "lower") -> bo.Scores:
    return bo.Scores([[x / digits for x in row] for row in table], better=better)


def median(values: list[Fraction]) -> Fraction:
    ordered = sorted(values)
    m = len(ordered)
    return (ordered[(m - 1) // 2] + ordered[m // 2]) / 2


def walsh(d: list[Fraction]) -> list[Fraction]:
    return sorted((d[i] + d[j]) / 2 for i in range(len(d)) for j in range(i, len(d)))


def twin_cut(n: int, level: Fraction) -> tuple[int, Fraction]:
    """The largest c ≥ 0 with P(W ≤ c) ≤ (1 − level)/2 by counting subsets of 1..n, and the confidence."""
    ways = [1]
    for step in range(1, n + 1):
        ways = [x + y for x, y in zip(ways + [0] * step, [0] * step + ways, strict=True)]
    below = [Fraction(x, 2**n) for x in itertools.accumulate(ways)]
    cut = max((c for c, p in enumerate(below) if p <= (1 - level) / 2), default=0)
    return cut, 1 - 2 * below[cut]


@pytest.mark.parametrize("n", [*range(1, 26), 60])
def test_interval_cut(n: int) -> None:
    # 15/16 and 31/32 are reached exactly: P(W ≤ c) = (1 − level)/2 leaves c out on either side
    for level in (
        Fraction(1, 2),
        Fraction(8, 10),
        Fraction(9, 10),
        Fraction(15, 16),
        Fraction(95, 100),
        Fraction(31, 32),
    ):
        cut, achieved = twin_cut(n, level)
        got = interval_cut(n, float(level))
        assert got == (cut, pytest.approx(max(0.0, float(achieved)), rel=1e-13, abs=1e-15), "exact")


def test_interval_cut_beyond_the_exact_limit() -> None:
    """Just above the limit: the normal cut and its confidence beside the exact distribution, which still can be had."""
    null = signed_rank_null(2 * np.arange(1, 1002))
    for level in (0.5, 0.9, 0.95, 0.99, 0.999):
        cut, achieved, method = interval_cut(1001, level)
        assert method == "normal"
        assert achieved >= level
        outside = 2 * null.tail(2 * cut)[0]
        assert outside <= (1 - level) * (1 + 1e-3)  # further out the exact law has lighter tails: cautious
        assert outside == pytest.approx(1 - level, rel=0.03)


def twin_pvalue(d: list[Fraction]) -> Fraction:
    """Two-sided exact p of the signed-rank test with split zeros, by listing every sign; no floating point."""
    zeros = sum(x == 0 for x in d)
    kept = zeros - zeros % 2
    sizes = sorted(abs(x) for x in d if x)
    place = {x: Fraction(sum(y < x for y in sizes) * 2 + sizes.count(x) + 1, 2) + kept for x in set(sizes)}
    ranks = [place[x] for x in sizes]
    observed = min(sum(place[abs(x)] for x in d if x > 0), sum(place[abs(x)] for x in d if x < 0))
    sums = {Fraction(0): 1}
    for r in ranks:
        following = dict(sums)
        for total, ways in sums.items():
            following[total + r] = following.get(total + r, 0) + ways
        sums = following
    lower = sum(ways for total, ways in sums.items() if total <= observed)
    return min(Fraction(1), Fraction(2 * lower, 2 ** len(ranks)))


def twin_interval(d: list[Fraction], alpha: Fraction) -> tuple[Fraction, Fraction, bool]:
    """The hull of every Walsh average and every gap between two at which p is above alpha; is 0 rejected?"""
    points = sorted(set(walsh(d)))
    accepted = [x for x in points if twin_pvalue([y - x for y in d]) > alpha]
    for left, right in itertools.pairwise(points):
        if twin_pvalue([y - (left + right) / 2 for y in d]) > alpha:
            accepted += [left, right]
    return min(accepted), max(accepted), twin_pvalue(d) <= alpha


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("better", "tables"),
    [
        ("lower", 20),
        ("higher", 20),
        *(pytest.param(better, 60, marks=pytest.mark.slow) for better in ("lower", "higher")),
    ],
)
def test_hodges_lehmann(better: str, tables: int) -> None:
    rng = np.random.default_rng(1)
    for _ in range(tables):
        table, digits = random_table(rng, 11, 2)
        sign = 1 if better == "higher" else -1
        d = [Fraction(sign * (a - b), digits) for a, b in table]
        averages = walsh(d)
        level = float(rng.choice([0.5, 0.8, 0.9, 0.95, 0.99]))
        alpha = 1 - Fraction(level).limit_denominator(1000)
        got = bo.hodges_lehmann(as_scores(table, digits, better), 0, 1, confidence_level=level)
        slack = 1e-12 * max(1, max(abs(float(x)) for x in d))
        assert got.estimate == pytest.approx(float(median(averages)), abs=slack)
        if got.cautions:
            assert Fraction(2, 2 ** len(d)) > alpha
            low, high = averages[0], averages[-1]
        else:
            low, high, rejected = twin_interval(d, alpha)
            outside = got.low > 0 or got.high < 0
            assert outside <= rejected
            assert outside == rejected or 0 in d
        assert got.low == pytest.approx(float(low), abs=slack)
        assert got.high == pytest.approx(float(high), abs=slack)
        assert got.low <= got.estimate <= got.high
        assert bool(got.cautions) == (got.achieved_confidence < level * (1 - 1e-9))
        turned = bo.hodges_lehmann(as_scores(table, digits, better), 1, 0, confidence_level=level)
        assert (turned.estimate, turned.low, turned.high) == (-got.estimate, -got.high, -got.low)


@pytest.mark.slow
def test_hodges_lehmann_and_wilcoxon_agree_on_coarse_tables() -> None:
    """The review's two tables, and random ones: 0 lies outside exactly if p ≤ 0.05 (before: not in 1202 of 20 000)."""
    d = [4, 5, 4, 2, 0, -1, 4, -2, -1, -1, 3, 5]
    s = bo.Scores(np.column_stack([d, np.zeros(12)]), better="higher")
    assert bo.wilcoxon(s, 0, 1).pvalue == pytest.approx(0.0469, abs=5e-5)
    got = bo.hodges_lehmann(s, 0, 1)
    assert got.estimate == 1.75
    assert 0.0 < got.low < 1e-13
    d = [4, 3, 1, 1, 1, -2, 5, 1, 2, 0]
    s = bo.Scores(np.column_stack([d, np.zeros(10)]), better="higher")
    assert bo.wilcoxon(s, 0, 1).pvalue == pytest.approx(0.0508, abs=5e-5)
    assert bo.hodges_lehmann(s, 0, 1).low <= 0.0
    rng = np.random.default_rng(20)
    for _ in range(200):
        n = int(rng.integers(6, 13))
        d = np.round(rng.normal(rng.choice([0, 0.5, 1, 1.5]), rng.choice([1, 2, 3]), n))
        s = bo.Scores(np.column_stack([d, np.zeros(n)]), better="higher")
        got = bo.hodges_lehmann(s, 0, 1)
        assert (got.low > 0 or got.high < 0) == (bo.wilcoxon(s, 0, 1).pvalue <= 0.05)


def twin_hull(found: Differences, alpha: float) -> tuple[float, float]:
    """The test of every distinct Walsh average and of every gap between them, one at a time."""
    halves = np.sort(found.values) / 2
    averages = np.array([x + y for i, x in enumerate(halves) for y in halves[i:]])
    averages = np.sort(averages[np.isfinite(averages)]) + 0.0
    slack = max([16 * np.spacing(scale) for scale in found.scales[np.isfinite(found.scales)]])
    groups: list[list[float]] = []
    for x in averages.tolist():
        if groups and x - groups[-1][-1] <= slack:
            groups[-1].append(x)
        else:
            groups.append([x])
    points = [group[0] if group[0] > 0 else min(group[-1], 0.0) for group in groups]
    if not points:
        return -math.inf, math.inf
    ends = [points[0] - 1 - abs(points[0]), *points, points[-1] + 1 + abs(points[-1])]
    accepted: list[tuple[float, float]] = []
    for i, shift in enumerate(points):
        if pvalue_of_a_shift(found, shift) > alpha:
            accepted.append((shift, shift))
        for j in (i, i + 1) if i == 0 else (i + 1,):
            if pvalue_of_a_shift(found, ends[j] / 2 + ends[j + 1] / 2) > alpha:
                accepted.append((ends[j] if j else -math.inf, ends[j + 1] if j < len(points) else math.inf))
    return min(low for low, _ in accepted), max(high for _, high in accepted)


def pvalue_of_a_shift(found: Differences, shift: float) -> float:
    values, scales = found.values - shift, np.maximum(found.scales, abs(shift))
    zero = np.abs(values) <= 16 * np.spacing(scales)
    sums = signed_rank_sums(Differences(values=np.where(zero, 0.0, values), scales=np.where(zero, 0.0, scales)))
    return min(1.0, 2.0 * signed_rank_null(sums.ranks).tail(min(sums.plus, sums.minus))[0])


def tied_differences(rng: np.random.Generator, n: int) -> Differences:
    """Of rounded scores, of some rounded ones among others, of several scales, of zeros, with an infinite one."""
    kind = int(rng.integers(0, 5))
    d = rng.normal(0.3, 1.0, size=n)
    base = np.round(rng.normal(size=n), 1)
    if kind == 0:
        d = rng.integers(-4, 5, size=n) / 10
    elif kind == 1:
        d = np.round(d, int(rng.integers(0, 3)))
    elif kind == 2:
        d[: n // 3] = np.round(d[: n // 3], 1)
    elif kind == 3:
        d[rng.integers(0, n)] = 0.0
        d[rng.integers(0, n)] = rng.choice([0.0, np.inf, -np.inf])
    else:
        d, base = np.round(d, 1) * 10.0 ** rng.integers(-6, 7, size=n), np.zeros(n)
    return ordered_differences(bo.Scores(np.column_stack([base, base + d]), better="lower"), 0, 1)


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "tables", "largest"),
    [
        (0, 10, 12),
        (1, 2, 25),
        pytest.param(2, 250, 12, marks=pytest.mark.exhaustive),
        pytest.param(3, 90, 25, marks=pytest.mark.exhaustive),
        pytest.param(4, 10, 48, marks=pytest.mark.slow),
    ],
)
def test_the_inversion_beside_the_test_of_every_shift(seed: int, tables: int, largest: int) -> None:
    """With ties, few and many; of several rows at once as of each; as levels come."""
    rng = np.random.default_rng([20261122, seed])
    for _ in range(tables):
        n = int(rng.integers(2, largest + 1))
        rows = [tied_differences(rng, n) for _ in range(2)]
        together = RowDifferences(
            values=np.stack([row.values for row in rows]), scales=np.stack([row.scales for row in rows])
        )
        alphas = [float(rng.choice([0.01, 0.05, 0.1, 0.5])), 0.05 / float(rng.choice([3, 10, 45, 190]))]
        got = shifts_not_rejected(together, alphas)
        assert got == [[twin_hull(row, alpha) for alpha in alphas] for row in rows]


@pytest.mark.slow
def test_no_shift_is_left_out_that_could_be_accepted() -> None:
    """The bound by which places are passed over, beside their p-values; the normal law with few ties and more than 20
    differences."""
    rng = np.random.default_rng(20261123)
    for n in (5, 9, 16, 24, 33):
        for _ in range(4):
            places = Places.of(tied_differences(rng, n))
            for place in rng.permutation(len(places.shifts))[:25].tolist():
                p = places.pvalue(place)
                assert p >= 1.0 or places.sizes[place] <= places.rejected(p * (1 - 1e-9))


@pytest.mark.slow
def test_median_difference() -> None:
    """Order statistics by counting; 0 outside only if the sign test, ties split, gives p ≤ 1 − level."""
    rng = np.random.default_rng(6)
    for _ in range(200):
        table, digits = random_table(rng, 20, 2)
        d = sorted(Fraction(b - a, digits) for a, b in table)
        n, level = len(d), float(rng.choice([0.5, 0.8, 0.9, 0.95, 0.99]))
        tail = (1 - Fraction(level).limit_denominator(1000)) / 2
        below = list(itertools.accumulate(Fraction(math.comb(n, i), 2**n) for i in range(n + 1)))
        cut = max((c for c in range(n) if below[c] <= tail), default=0)
        s = as_scores(table, digits)
        got = bo.median_difference(s, 0, 1, confidence_level=level)
        slack = 1e-12 * max(1, max(abs(float(x)) for x in d))
        assert got.estimate == pytest.approx(float(median(d)), abs=slack)
        assert got.achieved_confidence == pytest.approx(max(0.0, float(1 - 2 * below[cut])), rel=1e-13, abs=1e-15)
        assert got.low == pytest.approx(float(d[cut]), abs=slack)
        assert got.high == pytest.approx(float(d[n - 1 - cut]), abs=slack)
        assert bool(got.cautions) == (below[0] > tail)
        if not got.cautions:
            rejected = bo.sign_test(s, 0, 1).pvalue <= float(2 * tail) * (1 + 1e-9)
            outside = got.low > 0 or got.high < 0
            assert outside <= rejected
            assert outside == rejected or 0 in d
        turned = bo.median_difference(s, 1, 0, confidence_level=level)
        assert (turned.estimate, turned.low, turned.high) == (-got.estimate, -got.high, -got.low)


def test_infinite_differences_are_the_largest() -> None:
    """One of 20 is infinite: 190 of 210 Walsh averages are finite; only equal infinities have no difference."""
    rng = np.random.default_rng(4)
    table = np.column_stack([rng.uniform(10, 20, 20), rng.uniform(2, 9, 20)])
    table[3, 0] = np.inf
    s = bo.Scores(table, better="lower")
    got = bo.hodges_lehmann(s, 1, 0)
    d = table[:, 0] - table[:, 1]
    averages = np.sort((d[:, None] / 2 + d[None, :] / 2)[np.triu_indices(20)])
    assert np.isfinite(averages).sum() == 190
    assert got.estimate == averages[104:106].mean()
    assert (got.low, got.high) == (averages[52], averages[-53])  # R: qsignrank(.025, 20) = 53; no two sizes tie
    turned = bo.hodges_lehmann(s, 0, 1)
    assert (turned.estimate, turned.low, turned.high) == (-got.estimate, -got.high, -got.low)
    table[4, 1] = np.inf  # one infinite difference to either side: their average counts on neither
    both = bo.hodges_lehmann(bo.Scores(table, better="lower"), 1, 0)
    assert math.isfinite(both.estimate)
    assert both.low < both.estimate < both.high
    table[5] = np.inf
    with pytest.raises(InfiniteScoreError, match=r"both scores of problem 'P6' are inf.*no difference"):
        bo.hodges_lehmann(bo.Scores(table, better="lower"), 1, 0)


@pytest.mark.slow
def test_interval_is_what_the_test_does_not_reject() -> None:
    """Without ties: 0 lies outside the open interval exactly where the two-sided exact p is at most 1 − level."""
    rng = np.random.default_rng(2)
    for _ in range(300):
        n = int(rng.integers(6, 15))
        d = rng.normal(0.4, 1, size=n)
        s = bo.Scores(np.column_stack([d, np.zeros(n)]), better="higher")
        got = bo.hodges_lehmann(s, 0, 1, confidence_level=0.9)
        outside = got.low > 0 or got.high < 0
        assert outside == (bo.wilcoxon(s, 0, 1).pvalue <= 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("listed", [1, 7, 100])
def test_walsh_selection(listed: int) -> None:
    """Counting and discarding gives the same bits as listing everything."""
    rng = np.random.default_rng(listed)
    for _ in range(60):
        n = int(rng.integers(1, 40))
        kind = int(rng.integers(0, 4))
        d = [
            rng.normal(size=n),
            rng.integers(-3, 4, size=n) / 10,
            rng.standard_cauchy(size=n) * 1e6,
            np.zeros(n) + rng.integers(0, 2, size=n) * 0.1,
        ][kind]
        halves = d / 2
        averages = np.sort([halves[i] + halves[j] for i in range(n) for j in range(i, n)])
        places = [*rng.integers(0, len(averages), size=6).tolist(), 0, len(averages) - 1]
        assert walsh_order_statistics(d, places, listed=listed) == [averages[p] for p in places]
        assert walsh_order_statistics(d, places) == [averages[p] for p in places]


@pytest.mark.slow
def test_hodges_lehmann_of_many() -> None:
    """3000 problems: 4.5 million Walsh averages, selected without listing them."""
    rng = np.random.default_rng(3)
    d = np.round(rng.normal(0.2, 1, size=3000), 2)
    got = bo.hodges_lehmann(bo.Scores(np.column_stack([d, np.zeros(3000)]), better="higher"), 0, 1)
    averages = np.sort((d[:, None] / 2 + d[None, :] / 2)[np.triu_indices(3000)])
    cut, _, _ = interval_cut(3000, 0.95)
    middle = len(averages) // 2
    assert got.estimate == 0.5 * averages[(len(averages) - 1) // 2] + 0.5 * averages[middle]
    assert (got.low, got.high) == (averages[cut], averages[-1 - cut])
    assert got.method == "normal"


@pytest.mark.slow
def test_contrast_estimation() -> None:
    rng = np.random.default_rng(4)
    for _ in range(150):
        table, digits = random_table(rng, 9, 6)
        k = len(table[0])
        z = [[median([Fraction(row[u] - row[v], digits) for row in table]) for v in range(k)] for u in range(k)]
        m = [sum(row, Fraction(0)) / k for row in z]
        s = as_scores(table, digits)
        got = bo.contrast_estimation(s)
        scale = max(1, s.scales.max())
        expected = [[float(m[u] - m[v]) for v in range(k)] for u in range(k)]
        np.testing.assert_allclose(got.estimates, expected, rtol=0, atol=1e-14 * scale)
        np.testing.assert_allclose(got.medians, [[float(x) for x in row] for row in z], rtol=0, atol=1e-14 * scale)
        assert (got.estimates == -got.estimates.T).all()
        order = rng.permutation(k)
        turned = bo.contrast_estimation(s.select(algorithms=order, problems=rng.permutation(len(table))))
        assert (turned.estimates == got.estimates[np.ix_(order, order)]).all()


def twin_signed_rank_sums(d: list[int]) -> tuple[Fraction, Fraction]:
    d = list(d)
    if d.count(0) % 2:
        d.remove(0)
    plus = minus = Fraction(0)
    for x in d:
        smaller, equal = sum(abs(y) < abs(x) for y in d), sum(abs(y) == abs(x) for y in d)
        mid = Fraction(2 * smaller + equal + 1, 2)
        plus += mid if x > 0 else mid / 2 if x == 0 else 0
        minus += mid if x < 0 else mid / 2 if x == 0 else 0
    return plus, minus


@pytest.mark.slow
def test_rank_biserial() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        table, digits = random_table(rng, 15, 2)
        plus, minus = twin_signed_rank_sums([b - a for a, b in table])
        got = bo.rank_biserial(as_scores(table, digits), 0, 1)
        assert got.statistic == (float((plus - minus) / (plus + minus)) if plus + minus else 0.0)
        assert -1 <= got.statistic <= 1


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_a12(better: str) -> None:
    rng = np.random.default_rng(6)
    for _ in range(80):
        n, r = int(rng.integers(1, 5)), int(rng.integers(2, 7))
        cells = rng.integers(0, 5, size=(n, 2, r)).astype(float)
        cells[rng.random(cells.shape) < 0.05] = math.inf if better == "lower" else -math.inf
        for i, j in itertools.product(range(n), range(2)):
            cells[i, j, int(rng.integers(1, r + 1)) :] = math.nan
        s = bo.Scores.from_cells(cells, ["a", "b"], [f"p{i}" for i in range(n)], better=better)
        got = bo.a12(s, "a", "b")
        for i in range(n):
            x, y = ([v for v in cells[i, j] if v == v] for j in range(2))
            wins = sum(2 * ((u < v) if better == "lower" else (u > v)) + (u == v) for u in x for v in y)
            assert got.per_problem[i] == wins / (2 * len(x) * len(y))
        assert got.estimate == pytest.approx(np.mean(got.per_problem), rel=1e-14)
        np.testing.assert_allclose(bo.a12(s, "b", "a").per_problem, 1 - got.per_problem, atol=1e-15)


def test_a12_of_single_scores() -> None:
    s = bo.Scores([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0], [-math.inf, 0.0]], better="lower")
    got = bo.a12(s, 0, 1)
    assert got.per_problem.tolist() == [1.0, 0.0, 0.5, 1.0]
    assert (got.estimate, got.runs) == (0.625, False)


@pytest.mark.slow
def test_kendall_w() -> None:
    rng = np.random.default_rng(7)
    for _ in range(200):
        table, digits = random_table(rng, 9, 6)
        n, k = len(table), len(table[0])
        ranks = [[Fraction(2 * sum(y < x for y in row) + row.count(x) + 1, 2) for x in row] for row in table]
        sums = [sum((r[j] for r in ranks), Fraction(0)) for j in range(k)]
        spread = 12 * sum((x - Fraction(n * (k + 1), 2)) ** 2 for x in sums)
        lost = sum(row.count(x) ** 3 - row.count(x) for row in table for x in set(row))
        s = as_scores(table, digits)
        assert bo.kendall_w(s).statistic == float(spread / (n * n * (k**3 - k)))
        largest = n * n * (k**3 - k) - n * lost
        assert bo.kendall_w(s, ties="corrected").statistic == (float(spread / largest) if largest else 0.0)
        assert bo.kendall_w(s).ties == sum(len(set(row)) < k for row in table)


def test_effects_refuse_infinity_and_bare_arrays() -> None:
    s = bo.Scores([[1.0, math.inf]], ["a", "b"], ["p"], better="lower")
    for call in (lambda: bo.contrast_estimation(s), lambda: bo.rank_biserial(s, 0, 1)):
        with pytest.raises(bo.BakeoffError, match="problem 'p', algorithm 'b' is inf"):
            call()
    assert bo.kendall_w(s).statistic == 1.0
    for function in (bo.contrast_estimation, bo.kendall_w):
        with pytest.raises(TypeError, match=r"bakeoff\.Scores"):
            function(np.ones((2, 2)))
    with pytest.raises(bo.BakeoffError, match="ties must be one of 'none', 'corrected'"):
        bo.kendall_w(s, ties="yes")
    with pytest.raises(bo.BakeoffError, match="too large to subtract"):
        bo.contrast_estimation(bo.Scores([[1.7e308, -1.7e308]], better="lower"))


def test_all_zero_effects() -> None:
    s = bo.Scores([[1.0, 1.0]] * 3, better="lower")
    assert bo.rank_biserial(s, 0, 1).statistic == 0.0
    got = bo.hodges_lehmann(s, 0, 1)
    assert (got.estimate, got.low, got.high) == (0.0, 0.0, 0.0)
    assert not math.copysign(1, got.estimate) < 0
    assert bo.kendall_w(s, ties="corrected").statistic == 0.0
    assert bo.contrast_estimation(s).estimates.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_where_every_shift_is_rejected_the_interval_is_the_least_rejected_one() -> None:
    """Walsh averages 1, 1.5, 2, 2.5, 3, 4, 4.75, …: p is largest from 3 to 4."""
    row = RowDifferences(values=np.array([[1.0, 2.0, 4.0, 8.5]]), scales=np.array([[1.0, 2.0, 4.0, 8.5]]))
    (((low, high),),) = shifts_not_rejected(row, [1.0])
    assert 3 <= low <= high <= 4
