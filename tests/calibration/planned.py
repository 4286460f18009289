"""Plans of questions through the public door: plan, draw tables of the planned size, evaluate them.

The promise is the power of the plan; what is counted are tables in which ``bo.evaluate`` shows the better model. Plans
come from a pilot so large that its variances are those of the population, or from an accuracy and an agreement. The
sentence that ends ``bo.evaluate`` is a plan, too: half the detectable difference, in so many questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator

import bakeoff as bo

SEED, TABLES, IN_CLUSTERS, LARGE = 45, 1500, 4000, 60_000
PROMISED, WITHIN = 0.8, 0.03
TWELVE = (5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60)
ONE_TO_NINE = (1, 2, 3, 4, 5, 6, 7, 8, 9)
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Two models (``models``: also further ones, equal to the worse) that answer the same questions.

    ``scores``: "binary", right or wrong, where one model alone is right on ``apart`` of the questions; or "graded",
    normal differences with standard deviations of 0.3, 0.5 and 0.7 in turn over tasks. ``tasks`` have sizes in these
    proportions; ``clusters`` have these sizes in turn, with a share ``icc`` of what varies (graded scores).
    """

    name: str
    source: str  # "pilot", "agreement", "accuracy", or "evaluate": its last sentence
    difference: float
    scores: str = "binary"
    apart: float = 0.2
    accuracy: float = 0.7
    tasks: tuple[int, ...] = (1,)
    clusters: tuple[int, ...] = ()
    icc: float = 0.0
    weights: str = "tasks"
    answers: int = 1
    models: int = 2
    first: int = 300  # questions of the evaluation whose last sentence it is
    tables: int = TABLES


def _cells() -> tuple[Cell, ...]:
    binary = Cell(name="", source="pilot", difference=0.06)
    graded = Cell(name="", source="pilot", difference=0.1, scores="graded")
    kinds = {
        "right or wrong, one task": binary,
        "right or wrong, tasks 5 : 1": replace(binary, tasks=(500, 100)),
        "right or wrong, tasks 5 : 1, pooled": replace(binary, tasks=(500, 100), weights="problems"),
        "graded, one task": graded,
        "graded, tasks 5 : 1": replace(graded, tasks=(500, 100)),
        "graded, 12 tasks of 5 to 60": replace(graded, tasks=TWELVE),
        "graded, clusters of 5": replace(graded, clusters=(5,), icc=0.3, first=600),
        "graded, clusters of 1 to 9": replace(graded, clusters=ONE_TO_NINE, icc=0.3, first=600),
    }
    of_evaluate = {
        **kinds,
        "graded, tasks 5 : 1, clusters of 5": replace(graded, tasks=(500, 100), clusters=(5,), icc=0.3, first=600),
        "graded, four models": replace(graded, models=4),
    }
    cells = [replace(cell, name=name, tables=IN_CLUSTERS if cell.clusters else TABLES) for name, cell in kinds.items()]
    cells += [
        Cell(name="agreement 0.8, accuracy 0.7", source="agreement", difference=0.06),
        Cell(name="agreement 0.9", source="agreement", difference=0.05, apart=0.1),
        Cell(name="accuracy 0.7, independent", source="accuracy", difference=0.1, apart=0.42),
        Cell(name="four answers each", source="pilot", difference=0.1, scores="graded", answers=4),
    ]
    return (*cells, *(replace(cell, name=name, source="evaluate") for name, cell in of_evaluate.items()))


CELLS = _cells()


def table(rng: Generator, cell: Cell, sizes: Sequence[int], difference: float) -> bo.Scores:
    """``sizes`` questions of each task; A leads by ``difference`` in each."""
    n = sum(sizes)
    tasks = np.repeat(np.arange(len(sizes)), sizes)
    clusters = _clusters(cell, sizes) if cell.clusters else None
    if cell.scores == "binary":
        values = _binary(rng, cell, n, difference)
    else:
        values = _graded(rng, cell, tasks, clusters, difference)
    labels: dict[str, Any] = {"tasks": [f"t{task}" for task in tasks]} if len(sizes) > 1 else {}
    if len(sizes) > 1 and cell.weights != "tasks":
        labels["weights"] = cell.weights
    if clusters is not None:
        labels["clusters"] = [f"c{cluster}" for cluster in clusters]
    return bo.Scores(values, [*"ABCD"[: cell.models]], better="higher", **labels)


