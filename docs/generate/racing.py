"""Write docs/trust/racing.md: what races cost and lose, measured, beside the tables of Benavoli et al. (2015).

    python docs/generate/racing.py             writes the page from docs/trust/racing.json
    python docs/generate/racing.py --check     exits 1 if the page is not current
    python docs/generate/racing.py --measure   simulates the races that docs/trust/racing.json lacks (all: about an
    hour)
                                               and writes both

The simulations are those of ``benchmarks/races``.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import page_command
from racing_page import CHOOSERS, ERROR_ROWS, RULES, SETTINGS, parts

from bakeoff.wings.run.racing.pair_evidence import GRID, horizon_grid
from bakeoff.wings.run.racing.rules.rule import make_rule

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from benchmarks.races import race, race_errors
from benchmarks.races.simulated import run_race

DOCS = Path(__file__).resolve().parents[1]
PAGE, STORED = DOCS / "trust" / "racing.md", DOCS / "trust" / "racing.json"
REPETITIONS = {"choices": 200, "errors": 300}


def measure() -> None:
    """Simulate what is not stored yet; after an interruption the stored numbers are kept."""
    stored: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    jobs = [
        (f"errors | {row} | {rule}", race_errors, {**ERROR_ROWS[row], **RULES[rule]})
        for row in ERROR_ROWS
        for rule in RULES
    ]
    jobs += [
        (f"choices | {q}, {rho} | {rule}", race, {"n_candidates": q, "rho": rho, **RULES[rule], **unknown(rule)})
        for q, rho in SETTINGS
        for rule in CHOOSERS
    ]
    if "clusters" not in stored:
        stored["clusters"] = clusters(1000)
    if "grid" not in stored:
        stored["grid"] = tuned_grid(60)
    for name, simulate, options in jobs:
        if name not in stored:
            races = REPETITIONS[name.split(" ")[0]]
            found = asdict(simulate(**options, repetitions=races))
            stored[name] = {key: value for key, value in found.items() if isinstance(value, float)}
            stored[name]["repetitions"] = races
            STORED.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def unknown(rule: str) -> dict[str, Any]:
    """The default grid of e-sign and e-rank, for an unknown number of problems."""
    return {"grid": GRID} if rule in ("e-sign", "e-rank") else {}


def clusters(races: int) -> dict[str, float]:
    """How often e-sign removes the first of two equal candidates: 20 clusters of 25, effects 3 times the noise."""
    lost = 0
    for seed in range(races):
        rng = np.random.default_rng(seed)
        costs = np.repeat(3.0 * rng.normal(size=(20, 2)), 25, axis=0) + rng.normal(size=(500, 2))
        rule = make_rule("e-sign", 2, grid=horizon_grid(500))
        run_race(rule, rng.permutation(costs), 5)
        lost += 0 not in rule.alive
    return {"lost": lost / races, "repetitions": races}


def tuned_grid(races: int) -> dict[str, float]:
    """Evaluations of e-sign with the grid for the number of problems, relative to the default one; means uniform."""
    found = {}
    for n, q, sd in ((25, 9, 0.3), (50, 10, 1.0), (128, 30, 0.5), (500, 30, 1.0)):
        spent = [0, 0]
        for seed in range(races):
            rng = np.random.default_rng(seed)
            costs = rng.uniform(size=q) + sd * rng.normal(size=(n, q))
            for which, grid in enumerate((GRID, horizon_grid(n))):
                spent[which] += run_race(make_rule("e-sign", q, grid=grid), costs, 5)[0]
        found[str(n)] = spent[1] / spent[0]
    return found


def files() -> dict[Path, str]:
    return {PAGE: page_command.filled(PAGE, parts(json.loads(STORED.read_text(encoding="utf-8"))))}


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/racing.py", files, measure))
