"""Size of the omnibus tests when no two algorithms differ: the share of p ≤ α, within four standard errors.

Exact and sampled p-values must not exceed α, whatever the scores; the limit laws are held to what is known of them:
χ² is conservative for Friedman's statistic, F slightly liberal for Iman and Davenport's and for Quade's.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow

RUNS = 1500


def shares(test: Callable[..., object], draw: Callable[[np.random.Generator], np.ndarray], seed: int, **options):
    """{α: share of p ≤ α} over independent tables."""
    rng = np.random.default_rng(seed)
    p = np.array([test(bo.Scores(draw(rng), better="lower"), **options).pvalue for _ in range(RUNS)])
    return {alpha: float((p <= alpha).mean()) for alpha in (0.01, 0.05, 0.1)}


def check(found, slack=0.0, floor=None):
    for alpha, share in found.items():
        band = 4 * math.sqrt(alpha * (1 - alpha) / RUNS)
        assert share <= alpha * (1 + slack) + band, f"α = {alpha}: {share:.4f} > {alpha * (1 + slack):.4f} + {band:.4f}"
        if floor is not None:
            assert share >= alpha * floor - band, f"α = {alpha}: {share:.4f} < {alpha * floor:.4f} − {band:.4f}"


def normal(n, k):
    return lambda rng: rng.normal(size=(n, k)) + rng.normal(size=(n, 1))


def skewed(n, k):
    """Scales differ by orders of magnitude between problems."""
    return lambda rng: rng.exponential(size=(n, k)) * 10.0 ** rng.integers(-3, 4, size=(n, 1))


def tied(n, k):
    return lambda rng: rng.integers(0, 3, size=(n, k)).astype(float)


EXACT = {bo.friedman: (6, 4), bo.aligned_friedman: (5, 3), bo.quade: (6, 3)}


@pytest.mark.few(1)
@pytest.mark.parametrize("law", [normal, skewed, tied])
@pytest.mark.parametrize("test", EXACT)
def test_exact_pvalues_keep_their_level(test, law):
    check(shares(test, law(*EXACT[test]), seed=1, method="exact"), floor=None if law is tied else 0.5)


@pytest.mark.few(2)
@pytest.mark.parametrize("law", [skewed, tied])
@pytest.mark.parametrize("test", EXACT)
def test_sampled_pvalues_keep_their_level(test, law):
    check(shares(test, law(9, 4), seed=2, method="permutation", n_resamples=99, rng=np.random.default_rng(3)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("ties", ["none", "corrected"])
@pytest.mark.parametrize("law", [normal, skewed, tied])
def test_limit_laws(law, ties):
    """n = 20, k = 6. Without their correction for ties the statistics are too small, so only the ceiling holds."""
    lowest = None if law is tied and ties == "none" else 0.7
    check(shares(bo.friedman, law(20, 6), seed=4, ties=ties))
    check(shares(bo.iman_davenport, law(20, 6), seed=5, ties=ties), slack=0.15, floor=lowest)
    check(shares(bo.aligned_friedman, law(20, 6), seed=6, ties=ties))
    check(shares(bo.quade, law(20, 6), seed=7, ties=ties), slack=0.25, floor=lowest)


def test_anova_of_normal_scores():
    check(shares(bo.anova, normal(12, 5), seed=8), floor=0.9)


@pytest.mark.exhaustive
def test_the_tests_find_differences():
    """Power, roughly: one algorithm a standard deviation worse is found nearly always with 30 problems."""
    for test in (bo.friedman, bo.iman_davenport, bo.aligned_friedman, bo.quade, bo.anova):
        found = shares(test, lambda rng: rng.normal(size=(30, 5)) + np.array([0, 0, 0, 0, 1.2]), seed=9)
        assert found[0.05] > 0.9
