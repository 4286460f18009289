"""Power of Wilcoxon's signed-rank test for normal differences: by simulation, or from the moments of W⁺.

Simulation runs the exact test on seeded samples. The t-test of the same samples, whose power is known exactly, serves
as control variate: both mostly reject together, which leaves about a quarter of the variance.

The moments follow from W⁺ = #{i ≤ j: x_i + x_j > 0}; with p₁ = P(x_i > 0), p₂ = P(x_i + x_j > 0) and
p₄ = P(x_i + x_j > 0, x_i + x_l > 0),

    E = n·p₁ + n(n−1)/2·p₂,
    Var = n·p₁(1−p₁) + n(n−1)/2·[2(p₁−p₂)² + 3p₂(1−p₂)] + n(n−1)(n−2)·(p₄−p₂²)

(Lehmann 1975, Nonparametrics, section 4.2). For normal differences with mean d standard deviations p₁ = Φ(d),
p₂ = Φ(d√2), and p₄ is bivariate normal at (d√2, d√2) with correlation ½.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import cast

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass, replace
from bakeoff.nulls.signed_rank import signed_rank_null
from bakeoff.plan.power_models.base import SLACK, Aim, Formula, PowerModel, Size, settled
from bakeoff.plan.power_models.sign import sign_powers
from bakeoff.plan.power_models.t import t_powers
from bakeoff.randomness import in_chunks
from bakeoff.scores import Array
from bakeoff.special import ndtr, ndtri, owens_t, stdtrit

EXACT_CRITICAL = 300
"""Up to here the critical rank sum is that of the exact null; beyond, of the normal distribution, continuity and
kurtosis corrected."""

MOST_N = 300
"""Beyond this number of problems the distribution from exact moments is closer than so many draws (within 0.0005)."""

CLEARLY = 0.004  # more than ten standard errors of a rough power
MOST_DRAWS, LEAST_DRAWS = 1_000_000, 400_000  # standard error at power 0.8: about 0.0001 to 0.0002
_CELLS = 1 << 17  # random numbers per chunk: they stay in the processor's cache
Sums = npt.NDArray[np.int64]


# --- simulation -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Samples of n normal differences, reduced to a rank sum and a t statistic, both large where the test looks."""

    n: int
    sums: npt.NDArray[np.int32]  # (draws,) W⁺
    t: npt.NDArray[np.float32]  # (draws,) kept between questions, so both are kept small
    exact: Callable[[Array, bool], Array]  # power of the t-test at levels, one-sided or not

    def powers(self, levels: Array, one_sided: bool) -> Array:
        """(levels,): share of rejections by the exact signed-rank test, corrected by the t-test's."""
        total = self.n * (self.n + 1) // 2
        exact = self.exact(levels, one_sided)
        shares = np.empty(len(levels))
        for place, c in enumerate(critical_sums(self.n, levels, one_sided).tolist()):
            tail = float(levels[place]) * (1.0 if one_sided else 0.5)
            bound = -float(stdtrit(self.n - 1, tail))
            rejected, control = self.sums >= total - c, self.t > bound
            if not one_sided:
                rejected, control = rejected | (self.sums <= c), control | (self.t < -bound)
            shares[place] = 0.0 if c < 0 else corrected(rejected, control, float(exact[place]))
        return shares


@dataclass(frozen=True, slots=True)
class Simulation(PowerModel):
    """Simulation from the moments' n on; the moments alone where they are closer than the draws."""

    moments: PowerModel
    drawn: Callable[[int, float, int | None], Draws]  # for n problems, an effect, and how many draws
    rough_draws: int  # enough to see that an n is clearly too small or large enough
    n_draws: int | None = None
    name = "simulation"
    has_levels = True

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        if n > MOST_N:
            return self.moments.powers(n, effect, levels, one_sided)
        if n == 1:  # no t-test to correct with, and W⁺ is 0 or 1
            return sign_powers(n, effect, levels, one_sided)
        return self.drawn(n, effect, self.n_draws).powers(levels, one_sided)

    def size(self, effect: float, aim: Aim) -> Size:
        guess = self.moments.size(effect, aim)
        if guess.n > MOST_N:
            return guess
        rough = replace(self, n_draws=self.rough_draws)

        def power_at(n: int) -> float:
            value = rough.power(n, effect, aim)
            return value if abs(value - aim.wanted_power) > CLEARLY else self.power(n, effect, aim)

        n, first = settled(power_at, aim.wanted_power, guess.n, self.least)
        return Size(n=n, first=first)

    def method(self, n: int) -> str:
        return self.name if n <= MOST_N else self.moments.name


def corrected(rejected: npt.NDArray[np.bool_], control: npt.NDArray[np.bool_], known: float) -> float:
    """The regression estimate of P(rejected) given P(control) = known."""
    share, other = float(np.mean(rejected)), float(np.mean(control))
    variance = other * (1 - other)
    if variance == 0:
        return share
    slope = (float(np.mean(rejected & control)) - share * other) / variance
    return min(max(share - slope * (other - known), 0.0), 1.0)


def wilcoxon_simulation(seed: tuple[int, ...]) -> Simulation:
    """Simulate one test."""
    return Simulation(WILCOXON_MOMENTS, lambda n, d, n_draws: draws(n, d, seed, n_draws), 150_000)