def _clusters(cell: Cell, sizes: Sequence[int]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Of each question; no cluster is in two tasks."""
    parts, start = [], 0
    for size in sizes:
        often = np.resize(cell.clusters, size)
        of = np.repeat(np.arange(size), often)[:size]
        parts.append(start + of)
        start += int(of[-1]) + 1
    return np.concatenate(parts)


def _binary(rng: Generator, cell: Cell, n: int, difference: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Only A right, only B, both, none."""
    only_a, only_b = (cell.apart + difference) / 2, (cell.apart - difference) / 2
    both = cell.accuracy - cell.apart / 2
    outcome = rng.choice(4, n, p=[only_a, only_b, both, 1.0 - only_a - only_b - both])
    return np.stack([(outcome == 0) | (outcome == 2), (outcome == 1) | (outcome == 2)], axis=1).astype(float)


def _graded(
    rng: Generator,
    cell: Cell,
    tasks: np.ndarray[Any, np.dtype[np.int64]],
    clusters: np.ndarray[Any, np.dtype[np.int64]] | None,
    difference: float,
) -> np.ndarray[Any, np.dtype[np.float64]]:
    n = len(tasks)
    away = rng.normal(size=(n, cell.models)) * (1.0 - cell.icc) ** 0.5
    if clusters is not None:
        away += rng.normal(size=(clusters.max() + 1, cell.models))[clusters] * cell.icc**0.5
    values = (0.3 + 0.2 * (tasks % 3))[:, None] / 2.0**0.5 * away + (rng.normal(size=n) + tasks)[:, None]
    values[:, 0] += difference
    if cell.answers == 1:
        return values
    return values[:, :, None] + 0.4 * rng.normal(size=(n, cell.models, cell.answers))


def _counts(cell: Cell, n: int) -> list[int]:
    """``n`` questions in the proportions of the tasks; whole clusters in expectation."""
    shares = np.cumsum(cell.tasks) / sum(cell.tasks)
    return np.diff(np.rint(n * shares), prepend=0.0).astype(int).tolist()


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    n: int
    tasks: list[int]
    difference: float
    power: float


def plan(cell: Cell, rng: Generator) -> Planned:
    if cell.source == "evaluate":
        first = bo.evaluate(table(rng, cell, _counts(cell, cell.first), 0.0), n_resamples=199)
        assert first.detectable is not None
        assert first.n_for_half is not None
        return Planned(
            n=first.n_for_half, tasks=_counts(cell, first.n_for_half), difference=first.detectable / 2, power=PROMISED
        )
    if cell.source == "pilot":
        pilot = bo.plan.question_variance(table(rng, cell, _counts(cell, LARGE), 0.0), "A", "B")
        found = bo.plan.questions(cell.difference, pilot, answers=cell.answers)
    elif cell.source == "agreement":
        found = bo.plan.questions(cell.difference, accuracy=cell.accuracy, agreement=1.0 - cell.apart)
    else:
        found = bo.plan.questions(cell.difference, accuracy=cell.accuracy)
    tasks = [*found.tasks.values()] or [found.n]
    return Planned(n=found.n, tasks=tasks, difference=cell.difference, power=found.power)


def measure(cell: Cell, tables: int | None = None, seed: int = SEED) -> Row:
    """How often A is shown to be better, in tables of the planned size. Of ``evaluate``: each after another table."""
    tables = tables or cell.tables
    rng = np.random.default_rng([seed, CELLS.index(cell)])
    planned, shown, sizes = plan(cell, rng), 0, []
    for _ in range(tables):
        found = bo.evaluate(table(rng, cell, planned.tasks, planned.difference), n_resamples=199, rng=1)
        shown += found.pair("A", "B").verdict == "a better"
        sizes.append(planned.n)
        if cell.source == "evaluate":
            planned = plan(cell, rng)
    n = int(np.median(sizes))
    return {
        "name": cell.name,
        "source": cell.source,
        "n": n,
        "promised": round(planned.power, 4),
        "at_least": cell.models > 2,  # the sentence is about the pair with the largest error
        "detected": shown,
        "tables": tables,
    }


def fault(row: Row) -> str:
    """Where the power is further from the promise than .03 and what chance explains (four standard errors)."""
    share, tables = row["detected"] / row["tables"], row["tables"]
    allowed = WITHIN if tables >= TABLES else WITHIN + 4 * (0.16 / tables) ** 0.5
    away = row["promised"] - share
    return "" if away <= allowed and (row["at_least"] or -away <= allowed) else f"{share:.3f} for {row['promised']}"
