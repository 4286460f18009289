"""A table for each feature of a design, in which algorithms do not differ unless the feature is ignored.

Every function draws one table, and beside it the same numbers without the feature.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Shape:
    """What an analysis needs of a table.

    ``runs`` of each cell at least. ``sampled``: problems differ at random; if not, the claim is about these problems,
    and only runs vary. ``even``: algorithms are equal on each problem, not only in the mean. ``lead`` of A, in the
    direction that is good. ``versions`` instead of two algorithms. ``n`` problems, if not the usual number.
    ``asked``: weights, where the feature is that they are asked for. ``symmetric``: equal in trimmed means too.
    """

    runs: int = 1
    sampled: bool = True
    even: bool = False
    lead: float = 0.0
    versions: int = 0
    n: int = 0
    asked: str = ""
    symmetric: bool = False

    @property
    def k(self) -> int:
        return self.versions or 2


class Drawn(NamedTuple):
    table: bo.Scores
    ignoring: bo.Scores | None


Draw = Callable[[Generator, Shape], Drawn]


def scores(cells: Floats, shape: Shape, **about: Any) -> bo.Scores:
    """Of (n, k) or (n, k, runs), NaN where a cell has no such run; the first is ahead."""
    cells = cells[:, :, None] if cells.ndim == 2 else cells
    names = _names(shape)
    problems = [f"{word}{i}" for i, word in zip(range(len(cells)), WORDS * len(cells), strict=False)]
    lead = shape.lead * (np.arange(shape.k) == 0)[:, None]
    return bo.Scores.from_cells(cells + lead, names, problems, better="higher", **{"holes": False} | about)


def _names(shape: Shape) -> list[str]:
    return [f"v{j:02}" for j in range(shape.versions)] if shape.versions else ["A", "B"]


WORDS = ("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "yew")
"""Names without a common stem."""


def effects(rng: Generator, shape: Shape, n: int, own: float = 0.5) -> Floats:
    """(n, k): what problems, and algorithms on them, have in common over runs; nothing where problems are fixed."""
    if not shape.sampled:
        return np.zeros((n, shape.k))
    return np.asarray(rng.normal(size=(n, 1)) + own * rng.normal(size=(n, shape.k)))


def noise(rng: Generator, shape: Shape, n: int) -> Floats:
    """(n, k, runs) of runs; none where one run is all there is."""
    spread = 0.5 if shape.runs > 1 else 0.0
    return np.asarray(spread * rng.normal(size=(n, shape.k, shape.runs)))


def first_ahead(shape: Shape, ahead: Floats) -> Floats:
    """(n, k): by how much the first is ahead, and the second behind; nothing where they are equal on each problem."""
    return np.where(np.arange(shape.k) == 0, 0.5, -0.5) * ahead[:, None] * (not shape.even)


def _two_tasks(rng: Generator, shape: Shape, by_size: bool) -> tuple[Floats, list[str]]:
    """Five of six questions are of one task, in which A is ahead. B is ahead in the other, so that the means are equal:
    of tasks, or of problems (``by_size``). Levels cancel in the same way. For trimmed means of problems, A is ahead on
    half of all problems and behind, as far, on the others, which include the small task."""
    n = shape.n or 48
    big = n * 5 // 6
    other = big / (n - big) if by_size else 1.0
    step = 0.3 if by_size else 1.0
    signs = np.where(np.arange(n) < big, step, -step * other)
    if by_size and shape.symmetric:
        signs = np.where(np.arange(n) < n // 2, 1.0, -1.0)
    cells = effects(rng, shape, n) + first_ahead(shape, signs) + signs[:, None]
    return cells[:, :, None] + noise(rng, shape, n), ["big"] * big + ["small"] * (n - big)


def turned(rng: Generator, shape: Shape) -> Drawn:
    """A is better on most questions of the big task, B on nearly all of the small one: other weights, another order."""
    n = shape.n or 48
    big = n * 5 // 6
    signs = np.where(np.arange(n) < big, 0.5, -3.0)
    cells = effects(rng, shape, n) + first_ahead(shape, signs)
    labels = ["big"] * big + ["small"] * (n - big)
    return Drawn(scores(cells[:, :, None] + noise(rng, shape, n), shape, tasks=labels), None)


def tasks(rng: Generator, shape: Shape) -> Drawn:
    cells, labels = _two_tasks(rng, shape, by_size=False)
    return Drawn(scores(cells, shape, tasks=labels), scores(cells, shape))


def weights(rng: Generator, shape: Shape) -> Drawn:
    """Other weights than the usual ones: problems, where there are tasks; or what the shape asks for."""
    asked = shape.asked or "problems"
    cells, labels = _two_tasks(rng, shape, by_size=asked == "problems")
    return Drawn(scores(cells, shape, tasks=labels, weights=asked), scores(cells, shape, tasks=labels))


def clusters(rng: Generator, shape: Shape) -> Drawn:
    """Twenty copies of each source."""
    n = max(3, -(-shape.n // 20)) if shape.n else (3 if shape.versions else 12)
    sources = effects(rng, replace(shape, sampled=True), n) if shape.sampled else np.zeros((n, shape.k))
    cells = np.repeat(sources, 20, axis=0)[:, :, None] + noise(rng, shape, 20 * n)
    labels = [f"source {i}" for i in np.repeat(np.arange(n), 20)]
    return Drawn(scores(cells, shape, clusters=labels), scores(cells, shape))


def pooled(cells: Floats, shape: Shape) -> bo.Scores:
    """Each run as a problem of its own; where problems are fixed, as a run of one problem."""
    n, k, r = cells.shape
    rows = np.swapaxes(cells, 1, 2).reshape(n * r, k)
    rows = rows[~np.isnan(rows).any(axis=1)]
    return scores(rows, shape) if shape.sampled else scores(rows.T[None], shape)


def runs(rng: Generator, shape: Shape) -> Drawn:
    """A is ahead on half of the problems, which have 20 runs, and B on the others, which have 2."""
    n = shape.n or 12
    many = np.arange(n) < n // 2
    cells = np.full((n, shape.k, 20), np.nan)
    for i, few in enumerate(~many):
        r = 2 if few else 20
        cells[i, :, :r] = rng.normal(size=(shape.k, r))
    cells += first_ahead(shape, np.where(many, 1.0, -1.0))[:, :, None] + effects(rng, shape, n, 0.3)[:, :, None]
    return Drawn(scores(cells, shape, holes=True, run_kind="seed"), pooled(cells, shape))


def nested(rng: Generator, shape: Shape) -> Drawn:
    """Seeds of ten episodes; what a seed shares has ten times the standard deviation of an episode."""
    n, k, outer = shape.n or (8 if shape.sampled else 2), shape.k, 2 if shape.sampled else 4
    seeds = rng.normal(size=(n, k, outer)) + effects(rng, shape, n, 1.0)[:, :, None]
    cells = seeds[..., None] + 0.1 * rng.normal(size=(n, k, outer, 10))
    flat = cells.reshape(n, k, 10 * outer)
    table = {**_labels(cells, shape), "score": (cells + _leads(shape)[:, None, None]).ravel().tolist()}
    read = bo.read_scores(table, better="higher", run="seed,episode")
    return Drawn(read, pooled(flat, shape) if shape.sampled else scores(flat, shape))


def _leads(shape: Shape) -> Floats:
    return shape.lead * (np.arange(shape.k) == 0)


def _labels(cells: Floats, shape: Shape) -> dict[str, list[Any]]:
    p, a, s, e = (index.ravel() for index in np.indices(cells.shape))
    named = [f"{WORDS[i % 12]}{i}" for i in range(len(cells))]
    columns = {"problem": np.array(named)[p], "algorithm": np.array(_names(shape))[a], "seed": s, "episode": e}
    return {name: column.tolist() for name, column in columns.items()}


def folds(rng: Generator, shape: Shape) -> Drawn:
    """Twenty folds of each of twelve data sets."""
    n = shape.n or 12
    cells = effects(rng, shape, n, 1.5)[:, :, None] + rng.normal(size=(n, shape.k, 20))
    return Drawn(scores(cells, shape, run_kind="split"), pooled(cells, shape))


def one_data_set(rng: Generator, shape: Shape) -> Drawn:
    """Ten folds of one data set. An error that all models of an algorithm share is as large as that of one fold."""
    cells = rng.normal(size=(1, shape.k, 1)) + rng.normal(size=(1, shape.k, 10))
    return Drawn(scores(cells, shape, run_kind="split"), scores(cells, shape))


def missing(rng: Generator, shape: Shape) -> Drawn:
    """Of two equal algorithms, A has no score where it would have failed badly."""
    n = shape.n or 40
    cells = effects(rng, replace(shape, sampled=True), n, 1.0)[:, :, None] + noise(rng, shape, n)
    gone = cells[:, 0].mean(axis=1) - cells[:, 1].mean(axis=1) < -0.7
    holed = cells.copy()
    holed[gone, 0] = np.nan
    return Drawn(scores(holed, shape, holes=True), scores(cells[~gone], shape))


def order(rng: Generator, shape: Shape) -> Drawn:
    """A row is a day. What differs between algorithms follows an AR(1) process with coefficient 0.8.

    Where problems are fixed, the means over these days are equal.
    """
    n = shape.n or (60 if shape.sampled and not shape.versions else 24)
    values = np.column_stack([walk(rng, n) for _ in range(shape.k)])
    if not shape.sampled:
        values = values[:, :1].repeat(shape.k, axis=1) if shape.even else values - values.mean(axis=0)
    cells = (values + _leads(shape))[:, :, None] + noise(rng, shape, n)
    day, a, r = (index.ravel() for index in np.indices(cells.shape))
    table = {"date": days(day), **_long(a, cells, shape)} | ({"run": r.tolist()} if shape.runs > 1 else {})
    return Drawn(bo.read_scores(table, better="higher", problem="date"), None)


def runs_in_time(rng: Generator, shape: Shape) -> Drawn:
    """A run is a day: 60 runs of one problem, which follow an AR(1) process with coefficient 0.8."""
    cells = np.array([[walk(rng, 60) for _ in range(shape.k)]])
    _, a, day = (index.ravel() for index in np.indices(cells.shape))
    table = {"problem": ["ash"] * len(a), "run": days(day), **_long(a, cells, shape)}
    return Drawn(bo.read_scores(table, better="higher"), None)


def versions_in_time(rng: Generator, shape: Shape) -> Drawn:
    """A column is a version; what is measured on five problems follows an AR(1) process with coefficient 0.8."""
    return Drawn(scores(np.array([walk(rng, shape.k) for _ in range(5)]), shape), None)


def days(places: NDArray[np.int64]) -> list[str]:
    """Dates, beginning with the first of a year."""
    return (np.datetime64("2026-01-01") + places).astype(str).tolist()  # type: ignore[no-any-return]


def _long(a: NDArray[np.int64], cells: Floats, shape: Shape) -> dict[str, Any]:
    return {"algorithm": np.array(_names(shape))[a].tolist(), "score": cells.ravel().tolist()}


def walk(rng: Generator, n: int) -> Floats:
    steps = rng.normal(size=n)
    for i in range(1, n):
        steps[i] = 0.8 * steps[i - 1] + 0.6 * steps[i]
    return steps


FEATURES: dict[str, Draw] = {
    "tasks": tasks,
    "weights": weights,
    "clusters": clusters,
    "runs": runs,
    "nested runs": nested,
    "folds": folds,
    "missing scores": missing,
    "order in time": order,
}
PARTS: dict[str, tuple[str, Draw]] = {
    "folds": ("one data set", one_data_set),
    "order in time": ("runs in time", runs_in_time),
}
"""Of a feature, a second draw of tables, in which runs are what depends on each other."""
