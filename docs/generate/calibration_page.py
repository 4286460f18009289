"""The page of docs/generate/calibration.py, from its stored numbers."""

from __future__ import annotations

import math

from calibration_rows import others
from calibration_tables import (
    CALLS,
    FAMILIES,
    Stored,
    both,
    cells_of,
    error,
    found,
    held,
    measured_calls,
    percent,
    rate,
    scenarios,
    simulated,
)
from page_command import table

NULLS = {
    "exchangeable": "exchangeable",
    "symmetric": "symmetric",
    "median": "median 0, skewed",
    "mean": "mean 0, skewed",
    "dependent": "exchangeable, problems dependent",
    "intransitive": "exchangeable with the first",
}


def parts(stored: Stored) -> dict[str, str]:
    """By the names of the marks in the page."""
    sections = (beginning, default, pairwise, one_pair, corrections, omnibus, coverage, power, questions, ends, others)
    return {name: text for section in sections for name, text in section(stored).items()}


# --- sections -------------------------------------------------------------------------------------------------------


CHANGED = {  # what has changed since a section was measured; a new measurement needs no line here
    "aeeccd59c4cb": """
**Changed since commit aeeccd59c4cb, and not measured again:** simultaneous intervals are no longer cut at 0, and signs
of all pairs are corrected by Holm. The columns of intervals, in which a cut end counted as holding 0, and the rows of
the sign test are of that commit.
"""
}


def beginning(stored: Stored) -> dict[str, str]:
    changed = "".join(CHANGED.get(commit, "") for commit in sorted({part["commit"] for part in stored.values()}))
    early = sorted(name for name, part in stored.items() if part["share"] != 1)
    preliminary = f"\n**Preliminary, of fewer tables than `make calibration` takes: {', '.join(early)}.**\n"
    return {"state": (preliminary if early else "") + changed}


def default(stored: Stored) -> dict[str, str]:
    sizes = [(10, 5), (30, 5), (10, 10), (30, 10)]
    rows = [
        [s.name, s.data, *(both(stored, "default", s.name, n, k, "wilcoxon") for n, k in sizes)]
        for s in scenarios("exchangeable", "symmetric")
    ]
    many = [
        f"{name} {error(found(stored, 'many', name, 30, 15, 'wilcoxon, all pairs'))}"
        for name in (cell.split(" | ")[0] for cell in cells_of(stored, "many"))
    ]
    every = [counts for cell in cells_of(stored, "default").values() for counts in cell.values()]
    wrong = max((rate(counts, "wrong") for counts in every), default=math.nan)
    heads = ["scenario", "data", *(f"{n} × {k}" for n, k in sizes)]
    return {
        "default: how often": simulated(stored, "default"),
        "default: errors": table(heads, rows, None),
        "default: wrong way": percent(wrong),
        "default: many": "; ".join(many) or "–",
        "default: how often many": simulated(stored, "many"),
    }


def pairwise(stored: Stored) -> dict[str, str]:
    calls = measured_calls(stored, "pairwise")
    rows = [
        [s.name, NULLS[s.null], *(both(stored, "pairwise", s.name, 20, 5, call) for call in calls)]
        for s in scenarios(*NULLS)
    ]
    larger = [f"{CALLS[call]} {both(stored, 'wide', 'specialists', 30, 10, call)}" for call in calls]
    ranges = []
    for s in scenarios("exchangeable", "symmetric"):
        counts = found(stored, "pairwise", s.name, 20, 5, "mean-ranks, papers, all pairs")
        if rate(counts, "false, nemenyi") > 0.05:
            ranges.append(f"{s.name} {error(counts, 'false, nemenyi')}")
    return {
        "pairwise: how often": simulated(stored, "pairwise"),
        "pairwise: errors": table(["scenario", "null", *(CALLS[call] for call in calls)], rows, None),
        "pairwise: wide": "; ".join(larger) or "–",
        "pairwise: how often wide": simulated(stored, "wide"),
        "pairwise: ranges": "; ".join(ranges) or "no scenario",
    }


def one_pair(stored: Stored) -> dict[str, str]:
    sizes = [("sizes", 20, 3), ("sizes", 5, 5), ("pairwise", 20, 5), ("sizes", 50, 5), ("sizes", 20, 10)]
    rows = []
    for call in measured_calls(stored, "pairwise"):
        cells = [found(stored, section, "equal, normal", n, k, f"{call}, all pairs") for section, n, k in sizes]
        cells.append(found(stored, "pairwise", "equal, rounded", 20, 5, f"{call}, all pairs"))
        rows.append([CALLS[call], *(error(counts, "alike, p", "alike") for counts in cells)])
    return {
        "one pair: how often": simulated(stored, "sizes", "pairwise"),
        "one pair: sizes": table(["test", *(f"{n} × {k}" for _, n, k in sizes), "20 × 5, rounded"], rows, None),
    }


