"""Write docs/racing.md: what races cost and lose, measured, beside the tables of Benavoli et al. (2015).

    python docs/generate/racing.py             writes the page from docs/racing.json
    python docs/generate/racing.py --check     exits 1 if the page is not current
    python docs/generate/racing.py --measure   simulates the races that docs/racing.json lacks (all: about an hour)
                                               and writes both

The simulations are ``bo.study.race`` and ``bo.study.race_errors``.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import page_command
from racing_page import CHOOSERS, ERROR_ROWS, RULES, SETTINGS, page

from bakeoff import study

DOCS = Path(__file__).resolve().parents[1]
PAGE, STORED = DOCS / "racing.md", DOCS / "racing.json"
REPETITIONS = {"choices": 200, "errors": 300}


def measure() -> None:
    """Simulate what is not stored yet; after an interruption the stored numbers are kept."""
    stored: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    jobs = [
        (f"errors | {row} | {rule}", study.race_errors, {**ERROR_ROWS[row], **RULES[rule]})
        for row in ERROR_ROWS
        for rule in RULES
    ]
    jobs += [
        (f"choices | {q}, {rho} | {rule}", study.race, {"n_candidates": q, "rho": rho, **RULES[rule]})
        for q, rho in SETTINGS
        for rule in CHOOSERS
    ]
    for name, simulate, options in jobs:
        if name not in stored:
            races = REPETITIONS[name.split(" ")[0]]
            found = asdict(simulate(**options, repetitions=races))
            stored[name] = {key: value for key, value in found.items() if isinstance(value, float)}
            stored[name]["repetitions"] = races
            STORED.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def files() -> dict[Path, str]:
    return {PAGE: page(json.loads(STORED.read_text(encoding="utf-8")))}


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/racing.py", files, measure))
