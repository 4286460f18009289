"""The posterior of every algorithm's place by mean rank, best, second, …, and the loss of choosing it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import choice
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError, TooLargeError, counted, listing
from bakeoff.nulls.tails import share_error
from bakeoff.randomness import chunk_size, generator, in_chunks
from bakeoff.ranks import Ints, refuse_overflow
from bakeoff.ranks.cautions import one_process
from bakeoff.ranks.problem_order import problem_order
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.takes_table import takes_table
from bakeoff.wings.bayes.dirichlet.gamma_sums import positive_probability
from bakeoff.wings.bayes.dirichlet.mean_ranks import (
    RankPosteriorInput,
    check_ranking,
    posterior_covariance,
    posterior_input,
    posterior_mean,
    weighted_means,
)
from bakeoff.wings.bayes.dirichlet.rank_histograms import (
    DistinctColumns,
    RankCounts,
    RankHistograms,
    distinct_columns,
    gathered,
)
from bakeoff.wings.bayes.dirichlet.shrunken_ranks import ShrunkenRanks, shrunken_ranks
from bakeoff.wings.bayes.dirichlet.weights import (
    DEFAULT_DRAWS,
    check_draws,
    check_strength,
    cluster_rows,
    sizes_of,
    unit_drawn,
)
from bakeoff.wings.bayes.statements.sign_statements import (
    best_is_beaten,
    failure_probability,
    list_statements,
    majority_circle,
    sure_majorities,
)
from bakeoff.wings.bayes.statements.statement import best_first

LOSSES = ("rank", "score")
PRIORS = ("flat", "exchangeable", "equal")
OR_WORDS = f"one of {', '.join(map(repr, PRIORS))}, or "
MOST_ALGORITHMS = 2000
MOST_IN_PAIRS = 1000  # algorithms; of more, pairs are not compared
SURE = 0.95  # of who beats whom, where it contradicts the mean ranks
LEVELS = (0.025, 0.25, 0.5, 0.75, 0.975)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankPosterior:
    """The result of :func:`bakeoff.bayes.rank_probabilities`; everything is in column order."""

    algorithms: tuple[str, ...]
    mean_ranks: Array  # (k,) exact posterior means of the mean ranks; 1 is best
    standard_deviations: Array  # (k,) exact, of the mean ranks
    p_best: Array  # (k,) probability of having the lowest mean rank; if no problem contradicts it, at most 1 − ½ⁿ
    standard_error: Array  # (k,) of p_best
    p_rank: Array  # (k, k) row: algorithm, column: place 1..k by mean rank; rows and columns sum to 1
    rank_standard_error: Array  # (k, k) Monte Carlo errors of p_rank
    expected_loss: Array  # (k,) of choosing this algorithm
    loss_standard_error: Array  # (k,) Monte Carlo errors of expected_loss
    loss: str  # "rank": in mean ranks; "score": in the unit of the scores
    prior: str  # "equal" (flat) | "exchangeable" | "ranking"
    prior_ranking: tuple[str, ...] | None  # of prior="ranking": the algorithms, best first
    quantile_levels: tuple[float, ...]  # of the quantiles
    quantiles: Array  # (k, levels) of the mean ranks
    grid: Array  # (bins,) mean ranks, equally spaced
    ridges: Array  # (k, bins) posterior density of the mean ranks at the grid
    prior_strength: float
    n_draws: int
    n_problems: int
    n_tied: int  # problems on which some algorithms share a rank
    n_dropped: int
    method: str
    cautions: tuple[Caution, ...]
    n_clusters: int | None = None  # the independent draws, if scores have clusters; otherwise problems are


@takes_table
def rank_probabilities(
    scores: Scores,
    prior_strength: float = 1.0,
    n_draws: int = DEFAULT_DRAWS,
    rng: int | np.random.Generator | None = None,
    *,
    loss: Literal["rank", "score"] = "rank",
    prior: Literal["flat", "exchangeable", "equal"] | Sequence[str] = "flat",
) -> RankPosterior:
    """How probable is each algorithm to be the best, the second, …, and what is the expected loss of choosing it?

    Use it to choose an algorithm: the one with the smallest expected loss, even if no difference is established. Mean
    ranks depend on which other algorithms are in the table; to show that one beats another use ``bo.bayes.compare``.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); with clusters these are the independent draws, and mean ranks those of clusters.
    prior_strength : float
        s: the prior counts as s problems. At equality it shrinks mean ranks and losses; rank probabilities do not
        depend on it.
    n_draws : int
        Draws of the posterior, at least 100.
    rng : int or numpy.random.Generator, optional
        Seed 0 if absent.
    loss : {"rank", "score"}
        Distance from the best in mean rank, or in mean score (only if scores of different problems can be averaged).
    prior : {"flat", "exchangeable"} or sequence of str
        All algorithms equal, without shrinkage; or mean ranks shrunk towards each other ("rank" only), as ``overview``
        has it by default from three algorithms on: docs/guides/bayes.md. Or one ranking ("rank" only): the names of all
        algorithms, best first.

    Returns
    -------
    RankPosterior
        ``.p_best`` (k,), ``.p_rank`` (k, k), at most 1 − ½ⁿ if n problems all agree, ``.expected_loss`` (k,), with
        Monte Carlo standard errors; ``.mean_ranks`` (exact), ``.quantiles``; ``.grid``, ``.ridges`` for densities.

    Raises
    ------
    ParameterError, InfiniteScoreError, TooLargeError
        A number or option out of range; ``loss="score"`` with an infinite score; more than 2000 algorithms.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[0, 1]] * 20 + [[1, 0]] * 10, algorithms=["new", "old"], better="lower")
    >>> found = bo.bayes.rank_probabilities(s)
    >>> found.p_best.round(4)  # 1 − .0307: Benavoli et al. (2015), Table 1
    array([0.9693, 0.0307])
    >>> found.mean_ranks.round(4)  # (1.5 + 20·1 + 10·2)/31, equation 16
    array([1.3387, 1.6613])
    """
    scores = check_scores(scores)
    s, draws = check_strength(prior_strength), check_draws(n_draws)
    choice("loss", loss, LOSSES)
    places_before = None if isinstance(prior, str) else check_ranking(scores, prior, OR_WORDS)
    if loss != "rank" and places_before is not None:
        raise ParameterError(f"must be 'rank' with a prior ranking; got {loss!r}", parameter="loss")
    named = "ranking" if places_before is not None else choice("prior", prior, PRIORS)
    shrunk = _shrunk(scores, s, loss) if named == "exchangeable" else None
    if scores.n_algorithms > MOST_ALGORITHMS:
        raise TooLargeError(
            f"bo.bayes.rank_probabilities: at most {MOST_ALGORITHMS} algorithms, as every place of each is counted; "
            f"got {scores.n_algorithms}. Select those that matter: scores.select(algorithms=[…])."
        )
    data = posterior_input(scores, s, places_before)
    columns, unit = _columns(scores, data, loss)
    mean, covariance = posterior_mean(data), posterior_covariance(data)
    if shrunk is not None:
        mean, covariance = (data.k + 1) / 2 + shrunk.moments()[0], shrunk.moments()[1]
    sd = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    ranks = _with_prior(data)
    places = RankCounts(ranks)
    centre = (data.k + 1) / 2
    ridges = RankHistograms(ranks, mean[ranks.first] - centre, sd[ranks.first], shrunk is None)
    drawn = gathered(_draws(ranks, columns, s, draws, generator(rng), shrunk))
    lost, loss_error = _losses(drawn, columns, ranks.n, draws, unit, (places, ridges))
    if data.k == 2 and loss == "rank" and shrunk is None and not data.clustered:
        lost, loss_error = _exact_loss_for_two(data), np.zeros(2)
    certain, rank_error = _places(data, places, draws, bool(sd.any()), shrunk)
    relabelled, fewest = _relabelled(data, certain)
    p_rank, rank_error = certain + relabelled * (1.0 / data.k - certain), (1.0 - relabelled) * rank_error
    lost = lost + relabelled * (lost.mean() - lost)
    loss_error = loss_error + relabelled * (loss_error.mean() - loss_error)
    return RankPosterior(
        algorithms=scores.algorithms,
        mean_ranks=read_only(mean),
        standard_deviations=read_only(sd),
        p_best=read_only(p_rank[:, 0].copy()),
        standard_error=read_only(rank_error[:, 0].copy()),
        p_rank=read_only(p_rank),
        rank_standard_error=read_only(rank_error),
        expected_loss=read_only(lost),
        loss_standard_error=read_only(loss_error),
        loss=loss,
        prior="equal" if named == "flat" else named,
        prior_ranking=best_first(scores, places_before),
        quantile_levels=LEVELS,
        quantiles=read_only(ridges.quantiles(LEVELS) + centre),
        grid=read_only(ridges.grid + centre),
        ridges=read_only(ridges.densities()),
        prior_strength=s,
        n_draws=draws,
        **sizes_of(scores),
        n_tied=data.n_tied,
        method="exact" if data.k == 2 else "Monte Carlo",
        cautions=(
            *([alone] if (alone := one_process(scores)) else []),
            *_certain_from_few(scores, fewest),
            *_cautions(scores, ranks),
            *_conflicts(scores, data, places_before),
        ),
    )


def _conflicts(scores: Scores, data: RankPosteriorInput, places: Ints | None) -> tuple[Caution, ...]:
    """Caution where majorities contradict mean ranks, with probability above 0.95."""
    mean_ranks = posterior_mean(data)
    k = scores.n_algorithms
    if k == 2 or k > MOST_IN_PAIRS:
        return ()
    beats = sure_majorities(list_statements(scores, places, data.strength), k, SURE)
    return (
        *best_is_beaten(scores.algorithms, mean_ranks, beats, SURE),
        *majority_circle(scores.algorithms, mean_ranks, beats, SURE),
    )


def _columns(scores: Scores, data: RankPosteriorInput, loss: str) -> tuple[DistinctColumns, float]:
    """(n, c) what is averaged in the loss, in the unit returned: the largest difference, so that no sum overflows."""
    if loss == "rank":
        return _with_prior(data), 1.0
    scores.require_finite('bo.bayes.rank_probabilities(loss="score")')
    costs, rows = scores.costs, cluster_rows(scores)
    with np.errstate(over="ignore"):
        behind = costs - costs.min(axis=1, keepdims=True)  # a problem's level is no difference; digits are kept
    refuse_overflow(behind, 'bo.bayes.rank_probabilities(loss="score")')
    behind = behind[problem_order(scores)] if rows is None else rows.means(behind)
    unit = float(behind.max()) or 1.0
    return distinct_columns(np.vstack([behind / unit, np.zeros(data.k)])), unit


def _with_prior(data: RankPosteriorInput) -> DistinctColumns:
    """(n + 1, u) centred ranks; the last row is the prior's: algorithms that it tells apart are not equal."""
    return distinct_columns(np.vstack([data.centred_ranks, data.prior / (2.0 * data.unit)]))


