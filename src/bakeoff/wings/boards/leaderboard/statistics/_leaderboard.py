"""leaderboard(): who may be best, which ranks are possible, and what the winner's score is worth.

The first of a table: what its mean is worth, given that it was chosen.

Means, covariance and degrees of freedom are those of the evaluation that ranked, with its tasks, weights and clusters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import N_RESAMPLES, choice, draw_count, probability
from bakeoff.designed import refuse_contributions
from bakeoff.errors import Caution, InfiniteScoreError, ParameterError, counted, listing
from bakeoff.means.assumptions import unit_skewness
from bakeoff.means.cautions import skewed_differences
from bakeoff.means.contributions import transformed_scale
from bakeoff.means.moments import covariances_with, suite_moments
from bakeoff.means.run_means import CLAIMS, Over as Over, RunMeans, RunPairs, refuse_single_runs, run_means, run_pairs
from bakeoff.means.selected_mean import (
    CONDITIONAL,
    SelectedMean,
    hybrid_interval,
    median_unbiased,
    of_all_at_once,
    selected_mean,
)
from bakeoff.means.strata import FEWEST
from bakeoff.posthoc.groups import rank_intervals
from bakeoff.randomness import generator, integer_seed
from bakeoff.ranks import rank, tie_tolerance
from bakeoff.ranks.cautions import alone_undecided, dependent_runs, input_cautions, unequal_runs
from bakeoff.scores import Scores, check_scores
from bakeoff.scores.design import shares
from bakeoff.scores.pair_family import family_of, shown_better
from bakeoff.scores.runs import single_processes
from bakeoff.special import ndtri, stdtrit
from bakeoff.takes_table import takes_table
from bakeoff.wings.boards.evaluate.statistics import (
    Evaluation,
    EvaluationPair,
    ModelEstimate,
    detectable_ratio,
    evaluate,
    ranked_table,
    skewed_pairs,
    tied_sets,
)
from bakeoff.wings.boards.evaluate.table import EvaluationTable
from bakeoff.wings.boards.leaderboard.statistics.results import (
    By,
    Correction,
    Interval,
    Leaderboard,
    LeaderboardRow,
    Winner,
)

# Cautions for a reader of a leaderboard.


RULED = 2 / 3  # of all squared differences, by so few problems
FEWEST_RULED = 10  # problems, for this to be said
TAILED = 0.15
"""|γ|/√G below which a winner's interval at 95 % misses its mean in 6 % at most."""
OTHER_WAYS = " by='mean-rank' has no such tails; logarithms of the scores have shorter ones."


def leaderboard_cautions(judged: Evaluation, by: str, winner: Winner) -> list[Caution]:
    """Caution of the choice of a winner, and of means that few problems rule."""
    scores, cautions = judged.scores, []
    if winner.tied:
        cautions.append(caution_of("winner-tied", names=listing([winner.algorithm, *winner.tied])))
    if judged.unit == "run":
        return cautions
    table = ranked_table(judged)
    if table.of_predictions:
        return cautions
    tail = _tail_towards_worse(table) if winner.method in ("hybrid", "simultaneous") else 0.0
    if tail > 0 and tail**2 > max(TAILED**2 * judged.n_clusters, 6 / judged.n_clusters):  # √(6/G): of normal scores
        units, hint = counted(judged.n_clusters, judged.unit), OTHER_WAYS if by == "mean" else ""
        cautions.append(caution_of("skew", "winner", skewness=tail, units=units, hint=hint))
    if by == "mean":
        a, b = (np.array(side) for side in zip(*family_of(scores.n_algorithms, None), strict=True))
        errs = "ranks and candidates rely on tests of means, which need symmetric differences. In simulations where "
        errs += "algorithms sometimes fail, all of them held in 50 to 94 % of tables instead of 95 %."
        instead = "by='mean-rank' asks who is ahead on most problems, whatever the tails."
        cautions += skewed_differences(skewed_pairs(table, judged.pairs, (a, b)), f"{judged.unit}s", errs, instead)
    rulers = _ruling(scores) if by == "mean" else 0
    if rulers:
        few, which = counted(rulers, "problem"), "has" if rulers == 1 else "have"
        cautions.append(caution_of("scales-differ", "squares", problems=few, n_problems=scores.n_problems, which=which))
    return cautions


def _tail_towards_worse(table: EvaluationTable) -> float:
    """Skewness of what units add to the algorithms' means, on average, positive where the long tail is bad.

    Of all algorithms and not of the winner, whose own sample hardly shows the tail: that is why it won.
    """
    skewness = unit_skewness(-table.oriented, table.strata)
    return float(skewness[~np.isnan(skewness)].mean()) if not np.isnan(skewness).all() else 0.0


