"""Inverted tails of signed-rank sums against those that are counted, one sum after another."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from bakeoff.nulls import signed_rank
from bakeoff.nulls.coin_sums import CoinSum
from bakeoff.nulls.signed_rank import signed_rank_null
from bakeoff.ranks import Ints

PARTS = (0.4999, 0.49, 0.46, 0.42, 0.35, 0.25, 0.12, 0.05, 0.02)


def doubled_ranks(n: int, kind: str, rng: np.random.Generator) -> Ints:
    """Ascending; few or many ties, zeros below, or ranks that share a factor."""
    if kind == "plain":
        return 2 * np.arange(1, n + 1)
    if kind == "one pair":  # all even but two: the characteristic function has a peak at π
        ranks = 2 * np.arange(1, n + 1)
        ranks[n // 2 : n // 2 + 2] = ranks[n // 2] + 1
        return ranks
    sizes = np.sort(rng.integers(1, {"few ties": 20 * n, "many ties": 40, "zeros": n}[kind], size=n))
    _, place, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    ranks = np.asarray(2 * np.cumsum(counts) - counts + 1, dtype=np.int64)[place]
    return ranks + 2 * (n // 5) if kind == "zeros" else ranks


@pytest.mark.few(3, 8)
@pytest.mark.parametrize("kind", ["plain", "one pair", "few ties", "many ties", "zeros"])
@pytest.mark.parametrize("n", [160, 251, 20, 60, 150, 400, 640, 797, 1000, 1200])
@pytest.mark.slow_cases("1200-zeros")
def test_tails_are_those_counted(n: int, kind: str) -> None:
    rng = np.random.default_rng([n, len(kind)])
    ranks = doubled_ranks(n, kind, rng)
    law, unit = signed_rank_null(ranks), int(np.gcd.reduce(ranks))
    counted, total = signed_rank._Counted.of(ranks // unit), int(ranks.sum()) // unit
    places = {int(total * part) for part in PARTS} | set(rng.integers(0, total, size=30).tolist()) | {0, 1, n, 5 * n}
    coins, inverted = CoinSum.of(ranks // unit), 0
    for w in places:
        lower = min(w, total - w - 1)
        p, log_p = counted.lower(lower)
        expected = (p, log_p) if lower == w else (1.0 - p, math.log1p(-p))
        found = law.tail(w * unit)
        assert found[0] == pytest.approx(expected[0], rel=1e-12, abs=0.0)
        assert found[1] == pytest.approx(expected[1], rel=1e-12, abs=1e-12)
        alone = coins.log_lower(lower)
        if alone is not None:  # at any size: what is bounded is right, what is not is refused
            inverted += 1
            assert alone == pytest.approx(log_p, rel=0.0, abs=2e-12)
    assert inverted > 10 or n < 400 or kind == "many ties"


@pytest.mark.slow
def test_the_whole_lower_half_of_one_distribution() -> None:
    ranks = doubled_ranks(170, "few ties", np.random.default_rng(3))
    law, counted = signed_rank_null(ranks), signed_rank._Counted.of(ranks)
    for w in range(0, int(ranks.sum()) // 2, 7):
        assert law.tail(w) == pytest.approx(counted.lower(w), rel=1e-12)


@pytest.mark.slow
def test_tails_below_every_float_keep_their_logarithm() -> None:
    """Beside whole numbers: 1100 ranks, all sums up to w counted exactly."""
    ranks = 2 * np.arange(1, 1101)
    for w in (3, 40, 3000):
        exact = Fraction(signed_rank._subsets(np.arange(1, 1101).tolist(), w), 2**1100)
        p, log_p = signed_rank_null(ranks).tail(2 * w)
        with mpmath.workdps(40):
            logarithm = mpmath.log(mpmath.mpf(exact.numerator)) - mpmath.log(mpmath.mpf(exact.denominator))
        assert p == pytest.approx(float(exact), rel=1e-9, abs=0.0)
        assert log_p == pytest.approx(float(logarithm), rel=1e-14)


@pytest.mark.slow
def test_the_inverted_integral_beside_mpmath() -> None:
    """P(T ≤ w) by the theorem, with 40 digits and another θ: where doubles are not exact to compare with."""
    ranks = doubled_ranks(300, "many ties", np.random.default_rng(5))
    steps = ranks // int(np.gcd.reduce(ranks))
    values, counts = np.unique(steps, return_counts=True)
    w = int(steps.sum() * 0.41)
    nodes = 1 << 17
    with mpmath.workdps(40):
        radius = mpmath.exp(mpmath.mpf(-3) / int(math.sqrt(float(np.sum(steps**2)))))
        found = mpmath.mpf(0)
        for k in range(200):  # the rest of the circle is below 1e-20 of it
            x = radius * mpmath.expjpi(mpmath.mpf(2 * k + 1) / nodes)
            product = mpmath.mpc(1)
            for value, count in zip(values.tolist(), counts.tolist(), strict=True):
                product *= ((1 + x**value) / 2) ** count
            found += 2 * (product / (x**w * (1 - x))).real / nodes
        logarithm = float(mpmath.log(found))
    assert CoinSum(values, counts).log_lower(w) == pytest.approx(logarithm, abs=1e-12)


def test_few_sizes() -> None:
    """Their characteristic function has peaks everywhere: all nodes are taken, or none."""
    assert CoinSum.of(np.repeat(np.array([1, 2]), 100)).log_lower(1) == pytest.approx(math.log(101 / 2.0**200))
    assert CoinSum.of(np.repeat(np.array([1, 2001]), 100)).log_lower(10_000) is None
    ranks = np.repeat(np.array([101, 301]), 100)
    p, log_p = signed_rank_null(ranks).tail(101)
    assert p == pytest.approx(101 / 2.0**200, rel=1e-14)
    assert log_p == pytest.approx(math.log(101) - 200 * math.log(2), rel=1e-14)