def corrections(stored: Stored) -> dict[str, str]:
    cells = cells_of(stored, "corrections")
    names = [name.split(" | ")[0] for name in cells]
    parts = []
    for family in FAMILIES:
        methods = dict.fromkeys(
            event.removeprefix("false, ")
            for cell in cells.values()
            for event in cell[f"wilcoxon, {family}"]
            if event.startswith("false, ")
        )
        rows = []
        for method in methods:
            row = [f"`{method}`"]
            for name in names:
                counts = found(stored, "corrections", name, 20, 5, f"wilcoxon, {family}")
                power = percent(rate(counts, f"found, {method}", "apart"))
                row.append(error(counts, f"false, {method}") + (f" ({power})" if power != "–" else ""))
            rows.append(row)
        parts.append(f"{family[0].upper()}{family[1:]}:\n\n{table(['correction', *names], rows, None)}")
    joined, pooled = "\n".join(parts), []
    for name in ("equal, normal", "near clusters, normal", "spread 4:1"):
        tukey = found(stored, "pooled", name, 20, 5, "t, pooled, all pairs")
        dunnett = found(stored, "pooled", name, 20, 5, "t, pooled, control")
        pooled.append(f"{name} {error(tukey)} / {error(dunnett)}")
    return {
        "corrections: how often": simulated(stored, "corrections"),
        "corrections: errors": joined,
        "corrections: pooled": "; ".join(pooled),
        "corrections: how often pooled": simulated(stored, "pooled"),
    }


OMNIBUS = {
    "Iman–Davenport": ("wilcoxon", "omnibus"),
    "Friedman χ²": ("wilcoxon", "companion"),
    "aligned": ("aligned, papers", "omnibus"),
    "Quade": ("quade, papers", "omnibus"),
    "ANOVA": ("t", "omnibus"),
}


def omnibus(stored: Stored) -> dict[str, str]:
    names = [name.split(" | ") for name in cells_of(stored, "omnibus")]
    rows = []
    for scenario, size, width in names:
        n, k = int(size.split("=")[1]), int(width.split("=")[1])
        row = [f"{n} × {k}", scenario.removeprefix("equal, ")]
        for call, event in OMNIBUS.values():
            row.append(error(found(stored, "omnibus", scenario, n, k, f"{call}, control"), event))
        rows.append(row)
    return {
        "omnibus: how often": simulated(stored, "omnibus"),
        "omnibus: sizes": table(["n × k", "scores", *OMNIBUS], rows, None),
    }


def coverage(stored: Stored) -> dict[str, str]:
    rows = []
    for s in scenarios("exchangeable", "symmetric", "median"):
        row = [s.name]
        for n, k in ((10, 5), (30, 5), (30, 10)):
            counts = found(stored, "default", s.name, n, k, "wilcoxon, all pairs")
            one = held(counts, "effect, held", "effect, known")
            every = held(counts, "interval, all held", "interval, tables")
            row.append(one if every == "–" else f"{one} / {every}")
        counts = found(stored, "pairwise", s.name, 20, 5, "t, all pairs")
        row.append(held(counts, "effect, held", "effect, known"))
        if set(row[1:]) != {"–"}:
            rows.append(row)
    return {
        "coverage: how often": simulated(stored, "default", "pairwise"),
        "coverage: shares": table(["scenario", "10 × 5", "30 × 5", "30 × 10", "t, 20 × 5"], rows, None),
    }


def power(stored: Stored) -> dict[str, str]:
    calls = measured_calls(stored, "pairwise")
    rows = []
    for s in scenarios("exchangeable"):
        for section, n, k in (("pairwise", 20, 5), ("wide", 20, 10)):
            row = [s.name, f"{n} × {k}"]
            for call in calls:
                cells = [found(stored, section, s.name, n, k, f"{call}, {family}") for family in FAMILIES]
                row.append(" / ".join(percent(rate(counts, "found", "apart")) for counts in cells))
            if any(cell.strip("– /") for cell in row[2:]):
                rows.append(row)
    return {
        "power: how often": simulated(stored, "pairwise", "wide"),
        "power: shares": table(["scenario", "n × k", *(CALLS[call] for call in calls)], rows, None),
    }


def questions(stored: Stored) -> dict[str, str]:
    calls = measured_calls(stored, "questions")
    rows = []
    for name in ("right or wrong, equal", "right or wrong, one worse"):
        for n in (300, 500, 800):
            cells = [found(stored, "questions", name, n, 3, f"{call}, all pairs") for call in calls]
            rows.append([name, str(n), "error", *(error(counts) for counts in cells)])
            if name.endswith("worse"):
                rows.append([name, str(n), "found", *(percent(rate(c, "found", "apart")) for c in cells)])
                rows.append([name, str(n), "interval", *(held(c, "effect, held", "effect, known") for c in cells)])
    return {
        "questions: how often": simulated(stored, "questions"),
        "questions: shares": table(["scenario", "questions", "", *(CALLS[call] for call in calls)], rows, None),
    }


def ends(stored: Stored) -> dict[str, str]:
    rows = []
    for s in scenarios("median", "mean", "dependent", "intransitive"):
        for n in (10, 30, 100):
            row = [s.name, s.data, str(n)]
            for call in ("wilcoxon", "sign", "t"):
                cells = [found(stored, "ends", s.name, n, 5, f"{call}, {family}") for family in FAMILIES]
                row.append(" / ".join(error(counts) for counts in cells))
            rows.append(row)
    return {
        "ends: how often": simulated(stored, "ends"),
        "ends: errors": table(["scenario", "data", "problems", "Wilcoxon", "sign", "t"], rows, None),
    }
