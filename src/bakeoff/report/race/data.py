"""A race's report as JSON: the fields of the result under their own names."""

from __future__ import annotations

from typing import Any

from bakeoff.report.comparison.data import finite
from bakeoff.report.comparison.methods import versions
from bakeoff.report.race import sentences

SCHEMA = "bakeoff.race/1"
_KEYS = {
    "e-sign": ("ville1939", "wangramdas2022"),
    "e-rank": ("ville1939", "wangramdas2022"),
    "e-dominance": ("ville1939", "wangramdas2022"),
    "sequential-halving": ("karnin2013",),
    "f-race-sign": ("birattari2002", "benavoli2015"),
    "f-race-mean-ranks": ("birattari2002", "benavoli2015"),
    "irace": ("lopezibanez2016",),
    "wilcoxon": ("wilcoxon1945",),
    "bayes": ("benavoli2015",),
}


def race_keys(result: Any) -> tuple[str, ...]:
    """Keys of the bibliography."""
    return _KEYS[result.method]


def to_dict(result: Any, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want of a race."""
    content = {"schema": SCHEMA, "verdict": sentences.verdict(result), **result.to_dict()}
    content |= {"saved": result.saved, "references": list(race_keys(result)), "versions": versions()}
    return finite(content | ({"command": command} if command else {}))
