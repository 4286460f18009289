"""The Bayesian sign test beside finite sums of exact fractions (whole prior) or mpmath (any prior), and every bound."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes._sign_test import beyond_rope
from bakeoff.wings.bayes.dirichlet.shares import above_half, heaviside_interval, largest_shares
from heaviside import heaviside_cdf

Triple = tuple[float, float, float]


def twin_above_half(g: int, l: int) -> Fraction:  # noqa: E741
    """P(Beta(g, l) > 1/2) = P(Bin(g + l − 1, 1/2) < g)."""
    if g == l:
        return Fraction(1, 2)
    if g == 0 or l == 0:
        return Fraction(int(l == 0))
    return Fraction(sum(math.comb(g + l - 1, i) for i in range(g)), 2 ** (g + l - 1))


def twin_is_largest(a: int, b: int, c: int) -> Fraction:
    """∫ f_a (1 − S_b)(1 − S_c) dx with S_b(x) = e^−x Σ_{i<b} x^i/i!: sums of ∫ x^m e^(−jx) dx = m!/j^(m+1)."""
    if a == 0:
        return Fraction(0)
    whole = Fraction(1)
    for other in (b, c):
        whole -= sum((Fraction(math.comb(a - 1 + i, i), 2 ** (a + i)) for i in range(other)), Fraction(0))
    for i in range(b):
        for j in range(c):
            ways = math.factorial(a - 1 + i + j) // (math.factorial(a - 1) * math.factorial(i))
            whole += Fraction(ways, math.factorial(j) * 3 ** (a + i + j))
    return whole


def twin_a_whole(a: int, b: int, c: float) -> mpmath.mpf:
    """The same for whole a and b and any c: S_b is a sum, and ∫ x^(m−1) e^(−2x) P(c, x) dx holds I_{1/3}(c, m)."""
    if a == 0:
        return mpmath.mpf(0)
    beats_c = mpmath.betainc(c, a, 0, mpmath.mpf(1) / 2, regularized=True)
    lost = mpmath.mpf(0)
    for i in range(b):
        third = mpmath.betainc(c, a + i, 0, mpmath.mpf(1) / 3, regularized=True)
        lost += mpmath.mpf(math.comb(a - 1 + i, i)) / mpmath.mpf(2) ** (a + i) * third
    return beats_c - lost


def twin_cdf(x: float, g: float, t: float, l: int) -> mpmath.mpf:  # noqa: E741
    """P(θ_g + θ_t/2 ≤ x), x ≤ 1/2, l whole: (1 − x)G_g + (½ − x)G_t ≤ x G_l, and P(G_l ≥ y) = Σ_{k<l} e^−y y^k/k!;

    E e^−(αG + βH) (αG + βH)^k/k! is a convolution of negative binomial terms.
    """
    x = mpmath.mpf(x)
    alpha, beta = (1 - x) / x, (mpmath.mpf(1) / 2 - x) / x
    first = [mpmath.rf(g, i) / mpmath.factorial(i) * alpha**i / (1 + alpha) ** (g + i) for i in range(l)]
    second = [mpmath.rf(t, i) / mpmath.factorial(i) * beta**i / (1 + beta) ** (t + i) for i in range(l)]
    return mpmath.fsum(first[i] * second[k - i] for k in range(l) for i in range(k + 1))


def random_counts(rng: np.random.Generator, largest: int) -> tuple[int, int, int]:
    while True:
        g, t, l = (int(rng.integers(0, rng.choice([2, 5, largest]) + 1)) for _ in range(3))  # noqa: E741
        if g + t + l:
            return g, t, l


@pytest.mark.slow
def test_theorem_2_by_fractions() -> None:
    rng = np.random.default_rng(1)
    for _ in range(500):
        g, _, l = random_counts(rng, int(rng.choice([10, 100, 1000])))  # noqa: E741
        exact = twin_above_half(g, l)
        assert above_half(g, l) == pytest.approx(float(exact), rel=1e-12)
        assert above_half(l, g) == pytest.approx(float(1 - exact), rel=1e-12)


@pytest.mark.slow
def test_largest_share_by_fractions() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        g, t, l = random_counts(rng, 25)  # noqa: E741
        exact = [float(twin_is_largest(g, t, l)), float(twin_is_largest(t, g, l)), float(twin_is_largest(l, g, t))]
        assert largest_shares(g, t, l) == pytest.approx(exact, rel=1e-12), (g, t, l)
        assert sum(largest_shares(g, t, l)) == pytest.approx(1, abs=1e-15)
        assert largest_shares(l, t, g) == largest_shares(g, t, l)[::-1]


@pytest.mark.parametrize("strength", [1e-300, 1e-6, 0.25, 0.5, 1.5, 7.3])
def test_largest_share_with_any_prior(strength: float) -> None:
    rng = np.random.default_rng(3)
    with mpmath.workdps(40):
        for _ in range(12):
            g, t, l = random_counts(rng, 20)  # noqa: E741
            if g + l == 0:
                continue
            exact = [twin_a_whole(g, l, t + strength), mpmath.mpf(0), twin_a_whole(l, g, t + strength)]
            exact[1] = 1 - exact[0] - exact[2]
            found = largest_shares(g, t + strength, l)
            assert found == pytest.approx([float(x) for x in exact], rel=1e-11), (g, t, l)
            assert found == pytest.approx([float(x) for x in exact], abs=1e-13), (g, t, l)


@pytest.mark.slow
@pytest.mark.parametrize("strength", [1e-6, 0.25, 1.0, 7.3])
def test_law_of_the_heaviside_mean(strength: float) -> None:
    rng = np.random.default_rng(4)
    with mpmath.workdps(40):
        for _ in range(12):
            g, t, l = random_counts(rng, 15)  # noqa: E741
            if g == 0 or l == 0:
                continue
            for x in rng.uniform(0.001, 0.5, 3).tolist():
                exact = float(twin_cdf(x, g, t + strength, l))
                assert heaviside_cdf(x, g, t + strength, l) == pytest.approx(exact, rel=1e-11, abs=1e-13)
                exact = float(1 - twin_cdf(x, l, t + strength, g))
                assert heaviside_cdf(1 - x, g, t + strength, l) == pytest.approx(exact, rel=1e-11, abs=1e-13)


@pytest.mark.few(1)
@pytest.mark.parametrize("gamma", [0.05, 0.5, 1e-6])
def test_interval_inverts_its_law(gamma: float) -> None:
    """The ends are where the twin's law takes γ/2 and 1 − γ/2, to 1e-10 of the scale."""
    rng = np.random.default_rng(5)
    with mpmath.workdps(40):
        for _ in range(10):
            g, t, l = (1 + c for c in random_counts(rng, 15))  # noqa: E741
            s = float(rng.choice([0.0, 0.3, 1.0]))
            ends = heaviside_interval(g, t + s, l, gamma)
            for end, p in zip(ends, (gamma / 2, 1 - gamma / 2), strict=True):
                mirrored = end > 0.5
                x, counts, goal = (1 - end, (l, t + s, g), 1 - p) if mirrored else (end, (g, t + s, l), p)
                step = 1e-10 * x
                assert twin_cdf(x - step, *counts) < goal < twin_cdf(x + step, *counts)


