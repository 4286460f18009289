"""Vargha and Delaney's A12: the probability that a run of a beats a run of b."""

import math

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.paired.alternatives import PairResult
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.clusters import cluster_codes, cluster_means
from bakeoff.takes_table import takes_table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class A12Result(PairResult):
    """Result of :func:`bakeoff.a12`."""

    estimate: float  # mean of per_problem (of its cluster means), in [0, 1]; above 1/2: a is better
    per_problem: Array  # (n,)
    runs: bool  # whether runs were compared; else the single scores


@takes_table
def a12(scores: Scores, a: str | int, b: str | int) -> A12Result:
    """With which probability does a give a better score than b on the same problem?

    Use it with several runs per problem, to say how far two stochastic algorithms overlap, problem by problem.
    Runs are compared only within a problem: scores of different problems are not comparable. It is not a test, and
    does not say how large the differences are.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms, n_runs), or one score per cell.
    a : str or int
        The first algorithm (or model), by name or column.
    b : str or int
        The second one.

    Returns
    -------
    A12Result
        ``.per_problem`` (n_problems,): the share of pairs of runs in which a's is better, a tie counting one half.
        ``.estimate``: their mean over the problems, each with the same weight. With clusters, it is the mean of the
        means over each cluster. With one score per cell and no clusters this is (wins + ties/2)/n.

    Raises
    ------
    UnknownNameError, ParameterError
        An algorithm that does not exist, or twice the same.

    Notes
    -----
    A = (#{x better than y} + ½ #{x = y}) / (m·n): Vargha & Delaney (2000), turned so that values
    above ½ favour a whatever the direction. Scores are compared exactly; infinite ones are ordered and equal
    infinities tie.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]]], algorithms=["new", "old"], better="lower")
    >>> float(bo.a12(s, "new", "old").per_problem[0])  # 6 of 9 pairs won, 2 tied: 7/9
    0.7777777777777778
    """
    scores = check_scores(scores)
    i, j = scores.pair(a, b)
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    costs = cells if scores.better == "lower" else -cells
    per_problem = np.array([_superiority(row[i], row[j]) for row in costs])
    shares = per_problem if scores.clusters is None else cluster_means(per_problem, cluster_codes(scores))
    return A12Result(
        a=scores.algorithms[i],
        b=scores.algorithms[j],
        estimate=math.fsum(shares.tolist()) / len(shares),
        per_problem=read_only(per_problem),
        runs=scores.runs is not None,
        n_problems=scores.n_problems,
        n_dropped=len(scores.dropped),
        cautions=(),
    )


def _superiority(x: Array, y: Array) -> float:
    """Share of pairs with x lower than y, ties one half; NaN is padding."""
    x, y = x[~np.isnan(x)], np.sort(y[~np.isnan(y)])
    above = len(y) - np.searchsorted(y, x, side="right")
    not_below = len(y) - np.searchsorted(y, x, side="left")
    return int((above + not_below).sum()) / (2 * len(x) * len(y))
