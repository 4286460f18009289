"""Power of Wilcoxon's signed-rank test for normal differences by simulation: the exact test on seeded samples.

The t-test of the same samples, whose power is known exactly, serves as control variate: rejections of both agree
mostly, and what is left to chance is about a quarter of the variance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from bakeoff.plan.power_models.noncentral_t import t_powers
from bakeoff.plan.power_models.wilcoxon_moments import critical_sums
from bakeoff.randomness import in_chunks
from bakeoff.scores import Array

ROUGH_DRAWS = 150_000
"""Enough to see that an n is clearly too small or large enough."""

MOST_DRAWS, LEAST_DRAWS = 1_000_000, 400_000  # standard error at power 0.8: about 0.0001 to 0.0002
MOST_N = 300
"""Beyond this number of problems the law from exact moments is closer than so many draws (within 0.0005)."""
_CELLS = 1 << 17  # random numbers per chunk: they stay in the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Samples of n normal differences with mean d, reduced to their two statistics."""

    n: int
    d: float
    sums: npt.NDArray[np.int32]  # (draws,) W⁺
    t: npt.NDArray[np.float32]  # (draws,) the t statistic; kept between questions, so both are kept small

    def powers(self, levels: Array, one_sided: bool) -> Array:
        """(levels,): share of rejections by the exact signed-rank test, corrected by the t-test's."""
        total = self.n * (self.n + 1) // 2
        exact = t_powers(self.n, self.d, levels, one_sided)
        found = np.empty(len(levels))
        for place, c in enumerate(critical_sums(self.n, levels, one_sided).tolist()):
            tail = float(levels[place]) * (1.0 if one_sided else 0.5)
            bound = -float(stdtrit(self.n - 1, tail))
            rejected, control = self.sums >= total - c, self.t > bound
            if not one_sided:
                rejected, control = rejected | (self.sums <= c), control | (self.t < -bound)
            found[place] = 0.0 if c < 0 else _corrected(rejected, control, float(exact[place]))
        return found


def _corrected(rejected: npt.NDArray[np.bool_], control: npt.NDArray[np.bool_], known: float) -> float:
    """The regression estimate of P(rejected) given P(control) = known."""
    share, other = float(np.mean(rejected)), float(np.mean(control))
    variance = other * (1 - other)
    if variance == 0:
        return share
    slope = (float(np.mean(rejected & control)) - share * other) / variance
    return min(max(share - slope * (other - known), 0.0), 1.0)


@lru_cache(maxsize=4)
def draws(n: int, d: float, seed: tuple[int, ...], n_draws: int | None = None) -> Draws:
    """The same for the same arguments, whatever else was asked: every n has a stream of its own."""
    if n_draws is None:  # by the size of the problem alone
        n_draws = min(max(48_000_000 // n, LEAST_DRAWS), MOST_DRAWS)
    rng = np.random.default_rng([*seed, n])
    chunk = max(1, _CELLS // n)
    parts = list(in_chunks(lambda stream, size: _reduced(stream, size, n, d), n_draws, chunk, rng))
    sums, t = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Draws(n, d, sums, t)


def _reduced(
    stream: np.random.Generator, size: int, n: int, d: float
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    z = stream.standard_normal((size, n))
    mean = z.sum(axis=1) / n
    squares = np.einsum("ij,ij->i", z, z)  # of numbers about 0: nothing cancels
    sd = np.sqrt(np.maximum(squares - n * mean**2, 1e-300) / (n - 1))
    z += d
    t = (mean + d) * math.sqrt(n) / sd
    return positive_rank_sums(z).astype(np.int32), np.clip(t, -1e30, 1e30).astype(np.float32)


def positive_rank_sums(x: Array) -> npt.NDArray[np.int64]:
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
