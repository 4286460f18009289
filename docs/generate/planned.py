"""Write a table of docs/guides/planning.md: the power that plans of questions promise, and what evaluations detect.

    python docs/generate/planned.py             writes the table from docs/trust/planned.json
    python docs/generate/planned.py --check     exits 1 if the page is not current
    python docs/generate/planned.py --measure   simulates all cells and writes both: half an hour
                                                on CALIBRATION_WORKERS (2) quiet processors

The cells are in ``tests/calibration/planned.py``, whose tests repeat some of them.
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

from calibration import planned  # noqa: E402

PAGE, STORED = ROOT / "docs" / "guides" / "planning.md", ROOT / "docs" / "trust" / "planned.json"
WORKERS = int(os.environ.get("CALIBRATION_WORKERS", "2"))
Row = dict[str, Any]
SOURCES = {
    "pilot": "`plan --questions --pilot`",
    "agreement": "`plan --questions --agreement`",
    "accuracy": "`plan --questions --accuracy`",
    "evaluate": "the last sentence of `evaluate`",
}


def measure() -> None:
    rows = []
    with ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
        for row in pool.map(planned.measure, planned.CELLS):
            rows.append(row)
            sys.stderr.write(f"{row['source']}, {row['name']}: {row['detected']} {planned.fault(row)}\n")
    lines = ",\n".join(json.dumps(row) for row in rows)
    STORED.write_text(f'{{"seed": {planned.SEED}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")


def files() -> dict[Path, str]:
    rows: list[Row] = json.loads(STORED.read_text(encoding="utf-8"))["rows"]
    heads = ["plan", "questions of the pilot", "planned", "promised", "detected"]
    cells = [
        [
            SOURCES[row["source"]],
            row["name"],
            str(row["n"]),
            f"{row['promised']:.2f}{' or more' * row['at_least']}",
            f"{_share(row):.3f}",
        ]
        for row in rows
    ]
    fewest = min(row["tables"] for row in rows)
    state = (
        f"There are {fewest} tables or more in each row, so that the standard error is {(0.16 / fewest) ** 0.5:.3f}."
    )
    return {PAGE: page_command.filled(PAGE, {"planned": page_command.table(heads, cells, 2), "planned state": state})}


def _share(row: Row) -> float:
    return float(row["detected"] / row["tables"])


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/planned.py", files, measure))
