"""Write docs/trust/units.md: what each analysis does with each feature of a table's design, and how often it errs.

    python docs/generate/units.py             writes the page from docs/trust/units.json
    python docs/generate/units.py --check     exits 1 if the page is not current
    python docs/generate/units.py --measure   simulates all cells and writes both: a quarter of an hour
                                              on CALIBRATION_WORKERS (2) quiet processors
    python docs/generate/units.py --measure iqm check      simulates the rows of these analyses

The tables and the doors are in ``tests/units``, whose tests compare what is stored with what an analysis does now.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import page_command

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
os.environ |= {"BAKEOFF_CACHE": "off", "BAKEOFF_ACCELERATOR": "off"}

from units import matrix  # noqa: E402
from units.doors import DOORS  # noqa: E402
from units.tables import PARTS  # noqa: E402

PAGE, STORED = ROOT / "docs" / "trust" / "units.md", ROOT / "docs" / "trust" / "units.json"
WORKERS = int(os.environ.get("CALIBRATION_WORKERS", "2"))
Stored = dict[str, dict[str, Any]]


def measure(named: list[str]) -> None:
    cells = [names for names in matrix.cells() if not named or names[0] in named]
    stored = read() if named and STORED.exists() else {}
    with ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
        for (analysis, feature), cell in zip(cells, pool.map(matrix.measure, cells), strict=True):
            stored.setdefault(analysis, {})[feature] = cell
            sys.stderr.write(f"{analysis}: {feature}\n")
    of_versions = matrix.in_versions() if not named or "history" in named else stored["about"]["versions in time"]
    stored["about"] = {"seed": matrix.SEED, "tables": matrix.TABLES, "commit": commit(), "date": f"{date.today()}"}
    stored["about"]["versions in time"] = of_versions
    STORED.write_text(text_of(stored), encoding="utf-8")


def commit() -> str:
    """The last one that touched what is measured."""
    last = ["git", "log", "-1", "--format=%h", "--abbrev=12", "--", "src"]
    return subprocess.run(last, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def text_of(stored: Stored) -> str:
    """JSON, a line per cell."""
    rows = [f'"about": {json.dumps(stored["about"])}']
    for door in DOORS:
        cells = [f"{json.dumps(name)}: {json.dumps(cell)}" for name, cell in stored[door.name].items()]
        rows.append(f"{json.dumps(door.name)}: {{\n" + ",\n".join(cells) + "\n}")
    return "{\n" + ",\n".join(rows) + "\n}\n"


def read() -> Stored:
    found: Stored = json.loads(STORED.read_text(encoding="utf-8"))
    return found


def files() -> dict[Path, str]:
    stored = read()
    heads = ["analysis", *matrix.FEATURES]
    rows = [[f"`{door.name}`", *(shown(stored[door.name][name]) for name in matrix.FEATURES)] for door in DOORS]
    counted = [[f"`{door.name}`", f"`{door.call}`", door.counted, f"{100 * door.promise:g} %"] for door in DOORS]
    about = stored["about"]
    parts = {
        "matrix": page_command.table(heads, rows, None),
        "doors": page_command.table(["analysis", "call", "what is counted", "promise, at most"], counted, 3),
        "state": f"{about['tables']} tables for each cell. Commit {about['commit']}, {about['date']}, "
        f"seed {about['seed']}.",
        "least": f"{least(stored)} %",
        "versions": "{wrong} of {of}".format(**about["versions in time"]),
    }
    return {PAGE: page_command.filled(PAGE, parts)}


def least(stored: Stored) -> int:
    """Of the cells whose analysis respects a feature or averages: the smallest error without it, in per cent."""
    found = [cell for _, _, cell in matrix.comparable(stored)]
    return round(100 * min(cell["ignored"] / cell["times"] for cell in found))


def shown(cell: dict[str, Any]) -> str:
    text = f"{words(cell)}{errors(cell)}"
    others = [(name, cell[name]) for name, _ in PARTS.values() if name in cell]
    return "; ".join([text, *(f"{name}: {shown(part)}" for name, part in others)])


def words(cell: dict[str, Any]) -> str:
    kind = cell["is"]
    if kind == "respected" and not matrix.keeps(cell):
        return "**not kept**"
    if kind == "refused":
        return f"*refused*: “{cell['words']}”"
    if kind == "cautioned":
        return f"*cautioned*: `{cell['caution']}`"
    names = {"averaged": "averaged first", "alone": "each by itself", "fixed": "fixed problems"}
    names |= {"silent": "**not said**", "open": "–"}
    text = names.get(kind, kind)
    return text if kind in ("silent", "open") else f"*{text}*"


def errors(cell: dict[str, Any]) -> str:
    """``12 of 400``; bold outside the promise."""
    if not cell.get("of") or cell["is"] in ("open", "silent"):
        return ""
    text = f"{cell['wrong']} of {cell['of']}"
    return f", {text}" if matrix.keeps(cell) else f", **{text}**"


if __name__ == "__main__":
    names = [door.name for door in DOORS]
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/units.py", files, measure, sections=names))
