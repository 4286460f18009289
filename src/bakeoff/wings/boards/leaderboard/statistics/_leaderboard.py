"""leaderboard(): who may be best, which ranks are possible, and what the winner's score is worth.

The first of a table: what its mean is worth, given that it was chosen.

Means, covariance and degrees of freedom are those of the evaluation that ranked, with its tasks, weights and clusters.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from bakeoff.checks import N_RESAMPLES, choice, draw_count, probability
from bakeoff.designed import averaged_runs, of_means, refuse_contributions
from bakeoff.errors import InfiniteScoreError, ParameterError, counted
from bakeoff.means.contributions import transformed_scale
from bakeoff.means.moments import covariances_with, suite_moments
from bakeoff.means.run_means import CLAIMS, RunMeans
from bakeoff.means.selected_mean import (
    CONDITIONAL,
    SelectedMean,
    hybrid_interval,
    median_unbiased,
    of_all_at_once,
    selected_mean,
)
from bakeoff.means.strata import FEWEST
from bakeoff.randomness import integer_seed
from bakeoff.ranks import rank, tie_tolerance
from bakeoff.ranks.cautions import unequal_runs
from bakeoff.scores import Scores, check_scores
from bakeoff.scores.design import Estimand
from bakeoff.scores.runs import single_processes
from bakeoff.special import ndtri
from bakeoff.takes_table import takes_table
from bakeoff.wings.boards.evaluate.statistics import Evaluation, ModelEstimate, evaluate
from bakeoff.wings.boards.evaluate.statistics.table import EvaluationTable, ranked_table
from bakeoff.wings.boards.leaderboard.statistics.cautions import leaderboard_cautions
from bakeoff.wings.boards.leaderboard.statistics.over_runs import evaluated_over_runs
from bakeoff.wings.boards.leaderboard.statistics.results import (
    By,
    Correction,
    Interval,
    Leaderboard,
    LeaderboardRow,
    Over,
    Winner,
)

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
) -> Corrected | None:
    """Correct for the choice; a metric of predictions on its own scale, and not at the end of its range."""
    scores, k = evaluation.scores, evaluation.scores.n_algorithms
    sign = 1.0 if scores.better == "higher" else -1.0
    column = scores.index(first.algorithm)
    if isinstance(of, RunMeans):
        exponent = math.frexp(float(np.max(scores.scales)))[1]
        means, covariance = sign * of.means, np.where(np.arange(k) == column, of.variances, 0.0)
    else:
        exponent, means = of.exponent, suite_moments(of.oriented, of.scales, of.strata).means
        covariance = covariances_with(of.oriented, of.strata, column)
    scale = transformed_scale(scores)
    if scale is not None:
        values = np.ldexp(means, exponent)
        if not ((scale.low < values) & (values < scale.high)).all():
            return None
        slopes = np.array([scale.slope(x) for x in values.tolist()])
        covariance = np.ldexp(covariance, 2 * exponent) * slopes * slopes[column]
        exponent, means = 0, np.array([scale.there(x) for x in values.tolist()])
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
    if scale is not None:
        low, middle, high = map(scale.back, (low, middle, high))
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
    """Some algorithm varies; or these are ranks, which are never known beforehand, and not all tied. Contributions have
    no range from which rare other values could come."""
    if transformed_scale(evaluation.scores) is not None:
        return False
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


@takes_table
def leaderboard(
    scores: Scores,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    *,
    by: By = "mean",
    unit: Literal["cluster", "problem"] | None = None,
    over: Over = "problems",
    n_resamples: int = N_RESAMPLES,
) -> Leaderboard:
    """Who may be the best, which ranks are possible, and what is the first one's score worth?

    Use it for a ranking that is published: what it leaves open is part of the answer. ``bo.compare`` tests pairs.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms), or with runs as a third axis, which are averaged first; ``clusters`` are respected.
    alpha : float
        Error rate of all ranks and candidates at once, and of the winner's interval.
    rng : int or Generator, optional
        Seed or Generator of the signs drawn for the distribution of the largest |t|; seed 0 if absent.
    n_resamples : int
        Number of these signs, as in ``bo.evaluate``.
    by : {"mean", "mean-rank"}
        "mean" of scores, whose size should be similar on all problems; or of the ranks within each problem, for scores
        of any size, infinite ones included. A mean rank depends on who takes part.
    unit : {"cluster", "problem"}, optional
        What is independent; by default clusters, if there are any.
    over : {"problems", "runs", "both"}
        What could have been different. Other problems, with runs of their own, whose noise is part of how problems
        differ ("problems" and "both" have the same numbers); or other runs of exactly these problems.

    Returns
    -------
    Leaderboard
        ``.candidates``, ``.rank_intervals`` {name: (best, worst)}, ``.leading``, ``.groups`` (tied sets), ``.winner``
        (``.value`` observed; ``.estimate`` and ``.interval`` corrected for having been chosen), ``.standings``.

    Raises
    ------
    MissingScoreError, InfiniteScoreError, ScoreError, ParameterError
        A missing (or with means, infinite) cell, named; one problem, or one cluster; over runs one run in a cell.

    Notes
    -----
    A candidate is not shown worse than any: with confidence 1 − alpha the truly best is among them. Pairs by max-|t|,
    ranks [1 + number shown better, k − number shown worse] (Klein, Wright & Wieczorek 2020). Winner: truncated normal
    distribution of its mean given that it won, with the covariance of ``bo.evaluate``; median-unbiased estimate, hybrid
    interval with β = α/10 and t(G* − 1) (Andrews, Kitagawa & McCloskey 2024). Ties for the first place, right and wrong
    answers (Wilson), and G* < 5 have an interval that holds for all algorithms at once; G* < 3: none.

    Examples
    --------
    >>> import bakeoff as bo
    >>> found = bo.leaderboard(bo.datasets.load("demsar_2006"))
    >>> found.candidates, found.rank_intervals[found.winner.algorithm]
    (('C4.5+m+cf', 'C4.5+m', 'C4.5+cf', 'C4.5'), (1, 4))
    """
    scores = check_scores(scores)
    alpha, seed = probability("alpha", alpha), integer_seed(rng)
    choice("by", by, ("mean", "mean-rank"))
    size = draw_count("n_resamples", n_resamples, math.ceil(1 / alpha))
    if by == "mean":
        _refuse_infinite(scores)
    else:
        refuse_contributions(scores, "bo.leaderboard(…, by='mean-rank')")
    choice("over", over, tuple(CLAIMS))
    of_runs = None
    if over == "runs":
        _refuse_beside_runs(by, unit)
        evaluation, of_runs = evaluated_over_runs(scores, alpha, seed, size)
    else:
        evaluation = evaluate(_ranked(scores) if by == "mean-rank" else scores, None, "max-t", alpha, seed, unit=unit,
                         n_resamples=size)  # fmt: skip
    possible = (1.0, float(scores.n_algorithms)) if by == "mean-rank" else (-math.inf, math.inf)
    winner = corrected_winner(evaluation, alpha, possible, of_runs)
    known = [caution for caution in evaluation.cautions if caution.code not in ("negative-variance", "skew")]
    cautions = [*known, *leaderboard_cautions(evaluation, by, winner)]
    if by == "mean-rank" and (more_runs := unequal_runs(scores)):
        cautions = [more_runs, *cautions]
    return Leaderboard(
        scores=scores,
        alpha=alpha,
        by=by,
        unit=evaluation.unit,
        over=over,
        n_resamples=size,
        rng=seed,
        evaluation=evaluation,
        winner=winner,
        standings=_standings(evaluation, winner.algorithm),
        cautions=tuple(cautions),
    )


def _refuse_beside_runs(by: By, unit: str | None) -> None:
    if by == "mean-rank":
        raise ParameterError(
            "'mean-rank' depends on which problems there are; over='runs' takes means (bo.per_problem tests the runs "
            "of each problem)",
            parameter="by",
        )
    if unit is not None:
        raise ParameterError(f"is of over='problems'; over='runs' counts runs. Got {unit!r}", parameter="unit")


def _refuse_infinite(scores: Scores) -> None:
    rows, columns = np.nonzero(np.isinf(scores.values))
    if len(rows):
        raise InfiniteScoreError(
            f"scores are infinite: problem {scores.problems[rows[0]]!r}, algorithm {scores.algorithms[columns[0]]!r} "
            f"({counted(len(rows), 'such cell')}), so that means say nothing. Order by mean ranks, which take infinite "
            "scores for the worst or best: by='mean-rank' (--by mean-rank)"
        )


def _ranked(scores: Scores) -> Scores:
    """The ranks within each problem as scores, of the same design: 1 is best."""
    alone = "iteration" if single_processes(scores).any() else None
    return Scores.from_cells(rank(scores)[:, :, None], scores.algorithms, scores.problems, better="lower",
                             clusters=scores.clusters, tasks=scores.tasks, weights=scores.weights, run_kind=alone,
                             hosts=scores.hosts)  # fmt: skip


def _standings(evaluation: Evaluation, winner: str) -> tuple[LeaderboardRow, ...]:
    shown = [pair for pair in evaluation.pairs if pair.verdict in ("a better", "b better")]
    apart = {name for pair in shown if winner in (pair.a, pair.b) for name in (pair.a, pair.b)} - {winner}
    return tuple(
        LeaderboardRow(
            algorithm=e.algorithm,
            value=e.mean,
            standard_error=e.standard_error,
            rank=evaluation.rank_intervals[e.algorithm],
            candidate=evaluation.rank_intervals[e.algorithm][0] == 1,
            leading=e.algorithm not in apart,
        )
        for e in sorted(evaluation.ranked, key=lambda e: e.algorithm != winner)
    )


def estimand(result: Leaderboard) -> Estimand:
    """The mean that orders the algorithms, and for which runs it speaks."""
    runs = averaged_runs(result.scores)
    return of_means(
        result.scores,
        "mean rank" if result.by == "mean-rank" else "",
        f"for other runs of these problems; {runs}" if result.over == "runs" else runs,
    )
