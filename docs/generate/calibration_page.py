"""The page of docs/generate/calibration.py, from its stored numbers."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from calibration.measure import ALPHA, band
from calibration.scenarios import SCENARIOS, Scenario

Stored = dict[str, Any]
Counts = dict[str, int]
FAMILIES = ("all pairs", "control")
CALLS = {
    "wilcoxon": "Wilcoxon",
    "sign": "sign",
    "t": "t",
    "mean-ranks": "mean ranks",
    "aligned": "aligned",
    "quade": "Quade",
    "mean-ranks, papers": "*mean ranks*",
    "aligned, papers": "*aligned*",
    "quade, papers": "*Quade*",
}
NULLS = {
    "exchangeable": "exchangeable",
    "symmetric": "symmetric",
    "median": "median 0, skewed",
    "mean": "mean 0, skewed",
    "dependent": "exchangeable, problems dependent",
    "intransitive": "exchangeable with the first",
}


def page(stored: Stored) -> str:
    parts = [
        beginning(stored),
        promise(),
        default(stored),
        pairwise(stored),
        one_pair(stored),
        corrections(stored),
        omnibus(stored),
        coverage(stored),
        power(stored),
        questions(stored),
        ends(stored),
    ]
    return "\n".join(parts)


# --- text and numbers -----------------------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def found(stored: Stored, section: str, scenario: str, n: int, k: int, call: str) -> Counts | None:
    """The counts of one cell and call, or None where it was not measured."""
    cell = stored["cells"].get(section, {}).get(f"{scenario} | n={n} | k={k}", {})
    counts: Counts | None = cell.get(call)
    return counts


def rate(counts: Counts | None, event: str, of: str = "tables") -> float:
    if counts is None or not counts.get(of):
        return math.nan
    return counts.get(event, 0) / counts[of]


def percent(value: float) -> str:
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def error(counts: Counts | None, event: str = "false", of: str = "tables") -> str:
    """A share that should be at most alpha: bold where it is above it by more than four standard errors."""
    value = rate(counts, event, of)
    if counts is None or math.isnan(value):
        return "–"
    return f"**{percent(value)}**" if value > ALPHA + band(counts["tables"]) else percent(value)


def held(counts: Counts | None, event: str, of: str) -> str:
    """A share that should be at least 1 − alpha: bold where it is below it by more than four standard errors."""
    value = rate(counts, event, of)
    if counts is None or math.isnan(value):
        return "–"
    return f"**{percent(value)}**" if value < 1 - ALPHA - band(counts["tables"]) else percent(value)


def both(stored: Stored, section: str, scenario: str, n: int, k: int, call: str) -> str:
    """The family-wise error of all pairs and with a control."""
    return " / ".join(error(found(stored, section, scenario, n, k, f"{call}, {family}")) for family in FAMILIES)


def tables_in(stored: Stored, section: str) -> int:
    cells = stored["cells"].get(section, {}).values()
    return min((counts["tables"] for cell in cells for counts in cell.values()), default=0)


def simulated(stored: Stored, section: str) -> str:
    """How many tables, and the band."""
    tables = tables_in(stored, section)
    return f"{tables} tables each; four standard errors at 5 % are {100 * band(tables):.1f}." if tables else ""


def measured_calls(stored: Stored, section: str) -> list[str]:
    """Calls of the section, in the order of the page."""
    seen = {name.rpartition(", ")[0] for cell in stored["cells"].get(section, {}).values() for name in cell}
    return [call for call in CALLS if call in seen]


def scenarios(*nulls: str) -> list[Scenario]:
    return [s for s in SCENARIOS.values() if s.null in nulls and not s.name.startswith("right or wrong")]


# --- sections -------------------------------------------------------------------------------------------------------


CHANGED = {  # what has changed since a record was made; a new measurement needs no line here
    "aeeccd59c4cb": """
