"""Prior near-ignorance for the Bayesian Friedman test: the prior may be any ranking, and results become bounds.

Benavoli et al. (2015), section 7, call it "computationally quite involving". With m the mean of the data's doubled and
centred ranks, d₀ that of the prior and e = d₀ − m, the covariance is that of the data and one direction more,

    A + s B = (1 + s/n) A + s n e eᵀ,      μ − μ₀ ∝ (n + s) m + s e,

so that one elimination of A and a rank-one update (Sherman–Morrison) judge any number of prior rankings at once.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass, replace
from bakeoff.ranks import Ints, doubled_row_ranks
from bakeoff.scores import Array
from bakeoff.special import betainc
from bakeoff.wings.bayes.dirichlet.mean_ranks import (
    RankPosteriorInput,
    posterior_covariance,
    posterior_mean,
    scatters,
    weighted_means,
)
from bakeoff.wings.bayes.dirichlet.shares import above_half, heaviside_interval
from bakeoff.wings.bayes.dirichlet.weights import DEFAULT_DRAWS
from bakeoff.wings.bayes.regions.credible_region import (
    EXACT_UP_TO,
    RegionTest,
    WhitenedPosterior,
    depths_of,
    eliminate,
    eliminate_rounded,
    ellipsoid,
    region_by_draws,
    region_from_draws,
    require_problems,
    whiten,
)

# The exact region of two algorithms, without draws: one mean rank is 2 − (θ_g + θ_t/2), the other follows from it.
#
# So the region is the credible interval of the two-sided sign test (Benavoli et al. 2015, section 5.1.2).


def region_test(
    whitened: WhitenedPosterior,
    data: RankPosteriorInput,
    region: str,
    gamma: float,
    n_draws: int,
    rng: np.random.Generator,
) -> RegionTest:
    """The place of "all equal" among regions of one shape."""
    if region == "exact":
        return exact_region(whitened, data, gamma, n_draws, rng)
    require_problems(data.n, whitened.rank, data.k)
    return ellipsoid(whitened, data.n, gamma)


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
        rejected=2.0 * tail < gamma,
    )


# All rankings with ties of a few algorithms, and their neighbours where there are too many to list.
#
# A ranking is a row of doubled mid-ranks less k + 1, as whole numbers: lower is better.


LISTED = 8  # algorithms up to which all rankings are listed: 545 835 with ties
ALL_NEIGHBOURS = 20  # beyond that only neighbouring places are exchanged or tied
MOST_STEPS = 300

Judge = Callable[[Ints], Array]


@lru_cache(maxsize=2)
def all_rankings(k: int) -> Ints:
    """(m, k): 3, 13, 75, 541, 4683, 47293, 545835 for k = 2 … 8 (the Fubini numbers), each once."""
    levels = np.zeros((1, 1), dtype=np.int64)  # even numbers 0, 2, 4 …; odd ones are the gaps between them
    for _ in range(1, k):
        parts = []
        for top in np.unique(levels.max(axis=1)).tolist():
            some = levels[levels.max(axis=1) == top]
            for place in range(-1, top + 2):  # tied with a level, or in a gap
                parts.append(np.column_stack([some, np.full(len(some), place)]))
        levels = np.concatenate([_closed_up(part) for part in parts])
    rankings = doubled_row_ranks(levels.astype(np.float64)) - (k + 1)
    rankings.setflags(write=False)
    return rankings


def _closed_up(levels: Ints) -> Ints:
    """All rows have the last algorithm at the same place: if that is a gap, everything beyond it moves up."""
    place = int(levels[0, -1])
    if place % 2 == 0:
        return levels
    moved = levels + 2 * (levels > place)
    moved[:, -1] = place + 1
    return moved


def neighbours(ranking: Ints) -> Ints:
    """Rankings one step away: two algorithms exchanged, one tied with another, one put just behind another."""
    k = len(ranking)
    place = np.argsort(ranking, kind="stable")
    if k <= ALL_NEIGHBOURS:
        i, j = np.nonzero(~np.eye(k, dtype=bool))
    else:
        i = np.concatenate([place[:-1], place[1:]])
        j = np.concatenate([place[1:], place[:-1]])
    rows = np.arange(len(i))
    start = np.repeat(ranking[None, :].astype(np.float64), len(i), axis=0)
    tied, behind, swapped = start.copy(), start.copy(), start
    tied[rows, i] = ranking[j]
    behind[rows, i] = ranking[j] + 0.5
    swapped[rows, i], swapped[rows, j] = ranking[j], ranking[i]
    return doubled_row_ranks(np.concatenate([swapped, tied, behind])) - (k + 1)


def climb(start: Ints, judge: Judge) -> tuple[Ints, int]:
    """Step by step to the best neighbour, until none is better; and how many rankings were judged."""
    here, value, judged = start, float(judge(start[None, :])[0]), 1
    for _ in range(MOST_STEPS):
        around = neighbours(here)
        values = judge(around)
        judged += len(around)
        best = int(np.argmax(values))
        if not values[best] > value:
            break
        here, value = around[best], float(values[best])
    return here, judged


def starts(directions: list[Array], k: int, rng: np.random.Generator) -> list[Ints]:
    """The rankings along each direction; of few algorithms also against it, all tied, and three at random."""
    rows = list(directions)
    if k <= ALL_NEIGHBOURS:
        rows += [*(-direction for direction in directions), np.zeros(k), *rng.random((3, k))]
    return list(doubled_row_ranks(np.array(rows)) - (k + 1))


DRAWN = 80  # prior rankings for which the exact region is found: all with ties for up to four algorithms
BLOCK = 1 << 15  # prior rankings evaluated at once
OUTSIDE = 1e-9  # what counts as a component outside the range, relative to ranks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Extremes:
    """The least and the most favourable prior rankings for a difference."""

    data: RankPosteriorInput  # with the least favourable one
    white: WhitenedPosterior
    lower: RegionTest
    upper: RegionTest
    statistics: tuple[float, float]
    n_rankings: int  # how many were evaluated, some perhaps twice
    complete: bool  # those were all
    balanced: bool  # a mixture of rankings puts the posterior mean at equality: the lower bounds are 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Data:
    """The data that all prior rankings share."""

    n: int
    strength: float
    pivots: Ints
    to_white: Array  # (r, r) on the pivots, in the metric of A
    residual: Array  # (k, q): x @ residual is 0 for x in the range of A; no columns if that holds for every ranking
    mean: Array  # (k,) m
    unit: int  # of the data and of the prior rankings


def extremes(
    posterior: RankPosteriorInput, region: str, gamma: float, n_draws: int, rng: np.random.Generator
) -> Extremes:
    """Over all prior rankings, ties included; searched for where they are too many."""
    shared = _data(posterior)
    rankings, judged, complete = _candidates(shared, posterior.k, rng)
    parts = [_depths(shared, rankings[first : first + BLOCK]) for first in range(0, len(rankings), BLOCK)]
    depths, ranks = (np.concatenate(part) for part in zip(*parts, strict=True))
    if region == "ellipsoid":
        require_problems(posterior.n, int(ranks.max()), posterior.k)
        ends = _outermost(_contents(depths, ranks, posterior.n), depths)
        seed = 0
    else:
        chosen = _near_extremes(depths)
        complete = complete and len(chosen) == len(rankings)
        seed = int(rng.integers(0, 2**63))
        screened = _screened(posterior, rankings[chosen], gamma, min(n_draws, DEFAULT_DRAWS), seed)
        ends = _outermost(np.array([one.probability for one in screened]), depths[chosen])
        ends = int(chosen[ends[0]]), int(chosen[ends[1]])
    priors = [posterior.with_prior(rankings[end]) for end in ends]  # bounds from the same draws
    lower, upper = (
        region_test(whiten(data), data, region, gamma, n_draws, np.random.default_rng(seed)) for data in priors
    )
    nearest, farthest = (whiten(posterior.with_prior(rankings[i])).depth for i in (depths.argmin(), depths.argmax()))
    balanced = prior_can_balance(posterior)
    if balanced:
        nearest = 0.0
        lower = replace(lower, statistic=0.0, probability=0.0, standard_error=0.0, rejected=False, decided=True)
    return Extremes(
        data=priors[0],
        white=whiten(priors[0]),
        lower=lower,
        upper=upper,
        statistics=(nearest, farthest),
        n_rankings=judged,
        complete=complete,
        balanced=balanced,
    )


def prior_can_balance(data: RankPosteriorInput) -> bool:
    """Is −S/s a mean of rankings? Then a prior that mixes them puts the posterior mean at equality itself.

    Means of rankings are what every ranking majorises: the j largest of them never exceed k − 1, k − 3, … in sum.
    """
    opposite = np.sort(-data.deviations.sum(axis=0))[::-1]
    largest = np.arange(data.k - 1, -data.k, -2) * data.unit
    return data.strength > 0 and bool(np.all(np.cumsum(opposite) <= data.strength * np.cumsum(largest)))


def _data(data: RankPosteriorInput) -> _Data:
    sums, about_mean, _ = scatters(data)
    if data.k > EXACT_UP_TO:
        factors = eliminate_rounded(about_mean.astype(np.float64), sums.astype(np.float64))
    else:
        factors = eliminate(about_mean.tolist(), sums.tolist())
    pivots = factors.pivots
    to_white = np.asarray(np.linalg.inv(factors.lower).T * np.exp(-0.5 * factors.log_diagonal), dtype=np.float64)
    return _Data(
        n=data.n,
        strength=data.strength,
        pivots=pivots,
        to_white=to_white,
        residual=_residual(about_mean.astype(np.float64), pivots, to_white),
        mean=np.asarray(sums / data.n, dtype=np.float64),
        unit=data.unit,
    )


def _residual(about_mean: Array, pivots: Ints, to_white: Array) -> Array:
    """x_i − A_iJ A_JJ⁻¹ x_J for the rows i that are no pivots; all rankings are in the range if one row is left."""
    k = len(about_mean)
    others = np.setdiff1d(np.arange(k), pivots)
    if len(others) == 1:
        return np.zeros((k, 0))
    residual = np.zeros((k, len(others)))
    residual[others, np.arange(len(others))] = 1.0
    residual[pivots] = -(to_white @ to_white.T) @ about_mean[np.ix_(pivots, others)]
    return residual


def _candidates(data: _Data, k: int, rng: np.random.Generator) -> tuple[Ints, int, bool]:
    """Prior rankings, how many were judged to find them, and whether they are all."""
    if data.strength == 0:
        return np.zeros((1, k), dtype=np.int64), 1, True
    if k <= LISTED:
        return all_rankings(k) * data.unit, len(all_rankings(k)), True
    slope = np.zeros(k)
    slope[data.pivots] = data.to_white @ (data.mean[data.pivots] @ data.to_white)
    for_far, for_near = (starts([sign * data.mean, sign * slope], k, rng) for sign in (1, -1))
    rankings_found = [climb(start, lambda rankings: _depths(data, rankings * data.unit)[0]) for start in for_far]
    rankings_found += [climb(start, lambda rankings: -_depths(data, rankings * data.unit)[0]) for start in for_near]
    equal = np.zeros((1, k), dtype=np.int64)
    rankings = np.unique(np.concatenate([equal, [ranking for ranking, _ in rankings_found]]), axis=0)
    return rankings * data.unit, sum(judged for _, judged in rankings_found), False


def _depths(data: _Data, rankings: Ints) -> tuple[Array, Ints]:
    """(m,) the null's depth and (m,) the rank of the covariance, under each prior ranking (m, k)."""
    n, s = data.n, data.strength
    r, m = len(data.pivots), len(rankings)
    if s == 0:
        e, shrink, push = np.zeros((m, len(data.mean))), 1.0, 0.0
    else:
        e, shrink, push = rankings - data.mean, n / (n + s), s * n
    mean = data.mean
    white_mean, white_e = mean[data.pivots] @ data.to_white, e[:, data.pivots] @ data.to_white
    beyond_mean, beyond_e = mean @ data.residual, e @ data.residual
    size = np.einsum("ij,ij->i", beyond_e, beyond_e)
    nearly = OUTSIDE * (len(mean) * data.unit) ** 2
    leaves = size > nearly
    along = np.where(leaves, (beyond_e @ beyond_mean) / np.where(leaves, size, 1.0), 0.0)
    off = beyond_mean - along[:, None] * beyond_e
    outside = np.einsum("ij,ij->i", off, off) > nearly
    steps = np.where(leaves, (n + s) * along + s, 0.0)
    length = np.einsum("ij,ij->i", white_e, white_e)
    along_e = np.where(length > 0, (white_e @ white_mean) / np.where(length > 0, length, 1.0), 0.0)
    apart = white_mean - along_e[:, None] * white_e
    within = (n + s) * along_e + s - steps  # μ − μ₀ in units of e, as far as e lies in the range of A
    depths = shrink * (n + s) ** 2 * np.einsum("ij,ij->i", apart, apart)
    damped = np.where(leaves, 1.0, 1.0 + push * shrink * length)  # Sherman–Morrison
    depths += shrink * within**2 * length / damped
    if push > 0:
        depths += np.where(leaves, steps**2 / push, 0.0)  # e is a dimension of its own
    depths *= n + s + 1
    return np.where(outside, math.inf, depths), (r + leaves).astype(np.int64)


