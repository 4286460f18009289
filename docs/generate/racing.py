"""Write docs/racing.md: what races cost and lose, measured, beside the tables of Benavoli et al. (2015).

    python docs/generate/racing.py             writes the page from docs/racing.json
    python docs/generate/racing.py --check     exits 1 if the page is not current
    python docs/generate/racing.py --measure   simulates all races anew (about an hour) and writes both

The simulations are ``bo.study.race`` and ``bo.study.race_errors``.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(Path(__file__).resolve().parent))

from racing_page import CHOOSERS, ERROR_ROWS, RULES, SETTINGS, page  # noqa: E402

PAGE, STORED = DOCS / "racing.md", DOCS / "racing.json"
REPETITIONS = {"choices": 200, "errors": 300}


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"], ["--measure"]):
        sys.stderr.write("usage: python docs/generate/racing.py [--check | --measure]\n")
        return 2
    if arguments == ["--measure"]:
        measure()
    text = page(json.loads(STORED.read_text(encoding="utf-8")))
    if arguments != ["--check"]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write("docs/racing.md is not current: run python docs/generate/racing.py\n")
    return 1


def measure() -> None:
    """What is stored already is kept: an interrupted measurement goes on."""
    from bakeoff import study as studies

    stored: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    jobs = [
        (f"errors | {row} | {rule}", studies.race_errors, {**ERROR_ROWS[row], **RULES[rule]})
        for row in ERROR_ROWS
        for rule in RULES
    ]
    jobs += [
        (f"choices | {q}, {rho} | {rule}", studies.race, {"n_candidates": q, "rho": rho, **RULES[rule]})
        for q, rho in SETTINGS
        for rule in CHOOSERS
    ]
    for name, study, options in jobs:
        if name not in stored:
            races = REPETITIONS[name.split(" ")[0]]
            found = asdict(study(**options, repetitions=races))
            stored[name] = {key: value for key, value in found.items() if isinstance(value, float)}
            stored[name]["repetitions"] = races
            STORED.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
