"""The page of docs/generate/racing.py, from its stored numbers."""

from __future__ import annotations

import math
from typing import Any

from page_command import table

RULES: dict[str, dict[str, Any]] = {
    "e-sign": {"method": "e-sign"},
    "e-rank": {"method": "e-rank"},
    "e-choose": {"method": "e-choose"},
    "F-race, sign test": {"method": "f-race-sign"},
    "F-race, sign test, no gate": {"method": "f-race-sign", "gate": False},
    "F-race, mean ranks": {"method": "f-race-mean-ranks"},
    "F-race, mean ranks, no gate": {"method": "f-race-mean-ranks", "gate": False},
    "irace": {"method": "irace"},
    "Wilcoxon": {"method": "wilcoxon"},
    "Bayes, as here": {"method": "bayes"},
    "Bayes, paper": {"method": "bayes", "guard": False},
    "Bayes, paper, no indist.": {"method": "bayes", "guard": False, "indistinguishable": None},
    "Bayes, paper, indist. .998": {"method": "bayes", "guard": False, "indistinguishable": 0.998},
}
ERROR_ROWS: dict[str, dict[str, Any]] = {
    "2 equal": {"n_candidates": 2},
    "10 equal": {"n_candidates": 10},
    "30 equal": {"n_candidates": 30},
    "5 best, 5 at .75": {"n_candidates": 10, "n_best": 5, "chance": 0.75},
    "1 best, 9 at .52": {"n_candidates": 10, "n_best": 1, "chance": 0.52},
    "10 equal, t₂ noise": {"n_candidates": 10, "noise": "t2"},
}
SETTINGS = ((30, 1.0), (50, 1.0), (100, 1.0), (100, 0.5), (100, 0.1), (200, 0.1))

# Benavoli et al. (2015), Tables 2 and 3, in the order of SETTINGS
PRINTED = {
    "F-race, sign test": ((0.67, 0.80, 0.84, 0.74, 0.36, 0.51), (0.80, 1.22, 2.31, 1.19, 0.30, 0.63)),
    "F-race, mean ranks": ((0.58, 0.69, 0.70, 0.62, 0.35, 0.50), (0.77, 1.15, 2.05, 1.26, 0.30, 0.58)),
    "Bayes": ((0.63, 0.72, 0.75, 0.67, 0.36, 0.50), (0.70, 0.92, 1.84, 1.15, 0.28, 0.46)),
}
INDISTINGUISHABLE = (0.9, 1.7, 4.5, 3.1, 2.4, 2.7)
OF_PRINTED = {
    "F-race, sign test": ("F-race, sign test, no gate", "F-race, sign test"),
    "F-race, mean ranks": ("F-race, mean ranks, no gate", "F-race, mean ranks"),
    "Bayes": ("Bayes, paper", "Bayes, paper, indist. .998", "Bayes, paper, no indist.", "Bayes, as here"),
}
CHOOSERS = tuple(rule for rule in RULES if rule not in ("Wilcoxon", "e-choose"))
Stored = dict[str, dict[str, float]]


def parts(stored: Stored) -> dict[str, str]:
    """By the names of the marks in the page."""
    some = {f"any_{q}": f"{100 * stored[f'errors | {q} equal | e-sign']['any_lost']:.1f}" for q in (2, 10, 30)}
    grid = {f"saved_{n}": f"{ratio:.3f}" for n, ratio in stored["grid"].items()}
    clusters = stored["clusters"]
    lost = {"clustered": f"{100 * clusters['lost']:.0f}", "clustered_races": f"{clusters['repetitions']:.0f}"}
    return some | grid | lost | {"errors": errors(stored), "choices": choices(stored)}


def settings() -> list[str]:
    return ["", *(f"q = {q}, ρ = {rho:g}" for q, rho in SETTINGS)]


def errors(stored: Stored) -> str:
    races = {found["repetitions"] for name, found in stored.items() if name.startswith("errors")}
    rows = []
    for rule in RULES:
        cells = [stored.get(f"errors | {row} | {rule}") for row in ERROR_ROWS]
        rows.append([rule, *("–" if cell is None else f"{100 * cell['lost']:.1f}" for cell in cells)])
    worst = 100 * 0.5 / math.sqrt(min(races))
    shown = table(["rule", *ERROR_ROWS], rows, None)
    return f"\n{shown}\nAt least {min(races):.0f} races each; standard errors are at most {worst:.1f}.\n"


def choices(stored: Stored) -> str:
    parts = []
    for which, title in ((0, "ITER"), (1, "MAE")):
        rows = []
        for name, printed in PRINTED.items():
            rows.append([f"**{name}, printed**", *(f"{x:.2f}" for x in printed[which])])
            rows += [measured_row(stored, rule, which) for rule in OF_PRINTED[name]]
        rows += [measured_row(stored, rule, which) for rule in ("e-sign", "e-rank", "irace")]
        parts.append(f"\n### {title}\n\n{table(settings(), rows, None)}")
    rows = [["**printed**", *(f"{x:.1f}" for x in INDISTINGUISHABLE)]]
    for rule in ("Bayes, paper", "Bayes, paper, indist. .998", "Bayes, as here"):
        shown = [f"{c['n_equivalent']:.1f} ({100 * c['false_equivalent']:.0f} %)" for c in cells_of(stored, rule)]
        rows.append([rule, *shown])
    races = min(found["repetitions"] for name, found in stored.items() if name.startswith("choices"))
    lost = [[rule, *(f"{100 * c['best_lost']:.0f}" for c in cells_of(stored, rule))] for rule in CHOOSERS]
    return f"""{"".join(parts)}
### Candidates called indistinguishable, and the share of these calls that are false

{table(settings(), rows, None)}
{races:.0f} races in each cell; ± is one standard error.

### Percentage of races that eliminated the best candidate, as worse or as indistinguishable

{table(settings(), lost, None)}"""


def measured_row(stored: Stored, rule: str, which: int) -> list[str]:
    key = ("iterations", "mae")[which]
    return [rule, *(f"{c[key]:.2f} ± {c[key + '_error']:.2f}" for c in cells_of(stored, rule))]


def cells_of(stored: Stored, rule: str) -> list[dict[str, float]]:
    return [stored[f"choices | {q}, {rho} | {rule}"] for q, rho in SETTINGS]
