"""The Bayesian sign test: how probable is it that a is better on more problems than b?"""

from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.paired.differences import counts, directions
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Better, Scores
from bakeoff.scores.two_samples import TwoSamples, scores_of_two
from bakeoff.takes_table import of_two
from bakeoff.wings.bayes.dirichlet.shares import Pair, Triple, beta_interval, heaviside_interval
from bakeoff.wings.bayes.dirichlet.weights import (
    check_clusters,
    check_prior_weights,
    check_rope,
    check_strength,
    cluster_rows,
    sizes_of,
)
from bakeoff.wings.bayes.statements import cluster_shares
from bakeoff.wings.bayes.statements.cluster_shares import ClusterShares
from bakeoff.wings.bayes.statements.verdicts import (
    ThreeWay,
    all_ties,
    bounds_of_certainty,
    certain_by_clusters,
    pair_fields,
    prior_bounds,
    refuse_rope_below_grid,
    sign_probabilities,
    single_sides,
    three_way_verdict,
    unanimous,
    verdict_of_bounds,
    with_edges,
)

PRIORS = ("equal", "ignorance")
PAPER = "Benavoli et al. (2015)"
REFERENCE = f"{PAPER}, Theorem 2 and section 7"
BOUNDS = ' prior="ignorance" gives bounds over all priors.'


@dataclass(frozen=True, slots=True, kw_only=True)
class SignPosterior(ThreeWay):
    """The result of :func:`bakeoff.bayes.sign_test`.

    Without a rope ``p_better`` is P(E[H] > 1/2). With a rope, each of the three is the probability that its outcome has
    the largest share of all problems. Wins are beyond the rope.
    """

    p_better_bounds: Pair | None  # lowest and highest over all prior guesses; None for prior="equal"
    p_equivalent_bounds: Pair | None  # certain bounds of the probability of practical equivalence, or None
    p_worse_bounds: Pair | None  # certain bounds of the probability that b is better, or None
    wins: int
    losses: int
    prior: str  # "equal" | "ignorance" | "weights"
    prior_strength: float
    prior_weights: tuple[float, float, float] | None  # of the prior: a better, a tie, b better; None: any
    standard_error: float = 0.0  # Monte Carlo error of the probabilities: with clusters and a rope they are drawn
    interval: (
        Pair  # 1 − gamma credible, of P(a better) + P(tie)/2 on a new problem; "ignorance": over all prior guesses
    )
    """Credible interval of the probability that a is better."""
    interval_decided: Pair | None  # 1 − gamma credible, of P(a better | no tie); None if every problem is a tie

    @property
    def turned(self) -> "SignPosterior":
        """The same pair as b against a."""
        return self._turned(
            p_better_bounds=self.p_worse_bounds,
            p_worse_bounds=self.p_better_bounds,
            prior_weights=self.prior_weights and self.prior_weights[::-1],
            interval=_complement(self.interval),
            interval_decided=self.interval_decided and _complement(self.interval_decided),
        )


def _complement(interval: Pair) -> Pair:
    """The posterior of the share that is left to 1."""
    return 1.0 - interval[1], 1.0 - interval[0]


