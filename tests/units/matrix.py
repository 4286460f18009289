"""The matrix of analyses and features: what an analysis does with a table of that design, and how often it errs."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.random import Generator

from bakeoff.errors import BakeoffError
from units.doors import BY_NAME, DOORS, Door
from units.tables import FEATURES, PARTS, Draw, Shape, tasks, turned, versions_in_time, weights

SEED = 7
TABLES, IGNORING = 300, 60
"""Of each cell; with the feature ignored."""
AVERAGED = ("runs", "nested runs", "folds")
OF_RUNS = ("each score is the mean", "its runs share")
"""What an estimand says where a problem counts once, whatever its runs."""
MOST_WORDS = 10
SOURCES = 600
"""Problems of a pilot with clusters: 30 of these."""
TRIED = 3
"""Tables of which one must show what an analysis does."""
NAMED: dict[str, tuple[str, ...]] = {
    "tasks": ("weights-decide",),
    "folds": ("dependence", "one-problem"),
    "missing scores": ("missing", "left-out", "bounds"),
    "order in time": ("one-stem", "order", "autocorrelation", "drift"),
}
"""Codes of cautions about a feature."""

Cell = dict[str, Any]


def stream(door: Door, feature: str, part: str = "") -> Generator:
    name = f"{door.name}/{feature}/{part}".encode()
    return np.random.default_rng(np.random.SeedSequence([SEED, zlib.crc32(name)]))


def shape_of(door: Door, feature: str) -> Shape:
    """Of the tables of a cell."""
    if feature in AVERAGED and door.of_runs:
        return replace(door.shape, sampled=False, runs=4)
    return replace(door.shape, n=SOURCES) if feature == "clusters" and door.again is not None else door.shape


def observed(door: Door, feature: str) -> Cell:
    """What the analysis does with tables that have the feature."""
    shape = shape_of(door, feature)
    if feature == "tasks":
        cell = seen(door, feature, turned, shape)
        return cell if cell["is"] in ("said", "silent") else seen(door, feature, tasks, shape)
    if feature == "weights":
        cell = seen(door, feature, weights, replace(shape, asked="tasks"))
        return {**cell, "asked": "problems" if cell["is"] == "respected" else "tasks"}
    if feature == "folds" and not shape.sampled:
        return {**observed_part(door, feature), "part": True}
    return seen(door, feature, FEATURES[feature], shape)


def part_of(door: Door, feature: str) -> str:
    """The name of the second draw of a cell, if it has one: of folds where the first has several data sets, of runs in
    time where runs are the sample."""
    name, _ = PARTS.get(feature, ("", None))
    here = shape_of(door, feature).sampled if feature == "folds" else not door.shape.sampled
    return name if here else ""


def observed_part(door: Door, feature: str) -> Cell:
    return seen(door, feature, PARTS[feature][1], shape_of(door, feature))


def seen(door: Door, feature: str, draw: Draw, shape: Shape) -> Cell:
    """What happens with most of the first tables."""
    rng = stream(door, feature, "seen")
    cells = [_one(door, feature, draw(rng, shape).table) for _ in range(TRIED)]
    kinds = [cell["is"] for cell in cells]
    return max(cells, key=lambda cell: kinds.count(cell["is"]))


def _one(door: Door, feature: str, table: Any) -> Cell:
    try:
        found = door.opened(table)
    except BakeoffError as error:
        return {"is": "refused", "words": first_words(error)}
    estimand = estimand_of(found)
    if door.alone and feature in ("tasks", "clusters", "order in time"):
        return {"is": "alone"}
    if not door.shape.sampled and feature == "order in time":
        return {"is": "fixed"}
    codes = NAMED.get(feature, ())
    cautions = [c for c in getattr(found, "cautions", ()) if c.code in codes and c.severity != "note"]
    if feature in ("tasks", "weights"):
        return _weighed(estimand, feature, bool([c for c in cautions if c.severity == "stop"]))
    if cautions:
        return {"is": "cautioned", "caution": cautions[0].name}
    if door.alone and feature in AVERAGED:
        return {"is": "alone"}
    if feature in AVERAGED and estimand.get("runs", "").startswith(OF_RUNS):
        return {"is": "averaged", "words": estimand["runs"]}
    return {"is": "open" if feature == "order in time" else "respected"}


def _weighed(estimand: Mapping[str, str], feature: str, stops: bool) -> Cell:
    """``stops``: a caution says that other weights turn the order."""
    if estimand.get("weights") == "tasks":
        return {"is": "respected"}
    return {"is": "said" if feature == "tasks" and stops else "silent"}


def first_words(error: BakeoffError) -> str:
    """Of its sentence, without names of this table."""
    words = re.split(r" \(|;|\. |: |,? '", str(error))[0].split()
    return " ".join(words[:MOST_WORDS]) + (" …" if len(words) > MOST_WORDS else "")


def estimand_of(found: Any) -> Mapping[str, str]:
    """As its JSON has it; of a result without one, empty."""
    written = found.to_dict() if hasattr(found, "to_dict") else {}
    return written.get("estimand") or {}


def tables_of(door: Door, feature: str, cell: Cell) -> tuple[Draw, Shape]:
    draw = PARTS[feature][1] if cell.get("part") else FEATURES[feature]
    return draw, replace(shape_of(door, feature), asked=cell.get("asked", ""))


def counted(door: Door, feature: str, cell: Cell, tables: int, ignoring: bool = False) -> tuple[int, int]:
    """In how many tables a statement is false, of those in which it was made."""
    draw, shape = tables_of(door, feature, cell)
    rng = stream(door, feature, "ignoring" if ignoring else "counted")
    wrong = of = 0
    for _ in range(tables):
        false = _is_false(door, draw, shape, rng, ignoring)
        wrong, of = wrong + bool(false), of + (false is not None)
    return wrong, of


def _is_false(door: Door, draw: Draw, shape: Shape, rng: Generator, ignoring: bool) -> bool | None:
    table, without = draw(rng, shape)
    try:
        found = door.opened(without if ignoring else table)  # type: ignore[arg-type]
    except BakeoffError:
        return None
    return door.false(found) if door.again is None else door.again(found, draw, shape, rng)


def band(promise: float, of: int) -> float:
    """Four standard errors of a share."""
    return 4 * math.sqrt(promise * (1 - promise) / max(1, of))


def keeps(cell: Cell) -> bool:
    """Is the error within four standard errors of the promise?"""
    return bool(not cell.get("of") or cell["wrong"] / cell["of"] <= cell["promise"] + band(cell["promise"], cell["of"]))


COUNTED = ("respected", "averaged", "alone", "fixed", "silent", "cautioned", "open")


RIGHT = ("respected", "averaged", "said", "alone", "fixed", "refused", "cautioned")
"""What a cell may be. Whatever it is, its statements are false as often as promised, or not made."""


def parts(cell: Cell) -> Iterator[Cell]:
    """The cell, and its second draw."""
    yield cell
    yield from (cell[name] for name, _ in PARTS.values() if name in cell)


def measured(door: Door, feature: str, tables: int = TABLES) -> Cell:
    """The cell with its counts; of one that is refused, or said, there are none."""
    cell = observed(door, feature)
    if cell["is"] in COUNTED:
        cell |= _counts(door, feature, cell, tables)
    if name := part_of(door, feature):
        part = observed_part(door, feature)
        cell[name] = part | (_counts(door, feature, {"part": True}, tables) if part["is"] in COUNTED else {})
    return cell


def _counts(door: Door, feature: str, cell: Cell, tables: int) -> Cell:
    wrong, of = counted(door, feature, cell, tables)
    without = {}
    if feature != "order in time" and not cell.get("part"):
        ignored, times = counted(door, feature, cell, tables * IGNORING // TABLES, ignoring=True)
        without = {"ignored": ignored, "times": times} if times else {}
    return {"wrong": wrong, "of": of, "promise": door.promise, **without}


def in_versions(tables: int = TABLES) -> Cell:
    """How often ``history`` finds a change where versions wander, of which it promises nothing."""
    door = BY_NAME["history"]
    rng = stream(door, "versions in time", "counted")
    found = [_is_false(door, versions_in_time, door.shape, rng, ignoring=False) for _ in range(tables)]
    return {"wrong": sum(map(bool, found)), "of": len(found)}


def shows(door: Door, feature: str, cell: Cell) -> bool:
    """Is the cell one whose tables must show what comes of ignoring the feature?"""
    if door.alone or door.again is not None or feature in ("missing scores", "order in time") or cell.get("part"):
        return False
    fixed = feature == "clusters" and not door.shape.sampled  # nothing varies but runs, which are independent
    return cell["is"] in ("respected", "averaged") and keeps(cell) and not fixed


def comparable(stored: Mapping[str, Mapping[str, Cell]]) -> Iterator[tuple[str, str, Cell]]:
    """The cells of which this is said on the page. Weights are ignored with and without, where tasks are."""
    for analysis, feature in cells():
        cell = stored[analysis][feature]
        if (analysis, feature) == ("check", "weights"):
            continue  # its tables are no regression by either mean
        if shows(BY_NAME[analysis], feature, cell) and (feature != "weights" or keeps(stored[analysis]["tasks"])):
            yield analysis, feature, cell


def cells() -> Iterator[tuple[str, str]]:
    for door in DOORS:
        for feature in FEATURES:
            yield door.name, feature


def measure(names: tuple[str, str], tables: int = TABLES) -> Cell:
    return measured(BY_NAME[names[0]], names[1], tables)
