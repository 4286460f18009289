"""What docs/trust/other-tools.md takes from the stored numbers."""

from __future__ import annotations

import math
from typing import Any

from page_command import table

Stored = dict[str, dict[str, dict[str, Any]]]

WHAT = {
    "quade normal 10 × 3": (
        "`posthoc_quade(x, dist=\"normal\")`, 10 × 3", "two that do not differ: p ≤ 0.05", "≤ 0.05"),
    "quade normal 20 × 5": ("the same, 20 × 5", "", "≤ 0.05"),
    "quade normal 30 × 4": ("the same, 30 × 4", "", "≤ 0.05"),
    "conover single-step 6 × 4": (
        "`posthoc_conover_friedman(x, p_adjust=\"single-step\")`, 6 × 4",
        "no true difference: some p ≤ 0.05", "≤ 0.05"),
    "conover default 20 × 5": ("`posthoc_conover_friedman(x)`, 20 × 5", "no true difference: some p ≤ 0.05", "–"),
    "nemenyi right or wrong 60 × 4": (
        "`posthoc_nemenyi_friedman(x)`, 60 × 4", "scores 0 and 1, one right in 75 %, three in 50 %: found",
        "more is better"),
    "autorank two columns": (
        "`autorank(df, force_mode=\"nonparametric\")`, 20 × 2", "no difference: p < 0.05", "≤ 0.05"),
    "autorank tukey": (
        "`autorank(df, force_mode=\"parametric\")`, 20 × 4",
        "one better by 1.5 standard deviations, problems unlike: intervals apart", "more is better"),
    "autorank median": (
        "`autorank(df, force_mode=\"nonparametric\")`, 20 × 2", "the interval has the median",
        "≥ 0.975, not much more"),
    "aeon alike 20 × 6": (
        "`plot_critical_difference(x, labels)`, 20 × 6", "no true difference: some pair parted", "≤ 0.1"),
    "aeon one worse 20 × 6": ("the same, 20 × 6", "one much worse: some of the other five parted", "≤ 0.1"),
    "aeon alike 40 × 9": ("the same, 40 × 9", "no true difference: some pair parted", "≤ 0.1"),
    "aeon one worse 40 × 9": ("the same, 40 × 9", "one much worse: some of the other eight parted", "≤ 0.1"),
    "printed aligned 30 × 3": ("aligned ranks, 30 × 3", "two that do not differ: p ≤ 0.05", "≤ 0.05"),
    "printed aligned 30 × 5": ("the same, 30 × 5", "", "≤ 0.05"),
    "printed quade 30 × 5": ("Quade's ranks, 30 × 5", "two that do not differ: p ≤ 0.05", "about 0.05"),
    "printed quade 30 × 10": ("the same, 30 × 10", "", "about 0.05"),
}  # fmt: skip
"""Setting -> the call, what is counted, what it should be."""


def share(count: int, tables: int) -> str:
    p = count / tables
    error = math.sqrt(max(p * (1 - p), 1 / tables) / tables)
    return f"{p:.3f} ± {error:.3f}"


def shares(stored: Stored, tool: str, there: str = "there", here: str = "here") -> str:
    rows = []
    for name, (call, what, should) in WHAT.items():
        entry = stored["shares"][name]
        if entry["tool"] == tool:
            rows.append([call, what, *(share(entry[which], entry["tables"]) for which in ("there", "here")), should])
    return table(["call", "share of tables", there, here, "should be"], rows, None)


def versions(stored: Stored, tool: str) -> str:
    """Release, date, number of tables."""
    entries = [entry for entry in (*stored["shares"].values(), *stored["examples"].values()) if entry["tool"] == tool]
    releases = sorted({f"{tool} {entry['version']}, {entry['date']}" for entry in entries})
    tables = sorted({entry["tables"] for entry in entries if "tables" in entry})
    of = (
        f"; {' to '.join(str(n) for n in (tables[0], tables[-1])[: min(2, len(tables))])} tables each" if tables else ""
    )
    return f"Measured: {'; '.join(releases)}{of}. Normal scores unless the table says otherwise." if tables else (
        f"Measured: {'; '.join(releases)}."
    )  # fmt: skip


def parts(stored: Stored) -> dict[str, object]:
    """By the names of the marks in the page."""
    told = stored["examples"]
    first = told["first row"]
    edge = {
        f"edge_{key}": ", ".join(f"{told['edge'][f'{key} {rope}']:.2f}" for rope in ("0.0119", "0.012", "0.0121"))
        for key in ("there", "here")
    }
    tools = ("scikit-posthocs", "autorank", "aeon")
    return edge | {
        **{f"shares of {tool}": shares(stored, tool) for tool in tools},
        "shares of bakeoff": shares(stored, "bakeoff", "as printed", "permutation"),
        **{f"versions of {tool}": versions(stored, tool) + "\n" for tool in (*tools, "baycomp", "bakeoff")},
        "all": told["nemenyi"]["all"],
        "without": told["nemenyi"]["without"],
        "nemenyi_here": told["nemenyi"]["here"],
        "wilcoxon_there": told["wilcoxon"]["there"],
        "wilcoxon_here": told["wilcoxon"]["here"],
        "there": first["there"],
        "here": first["here"],
        "zero": "a small one as p=0.000" if first["p=0.000"] else "no longer as p=0.000",
        "escaped": "leaves `_` in names as it is, which LaTeX stops at" if first["unescaped"] else "escapes names",
        "quantiles": quantiles(told["quantile"]),
        "same_there": told["identical"]["there"],
        "same_here": told["identical"]["here"],
        "orange": orange(told["compute_CD"]),
    }


def orange(entry: dict[str, Any]) -> str:
    where = f"`Orange.evaluation` of Orange {entry['version']} ({entry['date']})"
    return f"are in {where}" if entry["compute_CD"] else f"are not in {where}"


def quantiles(entry: dict[str, Any]) -> str:
    """At 0.05, for few algorithms."""
    return "; ".join(f"{entry[f'there {k}']} instead of {entry[f'here {k}']} for {k}" for k in (3, 5, 10))
