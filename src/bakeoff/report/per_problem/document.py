"""From a PerProblem to the format-free Document, to JSON, and to columns."""

from collections import Counter
from typing import Any

from bakeoff import numerals
from bakeoff.comparison import score_table
from bakeoff.report import methods, sections
from bakeoff.report.data import finite, origin, plain_data
from bakeoff.report.document import Column, Document, Row, Section, Sheets, Table
from bakeoff.report.methods import joined, sample, software, text
from bakeoff.report.scores.table import printed, score_caption
from bakeoff.single_problem import PerProblem

SCHEMA = "bakeoff.per-problem/1"
SIGNS = {"+": "+", "-": "−", "=": "≈", "?": "?"}
LEADING = "°"
COUNTED = "+ / ≈ / − / ?"
_CORRECTED = {
    "holm": "corrected over the problems of each pair by Holm's step-down procedure [@holm1979]",
    "fdr-bh": "corrected over the problems of each pair by the Benjamini–Hochberg procedure [@benjaminihochberg1995]",
    "none": "not corrected over problems",
}


def verdict(found: PerProblem) -> str:
    """The counts in words; of all pairs those of the algorithm that leads most often."""
    n, counts = found.scores.n_problems, found.counts
    if found.control is None:
        leads = Counter(name for leaders in found.leaders.values() for name in leaders)
        ((name, most),) = leads.most_common(1)
        return (
            f"{name} is the best, or not shown to be worse than the best, on {most} of {numerals.count(n, 'problem')}."
        )
    if len(counts) <= sections.MOST_NAMED:
        each = [f"than {other} on {better} (worse on {worse})" for (_, other), (better, _, worse, _) in counts.items()]
        return f"Of {numerals.count(n, 'problem')}, {found.control} is better {numerals.name_list(each)}."
    wins, losses = (sum(count[place] for count in counts.values()) for place in (0, 2))
    return (
        f"{found.control} is better in {wins} and worse in {losses} of {n * len(counts)} comparisons with "
        f"{len(counts)} algorithms on {numerals.count(n, 'problem')}."
    )