def _losses(
    drawn: Iterable[Array],
    columns: DistinctColumns,
    n_ranks: int,
    draws: int,
    unit: float,
    seen: tuple[RankCounts, RankHistograms],
) -> tuple[Array, Array]:
    """(k,) mean losses and their errors; the mean ranks, the first ``n_ranks`` columns of the draws, go to ``seen``."""
    sums, squares = np.zeros(columns.n), np.zeros(columns.n)
    for rows in drawn:
        for kept in seen:
            kept.add(rows[:, :n_ranks])
        costs = rows[:, n_ranks:]
        behind = costs - costs.min(axis=1, keepdims=True)
        sums += behind.sum(axis=0)
        squares += (behind**2).sum(axis=0)
    variance = np.maximum(squares / draws - (sums / draws) ** 2, 0.0)
    lost, error = sums / draws * unit, np.sqrt(variance / draws) * unit
    # no draw with a loss: as for a share, no proof that there is none, unless no problem shows one
    never = (columns.values <= columns.values.min(axis=1, keepdims=True)).all(axis=0)
    reach = float(np.ptp(columns.values)) * unit * float(share_error(0.0, draws))
    return lost[columns.of], np.where((sums == 0) & ~never, reach, error)[columns.of]


def _draws(
    ranks: DistinctColumns,
    columns: DistinctColumns,
    s: float,
    draws: int,
    rng: np.random.Generator,
    shrunk: ShrunkenRanks | None,
) -> Iterator[Array]:
    """(size, u + c) mean ranks of the distinct columns, and what is averaged in the loss, in chunks."""
    if shrunk is None:
        atoms = np.hstack([ranks.values, columns.values])
        return weighted_means(atoms[:-1], atoms[-1], s, draws, rng)

    def work(stream: np.random.Generator, size: int) -> Array:
        return np.tile(shrunk.draw(stream, size)[:, ranks.first], 2)

    return in_chunks(work, draws, chunk_size(2 * len(ranks.of)), rng)


