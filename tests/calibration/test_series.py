"""docs/trust/folds-and-series.json keeps what tests of rows in time promise; some of its cells, drawn again."""

import json
from pathlib import Path
from typing import Any

import pytest

from calibration import dependent

STORED = Path(__file__).parents[2] / "docs" / "trust" / "folds-and-series.json"


@pytest.mark.skipif(not STORED.exists(), reason="the pages are in the repository only")
def test_the_record_keeps_what_the_page_says() -> None:
    """Sizes as stated, power at least .8 of the oracle's, and a caution where few rows resemble much."""
    rows: list[dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))["series"]
    assert [(row["rows"], row["rho"], row["models"], row["by"]) for row in rows] == [
        (cell.rows, cell.rho, cell.models, cell.by) for cell in dependent.SERIES
    ]
    assert {dependent.SERIES[i].name: found for i, row in enumerate(rows) if (found := dependent.faults(row))} == {}
    for row in rows:
        if row["rho"] == 0.8:
            assert row["cautioned"] > 0.8 * row["tables"]
        elif row["rho"] < 0.5:
            assert row["cautioned"] < 0.05 * row["tables"]


@pytest.mark.skipif(not STORED.exists(), reason="the pages are in the repository only")
def test_the_record_of_histories_keeps_what_the_page_says() -> None:
    """False steps as stated; of intervals of shown steps, .75 or more contain the step."""
    rows: list[dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))["histories"]
    assert [(row["versions"], row["rho"], row["benchmarks"]) for row in rows] == [
        (cell.versions, cell.rho, cell.benchmarks) for cell in dependent.HISTORIES
    ]
    assert {dependent.HISTORIES[i].name: found for i, row in enumerate(rows) if (found := dependent.faults(row))} == {}
    assert min(row["covered"] / row["intervals"] for row in rows) > 0.75


@pytest.mark.slow
def test_one_history() -> None:
    cell = dependent.HISTORIES[4]
    assert dependent.faults(dependent.measure_history(cell, tables=150, seed=1)) == []


@pytest.mark.slow
@pytest.mark.parametrize("place", [1, 7])
def test_few_series(place: int) -> None:
    assert dependent.faults(dependent.measure_series(dependent.SERIES[place], tables=200, seed=1)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("cell", dependent.SERIES, ids=lambda cell: cell.name)
def test_all_cells(cell: dependent.Series) -> None:
    assert dependent.faults(dependent.measure_series(cell, tables=1000, seed=2)) == []
