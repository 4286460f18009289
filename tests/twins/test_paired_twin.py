"""Sign test, signed ranks and paired t beside slow twins: fractions, loops, and all 2^m signs.

Scores are drawn as whole numbers of tenths or thousandths, so that the twin sees the decimals exactly and the fast
code sees their binary neighbours: ties must be the same.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import bakeoff as bo
from bakeoff.nulls.signed_rank import signed_rank_null
from bakeoff.paired.differences import paired_differences

ZEROS = ("split", "pratt", "drop")
ALTERNATIVES = ("two-sided", "greater", "less")


def random_pairs(rng: np.random.Generator, largest_n: int) -> tuple[list[int], list[int], int]:
    """Two lists of whole numbers and what to divide them by; many ties and zeros, sometimes none."""
    n = int(rng.integers(1, largest_n + 1))
    spread = int(rng.choice([1, 2, 5, 20, 10_000]))
    digits = int(rng.choice([1, 10, 1000]))
    a, b = rng.integers(-spread, spread + 1, size=(2, n)).tolist()
    return a, b, digits


def as_scores(a: list[int], b: list[int], digits: int, better: str) -> bo.Scores:
    return bo.Scores([[x / digits, y / digits] for x, y in zip(a, b, strict=True)], ["a", "b"], better=better)


def twin_differences(a: list[int], b: list[int], better: str) -> list[int]:
    """Positive where a is better."""
    return [(x - y) if better == "higher" else (y - x) for x, y in zip(a, b, strict=True)]


def mid_rank(sizes: list[int], size: int) -> Fraction:
    return Fraction(sum(2 for s in sizes if s < size) + sum(1 for s in sizes if s == size) + 1, 2)


def twin_rank_sums(d: list[int], zeros: str) -> tuple[Fraction, Fraction, list[Fraction]]:
    """R+, R−, and the ranks of the non-zero differences."""
    if zeros == "split" and d.count(0) % 2 == 1:
        d = list(d)
        d.remove(0)
    if zeros == "drop":
        d = [x for x in d if x != 0]
    sizes = [abs(x) for x in d]
    ranks = [mid_rank(sizes, s) for s in sizes]
    plus = sum((r for r, x in zip(ranks, d, strict=True) if x > 0), Fraction(0))
    minus = sum((r for r, x in zip(ranks, d, strict=True) if x < 0), Fraction(0))
    if zeros == "split":
        half = sum((r for r, x in zip(ranks, d, strict=True) if x == 0), Fraction(0)) / 2
        plus, minus = plus + half, minus + half
    return plus, minus, [r for r, x in zip(ranks, d, strict=True) if x != 0]


def all_sums(ranks: list[Fraction]) -> np.ndarray:
    """Twice the rank sum of the positive signs, for all 2^m signs."""
    doubled = np.array([int(2 * r) for r in ranks], dtype=np.int64)
    signs = np.array(list(itertools.product((0, 1), repeat=len(ranks))), dtype=np.int64)
    return signs @ doubled


def twin_p(sums: np.ndarray, d: list[int], ranks: list[Fraction], alternative: str) -> Fraction:
    """Share of the sign patterns at least as extreme as the one observed, the zeros' share being constant."""
    observed = int(2 * sum((r for r, x in zip(ranks, [x for x in d if x != 0], strict=True) if x > 0), Fraction(0)))
    total = int(2 * sum(ranks, Fraction(0)))
    if alternative == "greater":
        hits = sums >= observed
    elif alternative == "less":
        hits = sums <= observed
    else:  # both sides of the symmetric null; at the centre every pattern is as extreme
        hits = np.abs(2 * sums - total) >= abs(2 * observed - total)
    return Fraction(int(hits.sum()), len(sums))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_signed_ranks_by_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(60):
        a, b, digits = random_pairs(rng, 9)
        better = str(rng.choice(["lower", "higher"]))
        s, d = as_scores(a, b, digits, better), twin_differences(a, b, better)
        for zeros in ZEROS:
            plus, minus, ranks = twin_rank_sums(d, zeros)
            sums = all_sums(ranks)
            for alternative in ALTERNATIVES:
                got = bo.wilcoxon(s, "a", "b", zeros=zeros, alternative=alternative)
                assert (got.r_plus, got.r_minus, got.statistic) == (plus, minus, min(plus, minus))
                p = twin_p(sums, d, ranks, alternative)
                assert got.pvalue == float(p), (d, zeros, alternative)
                assert got.log_pvalue == pytest.approx(math.log(p), rel=1e-14, abs=1e-15)
                assert got.n == (
                    len(d) if zeros == "pratt" else len(ranks) + (zeros == "split") * (d.count(0) // 2 * 2)
                )
                assert got.zeros == d.count(0)
                assert got.ties == sum(1 for x in d if x != 0 and sum(abs(x) == abs(y) for y in d) > 1)


def test_signed_ranks_by_enumeration_of_twelve() -> None:
    rng = np.random.default_rng(12)
    for _ in range(10):
        a, b = rng.integers(0, 15, size=(2, 12)).tolist()
        d = twin_differences(a, b, "lower")
        _, _, ranks = twin_rank_sums(d, "split")
        got = bo.wilcoxon(as_scores(a, b, 10, "lower"), "a", "b")
        assert got.pvalue == float(twin_p(all_sums(ranks), d, ranks, "two-sided"))


@pytest.mark.slow
def test_normal_approximation() -> None:
    """z = (R+ − R−)/sqrt(Σ r²), tails by mpmath."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        a, b, digits = random_pairs(rng, 40)
        s, d = as_scores(a, b, digits, "higher"), twin_differences(a, b, "higher")
        for zeros in ZEROS:
            plus, minus, ranks = twin_rank_sums(d, zeros)
            variance = sum((r * r for r in ranks), Fraction(0))
            got = bo.wilcoxon(s, "a", "b", zeros=zeros, method="normal")
            z = float(plus - minus) / math.sqrt(variance) if ranks else 0.0
            assert got.zstatistic == pytest.approx(z, rel=1e-14, abs=1e-15)
            p = 2 * mpmath.ncdf(-abs(z)) if ranks else mpmath.mpf(1)
            assert got.pvalue == pytest.approx(float(p), rel=1e-12)
            assert bo.wilcoxon(
                s, "a", "b", zeros=zeros, method="normal", alternative="greater"
            ).pvalue == pytest.approx(float(mpmath.ncdf(-z)) if ranks else 1.0, rel=1e-12)


def twin_ways(steps: list[int]) -> list[int]:
    """Whole numbers of subsets with each sum, by polynomial multiplication."""
    ways = [1]
    for step in steps:
        ways = [x + y for x, y in zip(ways + [0] * step, [0] * step + ways, strict=True)]
    return ways


@pytest.mark.parametrize("m", [1, 2, 7, 30, 64, 110])
def test_null_with_whole_numbers(m: int) -> None:
    """Every tail of ranks with ties, to a relative error of 1e-13 however small."""
    rng = np.random.default_rng(m)
    for tied in (False, True):
        doubled = np.sort(rng.integers(2, m + 2, size=m)) if tied else 2 * np.arange(1, m + 1)
        ways = twin_ways(doubled.tolist())
        below = list(itertools.accumulate(ways))
        null = signed_rank_null(rng.permutation(doubled))
        for w in {0, 1, len(ways) - 1, *rng.integers(0, len(ways), size=40).tolist()}:
            p, log_p = null.tail(w)
            exact = Fraction(below[w], 2**m)
            assert abs(Fraction(p) / exact - 1) < Fraction(1, 10**13)
            with mpmath.workdps(60):
                log_exact = mpmath.log(mpmath.mpf(below[w])) - m * mpmath.log(2)
            assert log_p == pytest.approx(float(log_exact), rel=1e-13)


@pytest.mark.slow
def test_null_of_many_ranks() -> None:
    """Where tails leave the range of floating point: P(W ≤ w) counts partitions into distinct parts."""
    distinct = twin_ways(list(range(1, 31)))  # sums up to 30 need ranks up to 30 only
    for n in (900, 1000, 1001, 1500):
        null = signed_rank_null(2 * np.arange(1, n + 1))
        for w in (0, 1, 10, 30):
            p, log_p = null.tail(2 * w)
            exact = Fraction(sum(distinct[: w + 1]), 2**n)
            assert log_p == pytest.approx(math.log(exact.numerator) - math.log(exact.denominator), rel=1e-14)
            assert p == pytest.approx(float(exact), rel=1e-13)


def test_null_is_whole_and_symmetric() -> None:
    rng = np.random.default_rng(0)
    for m in (1, 5, 40, 300):
        doubled = rng.integers(1, 4 * m + 1, size=m)
        null = signed_rank_null(doubled)
        total = int(doubled.sum())
        assert null.tail(-1) == (0.0, -math.inf)
        assert null.tail(total) == (1.0, 0.0)
        for w in rng.integers(0, total, size=20).tolist():
            assert null.tail(w)[0] + null.tail(total - w - 1)[0] == pytest.approx(1, rel=1e-12)


def test_largest_sum() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        doubled = rng.integers(1, 12, size=int(rng.integers(1, 12)))
        null, level = signed_rank_null(doubled), float(rng.uniform(0, 0.6))
        w = null.largest_sum(level)
        assert w < 0 or null.tail(w)[0] <= level
        assert null.tail(w + null.unit)[0] > level


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_sign_test_by_binomial_sums(alternative: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        a, b, digits = random_pairs(rng, 40)
        d = twin_differences(a, b, "lower")
        wins, losses, ties = sum(x > 0 for x in d), sum(x < 0 for x in d), d.count(0)
        n, w = wins + losses + ties // 2 * 2, wins + ties // 2
        weights = [Fraction(math.comb(n, i), 2**n) for i in range(n + 1)]
        upper, lower = sum(weights[w:]), sum(weights[: w + 1])
        p = {"greater": upper, "less": lower, "two-sided": min(Fraction(1), 2 * min(upper, lower))}[alternative]
        got = bo.sign_test(as_scores(a, b, digits, "lower"), "a", "b", alternative=alternative)
        assert (got.wins, got.losses, got.ties, got.statistic, got.n) == (wins, losses, ties, w, n)
        assert got.pvalue == (float(p) if wins + losses else 1.0)
        assert got.log_pvalue == pytest.approx(math.log(got.pvalue), rel=1e-13, abs=1e-15)
        z = (w - n / 2) / (math.sqrt(n) / 2) if n else 0.0
        normal = bo.sign_test(as_scores(a, b, digits, "lower"), "a", "b", alternative=alternative, method="normal")
        assert normal.zstatistic == pytest.approx(z, abs=1e-15)


def twin_t(d: list[Fraction]) -> tuple[mpmath.mpf, mpmath.mpf, mpmath.mpf]:
    """Mean, standard error and t of exact differences."""
    n = len(d)
    mean = sum(d, Fraction(0)) / n
    variance = sum(((x - mean) ** 2 for x in d), Fraction(0)) / (n - 1) / n
    error = mpmath.sqrt(mpmath.mpf(variance.numerator) / variance.denominator)
    centre = mpmath.mpf(mean.numerator) / mean.denominator
    return centre, error, centre / error if error else mpmath.mpf(0)


def twin_t_tail(t: mpmath.mpf, df: int) -> mpmath.mpf:
    """P(T ≥ |t|) by the incomplete beta function."""
    return mpmath.betainc(mpmath.mpf(df) / 2, 0.5, 0, df / (df + t * t), regularized=True) / 2


@pytest.mark.slow
@pytest.mark.parametrize("relative", [False, True])
def test_paired_t_with_fractions(relative: bool) -> None:
    rng = np.random.default_rng(7)
    for _ in range(120):
        n = int(rng.integers(2, 25))
        a, b = rng.integers(1, int(rng.choice([3, 10, 5000])), size=(2, n)).tolist()
        d = [Fraction(x - y, 10) if not relative else Fraction(2 * (x - y), x + y) for x, y in zip(a, b, strict=True)]
        s = as_scores(a, b, 10, "higher")
        got = bo.paired_t(s, "a", "b", relative=relative)
        if len(set(d)) == 1:
            assert abs(got.statistic) == (math.inf if d[0] else 0.0)
            assert got.pvalue == (0.0 if d[0] else 1.0)
            continue
        mean, error, t = twin_t(d)
        assert got.statistic == pytest.approx(float(t), rel=1e-12, abs=1e-13)
        assert got.estimate == pytest.approx(float(mean), rel=1e-12, abs=1e-13)
        tail = twin_t_tail(t, n - 1)
        assert got.pvalue == pytest.approx(float(2 * tail), rel=1e-10)
        assert got.log_pvalue == pytest.approx(float(mpmath.log(2 * tail)), rel=1e-10, abs=1e-11)
        greater = bo.paired_t(s, "a", "b", relative=relative, alternative="greater")
        assert greater.pvalue == pytest.approx(float(tail if t > 0 else 1 - tail), rel=1e-10)
        reach = (got.high - got.low) / 2 / float(error)  # the quantile: its tail must be 2.5 %
        assert float(twin_t_tail(mpmath.mpf(reach), n - 1)) == pytest.approx(0.025, rel=1e-9)


@pytest.mark.few(1)
@pytest.mark.parametrize("test", [bo.sign_test, bo.wilcoxon, bo.paired_t])
def test_bitwise_invariance(test) -> None:
    """Order of problems, order of columns, exchange of a and b, direction: nothing changes that should not."""
    rng = np.random.default_rng(11)
    for _ in range(60):
        n = int(rng.integers(1, 30))
        values = rng.integers(0, 60, size=(n, 3)) / 10
        s = bo.Scores(values, ["a", "b", "c"], better="lower")
        got = test(s, "a", "b")
        order = rng.permutation(n)
        assert test(bo.Scores(values[order][:, [2, 1, 0]], ["c", "b", "a"], better="lower"), "a", "b") == got
        assert test(bo.Scores(-values, ["a", "b", "c"], better="higher"), "a", "b") == got
        turned = test(s, "b", "a")
        assert (turned.pvalue, turned.log_pvalue) == (got.pvalue, got.log_pvalue)


def test_ties_on_decimals() -> None:
    """0.3 − 0.2, 0.2 − 0.1 and 0.8 − 0.7 are three different numbers in binary and one difference."""
    s = bo.Scores([[0.2, 0.3], [0.1, 0.2], [0.8, 0.7], [0.3, 0.1 + 0.2]], ["a", "b"], better="lower")
    got = bo.wilcoxon(s, "a", "b")
    assert (got.r_plus, got.r_minus, got.ties, got.zeros) == (4.0, 2.0, 3, 1)
    constant = bo.paired_t(bo.Scores([[0.2, 0.3], [0.1, 0.2], [0.7, 0.8]], ["a", "b"], better="lower"), "a", "b")
    assert (constant.statistic, constant.pvalue, constant.low, constant.high) == (math.inf, 1.0, -math.inf, math.inf)
    assert [c.code for c in constant.cautions] == ["no-variation"]
    assert bo.sign_test(s, "a", "b").ties == 0  # single scores are compared exactly


def test_zero_has_no_neighbours() -> None:
    """A tie between large scores does not swallow a small difference between small ones."""
    s = bo.Scores([[1e6, 1e6], [1e6, 1e6], [1e-9, 2e-9], [0.0, 5e-324]], ["a", "b"], better="lower")
    found = paired_differences(s, 0, 1, "test")
    assert found.values.tolist() == [0.0, 0.0, 1e-9, 5e-324]  # the smallest scores are exact
    got = bo.wilcoxon(s, "a", "b")
    assert (got.n, got.zeros, got.r_plus, got.r_minus) == (4, 2, 8.5, 1.5)
    t = bo.paired_t(bo.Scores([[1e6, 1e6], [1e-9, 2e-9]], better="lower"), 0, 1)
    assert t.statistic == pytest.approx(1.0)  # 0 and 1e-9 are no constant difference


def test_runs_tie_within_rounding() -> None:
    """The means of {0.1, 0.2} and {0.15, 0.15} differ in binary and are one number."""
    s = bo.Scores([[[0.1, 0.2], [0.15, 0.15]], [[1.0, 2.0], [3.0, 4.0]]], ["a", "b"], better="lower")
    got = bo.sign_test(s, "a", "b")
    assert (got.wins, got.losses, got.ties) == (1, 0, 1)


def test_infinite_runs() -> None:
    inf = math.inf
    cells = [[[inf, 1.0], [inf, inf]], [[1.0, 2.0], [inf, 3.0]], [[-inf, 2.0], [0.0, 0.0]]]
    got = bo.sign_test(bo.Scores(cells, better="lower"), 0, 1)
    assert (got.wins, got.losses, got.ties) == (2, 0, 1)


def test_infinite_scores() -> None:
    values = [[math.inf, math.inf], [1.0, math.inf], [-math.inf, 0.0], [2.0, 1.0], [-math.inf, -math.inf]]
    s = bo.Scores(values, ["a", "b"], ["p1", "p2", "p3", "p4", "p5"], better="lower")
    got = bo.sign_test(s, "a", "b")
    assert (got.wins, got.losses, got.ties) == (2, 1, 2)
    for test in (bo.wilcoxon, bo.paired_t):
        with pytest.raises(bo.BakeoffError, match=r"problem 'p1', algorithm 'a' is inf"):
            test(s, "a", "b")
    finite_elsewhere = bo.Scores([[1.0, 2.0, math.inf]], ["a", "b", "c"], better="lower")
    assert bo.wilcoxon(finite_elsewhere, "a", "b").r_plus == 1.0


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("method", ["exact", "normal"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_nothing_differs(zeros: str, method: str, alternative: str, n: int) -> None:
    s = bo.Scores([[0.3, 0.1 + 0.2]] * n, ["a", "b"], better="lower")
    for got in (
        bo.wilcoxon(s, "a", "b", zeros=zeros, method=method, alternative=alternative),
        bo.sign_test(bo.Scores([[1.0, 1.0]] * n, better="lower"), 0, 1, method=method, alternative=alternative),
        bo.paired_t(s, "a", "b", alternative=alternative),
    ):
        assert (got.pvalue, got.log_pvalue) == (1.0, 0.0)
        assert math.isfinite(got.statistic)


def test_one_problem() -> None:
    s = bo.Scores([[1.0, 2.0]], ["a", "b"], better="lower")
    assert bo.wilcoxon(s, "a", "b").pvalue == 1.0
    assert bo.wilcoxon(s, "a", "b", alternative="greater").pvalue == 0.5
    assert bo.sign_test(s, "a", "b", alternative="greater").pvalue == 0.5
    t = bo.paired_t(s, "a", "b")
    assert (t.statistic, t.pvalue, t.df, t.estimate, t.low, t.high) == (0.0, 1.0, 0, 1.0, -math.inf, math.inf)
    assert [c.code for c in t.cautions] == ["one-problem"]


def test_extreme_magnitudes() -> None:
    """Squares of 1e200 and of 1e-200 are out of range; the statistic has no unit."""
    base = np.array([[1.0, 2.0], [1.0, 4.0], [3.0, 2.0], [5.0, 9.0]])
    reference = bo.paired_t(bo.Scores(base, better="lower"), 0, 1)
    for scale in (2.0**660, 2.0**-660):
        got = bo.paired_t(bo.Scores(base * scale, better="lower"), 0, 1)
        assert (got.statistic, got.pvalue) == (reference.statistic, reference.pvalue)
        assert bo.paired_t(bo.Scores(base * scale, better="lower"), 0, 1, relative=True).pvalue > 0
    for test in (bo.wilcoxon, bo.paired_t, bo.hodges_lehmann):
        with pytest.raises(bo.BakeoffError, match="too large to subtract"):
            test(bo.Scores([[1.7e308, -1.7e308]], better="lower"), 0, 1)


def test_relative_differences() -> None:
    s = bo.Scores([[1.0, 3.0], [0.0, 0.0], [-1.0, -3.0]], ["a", "b"], ["p", "q", "r"], better="lower")
    got = bo.paired_t(s, "a", "b", relative=True)
    assert got.estimate == 0.0  # +1, 0, −1: the sign says who is better, also for negative scores
    with pytest.raises(bo.BakeoffError, match=r"a = −b.*problem 'q'"):
        bo.paired_t(
            bo.Scores([[1.0, 2.0], [0.3, -0.1 - 0.2]], problems=["p", "q"], better="lower"), 0, 1, relative=True
        )


@pytest.mark.parametrize(
    ("test", "options", "message"),
    [
        (bo.wilcoxon, {"zeros": "zsplit"}, "zeros must be one of 'split', 'pratt', 'drop'; got 'zsplit'"),
        (bo.wilcoxon, {"method": "approx"}, "method must be one of"),
        (bo.wilcoxon, {"alternative": "two_sided"}, "did you mean 'two-sided'"),
        (bo.sign_test, {"method": "auto"}, "method must be one of 'exact', 'normal'"),
        (bo.sign_test, {"alternative": "better"}, "alternative must be one of"),
        (bo.paired_t, {"confidence_level": 95}, "confidence_level must be a number strictly between 0 and 1"),
    ],
)
def test_refusals(test, options: dict, message: str) -> None:
    s = bo.Scores([[1.0, 2.0], [2.0, 5.0]], ["a", "b"], better="lower")
    with pytest.raises(bo.BakeoffError, match=message):
        test(s, "a", "b", **options)
    with pytest.raises(bo.BakeoffError, match="two different algorithms"):
        test(s, "a", 0)
    with pytest.raises(bo.BakeoffError, match="no algorithm is called 'A'"):
        test(s, "A", "b")
    with pytest.raises(TypeError, match=r"bakeoff\.Scores"):
        test([[1.0, 2.0]], 0, 1)


def test_exact_has_a_stated_limit() -> None:
    rng = np.random.default_rng(2)
    s = bo.Scores(rng.normal(size=(2001, 2)), better="lower")
    with pytest.raises(bo.BakeoffError, match=r"limited to 2000 non-zero differences; got 2001"):
        bo.wilcoxon(s, 0, 1, method="exact")
    assert bo.wilcoxon(s, 0, 1).method == "normal"
    assert bo.wilcoxon(s.select(problems=range(1000)), 0, 1).method == "exact"


def test_exact_and_normal_meet() -> None:
    rng = np.random.default_rng(4)
    s = bo.Scores(np.round(rng.normal(size=(900, 2)), 2), better="lower")
    exact, normal = bo.wilcoxon(s, 0, 1), bo.wilcoxon(s, 0, 1, method="normal")
    assert (exact.method, normal.method) == ("exact", "normal")
    assert exact.pvalue == pytest.approx(normal.pvalue, rel=2e-3)