**Changed since that commit, and not measured again:** simultaneous intervals are no longer cut at 0, and signs of all
pairs are corrected by Holm. The columns of intervals, in which a cut end counted as holding 0, and the rows of the sign
test are of that commit.
"""
}


def beginning(stored: Stored) -> str:
    part = stored["share"]
    early = (
        ""
        if part == 1
        else f"\n**Preliminary: {100 * part:g} % of the tables of the full measurement (`make calibration`).**\n"
    )
    return f"""\
# Calibration: how often does compare() err?

Generated by `python docs/generate/calibration.py` from `docs/trust/calibration.json`; do not edit. Measured by
`make calibration` on {stored["date"]}, commit {stored["commit"]}, seed {stored["seed"]}.
{early}{CHANGED.get(stored["commit"][:12], "")}
Tables of scores are drawn whose truth is known, `bo.compare(scores)` is called on each as a user would call it, and
what it says is counted. All numbers are percent at alpha = 0.05. Bold: outside what is promised by more than four
standard errors of the simulation. The tables and the counting are in `tests/calibration/`; a fixed subset of them is a
test.
"""


def promise() -> str:
    return """\
## What is promised, and for which data

Two algorithms *do not differ* if the difference of their scores is symmetric about 0 over the problems. That is so
whenever swapping the two within each problem would change no distribution (they are *exchangeable*); it is also so for
independent scores of one symmetric distribution and different spread.

- **Family-wise error.** The default (exact Wilcoxon test of each pair; Holm's correction with a control, else
  Bergmann–Hommel up to 12 algorithms and Shaffer beyond) declares any pair different that does not differ in at most
  alpha of all tables, whatever the other algorithms do. It needs independent problems. It needs neither normal scores
  nor equal scales nor the absence of ties.
- **All pairs** need one thing more: algorithms that do not differ form groups (if a is like b and b like c, then a is
  like c), as they do where "like" means one distribution and scores independent given the problem. Shaffer's, and
  Bergmann and Hommel's procedures draw their power from it. `posthoc="holm"` needs no groups.
