"""docs/trust/folds-and-series.json keeps what tests of folds promise; some of its cells, drawn again."""

import json
from pathlib import Path
from typing import Any

import pytest

from calibration import dependent

STORED = Path(__file__).parents[2] / "docs" / "trust" / "folds-and-series.json"


@pytest.mark.skipif(not STORED.exists(), reason="the pages are in the repository only")
def test_the_record_keeps_what_the_page_says() -> None:
    """Two or five equal classifiers differ in at most .05 of data sets, within four standard errors, or are warned of.

    The default keeps that everywhere. Only the tests by name are warned of: those of ten folds, repeated, that count
    every one, and those of 5 × 2.
    """
    rows: list[dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))["folds"]
    assert [(row["items"], tuple(row["scheme"]), row["models"], row["kind"], row["test"]) for row in rows] == [
        (cell.items, cell.scheme, cell.models, cell.kind, cell.test) for cell in dependent.FOLDS
    ]
    assert {dependent.FOLDS[i].name: found for i, row in enumerate(rows) if (found := dependent.faults(row))} == {}
    warned = {(tuple(row["scheme"]), row["test"]) for row in rows if row["cautioned"]}
    assert warned == {((10, 10), "resampled-t"), ((10, 10), "calibrated-t"), ((5, 2), "5x2cv-f"), ((5, 2), "5x2cv-t")}


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 14, 38])
def test_few_data_sets(place: int) -> None:
    assert dependent.faults(dependent.measure_folds(dependent.FOLDS[place], tables=100, seed=1)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("cell", dependent.FOLDS, ids=lambda cell: cell.name)
def test_all_cells(cell: dependent.Folds) -> None:
    assert dependent.faults(dependent.measure_folds(cell, tables=200, seed=2)) == []
