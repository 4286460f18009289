"""docs/trust/predictions.json keeps what evaluations of predictions promise; some of its cells, drawn again."""

import json
from pathlib import Path
from typing import Any

import pytest

from calibration import predicted

STORED = Path(__file__).parents[2] / "docs" / "trust" / "predictions.json"


@pytest.mark.skipif(not STORED.exists(), reason="the pages are in the repository only")
def test_what_is_stored_keeps_the_promise() -> None:
    """Differences at most .05, intervals at least .91, and cautioned below .93; within four standard errors."""
    rows: list[dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))["rows"]
    assert [{k: row[k] for k in ("metric", "positives", "negatives", "auc", "clusters")} for row in rows] == [
        {k: getattr(cell, k) for k in ("metric", "positives", "negatives", "auc", "clusters")}
        for cell in predicted.CELLS
    ]
    assert {predicted.CELLS[i].name: found for i, row in enumerate(rows) if (found := predicted.faults(row))} == {}


@pytest.mark.slow
@pytest.mark.parametrize("place", [3, 33])
def test_few_tables(place: int) -> None:
    assert predicted.faults(predicted.measure(predicted.CELLS[place], tables=60, seed=1)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("cell", predicted.CELLS, ids=lambda cell: cell.name)
def test_all_cells(cell: predicted.Cell) -> None:
    assert predicted.faults(predicted.measure(cell, tables=300, seed=2)) == []
