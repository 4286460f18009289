"""Write docs/trust/calibration.md: how often compare() and the other analyses err on tables whose truth is known.

    python docs/generate/calibration.py             writes the page from docs/trust/calibration.json
    python docs/generate/calibration.py --check     exits 1 if the page is not current, or if a few of its numbers,
                                                    measured again, are not what is stored
    python docs/generate/calibration.py --measure   simulates what is missing and writes both (``make calibration``)
    python docs/generate/calibration.py --measure default pairwise      measures these sections anew

Everything takes about three hours of one quiet processor. The record keeps for each section the commit, date, seed and
share of its numbers. A section is missing if it is incomplete, or if its own files have changed; a change of the
package is a reason to name a section here. An interrupted measurement of a section goes on where it stopped, as long as
the commit is the same. Two environment variables make it smaller or faster: CALIBRATION_SHARE=0.05 simulates a
twentieth of the tables (the page then says that it is preliminary), CALIBRATION_WORKERS is the number of processes.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import calibration_page
import page_command

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from calibration.measure import CHUNK, SEED, Cell, measure, share  # noqa: E402
from calibration.rows import FAMILIES  # noqa: E402
from calibration.rows.row import measure as measure_rows  # noqa: E402
from calibration.scenarios import SCENARIOS  # noqa: E402

PAGE, STORED = ROOT / "docs" / "trust" / "calibration.md", ROOT / "docs" / "trust" / "calibration.json"
QUESTIONS = [name for name in SCENARIOS if name.startswith("right or wrong")]
TABLES = [name for name in SCENARIOS if name not in QUESTIONS]
ENDS = [name for name in TABLES if SCENARIOS[name].null not in ("exchangeable", "symmetric")]
LOCATED = [name for name in TABLES if SCENARIOS[name].null in ("exchangeable", "symmetric", "median")]
DEFAULT = ("wilcoxon",)
CORRECTED = (
    "equal, normal",
    "near clusters, normal",
    "spread 4:1",
    "one a little worse",
    "specialists",
    "round a circle",
)

ALIKE = ("equal, normal", "equal, rounded")
OMNIBUS = ("wilcoxon", "sign", "t", "aligned, papers", "quade, papers")
SMALL = ((3, 3), (3, 4), (3, 5), (3, 10), (4, 3), (4, 4), (4, 5), (4, 10), (5, 3), (5, 4), (5, 5), (5, 10))

PLAN: dict[str, tuple[int, list[Cell]]] = {
    "default": (2000, [Cell(s, n, k, calls=DEFAULT) for s in LOCATED for k in (5, 10) for n in (10, 30)]),
    "many": (4000, [Cell(s, 30, 15, calls=DEFAULT) for s in ("equal, normal", "near clusters, normal", "specialists")]),
    "pairwise": (2000, [Cell(s, 20, 5) for s in TABLES]),
    "sizes": (1000, [Cell("equal, normal", n, k) for k, n in ((3, 20), (5, 5), (5, 50), (10, 20))]),
    "wide": (1000, [Cell("one a little worse", 20, 10), Cell("specialists", 30, 10)]),
    "corrections": (3000, [Cell(s, 20, 5, calls=DEFAULT, every_correction=True) for s in CORRECTED]),
    "pooled": (2000, [Cell(s, 20, 5, calls=("t, pooled",)) for s in CORRECTED[:3]]),
    "omnibus": (
        4000,
        [
            Cell(s, n, k, calls=OMNIBUS, families=("control",))
            for s in ("equal, normal", "equal, rounded")
            for k, n in SMALL
        ],
    ),
    "questions": (1000, [Cell(s, n, 3) for s in QUESTIONS for n in (300, 500, 800)]),
    "ends": (1000, [Cell(s, n, 5, calls=("wilcoxon", "sign", "t")) for s in ENDS for n in (10, 30, 100)]),
}
"""{section of the page about compare(): (tables of each cell, cells)}; FAMILIES has the rows of the others."""

AGAIN = (("default", "specialists | n=10 | k=5"), ("default", "near clusters, normal | n=30 | k=5"))
"""What --check measures again, with few tables."""


SECTIONS = (*PLAN, *FAMILIES)


def own(section: str) -> tuple[str, ...]:
    """What a section is measured with, beside the package."""
    names = ("measure", "scenarios") if section in PLAN else ("rows/row", f"rows/{section}")
    return tuple(f"tests/calibration/{name}.py" for name in names)


def commit(section: str) -> str:
    """The last commit that touched what is measured; "changed" where the files differ from it."""
    last = ["git", "log", "-1", "--format=%h", "--abbrev=12", "--", "src", *own(section)]
    changed = ["git", "status", "--porcelain", "--", "src", *own(section)]
    name, differing = (
        subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
        for command in (last, changed)
    )
    return name + (" (changed)" if differing else "")


def head(section: str, part: float) -> dict[str, Any]:
    """What numbers of a section have in common."""
    files = hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in own(section))).hexdigest()[:12]
    return {"seed": SEED, "share": part, "files": files, "commit": commit(section)}


def names(section: str) -> list[str]:
    if section in PLAN:
        return [cell.name() for cell in PLAN[section][1]]
    return [row.name for row in FAMILIES[section]]


def measured(section: str, missing: list[str], part: float, workers: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The counts of each cell (row) that is missing."""
    if section in FAMILIES:
        for row, counted in measure_rows([row for row in FAMILIES[section] if row.name in missing], part, workers):
            yield row.name, {what: round(n, 4) for what, n in counted.items() if n}
        return
    tables, cells = PLAN[section]
    asked = [cell for cell in cells if cell.name() in missing]
    for cell, counts in measure(asked, max(CHUNK, round(tables * part)), workers):
        yield cell.name(), {call: {what: n for what, n in found.items() if n} for call, found in counts.items()}


