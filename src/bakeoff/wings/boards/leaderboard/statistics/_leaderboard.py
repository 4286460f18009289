"""leaderboard(): who may be best, which ranks are possible, and what the winner's score is worth."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from bakeoff.checks import N_RESAMPLES, choice, draw_count, probability
from bakeoff.errors import Caution, InfiniteScoreError, ParameterError, counted
from bakeoff.means.run_means import CLAIMS
from bakeoff.randomness import whole_seed
from bakeoff.ranks import rank
from bakeoff.ranks.table_cautions import unequal_runs
from bakeoff.scores import Scores, check_scores
from bakeoff.scores.run_identity import lone_processes
from bakeoff.takes_table import takes_table
from bakeoff.wings.boards.evaluate.statistics import Evaluation, evaluate
from bakeoff.wings.boards.leaderboard.statistics.cautions import leaderboard_cautions
from bakeoff.wings.boards.leaderboard.statistics.over_runs import evaluated_over_runs
from bakeoff.wings.boards.leaderboard.statistics.results import By, Leaderboard, LeaderboardRow, Over
from bakeoff.wings.boards.leaderboard.statistics.winner import corrected_winner


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
    alpha, seed = probability("alpha", alpha), whole_seed(rng)
    choice("by", by, ("mean", "mean-rank"))
    size = draw_count("n_resamples", n_resamples, math.ceil(1 / alpha))
    if by == "mean":
        _refuse_infinite(scores)
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
    cautions = [*_about_means(evaluation.cautions), *leaderboard_cautions(evaluation, by, winner)]
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
    """The ranks within each problem as scores: 1 is best."""
    alone = "iteration" if lone_processes(scores).any() else None
    return Scores.from_cells(rank(scores)[:, :, None], scores.algorithms, scores.problems, better="lower",
                             clusters=scores.clusters, run_kind=alone, hosts=scores.hosts)  # fmt: skip


def _about_means(cautions: tuple[Caution, ...]) -> tuple[Caution, ...]:
    return tuple(caution for caution in cautions if caution.code not in ("negative-variance", "skew"))


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
