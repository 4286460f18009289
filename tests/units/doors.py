"""The public door of each analysis: how it is called, and which of its statements would be false."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.random import Generator

import bakeoff as bo
from units.tables import Draw, Shape

ALPHA = 0.05
MARGIN = 1.0
OF_TWELVE = 0.15
"""How often the sign test decides with probability .95, either way, on twelve independent problems: 598 of 4096."""


@dataclass(frozen=True)
class Door:
    """How an analysis is called, and what of its result would be false.

    ``opened``: the result of a table. ``false``: whether a statement of it is false, where no algorithm is better (of a
    result without that statement: None). ``promise``: in how many tables at most. ``alone``: it judges each problem by
    itself. ``of_runs``: where a table has runs, the claim is about other runs of these problems. ``again``: whether a
    new table, made as the result says, shows it to be false. ``answers``: its command reads one table of answers of any
    number of models.
    """

    name: str
    call: str
    opened: Callable[[bo.Scores], Any]
    false: Callable[[Any], bool | None]
    counted: str
    shape: Shape = field(default_factory=Shape)
    promise: float = ALPHA
    alone: bool = False
    of_runs: bool = False
    answers: bool = True
    again: Callable[[Any, Draw, Shape, Generator], bool] | None = None


def shown(found: Any) -> bool:
    return any(pair.verdict in ("a better", "b better") for pair in found.pairs)


def winner_missed(found: Any) -> bool | None:
    """All algorithms have the mean 0."""
    interval = found.winner.interval
    return None if interval is None else not interval[0] <= 0 <= interval[1]


def as_times(scores: bo.Scores) -> bo.Scores:
    """Their exponentials; a better score is a shorter time."""
    sign = -1.0 if scores.better == "higher" else 1.0
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    kept = ("tasks", "clusters", "weights", "order", "run_kind", "read_as")
    about = {name: getattr(scores, name) for name in kept}
    times = np.exp(sign * cells)
    return bo.Scores.from_cells(times, scores.algorithms, scores.problems, better="lower", holes=True, **about)


def along_budgets(scores: bo.Scores) -> dict[str, Any]:
    """A long table in which every run has its score at two budgets."""
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    p, a, r, b = (index.ravel() for index in np.indices((*cells.shape, 2)))
    kept = ~np.isnan(cells[p, a, r])
    p, a, r, b = (index[kept] for index in (p, a, r, b))
    table: dict[str, Any] = {
        "problem": np.asarray(scores.problems)[p],
        "algorithm": np.asarray(scores.algorithms)[a],
        "fold" if scores.run_kind == "split" else "run": r,
        "budget": b + 1,
        "score": cells[p, a, r] * (b + 1),
    }
    for name, labels in (("task", scores.tasks), ("cluster", scores.clusters)):
        if labels is not None:
            table[name] = np.asarray(labels)[p]
    return table


def curves_of(scores: bo.Scores) -> Any:
    table = along_budgets(scores)
    task = "task" if scores.tasks is not None else None
    weights = scores.design.weights if scores.design.asked else None
    return bo.curves(table, better=scores.better, task=task, weights=weights, best_so_far=False, n_resamples=199)


def plan_of(pilot: bo.Scores) -> Any:
    """How many questions show a difference of 0.5, by the variances of the pilot."""
    return bo.plan.questions(0.5, pilot, answers=2)


def too_few(plan: Any, draw: Draw, shape: Shape, rng: Generator) -> bool:
    """Does an experiment of the planned size, judged by ``bo.evaluate``, miss the difference?"""
    table = draw(rng, replace(shape, lead=0.5, n=plan.n)).table
    return bo.evaluate(table, n_resamples=199).pairs[0].verdict != "a better"


def decided(found: Any) -> bool:
    return any(pair.signed_rank.verdict in ("a better", "b better") for pair in found.pairs)


ANY_PAIR = "a pair shown to differ"
DOORS = (
    Door("compare", "bo.compare(scores)", bo.compare, shown, ANY_PAIR),
    Door(
        "per-problem",
        "bo.per_problem(scores)",
        bo.per_problem,
        lambda found: any(cell.verdict in "+-" for cell in found.cells),
        "any + or −",
        Shape(runs=8, sampled=False, even=True),
        alone=True,
    ),
    Door(
        "sensitivity",
        "bo.sensitivity(scores)",
        lambda scores: bo.sensitivity(scores, n_resamples=10, rng=1),
        shown,
        ANY_PAIR,
    ),
    Door(
        "plan --questions",
        "bo.plan.questions(difference, scores)",
        plan_of,
        lambda _: None,
        "a planned experiment misses the difference, by `bo.evaluate`",
        Shape(runs=2, n=120, even=True),
        0.2,
        again=too_few,
    ),
    Door("evaluate", "bo.evaluate(scores)", lambda s: bo.evaluate(s, n_resamples=199), shown, ANY_PAIR),
    Door(
        "leaderboard",
        "bo.leaderboard(scores)",
        lambda s: bo.leaderboard(s, n_resamples=199),
        winner_missed,
        "the winner's interval misses its mean",
    ),
    Door(
        "leaderboard --over runs",
        'bo.leaderboard(scores, over="runs")',
        lambda s: bo.leaderboard(s, over="runs", n_resamples=199),
        lambda found: shown(found) or bool(winner_missed(found)),
        "a pair shown to differ, or the winner's interval misses its mean",
        Shape(runs=4, sampled=False),
        2 * ALPHA,
    ),
    Door(
        "iqm",
        "bo.interquartile_mean(scores)",
        lambda s: bo.interquartile_mean(s, n_resamples=199),
        shown,
        ANY_PAIR,
        Shape(symmetric=True),
    ),
    Door(
        "check",
        'bo.check(scores, scores, margin, level="suite")',
        lambda s: bo.check(s, s, MARGIN, ALPHA, label=("A", "B"), scale="difference", level="suite"),
        lambda found: any(row.verdict == "regressed" for row in found.rows),
        "REGRESSED, worse by exactly the margin",
        Shape(lead=MARGIN),
        of_runs=True,
        answers=False,
    ),
    Door(
        "tradeoff",
        "bo.tradeoff({name: scores}, margins, alpha=0.025)",
        lambda s: bo.tradeoff({"x": s, "y": s}, {"x": 1.0, "y": 1.0}, alpha=ALPHA / 2, n_draws=100),
        lambda found: any(pair.verdict == "a better trade-off" for pair in found.pairs),
        "a better trade-off shown, either way",
        answers=False,
    ),
    Door("ratings", "bo.ratings(scores)", lambda s: bo.ratings(s, n_resamples=100), shown, ANY_PAIR),
    Door(
        "bayes",
        "bo.bayes.overview(scores)",
        lambda s: bo.bayes.overview(s, n_draws=1000, rng=1),
        decided,
        "a pair decided with probability .95, either way",
        promise=OF_TWELVE,
    ),
    Door(
        "curves",
        "bo.curves(table)",
        curves_of,
        lambda found: any(pair.segments for pair in found.pairs),
        "anything shown at either budget",
        answers=False,
    ),
    Door(
        "profile",
        "bo.profile(scores)",
        lambda s: bo.profile(as_times(s), n_resamples=199),
        lambda found: None if found.swap is None else found.swap.pvalue <= ALPHA,
        "the profiles shown to differ",
    ),
    Door(
        "runtimes",
        "bo.runtimes(scores, cap)",
        lambda s: bo.runtimes(as_times(s), 1e9, n_resamples=100),
        shown,
        ANY_PAIR,
        answers=False,
    ),
    Door(
        "race",
        "bo.race.replay(scores)",
        lambda s: bo.race.replay(s, order=0),
        lambda found: bool(found.eliminated),
        "a best candidate eliminated",
    ),
    Door(
        "history",
        "bo.change_points(scores)",
        lambda s: bo.change_points(s, n_resamples=199),
        lambda found: bool(found.steps),
        "any change of level",
        Shape(versions=10, even=True),
        alone=True,
        answers=False,
    ),
)
BY_NAME = {door.name: door for door in DOORS}