def _shrunk(scores: Scores, s: float, loss: str) -> ShrunkenRanks:
    if loss != "rank":
        raise ParameterError(
            f"must be 'rank' with prior='exchangeable', a distribution of mean ranks; got {loss!r}", parameter="loss"
        )
    return shrunken_ranks(posterior_input(scores, s))


def _places(
    data: RankPosteriorInput, places: RankCounts, draws: int, varied: bool, shrunk: ShrunkenRanks | None
) -> tuple[Array, Array]:
    """(k, k) probabilities of the places and their errors; exact for two algorithms, and if no ranks vary."""
    if data.k == 2:
        return _exact_for_two(data, shrunk)
    if not varied:
        return places.counted(), np.zeros((data.k, data.k))
    return places.shares(), share_error(places.counted(), draws)


def _exact_for_two(data: RankPosteriorInput, shrunk: ShrunkenRanks | None) -> tuple[Array, Array]:
    """The first of two has the lower mean rank if the wins weigh more than the losses: Theorem 2."""
    d = data.deviations[:, 0]
    if shrunk is not None and d.any():
        p = shrunk.failures(np.array([1, 0]), np.array([0, 1]))
    elif data.clustered:
        lead = np.append(d, data.prior[0]).astype(np.float64)
        p = positive_probability(np.vstack([-lead, lead]), np.append(np.ones(data.n), data.strength))
    else:
        wins, losses = _decided(data)
        p = failure_probability([losses, wins], [wins, losses])
    return np.column_stack([p, p[::-1]]), np.zeros((2, 2))


