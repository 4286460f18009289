"""The Bayesian signed-rank test: how probable is it that a is better, judged by sizes of differences?"""

from functools import partial

import numpy as np
import numpy.typing as npt

from bakeoff.checks import probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution
from bakeoff.nulls.tails import drawn_share, share_error
from bakeoff.paired.differences import paired_differences
from bakeoff.randomness import generator
from bakeoff.ranks import TIE_ULPS
from bakeoff.scores import Array, Better, Scores
from bakeoff.scores.cells import read_only
from bakeoff.scores.clusters import cluster_codes
from bakeoff.scores.two_samples import TwoSamples, scores_of_two
from bakeoff.takes_table import of_two
from bakeoff.wings.bayes.dirichlet.shares import Pair, Triple
from bakeoff.wings.bayes.dirichlet.walsh_averages import (
    Side,
    WalshPosteriorInput,
    mean_shares,
    sample_shares,
    walsh_input,
)
from bakeoff.wings.bayes.dirichlet.weights import (
    DEFAULT_DRAWS,
    check_clusters,
    check_draws,
    check_rope,
    check_strength,
    sizes_of,
)
from bakeoff.wings.bayes.statements import cluster_shares
from bakeoff.wings.bayes.statements.cluster_shares import ClusterShares
from bakeoff.wings.bayes.statements.verdicts import (
    ThreeWay,
    all_ties,
    bounds_of_certainty,
    certain_by_clusters,
    near_the_level,
    pair_fields,
    refuse_rope_below_grid,
    single_sides,
    three_way_verdict,
    unanimous,
    verdict_of_bounds,
    with_edges,
)

NAME = "The Bayesian signed-rank test"
PAPER = "Benavoli et al. (2014), Proc. 31st ICML, 1026–1034"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignedRankPosterior(ThreeWay):
    """The result of :func:`bakeoff.bayes.signed_rank`.

    Without a rope ``p_better`` is P(better share > worse share). With a rope, each of the three is the probability that
    its share is the largest. Wins are beyond the rope. ``method`` is "monte-carlo", or "exact" if signs alone decide.
    """

    standard_error: float  # Monte Carlo error of the least certain of the three; 0 for method "exact"
    mean_shares: Triple  # exact posterior means of the three shares: better, equivalent, worse
    draws: Array  # (n_draws, 3) shares better, equivalent, worse; read-only; the first million
    n_draws: int
    wins: int
    losses: int
    prior_strength: float
    tie_ulps: int  # a sum within this many units in the last place of its scores from the edge lies on the edge

    @property
    def turned(self) -> "SignedRankPosterior":
        """The same pair as b against a."""
        return self._turned(mean_shares=self.mean_shares[::-1], draws=read_only(self.draws[:, ::-1]))


@of_two
def signed_rank(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    prior_strength: float = 1.0,
    rope: float = 0.0,
    n_draws: int = DEFAULT_DRAWS,
    rng: int | np.random.Generator | None = None,
    *,
    gamma: float = 0.05,
    better: Better | None = None,
) -> SignedRankPosterior:
    """How probable is it that a is better than b, practically equivalent, or worse, judged by sizes of differences?

    Use it for problems whose differences are comparable in size. Otherwise, or with infinite scores, use
    ``bo.bayes.sign_test``; for resampled runs of one problem ``bo.bayes.correlated_t``. Benavoli et al. (2014): docs.

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms), of which means over runs are used; weights are on clusters, if there
        are any. Or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.bayes.signed_rank(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    prior_strength : float
        s: the prior counts as s problems without a difference; 0 is the Bayesian bootstrap.
    rope : float
        Half the width of the region of practical equivalence, in score units; refused below the step of a grid.
    n_draws : int
        Draws from the posterior, at least 100.
    rng : None, int or numpy.random.Generator
        None: always the same draws, for any number of threads and any order of rows.
    gamma : float
        A verdict needs a probability above 1 − gamma.

    Returns
    -------
    SignedRankPosterior
        ``.p_better``, ``.p_equivalent``, ``.p_worse`` (of a; they sum to 1) with ``.standard_error``, ``.verdict``, and
        ``.draws``, the three shares of every draw.

    Raises
    ------
    InfiniteScoreError, UnknownNameError, ParameterError, WrongTypeError
        A score without a finite difference, an unknown algorithm, or a number out of range.

    Examples
    --------
    >>> import bakeoff as bo
    >>> plain = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957]
    >>> tuned = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]
    >>> s = bo.Scores(list(zip(tuned, plain)), algorithms=["C4.5+m", "C4.5"], better="higher")
    >>> result = bo.bayes.signed_rank(s, "C4.5+m", "C4.5")  # the scores of Demšar (2006), Table 2
    >>> result.verdict, result.p_better > 0.99
    ('a better', True)
    >>> bo.bayes.signed_rank(bo.Scores([[1, 1]] * 5, better="lower"), 0, 1).p_better  # identical algorithms
    0.5
    """
    scores, i, j = scores_of_two(scores, a, b, better)
    strength, width, draws = check_strength(prior_strength), check_rope(rope), check_draws(n_draws)
    level = probability("gamma", gamma)
    scores.require_finite(NAME, [i, j])
    check_clusters(scores, "the Bayesian signed-rank test")
    of = partial(_posterior, scores, i, j, strength, draws, generator(rng), level)
    return with_edges(of, scores, i, j, width)