@pytest.mark.slow
def test_one_half_is_outside_both_intervals_or_none() -> None:
    """Section 5.1.2 and Theorem 2: E[H] > 1/2 iff θ_g/(1 − θ_t) > 1/2, so that the two tests are the same."""
    rng = np.random.default_rng(6)
    seen = set()
    for _ in range(150):
        g, t, l = random_counts(rng, 40)  # noqa: E741
        if g + l == 0:
            continue
        gamma = float(rng.choice([0.05, 0.2]))
        rows = [[0, 1]] * g + [[1, 1]] * t + [[1, 0]] * l
        result = bo.bayes.sign_test(bo.Scores(rows, better="lower"), 0, 1, gamma=gamma)
        decided = min(result.p_better, result.p_worse) < gamma / 2
        assert result.interval_decided is not None
        for low, high in (result.interval, result.interval_decided):
            assert (not low <= 0.5 <= high) == decided
        seen.add(decided)
    assert seen == {True, False}


@pytest.mark.slow
def test_rope_counts_by_decimals() -> None:
    """Scores in tenths or thousandths: the twin compares whole numbers, the code their binary neighbours."""
    rng = np.random.default_rng(7)
    for _ in range(500):
        digits, n = int(rng.choice([1, 10, 1000])), int(rng.integers(1, 12))
        a, b = rng.integers(-20, 21, size=(2, n)).tolist()
        r = int(rng.integers(1, 12))
        better = str(rng.choice(["lower", "higher"]))
        scores = bo.Scores([[x / digits, y / digits] for x, y in zip(a, b, strict=True)], better=better)
        d = [(x - y) if better == "higher" else (y - x) for x, y in zip(a, b, strict=True)]
        expected = [1 if x > r else -1 if x < -r else 0 for x in d]
        assert beyond_rope(scores, 0, 1, r / digits).tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("rope", [0.0, 0.5])
def test_bounds_hold_for_every_prior(rope: float) -> None:
    """Section 7: no way of spreading the prior's mass over the three shares leaves the bounds."""
    rng = np.random.default_rng(8)
    for _ in range(30):
        g, t, l = random_counts(rng, 12)  # noqa: E741
        s = float(rng.choice([0.2, 1.0, 3.0]))
        rows = [[0, 1]] * g + [[1.037, 1.037]] * t + [[1, 0]] * l  # on no grid
        scores = bo.Scores(rows, better="lower")
        result = bo.bayes.sign_test(scores, 0, 1, s, rope, prior="ignorance")
        bounds = (result.p_better_bounds, result.p_equivalent_bounds, result.p_worse_bounds)
        for share in [*rng.dirichlet([0.4] * 3, 8).tolist(), [0, 1, 0]]:
            spread = (g + s * share[0], t + s * share[1], l + s * share[2])
            p = (
                largest_shares(*spread)
                if rope
                else (above_half(spread[0], spread[2]), 0, above_half(spread[2], spread[0]))
            )
            for x, pair in zip(p, bounds, strict=True):
                assert pair is not None
                assert pair[0] - 1e-12 <= x <= pair[1] + 1e-12
