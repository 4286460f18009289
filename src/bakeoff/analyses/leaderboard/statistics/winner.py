"""The first of a table: what its mean is worth, given that it was chosen."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal

import numpy as np
from scipy.special import ndtri

from bakeoff.analyses.evaluate.statistics import Evaluation, ModelEstimate
from bakeoff.analyses.evaluate.statistics.table import EvaluationTable, evaluation_table
from bakeoff.analyses.leaderboard.statistics.results import Interval, Winner
from bakeoff.analyses.leaderboard.statistics.selected_mean import (
    CONDITIONAL,
    hybrid_interval,
    median_unbiased,
    of_all_at_once,
    selected_mean,
)
from bakeoff.means.run_means import RunMeans
from bakeoff.paired.score_intervals import wilson
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array


def corrected_winner(
    evaluation: Evaluation, alpha: float, bounds: Interval = (-math.inf, math.inf), of_runs: RunMeans | None = None
) -> Winner:
    """By the conditional distribution where that has a width; right and wrong answers by Wilson's intervals of all at
    once.

    ``bounds``: between which a mean can be, as a mean rank between 1 and k; intervals end there. ``of_runs``: the means
    are of runs, independent of each other.
    """
    alike = _first_ones(evaluation)
    first, tied = alike[0], tuple(e.algorithm for e in alike[1:])
    estimate, interval = first.mean, (first.mean, first.mean)
    method: Literal["hybrid", "simultaneous", "wilson", "unvaried", "none"] = "none"
    if first.standard_error > 0:
        units = evaluation.n_clusters if of_runs is None else first.df + 1
        method = "simultaneous" if tied or units < CONDITIONAL else "hybrid"
        estimate, interval = _by_the_normal_law(evaluation, first.algorithm, tied, alpha, method == "hybrid", of_runs)
    if first.method == "wilson":
        conditional = estimate if method == "hybrid" else None
        estimate, interval = _of_answers(evaluation, first, conditional, alpha)
        method = "wilson"
    elif first.standard_error == 0 and of_runs is None and _measured(evaluation, bounds):
        estimate, interval = _without_variation(evaluation, first, alpha)
        method = "unvaried"
    return Winner(
        algorithm=first.algorithm,
        value=first.mean,
        standard_error=first.standard_error,
        estimate=_between(estimate, bounds),
        interval=(_between(interval[0], bounds), _between(interval[1], bounds)),
        naive_interval=(_between(first.interval[0], bounds), _between(first.interval[1], bounds)),
        tied=tied,
        method=method,
    )


def _between(value: float, bounds: Interval) -> float:
    return min(max(value, bounds[0]), bounds[1])


def _first_ones(evaluation: Evaluation) -> list[ModelEstimate]:
    """Those with the best mean, to the precision of the scores: the largest error first, then in column order."""
    best = evaluation.ranked[0].mean
    tolerance = float(np.max(tie_tolerance(evaluation.scores.scales)))
    return sorted((e for e in evaluation.estimates if abs(e.mean - best) <= tolerance), key=lambda e: -e.standard_error)


def _by_the_normal_law(
    evaluation: Evaluation, name: str, tied: tuple[str, ...], alpha: float, conditional: bool, of_runs: RunMeans | None
) -> tuple[float, Interval]:
    scores, k = evaluation.scores, evaluation.scores.n_algorithms
    sign = 1.0 if scores.better == "higher" else -1.0
    column = scores.index(name)
    if of_runs is None:
        table = evaluation_table(scores, None, "fixed", evaluation.unit)
        means, covariance = table.oriented.mean(axis=0), covariance_with(table, column)
        back, df = table.back, float(evaluation.n_clusters - 1)
    else:
        exponent = math.frexp(float(np.max(scores.scales)))[1]
        means, covariance = sign * of_runs.means, np.where(np.arange(k) == column, of_runs.variances, 0.0)
        back, df = partial(_ldexp, exponent), float(of_runs.df[column])
    means[[scores.index(other) for other in tied]] = means[column]
    means = np.minimum(means, means[column])
    student = selected_mean(means, covariance, column, df=df)
    if not conditional:
        middle, low, high = of_all_at_once(student, k, alpha)
    else:
        low, high = hybrid_interval(student, k, alpha)
        middle = min(max(median_unbiased(selected_mean(means, covariance, column), k, alpha), low), high)
    low, middle, high = (sign * back(x) for x in (low, middle, high))
    return middle, (min(low, high), max(low, high))


def _ldexp(exponent: int, value: float) -> float:
    return math.ldexp(value, exponent)


def _of_answers(
    evaluation: Evaluation, first: ModelEstimate, conditional: float | None, alpha: float
) -> tuple[float, Interval]:
    """Shares of right answers: near 0 and 1 the winner's own error is 0 or nearly so, and no normal distribution holds.

    Wilson's interval at the level at which those of k independent shares hold at once; where the conditional estimate
    has no width, Wilson's bound by the median of the largest of k errors.
    """
    k, n = evaluation.scores.n_algorithms, first.n
    right = first.mean * n
    low, high = wilson(right, n, float(ndtri((1.0 + (1.0 - alpha) ** (1.0 / k)) / 2.0)))
    if conditional is None:
        ends = wilson(right, n, float(ndtri(0.5 ** (1.0 / k))))
        conditional = ends[0] if evaluation.scores.better == "higher" else ends[1]
    return min(max(conditional, low), high), (low, high)


def _measured(evaluation: Evaluation, bounds: Interval) -> bool:
    """Some algorithm varies; or these are ranks, which are never known beforehand, and not all tied."""
    ranks = math.isfinite(bounds[0]) and bool(np.ptp(evaluation.scores.values) > 0)
    return ranks or any(e.standard_error > 0 for e in evaluation.estimates)


def _without_variation(evaluation: Evaluation, first: ModelEstimate, alpha: float) -> tuple[float, Interval]:
    """The same value on all G units, where others vary: rare other values may have been missed.

    With scores of range R, a true mean that is R·q away needs other values on a share q of units, which G of them miss
    with probability (1 − q)^G at most; G is n²/Σm² of clusters of m. For whichever of k comes first (Šidák).
    """
    values, k = evaluation.scores.values, evaluation.scores.n_algorithms
    units = evaluation_table(evaluation.scores, None, "fixed", evaluation.unit).strata[0]
    sizes = units.sums(np.ones((evaluation.scores.n_problems, 1)))
    count = float(sizes.sum() ** 2 / (sizes**2).sum())
    least, most = float(values.min()), float(values.max())
    reach, middle = ((most - least) * -math.expm1(math.log1p(-((1.0 - x) ** (1.0 / k))) / count) for x in (alpha, 0.5))
    sign = 1.0 if evaluation.scores.better == "higher" else -1.0
    interval = (_between(first.mean - reach, (least, most)), _between(first.mean + reach, (least, most)))
    return _between(first.mean - sign * middle, interval), interval


def covariance_with(table: EvaluationTable, column: int) -> Array:
    """(k,) of each mean with that of ``column``: G/(G − 1) · Σ_g (Σ_{i∈g} (x_i − x̄))(Σ_{i∈g} (y_i − ȳ))/n²."""
    units = table.strata[0]
    sums = units.sums(table.oriented - table.oriented.mean(axis=0))
    groups = units.n_clusters
    return np.asarray(groups / (groups - 1) * (sums.T @ sums[:, column]) / units.n**2)
