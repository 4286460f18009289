"""The budgets at which curves are compared, their weights in the area, and where one curve is shown to be better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from bakeoff import numerals
from bakeoff.checks import integer
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.scores import Array
from bakeoff.wings.curves.trajectories import Trajectories

Spacing = Literal["log", "linear"]
MOST = 1000  # budgets that are compared one by one; of more, POINTS of them
POINTS = 200


def budget_grid(
    requested: int | Sequence[float] | Array | None, runs: Trajectories, spacing: Spacing
) -> tuple[Array, bool]:
    """Increasing budgets that all runs have; and whether they are all at which something was recorded."""
    low, high = runs.common_range()
    if spacing == "log" and low <= 0:
        rule = f"has a run that begins at the budget {low:g}, which has no logarithm; use spacing='linear'"
        raise ScoreError(rule, parameter="table")
    known = np.unique(runs.budgets)
    known = known[(known >= low) & (known <= high)]
    if requested is None or isinstance(requested, int | np.integer):
        points = POINTS if requested is None else integer("grid", requested, 2, 100_000)
        if len(known) <= (MOST if requested is None else points):
            return known, True
        return _spaced(low, high, points, spacing, known), False
    grid = np.asarray(requested, dtype=np.float64)
    if grid.ndim != 1 or not len(grid) or not np.isfinite(grid).all() or bool((np.diff(grid) <= 0).any()):
        raise ParameterError("must be increasing budgets, or how many of them", parameter="grid")
    if grid[0] < low or grid[-1] > high:
        rule = f"must lie between {low:g} and {high:g}, where all runs have a score; got {grid[0]:g} to {grid[-1]:g}"
        raise ParameterError(rule, parameter="grid")
    return grid, bool(np.isin(known, grid).all())


def _spaced(low: float, high: float, points: int, spacing: Spacing, known: Array) -> Array:
    budgets = np.geomspace(low, high, points) if spacing == "log" else np.linspace(low, high, points)
    if bool((known == np.floor(known)).all()):
        budgets = np.round(budgets)
    budgets[0], budgets[-1] = low, high
    return np.unique(budgets)


def area_weights(grid: Array, spacing: Spacing) -> Array:
    """The share of each step in the mean height of a step curve over (log) budgets; they sum to 1."""
    x = np.log(grid) if spacing == "log" else grid
    if len(grid) == 1:
        return np.ones(1)
    return np.append(np.diff(x) / (x[-1] - x[0]), 0.0)


class Segment(NamedTuple):
    """``better`` ("a" or "b") from the budget ``low`` to ``high``: at every budget of the grid between them."""

    low: float  # first budget of the stretch
    high: float  # last budget of the stretch
    better: Literal["a", "b"]  # "a" or "b"


def shown_segments(t: Array, difference: Array, adjusted: Array, alpha: float) -> tuple[Segment, ...]:
    """Longest stretches of the grid in which one and the same is better."""
    side = np.where(adjusted <= alpha, np.sign(difference), 0.0)
    edges = np.flatnonzero(np.diff(side, prepend=np.nan, append=np.nan) != 0)
    return tuple(
        Segment(float(t[i]), float(t[j - 1]), "a" if side[i] > 0 else "b")
        for i, j in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
        if side[i] != 0
    )


def budget_text(value: float) -> str:
    """``5000``: a budget with all its digits if it is whole."""
    if float(value).is_integer() and abs(value) < 1e12:
        return str(int(value))
    return numerals.significant(value, 6)


def budget_amount(value: float, name: str) -> str:
    """``5000 evaluations``; ``budget 5000`` where the column says no more."""
    name = numerals.plain(name)
    return f"budget {budget_text(value)}" if name.lower() == "budget" else f"{budget_text(value)} {name}"


def stretch(low: float, high: float, name: str) -> str:
    """``from 320 to 5000 evaluations``; ``from budget 320 to 5000`` where the column says no more."""
    if low == high:
        return f"at {budget_amount(low, name)}"
    if name.lower() == "budget":
        return f"from {budget_amount(low, name)} to {budget_text(high)}"
    return f"from {budget_text(low)} to {budget_amount(high, name)}"


def curve_sentence(a: str, b: str, segments: tuple[Segment, ...], t: Array, name: str, reachable: bool) -> str:
    """``A better from 320 to 5000 evaluations, no difference shown before``."""
    low, high = float(t[0]), float(t[-1])
    if not reachable:
        return "cannot tell"
    if not segments:
        return f"no difference shown {stretch(low, high, name)}"
    text = better_somewhere(a, b, segments, name)
    before, after = segments[0].low > low, segments[-1].high < high
    if before or after:
        rest = "before" if before and not after else "after" if after and not before else "before or after"
        text += f", no difference shown {rest}"
    return text


def better_somewhere(a: str, b: str, segments: tuple[Segment, ...], name: str) -> str:
    """``A better from 320 to 5000 evaluations``."""
    a, b = numerals.plain(a), numerals.plain(b)
    parts = [f"{a if s.better == 'a' else b} better {stretch(s.low, s.high, name)}" for s in segments]
    if len(parts) > 4:
        parts = [*parts[:3], f"{len(parts) - 3} more stretches"]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]
