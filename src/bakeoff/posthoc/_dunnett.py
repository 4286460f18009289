"""Dunnett's test: every mean against a control's, after an analysis of variance with repeated measures."""

import math
from typing import Literal

import numpy as np

from bakeoff.checks import choice, probability
from bakeoff.dataclass import dataclass
from bakeoff.nulls import dunnett as many_one
from bakeoff.paired.alternatives import ALTERNATIVES
from bakeoff.posthoc.pooled_error import PooledResult, differences, in_units, pooled_result, repeated_measures
from bakeoff.scores import Scores, check_scores, read_only
from bakeoff.scores.clusters import by_cluster
from bakeoff.takes_table import takes_table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DunnettResult(PooledResult):
    """Result of :func:`bakeoff.dunnett`; (k − 1,) arrays in column order without the control.

    ``statistic`` is t, and differences are positive where the control is better.
    """

    control: str
    alternative: str


@takes_table
def dunnett(
    scores: Scores,
    control: str | int,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    confidence_level: float = 0.95,
) -> DunnettResult:
    """Which algorithms differ in mean score from the control?

    Use it after ``bo.anova``, with a control chosen before looking at the results, under the conditions of
    :func:`bakeoff.tukey`: comparable, nearly normal scores. Otherwise use ``bo.compare(scores, control=...)``.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms), at least 2 problems; means over the runs of a cell, and over the problems of a
        cluster, are used.
    control : str or int
        The algorithm all others are compared with.
    alternative : {"two-sided", "greater", "less"}
        "greater": the control is better, whatever the direction of the scores.
    confidence_level : float
        Of the intervals, all of which cover at once with this probability.

    Returns
    -------
    DunnettResult
        ``.pvalue`` (k − 1,), already adjusted, in column order without the control.

    Raises
    ------
    InfiniteScoreError
        Means need finite scores; the message names the cell.

    Notes
    -----
    t_j = (m_j − m_control)/√(2·MSE/n), positive where the control is better; MSE as for Tukey's test; p from the
    largest of k − 1 statistics correlated by 1/2. Degenerate tables as for Tukey's test. Dunnett (1955).

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[1, 2, 4], [2, 2, 5], [3, 5, 5], [4, 4, 8]], ["a", "b", "c"], better="lower")
    >>> bo.dunnett(s, "a").statistic.round(3)
    array([1.225, 4.899])
    """
    original = check_scores(scores)
    scores = by_cluster(original)
    c = scores.index(control, "control")
    choice("alternative", alternative, ALTERNATIVES)
    level = probability("confidence_level", confidence_level)
    fit = repeated_measures(scores, "Dunnett's test")
    k = scores.n_algorithms
    estimates = np.delete(differences(scores, fit)[c], c)
    se = math.sqrt(2.0) * fit.standard_error
    statistic = in_units(estimates, se, fit.df)
    two_sided = alternative == "two-sided"
    toward = statistic if alternative == "greater" else -statistic if alternative == "less" else np.abs(statistic)
    log_p, half = np.zeros(k - 1), math.inf
    if fit.decides:
        log_p = many_one.log_sf(toward, k - 1, fit.df, two_sided=two_sided)
        half = many_one.isf(1.0 - level, k - 1, fit.df, two_sided=two_sided) * se
    low = np.full(k - 1, -np.inf) if alternative == "less" else estimates - half
    high = np.full(k - 1, np.inf) if alternative == "greater" else estimates + half
    return pooled_result(
        DunnettResult,
        original,
        fit,
        (statistic, log_p),
        (low, high),
        control=scores.algorithms[c],
        algorithms=tuple(name for j, name in enumerate(scores.algorithms) if j != c),
        estimates=read_only(estimates),
        confidence_level=level,
        method="dunnett",
        alternative=alternative,
    )
