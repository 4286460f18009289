"""The figures of a study of power: what is drawn is what was measured, on any width, told apart without colour."""

from __future__ import annotations

from functools import cache

import pytest

import bakeoff as bo
from bakeoff.figures.geometry.primitives import Mark, Polygon, Text
from bakeoff.wings.study._power import PowerStudy
from bakeoff.wings.study.analysis.figure import FAMILIES, MARKS, families
from bakeoff.wings.study.many_tables.procedures import TESTS

SCORES = bo.datasets.load("garcia_2010")


@cache
def study() -> PowerStudy:
    return bo.study.power(SCORES, "PDFC", "NNEP", bias=(0, 10, 20), draws=60)


@pytest.mark.slow
def test_every_procedure_is_in_a_family() -> None:
    drawn = {key for family in families(study()) for key in legend(family)}
    assert drawn == {test.short for test in TESTS.values()}
    assert families(study()) == list(FAMILIES)


def legend(family: str) -> list[str]:
    return [item.text for item in bo.diagram(study(), family).items if isinstance(item, Text) and item.role == "legend"]


@pytest.mark.few(1)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("width_mm", [60.0, 88.0, 180.0])
@pytest.mark.slow
def test_heights_are_shares_and_nothing_leaves_the_page(family: str, width_mm: float) -> None:
    drawing = bo.diagram(study(), family, width_mm=width_mm)
    marks = [item for item in drawing.items if isinstance(item, Mark) and item.role == "estimate"]
    names = legend(family)
    assert len(marks) == 2 * 3 * len(names)  # two areas, three biases
    assert all(0 < mark.x < drawing.width and 0 < mark.y < drawing.height for mark in marks)
    for i, name in enumerate(names):
        of_one = [mark for mark in marks[: 3 * len(names)] if mark.about == (name,)]
        test = next(t.name for t in TESTS.values() if t.short == name)
        counts = [study().row(test, k).rejections for k in study().bias]
        by_height = sorted(range(3), key=lambda j: -of_one[j].y)
        assert [counts[j] for j in by_height] == sorted(counts)
        assert (of_one[0].shape, of_one[0].filled) == MARKS[i][:2]
    texts = [item.box for item in drawing.items if isinstance(item, Text)]
    assert all(left >= 0 and right <= drawing.width and bottom <= drawing.height for left, _, right, bottom in texts)


def test_shapes_tell_the_procedures_of_a_family_apart() -> None:
    assert len({(shape, filled) for shape, filled, _ in MARKS}) == len(MARKS) >= max(len(legend(f)) for f in FAMILIES)


def test_bands_are_two_standard_errors_wide() -> None:
    drawing = bo.diagram(study(), "pair")
    band = next(item for item in drawing.items if isinstance(item, Polygon) and item.role == "band")
    mark = next(item for item in drawing.items if isinstance(item, Mark) and item.role == "estimate")
    row = study().row("t", 0)
    top, bottom = band.points[0][1], band.points[-1][1]
    level = next(item for item in drawing.items if item.role == "level")
    per_unit = (level.y1 - mark.y) / (row.rejections / row.draws - 0.05)  # type: ignore[union-attr]
    assert bottom - top == pytest.approx(4 * row.rejections_se / row.draws * per_unit)


@pytest.mark.slow
def test_known_truth_shows_the_same_error_where_there_is_one() -> None:
    truth = bo.study.known_truth(SCORES, "PDFC", "NNEP", shift=(0, 1), draws=60)
    names = [
        item.text for item in bo.diagram(truth, "pair").items if isinstance(item, Text) and item.role == "axis name"
    ]
    assert names[0] == "share of draws rejected"
    assert "share rejected at error 0.05" in names
    omnibus = bo.diagram(truth, "table")  # which of two is alike says nothing of all
    assert not [item for item in omnibus.items if isinstance(item, Text) and "at error" in item.text]
