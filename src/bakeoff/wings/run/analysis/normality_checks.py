"""Checks of normality of the differences and of their mean; for inspection, never for choosing another test.

Campelo & Takahashi (2019), section 4.3: a normal QQ plot of the differences with Shapiro–Wilk, and the QQ plot of
bootstrapped means (their Algorithm 3), which is not tested, since the number of resamples would decide the outcome.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from bakeoff.paired.shapiro_wilk import ShapiroWilk, shapiro_wilk
from bakeoff.randomness import generator
from bakeoff.scores import Array, read_only

RESAMPLES = 999
_CHUNK = 1 << 20  # resampled numbers at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """Of one pair's differences."""

    normal_quantiles: Array  # (n,) expected of a standard normal sample of this size
    ordered: Array  # (n,) the differences, smallest first
    shapiro: ShapiroWilk | None  # None: fewer than 3 differences, more than 5000, or all equal
    skewness: float | None  # adjusted Fisher–Pearson; None below 3 differences, or if all are equal
    bootstrap_means: Array  # (resamples,) smallest first: Algorithm 3
    bootstrap_skewness: float | None  # near 0 where the mean is nearly normal: skewness/√n


def normality_checks(differences: Array, rng: object = None, resamples: int = RESAMPLES) -> Checks:
    """Checks of finite differences (n,), n ≥ 1."""
    ordered = np.sort(np.asarray(differences, dtype=np.float64))
    n = len(ordered)
    means = np.sort(bootstrap_means(ordered, resamples, generator(rng)))
    return Checks(
        normal_quantiles=read_only(normal_quantiles(n)),
        ordered=read_only(ordered),
        shapiro=shapiro_wilk(ordered),
        skewness=skewness(ordered),
        bootstrap_means=read_only(means),
        bootstrap_skewness=skewness(means),
    )


def normal_quantiles(n: int) -> Array:
    """Φ⁻¹((i − a)/(n + 1 − 2a)), a = 3/8 up to ten points and ½ beyond: the plotting positions of R's ppoints."""
    a = 0.375 if n <= 10 else 0.5
    return np.asarray(special.ndtri((np.arange(1, n + 1) - a) / (n + 1 - 2 * a)), dtype=np.float64)


def bootstrap_means(x: Array, resamples: int, rng: np.random.Generator) -> Array:
    """Algorithm 3: means of samples with replacement, as long as x."""
    n = len(x)
    step = max(1, _CHUNK // n)
    size = max(float(np.max(np.abs(x))), 5e-324)
    scaled = x / size  # sums cannot overflow
    parts = [
        scaled[rng.integers(0, n, size=(min(step, resamples - first), n))].mean(axis=1)
        for first in range(0, resamples, step)
    ]
    return np.asarray(np.concatenate(parts) * size)


def skewness(x: Array) -> float | None:
    """√(n(n−1))/(n−2) · m₃/m₂^{3/2}; None for fewer than three numbers, or equal ones."""
    n = len(x)
    size = float(np.max(np.abs(x), initial=0.0))
    if n < 3 or size == 0:
        return None
    scaled = x / size
    deviations = scaled - math.fsum(scaled.tolist()) / n
    spread = math.sqrt(float(np.mean(deviations**2)))
    if spread <= 1e-15:
        return None
    return float(np.mean((deviations / spread) ** 3)) * math.sqrt(n * (n - 1)) / (n - 2)
