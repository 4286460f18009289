"""Tukey's test: all pairs of means after an analysis of variance with repeated measures."""

import math

import numpy as np

from bakeoff.checks import probability
from bakeoff.dataclass import dataclass
from bakeoff.nulls import studentized_range
from bakeoff.posthoc.pooled_error import PooledResult, differences, in_units, pooled_result, repeated_measures
from bakeoff.scores import Scores, check_scores, read_only
from bakeoff.scores.clusters import by_cluster
from bakeoff.takes_table import takes_table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TukeyResult(PooledResult):
    """Result of :func:`bakeoff.tukey`; (k, k) arrays in column order, row against column.

    ``statistic`` is the studentized range, and differences are positive where the row is better.
    """


@takes_table
def tukey(scores: Scores, confidence_level: float = 0.95) -> TukeyResult:
    """Which pairs of algorithms have different mean scores, all pairs taken together?

    Use it after ``bo.anova`` found a difference, when scores are comparable between problems and their deviations
    nearly normal with equal variances. Not otherwise (error rates of different problems rarely qualify): use
    ``bo.compare``, on ranks.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms), at least 2 problems; means over the runs of a cell, and over the problems of a
        cluster, are used.
    confidence_level : float
        Of the intervals, all of which cover at once with this probability.

    Returns
    -------
    TukeyResult
        ``.pvalue`` (k, k), already adjusted; ``.statistic``, ``.estimates`` with ``.low`` and ``.high``.

    Raises
    ------
    InfiniteScoreError
        Means need finite scores; the message names the cell.

    Notes
    -----
    q_ij = |m_i − m_j|/√(MSE/n), MSE the mean square of problems × algorithms with (n − 1)(k − 1) degrees of freedom; p
    by the studentized range. Ties need no care; missing scores are refused when scores are made. If the scores are
    exactly additive MSE is 0, which says nothing of how differences vary. Unequal means get an infinite statistic, p is
    1 and intervals are unbounded (a caution says so), as with one problem. Tukey (1953); Demšar (2006), 3.2.1.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[1, 2, 4], [2, 2, 5], [3, 5, 5], [4, 4, 8]], ["a", "b", "c"], better="lower")
    >>> bo.tukey(s).pvalue[0].round(4)  # R 4.2.2: TukeyHSD(aov(y ~ problem + algorithm), "algorithm")
    array([1.    , 0.4827, 0.0065])
    """
    original = check_scores(scores)
    scores = by_cluster(original)
    level = probability("confidence_level", confidence_level)
    fit = repeated_measures(scores, "Tukey's test")
    k = scores.n_algorithms
    estimates = differences(scores, fit)
    statistic = in_units(estimates, fit.standard_error, fit.df)
    log_p, half = np.zeros((k, k)), math.inf
    if fit.decides:
        log_p = studentized_range.log_sf(np.abs(statistic), k, fit.df)
        half = studentized_range.isf(1.0 - level, k, fit.df) * fit.standard_error
    margin = np.where(np.eye(k, dtype=bool), 0.0, half)
    own = {"algorithms": scores.algorithms, "estimates": read_only(estimates), "confidence_level": level}
    ends = estimates - margin, estimates + margin
    return pooled_result(TukeyResult, original, fit, (statistic, log_p), ends, method="tukey", **own)