- **The sign test** (Holm's correction) keeps the same level for a wider null: P(a better) = P(b better), skewed or not.
- **The t test** keeps it for normal differences.
- **Tests on the ranks of all algorithms** (mean ranks, aligned ranks, Quade's) keep it only if *all* algorithms are
  exchangeable. In *italics* below: their z with the standard error that the papers print
  ([errata](errata.md) F17 to F19).

Where problems are not independent, or differences are skewed, see [the end](#where-the-promise-ends).
"""


def default(stored: Stored) -> str:
    sizes = [(10, 5), (30, 5), (10, 10), (30, 10)]
    rows = [
        [s.name, s.data, *(both(stored, "default", s.name, n, k, "wilcoxon") for n, k in sizes)]
        for s in scenarios("exchangeable", "symmetric")
    ]
    many = [
        f"{name} {error(found(stored, 'many', name, 30, 15, 'wilcoxon, all pairs'))}"
        for name in (cell.split(" | ")[0] for cell in stored["cells"].get("many", {}))
    ]
    every = [counts for cell in stored["cells"].get("default", {}).values() for counts in cell.values()]
    wrong = max((rate(counts, "wrong") for counts in every), default=math.nan)
    heads = ["scenario", "data", *(f"{n} × {k}" for n, k in sizes)]
    return f"""\
## Family-wise error of the default

Share of tables in which a pair that does not differ was declared different: all pairs / against the first algorithm as
control. Columns are problems × algorithms. {simulated(stored, "default")}

{table(heads, rows)}
With 10 algorithms on 10 problems no correction of all pairs can reach alpha; the verdicts are "cannot tell". With 15
algorithms on 30 problems (Shaffer): {"; ".join(many) or "–"}. A pair that differs was declared different the wrong way
round in at most {percent(wrong)} % of the tables of any scenario.
"""


def pairwise(stored: Stored) -> str:
    calls = measured_calls(stored, "pairwise")
    rows = [
        [s.name, NULLS[s.null], *(both(stored, "pairwise", s.name, 20, 5, call) for call in calls)]
        for s in scenarios(*NULLS)
    ]
    larger = [f"{CALLS[call]} {both(stored, 'wide', 'specialists', 30, 10, call)}" for call in calls]
    ranges = []
    for s in scenarios("exchangeable", "symmetric"):
        counts = found(stored, "pairwise", s.name, 20, 5, "mean-ranks, papers, all pairs")
        if rate(counts, "false, nemenyi") > ALPHA:
            ranges.append(f"{s.name} {error(counts, 'false, nemenyi')}")
    return f"""\
## Family-wise error of every pair test

20 problems, 5 algorithms; all pairs (Bergmann–Hommel) / control (Holm). *Italics*: as the papers print it.
{simulated(stored, "pairwise")}

{table(["scenario", "null", *(CALLS[call] for call in calls)], rows)}
Specialists, 30 problems and 10 algorithms: {"; ".join(larger) or "–"}. Nemenyi's test (studentized range of mean ranks)
exceeds 5 % in: {"; ".join(ranges) or "no scenario"}.
"""


def one_pair(stored: Stored) -> str:
    sizes = [("sizes", 20, 3), ("sizes", 5, 5), ("pairwise", 20, 5), ("sizes", 50, 5), ("sizes", 20, 10)]
    rows = []
    for call in measured_calls(stored, "pairwise"):
        cells = [found(stored, section, "equal, normal", n, k, f"{call}, all pairs") for section, n, k in sizes]
        cells.append(found(stored, "pairwise", "equal, rounded", 20, 5, f"{call}, all pairs"))
        rows.append([CALLS[call], *(error(counts, "alike, p", "alike") for counts in cells)])
    return f"""\
## Size of one pair's test, before any correction

Share of pairs with p ≤ 0.05 where all algorithms are alike: normal scores, and rounded ones with many ties. An exact
test of few problems stays below 5 % because its p-values are coarse.

{table(["test", *(f"{n} × {k}" for _, n, k in sizes), "20 × 5, rounded"], rows)}"""


def corrections(stored: Stored) -> str:
    cells = stored["cells"].get("corrections", {})
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
        parts.append(f"{family[0].upper()}{family[1:]}:\n\n{table(['correction', *names], rows)}")
    joined, pooled = "\n".join(parts), []
    for name in ("equal, normal", "near clusters, normal", "spread 4:1"):
        tukey = found(stored, "pooled", name, 20, 5, "t, pooled, all pairs")
        dunnett = found(stored, "pooled", name, 20, 5, "t, pooled, control")
        pooled.append(f"{name} {error(tukey)} / {error(dunnett)}")
    return f"""\
## Every correction, with Wilcoxon's test

20 problems, 5 algorithms: family-wise error, and in brackets the share of pairs that differ which were found.
`finner` and `li` promise the family-wise level only if no pair differs; `fdr-bh` and `fdr-by` promise a false discovery
rate; `rom-printed` promises nothing.
{simulated(stored, "corrections")}

{joined}
Tukey / Dunnett after ANOVA ({tables_in(stored, "pooled")} tables): {"; ".join(pooled)}.
"""


OMNIBUS = {
    "Iman–Davenport": ("wilcoxon", "omnibus"),
    "Friedman χ²": ("wilcoxon", "companion"),
    "aligned": ("aligned, papers", "omnibus"),
    "Quade": ("quade, papers", "omnibus"),
    "ANOVA": ("t", "omnibus"),
}


def omnibus(stored: Stored) -> str:
    names = [name.split(" | ") for name in stored["cells"].get("omnibus", {})]
    rows = []
    for scenario, size, width in names:
        n, k = int(size.split("=")[1]), int(width.split("=")[1])
        row = [f"{n} × {k}", scenario.removeprefix("equal, ")]
        for call, event in OMNIBUS.values():
            row.append(error(found(stored, "omnibus", scenario, n, k, f"{call}, control"), event))
        rows.append(row)
    return f"""\
## Size of the omnibus tests in small tables

All algorithms alike; share of tables with p ≤ 0.05 (`result.omnibus`; Friedman's χ² is `result.companion`). The omnibus
test decides nothing about pairs, except in the recipes. {simulated(stored, "omnibus")}

{table(["n × k", "scores", *OMNIBUS], rows)}"""


def coverage(stored: Stored) -> str:
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
    return f"""\
## Coverage of the intervals

Share of pairs whose true difference lies in the interval of `pair.effect` (95 % each) and, behind a stroke, share of
tables in which all simultaneous intervals, as printed, hold theirs at once (an open end at 0 does not hold 0); all
pairs. The true difference is the shift, or the median difference where differences are skewed. A median that is not the
centre of symmetry is not what a Hodges–Lehmann interval covers.

{table(["scenario", "10 × 5", "30 × 5", "30 × 10", "t, 20 × 5"], rows)}"""


def power(stored: Stored) -> str:
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
    return f"""\
## Power

Share of pairs that differ which were found, in the right direction: all pairs / control. Errors of the same
procedures stand above: a test that errs too often finds more, too. Where not everything is a shift (specialists, risky
pair) any verdict on a pair that differs counts as right.

{table(["scenario", "n × k", *(CALLS[call] for call in calls)], rows)}"""


def questions(stored: Stored) -> str:
    calls = measured_calls(stored, "questions")
    rows = []
    for name in ("right or wrong, equal", "right or wrong, one worse"):
        for n in (300, 500, 800):
            cells = [found(stored, "questions", name, n, 3, f"{call}, all pairs") for call in calls]
            rows.append([name, str(n), "error", *(error(counts) for counts in cells)])
            if name.endswith("worse"):
                rows.append([name, str(n), "found", *(percent(rate(c, "found", "apart")) for c in cells)])
                rows.append([name, str(n), "interval", *(held(c, "effect, held", "effect, known") for c in cells)])
    return f"""\
## Right or wrong answers

Three models, each question answered right or wrong; all pairs. "One worse": 70.3 % right against 61.5, 63.3 and 65.1 %
at 300, 500 and 800 questions. "interval": coverage of the difference of accuracies. The exact Wilcoxon test of such
answers is McNemar's exact test, question by question; with Bergmann–Hommel it finds at least what McNemar's test with
Holm's correction does (a test checks it table by table). {simulated(stored, "questions")}

{table(["scenario", "questions", "", *(CALLS[call] for call in calls)], rows)}"""


def ends(stored: Stored) -> str:
    rows = []
    for s in scenarios("median", "mean", "dependent", "intransitive"):
        for n in (10, 30, 100):
            row = [s.name, s.data, str(n)]
            for call in ("wilcoxon", "sign", "t"):
                cells = [found(stored, "ends", s.name, n, 5, f"{call}, {family}") for family in FAMILIES]
                row.append(" / ".join(error(counts) for counts in cells))
            rows.append(row)
    return f"""\
## Where the promise ends

If the difference of two algorithms is skewed, its median may be 0 while signed ranks favour one side; Wilcoxon's test
then rejects, the more often the more problems there are. It is right that the two are not exchangeable; it is not
right to read "better" as "better on more than half of the problems". Use `pairwise="sign"` for that question.

If problems come in families on which algorithms do alike, there are fewer independent problems than rows, and no test
here keeps its level. Average over each family first.

If one algorithm is like each of several others that differ from each other (all of one distribution, but one mostly a
little ahead of the next and seldom far behind), the logic of groups does not hold, and Bergmann and Hommel's procedure
may err too often. Holm's does not (["every correction"](#every-correction-with-wilcoxons-test), last column).

5 algorithms, all pairs / control; the first has no noise of its own in the skewed scenarios.
{simulated(stored, "ends")}

{table(["scenario", "data", "problems", "Wilcoxon", "sign", "t"], rows)}"""
