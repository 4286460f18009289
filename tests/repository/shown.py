"""What shows that a printed promise is kept: rows and sections of the record, theorems, tests that enumerate."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from typing import Any

from bakeoff.report.references import bibliography
from calibration.rows import BY_NAME, FAMILIES
from calibration.rows.row import keeps
from calibration.scenarios import SCENARIOS
from repository.printed import ROOT


@cache
def record() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads((ROOT / "docs/trust/calibration.json").read_text(encoding="utf-8"))
    return stored


def complaint(shown: str) -> str:
    """What is wrong with one reference; empty if nothing is.

    "row PREFIX" every row whose name begins so, in the record and kept; "cells SECTION / CALL / EVENT / SCENARIOS" a
    share in the record of compare(); "cite KEY" a theorem; "test PATH::NAME"; "none (REASON)" nothing is promised.
    """
    kind, _, what = shown.partition(" ")
    if kind == "row":
        return _row(what)
    if kind == "cells":
        return _cells(*what.split(" / "))
    if kind == "cite":
        return "" if what in bibliography() else f"{what} is not in the bibliography"
    if kind == "test":
        path, _, name = what.partition("::")
        there = (ROOT / path).exists() and re.search(rf"^\s*def {name}\(", (ROOT / path).read_text(), re.MULTILINE)
        return "" if there else f"there is no test {what}"
    return "" if re.fullmatch(r"none \(.+\)", shown) else f"{shown!r} shows nothing"


def _row(prefix: str) -> str:
    rows = [row for name, row in BY_NAME.items() if name.startswith(prefix) and not row.ends]
    if not rows:
        return f"no row begins with {prefix!r}"
    stored = {
        name: counts for family in FAMILIES for name, counts in record().get(family, {"cells": {}})["cells"].items()
    }
    for row in rows:
        if row.name not in stored:
            return f"{row.name!r} was not measured"
        if not keeps(row, stored[row.name]):
            return f"{row.name!r} is not kept: {stored[row.name]}"
    return ""


def _cells(section: str, call: str, event: str, which: str) -> str:
    """``event`` in at most 5 % of the tables; one that ends with "held" in at least 95 %."""
    seen = 0
    for cell, calls in record()[section]["cells"].items():
        scenario = cell.split(" | ")[0]
        if which not in ("*", scenario) and SCENARIOS[scenario].null not in which.split():
            continue
        for name, counts in calls.items():
            if name.rpartition(", ")[0] == call:
                of = counts["tables"] if not event.endswith("held") else counts.get("interval, tables", 0)
                wrong = counts.get(event, 0) if not event.endswith("held") else of - counts.get(event, 0)
                seen += of > 0
                if of and wrong / of > 0.05 + 4 * math.sqrt(0.05 * 0.95 / of):
                    return f"{section}, {cell}, {name}: {event} in {wrong} of {of}"
    return "" if seen else f"nothing in the record for {section} / {call} / {event} / {which}"
