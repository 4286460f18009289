"""Write the tables of docs/trust/folds-and-series.md: how often tests of folds and of rows in time err.

    python docs/generate/folds_and_series.py             writes the page from docs/trust/folds-and-series.json
    python docs/generate/folds_and_series.py --check     exits 1 if the page is not current
    python docs/generate/folds_and_series.py --measure   simulates all cells and writes both: ten minutes
                                                         on CALIBRATION_WORKERS (2) quiet processors

The cells are in ``tests/calibration/dependent.py``, whose tests repeat some of them.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import page_command

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
os.environ |= {"BAKEOFF_CACHE": "off", "BAKEOFF_ACCELERATOR": "off"}

from calibration import dependent  # noqa: E402

PAGE, STORED = (ROOT / "docs" / "trust" / f"folds-and-series.{suffix}" for suffix in ("md", "json"))
WORKERS = int(os.environ.get("CALIBRATION_WORKERS", "2"))
Row = dict[str, Any]


def measure() -> None:
    parts = {
        "folds": (dependent.FOLDS, dependent.measure_folds),
        "power": (dependent.POWER, dependent.measure_folds),
        "series": (dependent.SERIES, dependent.measure_series),
        "histories": (dependent.HISTORIES, dependent.measure_history),
    }
    kept = []
    with ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
        for part, (cells, measured) in parts.items():
            rows = []
            for cell, row in zip(cells, pool.map(measured, cells), strict=True):  # type: ignore[arg-type, var-annotated]
                rows.append(json.dumps(row))
                sys.stderr.write(f"{cell.name}: {row['false']} of {row['tables']} {dependent.faults(row)}\n")
            lines = ",\n".join(rows)
            kept.append(f'"{part}": [\n{lines}\n]')
    STORED.write_text(f'{{"seed": {dependent.SEED}, {", ".join(kept)}}}\n', encoding="utf-8")


def files() -> dict[Path, str]:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    folds, series, histories = stored["folds"], stored["series"], stored["histories"]
    usual = [row for row in folds if row["test"] == "default"]
    published, calibrated = ([row for row in folds if row["test"] == test] for test in ("resampled-t", "calibrated-t"))
    named = [row for row in folds if row["test"].startswith("5x2cv")]
    heads = ["items", "repeats × folds", "classifiers"]
    parts = {
        "folds": page_command.table(
            [*heads, "false differences", "t over folds"], [[*_of_folds(row), _share(row, "naive")] for row in usual], 3
        ),
        "published": page_command.table(
            [*heads, "`resampled-t`", "`calibrated-t`"],
            [[*_of_folds(row), _share(other, "false")] for row, other in zip(published, calibrated, strict=True)],
            3,
        ),
        "power": page_command.table(
            ["repeats × folds", "default", "`resampled-t`", "ratio"], _of_power(stored["power"]), 1
        ),
        "named": page_command.table(
            ["test", "items", "false differences"],
            [[f"`{row['test']}`", str(row["items"]), _share(row, "false")] for row in named],
            1,
        ),
        "series": page_command.table(
            ["rows", "ρ", "models", "by", "false differences", "t over rows", "power", "cautioned"],
            [_of_series(row) for row in series],
            4,
        ),
        "histories": page_command.table(
            ["versions", "ρ", "benchmarks", "false steps", "without `serial`", "power", "covered"],
            [_of_history(row) for row in histories],
            3,
        ),
        "state": f"{folds[0]['tables']} data sets, {series[0]['tables']} series or {histories[0]['tables']} histories "
        f"a row, seed {stored['seed']}.",
    }
    return {PAGE: page_command.filled(PAGE, parts)}


def _of_folds(row: Row) -> list[str]:
    repeats, folds = row["scheme"]
    return [str(row["items"]), f"{repeats} × {folds}", f"{row['models']} {row['kind']}", _share(row, "false")]


def _of_power(rows: list[Row]) -> list[list[str]]:
    """Both tests of each scheme, side by side."""
    lines = []
    for usual, published in zip(rows[::2], rows[1::2], strict=True):
        repeats, folds = usual["scheme"]
        shares = [_share(usual, "power"), _share(published, "power"), f"{usual['power'] / published['power']:.2f}"]
        lines.append([f"{repeats} × {folds}", *shares])
    return lines


def _of_series(row: Row) -> list[str]:
    power = f"{row['power'] / row['oracle']:.2f}" if row["oracle"] else ""
    shares = [_share(row, "false"), _share(row, "naive"), power, f"{row['cautioned'] / row['tables']:.2f}"]
    return [str(row["rows"]), f"{row['rho']:g}", str(row["models"]), f"`{row['by']}`", *shares]


def _of_history(row: Row) -> list[str]:
    shares = [_share(row, "false"), _share(row, "naive"), f"{row['power'] / row['tables']:.2f}"]
    return [
        str(row["versions"]),
        f"{row['rho']:g}",
        str(row["benchmarks"]),
        *shares,
        f"{row['covered'] / row['intervals']:.2f}",
    ]


def _share(row: Row, key: str) -> str:
    return f"{row[key] / row['tables']:.3f}"


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/folds_and_series.py", files, measure))
