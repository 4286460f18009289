"""What must be known before a result of the Bayesian Friedman test is quoted."""

import math

import numpy as np

from bakeoff.bayes.dirichlet.mean_ranks import RankPosteriorInput
from bakeoff.bayes.regions.credible_region import RegionTest, WhitenedPosterior
from bakeoff.bayes.regions.prior_rankings import Extremes
from bakeoff.errors import Caution, counted

PAPER = "Benavoli et al. (2015)"
PAGE = "docs/trust/bayes-regions.md"
TRUSTED = 20  # problems per dimension from which the two regions agree: docs/trust/bayes-regions.md


def is_corner(given: RankPosteriorInput, found: WhitenedPosterior) -> bool:
    """Is "all equal" excluded by the number of problems alone?

    It is if the problems and the prior ranking are the vertices of a simplex, as few points always are, and
    "all equal" is one of them (the prior at equality) or outside all the directions they span.
    """
    simplex = given.n + (given.strength > 0) <= found.rank + 1
    at_prior = given.strength > 0 and not given.prior.any()
    return simplex and (at_prior or math.isinf(found.depth))


def region_cautions(
    given: RankPosteriorInput,
    found: WhitenedPosterior,
    lower: RegionTest,
    upper: RegionTest,
    bounds: Extremes | None,
    region: str,
) -> tuple[Caution, ...]:
    cautions = [*_support(given, found), *_size(given, found, region), *_draws(lower, upper)]
    if bounds and bounds.balanced and found.rank:
        cautions.append(
            Caution(
                code="prior-outweighs-data",
                text="The problems are so few, or their rankings so balanced, that a prior as strong as "
                f"{given.strength:g} of them, divided between several rankings, can put the posterior mean at "
                "equality: the lower bounds are 0.",
                reference=f"{PAPER}, section 7",
            )
        )
    if bounds and not bounds.complete:
        cautions.append(
            Caution(
                code="prior-rankings-searched",
                text="There are too many prior rankings to try all: the bounds are the most extreme ones found by "
                "a search, and the true bounds may be a little wider.",
                reference=f"{PAPER}, section 7",
            )
        )
    return tuple(cautions)


def _support(given: RankPosteriorInput, found: WhitenedPosterior) -> list[Caution]:
    """The posterior lives on fewer dimensions than it seems, or has "all equal" at its edge."""
    n, k, r, unit = given.n, given.k, found.rank, "cluster" if given.clustered else "problem"
    if r == 0 and found.depth == 0:
        text = "All algorithms tie on every problem: nothing differs."
        return [Caution(code="nothing-differs", text=text, reference=f"{PAPER}, section 6", severity="stop")]
    if is_corner(given, found):
        return [
            Caution(
                code="too-few-problems",
                text=f"With {counted(n, unit)} the mean ranks of {k} algorithms have no more freedom than "
                f"the weights of the {unit}s: equality is a vertex of the support of the posterior, or "
                "outside it, whatever the scores. This is no evidence of a difference.",
                reference=PAGE,
            )
        ]
    found_cautions = []
    if r < k - 1:
        found_cautions.append(
            Caution(
                code="reduced-rank",
                text=f"The mean ranks vary in {counted(r, 'dimension')} instead of {k - 1} (algorithms that always "
                f"tie, or problems that agree): distances are taken within {'it' if r == 1 else 'them'}, and the "
                "degrees of freedom follow.",
                reference=f"{PAPER}, equation 19",
            )
        )
    if math.isinf(found.depth):
        text = "The posterior gives no probability to the neighbourhood of equality: it is excluded with certainty, "
        text += "because the prior gives no weight to an outcome that was not seen."
        found_cautions.append(Caution(code="excluded-with-certainty", text=text, reference=f"{PAPER}, section 7"))
    elif _unanimous(given, found):
        agree = (
            "No cluster leads the other way" if given.clustered else "All problems that separate the algorithms agree"
        )
        text = f"{agree}, so equality is on the edge of the support of the posterior, however few "
        text += (
            f'{"clusters there" if given.clustered else "they"} are. Bounds over all prior rankings: prior="ignorance".'
        )
        found_cautions.append(Caution(code="unanimous", text=text, reference=f"{PAPER}, Theorem 2 and section 7"))
    return found_cautions


def _unanimous(given: RankPosteriorInput, found: WhitenedPosterior) -> bool:
    """In one dimension: does every problem, and the prior, lie on one side of equality, or at it?"""
    points = np.vstack([given.deviations, given.prior]) if given.strength > 0 else given.deviations
    along = points[:, int(np.argmax(np.ptp(points, axis=0)))]
    return found.rank == 1 and bool(np.all(along >= 0) or np.all(along <= 0))


def _size(given: RankPosteriorInput, found: WhitenedPosterior, region: str) -> list[Caution]:
    n, k, unit = given.n, given.k, "cluster" if given.clustered else "problem"
    if region != "exact" or n >= TRUSTED * (k - 1) or k == 2 or found.rank == 0 or is_corner(given, found):
        return []
    advice = 'the ellipsoid (region="ellipsoid") allows for that.'
    if n <= found.rank:
        advice = "only more problems help, since the ellipsoid, which allows for that, needs more than there are."
    return [
        Caution(
            code="region-narrow",
            text=f"The exact region takes the posterior's covariance for known. With {counted(n, unit)} and "
            f"{k} algorithms it excludes equality too easily: {advice}",
            reference=PAGE,
        )
    ]


def _draws(lower: RegionTest, upper: RegionTest) -> list[Caution]:
    if lower.decided and upper.decided:
        return []
    open_one = lower if not lower.decided else upper
    return [
        Caution(
            code="monte-carlo",
            text=f"{open_one.n_draws} draws do not decide on which side of the level the probability lies "
            f"({open_one.probability:.5f}, standard error {open_one.standard_error:.1g}); more n_draws may.",
            reference=PAGE,
        )
    ]
