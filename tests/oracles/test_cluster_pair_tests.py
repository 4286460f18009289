"""Sign flips of clusters and the cluster-robust t: twelve differences in four clusters, counted by hand."""

from __future__ import annotations

import itertools
import math
import re
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats

import bakeoff as bo
from bakeoff.errors import ParameterError, ScoreError, TooLargeError

D = [3, 2, 4, 1, -1, 2, 5, 4, 6, 0, 1, -2]
CLUSTERS = list("AAABBBCCCDDD")


def table(d: list[float], clusters: list[str] | None = None, better: str = "higher") -> bo.Scores:
    sign = 1 if better == "higher" else -1
    return bo.Scores([[sign * x, 0.0] for x in d], ["a", "b"], better=better, clusters=clusters)  # type: ignore[arg-type]


def test_flips_by_enumeration() -> None:
    """42 of 2048 sign vectors without clusters; with them 4 of 16 (sums 9, 2, 15, −1): with 9 and 15, ±2 ∓ 1 ≥ 1."""
    alone, whole = bo.sign_flip(table(D), 0, 1), bo.sign_flip(table(D, CLUSTERS), 0, 1)
    assert (alone.pvalue, alone.statistic, alone.n, alone.zeros, alone.n_clusters) == (0.0205078125, 25.0, 11, 1, None)
    assert (whole.pvalue, whole.statistic, whole.n, whole.zeros, whole.n_clusters) == (0.25, 25.0, 4, 0, 4)
    assert math.isclose(whole.log_pvalue, math.log(0.25), rel_tol=1e-15)
    assert [c.name for c in whole.cautions] == ["out-of-reach (differences)"]
    assert "4 non-zero cluster sums" in whole.cautions[0].text
    assert (alone.method, whole.method, alone.n_problems, whole.n_problems) == ("exact", "exact", 12, 12)
    assert bo.sign_flip(D, [0] * 12, better="higher").pvalue == 0.0205078125
    assert bo.sign_flip(table(D, CLUSTERS), 0, 1, "greater").pvalue == 2 / 16
    assert bo.sign_flip(table(D, CLUSTERS), 0, 1, "less").pvalue == 15 / 16


def test_cluster_robust_t_in_fractions() -> None:
    """Residual sums 11/4, −17/4, 35/4, −29/4: V = 4/3 · 154.75/144. The same as statsmodels' OLS on a constant with
    ``cov_type="cluster"``: its further factor (n − 1)/(n − k) is 1 for k = 1."""
    found = bo.cluster_t(table(D, CLUSTERS), 0, 1)
    squares = sum(Fraction(x, 4) ** 2 for x in (11, -17, 35, -29))
    assert squares == Fraction("154.75")
    assert found.standard_error == pytest.approx(math.sqrt(Fraction(4, 3) * squares / 144), rel=1e-14)
    assert found.standard_error == pytest.approx(1.1970256348, abs=1e-9)
    assert found.statistic == pytest.approx(1.7404249941, abs=1e-9)
    x = found.statistic / math.sqrt(3)
    assert found.pvalue == pytest.approx(1 - 2 / math.pi * (math.atan(x) + x / (1 + x * x)), rel=1e-12)  # t of 3 df
    assert found.pvalue == pytest.approx(0.1801585536, abs=1e-10)  # mpmath, 30 digits
    assert (found.df, found.n_clusters, found.n_problems, found.zeros) == (3, 4, 12, 1)
    assert found.estimate == pytest.approx(25 / 12, rel=1e-15)
    assert [c.code for c in found.cautions] == []
    reach = 3.182446305284263 * found.standard_error  # R: qt(.975, 3)
    assert found.interval == pytest.approx((25 / 12 - reach, 25 / 12 + reach), rel=1e-9)
    assert bo.cluster_t(table(D), 0, 1).pvalue == pytest.approx(0.0127280352, abs=1e-9)


@pytest.mark.slow
@pytest.mark.needs("statsmodels")
def test_statsmodels_has_the_same_numbers() -> None:
    """Clusters of one size: OLS on a constant, cov_type="cluster", use_t."""
    import statsmodels.api as statsmodels

    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(8), 5)
    d = rng.normal(size=40) + rng.normal(size=8)[labels]
    fit = statsmodels.OLS(d, np.ones(40)).fit(cov_type="cluster", cov_kwds={"groups": labels}, use_t=True)
    found = bo.cluster_t(table(d.tolist(), [f"c{i}" for i in labels]), 0, 1)
    assert found.standard_error == pytest.approx(fit.bse[0], rel=1e-12)
    assert found.pvalue == pytest.approx(fit.pvalues[0], rel=1e-9)


