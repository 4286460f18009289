"""Plackett–Luce: strengths of algorithms from whole rankings, and who is first on the next problem."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import number, probability
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import Caution, TooLargeError, counted, listing
from bakeoff.nulls.tails import drawn_share
from bakeoff.randomness import generator, integer_seed
from bakeoff.ranks.cautions import not_paired, one_problem, table_cautions, transposed, without_repetition
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.source_cautions import source_cautions
from bakeoff.scores.two_samples import refuse_clusters
from bakeoff.scores.win_table import components
from bakeoff.takes_table import takes_table
from bakeoff.wings.bayes.dirichlet.weights import check_clusters, check_draws, sizes_of, unit_drawn
from bakeoff.wings.bayes.mcmc.diagnostics import (
    Diagnostic,
    check_chains,
    convergence_caution,
    error_of_mean,
    error_of_share,
)
from bakeoff.wings.bayes.mcmc.plackett_luce_model import PlackettLuce
from bakeoff.wings.bayes.mcmc.plackett_luce_sampler import (
    largest_share_error,
    pair_probabilities,
    predictive_check,
    sample_plackett_luce,
)
from bakeoff.wings.bayes.mcmc.rankings import Rankings, first_places_seen, rankings_of, wins
from bakeoff.wings.bayes.statements.statement import closure

MOST_ALGORITHMS = 300
LEAST_STRENGTH, MOST_STRENGTH = 0.02, 1e6
MISFIT = 0.05  # of the posterior predictive probability


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # arrays inside: == would be ambiguous
class PlackettLucePosterior(Reportable):
    """The result of :func:`bakeoff.bayes.plackett_luce`; arrays are in the order of ``algorithms``."""

    kind: ClassVar[str] = "bayes-plackett-luce"

    scores: Scores
    algorithms: tuple[str, ...]
    p_first: Array  # (k,) probability of being first on the next problem; sums to 1
    p_first_standard_error: Array  # (k,) Monte Carlo
    p_first_intervals: Array  # (k, 2) of λ_i/Σλ, the share of problems on which it is first, each by itself
    p_best: Array  # (k,) probability that its strength is the largest
    p_best_standard_error: Array  # (k,) Monte Carlo
    first_places: Array  # (k,) share of problems on which it was first; a tie for it is divided
    strengths: Array  # (k,) posterior means of log λ, which sum to 0; larger is better
    sds: Array  # (k,)
    intervals: Array  # (k, 2) each holds its log strength with probability 1 − gamma
    p_stronger: Array  # (k, k) P(row stronger than column); diagonal 0
    p_ahead: Array  # (k, k) P(row ahead of column on the next problem); diagonal 0
    p_ahead_standard_error: Array  # (k, k) Monte Carlo
    predictive_p: float | None  # how often first places drawn from the model fit it no better than those seen
    standard_error: float  # largest Monte Carlo error of the p_best and p_stronger
    diagnostics: tuple[Diagnostic, ...]  # of every log strength
    draws: Array  # (n_draws, k) log strengths
    n_draws: int
    n_chains: int
    prior_strength: float
    gamma: float
    n_problems: int
    n_clusters: int | None  # each of which is one ranking; None: problems are
    n_rankings: int  # that compare two or more
    n_tied: int  # of these, with a tie
    n_partial: int  # of these, without some algorithm
    n_dropped: int  # problems left out when the scores were read
    request: Mapping[str, Any]
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = field(default=())

    @property
    def ranked(self) -> tuple[int, ...]:
        """Places in ``algorithms``, the most probably first one first."""
        return tuple(sorted(range(len(self.algorithms)), key=lambda i: (-self.p_first[i], self.algorithms[i])))


@takes_table
def plackett_luce(
    scores: Scores,
    prior_strength: float = 1.0,
    *,
    n_draws: int = 4_000,
    n_chains: int = 16,
    gamma: float = 0.05,
    rng: int | np.random.Generator | None = None,
) -> PlackettLucePosterior:
    """How probably is each algorithm first on the next problem, and how probably is it the strongest?

    Two questions: with nine algorithms the strongest, known for certain, may be first on every fifth problem. Use it
    where whole rankings count and one strength can describe an algorithm. It does not fit one that is first or last,
    rarely between; a check of the first places says so. ``rank_probabilities`` has no model.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); of each problem the order counts alone. Infinite scores are ordered; missing ones
        (``missing="keep"``) leave a ranking of the others. A cluster is one ranking, by mean ranks within its problems.
    prior_strength : float
        Of this s, strengths are Gamma(s, 1), their shares Dirichlet(s, …, s); 1 is uniform.
    n_draws : int
        Least number of draws; up to 16 times as many until the diagnostics are good.
    n_chains : int
        Independent chains.
    gamma : float
        Intervals contain 1 − gamma.
    rng : int or numpy.random.Generator, optional
        Seed 0 if absent. The order of problems and algorithms does not change the answer.

    Returns
    -------
    PlackettLucePosterior
        ``.p_first``, ``.p_best``, ``.strengths``, ``.p_ahead``, ``.p_stronger``, ``.diagnostics``; report and diagram.

    Raises
    ------
    ScoreError, ParameterError, TooLargeError
        No problem with two scores; clusters and missing scores together; more than 300 algorithms.

    Notes
    -----
    P(ranking) = Π_j λ_(j)/Σ_{l ≥ j} λ_(l) (Luce 1959, Plackett 1975). Tied algorithms are in an unknown order: their
    probability is that of all orders together, never of one drawn at random. Sampler: docs/guides/bayes.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> found = bo.bayes.plackett_luce(bo.datasets.load("derrac_cec2005"), rng=1)
    >>> best = found.algorithms[found.ranked[0]]
    >>> best, bool(0.20 < found.p_first.max() < 0.22), bool(0.64 < found.p_best.max() < 0.72)
    ('DE-Exp', True, True)
    """
    scores = check_clusters(check_scores(scores, holes=True), "Plackett–Luce")
    s = number("prior_strength", prior_strength, least=LEAST_STRENGTH, most=MOST_STRENGTH)
    n_draws, n_chains, gamma = check_draws(n_draws), check_chains(n_chains), probability("gamma", gamma)
    seed = integer_seed(rng)
    _refuse(scores)
    k = scores.n_algorithms
    order = sorted(range(k), key=scores.algorithms.__getitem__)
    back = np.argsort(order)
    rankings, stream = rankings_of(scores), generator(seed)
    model = PlackettLuce(rankings=rankings, strength=s)
    names = tuple(f"the strength of {scores.algorithms[i]}" for i in order)
    chains, diagnostics = sample_plackett_luce(stream, model, names, n_draws, n_chains)
    predictive = predictive_check(stream, model, chains)
    shares = np.exp(chains - chains.max(axis=2, keepdims=True))  # in order of names: so are the sums, to the last bit
    shares /= shares.sum(axis=2, keepdims=True)
    p_first, shares, theta = shares.mean(axis=(0, 1))[back], shares[:, :, back], chains[:, :, back]
    best, flat = (theta == theta.max(axis=2, keepdims=True)).astype(float), np.ascontiguousarray(theta.reshape(-1, k))
    stronger, ahead, ahead_error = pair_probabilities(theta)
    tail = (gamma / 2, 1 - gamma / 2)
    return PlackettLucePosterior(
        scores=scores,
        algorithms=scores.algorithms,
        p_first=read_only(p_first),
        p_first_standard_error=read_only(np.array([error_of_mean(shares[:, :, i]) for i in range(k)])),
        p_first_intervals=read_only(np.quantile(shares.reshape(-1, k), tail, axis=0).T.copy()),
        p_best=read_only(drawn_share(best.sum(axis=(0, 1)), len(flat), k)),
        p_best_standard_error=read_only(np.array([error_of_share(best[:, :, i]) for i in range(k)])),
        first_places=read_only(first_places_seen(rankings)[back]),
        strengths=read_only(flat.mean(axis=0)),
        sds=read_only(flat.std(axis=0)),
        intervals=read_only(np.quantile(flat, tail, axis=0).T.copy()),
        draws=read_only(flat),
        n_draws=len(flat),
        p_stronger=read_only(stronger),
        p_ahead=read_only(ahead),
        p_ahead_standard_error=read_only(ahead_error),
        predictive_p=predictive,
        standard_error=largest_share_error(theta, best),
        diagnostics=tuple(diagnostics[i] for i in back),
        n_chains=n_chains,
        prior_strength=s,
        gamma=gamma,
        **sizes_of(scores),
        n_rankings=rankings.n,
        n_tied=rankings.n_tied,
        n_partial=rankings.n_partial,
        request={"prior_strength": s, "n_draws": n_draws, "n_chains": n_chains, "gamma": gamma, "rng": seed},
        cautions=without_repetition(
            [
                *(table_cautions(scores) if not scores.holes.any() else _of_an_incomplete_table(scores)),
                *_cautions(scores, rankings, order, diagnostics),
                *_misfit(scores.algorithms, predictive, p_first, first_places_seen(rankings)[back]),
            ]
        ),
    )


def _refuse(scores: Scores) -> None:
    if scores.n_algorithms > MOST_ALGORITHMS:
        raise TooLargeError(
            f"plackett_luce is limited to {MOST_ALGORITHMS} algorithms; got {scores.n_algorithms}. Select some of them."
        )
    if scores.holes.any():
        advice = "read a complete table (missing='drop' or 'worst')"
        refuse_clusters(scores, "Plackett–Luce of a table with missing scores", advice)


def _of_an_incomplete_table(scores: Scores) -> list[Caution]:
    cautions = (one_problem(scores), *source_cautions(scores), transposed(scores), not_paired(scores))
    return [caution for caution in cautions if caution]


def _cautions(scores: Scores, rankings: Rankings, order: list[int], diagnostics: Sequence[Diagnostic]) -> list[Caution]:
    out = list(convergence_caution(diagnostics))
    names = [scores.algorithms[i] for i in order]
    unit = unit_drawn(scores)
    won = wins(rankings)
    if not won.any():
        return [*out, caution_of("nothing-differs", "strengths", unit=unit)]
    out += [*_unconnected(rankings, names), *_one_sided(won, names)]
    if rankings.n_tied:
        silent = rankings.n_silent
        more = f"; on {silent} of these all are tied, so they say nothing" if silent else ""
        out.append(caution_of("ties", "orders", n_tied=rankings.n_tied, count=counted(rankings.n, unit), more=more))
    if rankings.n_partial:
        cells, problems = counted(int(scores.holes.sum()), "score"), counted(rankings.n_partial, "problem")
        out.append(caution_of("missing", "rankings", scores=cells, problems=problems))
    return out


def _misfit(names: tuple[str, ...], predictive: float | None, expected: Array, seen: Array) -> list[Caution]:
    if predictive is None or predictive >= MISFIT:
        return []
    worst = int(np.argmax(np.abs(seen - expected)))
    of_worst = {"names": names[worst], "seen": seen[worst], "expected": expected[worst]}
    return [caution_of("lack-of-fit", "first-places", predictive=predictive, **of_worst)]


def _unconnected(rankings: Rankings, names: list[str]) -> list[Caution]:
    groups = components(rankings.met)
    if len(groups) == 1:
        return []
    text = "; ".join(listing(names[i] for i in group) for group in groups[:5])
    return [caution_of("not-connected", groups=len(groups), text=text)]


def _one_sided(won: Array, names: list[str]) -> list[Caution]:
    """Caution that the likelihood alone has no maximum: the prior says how far apart strengths are."""
    if closure(won > 0).all():
        return []
    ahead, behind = won.sum(axis=1), won.sum(axis=0)
    one = [names[i] for i in range(len(names)) if (ahead[i] == 0) != (behind[i] == 0)]
    who = (
        f"{counted(len(one), 'algorithm')} only ahead of others or only behind: {listing(one)}"
        if one
        else "Some algorithms were never behind any of the others"
    )
    return [caution_of("one-sided", who=who)]
