"""A race's report as JSON: the fields of the result under their own names."""

from __future__ import annotations

from typing import Any

from bakeoff.racing.rules import rule_of
from bakeoff.report.comparison.data import finite
from bakeoff.report.comparison.methods import versions
from bakeoff.report.race import sentences

SCHEMA = "bakeoff.race/1"


def race_keys(result: Any) -> tuple[str, ...]:
    """Keys of the bibliography."""
    return rule_of(result.method).cite


def to_dict(result: Any, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want of a race."""
    content = {"schema": SCHEMA, "verdict": sentences.verdict(result), **result.to_dict()}
    content |= {"saved": result.saved, "references": list(race_keys(result)), "versions": versions()}
    return finite(content | ({"command": command} if command else {}))
