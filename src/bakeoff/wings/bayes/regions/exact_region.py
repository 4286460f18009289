"""The exact region of two algorithms, without draws: one mean rank is 2 − (θ_g + θ_t/2), the other follows from it.

So the region is the credible interval of the two-sided sign test (Benavoli et al. 2015, section 5.1.2).
"""

import math

import numpy as np

from bakeoff.wings.bayes.dirichlet.mean_ranks import RankPosteriorInput, posterior_covariance, posterior_mean
from bakeoff.wings.bayes.dirichlet.shares import above_half, heaviside_interval
from bakeoff.wings.bayes.regions.credible_region import RegionTest, WhitenedPosterior, region_by_draws


def exact_region(
    whitened: WhitenedPosterior, data: RankPosteriorInput, gamma: float, n_draws: int, rng: np.random.Generator
) -> RegionTest:
    """By draws, or in closed form for two algorithms, if problems are not in clusters."""
    if data.k == 2 and not data.clustered and whitened.rank == 1 and math.isfinite(whitened.depth):
        return _exact_for_two(whitened, data, gamma)
    return region_by_draws(whitened, data.strength, gamma, n_draws, rng)


def _exact_for_two(whitened: WhitenedPosterior, data: RankPosteriorInput, gamma: float) -> RegionTest:
    """ "All equal" is θ_g + θ_t/2 = 1/2."""
    wins, ties, losses = (
        float(np.count_nonzero(np.sign(data.deviations[:, 0]) == sign))
        + data.strength * float(np.sign(data.prior[0]) == sign)
        for sign in (-1, 0, 1)
    )
    tail = min(above_half(wins, losses), above_half(losses, wins))
    mean, sd = 2.0 - float(posterior_mean(data)[0]), math.sqrt(float(posterior_covariance(data)[0, 0]))
    low, high = heaviside_interval(wins, ties, losses, gamma)
    reach = ((mean - low) if wins > losses else (high - mean)) / sd
    return RegionTest(
        statistic=whitened.depth,
        critical_value=reach * abs(reach),
        probability=1.0 - 2.0 * tail,
        standard_error=0.0,
        n_draws=0,
        rejected=2.0 * tail < gamma,
        decided=True,
    )