@lru_cache(maxsize=4)
def draws(n: int, d: float, seed: tuple[int, ...], n_draws: int | None = None) -> Draws:
    """The same for the same arguments, whatever else was asked: every n has a stream of its own."""
    if n_draws is None:  # by the size of the problem alone
        n_draws = min(max(48_000_000 // n, LEAST_DRAWS), MOST_DRAWS)

    def reduced(z: Array, mean: Array, sd: Array) -> tuple[Sums, Array]:
        z += d
        return positive_rank_sums(z), (mean + d) * math.sqrt(n) / sd

    return Draws(n, *sampled(reduced, n, seed, n_draws), partial(t_powers, n, d))


def sampled(
    reduced: Callable[[Array, Array, Array], tuple[Sums, Array]], n: int, seed: tuple[int, ...], n_draws: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """(draws,) rank sums and t statistics, ``reduced`` from standard normal samples, their means and deviations."""

    def work(stream: np.random.Generator, size: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        z = stream.standard_normal((size, n))
        mean = z.sum(axis=1) / n
        squares = np.einsum("ij,ij->i", z, z)  # of numbers about 0: nothing cancels
        sums, t = reduced(z, mean, np.sqrt(np.maximum(squares - n * mean**2, 1e-300) / (n - 1)))
        return sums.astype(np.int32), np.clip(t, -1e30, 1e30).astype(np.float32)

    parts = list(in_chunks(work, n_draws, max(1, _CELLS // n), np.random.default_rng([*seed, n])))
    sums, t = (np.concatenate(column) for column in zip(*parts, strict=True))
    return sums, t


def positive_rank_sums(x: Array) -> Sums:
    """(size,): W⁺ of each row; the rows are overwritten.

    The sign of each number goes into the last bit of its absolute value, so that one sort of whole numbers orders
    the sizes and carries the signs along (a tie needs two equal normal numbers).
    """
    bits = x.view(np.int64)
    positive = bits >= 0
    bits &= np.int64(0x7FFFFFFFFFFFFFFE)
    bits |= positive
    bits.sort(axis=1)
    bits &= np.int64(1)
    return bits @ np.arange(1, x.shape[1] + 1)


# --- moments -----------------------------------------------------------------------------------------------------


def moments_of_sum(n: float, d: float) -> tuple[float, float]:
    """Mean and variance of W⁺ (the rank sum of positive differences)."""
    p1, p2 = float(ndtr(d)), float(ndtr(d * math.sqrt(2)))
    q1, q2 = float(ndtr(-d)), float(ndtr(-d * math.sqrt(2)))
    # P(X ≤ h, Y ≤ h) = Φ(h) − 2T(h, √((1−ρ)/(1+ρ))), Owen's T; so p₄ − p₂² = p₂q₂ − 2T
    common = p2 * q2 - 2 * float(owens_t(d * math.sqrt(2), 1 / math.sqrt(3)))
    pairs = n * (n - 1) / 2
    mean = n * p1 + pairs * p2
    variance = n * p1 * q1 + pairs * (2 * (p1 - p2) ** 2 + 3 * p2 * q2) + n * (n - 1) * (n - 2) * common
    return mean, max(variance, 0.0)


@lru_cache(maxsize=4096)
def critical_sum(n: int, tail: float) -> int:
    """The largest c with P(W ≤ c) ≤ tail without ties; negative if there is none."""
    if n <= EXACT_CRITICAL:
        return signed_rank_null(2 * np.arange(1, n + 1)).largest_sum(tail * (1 + SLACK)) // 2
    mean, squares = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 6
    kurtosis = -2 * (3 * n * n + 3 * n - 1) / (5 * squares)  # −2·Σr⁴/(Σr²)²: each ±r/2 has cumulants r²/4 and −r⁴/8
    z = float(ndtri(tail))
    z += kurtosis * (z**3 - 3 * z) / 24  # Cornish–Fisher
    return math.floor(mean + z * math.sqrt(squares / 4) - 0.5)


def critical_sums(n: int, levels: Array, one_sided: bool) -> npt.NDArray[np.int64]:
    """(levels,): one critical value per level."""
    return np.array([critical_sum(n, float(a) * (1.0 if one_sided else 0.5)) for a in levels], dtype=np.int64)


def moment_powers(n: int, d: float, levels: Array, one_sided: bool = False) -> Array:
    """(levels,): exact critical values, normal distribution of W⁺ (and W⁻) with the alternative's own variance."""
    c = critical_sums(n, levels, one_sided)
    power = _at_most(c, *moments_of_sum(n, -d))  # W⁻ ≤ c
    if not one_sided:
        power = power + _at_most(c, *moments_of_sum(n, d))
    return cast(Array, np.minimum(power, 1.0))


def _at_most(c: npt.NDArray[np.int64], mean: float, variance: float) -> Array:
    """P(W ≤ c) with continuity correction; 0 where no c exists."""
    if variance == 0:  # all differences have one sign
        return np.asarray((c >= 0) & (mean <= c), dtype=np.float64)
    return cast(Array, np.where(c < 0, 0.0, ndtr((c + 0.5 - mean) / math.sqrt(variance))))


def noether_powers(n: npt.ArrayLike, d: float, levels: npt.ArrayLike, one_sided: bool = False) -> Array:
    """Φ(√(3n)·(p₂ − ½) − z): the normal distribution with the null's variance (Noether 1987), whose n inverts in closed
    form."""
    tail = np.asarray(levels, dtype=np.float64) * (1.0 if one_sided else 0.5)
    shift = float(ndtr((d if one_sided else abs(d)) * math.sqrt(2))) - 0.5
    return np.asarray(ndtr(np.sqrt(3.0 * np.asarray(n, dtype=np.float64)) * shift + ndtri(tail)), dtype=np.float64)


WILCOXON_MOMENTS = Formula("exact-variance", moment_powers, most=2**40, has_levels=True)
"""Exact critical values, normal distribution of W⁺ with the alternative's variance."""

WILCOXON_NOETHER = Formula("noether", noether_powers)
