"""docs/trust/planned.json keeps what plans of questions promise; some of its cells, drawn again."""

import json
from pathlib import Path
from typing import Any

import pytest

from calibration import planned

STORED = Path(__file__).parents[2] / "docs" / "trust" / "planned.json"


@pytest.mark.skipif(not STORED.exists(), reason="the pages are in the repository only")
def test_what_is_stored_keeps_the_promise() -> None:
    """Power within .03 of what was promised."""
    rows: list[dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))["rows"]
    assert [(row["name"], row["source"]) for row in rows] == [(cell.name, cell.source) for cell in planned.CELLS]
    assert {(row["name"], row["source"]): found for row in rows if (found := planned.fault(row))} == {}
    assert [row["tables"] for row in rows] == [cell.tables for cell in planned.CELLS]


@pytest.mark.slow
@pytest.mark.parametrize("place", [3, 15])
def test_few_tables(place: int) -> None:
    assert planned.fault(planned.measure(planned.CELLS[place], tables=60, seed=1)) == ""


@pytest.mark.exhaustive
@pytest.mark.parametrize("cell", planned.CELLS, ids=lambda cell: f"{cell.source}, {cell.name}")
def test_all_cells(cell: planned.Cell) -> None:
    assert planned.fault(planned.measure(cell, tables=300, seed=2)) == ""
