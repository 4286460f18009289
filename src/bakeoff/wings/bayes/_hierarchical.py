"""The hierarchical model: two algorithms over several problems, with the runs of every problem."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.checks import probability
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ScoreError
from bakeoff.paired.run_differences import RunSummary, check_correlation, paired_runs, summarise
from bakeoff.randomness import generator
from bakeoff.scores import Scores, check_scores, read_only
from bakeoff.scores.cells import Array
from bakeoff.takes_table import takes_table
from bakeoff.wings.bayes.dirichlet.weights import check_draws, check_rope, cluster_rows, n_clusters
from bakeoff.wings.bayes.mcmc import hierarchical_summary as answer
from bakeoff.wings.bayes.mcmc.diagnostics import Diagnostic, check_chains
from bakeoff.wings.bayes.mcmc.hierarchical_model import run_table
from bakeoff.wings.bayes.mcmc.hierarchical_sampler import Sampled, sample_hierarchical
from bakeoff.wings.bayes.mcmc.hierarchical_summary import Triple
from bakeoff.wings.bayes.statements.verdicts import ThreeWay, near_the_level, pair_fields, three_way_verdict

_NAME = "The hierarchical model"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HierarchicalPosterior(ThreeWay):
    """The result of :func:`bakeoff.bayes.hierarchical`. Differences are in score units, positive if a is better.

    Each of ``p_better``, ``p_equivalent``, ``p_worse`` is the probability that its outcome is the most probable one on
    the next problem. Ties count runs. ``method`` is "gibbs", or "point" if no run differs.
    """

    standard_error: float  # Monte Carlo error of the least certain of the three
    next_problem: Triple  # P(difference on the next problem above the rope, within it, below)
    next_problem_standard_error: Triple  # Monte Carlo
    average: Triple  # P(the mean difference δ₀ above the rope, within it, below)
    average_standard_error: Triple
    estimate: float  # posterior mean of δ₀
    interval: tuple[float, float]  # equal-tail, contains δ₀ with probability 1 − gamma
    spread: float  # posterior median of σ₀, between problems
    degrees_of_freedom: float | None  # posterior median of ν, small if some problems are outliers; None: a point
    problems: tuple[str, ...]
    problem_means: Array  # (n,) as observed
    problem_estimates: Array  # (n,) posterior means of the δ_i, shrunk towards each other
    problem_sds: Array  # (n,) posterior standard deviations
    problem_shares: Array  # (n, 3) P(δ_i above the rope, within it, below)
    draws: Array  # (n_draws, 3) shares of the next problem, one row per posterior draw: for the triangle
    diagnostics: tuple[Diagnostic, ...]  # R-hat and effective sample sizes of δ₀, σ₀ and ν
    correlation: float
    n_draws: int
    n_chains: int
    n_runs: int  # of all problems together


@takes_table
def hierarchical(
    scores: Scores,
    a: str | int,
    b: str | int,
    rope: float = 0.0,
    *,
    correlation: float | None = None,
    folds: int | None = None,
    n_draws: int = 16_000,
    n_chains: int = 16,
    gamma: float = 0.05,
    rng: int | np.random.Generator | None = None,
) -> HierarchicalPosterior:
    """How probable is it that a is better than b on the next problem, given all runs on several problems?

    Use it for several runs (folds or seeds) on each of several problems: it weights problems by their precision,
    shrinks noisy ones, and predicts a new problem. For one run per problem use ``bo.bayes.signed_rank``; for one
    problem ``bo.bayes.correlated_t``; for differences on different scales ``bo.bayes.sign_test``. The model and priors
    of Corani et al. (2017): docs/guides/bayes.md.

    Parameters
    ----------
    scores : Scores
        At least 2 runs of a and of b per problem; run r of a and run r of b come from the same resample.
    a : str or int
        The first algorithm (or model), by name or column.
    b : str or int
        The second one.
    rope : float
        Half the width of the region of practical equivalence, in the unit of the scores.
    correlation : float, optional
        Correlation ρ between runs: n_test / (n_test + n_train), 0 for seeds.
    folds : int, optional
        Instead of it, the number of folds: ρ = 1/folds.
    n_draws : int
        Least number of draws; up to 16 times as many until the diagnostics are good.
    n_chains : int
        Independent chains.
    gamma : float
        A verdict needs a probability above 1 − gamma; the interval contains 1 − gamma.
    rng : None, int or numpy.random.Generator
        None is a fixed seed.

    Returns
    -------
    HierarchicalPosterior
        ``.p_better``, ``.p_equivalent``, ``.p_worse``; ``.next_problem``, ``.average``, ``.diagnostics``.

    Raises
    ------
    ScoreError, InfiniteScoreError, ParameterError
        One problem; too few or unequal runs; an infinite score; not exactly one of ``correlation`` and ``folds``.

    Examples
    --------
    >>> import numpy as np
    >>> import bakeoff as bo
    >>> rng = np.random.default_rng(0)
    >>> old = rng.normal(0.80, 0.02, size=(8, 10))  # 8 problems, 10 folds
    >>> new = old + 0.02 + rng.normal(0.0, 0.01, size=(8, 10))
    >>> s = bo.Scores(np.stack([new, old], axis=1), ["new", "old"], better="higher")
    >>> found = bo.bayes.hierarchical(s, "new", "old", rope=0.005, folds=10, n_draws=2000)
    >>> found.verdict, round(found.estimate, 2), all(d.rhat < 1.01 for d in found.diagnostics)
    ('a better', 0.02, True)
    """
    scores = check_scores(scores)
    _check(scores)
    i, j = scores.pair(a, b)
    rope, gamma, n_draws = check_rope(rope), probability("gamma", gamma), check_draws(n_draws)
    n_chains = check_chains(n_chains)
    rho = check_correlation(correlation, folds, _NAME, scores.folds)
    in_rows = [_problem(scores, row, i, j) for row in range(scores.n_problems)]
    sign, order, unit, sampled = _sampled(in_rows, rho, rope, n_draws, n_chains, rng)
    problems = [in_rows[row] for row in order]
    turn = slice(None, None, -1 if sign < 0 else 1)
    shares = answer.next_shares(sampled, rope / unit)[:, :, turn]
    p, error = answer.largest(shares, rope, sign == 0)
    centre = sampled.centre * (sign * unit) + 0.0
    next_problem, next_error = answer.mean_triple(shares)
    average, average_error = answer.average_shares(centre, rope, sign == 0)
    back = np.argsort(order)  # to the order of the table
    low, high = np.quantile(centre, (gamma / 2, 1 - gamma / 2))
    return HierarchicalPosterior(
        **pair_fields(scores, i, j, p, rope, gamma),
        standard_error=error,
        next_problem=next_problem,
        next_problem_standard_error=next_error,
        average=average,
        average_standard_error=average_error,
        estimate=float(np.mean(centre)),
        interval=(float(low), float(high)),
        spread=float(np.median(sampled.spread)) * unit,
        degrees_of_freedom=float(np.median(sampled.nu)) if sign else None,
        problems=scores.problems,
        problem_means=read_only(np.array([p.mean for p in in_rows])),
        problem_estimates=read_only(sampled.effects[back] * (sign * unit) + 0.0),
        problem_sds=read_only(sampled.effect_sds[back] * unit),
        problem_shares=read_only(np.ascontiguousarray(sampled.effect_shares[back][:, turn])),
        draws=read_only(np.ascontiguousarray(shares.reshape(-1, 3))),
        diagnostics=sampled.diagnostics,
        verdict=three_way_verdict(p, gamma),
        correlation=rho,
        n_draws=int(centre.size),
        n_chains=n_chains,
        n_problems=scores.n_problems,
        n_runs=sum(q.n for q in problems),
        ties=sum(q.ties for q in problems),
        n_dropped=len(scores.dropped),
        method="gibbs" if sign else "point",
        cautions=(
            *answer.hierarchical_cautions(scores.problems, problems, order, sampled),
            *near_the_level(p, error, gamma, centre.size),
        ),
    )


def _sampled(
    in_rows: Sequence[RunSummary], rho: float, rope: float, n_draws: int, n_chains: int, rng: Any
) -> tuple[int, npt.NDArray[np.intp], float, Sampled]:
    """The sign that puts the better one first, the order of problems by content, the unit, and the draws in it."""
    sign = _orientation(in_rows)
    order = _by_content(in_rows, sign)
    if sign == 0:
        return sign, order, 1.0, answer.nothing_differs(len(order), rope, n_draws, n_chains)
    table = run_table([replace(in_rows[row], mean=sign * in_rows[row].mean) for row in order], rho)
    return sign, order, table.unit, sample_hierarchical(generator(rng), table, rope / table.unit, n_draws, n_chains)


def _check(scores: Scores) -> None:
    if cluster_rows(scores) is not None:
        raise ScoreError(
            f"{_NAME} takes problems as independent draws, and scores has {n_clusters(scores)} clusters of "
            f"{scores.n_problems} problems. bo.bayes.signed_rank and bo.bayes.sign_test have weights on clusters; or "
            "give a table with one problem for each cluster"
        )
    if scores.n_problems == 1:
        raise ScoreError(f"{_NAME} needs at least 2 problems; got 1. For one problem use bo.bayes.correlated_t.")
    if scores.runs is None:
        raise ScoreError(
            f"{_NAME} needs several runs of each algorithm on every problem, and scores has one per cell. Read the "
            "runs (bo.read_scores(..., run=…)); for one score per problem use bo.bayes.signed_rank or "
            "bo.bayes.sign_test."
        )


def _problem(scores: Scores, row: int, i: int, j: int) -> RunSummary:
    name = f"problem {scores.problems[row]!r}"
    a, b = paired_runs(scores, row, (i, j), _NAME)
    if len(a) < 2:
        raise ScoreError(
            f"{_NAME} needs at least 2 runs of each algorithm on every problem; {name} has {len(a)}. Run it again, "
            "leave it out (scores.select(problems=[…])), or compare the means with bo.bayes.signed_rank."
        )
    return summarise(a, b, scores.better, name, _NAME)


def _orientation(problems: Sequence[RunSummary]) -> int:
    """The sampler sees the differences turned so that most of them are positive: swapping a and b mirrors the answer.

    0 if no run differs anywhere.
    """
    if all(p.largest == 0 for p in problems):
        return 0
    if all(p.sd == 0 for p in problems):
        raise ScoreError(
            f"{_NAME} needs runs that differ: on every problem all runs of a and b differ by the same amount, so "
            "nothing shows the noise. Use bo.bayes.signed_rank, which needs one score per problem."
        )
    largest = max(p.largest for p in problems)
    total = math.fsum(p.mean / largest for p in problems)
    if total == 0:
        return 1 if sorted(p.mean for p in problems) >= sorted(-p.mean for p in problems) else -1
    return 1 if total > 0 else -1


def _by_content(problems: Sequence[RunSummary], sign: int) -> npt.NDArray[np.intp]:
    """Rows in an order that depends neither on their own nor on their names: draws belong to contents."""

    def content(row: int) -> tuple[float, ...]:
        p = problems[row]
        return sign * p.mean, p.sd, p.n, p.largest, p.ties, p.tolerance

    return np.array(sorted(range(len(problems)), key=content), dtype=np.intp)
