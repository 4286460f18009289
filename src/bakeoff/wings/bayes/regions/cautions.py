"""Cautions to know before a result of the Bayesian Friedman test is quoted."""

import math

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted
from bakeoff.wings.bayes.dirichlet.mean_ranks import RankPosteriorInput
from bakeoff.wings.bayes.regions.credible_region import RegionTest, WhitenedPosterior
from bakeoff.wings.bayes.regions.prior_rankings import Extremes

TRUSTED = 20  # problems per dimension from which the two regions agree: docs/trust/bayes-regions.md


def is_corner(data: RankPosteriorInput, whitened: WhitenedPosterior) -> bool:
    """Is "all equal" excluded by the number of problems alone?

    It is if the problems and the prior ranking are the vertices of a simplex, as few points always are, and
    "all equal" is one of them (the prior at equality) or outside all the directions they span.
    """
    simplex = data.n + (data.strength > 0) <= whitened.rank + 1
    at_prior = data.strength > 0 and not data.prior.any()
    return simplex and (at_prior or math.isinf(whitened.depth))


def region_cautions(
    data: RankPosteriorInput,
    whitened: WhitenedPosterior,
    lower: RegionTest,
    upper: RegionTest,
    bounds: Extremes | None,
    region: str,
) -> tuple[Caution, ...]:
    cautions = [*_support(data, whitened), *_size(data, whitened, region), *_draws(lower, upper)]
    if bounds and bounds.balanced and whitened.rank:
        cautions.append(caution_of("prior-outweighs-data", strength=data.strength))
    if bounds and not bounds.complete:
        cautions.append(caution_of("not-checked", "prior-rankings"))
    return tuple(cautions)


def _support(data: RankPosteriorInput, whitened: WhitenedPosterior) -> list[Caution]:
    """The posterior lives on fewer dimensions than it seems, or has "all equal" at its edge."""
    n, k, r, unit = data.n, data.k, whitened.rank, "cluster" if data.clustered else "problem"
    if r == 0 and whitened.depth == 0:
        return [caution_of("nothing-differs", "ranks")]
    if is_corner(data, whitened):
        return [caution_of("too-few", "mean-ranks", count=counted(n, unit), k=k, unit=unit)]
    found_cautions = []
    if r < k - 1:
        which = "it" if r == 1 else "them"
        found_cautions.append(caution_of("reduced-rank", dimensions=counted(r, "dimension"), k=k - 1, which=which))
    if math.isinf(whitened.depth):
        found_cautions.append(caution_of("certainty", "equality"))
    elif _unanimous(data, whitened):
        of_clusters = ("No cluster leads the other way", "clusters there")
        of_problems = ("All problems that separate the algorithms agree", "they")
        agree, which = of_clusters if data.clustered else of_problems
        found_cautions.append(caution_of("certainty", "prior-rankings", agree=agree, which=which))
    return found_cautions


def _unanimous(data: RankPosteriorInput, whitened: WhitenedPosterior) -> bool:
    """In one dimension: does every problem, and the prior, lie on one side of equality, or at it?"""
    points = np.vstack([data.deviations, data.prior]) if data.strength > 0 else data.deviations
    along = points[:, int(np.argmax(np.ptp(points, axis=0)))]
    return whitened.rank == 1 and bool(np.all(along >= 0) or np.all(along <= 0))


def _size(data: RankPosteriorInput, whitened: WhitenedPosterior, region: str) -> list[Caution]:
    n, k, unit = data.n, data.k, "cluster" if data.clustered else "problem"
    if region != "exact" or n >= TRUSTED * (k - 1) or k == 2 or whitened.rank == 0 or is_corner(data, whitened):
        return []
    advice = 'the ellipsoid (region="ellipsoid") allows for that.'
    if n <= whitened.rank:
        advice = "only more problems help, since the ellipsoid, which allows for that, needs more than there are."
    return [caution_of("region-narrow", "problems", count=counted(n, unit), k=k, advice=advice)]


def _draws(lower: RegionTest, upper: RegionTest) -> list[Caution]:
    if lower.decided and upper.decided:
        return []
    open_one = upper if lower.decided else lower
    of_draws = {name: getattr(open_one, name) for name in ("n_draws", "probability", "standard_error")}
    return [caution_of("sampled", "probability", **of_draws)]
