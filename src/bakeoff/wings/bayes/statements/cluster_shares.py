"""Shares of problems won, tied and lost by clusters: the sign test with Dirichlet weights on clusters.

θ_g = Σ_c w_c won_c, θ_t = w₀ + Σ_c w_c tied_c, θ_l = Σ_c w_c lost_c, won_c, tied_c and lost_c the shares of cluster c.
Without a region of equivalence every probability is that of the sign of a weighted sum, without draws (``gamma_sums``);
with one, which of three is the largest is drawn.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.nulls.numerics import root_between
from bakeoff.nulls.tails import drawn_share, share_error
from bakeoff.randomness import chunk_size, generator, in_chunks, product
from bakeoff.scores import Array
from bakeoff.special import ndtri
from bakeoff.wings.bayes.dirichlet.gamma_sums import positive_probability
from bakeoff.wings.bayes.dirichlet.shares import Pair, Triple
from bakeoff.wings.bayes.dirichlet.weights import ClusterRows, gammas
from bakeoff.wings.bayes.statements.verdicts import AGAINST, ends_of, three_way_verdict

DRAWS = 200_000  # of the three shares, where there is a region of equivalence; always the same ones
ROUNDING = 1e-12  # shares are whole numbers over the size of a cluster: a smaller difference is none


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusterShares:
    """(G,) each."""

    won: Array
    lost: Array
    shapes: Array  # 1 for a cluster; of the prior's mass its strength

    def with_prior(self, strengths: npt.ArrayLike) -> ClusterShares:
        """Three clusters more of these strengths: a better, all tied, b better."""
        own = np.asarray(strengths, dtype=np.float64)
        there = own > 0
        return ClusterShares(
            won=np.append(self.won, np.array([1.0, 0.0, 0.0])[there]),
            lost=np.append(self.lost, np.array([0.0, 0.0, 1.0])[there]),
            shapes=np.append(self.shapes, own[there]),
        )

    @property
    def tied(self) -> Array:
        return np.maximum(0.0, 1.0 - (self.won + self.lost))

    @property
    def decided(self) -> bool:
        return bool(self.won.any() or self.lost.any())


def shares_of(directions: npt.NDArray[np.int8], rows: ClusterRows) -> ClusterShares:
    """From (n,) +1 where a is better, −1 where b is."""
    return ClusterShares(won=rows.means(directions > 0), lost=rows.means(directions < 0), shapes=np.ones(rows.n))


def probabilities(shares: ClusterShares, strength: float, rope: float, place: int = 0) -> tuple[Triple, float]:
    """P(better), P(equivalent), P(worse), and the Monte Carlo error; ``place``: the prior on +1 better, −1 worse."""
    if rope > 0:
        return _largest(shares, strength, place)
    atom, shapes = [float(place)], np.append(shares.shapes, strength)
    lead = np.append(shares.won - shares.lost, atom)
    better, worse = positive_probability(np.vstack([lead, -lead]), shapes).tolist()
    return (better, 0.0, worse), 0.0


def share_bounds(shares: ClusterShares, strength: float, rope: float) -> tuple[Pair, Pair, Pair]:
    """Lowest and highest of each probability: all prior mass on one of the three."""
    return ends_of(probabilities(shares, strength, rope, place)[0] for place in (1, 0, -1))


def certainty_bounds(
    p: Triple, shares: ClusterShares, strength: float, rope: float, gamma: float
) -> tuple[Pair, Pair, Pair] | None:
    """Bounds over all priors as strong as one cluster, which a verdict must survive; None: it need not.

    It must if no cluster leads the other way, however many of its problems do, or if clusters are too few for any
    verdict. A stronger prior within the rope is the reader's own, and counts.
    """
    few = never_a_verdict(float(shares.shapes.sum()), gamma) and (rope == 0 or strength <= AGAINST)
    needed = none_against(shares, strength, rope) or (few and three_way_verdict(p, gamma) != "undecided")
    return share_bounds(shares, AGAINST, rope) if needed else None


def none_against(shares: ClusterShares, strength: float, rope: float) -> bool:
    """Does the same of the three lead in every cluster that has a leader, and nothing in the prior oppose it?

    Without a rope only wins and losses are compared.
    """
    lead = shares.won - shares.lost
    if rope == 0:
        return leads_agree(lead)
    if leads_agree(np.minimum(shares.tied - shares.won, shares.tied - shares.lost), upwards=True):
        return True
    first = shares.won if lead.sum() > 0 else shares.lost
    other = shares.lost if lead.sum() > 0 else shares.won
    return strength == 0 and leads_agree(first - np.maximum(shares.tied, other), upwards=True)


def leads_agree(leads: Array, *, upwards: bool = False) -> bool:
    """Is there a lead, and none the other way? Differences of shares that are 0 except for rounding are 0."""
    up, down = bool((leads > ROUNDING).any()), bool((leads < -ROUNDING).any())
    return up and not down if upwards else up != down


def never_a_verdict(n_clusters: float, gamma: float) -> bool:
    """Would one more cluster against them leave any verdict open, even one with all problems of all clusters for it?"""
    return bool(0.5**n_clusters >= gamma)


def interval(shares: ClusterShares, strength: float, gamma: float, place: int = 0) -> Pair:
    """Equal-tail, of P(a better) + P(tie)/2 on a random problem of a random cluster."""
    half = shares.won + shares.tied / 2.0
    atoms, shapes = np.append(half, 0.5 + place / 2.0), np.append(shares.shapes, strength)
    return _quantiles(atoms, np.ones(len(atoms)), shapes, gamma)


def interval_decided(shares: ClusterShares, gamma: float, strength: float = 0.0, place: int = 0) -> Pair:
    """The interval of P(a better | no tie)."""
    won, lost = np.append(shares.won, float(place > 0)), np.append(shares.lost, float(place < 0))
    return _quantiles(won, won + lost, np.append(shares.shapes, strength), gamma)


def _quantiles(top: Array, bottom: Array, shapes: Array, gamma: float) -> Pair:
    """The x with P(Σ w top / Σ w bottom <= x) = γ/2 and 1 − γ/2, between 0 and 1.

    The ratio is above x where Σ w (top − x bottom) > 0. Found on the scale of normal quantiles, on which its law is
    nearly a line, from the normal distribution with its mean and variance.
    """
    middle = float(shapes @ top / (shapes @ bottom))
    total = float(shapes.sum())
    variance = float(shapes @ (top - middle * bottom) ** 2)
    if variance <= 1e-24 * total:  # a point
        return middle, middle
    spread = math.sqrt(variance / total / (total + 1.0)) * total / float(shapes @ bottom)

    def above(x: float) -> float:
        return float(positive_probability((top - x * bottom)[None, :], shapes)[0])

    def quantile(upper: float) -> float:
        goal = float(ndtri(upper))

        def excess(x: float) -> float:
            return goal - float(ndtri(min(max(above(x), 1e-300), 1.0 - 1e-16)))

        guess, reach = middle - goal * spread, 0.25 * spread
        low, high = max(0.0, min(guess - reach, 1.0)), min(1.0, max(guess + reach, 0.0))
        while low > 0.0 and excess(low) > 0.0:
            low, high, reach = max(0.0, low - 2.0 * reach), low, 2.0 * reach
        while high < 1.0 and excess(high) < 0.0:
            low, high, reach = high, min(1.0, high + 2.0 * reach), 2.0 * reach
        return root_between(excess, low, high, 1e-11)

    return quantile(1.0 - gamma / 2.0), quantile(gamma / 2.0)


def _largest(shares: ClusterShares, strength: float, place: int) -> tuple[Triple, float]:
    """The share of draws in which each of the three is the largest; never 0 or 1 where it could be otherwise."""
    table = np.column_stack([shares.won, shares.tied, shares.lost])
    prior = np.array([float(place > 0), float(place == 0), float(place < 0)])
    counts = np.zeros(3)

    def work(stream: np.random.Generator, size: int) -> Array:
        clusters, atom = gammas(stream, size, len(table), strength)
        drawn = product(clusters, table) + atom[:, None] * prior
        return np.bincount(drawn.argmax(axis=1), minlength=3).astype(np.float64)

    for part in in_chunks(work, DRAWS, chunk_size(len(table)), generator(None)):
        counts = np.asarray(counts + part)
    possible = [bool(column.any()) or (strength > 0 and at > 0) for column, at in zip(table.T, prior, strict=True)]
    only = sum(possible) == 1
    drawn = drawn_share(counts, DRAWS, max(2, sum(possible))).tolist()
    p = [float(there) * (1.0 if only else share) for share, there in zip(drawn, possible, strict=True)]
    better, equivalent, worse = (share / math.fsum(p) for share in p)
    error = 0.0 if only else float(share_error(np.array(p), DRAWS).max())
    return (better, equivalent, worse), error