def test_clusters_of_unequal_size_by_leaving_one_out() -> None:
    """Sizes 2, 3, 7 and 4, constant in each: means 4/2, −3/3, 7/7, 8/4; without one cluster 12/14, 19/13, 9/9, 8/12."""
    d = [2.0] * 2 + [-1.0] * 3 + [1.0] * 7 + [2.0] * 4
    found = bo.cluster_t(table(d, list("AABBBCCCCCCCDDDD")), 0, 1)
    mean = Fraction(16, 16)
    left = [Fraction(12, 14), Fraction(19, 13), Fraction(9, 9), Fraction(8, 12)]
    assert found.estimate == float(mean)
    assert found.standard_error == pytest.approx(math.sqrt(Fraction(3, 4) * sum((x - mean) ** 2 for x in left)))
    assert found.df == pytest.approx(16**2 / (4 + 9 + 49 + 16) - 1)
    t = found.statistic
    assert found.pvalue == pytest.approx(2 * scipy.stats.t.sf(t, found.df), rel=1e-9)  # largest share 7/16 < 2/4


def test_where_one_cluster_dominates_the_flips_must_agree() -> None:
    """One cluster of 60 and 44 of 2 with a difference in the large one alone: t is small, and the flips say no."""
    d = [0.5] * 60 + [0.1, -0.1] * 44
    found = bo.cluster_t(table(d, ["big"] * 60 + [f"c{i // 2}" for i in range(88)]), 0, 1)
    assert found.pvalue > 0.99  # the one sum that is not 0 keeps its sign, or turns it
    assert found.interval[0] < 0 < found.interval[1]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_without_clusters_it_is_the_paired_t(alternative: str) -> None:
    rng = np.random.default_rng(1)
    for n in (1, 2, 9):
        scores = table(rng.normal(size=n).tolist())
        one, other = (f(scores, 0, 1, alternative=alternative) for f in (bo.cluster_t, bo.paired_t))
        assert (one.statistic, one.pvalue, one.low, one.high, one.df) == (
            other.statistic,
            other.pvalue,
            other.low,
            other.high,
            other.df,
        )


def test_clusters_of_one_size_are_the_paired_t_of_their_means() -> None:
    rng = np.random.default_rng(2)
    scores = table(rng.normal(size=20).tolist(), [f"c{i // 4}" for i in range(20)])
    one, other = bo.cluster_t(scores, 0, 1), bo.paired_t(scores, 0, 1)
    assert one.statistic == pytest.approx(other.statistic, rel=1e-12)
    assert one.df == other.df == 4
    assert one.n_problems == 20
    assert other.n_problems == 5


@pytest.mark.parametrize("name", ["sign_flip", "cluster_t"])
def test_neither_order_nor_labels_nor_direction_matter(name: str) -> None:
    test, rng = getattr(bo, name), np.random.default_rng(4)
    d = np.round(rng.normal(size=15), 1)
    labels = rng.integers(0, 5, size=15)
    wanted = test(table(d.tolist(), [f"c{i}" for i in labels]), 0, 1)
    order = rng.permutation(15)
    other = test(table(d[order].tolist(), [f"x{9 - i}" for i in labels[order]], "lower"), 0, 1)
    assert other.pvalue == pytest.approx(wanted.pvalue, rel=1e-12)
    assert test(table(d.tolist(), [f"c{i}" for i in labels]), 1, 0).pvalue == pytest.approx(wanted.pvalue, rel=1e-12)


def test_few_clusters_of_unequal_size_are_reported() -> None:
    scores = table(D, list("AAAAAAABBCCD"))
    (caution,) = bo.cluster_t(scores, 0, 1).cautions
    assert (caution.code, caution.severity) == ("unequal", "stop")
    assert "The 4 clusters have 1 to 7 problems" in caution.text
    assert "worth only 2.5 of equal size" in caution.text
    assert not bo.cluster_t(table(D, CLUSTERS), 0, 1).cautions


@pytest.mark.parametrize("name", ["sign_flip", "cluster_t"])
def test_one_cluster_is_refused(name: str) -> None:
    with pytest.raises(ScoreError, match="scores has one cluster only, 'A'"):
        getattr(bo, name)(table([1, 2, 3], ["A"] * 3), 0, 1)


