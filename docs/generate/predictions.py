"""Write the tables of docs/trust/predictions.md: how often evaluations of predictions err, metric by metric.

    python docs/generate/predictions.py             writes the page from docs/trust/predictions.json
    python docs/generate/predictions.py --check     exits 1 if the page is not current
    python docs/generate/predictions.py --measure   simulates all cells and writes both: a quarter of an hour
                                                    on CALIBRATION_WORKERS (2) quiet processors

The cells are in ``tests/calibration/predicted.py``, whose tests repeat some of them.
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

from calibration import predicted  # noqa: E402

PAGE, STORED = ROOT / "docs" / "trust" / "predictions.md", ROOT / "docs" / "trust" / "predictions.json"
WORKERS = int(os.environ.get("CALIBRATION_WORKERS", "2"))
Row = dict[str, Any]


def measure() -> None:
    rows = []
    with ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
        for cell, row in zip(predicted.CELLS, pool.map(predicted.measure, predicted.CELLS), strict=True):
            rows.append(row)
            sys.stderr.write(
                f"{cell.name}: {row['false']} false, {row['covered']} covered, {row['cautioned']} warned\n"
            )
    lines = ",\n".join(json.dumps(row) for row in rows)
    STORED.write_text(f'{{"seed": {predicted.SEED}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")


def read() -> list[Row]:
    rows: list[Row] = json.loads(STORED.read_text(encoding="utf-8"))["rows"]
    return rows


def files() -> dict[Path, str]:
    rows = read()
    of_auc = [row for row in rows if row["metric"] == "auc"]
    others = [row for row in rows if row["metric"] != "auc"]
    heads = ["positives, negatives", "AUC", "correlation", "false differences", "covered", "cautioned"]
    parts = {
        "auc": page_command.table(heads, [[_sizes(row), f"{row['auc']:g}", *_numbers(row)] for row in of_auc], 1),
        "others": page_command.table(
            ["metric", "items", *heads[3:]],
            [[f"`{row['metric']}`", _sizes(row), *_numbers(row)[1:]] for row in others],
            2,
        ),
        "state": f"{rows[0]['tables']} tables for each row, seed {predicted.SEED}.",
    }
    return {PAGE: page_command.filled(PAGE, parts)}


def _of_metric(row: Row) -> list[str]:
    return [f"`{row['metric']}`", _sizes(row), *_numbers(row)[1:]]


def _sizes(row: Row) -> str:
    sizes = f"{row['positives']}, {row['negatives']}" if row["positives"] else f"{row['negatives']}"
    how = {"mixed": "; clusters of both classes", "nested": "; clusters of one class"}
    return sizes + how.get(row["clusters"], "")


def _numbers(row: Row) -> list[str]:
    n = row["tables"]
    shares = [f"{row['false'] / n:.3f}", f"{row['covered'] / (2 * n):.3f}", f"{row['cautioned'] / n:.2f}"]
    return [f"{row['correlation']:g}", *shares]


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/predictions.py", files, measure))
