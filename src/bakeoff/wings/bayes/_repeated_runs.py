"""Several runs on several problems: uncertainty about the problems and, within each cell, about its runs."""

import math

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, counted
from bakeoff.randomness import chunk_size, generator, in_chunks
from bakeoff.ranks import Ints
from bakeoff.ranks.problem_order import problem_order
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.takes_table import takes_table
from bakeoff.wings.bayes.dirichlet.relative_effects import RunSigns, first_and_second_moments, normalised, run_signs
from bakeoff.wings.bayes.dirichlet.weights import (
    DEFAULT_DRAWS,
    check_clusters,
    check_draws,
    check_strength,
    cluster_rows,
    sizes_of,
)
from bakeoff.wings.bayes.statements.sampled_statements import PackedSigns, SampledPairs, accept_statements
from bakeoff.wings.bayes.statements.sign_statements import failing_margins, failure_probability
from bakeoff.wings.bayes.statements.statement import JointStatements, columns_by_name

NAME = "bo.bayes.repeated_runs"
FEWEST_DRAWS = 4_000
MOST_WORK = 10_000_000_000  # comparisons of runs, weighted: some seconds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RepeatedRunsPosterior(JointStatements):
    """The result of :func:`bakeoff.bayes.repeated_runs`; matrices are in column order.

    Wins, losses and ties of ``statements`` count problems.
    """

    shares: Array  # (k, k) posterior means of P(a run of row beats one of column on a random problem) + ½ P(tie), exact
    standard_deviations: Array  # (k, k) of these shares, exact
    p_better: Array  # (k, k) probability that the share is above 1/2; 1/2 on the diagonal
    p_better_standard_error: Array  # (k, k) of the draws; 0: exact
    fewest_runs: int
    most_runs: int


