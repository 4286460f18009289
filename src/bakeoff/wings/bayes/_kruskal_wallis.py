"""The Bayesian Kruskal–Wallis test: algorithms whose runs on one problem are independent samples."""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import choice, probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError, TooLargeError, counted, listing
from bakeoff.randomness import chunk_size, generator, in_chunks
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.takes_table import takes_table
from bakeoff.wings.bayes.dirichlet.relative_effects import (
    RunSigns,
    effect_covariance,
    first_and_second_moments,
    normalised,
    run_signs,
)
from bakeoff.wings.bayes.dirichlet.weights import DEFAULT_DRAWS, check_draws, check_strength
from bakeoff.wings.bayes.regions.cautions import TRUSTED
from bakeoff.wings.bayes.regions.credible_region import REGIONS, effect_ellipsoid, exact_effect_region, region_verdict
from bakeoff.wings.bayes.statements.sampled_statements import PackedSigns, SampledPairs, accept_statements
from bakeoff.wings.bayes.statements.sign_statements import failure_probability
from bakeoff.wings.bayes.statements.statement import JointStatements, columns_by_name

NAME = "bo.bayes.kruskal_wallis"
FEW_RUNS = 10
MOST_EFFECTS = 50_000_000  # 400 MB


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KruskalWallisPosterior(JointStatements):
    """The result of :func:`bakeoff.bayes.kruskal_wallis`; arrays are in column order.

    Wins, losses and ties of ``statements`` count pairs of runs.
    """

    problem: str
    effects: Array  # (k,) posterior means of the relative effects, exact; above 1/2: better than the pool
    covariance: Array  # (k, k) of the relative effects, exact
    intervals: Array  # (k, 2) equal-tail credible intervals at 1 − gamma
    pair_effects: Array  # (k, k) posterior means of P(row beats column) + ½ P(tie), exact
    p_better: Array  # (k, k) probability that this is above 1/2
    p_better_standard_error: Array  # (k, k); 0: exact
    statistic: float  # squared Mahalanobis distance of "all equal" from the mean; may be infinite for the exact region
    critical_value: float  # the same for the edge of the region; infinite if an algorithm has a single run
    probability: (
        float  # content of the smallest region that contains "all equal"; for the ellipsoid by the F distribution
    )
    standard_error: float  # of this probability; 0 for the ellipsoid
    rejected: bool
    verdict: str  # "different" | "no difference shown" | "undecided" | "cannot tell"
    region: str
    n_runs: tuple[int, ...]  # of each algorithm


@takes_table
def kruskal_wallis(
    scores: Scores,
    problem: str | int | None = None,
    prior_strength: float = 1.0,
    gamma: float = 0.05,
    n_draws: int = DEFAULT_DRAWS,
    rng: int | np.random.Generator | None = None,
    *,
    region: Literal["ellipsoid", "exact"] = "ellipsoid",
) -> KruskalWallisPosterior:
    """On one problem, do the algorithms differ from run to run, and which is better than which?

    Use it for several independent runs (seeds) per algorithm on a single problem. Its conclusions do not extend beyond
    that problem (``bo.bayes.repeated_runs``). Do not use it for runs paired by a common seed or fold. An independent
    Dirichlet process per algorithm; relative effects and their region: docs/guides/bayes.md.

    Parameters
    ----------
    scores : Scores
        With runs: (n_problems, n_algorithms, n_runs); numbers of runs may differ.
    problem : str or int, optional
        May be omitted if there is only one.
    prior_strength : float
        s: the prior, all runs equal, counts as s runs of each algorithm; 0 is the Bayesian bootstrap.
    gamma : float
        Level of the region, the intervals and the joint statements.
    n_draws : int
        At least 100.
    rng : int or numpy.random.Generator, optional
        Seed 0 if absent.
    region : {"ellipsoid", "exact"}
        With an F quantile that allows for few runs; or exactly 1 − gamma of the posterior (docs/guides/bayes.md).

    Returns
    -------
    KruskalWallisPosterior
        ``.effects`` (k,) with ``.covariance`` (k, k), exact; ``.probability`` and ``.rejected`` for "all equal";
        ``.p_better`` (k, k); ``.statements`` as in ``bo.bayes.compare``.

    Raises
    ------
    ParameterError, TooLargeError
        No problem given though there are several; one run per algorithm; a number out of range; a table too large.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[[1, 2, 3, 4], [5, 6, 7, 8], [1, 2, 3, 4]]], algorithms=["a", "b", "c"], better="lower")
    >>> found = bo.bayes.kruskal_wallis(s, n_draws=1000)
    >>> found.pair_effects[0].round(3)  # with b: (1 + (4/5)²)/2 = 0.82; with its like: 1/2
    array([0.5 , 0.82, 0.5 ])
    >>> found.statements[0].better, found.statements[0].worse, found.statements[0].probability
    ('a', 'b', 1.0)
    """
    scores = check_scores(scores)
    s, gamma, draws = check_strength(prior_strength), probability("gamma", gamma), check_draws(n_draws)
    choice("region", region, REGIONS)
    chosen = _one_problem(scores, problem)
    columns = columns_by_name(chosen)
    runs = chosen.runs[:, columns] if chosen.runs is not None else chosen.values[:, columns, None]
    signs = run_signs(runs if chosen.better == "lower" else -runs, NAME)
    positive, leads = _draw(signs, s, draws, generator(rng))
    means = first_and_second_moments(signs, s)[0]  # of T: p − ½ keeps its digits under a strong prior
    covariance = effect_covariance(signs, s)
    pairs = _pairs(chosen, columns, signs, 0.5 + means / 2)
    accepted, about_statements = accept_statements(pairs, positive, 1.0 - gamma)
    centre = means.mean(axis=1) / 2
    tested = (
        exact_effect_region(leads, centre, covariance, gamma)
        if region == "exact"
        else effect_ellipsoid(signs, s, gamma)
    )
    back = np.argsort(columns)
    square = np.ix_(back, back)
    tails = 0.5 + np.quantile(leads, [gamma / 2, 1 - gamma / 2], axis=0).T
    return KruskalWallisPosterior(
        **accepted,
        problem=chosen.problems[0],
        effects=read_only(0.5 + centre[back]),
        covariance=read_only(covariance[square]),
        intervals=read_only(tails[back]),
        pair_effects=read_only(0.5 + means[square] / 2),
        **tested.fields,
        verdict=region_verdict(math.isinf(tested.critical_value), tested, tested),
        region=region,
        gamma=gamma,
        prior_strength=s,
        n_draws=draws,
        n_runs=tuple(chosen.n_runs[0].tolist()),
        n_problems=1,
        n_dropped=len(scores.dropped),
        method="Monte Carlo",
        cautions=(*_cautions(chosen, region), *about_statements),
    )


