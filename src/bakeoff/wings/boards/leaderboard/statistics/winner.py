"""The first of a table: what its mean is worth, given that it was chosen.

Means, covariance and degrees of freedom are those of the evaluation that ranked, with its tasks, weights and clusters.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from bakeoff.means.moments import covariances_with, suite_moments
from bakeoff.means.run_means import RunMeans
from bakeoff.means.selected_mean import (
    CONDITIONAL,
    SelectedMean,
    hybrid_interval,
    median_unbiased,
    of_all_at_once,
    selected_mean,
)
from bakeoff.means.strata import FEWEST
from bakeoff.ranks import tie_tolerance
from bakeoff.wings.boards.evaluate.statistics import Evaluation, ModelEstimate
from bakeoff.wings.boards.evaluate.statistics.table import EvaluationTable, ranked_table
from bakeoff.wings.boards.leaderboard.statistics.results import Correction, Interval, Winner

Corrected = tuple[float, Interval, Correction]


def corrected_winner(
    evaluation: Evaluation, alpha: float, bounds: Interval = (-math.inf, math.inf), of_runs: RunMeans | None = None
) -> Winner:
    """By the conditional distribution where that has a width; right and wrong answers by Wilson's intervals of all at
    once; not at all below three effective units.

    ``bounds``: between which a mean can be, as a mean rank between 1 and k; intervals end there. ``of_runs``: the means
    are of runs, independent of each other.
    """
    alike = _first_ones(evaluation)
    first, tied = alike[0], tuple(e.algorithm for e in alike[1:])
    of = of_runs or ranked_table(evaluation)
    corrected: Corrected | None = None
    if first.standard_error > 0 and (first.method == "wilson" or first.df + 1 >= FEWEST):
        corrected = _by_the_normal_law(evaluation, first, tied, alpha, of)
    if isinstance(of, EvaluationTable) and first.method == "wilson":
        corrected = _of_answers(evaluation, of, first, corrected, alpha)
    elif isinstance(of, EvaluationTable) and first.standard_error == 0 and _measured(evaluation, bounds):
        corrected = _without_variation(evaluation, of, first, alpha)
    estimate, interval, method = corrected or (None, None, "none")
    return Winner(
        algorithm=first.algorithm,
        value=first.mean,
        standard_error=first.standard_error,
        estimate=None if estimate is None else _between(estimate, bounds),
        interval=interval and (_between(interval[0], bounds), _between(interval[1], bounds)),
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
    evaluation: Evaluation, first: ModelEstimate, tied: tuple[str, ...], alpha: float, of: EvaluationTable | RunMeans
) -> Corrected:
    scores, k = evaluation.scores, evaluation.scores.n_algorithms
    sign = 1.0 if scores.better == "higher" else -1.0
    column = scores.index(first.algorithm)
    if isinstance(of, RunMeans):
        exponent = math.frexp(float(np.max(scores.scales)))[1]
        means, covariance = sign * of.means, np.where(np.arange(k) == column, of.variances, 0.0)
    else:
        exponent, means = of.exponent, suite_moments(of.oriented, of.scales, of.strata).means
        covariance = covariances_with(of.oriented, of.strata, column)
    means[[scores.index(other) for other in tied]] = means[column]
    assert means.max() == means[column], f"{first.algorithm!r} was ranked first, but has not the best mean"
    student = selected_mean(means, covariance, column, df=first.df)
    conditional = not tied and first.df + 1 >= CONDITIONAL
    middle, low, high = of_all_at_once(student, k, alpha)
    if conditional:
        low, high = _hybrid(student, k, alpha, (low, high))
        middle = min(max(median_unbiased(selected_mean(means, covariance, column), k, alpha), low), high)
    with np.errstate(over="ignore", under="ignore"):
        low, middle, high = np.ldexp((sign * low, sign * middle, sign * high), exponent).tolist()
    return middle, (min(low, high), max(low, high)), "hybrid" if conditional else "simultaneous"


def _hybrid(student: SelectedMean, k: int, alpha: float, of_all: Interval) -> Interval:
    """Given that the first is just ahead, its value shows nothing, and the hybrid interval shrinks to an end of what it
    is cut to. Where it would be narrower than one that no choice was made for, all at once count as well."""
    low, high = hybrid_interval(student, k, alpha)
    if high - low < 2.0 * student.quantile(1.0 - alpha / 2.0) * student.error:
        return min(low, of_all[0]), max(high, of_all[1])
    return low, high


def _of_answers(
    evaluation: Evaluation, table: EvaluationTable, first: ModelEstimate, corrected: Corrected | None, alpha: float
) -> Corrected:
    """Shares of right answers: near 0 and 1 the winner's own error is 0 or nearly so, and no normal distribution holds.

    Wilson's interval at the level at which those of k independent shares hold at once; where the conditional estimate
    has no width, Wilson's bound by the median of the largest of k errors.
    """
    k, column = evaluation.scores.n_algorithms, evaluation.scores.index(first.algorithm)
    low, high = table.share_interval(column, float(ndtri((1.0 + (1.0 - alpha) ** (1.0 / k)) / 2.0)))
    ends = table.share_interval(column, float(ndtri(0.5 ** (1.0 / k))))
    estimate = ends[0] if evaluation.scores.better == "higher" else ends[1]
    estimate = corrected[0] if corrected is not None and corrected[2] == "hybrid" else estimate
    return _between(estimate, (low, high)), (low, high), "wilson"


def _measured(evaluation: Evaluation, bounds: Interval) -> bool:
    """Some algorithm varies; or these are ranks, which are never known beforehand, and not all tied."""
    ranks = math.isfinite(bounds[0]) and bool(np.ptp(evaluation.scores.values) > 0)
    return ranks or any(e.standard_error > 0 for e in evaluation.estimates)


def _without_variation(evaluation: Evaluation, table: EvaluationTable, first: ModelEstimate, alpha: float) -> Corrected:
    """The same value on all G units, where others vary: rare other values may have been missed.

    With scores of range R, a true mean that is R·q away needs other values on a share q of units, which G of them miss
    with probability (1 − q)^G at most; G is n²/Σm² of clusters of m. Of tasks with weights w_b and shares q_b of their
    own, q is Σ w_b q_b, and G the least G_b/w_b (Jensen). For whichever of k comes first (Šidák).
    """
    values, k = evaluation.scores.values, evaluation.scores.n_algorithms
    count = min(s.effective / s.weight for s in table.strata)
    least, most = float(values.min()), float(values.max())
    reach, middle = ((most - least) * -math.expm1(math.log1p(-((1.0 - x) ** (1.0 / k))) / count) for x in (alpha, 0.5))
    sign = 1.0 if evaluation.scores.better == "higher" else -1.0
    interval = (_between(first.mean - reach, (least, most)), _between(first.mean + reach, (least, most)))
    return _between(first.mean - sign * middle, interval), interval, "unvaried"