def document(found: PerProblem, command: str | None = None) -> Document:
    """The table, what its signs rest on, and the counts."""
    return Document(
        title=sections.sizes(found.scores),
        verdict=verdict(found),
        basis=_basis(found),
        sections=sections.present(
            Section("per-problem", "Problem by problem", (signs(found),)),
            sections.one_block("counts", "Counts of problems", pairwise_counts(found)),
            sections.cautions(found.cautions),
            sections.methods(_methods(found)),
            sections.references(methods.cited(_methods(found))),
            sections.provenance(found.scores, command),
        ),
        on_screen=("per-problem", "counts", "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def _basis(found: PerProblem) -> str:
    test = "Wilcoxon's signed-rank test of the paired runs" if found.paired else "Mann–Whitney test of the runs"
    how = {"holm": "Holm over problems", "fdr-bh": "Benjamini–Hochberg over problems", "none": "uncorrected"}
    return f"{test} on each problem, {how[found.correction]}, α = {found.alpha:g} for each pair."


def signs(found: PerProblem) -> Table:
    """Scores with the sign of each cell; the best of a row in bold."""
    table = score_table(found.scores, control=found.control)
    shown, names = printed(table), found.scores.algorithms
    marks = _against_control(found) if found.control is not None else _leading(found)
    rows = []
    for i, problem in enumerate(found.scores.problems):
        cells = []
        for j, name in enumerate(names):
            spread = "" if shown.deviations is None or not shown.deviations[i][j] else f" ± {shown.deviations[i][j]}"
            cells.append(f"{shown.means[i][j]}{spread}{marks.get((problem, name), '')}")
        rows.append(Row((numerals.plain(problem), *cells), bold=frozenset(j + 1 for j in shown.best[i])))
    if found.control is not None:
        tallies = {other: _tally(each) for (_, other), each in found.counts.items()}
        rows.append(Row((COUNTED, *(tallies.get(name, numerals.MISSING) for name in names)), ruled=True))
    else:
        leads = Counter(name for leaders in found.leaders.values() for name in leaders)
        rows.append(Row((f"leading ({LEADING})", *(str(leads[name]) for name in names)), ruled=True))
    columns = (
        Column("name", "problem"),
        *(Column(str(j), numerals.plain(name), numeric=True) for j, name in enumerate(names)),
    )
    return Table(
        key="per-problem", caption=score_caption(table), columns=columns, rows=rows, note=_note(found), in_parts=True
    )


def _against_control(found: PerProblem) -> dict[tuple[str, str], str]:
    return {(cell.problem, cell.b): f" {SIGNS[cell.verdict]}" for cell in found.cells}


def _leading(found: PerProblem) -> dict[tuple[str, str], str]:
    return {(problem, name): LEADING for problem, leaders in found.leaders.items() for name in leaders}


def _note(found: PerProblem) -> str:
    if found.control is None:
        return (
            f"Bold: the best of a row, as printed. {LEADING}: the best mean, and whoever is not shown to be worse than "
            "it on that problem. The signs of all pairs are in JSON and CSV."
        )
    control = numerals.plain(found.control)
    said = f"Bold: the best of a row, as printed. +: {control} better; −: {control} worse; ≈: no difference shown"
    return f"{said}; ?: so few runs that no outcome could tell. The counts are not tested: bakeoff compare does that."


def pairwise_counts(found: PerProblem) -> Table | None:
    """Problems on which the row is better / not shown to differ / worse / cannot tell; of all pairs."""
    if found.control is not None:
        return None
    names, tallies = found.scores.algorithms, found.counts
    rows = [Row((numerals.plain(a), *("·" if a == b else _turned_tally(tallies, a, b) for b in names))) for a in names]
    columns = (
        Column("name", ""),
        *(Column(str(j), numerals.plain(name), numeric=True) for j, name in enumerate(names)),
    )
    wide = len(names) > 10
    caption = f"Problems on which the row is better / not shown to differ / worse than the column{_unable(found)}"
    return Table(key="counts", caption=caption, columns=columns, rows=rows, folded=wide, wide=wide)


def _unable(found: PerProblem) -> str:
    return " / cannot tell" if any(each[3] for each in found.counts.values()) else ""


def _turned_tally(tallies: Any, a: str, b: str) -> str:
    if (a, b) in tallies:
        return _tally(tallies[a, b])
    plus, equal, minus, unable = tallies[b, a]
    return _tally((minus, equal, plus, unable))


def _tally(each: tuple[int, int, int, int]) -> str:
    plus, equal, minus, unable = each
    return f"{plus} / {equal} / {minus}" + (f" / {unable}" if unable else "")


def _methods(found: PerProblem) -> Any:
    test = (
        "Wilcoxon's signed-rank test [@wilcoxon1945] of the paired runs"
        if found.paired
        else "the Mann–Whitney test [@mannwhitney1947] of the runs"
    )
    low, high = int(found.scores.n_runs.min()), int(found.scores.n_runs.max())
    exact = "exact p-values given the ties"
    if any(cell.method == "normal" for cell in found.cells):
        exact += ", the normal approximation for the largest samples"
    said = (
        f"On each problem, two algorithms were compared by {test} ({exact}), {_CORRECTED[found.correction]}; "
        f"α = {found.alpha:g} for the problems of a pair."
    )
    runs = (f"{numerals.count(low, 'run')} per cell." if low == high else f"{low} to {high} runs per cell.",)
    return joined(sample(found.scores), runs, text(said), software())


def to_dict(found: PerProblem, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    s = found.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        "control": found.control,
        "correction": found.correction,
        "alpha": found.alpha,
        "paired": found.paired,
        "cells": plain_data(list(found.cells)),
        "counts": [
            {"a": a, "b": b, "plus": p, "equal": e, "minus": m, "cannot_tell": u}
            for (a, b), (p, e, m, u) in found.counts.items()
        ],
        "leaders": {problem: list(names) for problem, names in found.leaders.items()},
    }
    return finite(content | origin(s, found.cautions, methods.cited(_methods(found)), command))


def sheets(found: PerProblem) -> Sheets:
    """A row per pair and problem."""
    keys = ("problem", "a", "b", "verdict", "pvalue", "adjusted", "a12")
    columns = {key: [getattr(cell, key) for cell in found.cells] for key in keys}
    counted = [("a", "b", "+", "=", "-", "?"), *((a, b, *each) for (a, b), each in found.counts.items())]
    return Sheets(pairs=columns, ranking=counted, cautions=found.cautions)