def test_equal_and_vanishing_cluster_means() -> None:
    """Rounding neither makes a sum of 0.1 + 0.2 − 0.3 nor lets equal means differ."""
    none = table([0.1, 0.2, -0.3, 0.1, 0.2, -0.3], list("AAABBB"))
    assert (bo.sign_flip(none, 0, 1).pvalue, bo.sign_flip(none, 0, 1).n) == (1.0, 0)
    equal = bo.cluster_t(table([0.1, 0.3, 0.2, 0.2, 0.4, 0.0], list("AABBCC")), 0, 1)
    assert (equal.standard_error, equal.pvalue, equal.interval) == (0.0, 1.0, (-math.inf, math.inf))
    assert [c.code for c in equal.cautions] == ["no-variation"]
    assert "All 3 cluster means are equal, so nothing shows how they vary" in equal.cautions[0].text


def test_a_sampled_law_says_so_and_the_seed_repeats_it() -> None:
    d = np.random.default_rng(5).normal(size=45).tolist()  # too many of too many digits
    found = bo.sign_flip(table(d), 0, 1, rng=7)
    assert (found.method, found.n_resamples, [c.code for c in found.cautions]) == ("permutation", 9999, ["sampled"])
    said = r"the exact one is between (\S+) and (\S+)\. It cannot fall below 0\.0001;"
    ((low, high),) = re.findall(said, found.cautions[0].text)
    exact = scipy.stats.binomtest(round(10_000 * found.pvalue) - 1, 9999).proportion_ci(0.99)
    assert (float(low), float(high)) == pytest.approx((exact.low, exact.high), rel=0.005)
    assert found == bo.sign_flip(table(d), 0, 1, rng=np.random.default_rng(7))
    assert found == bo.sign_flip(table(d[::-1]), 0, 1, rng=7)
    with pytest.raises(TooLargeError, match='method="exact" is out of reach for 45 non-zero values: it takes up to 40'):
        bo.sign_flip(table(d), 0, 1, method="exact")
    with pytest.raises(ParameterError, match="n_resamples must be"):
        bo.sign_flip(table(d), 0, 1, n_resamples=0)
    few = bo.sign_flip(table(D), 0, 1, method="permutation", n_resamples=20_000)
    assert abs(few.pvalue - 0.0205078125) < 4 * math.sqrt(0.0205 * 0.98 / 20_000)


def test_many_differences_of_few_decimals_are_exact() -> None:
    """All of 300 differences ±1: the binomial law of the sign test."""
    d = [0.1] * 180 + [-0.1] * 120
    found = bo.sign_flip(table(d), 0, 1)
    assert found.method == "exact"
    assert found.pvalue == pytest.approx(bo.sign_test(table(d), 0, 1).pvalue, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_twin_of_all_signs(seed: int) -> None:
    """Every sign vector in fractions; the fast code sees decimals as binary floats, the twin as they are written."""
    rng = np.random.default_rng([11, seed])
    n = int(rng.integers(2, 15))
    whole = rng.integers(-12, 13, size=n).tolist()
    labels = [f"c{i}" for i in rng.integers(0, max(2, n // 2), size=n)]
    clusters = labels if seed % 2 and len(set(labels)) > 1 else None
    base = rng.integers(0, 100, size=n).tolist()
    rows = [[(b + w) / 10, b / 10] for b, w in zip(base, whole, strict=True)]
    scores = bo.Scores(rows, ["a", "b"], better="higher", clusters=clusters)
    names = clusters or [str(i) for i in range(n)]
    sums = [sum(w for w, c in zip(whole, names, strict=True) if c == name) for name in dict.fromkeys(names)]
    flipped = [
        sum(s * v for s, v in zip(signs, sums, strict=True)) for signs in itertools.product((1, -1), repeat=len(sums))
    ]
    t = sum(sums)
    for alternative, extreme in {
        "two-sided": [abs(x) >= abs(t) for x in flipped],
        "greater": [x >= t for x in flipped],
        "less": [x <= t for x in flipped],
    }.items():
        wanted = Fraction(sum(extreme), len(extreme))
        assert bo.sign_flip(scores, 0, 1, alternative=alternative).pvalue == pytest.approx(float(wanted), rel=1e-13)  # type: ignore[call-overload]
