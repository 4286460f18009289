"""Power of two one-sided signed-rank tests against a margin, for normal differences.

Simulation runs both exact tests on seeded samples, with the two t-tests of the same samples, whose power is known
exactly, as control variate. From moments: P(both reject) = P(one) + P(other) − 1 + P(neither), each of the first two
from the exact moments of its rank sum, the last, which is small wherever the power is not, that of the t-tests.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from bakeoff.plan.power_models.base import Aim, PowerModel, Size, settled, smallest_n
from bakeoff.plan.power_models.equivalence_t import equivalence_t_powers
from bakeoff.plan.power_models.t import t_powers
from bakeoff.plan.power_models.wilcoxon import (
    CLEARLY,
    MOST_N,
    corrected,
    critical_sums,
    moment_powers,
    noether_powers,
    positive_rank_sums,
)
from bakeoff.randomness import in_chunks
from bakeoff.scores import Array

ROUGH_DRAWS = 50_000
DRAWS = 200_000  # standard error at power 0.8: about 0.0005
_CELLS = 1 << 17  # random numbers per chunk: they stay in the processor's cache


@dataclass(frozen=True, slots=True)
class EqualWilcoxonDraws(PowerModel):
    """Simulation from the moments' n on; the moments alone beyond ``MOST_N`` problems."""

    seed: tuple[int, ...]
    margin: float
    n_draws: int = DRAWS
    name = "simulation"
    has_levels = True

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        if n > MOST_N or n == 1:  # one problem rejects nothing
            return equal_by_moments(n, effect, self.margin, levels)
        return equivalence_draws(n, effect, self.margin, self.seed, self.n_draws).powers(levels)

    def size(self, effect: float, aim: Aim) -> Size:
        guess = EqualWilcoxonMoments(self.margin).size(effect, aim)
        if guess.n > MOST_N:
            return guess
        rough = EqualWilcoxonDraws(self.seed, self.margin, ROUGH_DRAWS)

        def power_at(n: int) -> float:
            value = rough.power(n, effect, aim)
            return value if abs(value - aim.wanted_power) > CLEARLY else self.power(n, effect, aim)

        n, first = settled(power_at, aim.wanted_power, guess.n, self.least)
        return Size(n=n, first=first)

    def method(self, n: int) -> str:
        return self.name if n <= MOST_N else EqualWilcoxonMoments.name


@dataclass(frozen=True, slots=True)
class EqualWilcoxonMoments(PowerModel):
    margin: float
    name = "exact-variance"
    has_levels = True

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        return equal_by_moments(n, effect, self.margin, levels)

    def size(self, effect: float, aim: Aim) -> Size:
        def power_at(n: int) -> float:
            return self.power(n, effect, aim)

        start = smallest_n(power_at, aim.wanted_power, self.least, 2**40)
        n, first = settled(power_at, aim.wanted_power, start, self.least)
        return Size(n=n, first=first)


@dataclass(frozen=True, slots=True)
class EqualWilcoxonNoether(PowerModel):
    """P(one) + P(other) − 1, each by Noether's law: never above the power."""

    margin: float
    name = "noether"

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        sides = (noether_powers(n, self.margin + side, levels, True) for side in (effect, -effect))
        return np.maximum(sum(sides) - 1.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class EquivalenceDraws:
    """Samples of n normal differences, reduced to the rank sums and t statistics of both tests."""

    n: int
    d: float
    margin: float
    above: npt.NDArray[np.int32]  # (draws,) W⁺ of the differences + margin, large if they are not below −margin
    below: npt.NDArray[np.int32]  # (draws,) W⁺ of margin − the differences
    t: npt.NDArray[np.float32]  # (draws,) the smaller t statistic of the same two

    def powers(self, levels: Array) -> Array:
        """(levels,): share in which both exact tests reject, corrected by the t-tests'."""
        total = self.n * (self.n + 1) // 2
        exact = equivalence_t_powers(self.n, self.d, self.margin, levels)
        smaller, rejected = np.minimum(self.above, self.below), np.zeros(len(levels))
        for place, c in enumerate(critical_sums(self.n, levels, True).tolist()):
            if c >= 0:
                control = self.t > -float(stdtrit(self.n - 1, float(levels[place])))
                rejected[place] = corrected(smaller >= total - c, control, float(exact[place]))
        return rejected


@lru_cache(maxsize=16)
def equivalence_draws(n: int, d: float, margin: float, seed: tuple[int, ...], n_draws: int) -> EquivalenceDraws:
    """The same for the same arguments, whatever else was asked: every n has a stream of its own."""
    rng = np.random.default_rng([*seed, n])
    chunk = max(1, _CELLS // n)
    parts = list(in_chunks(lambda stream, size: _reduced(stream, size, n, d, margin), n_draws, chunk, rng))
    above, below, t = (np.concatenate(column) for column in zip(*parts, strict=True))
    return EquivalenceDraws(n, d, margin, above, below, t)


def _reduced(
    stream: np.random.Generator, size: int, n: int, d: float, margin: float
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    z = stream.standard_normal((size, n))
    mean = z.sum(axis=1) / n
    squares = np.einsum("ij,ij->i", z, z)  # of numbers about 0: nothing cancels
    sd = np.sqrt(np.maximum(squares - n * mean**2, 1e-300) / (n - 1))
    t = (margin - np.abs(mean + d)) * math.sqrt(n) / sd
    below = positive_rank_sums((margin - d) - z)
    z += margin + d
    above = positive_rank_sums(z)
    return above.astype(np.int32), below.astype(np.int32), np.clip(t, -1e30, 1e30).astype(np.float32)


def equal_by_moments(n: int, d: float, margin: float, levels: Array) -> Array:
    """(levels,)"""
    each = [moment_powers(n, margin + side, levels, True) for side in (d, -d)]
    power = each[0] + each[1] - 1.0
    if n > 1:
        t_tests = [t_powers(n, margin + side, levels, True) for side in (d, -d)]
        power = power + np.maximum(equivalence_t_powers(n, d, margin, levels) - (t_tests[0] + t_tests[1] - 1.0), 0.0)
    return np.clip(power, 0.0, np.minimum(each[0], each[1]))
