"""The scatter of a pair as shapes: where the marks stand, what the lines are, and that nothing leaves the page."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError
from bakeoff.figures.geometry.primitives import Drawing, Mark, Polygon, Stroke, Text
from solver_times import CAP, solver_times


def pair(n: int = 60, runs: int = 1) -> bo.Scores:
    times = np.stack([solver_times(n, 2, seed=seed) for seed in range(runs)], axis=2)
    return bo.Scores.from_cells(times, ["first", "second"], [f"p{i}" for i in range(n)], better="lower", unit="s")


def scatter(found: bo.Runtimes) -> Drawing:
    return bo.diagram(found, "scatter", width_mm=100)


def marks(drawing: Drawing) -> dict[str, Mark]:
    return {item.about[0]: item for item in drawing.items if isinstance(item, Mark)}


def line(drawing: Drawing, role: str) -> list[Polygon]:
    return [item for item in drawing.items if isinstance(item, Polygon) and item.role == role]


def test_a_mark_is_above_the_line_where_the_first_is_faster_and_open_where_one_did_not_solve() -> None:
    s = pair()
    drawing = scatter(bo.runtimes(s, CAP, n_resamples=100))
    (x0, y0), (x1, y1) = line(drawing, "equal times")[0].points
    assert (y0 - y1) == pytest.approx(x1 - x0)  # both axes have one scale
    for problem, (a, b) in zip(s.problems, s.values.tolist(), strict=True):
        mark = marks(drawing)[problem]
        above = (y0 - mark.y) - (mark.x - x0)
        assert mark.filled == (a < CAP and b < CAP)
        if min(a, b) < CAP:
            assert np.sign(above) == np.sign(b - a)
    solved = [(mark, math.log10(s.values[i, 0])) for i, mark in enumerate(marks(drawing).values()) if mark.filled]
    slope, start = np.polyfit([log for _, log in solved], [mark.x for mark, _ in solved], 1)
    assert [mark.x for mark, _ in solved] == pytest.approx([start + slope * log for _, log in solved], abs=1e-6)
    caps = [item for item in drawing.items if isinstance(item, Stroke) and item.role == "cap"]
    assert len(caps) == 2
    assert {"unsolved", "first (s)", "second (s)"} <= {item.text for item in drawing.items if isinstance(item, Text)}


@pytest.mark.parametrize("ties", [2.0, "30%"])
def test_marks_between_the_dashed_lines_are_the_ties(ties: float | str) -> None:
    s = pair(80)
    found = bo.runtimes(s, ties=ties, n_resamples=100)
    drawing = scatter(found)
    upper = np.array(line(drawing, "equal within")[0].points)
    lower = np.array(line(drawing, "equal within")[1].points)
    between = 0
    for mark in marks(drawing).values():
        high = np.interp(mark.x, upper[:, 0], upper[:, 1])
        low = np.interp(mark.x, lower[:, 0], lower[:, 1], left=math.inf)
        between += bool(high - 0.05 <= mark.y <= low + 0.05)
    assert abs(between - found.pairs[0].ties) <= 1  # a line has sixty steps
    assert "their times are equal" in drawing.description


@pytest.mark.parametrize("values", [[[1.0, 1.0]], [[0.0, 0.0], [0.0, 5.0]], [[3.0, math.inf], [math.inf, math.inf]]])
def test_nothing_leaves_the_page(values: list[list[float]]) -> None:
    found = bo.runtimes(bo.Scores(values, ["a" * 90, "b"], better="lower"), ties=1, n_resamples=100, shift=1)
    drawing = scatter(found)
    for item in drawing.items:
        if isinstance(item, Text):
            assert item.box[0] >= 0
            assert item.box[2] <= drawing.width + 0.01
        if isinstance(item, Mark):
            assert 0 < item.x < drawing.width
            assert 0 < item.y < drawing.height


def test_runs_stand_at_their_median() -> None:
    s = pair(20, runs=3)
    assert s.runs is not None
    drawing = scatter(bo.runtimes(s, CAP, n_resamples=100))
    lost = np.median(np.where(s.runs >= CAP, np.inf, s.runs), axis=2)
    assert [mark.filled for mark in marks(drawing).values()] == np.isfinite(lost).all(axis=1).tolist()
    assert "the median of its runs" in drawing.description


def test_of_more_than_two_there_is_none() -> None:
    found = bo.runtimes(bo.Scores(solver_times(20, 3, seed=1), better="lower"), CAP, n_resamples=100)
    with pytest.raises(ParameterError, match="scatter"):
        bo.diagram(found, "scatter")
