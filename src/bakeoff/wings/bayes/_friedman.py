"""The Bayesian Friedman test: are the mean ranks of all algorithms credibly equal?"""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from bakeoff.checks import choice, probability
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution
from bakeoff.randomness import generator
from bakeoff.ranks.cautions import one_process
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.takes_table import takes_table
from bakeoff.wings.bayes.dirichlet.mean_ranks import (
    RankPosteriorInput,
    check_ranking,
    posterior_covariance,
    posterior_input,
    posterior_mean,
)
from bakeoff.wings.bayes.dirichlet.weights import DEFAULT_DRAWS, check_draws, check_strength, sizes_of
from bakeoff.wings.bayes.regions.cautions import is_corner, region_cautions
from bakeoff.wings.bayes.regions.credible_region import REGIONS, RegionTest, WhitenedPosterior, region_verdict, whiten
from bakeoff.wings.bayes.regions.prior_rankings import Extremes, extremes, region_test

PRIORS = ("equal", "ignorance")
Pair = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FriedmanPosterior:
    """The result of :func:`bakeoff.bayes.friedman`."""

    algorithms: tuple[str, ...]
    mean: Array  # (k,) of the mean ranks, 1 is best
    covariance: Array  # (k, k) of the mean ranks, a row per algorithm
    statistic: float  # squared Mahalanobis distance of "all equal" from the mean; may be infinite
    critical_value: float  # the same of the edge of the region
    probability: float  # content of the smallest region of this shape that holds "all equal"
    standard_error: float  # of the probability, from the draws; 0 without draws
    rejected: bool  # "all equal" lies outside the region of content 1 − gamma
    verdict: str  # "different" | "no difference shown" | "indeterminate" | "undecided" | "cannot tell"
    region: str  # shape of the credible region
    rank: int  # dimensions in which the mean ranks vary; k − 1 in ordinary tables
    gamma: float
    prior: str  # "equal" | "ignorance" | "ranking"
    prior_strength: float
    prior_ranks: Array  # (k,) the prior's ranking; for "ignorance" the least favourable one, which all above are for
    probability_bounds: Pair | None  # lowest and highest over all prior rankings; None for prior="equal"
    statistic_bounds: Pair | None  # by interval arithmetic; None without
    mean_bounds: Array | None  # (2, k) of the means, by interval arithmetic; None without
    n_prior_rankings: int  # how many were looked at
    n_draws: int
    n_problems: int
    n_tied: int  # problems with at least one tie
    n_dropped: int  # problems left out when the scores were read
    cautions: tuple[Caution, ...]
    n_clusters: int | None = None  # the independent draws, if scores have clusters; otherwise problems are


@takes_table
def friedman(
    scores: Scores,
    prior_strength: float = 1.0,
    gamma: float = 0.05,
    region: Literal["ellipsoid", "exact"] = "ellipsoid",
    rng: int | np.random.Generator | None = None,
    n_draws: int = DEFAULT_DRAWS,
    *,
    prior: Literal["equal", "ignorance"] | Sequence[str] = "equal",
) -> FriedmanPosterior:
    """Are the mean ranks of the algorithms credibly different?

    Use it before asking which algorithms differ (``bo.bayes.compare``). It cannot show that algorithms are equal. With
    few problems per algorithm read docs/trust/bayes-regions.md first. Benavoli et al. (2015), Theorem 1:
    docs/guides/bayes.md.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); with clusters these are the independent draws, and mean ranks those of clusters.
    prior_strength : float
        s: the prior counts as s problems; 0 is the Bayesian bootstrap.
    gamma : float
        The region contains 1 − gamma of the posterior.
    region : {"ellipsoid", "exact"}
        The ellipsoid of equation 19, with an F quantile that allows for small n; or the region of the same shape that
        contains exactly 1 − gamma of the posterior, from draws.
    rng : int or numpy.random.Generator, optional
        Seed 0 if absent.
    n_draws : int
        First draws for the exact region, doubled until the decision is clear by four standard errors.
    prior : {"equal", "ignorance"} or sequence of str
        All algorithms equal; or any ranking, so that probabilities become bounds. Or one ranking: the names of all
        algorithms, best first (α* of a prior that favours the first).

    Returns
    -------
    FriedmanPosterior
        ``.mean``, ``.covariance``, ``.statistic``, ``.critical_value``, ``.probability``, ``.rejected``, ``.verdict``;
        with ``prior="ignorance"`` also bounds.

    Raises
    ------
    ParameterError, WrongTypeError
        A number or option out of range; the ellipsoid with too few problems (usually n < k).

    Examples
    --------
    >>> import bakeoff as bo
    >>> scores = bo.Scores([[1, 2, 3]] * 2 + [[1, 3, 2], [2, 1, 3]], better="lower")
    >>> result = bo.bayes.friedman(scores, prior_strength=1)
    >>> result.mean.tolist()  # (2 + (1, 1, 1, 2))/5 for the first: equation 16
    [1.4, 2.0, 2.6]
    >>> round(result.statistic, 9) == round(108 / 7, 9), round(result.critical_value, 6)  # 3·Finv(0.95; 2, 2)
    (True, 57.0)
    """
    scores = check_scores(scores)
    strength, level = check_strength(prior_strength), probability("gamma", gamma)
    choice("region", region, REGIONS)
    words = '"equal", "ignorance" or '
    ranking = None if isinstance(prior, str) and choice("prior", prior, PRIORS) else check_ranking(scores, prior, words)
    first, source = check_draws(n_draws), generator(rng)
    data = posterior_input(scores, strength, ranking)
    order = np.lexsort(data.deviations[::-1])  # by content: the order of columns changes nothing
    data = data.reordered(order)
    whitened = whiten(data)
    bounds: Extremes | None = None
    if prior == "ignorance":
        bounds = extremes(data, region, level, first, source)
        data, whitened, tested = bounds.data, bounds.white, bounds.lower
    else:
        tested = region_test(whitened, data, region, level, first, source)
    result = _result(scores, data.reordered(np.argsort(order)), whitened, tested, bounds, region, level)
    return result if ranking is None else replace(result, prior="ranking")


def _result(
    scores: Scores,
    data: RankPosteriorInput,
    whitened: WhitenedPosterior,
    tested: RegionTest,
    bounds: Extremes | None,
    region: str,
    gamma: float,
) -> FriedmanPosterior:
    k, n, s = data.k, data.n, data.strength
    upper = bounds.upper if bounds else tested
    low_ranks = np.asarray(data.centred_ranks.sum(axis=0) + n * (k + 1) / 2) / (s + n)
    return FriedmanPosterior(
        algorithms=scores.algorithms,
        mean=read_only(posterior_mean(data)),
        covariance=read_only(posterior_covariance(data)),
        **tested.fields,
        verdict=region_verdict(is_corner(data, whitened) or one_process(scores) is not None, tested, upper),
        region=region,
        rank=whitened.rank,
        gamma=gamma,
        prior="ignorance" if bounds else "equal",
        prior_strength=s,
        prior_ranks=read_only((data.prior / data.unit + k + 1) / 2),
        probability_bounds=(tested.probability, upper.probability) if bounds else None,
        statistic_bounds=bounds.statistics if bounds else None,
        mean_bounds=read_only(low_ranks + np.outer([1.0, k], np.full(k, s / (s + n)))) if bounds else None,
        n_prior_rankings=bounds.n_rankings if bounds else 1,
        n_draws=tested.n_draws,
        **sizes_of(scores),
        n_tied=data.n_tied,
        cautions=region_cautions(data, whitened, tested, upper, bounds, region),
    )