def begun(section: str, now: dict[str, Any], anew: bool) -> dict[str, Any]:
    """The section as stored, if its numbers can stay; else an empty one."""
    stored = read().get(section, {"cells": {}})
    complete = set(names(section)) <= set(stored["cells"])
    kept = [key for key in now if key != "commit" or anew or not complete]
    if any(stored.get(key) != now[key] for key in kept):
        return {**now, "date": "", "cells": {}}
    return {**stored, "cells": {name: stored["cells"][name] for name in names(section) if name in stored["cells"]}}


def measure_sections(named: list[str]) -> None:
    part = float(os.environ.get("CALIBRATION_SHARE", "1"))
    workers = int(os.environ.get("CALIBRATION_WORKERS", "2"))
    for section in named or SECTIONS:
        mine = begun(section, head(section, part), section in named)
        missing = [name for name in names(section) if name not in mine["cells"]]
        for name, counts in measured(section, missing, part, workers):
            mine["cells"][name] = counts
            mine["date"] = date.today().isoformat()
            write(section, mine)
            sys.stderr.write(f"{section}: {name}\n")


def write(section: str, mine: dict[str, Any]) -> None:
    """Into the file as it is now: another section may have been measured meanwhile."""
    stored = read() | {section: mine}
    STORED.write_text(text_of({name: stored[name] for name in SECTIONS if name in stored}), encoding="utf-8")


def text_of(stored: dict[str, Any]) -> str:
    """JSON, a line per cell."""
    sections = []
    for section, found in stored.items():
        about = json.dumps({key: value for key, value in found.items() if key != "cells"})
        lines = [f"{json.dumps(name)}: {json.dumps(counts)}" for name, counts in found["cells"].items()]
        sections.append(f'{json.dumps(section)}: {about[:-1]}, "cells": {{\n' + ",\n".join(lines) + "\n}}")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return found


def files() -> dict[Path, str]:
    return {PAGE: page_command.filled(PAGE, calibration_page.parts(read()))}


def check() -> list[str]:
    """Shares that differ by more than 4.5 standard errors from those stored."""
    stored = read()
    complaints = []
    for section, name in AGAIN:
        (cell,) = [cell for cell in PLAN[section][1] if cell.name() == name]
        ((_, found),) = measure([cell], 4 * CHUNK)
        for call, counts in found.items():
            before = Counter(stored[section]["cells"][name][call])
            for what in ("false", "found", "effect, held"):
                of = {"false": "tables", "found": "apart", "effect, held": "effect, known"}[what]
                now, then = share(counts, what, of), share(before, what, of)
                slack = 4.5 * 0.5 * math.sqrt(1 / counts["tables"] + 1 / before["tables"])
                if abs(now - then) > slack:
                    complaints.append(f"{name}, {call}: {what} was {then:.3f}, is {now:.3f}")
    return complaints


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/calibration.py", files, measure_sections, check, SECTIONS))
