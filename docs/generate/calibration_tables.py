"""Counts of docs/trust/calibration.json as text of its page."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from calibration.measure import ALPHA, band
from calibration.scenarios import SCENARIOS, Scenario

Stored = dict[str, Any]
Counts = dict[str, int]
FAMILIES = ("all pairs", "control")
CALLS = {
    "wilcoxon": "Wilcoxon",
    "sign": "sign",
    "t": "t",
    "mean-ranks": "mean ranks",
    "aligned": "aligned",
    "quade": "Quade",
    "mean-ranks, papers": "*mean ranks*",
    "aligned, papers": "*aligned*",
    "quade, papers": "*Quade*",
}


def cells_of(stored: Stored, section: str) -> dict[str, dict[str, Counts]]:
    cells: dict[str, dict[str, Counts]] = stored.get(section, {"cells": {}})["cells"]
    return cells


def found(stored: Stored, section: str, scenario: str, n: int, k: int, call: str) -> Counts | None:
    """The counts of one cell and call, or None where it was not measured."""
    cell = cells_of(stored, section).get(f"{scenario} | n={n} | k={k}", {})
    counts: Counts | None = cell.get(call)
    return counts


def rate(counts: Counts | None, event: str, of: str = "tables") -> float:
    if counts is None or not counts.get(of):
        return math.nan
    return counts.get(event, 0) / counts[of]


def percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def error(counts: Counts | None, event: str = "false", of: str = "tables") -> str:
    """A share that should be at most alpha: bold where it is above it by more than four standard errors."""
    value = rate(counts, event, of)
    if counts is None or math.isnan(value):
        return "–"
    return f"**{percent(value)}**" if value > ALPHA + band(counts["tables"]) else percent(value)


def held(counts: Counts | None, event: str, of: str) -> str:
    """A share that should be at least 1 − alpha: bold where it is below it by more than four standard errors."""
    value = rate(counts, event, of)
    if counts is None or math.isnan(value):
        return "–"
    return f"**{percent(value)}**" if value < 1 - ALPHA - band(counts["tables"]) else percent(value)


def both(stored: Stored, section: str, scenario: str, n: int, k: int, call: str) -> str:
    """The family-wise error of all pairs and with a control."""
    return " / ".join(error(found(stored, section, scenario, n, k, f"{call}, {family}")) for family in FAMILIES)


def tables_in(stored: Stored, section: str) -> int:
    return min((counts["tables"] for cell in cells_of(stored, section).values() for counts in cell.values()), default=0)


def about(part: dict[str, Any]) -> str:
    """Of which commit a section is, and when it was measured."""
    preliminary = "" if part["share"] == 1 else f", **preliminary, {100 * part['share']:g} % of the tables**"
    return f"Commit {part['commit']}, {part['date']}, seed {part['seed']}{preliminary}"


def simulated(stored: Stored, *sections: str) -> str:
    """How many tables the numbers are from, their standard error, and where and when they were measured."""
    said: dict[tuple[int, str], list[str]] = {}
    for section in sections:
        if section in stored:
            said.setdefault((tables_in(stored, section), about(stored[section])), []).append(section)
    parts = [
        f"{tables} tables each{' (' + ', '.join(names) + ')' if len(said) > 1 else ''}: the standard error of a share "
        f"of 5 or 95 % is {100 * band(tables) / 4:.1f}. {source}."
        for (tables, source), names in said.items()
    ]
    return " ".join(parts) or "Not measured."


def measured_calls(stored: Stored, section: str) -> list[str]:
    """Calls of the section, in the order of the page."""
    seen = {name.rpartition(", ")[0] for cell in cells_of(stored, section).values() for name in cell}
    return [call for call in CALLS if call in seen]


def scenarios(*nulls: str) -> list[Scenario]:
    return [s for s in SCENARIOS.values() if s.null in nulls and not s.name.startswith("right or wrong")]