@of_two
def sign_test(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    prior_strength: float = 1.0,
    rope: float = 0.0,
    *,
    prior: Literal["equal", "ignorance"] | tuple[float, float, float] = "equal",
    gamma: float = 0.05,
    better: Better | None = None,
) -> SignPosterior:
    """How probable is it that a beats b on more problems than it loses?

    Use it if scores of different problems are not comparable in size, or if some runs failed (infinite scores). If
    differences are comparable, ``bo.bayes.signed_rank`` uses more of the data; for many pairs use ``bo.bayes.compare``.
    Benavoli et al. (2015), equations 9 and 22; a tie counts half to each side. Definitions: docs/guides/bayes.md.

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms), of which means over runs are used; with clusters, these have the
        weights, and shares of problems are means over clusters. Or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.bayes.sign_test(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    prior_strength : float
        s: the prior counts as s problems; 0 is the Bayesian bootstrap. With ``rope=0`` and ``prior="equal"`` it affects
        the interval only.
    rope : float
        Half the width of the region of practical equivalence, in the unit of the scores. Refused below the step of
        scores on a grid (0/1, counts): docs/guides/bayes.md.
    prior : {"equal", "ignorance"} or three numbers
        The prior mass lies within the rope, or anywhere; then probabilities become bounds. Or shares of it, which sum
        to 1: a better, a tie (or within the rope), b better (α* of equation 4). With clusters only for ``rope=0``.
    gamma : float
        A verdict needs a probability above 1 − gamma; intervals contain 1 − gamma.

    Returns
    -------
    SignPosterior
        ``.p_better``, ``.p_equivalent``, ``.p_worse`` (of a; they sum to 1), ``.interval``, ``.verdict``; with
        ``prior="ignorance"`` also ``.p_better_bounds`` and the like.

    Raises
    ------
    UnknownNameError, ParameterError, WrongTypeError
        An algorithm or option that does not exist, or a number out of range.

    Examples
    --------
    >>> import bakeoff as bo
    >>> scores = bo.Scores([[0, 1]] * 20 + [[1, 0]] * 10, algorithms=["X2", "X3"], better="lower")
    >>> result = bo.bayes.sign_test(scores, "X2", "X3")  # Benavoli et al. (2015), Table 1: 20 of 30
    >>> round(result.p_worse, 4), result.verdict
    (0.0307, 'a better')
    >>> bo.bayes.sign_test(scores, "X2", "X3", prior="ignorance").verdict
    'a better'
    """
    scores, i, j = scores_of_two(scores, a, b, better)
    strength, width = check_strength(prior_strength), check_rope(rope)
    weights = None if prior == "ignorance" else (0.0, 1.0, 0.0) if prior == "equal" else check_prior_weights(prior)
    name = prior if isinstance(prior, str) else "weights"
    level = probability("gamma", gamma)
    return with_edges(partial(_posterior, scores, i, j, strength, name, weights, level), scores, i, j, width)


def _posterior(
    scores: Scores,
    i: int,
    j: int,
    strength: float,
    prior: str,
    weights: tuple[float, float, float] | None,
    level: float,
    width: float,
) -> SignPosterior:
    refuse_rope_below_grid(scores, i, j, width)
    alone = single_sides(scores, i, j)
    signs, rows = beyond_rope(scores, i, j, width), cluster_rows(check_clusters(scores, "the Bayesian sign test"))
    wins, losses, ties = counts(signs)
    certain, error, method = None, 0.0, "closed form" if width == 0 else "quadrature"
    one_way: Caution | None = None
    if rows is None:
        own = tuple(strength * share for share in weights or (0.0, 1.0, 0.0))
        p = sign_probabilities(wins + own[0], ties + own[1], losses + own[2], width)
        bounds = prior_bounds(wins, ties, losses, strength, width) if prior == "ignorance" else None
        if prior == "weights":  # one problem more, beside the reader's own
            certain = bounds_of_certainty(p, (wins + own[0], ties + own[1], losses + own[2]), width)
        judged = bounds or certain or bounds_of_certainty(p, (wins, ties, losses), width)
        interval, decided = _intervals(wins, ties, losses, None if prior == "ignorance" else own, strength, level)
    elif weights is not None and prior == "weights" and width > 0:
        rule = 'must be "equal" or "ignorance" for problems in clusters with a rope; leave out the rope or the weights'
        raise ParameterError(f"{rule}; got {weights}", parameter="prior")
    else:
        shares, s = cluster_shares.shares_of(signs, rows), strength
        if weights is not None and prior == "weights":
            shares, s = shares.with_prior([strength * share for share in weights]), 0.0
        p, error = cluster_shares.probabilities(shares, s, width)
        bounds = cluster_shares.share_bounds(shares, s, width) if prior == "ignorance" else None
        certain = cluster_shares.certainty_bounds(p, shares, s, width, level)
        judged = bounds or certain
        interval, decided = _cluster_intervals(shares, s, prior, level)
        method = "quadrature" if width == 0 else "monte-carlo"
        if certain and prior == "equal":
            agree = cluster_shares.none_against(shares, strength, width)
            one_way = certain_by_clusters(rows.n, agree, level, REFERENCE, BOUNDS)
    verdict = verdict_of_bounds(judged, level) if judged else three_way_verdict(p, level)
    return SignPosterior(
        **pair_fields(scores, i, j, p, width, level),
        p_better_bounds=bounds[0] if bounds else None,
        p_equivalent_bounds=bounds[1] if bounds else None,
        p_worse_bounds=bounds[2] if bounds else None,
        wins=wins,
        losses=losses,
        ties=ties,
        prior=prior,
        prior_strength=strength,
        prior_weights=weights,
        interval=interval,
        interval_decided=decided,
        verdict="cannot tell" if alone else verdict,
        method=method,
        standard_error=error,
        certain_bounds=certain,
        **sizes_of(scores),
        cautions=(
            *alone,
            *_cautions(wins, ties, losses, width, one_way, judge_problems=prior == "equal" and rows is None, p=p),
        ),
    )