def _decided(data: RankPosteriorInput) -> tuple[float, float]:
    """Problems on which the first of two is better, and the second, those of the prior included."""
    rows, weights = np.append(data.deviations[:, 0], data.prior[0]), np.append(np.ones(data.n), data.strength)
    return float(weights[rows < 0].sum()), float(weights[rows > 0].sum())


def _exact_loss_for_two(data: RankPosteriorInput) -> Array:
    """E(θ_l − θ_g)⁺ and E(θ_g − θ_l)⁺ for (θ_g, θ_l, θ_t) ~ Dirichlet(wins, losses, ties + s).

    θ_g − θ_l = (1 − θ_t)(2B − 1) with independent B ~ Beta(wins, losses), and
    E(2B − 1)⁺ = 2 E(B) P(B' > ½) − P(B > ½), B' ~ Beta(wins + 1, losses).
    """
    wins, losses = _decided(data)
    if wins + losses == 0:
        return np.zeros(2)
    decided = (wins + losses) / (data.n + data.strength)
    lead = [
        max(0.0, 2 * a / (a + b) * float(failure_probability(b, a + 1)) - float(failure_probability(b, a)))
        for a, b in ((losses, wins), (wins, losses))
    ]
    return decided * np.array(lead)


def _relabelled(data: RankPosteriorInput, p_rank: Array) -> tuple[float, float | None]:
    """The share of the posterior averaged over all relabellings of the algorithms, where nothing contradicts a place.

    An algorithm that is on one side of each other one wherever they differ, on n problems or clusters at least, has its
    place with a probability of at most 1 − ½ⁿ: what ``compare`` says if one more problem counts against it. Returns
    that share, and the least such n.
    """
    share, fewest = 0.0, None
    rows, weights = np.vstack([data.deviations, data.prior]), np.append(np.ones(data.n), data.strength)
    for i in np.flatnonzero(p_rank.max(axis=1) > 0.5).tolist():
        ahead = np.sign(rows - rows[:, [i]]).astype(np.float64)
        counts = np.abs(weights @ ahead)
        n = float(counts[counts > 0].min(initial=weights.sum()))
        top, bound = float(p_rank[i].max()), 1.0 - 0.5**n
        if top > bound and (counts == weights @ np.abs(ahead)).all():
            share = max(share, (top - bound) / (top - 1.0 / data.k))
            fewest = n if fewest is None else min(fewest, n)
    return share, fewest


def _certain_from_few(scores: Scores, n: float | None) -> tuple[Caution, ...]:
    """As ``compare``: a certainty that one more problem, or cluster, against it would leave undecided."""
    if n is None or (least := 1.0 - 0.5**n) > SURE:
        return ()
    unit = unit_drawn(scores)
    return (
        caution_of(
            "certainty",
            "places",
            count=counted(int(n), unit) if n == int(n) else f"{n:g} {unit}s",
            unit=unit,
            least=least,
            sure=SURE,
        ),
    )


def _cautions(scores: Scores, ranks: DistinctColumns) -> tuple[Caution, ...]:
    shared = [np.flatnonzero(ranks.of == g) for g in range(ranks.n) if ranks.sizes[g] > 1]
    if not shared:
        return ()
    names = "; ".join(listing(scores.algorithms[i] for i in group.tolist()) for group in shared)
    return (caution_of("ties", "ranks", names=names),)
