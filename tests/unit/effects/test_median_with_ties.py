"""The interval of the median holds it whatever the ties: it is the order statistics, both of them inside."""

import numpy as np
import pytest
from scipy.stats import binom

import bakeoff as bo
from bakeoff.effects._median_difference import median_cut


def tied(rng: np.random.Generator, n: int) -> np.ndarray:
    """More wins than losses, and yet a median of 0: P(+) = .49, P(0) = .19, P(−) = .32."""
    u, size = rng.random(n), rng.exponential(1, n)
    return np.where(u < 0.49, size, np.where(u < 0.68, 0, -size))


@pytest.mark.slow
def test_a_median_of_0_is_held_though_the_sign_test_rejects() -> None:
    """0 was pushed out of the interval wherever the sign test rejected: it held in 34 % of such tables."""
    rng, held, rejected = np.random.default_rng(1), 0, 0
    for _ in range(200):
        d = tied(rng, 200)
        found = bo.median_difference(d, 0 * d, better="higher")
        held += found.low <= 0 <= found.high
        rejected += bo.sign_test(d, 0 * d, better="higher").pvalue <= 0.05
    assert rejected > 100
    assert held >= 190


@pytest.mark.slow
def test_beside_signs_in_compare() -> None:
    rng = np.random.default_rng(2)
    intervals = []
    for _ in range(50):
        d = tied(rng, 100)
        intervals.append(bo.compare(bo.Scores(np.c_[d, 0 * d], better="higher"), pairwise="sign").pairs[0].interval)
    assert sum(one is not None and one.low <= 0 <= one.high for one in intervals) >= 47


def test_its_ends_are_differences() -> None:
    d = np.r_[np.zeros(6), np.arange(1.0, 15.0)]
    found = bo.median_difference(d, 0 * d, better="higher")
    assert (found.low, found.high) == (0.0, 9.0)


@pytest.mark.parametrize("n", [1, 5, 6, 7, 15, 100, 1000])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_how_many_differences_lie_beyond_either_end(n: int, level: float) -> None:
    """The most k with P(Bin(n, 1/2) ≤ k) ≤ (1 − level)/2, or none; the confidence is one less twice that."""
    tails = binom.cdf(np.arange(n), n, 0.5)
    within = np.flatnonzero(tails <= (1 - level) / 2 * (1 + 1e-12))
    cut = int(within[-1]) if len(within) else 0
    assert median_cut(n, level) == (cut, pytest.approx(max(0.0, 1 - 2 * tails[cut]), rel=1e-12))