def beyond_rope(scores: Scores, a: int, b: int, rope: float) -> npt.NDArray[np.int8]:
    """(n,) +1 where a is better by more than the rope, −1 where b is, 0 within; infinite scores are ordered."""
    if rope == 0:
        return directions(scores, a, b)
    first, second = scores.costs[:, a], scores.costs[:, b]
    tolerance = tie_tolerance(np.maximum(scores.scales[:, [a, b]].max(axis=1), rope))
    with np.errstate(over="ignore", invalid="ignore"):
        d = np.where(first == second, 0.0, second - first)  # equal infinities tie
    return np.where(d - rope > tolerance, 1, np.where(d + rope < -tolerance, -1, 0)).astype(np.int8)


def _intervals(
    wins: int, ties: int, losses: int, own: tuple[float, ...] | None, s: float, gamma: float
) -> tuple[Pair, Pair | None]:
    """Intervals of θ_g + θ_t/2 and of θ_g/(1 − θ_t); under ignorance from the least to the most favourable prior."""
    if own is not None:
        better, worse = wins + own[0], losses + own[2]
        decided = beta_interval(better, worse, gamma) if better + worse > 0.0 else None
        return heaviside_interval(better, ties + own[1], worse, gamma), decided
    low = heaviside_interval(wins, ties, losses + s, gamma)[0]
    high = heaviside_interval(wins + s, ties, losses, gamma)[1]
    if wins + losses + s == 0:
        return (low, high), None
    return (low, high), (beta_interval(wins, losses + s, gamma)[0], beta_interval(wins + s, losses, gamma)[1])


def _cluster_intervals(shares: ClusterShares, s: float, prior: str, gamma: float) -> tuple[Pair, Pair | None]:
    """The same by clusters."""
    if prior != "ignorance":
        decided = cluster_shares.interval_decided(shares, gamma) if shares.decided else None
        return cluster_shares.interval(shares, s, gamma), decided
    ends = [cluster_shares.interval(shares, s, gamma, place) for place in (-1, 1)]
    if not shares.decided and s == 0:
        return (ends[0][0], ends[1][1]), None
    apart = [cluster_shares.interval_decided(shares, gamma, s, place) for place in (-1, 1)]
    return (ends[0][0], ends[1][1]), (apart[0][0], apart[1][1])


def _cautions(
    wins: int, ties: int, losses: int, rope: float, of_clusters: Caution | None, *, judge_problems: bool, p: Triple
) -> tuple[Caution, ...]:
    decided, n = wins + losses, wins + ties + losses
    if rope == 0 and decided == 0 and p[0] == p[2]:
        return (all_ties(f"{PAPER}, Theorem 2"),)
    if of_clusters is not None:
        return (of_clusters,)
    if judge_problems and (decided == 0 or (rope == 0 and (wins == 0 or losses == 0))):
        return (unanimous(decided, n, REFERENCE, BOUNDS),)
    if rope == 0 and 2 * ties > n:
        return (caution_of("ties", "problems", problems=counted(ties, "problem"), n=n),)
    return ()