@takes_table
def repeated_runs(
    scores: Scores,
    prior_strength: float = 1.0,
    gamma: float = 0.05,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> RepeatedRunsPosterior:
    """On a random problem, does a random run of one algorithm beat a random run of another more often than not?

    Use it for stochastic algorithms with several independent runs per problem: the variation between runs is part of
    the answer. Do not use it for runs paired by a common seed or fold. For one problem use ``bo.bayes.kruskal_wallis``.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms, n_runs); numbers of runs may differ between cells. With clusters, those are the
        independent draws.
    prior_strength : float
        s: the prior, all algorithms equal, counts as s problems. It shrinks the shares and changes no probability.
    gamma : float
        Accepted statements hold jointly with a probability above 1 − gamma.
    n_draws : int, optional
        At least 100; absent: 50 000, fewer (at least 4000) for very large tables.
    rng : int or numpy.random.Generator, optional
        Seed 0 if absent.

    Returns
    -------
    RepeatedRunsPosterior
        ``.shares`` (k, k) with ``.standard_deviations``, exact; ``.p_better`` (k, k); ``.statements``, ``.order`` and
        ``.joint`` as in ``bo.bayes.compare``.

    Raises
    ------
    ParameterError, TooLargeError
        A number out of range; more than 100 algorithms, or 50 million for problems × runs × algorithms².

    Notes
    -----
    Dirichlet processes on two levels, problems and runs: docs/guides/bayes.md. With one run per cell it is
    ``bo.bayes.compare``.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[0, 1]] * 20 + [[1, 0]] * 10, algorithms=["X3", "X2"], better="lower")
    >>> (found,) = bo.bayes.repeated_runs(s).statements
    >>> round(1 - found.probability, 4)  # one run per cell: Benavoli et al. (2015), Table 1
    0.0307
    >>> s = bo.Scores([[[1, 4], [2, 3]], [[1, 2], [3, 4]]], algorithms=["a", "b"], better="lower")
    >>> bo.bayes.repeated_runs(s, prior_strength=0, n_draws=100).shares[0, 1].item()  # half of 2/4 and 4/4
    0.75
    """
    scores = check_scores(scores)
    s, gamma = check_strength(prior_strength), probability("gamma", gamma)
    n_checked = None if n_draws is None else check_draws(n_draws)
    clusters = cluster_rows(check_clusters(scores, NAME))
    columns, rows = columns_by_name(scores), problem_order(scores) if clusters is None else clusters.rows
    sizes = np.ones(len(rows), dtype=np.int64) if clusters is None else clusters.sizes
    runs = scores.values[:, :, None] if scores.runs is None else scores.runs
    costs = (runs if scores.better == "lower" else -runs)[np.ix_(rows, columns)]
    signs = run_signs(costs, NAME)
    draws = n_checked or min(DEFAULT_DRAWS, max(FEWEST_DRAWS, MOST_WORK // signs.n_comparisons))
    mean, sd, pairs = _moments(scores, columns, signs, s, sizes)
    accepted, about_statements = accept_statements(pairs, _draw(signs, sizes, draws, generator(rng)), 1.0 - gamma)
    square = np.ix_(np.argsort(columns), np.argsort(columns))
    exact = not np.isnan(pairs.known[~pairs.never]).any()
    return RepeatedRunsPosterior(
        **accepted,
        shares=read_only(mean[square]),
        standard_deviations=read_only(sd[square]),
        gamma=gamma,
        prior_strength=s,
        n_draws=draws,
        fewest_runs=int(scores.n_runs.min()),
        most_runs=int(scores.n_runs.max()),
        **sizes_of(scores),
        method="exact" if exact else "Monte Carlo",
        cautions=(*_cautions(scores), *about_statements),
    )


def _moments(
    scores: Scores, columns: npt.NDArray[np.intp], signs: RunSigns, s: float, sizes: Ints
) -> tuple[Array, Array, SampledPairs]:
    """Exact mean and standard deviation of the shares, and what is known of each pair.

    With v ~ Dirichlet(s, 1 … 1), N = s + n, and T_l independent of v and of one another:
    E(Σ v_l T_l)² = [2 Σ E T_l² + (Σ E T_l)² − Σ (E T_l)²]/(N (N + 1)). With clusters T_l is the mean over one, of which
    there are n; ``sizes`` says how many problems, one after the other, each has.
    """
    n, k, at = len(sizes), signs.k, (signs.first, signs.second)
    sums, squared, seconds = np.zeros((k, k)), np.zeros((k, k)), np.zeros((k, k))
    leads = np.zeros((n, len(signs.first)))
    outcomes = np.zeros((3, k, k), dtype=np.int64)  # problems on which the row wins more, fewer, as many pairs of runs
    settled = np.ones((k, k), dtype=bool)  # on every problem all pairs of runs come out alike
    ever_won, ever_lost = np.zeros((k, k), dtype=bool), np.zeros((k, k), dtype=bool)
    problem = 0
    for c, size in enumerate(sizes.tolist()):
        middle, spread = np.zeros((k, k)), np.zeros((k, k))
        for _ in range(size):
            first, second = first_and_second_moments(signs, 0.0, problem)
            middle, spread = middle + first / size, spread + (second - first**2) / size**2
            decided, lead = signs.decided(problem), signs.leads(problem).sum(axis=2)
            outcomes += np.stack([lead > 0, lead < 0, lead == 0])
            leads[c] += np.sign(lead)[at]
            every = np.outer(signs.counts[problem], signs.counts[problem])
            settled &= (np.abs(lead) == every) | (decided == 0)
            ever_won |= decided + lead > 0
            ever_lost |= decided - lead > 0
            problem += 1
        leads[c] /= size
        sums, squared, seconds = sums + middle, squared + middle**2, seconds + spread + middle**2
    total = s + n
    mean = sums / total
    variance = (2 * seconds + sums**2 - squared) / total / (total + 1) - mean**2
    wins, losses, ties = (counts[at] for counts in outcomes)
    known = np.where((ever_won != ever_lost)[at], ever_won[at].astype(float), math.nan)
    simple = failure_probability(losses, wins) if n == signs.n else failing_margins(-leads)
    known = np.where(settled[at], simple, known)
    # the same runs on every problem: exchanging the two changes nothing but the sign
    same = (sums[at] == 0) & (wins == losses)
    for pair in np.flatnonzero(same & np.isnan(known)).tolist():
        a, b = (int(end[pair]) for end in at)
        same[pair] = all(signs.same_runs(problem, a, b) for problem in range(signs.n))
    known = np.where(same & np.isnan(known), 0.5, known)
    pairs = SampledPairs(
        scores=scores,
        columns=columns,
        first=signs.first,
        second=signs.second,
        known=known,
        never=~(ever_won | ever_lost)[at],
        shares=0.5 + 0.5 * mean[at],
        counts=np.column_stack([wins, losses, ties]),
    )
    return 0.5 + 0.5 * mean, 0.5 * np.sqrt(np.maximum(variance, 0.0)), pairs


def _draw(signs: RunSigns, sizes: Ints, n_draws: int, rng: np.random.Generator) -> PackedSigns:
    """Draw which pairs are the better way round: the prior atom adds nothing to Σ v_l (P_l − ½), so it is not drawn."""
    n, k, r = signs.n, signs.k, signs.most_runs

    def work(stream: np.random.Generator, size: int) -> Array:
        problems = np.repeat(stream.standard_exponential((size, len(sizes))) / sizes, sizes, axis=1)
        runs = normalised(stream.standard_exponential((n, size, k, r)), signs.counts)
        return np.asarray(np.einsum("dn,ndm->dm", problems, signs.margins(runs)), dtype=np.float64)

    positive = PackedSigns(len(signs.first), n_draws)
    for margins in in_chunks(work, n_draws, chunk_size(n * k * (r + k)), rng):
        positive.add(margins)
    return positive


def _cautions(scores: Scores) -> list[Caution]:
    single = int(np.count_nonzero(scores.n_runs == 1))
    if single == 0:
        return []
    return [caution_of("single-runs", "cells", cells=counted(single, "cell"), size=scores.n_runs.size)]
