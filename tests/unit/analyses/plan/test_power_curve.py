"""Power curves drawn and plotted: what is on the page is what is in the result."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.figures import diagram, save, to_svg, to_tikz
from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.primitives import Mark, Polygon, Stroke, Text
from bakeoff.report.formats.terminal import plotted

CURVES: dict[str, Callable[[], bo.plan.PowerCurve]] = {
    "effect": lambda: bo.plan.curve(34),
    "size": lambda: bo.plan.curve(effect_size=0.5, test="sign"),
    "found": lambda: bo.plan.curve(n_algorithms=4),
    "many": lambda: bo.plan.curve(effect_size=0.1),
    "point": lambda: bo.plan.curve(34, values=[0.5]),
    "friedman": lambda: bo.plan.curve(20, test="friedman", n_algorithms=5),
}


@cache
def curve_of(name: str) -> bo.plan.PowerCurve:
    return CURVES[name]()


@pytest.mark.few(6)
@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("width", [None, 60.0, 180.0])
def test_a_drawing_holds_the_curve_inside_its_page(name: str, width: float | None, tmp_path: Path) -> None:
    curve = curve_of(name)
    drawing = diagram(curve, width_mm=width)
    assert drawing.form == "curve"
    if width is not None:
        assert drawing.width_mm == pytest.approx(width)
    for item in drawing.items:
        if isinstance(item, Text):
            left, top, right, bottom = item.box
            assert left >= -0.01
            assert top >= -0.01
            assert right <= drawing.width + 0.01
            assert bottom <= drawing.height + 0.01
    shapes = [item for item in drawing.items if item.role == "curve"]
    assert len(shapes) == 1
    if isinstance(shapes[0], Polygon):
        assert len(shapes[0].points) == len(curve.x)
        assert all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in shapes[0].points)
    words = " ".join(item.text for item in drawing.items if isinstance(item, Text))
    assert " ".join(curve.summary.split()) in words
    assert to_svg(drawing).startswith("<svg")
    assert to_tikz(drawing)
    save(drawing, tmp_path / "a.svg")
    curve.save(tmp_path / "b.svg")
    if width is None:
        assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_the_mark_lies_on_the_wanted_power() -> None:
    drawing = diagram(bo.plan.curve(34))
    (line,) = [item for item in drawing.items if item.role == "wanted power"]
    (mark,) = [item for item in drawing.items if item.role == "mark"]
    assert isinstance(line, Stroke)
    assert isinstance(mark, Mark)
    assert mark.y == pytest.approx(line.y1)
    assert "d = 0.495" in [item.text for item in drawing.items if isinstance(item, Text)]
    assert not [item for item in diagram(bo.plan.curve(34, values=[0.1, 0.2])).items if item.role == "mark"]


def test_round_ticks() -> None:
    assert multiples(0, 1, 6) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert multiples(2, 68, 5) == [20, 40, 60]
    assert multiples(0, 0.003, 4) == [0, 0.001, 0.002, 0.003]
    assert multiples(6, 300, 8) == [50, 100, 150, 200, 250, 300]


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.slow_cases("40-found")
def test_the_plot_in_characters_fits(name: str, width: int) -> None:
    curve = curve_of(name)
    lines = plotted(curve, width)
    assert max(map(len, lines)) <= max(width, 40)
    assert lines[0] == curve.y_name
    plain = plotted(curve, width, ascii_only=True)
    assert all(line.isascii() for line in plain)
    assert [len(line) for line in plain] == [len(line) for line in lines]
    if curve.mark is not None and curve.x[0] <= curve.mark[0] <= curve.x[-1]:
        assert sum(line.count("●") for line in lines) == 1