def _one_problem(scores: Scores, problem: str | int | None) -> Scores:
    if problem is None and scores.n_problems > 1:
        raise ParameterError(
            f"must name one of the {scores.n_problems} problems: {listing(map(repr, scores.problems))}. Runs "
            "on different problems are not independent samples of one thing; for all problems together take "
            "bo.bayes.repeated_runs",
            parameter="problem",
        )
    chosen = scores.select(problems=[0 if problem is None else problem])
    if chosen.runs is None:
        raise ParameterError(
            f"must have several runs of at least one algorithm on problem {chosen.problems[0]!r}; there is one "
            "each. Give all runs, shape (n_problems, n_algorithms, n_runs), or compare over problems with "
            "bo.bayes.friedman",
            parameter="scores",
        )
    return chosen


def _draw(signs: RunSigns, s: float, n_draws: int, rng: np.random.Generator) -> tuple[PackedSigns, Array]:
    """Draw which pairs are the better way round, and the relative effects less ½ (n_draws, k)."""
    k, r, m = signs.k, signs.most_runs, len(signs.first)
    to_effects = np.zeros((m, k))
    to_effects[np.arange(m), signs.first] = 0.5 / k
    to_effects[np.arange(m), signs.second] = -0.5 / k

    def work(stream: np.random.Generator, size: int) -> Array:
        draws = stream.standard_exponential((1, size, k, r))
        prior = stream.standard_gamma(s, (1, size, k)) if s > 0 else None
        return np.asarray(signs.margins(normalised(draws, signs.counts, prior))[0], dtype=np.float64)

    if n_draws * k > MOST_EFFECTS:
        raise TooLargeError(
            f": at most {MOST_EFFECTS // k} for {k} algorithms, as all are kept; got {n_draws}", parameter="n_draws"
        )
    positive, leads = PackedSigns(m, n_draws), []
    for margins in in_chunks(work, n_draws, chunk_size(k * r * k), rng):
        positive.add(margins)
        leads.append(margins @ to_effects)
    return positive, np.concatenate(leads)


def _pairs(scores: Scores, columns: npt.NDArray[np.intp], signs: RunSigns, means: Array) -> SampledPairs:
    """Exact probabilities where there are any: see the notes of the public function."""
    at = (signs.first, signs.second)
    lead, decided = signs.leads(0).sum(axis=2)[at], signs.decided(0)[at]
    wins, losses = (decided + lead) // 2, (decided - lead) // 2
    runs_a, runs_b = signs.counts[0, signs.first], signs.counts[0, signs.second]
    # one run: its weight is common to all comparisons, and Theorem 2 is left
    simple = (wins == 0) | (losses == 0) | (runs_a == 1) | (runs_b == 1)
    # the same runs: exchanging the two changes nothing but the sign
    same = [signs.same_runs(0, a, b) for a, b in zip(*at, strict=True)]
    known = np.where(simple, failure_probability(losses, wins), np.where(same, 0.5, math.nan))
    return SampledPairs(
        scores=scores,
        columns=columns,
        first=signs.first,
        second=signs.second,
        known=known,
        never=decided == 0,
        shares=means[at],
        counts=np.column_stack([wins, losses, runs_a * runs_b - decided]),
    )


def _cautions(scores: Scores, region: str) -> list[Caution]:
    fewest, k = int(scores.n_runs.min()), scores.n_algorithms
    narrow = []
    if region == "exact" and fewest < TRUSTED * (k - 1):
        narrow = [caution_of("region-narrow", "runs", runs=counted(fewest, "run"), k=k)]
    if fewest >= FEW_RUNS:
        return narrow
    return [*narrow, caution_of("too-few", "runs", runs=counted(fewest, "run"))]