def _posterior(
    scores: Scores, i: int, j: int, strength: float, draws: int, rng: np.random.Generator, level: float, width: float
) -> SignedRankPosterior:
    refuse_rope_below_grid(scores, i, j, width)
    alone = single_sides(scores, i, j)
    codes = None if scores.clusters is None else cluster_codes(scores)
    data = walsh_input(paired_differences(scores, i, j, NAME), strength, width, codes)
    shares, counted_draws = sample_shares(data, draws, rng)
    p = _probabilities(data, counted_draws, draws)
    error = 0.0 if data.certain else float(share_error(p, draws).max())
    bounds = _bounds_of_certainty(data, p, level)
    return SignedRankPosterior(
        **pair_fields(scores, i, j, p, width, level),
        standard_error=error,
        mean_shares=mean_shares(data),
        draws=read_only(shares),
        n_draws=draws,
        wins=data.wins,
        losses=data.losses,
        ties=scores.n_problems - data.wins - data.losses,
        prior_strength=strength,
        verdict="cannot tell" if alone else _verdict(p, bounds, level),
        certain_bounds=bounds if data.clusters is not None else None,
        method="exact" if data.certain else "monte-carlo",
        **sizes_of(scores),
        tie_ulps=TIE_ULPS,
        cautions=(*alone, *_cautions(data, p, error, level, draws, bounded=bounds is not None)),
    )


def _probabilities(data: WalshPosteriorInput, halves: tuple[int, int, int], n_draws: int) -> Triple:
    """From half draws counted; where the signs alone decide, from them."""
    if data.certain:
        return data.certain
    outcomes = sum(data.possible)
    better, equivalent, worse = (
        float(drawn_share(h / 2, n_draws, outcomes)) if possible else 0.0
        for h, possible in zip(halves, data.possible, strict=True)
    )
    return better, equivalent, worse


def _verdict(p: Triple, bounds: tuple[Pair, Pair, Pair] | None, gamma: float) -> str:
    """By the probabilities of signed ranks; the bounds, which go by signs or leads, can only call it in question."""
    verdict = three_way_verdict(p, gamma)
    return verdict if bounds is None or verdict_of_bounds(bounds, gamma) == verdict else "indeterminate"


def _bounds_of_certainty(data: WalshPosteriorInput, p: Triple, gamma: float) -> tuple[Pair, Pair, Pair] | None:
    """Bounds where all problems, or leads of clusters, agree: verdicts must survive one prior problem, or cluster."""
    if data.clusters is not None and data.certain != (0.5, 0.0, 0.5):
        shares = _cluster_shares(data)
        agree = cluster_shares.none_against(shares, data.strength, data.rope)
        pure = np.all((shares.won % 1.0 == 0) & (shares.lost % 1.0 == 0))  # each won, lost or tied as a whole
        if three_way_verdict(p, gamma) == "undecided" or (pure and not agree):
            return None
        return cluster_shares.certainty_bounds(p, shares, data.strength, data.rope, gamma)
    if not data.certain:
        return None
    ties = data.n - data.wins - data.losses
    return bounds_of_certainty(p, (data.wins, ties, data.losses), data.rope)


def _cluster_shares(data: WalshPosteriorInput) -> ClusterShares:
    """(G,) shares of each cluster's own Walsh averages (i = j included) above and below the rope."""
    assert data.clusters is not None
    codes = np.append(data.clusters.codes, np.full(len(data.above.signs) - data.n, -1))
    above, below = (_own_share(side, codes, data.clusters.sizes) for side in (data.above, data.below))
    return ClusterShares(won=above, lost=below, shapes=np.ones(len(above)))


def _own_share(side: Side, codes: npt.NDArray[np.intp], sizes: npt.NDArray[np.int64]) -> Array:
    """A sum has the sign of its larger member: the positive one at place t of its cluster decides 2t − 1 of m² sums."""
    shares = np.zeros(len(sizes))
    ordered, positive = codes[side.order], side.signs[side.order] > 0
    for g, size in enumerate(sizes.tolist()):
        places = 1 + np.flatnonzero(positive[ordered == g])
        shares[g] = (2 * places - 1).sum() / size**2
    return shares


def _cautions(
    data: WalshPosteriorInput, p: Triple, error: float, gamma: float, n_draws: int, *, bounded: bool
) -> tuple[Caution, ...]:
    if data.certain == (0.5, 0.0, 0.5):
        return (all_ties(PAPER),)
    if data.clusters is not None and bounded:
        agree = cluster_shares.none_against(_cluster_shares(data), data.strength, data.rope)
        return (certain_by_clusters(data.clusters.n, agree, gamma, PAPER),)
    if data.certain:
        return (unanimous(data.wins + data.losses if data.rope == 0 else 0, data.n, PAPER),)
    return near_the_level(p, error, gamma, n_draws)