def _ruling(scores: Scores) -> int:
    """Count the problems, a tenth of them or fewer, that hold two thirds of Σ (x_ij − x̄_i)²; 0 if none do."""
    n = scores.n_problems
    if n < FEWEST_RULED:
        return 0
    largest = float(np.max(np.abs(scores.values)))
    if largest == 0:
        return 0
    values = scores.values / largest
    away = values - values.mean(axis=1, keepdims=True)
    away[np.ptp(values, axis=1) <= 1e-14] = 0.0  # equal but for rounding
    squares = np.sort((away**2).sum(axis=1))[::-1]
    total = float(squares.sum())
    if total == 0:
        return 0
    needed = int(np.searchsorted(np.cumsum(squares), RULED * total)) + 1
    return needed if needed <= max(1, n // 10) else 0


# The evaluation below a leaderboard whose claims are for these problems: runs vary, problems do not.


def evaluated_over_runs(
    scores: Scores, alpha: float, seed: int | None, n_resamples: int
) -> tuple[Evaluation, RunMeans]:
    """As ``evaluate`` gives it over problems, and the means themselves."""
    refuse_single_runs(scores, scores.n_runs, "over='problems'")
    assert scores.runs is not None
    exponent = math.frexp(float(np.max(scores.scales)))[1]  # squares then neither overflow nor vanish
    weights = scores.design.weights
    of_each = None if weights == "problems" else shares(scores.design, weights, scores.n_problems)
    means = run_means(np.sort(np.ldexp(scores.runs, -exponent), axis=2), of_each)
    family = family_of(scores.n_algorithms, None)
    a, b = (np.array(side) for side in zip(*family, strict=True))
    by_name = sorted(range(scores.n_algorithms), key=scores.algorithms.__getitem__)
    pairs = run_pairs(means, (a, b), alpha, by_name, n_resamples, generator(seed))
    estimates = tuple(_estimates(scores, means, alpha, exponent))
    rows = alone_undecided(scores, _pairs(scores, means, pairs, family, alpha, exponent))
    groups, beyond = tied_sets(estimates, rows, scores.better)
    constant = [e.algorithm for e in estimates if e.standard_error == 0]
    judged = Evaluation(
        scores=scores,
        correction="max-t",
        alpha=alpha,
        unit="run",
        tasks="fixed",
        weights=weights,
        n_resamples=n_resamples,
        rng=seed,
        n_clusters=int(scores.n_runs.sum(axis=0).min()),
        exact=False,
        critical=pairs.critical if math.isfinite(pairs.critical) else None,
        estimates=estimates,
        pairs=rows,
        rank_intervals=rank_intervals(scores.algorithms, rows),
        groups=groups,
        cautions=(
            *input_cautions(scores),
            *dependent_runs(scores.run_kind, "runs"),
            *([caution_of("no-variation", "board-runs", names=listing(constant))] if constant else []),
            *beyond,
        ),
    )
    return judged, means


def _estimates(scores: Scores, means: RunMeans, alpha: float, exponent: int) -> Iterator[ModelEstimate]:
    reach = -stdtrit(means.df, alpha / 2) * means.errors
    of_each = np.ldexp([means.means, means.errors, means.means - reach, means.means + reach], exponent).T.tolist()
    for j, (mean, error, *interval) in enumerate(of_each):
        yield ModelEstimate(
            algorithm=scores.algorithms[j],
            mean=mean,
            standard_error=error,
            interval=(interval[0], interval[1]),
            df=float(means.df[j]),
            method="t",
            n=scores.n_problems,
            n_clusters=int(scores.n_runs[:, j].sum()),
        )


def _pairs(
    scores: Scores, means: RunMeans, pairs: RunPairs, family: list[tuple[int, int]], alpha: float, exponent: int
) -> Iterator[EvaluationPair]:
    sign = 1.0 if scores.better == "higher" else -1.0
    for p, (a, b) in enumerate(family):
        difference, error, df = sign * float(pairs.means[p]), float(pairs.errors[p]), float(pairs.df[p])
        reach, wide = -float(stdtrit(df, alpha / 2)) * error, pairs.critical * error
        ends = (difference - reach, difference + reach, difference - wide, difference + wide, difference, error)
        low, high, lowest, highest, back, spread = np.ldexp(ends, exponent).tolist()
        leads = scores.costs[:, b] - scores.costs[:, a]
        known = error > 0 and math.isfinite(pairs.critical)
        yield EvaluationPair(
            a=scores.algorithms[a],
            b=scores.algorithms[b],
            difference=back,
            statistic=sign * float(pairs.t[p]),
            standard_error=spread,
            df=df,
            interval=(low, high),
            method="t",
            simultaneous=(lowest, highest) if known else None,
            pvalue=float(pairs.pvalues[p]),
            t_pvalue=float(pairs.pvalues[p]),
            test="t",
            adjusted=float(pairs.adjusted[p]),
            unpaired_error=spread,
            noise_share=1.0 if error > 0 else None,
            detectable=math.ldexp(detectable_ratio(df, pairs.critical) * error, exponent) if known else None,
            wins=int((leads > 0).sum()),
            losses=int((leads < 0).sum()),
            verdict=shown_better(float(pairs.adjusted[p]) <= alpha, difference),
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
