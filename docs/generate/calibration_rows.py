"""The part of docs/trust/calibration.md about everything but the verdicts of compare()."""

from __future__ import annotations

import math

from calibration_tables import Counts, Stored, about, cells_of
from page_command import caution_link, table

from calibration.rows import FAMILIES
from calibration.rows.row import Row, keeps, stated, wrong

TITLES = {
    "pairs": "Two algorithms",
    "tables": "`compare` beside its verdicts",
    "cells": "Runs on each problem, and tables with holes",
    "spreads": "Runs that spread unequally",
    "margins": "Claims about a margin",
    "means": "Means over clusters of unequal size",
    "skewed": "Means of skewed differences",
    "skewed_margins": "Skewed differences and a margin",
    "models": "Several models by their means",
    "views": "Leaderboards and trade-offs",
    "winners": "The winner of a leaderboard over clusters, and over tasks",
    "two_tasks": "Interquartile means over the runs of two or three tasks",
    "times": "Running times",
    "equal_times": "Running times equal within a tolerance",
    "bands": "Profiles",
    "over_runs": "Over runs of the same problems",
    "over_both": "Over other problems with runs of their own",
    "times_over_runs": "Running times over runs of the same problems",
    "times_over_both": "Running times over other problems with runs of their own",
    "run_scores": "Distributions of the scores of runs",
    "sample_efficiency": "Interquartile means along the budget",
    "looks": "Curves, histories, ratings",
    "covariates": "Ratings beside covariates",
    "categories": "Ratings by category, and over few clusters",
    "commands": "Commands timed side by side, replicability",
    "gates": "The gate that measures by itself",
    "experiments": "Experiments that may stop early, and plans",
    "null_values": "Experiments with another null hypothesis",
    "posteriors": "Bayesian statements",
}


def others(stored: Stored) -> dict[str, str]:
    rows = "\n".join(f"### {TITLES[name]}\n\n{kept(stored, name)}" for name in FAMILIES if cells_of(stored, name))
    return {"rows": f"\n{rows}", "ends of rows": ends(stored)}


def kept(stored: Stored, family: str) -> str:
    rows = [row for row in FAMILIES[family] if not row.ends and row.name in cells_of(stored, family)]
    lines = [line(row, cells_of(stored, family)[row.name]) for row in rows]
    heads = ["call", "data", "promised, %", "measured, %", "tables"]
    return f"{about(stored[family])}.\n\n{table(heads, lines, None)}"


def line(row: Row, counts: Counts) -> list[str]:
    found = measured(row, counts)
    return [row.door, row.data, promised(row, counts), found if keeps(row, counts) else f"**{found}**", tables(counts)]


def promised(row: Row, counts: Counts) -> str:
    if row.kind == "stated":
        return f"as stated, {100 * stated(counts):.1f}" + (f" ± {100 * row.level:g}" if row.level else "")
    return f"at {'most' if row.kind == 'error' else 'least'} {100 * row.level:g}"


def measured(row: Row, counts: Counts) -> str:
    share = 1 - wrong(counts) if row.kind == "coverage" else wrong(counts)
    said = counts.get("said", 0)
    if not said:
        return "nothing said"
    near = (share * said + 1) / (said + 2)  # no share is known without an error
    error = math.sqrt(near * (1 - near) / max(1, said))
    return f"{100 * share:.1f} ± {100 * error:.1f}"


def tables(counts: Counts) -> str:
    """Those that said something, where these are not all."""
    said = counts.get("said", 0)
    return f"{counts['tables']:g}" if said == counts["tables"] else f"{said:g} of {counts['tables']:g}"


def ends(stored: Stored) -> str:
    lines = []
    for family, rows in FAMILIES.items():
        for row in rows:
            counts = cells_of(stored, family).get(row.name)
            if row.ends and counts is not None:
                lines.append([row.door, row.data, promised(row, counts), measured(row, counts), said(row, counts)])
    return table(["call", "data", "level, %", "measured, %", "said by"], lines, None)


def said(row: Row, counts: Counts) -> str:
    if row.ends.startswith("docs/"):
        return f"[page](../{row.ends.removeprefix('docs/')})"
    share = 100 * counts.get("cautioned", 0) / counts["tables"]
    link = f"{caution_link(row.ends, '../understand/cautions.md')}, {share:.0f} %"
    return link + (f" ({100 * counts['caught'] / counts['erring']:.0f} %)" if counts.get("erring") else "")
