"""From a PerProblem to the format-free Document, to JSON, and to columns."""

from collections import Counter
from typing import Any

from bakeoff import numerals
from bakeoff.comparison import score_table
from bakeoff.report import methods, sections
from bakeoff.report.data import asked, finite, origin, plain_data
from bakeoff.report.document import Document, Figure, Row, Section, Sheets, Table
from bakeoff.report.methods import joined, sample, software, text
from bakeoff.report.scores.table import printed, problem_rows, score_caption
from bakeoff.single_problem import PerProblem
from bakeoff.single_problem._per_problem import SIGNS

SCHEMA = "bakeoff.per-problem/1"
LEADING = "°"
COUNTED = "+ / ≈ / − / ?"
_CORRECTED = {
    "holm": "corrected over the problems of each pair by Holm's step-down procedure [@holm1979]",
    "fdr-bh": "corrected over the problems of each pair by the Benjamini–Hochberg procedure [@benjaminihochberg1995]",
    "none": "not corrected over problems",
}


@sections.unless_one_process
def verdict(found: PerProblem) -> str:
    """The counts in words; of all pairs those of the algorithms that lead most often; how many cells cannot tell."""
    unable, total = sum(cell.verdict == "?" for cell in found.cells), len(found.cells)
    problems = numerals.count(found.scores.n_problems, "problem")
    if unable == total:
        return f"Nothing can be told on {problems}: with so few runs, no outcome could have shown a difference."
    said = _of_all_pairs(found, problems) if found.control is None else _of_control(found, found.control, problems)
    if not unable:
        return said
    return f"{said} {unable} of {numerals.count(total, 'cell')} cannot tell: too few runs."


def _of_all_pairs(found: PerProblem, problems: str) -> str:
    leads, k = _leads(found), found.scores.n_algorithms
    most = max(leads.values())
    first = [name for name in found.scores.algorithms if leads[name] == most]
    named = numerals.name_list([numerals.plain(name) for name in first])
    if len(first) > 1:
        named = f"Each of the {k} algorithms" if len(first) == k else f"Each of {named}"
    if sections.MOST_NAMED < len(first) < k:
        named = f"Each of {len(first)} of the {k} algorithms"
    return f"{named} is the best, or not shown to be worse than the best, on {most} of {problems}."


def _of_control(found: PerProblem, name: str, problems: str) -> str:
    control, counts = numerals.plain(name), found.counts
    if len(counts) <= sections.MOST_NAMED:
        each = [
            f"than {numerals.plain(other)} on {better} (worse on {worse})"
            for (_, other), (better, _, worse, _) in counts.items()
        ]
        return f"Of {problems}, {control} is better {numerals.name_list(each)}."
    wins, losses = (sum(count[place] for count in counts.values()) for place in (0, 2))
    return (
        f"{control} is better in {wins} and worse in {losses} of {len(found.cells)} comparisons with "
        f"{len(counts)} algorithms on {problems}."
    )


def _leads(found: PerProblem) -> Counter[str]:
    """On how many problems each algorithm is among the leading ones."""
    return Counter(name for leaders in found.leaders.values() for name in leaders)


def document(found: PerProblem, command: str | None = None) -> Document:
    """The table, what its signs rest on, and the counts."""
    return Document(
        title=sections.sizes(found.scores),
        verdict=verdict(found),
        basis=_basis(found),
        sections=sections.present(
            sections.figure(
                "Which runs are better", Figure(found, "Who beats whom, problem by problem"), "problems-figure"
            ),
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
    table, names = score_table(found.scores, control=found.control), found.scores.algorithms
    if found.control is None:
        marks = {(problem, name): LEADING for problem, leaders in found.leaders.items() for name in leaders}
        leads = _leads(found)
        last = (f"leading ({LEADING})", *(str(leads[name]) for name in names))
    else:
        marks = {(cell.problem, cell.b): f" {SIGNS[cell.verdict]}" for cell in found.cells}
        tallies = {other: _tally(each) for (_, other), each in found.counts.items()}
        last = (COUNTED, *(tallies.get(name, numerals.MISSING) for name in names))
    return Table(
        key="per-problem",
        caption=score_caption(table),
        columns=sections.algorithm_columns("problem", names),
        rows=[*problem_rows(table, printed(table), marks), Row(last, ruled=True)],
        note=_note(found),
        square=True,
    )


def _note(found: PerProblem) -> str:
    if found.control is None:
        return (
            f"Bold: the best of a row, as printed. {LEADING}: the best mean, and whoever is not shown to be worse than "
            "it on that problem, be it that the runs are too few to tell. The signs of all pairs are in JSON and CSV."
        )
    control = numerals.plain(found.control)
    said = f"Bold: the best of a row, as printed. +: {control} better; −: {control} worse; ≈: no difference shown"
    return f"{said}; ?: so few runs that no outcome could tell. The counts are not tested: bakeoff compare does that."


def pairwise_counts(found: PerProblem) -> Table | None:
    """Problems on which the row is better / not shown to differ / worse / cannot tell; of all pairs."""
    if found.control is not None:
        return None
    counts = found.counts
    tallies = {(a, b): _tally(each) for (a, b), each in counts.items()}
    tallies |= {(b, a): _tally((minus, equal, plus, unable)) for (a, b), (plus, equal, minus, unable) in counts.items()}
    unable = " / cannot tell" if any(each[3] for each in counts.values()) else ""
    caption = f"Problems on which the row is better / not shown to differ / worse than the column{unable}"
    return sections.square("counts", caption, found.scores.algorithms, lambda a, b: tallies[a, b])


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
    null = "that they have one distribution, not only one median"
    if found.paired:
        null = "that their differences are symmetric about 0"
    said = (
        f"On each problem, two algorithms were compared by {test} ({exact}), {_CORRECTED[found.correction]}; the null "
        f"hypothesis about the runs of both is {null}. α = {found.alpha:g} for the problems of a pair."
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
    whence = origin(s, found.cautions, methods.cited(_methods(found)), command)
    return finite(content | whence | asked(found))


def sheets(found: PerProblem) -> Sheets:
    """A row per pair and problem."""
    keys = ("problem", "a", "b", "verdict", "pvalue", "adjusted", "a12")
    columns = {key: [getattr(cell, key) for cell in found.cells] for key in keys}
    counted = [("a", "b", "+", "=", "-", "?"), *((a, b, *each) for (a, b), each in found.counts.items())]
    return Sheets(pairs=columns, ranking=counted, cautions=found.cautions)
