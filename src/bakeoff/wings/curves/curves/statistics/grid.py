"""The budgets at which curves are compared, and their weights in the area under a curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from bakeoff.checks import integer
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.scores import Array
from bakeoff.wings.curves.curves.statistics.trajectories import Trajectories

Spacing = Literal["log", "linear"]
MOST = 1000  # budgets that are compared one by one; of more, POINTS of them
POINTS = 200


def budget_grid(
    requested: int | Sequence[float] | Array | None, runs: Trajectories, spacing: Spacing
) -> tuple[Array, bool]:
    """Increasing budgets that all runs have; and whether they are all at which something was recorded."""
    low, high = runs.common_range()
    if spacing == "log" and low <= 0:
        raise ScoreError(
            f"has a run that begins at the budget {low:g}, which has no logarithm; use spacing='linear'",
            parameter="table",
        )
    known = runs.distinct_budgets()
    known = known[(known >= low) & (known <= high)]
    if requested is None:
        if len(known) <= MOST:
            return known, True
        return _spaced(low, high, POINTS, spacing, known), False
    if isinstance(requested, int | np.integer):
        points = integer("grid", requested, 2, 100_000)
        return (known, True) if len(known) <= points else (_spaced(low, high, points, spacing, known), False)
    grid = np.asarray(requested, dtype=np.float64)
    if grid.ndim != 1 or not len(grid) or not np.isfinite(grid).all() or bool((np.diff(grid) <= 0).any()):
        raise ParameterError("must be increasing budgets, or how many of them", parameter="grid")
    if grid[0] < low or grid[-1] > high:
        raise ParameterError(
            f"must lie between {low:g} and {high:g}, where all runs have a score; got {grid[0]:g} to {grid[-1]:g}",
            parameter="grid",
        )
    return grid, bool(np.isin(known, grid).all())


def _spaced(low: float, high: float, points: int, spacing: Spacing, known: Array) -> Array:
    budgets = np.geomspace(low, high, points) if spacing == "log" else np.linspace(low, high, points)
    if bool((known == np.floor(known)).all()):
        budgets = np.round(budgets)
    budgets[0], budgets[-1] = low, high
    return np.unique(budgets)


def area_weights(grid: Array, spacing: Spacing) -> Array:
    """Of the mean height of a step curve over (log) budgets: the share of each step; they sum to 1."""
    x = np.log(grid) if spacing == "log" else grid
    if len(grid) == 1:
        return np.ones(1)
    return np.append(np.diff(x) / (x[-1] - x[0]), 0.0)
