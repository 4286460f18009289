"""Power of two one-sided signed-rank tests against a margin, for normal differences.

Simulation runs both exact tests on seeded samples, with the two t-tests of the same samples, whose power is known
exactly, as control variate. From moments: P(both reject) = P(one) + P(other) − 1 + P(neither), each of the first two
from the exact moments of its rank sum, the last, which is small wherever the power is not, that of the t-tests.
"""

import math
from functools import lru_cache

import numpy as np

from bakeoff.plan.power_models.base import Formula, PowerModel
from bakeoff.plan.power_models.equivalence_t import equivalence_t_powers
from bakeoff.plan.power_models.t import t_powers
from bakeoff.plan.power_models.wilcoxon import (
    Draws,
    Simulation,
    Sums,
    moment_powers,
    noether_powers,
    positive_rank_sums,
    sampled,
)
from bakeoff.scores import Array

ROUGH_DRAWS = 50_000
DRAWS = 200_000  # standard error at power 0.8: about 0.0005


def equal_simulation(seed: tuple[int, ...], margin: float) -> Simulation:
    """Simulate both tests on the same samples."""

    def drawn(n: int, d: float, n_draws: int | None) -> Draws:
        return equivalence_draws(n, d, margin, seed, n_draws or DRAWS)

    return Simulation(equal_moments(margin), drawn, ROUGH_DRAWS)


def equal_moments(margin: float) -> PowerModel:
    """Both tests, from the moments of their rank sums."""
    return Formula(
        "exact-variance", lambda n, d, levels, _: equal_by_moments(n, d, margin, levels), most=2**40, has_levels=True
    )


def equal_noether(margin: float) -> PowerModel:
    """P(one) + P(other) − 1, each by Noether's formula: never above the power."""

    def powers(n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        sides = (noether_powers(n, margin + side, levels, True) for side in (effect, -effect))
        return np.maximum(sum(sides) - 1.0, 0.0)

    return Formula("noether", powers)


@lru_cache(maxsize=16)
def equivalence_draws(n: int, d: float, margin: float, seed: tuple[int, ...], n_draws: int) -> Draws:
    """The smaller rank sum and t statistic of the two tests: both reject if the smaller one is large enough."""

    def reduced(z: Array, mean: Array, sd: Array) -> tuple[Sums, Array]:
        t = (margin - np.abs(mean + d)) * math.sqrt(n) / sd
        below = positive_rank_sums((margin - d) - z)
        z += margin + d
        return np.minimum(positive_rank_sums(z), below), t

    sums, t = sampled(reduced, n, seed, n_draws)
    return Draws(n, sums, t, lambda levels, _: equivalence_t_powers(n, d, margin, levels))


def equal_by_moments(n: int, d: float, margin: float, levels: Array) -> Array:
    """(levels,)"""
    each = [moment_powers(n, margin + side, levels, True) for side in (d, -d)]
    power = each[0] + each[1] - 1.0
    if n > 1:
        t_tests = [t_powers(n, margin + side, levels, True) for side in (d, -d)]
        power = power + np.maximum(equivalence_t_powers(n, d, margin, levels) - (t_tests[0] + t_tests[1] - 1.0), 0.0)
    return np.clip(power, 0.0, np.minimum(each[0], each[1]))
