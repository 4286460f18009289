"""A race as JSON: the fields of the result under their own names."""

from __future__ import annotations

from typing import Any

from bakeoff.racing.results import RaceResult
from bakeoff.report.data import all_but, null_for_infinity, plain
from bakeoff.report.methods import versions
from bakeoff.report.race import sentences
from bakeoff.report.race.methods import race_keys

SCHEMA = "bakeoff.race/1"


def to_dict(result: RaceResult, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want of a race; infinite evidence is null."""
    keys = {type(result): all_but(type(result), "contents")}  # without the single runs of a race that made them
    content = {"schema": SCHEMA, "verdict": sentences.verdict(result), **plain(result, keys)}
    content |= {"saved": result.saved, "references": list(race_keys(result)), "versions": versions()}
    return null_for_infinity(content | ({"command": command} if command else {}))
