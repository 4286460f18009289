"""Write docs/trust/bayes-errors.md: how often statements of the Bayesian list are false, beside other lists.

    python docs/generate/bayes_errors.py             writes the tables from docs/trust/bayes-errors.json
    python docs/generate/bayes_errors.py --check     exits 1 if the page is not current
    python docs/generate/bayes_errors.py --measure   simulates all cells and writes both: ten minutes
                                                     on CALIBRATION_WORKERS (2) quiet processors

The cells are in ``tests/calibration/bayes_errors.py``, whose tests repeat some of them.
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

from calibration import bayes_errors  # noqa: E402

PAGE, STORED = ROOT / "docs" / "trust" / "bayes-errors.md", ROOT / "docs" / "trust" / "bayes-errors.json"
WORKERS = int(os.environ.get("CALIBRATION_WORKERS", "2"))
Row = dict[str, Any]


def measure() -> None:
    rows = []
    with ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
        for row in pool.map(bayes_errors.measure, bayes_errors.cells()):
            rows.append(row)
            sys.stderr.write(f"{row}\n")
    lines = ",\n".join(json.dumps(row) for row in rows)
    STORED.write_text(f'{{"seed": {bayes_errors.SEED}, "rows": [\n{lines}\n]}}\n', encoding="utf-8")


def files() -> dict[Path, str]:
    rows: list[Row] = json.loads(STORED.read_text(encoding="utf-8"))["rows"]
    heads = ["truth", "scores", "algorithms", "problems", *bayes_errors.LISTS]

    def table(of: str) -> str:
        cells = [
            [row["truth"], row["noise"], str(row["algorithms"]), str(row["n"])]
            + [_shown(row, of, name) for name in bayes_errors.LISTS]
            for row in rows
            if of == "false" or row["truth"] != "equal"
        ]
        return page_command.table(heads, cells, 2)

    equal = [row["false"]["recipe"] / row["tables"] for row in rows if row["truth"] == "equal"]
    parts = {
        "false": table("false"),
        "true": table("true"),
        "tables": str(rows[0]["tables"]),
        "recipe": f"{min(equal):.3f} to {max(equal):.3f}",
        "flat": _range(rows, "flat"),
        "exchangeable": _range(rows, "exchangeable"),
        "itself": _range(rows, "each by itself"),
        "holm": _range(rows, "Holm"),
    }
    return {PAGE: page_command.filled(PAGE, parts)}


def _shown(row: Row, of: str, name: str) -> str:
    return f"{row['false'][name] / row['tables']:.3f}" if of == "false" else f"{row['true'][name]:.2f}"


def _range(rows: list[Row], name: str) -> str:
    """Of equal algorithms."""
    shares = [row["false"][name] / row["tables"] for row in rows if row["truth"] == "equal"]
    return f"{min(shares):.3f} to {max(shares):.3f}"


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/bayes_errors.py", files, measure))