def _contents(depths: Array, ranks: Ints, n: int) -> Array:
    """(m,) content of the ellipsoid through the null."""
    finite = np.isfinite(depths)
    share = np.where(finite, depths, 0.0)
    share = np.where(finite, share / (share + max(n - 1, 1)), 1.0)
    return np.where(ranks == 0, share, betainc(np.maximum(ranks, 1) / 2, (n - ranks) / 2, share))


def _outermost(contents: Array, depths: Array) -> tuple[int, int]:
    order = np.lexsort([depths, contents])
    return int(order[0]), int(order[-1])


def _near_extremes(depths: Array) -> npt.NDArray[np.intp]:
    """All, or those with the smallest and the largest depths."""
    if len(depths) <= DRAWN:
        return np.arange(len(depths))
    order = np.argsort(depths, kind="stable")
    return np.concatenate([order[: DRAWN // 2], order[-DRAWN // 2 :]])


def _screened(data: RankPosteriorInput, rankings: Ints, gamma: float, n_draws: int, seed: int) -> list[RegionTest]:
    """The exact region under each prior ranking, from the same weights: one matrix product serves all."""
    forms = [whiten(data.with_prior(ranking)) for ranking in rankings]
    if data.k == 2:
        return [
            exact_region(form, data.with_prior(p), gamma, n_draws, np.random.default_rng(seed))
            for form, p in zip(forms, rankings, strict=True)
        ]
    ends = np.cumsum([form.rank for form in forms])
    atoms, prior = np.hstack([form.atoms for form in forms]), np.concatenate([form.prior for form in forms])
    pieces = weighted_means(atoms, prior, data.strength, n_draws, np.random.default_rng(seed))
    positions: list[list[Array]] = [[] for _ in forms]
    for piece in pieces:
        for place, part in zip(positions, np.split(piece, ends[:-1], axis=1), strict=True):
            place.append(depths_of(part))
    return [region_from_draws(np.concatenate(place), form, gamma) for place, form in zip(positions, forms, strict=True)]
