"""Score-based quantile plots: curves computed by hand, and which points are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError
from bakeoff.wings.curves.runtimes.figure import _time_ticks, quantile_paths
from bakeoff.wings.verify._verify import verify

STATUS = [["ok", "wrong: true"], ["ok", "ok"], ["wrong", "ok"], ["timeout", "ok"], ["ok", "ok"]]
TIMES = [[5, 2], [1, 3], [4, 30], [60, 2], [50, 2]]  # of what is not ok, when it ended


def runtimes(points: Any, cap: float = 40, **more: Any) -> bo.Runtimes:
    times = np.where(np.array(STATUS) == "ok", TIMES, np.nan)
    s = bo.Scores(times, ["a", "b"], better="lower", status=np.array(STATUS, dtype=object), missing="keep", unit="s")
    return bo.runtimes(s, cap, points=points, n_resamples=100, **more)


def svg(found: bo.Runtimes, kind: str | None = None) -> str:
    return bo.diagram(found, kind)._repr_svg_()


def test_curves_are_those_computed_by_hand() -> None:
    """a solves two within the cap and errs once; b solves four, and errs in what costs most."""
    found = runtimes({"ok": 2, "wrong": -16, "wrong: true": -32})
    assert quantile_paths(found) == {
        "a": [(-16, 1), (-14, 1), (-12, 5)],
        "b": [(-32, 2), (-30, 2), (-28, 2), (-26, 3), (-24, 30)],
    }
    assert [e.points for e in found.estimates] == [-12, -24]


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (-2, 2, "0.01 0.1 1 10 100"),
        (-9, 9, "10⁻⁹ 10⁻⁶ 0.001 1 1000 10⁶ 10⁹"),
        (0.6, 1.9, "5 10 20 50"),
        (0.31, 0.68, "2.04 4.79"),
        (0.25, 0.75, "2 5"),
    ],
)
def test_times_have_two_numbers_or_more(low: float, high: float, words: str) -> None:
    assert [word for _, word in _time_ticks(low, high)] == words.split()


def test_without_wrong_answers_a_curve_begins_at_0() -> None:
    found = runtimes("ok=1")
    assert quantile_paths(found)["a"] == [(0, 1), (1, 1), (2, 5)]
    assert [e.points for e in found.estimates] == [2, 4]


def test_a_problem_has_one_weight_whatever_its_runs() -> None:
    cells = np.array([[[1.0, 3.0], [2.0, np.nan]]])
    status = np.array([[["ok", "ok"], ["ok", "wrong"]]], dtype=object)
    s = bo.Scores.from_cells(
        np.repeat(cells, 2, axis=0), ["a", "b"], ["p", "q"], better="lower", holes=True, status=np.repeat(status, 2, 0)
    )
    found = bo.runtimes(s, 9, points="ok=4,wrong=-2", n_resamples=100)
    assert quantile_paths(found) == {"a": [(0, 1), (2, 1), (4, 1), (6, 3), (8, 3)], "b": [(-2, 2), (0, 2), (2, 2)]}


def test_a_solver_that_solves_nothing_has_its_points() -> None:
    times = np.array([[1.0, np.nan], [2.0, 10.0]])  # beyond the cap
    status = np.array([["ok", "wrong"], ["ok", "ok"]], dtype=object)
    s = bo.Scores(times, ["a", "b"], better="lower", status=status, missing="keep")
    found = bo.runtimes(s, 9, points="wrong=-3", n_resamples=100)
    assert quantile_paths(found)["b"] == [(-3, 0)]
    assert "b: −3" in svg(found)


def test_the_report_has_the_plot_and_is_verified(tmp_path: Path) -> None:
    found = runtimes("ok=2,wrong=-16")
    found.save(path := tmp_path / "report.json")
    assert verify(path).ok
    assert found.points == "ok=2,wrong=-16"
    assert svg(found) == svg(found, "quantile")
    assert "points" in str(found)
    assert svg(found, "solved") == svg(runtimes(None))
    with pytest.raises(ParameterError, match="kind"):
        bo.diagram(runtimes(None), "quantile")


@pytest.mark.parametrize(
    "points",
    [
        "ok=0",
        "ok=-1",
        "wrong=3",
        "wrong",
        "=1",
        "wrong=much",
        "ok=nan",
        {"ok": None},
        3,
        "wrnog=-16",
        "ok=1,wrong=-inf",
    ],
)
def test_points_that_mean_nothing_are_refused(points: Any) -> None:
    with pytest.raises(ParameterError, match="points"):
        runtimes(points)
