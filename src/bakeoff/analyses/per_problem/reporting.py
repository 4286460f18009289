"""From a PerProblem to the format-free Document, to JSON, and to columns."""

from collections import Counter
from typing import Any

from bakeoff import numerals
from bakeoff.analyses.compare.reporting.scores.table import printed, problem_rows, score_caption
from bakeoff.analyses.compare.statistics import score_table
from bakeoff.analyses.per_problem.statistics import PerProblem
from bakeoff.analyses.per_problem.statistics._per_problem import SIGNS
from bakeoff.means.folds import ONCE_EACH
from bakeoff.report import sections
from bakeoff.report.document import Figure, Row, Section, Table
from bakeoff.report.methods import joined, sample, software, text
from bakeoff.report.reporting import SIZES, Reporting, sheet_columns

LEADING = "°"
COUNTED = "+/≈/−/?"
_CORRECTED = {
    "holm": "corrected over the problems of each pair by Holm's step-down procedure [@holm1979]",
    "fdr-bh": "corrected over the problems of each pair by the Benjamini–Hochberg procedure [@benjaminihochberg1995]",
    "none": "not corrected over problems",
}


@sections.unless_one_process
def verdict(result: PerProblem) -> str:
    """The counts in words; of all pairs those of the algorithms that lead most often; how many cells cannot tell."""
    unable, total = sum(cell.verdict == "?" for cell in result.cells), len(result.cells)
    problems = numerals.count(result.scores.n_problems, "problem")
    if unable == total:
        return f"There is no verdict on {problems}: with so few runs, no outcome could have shown a difference."
    sentence = (
        _of_all_pairs(result, problems) if result.control is None else _of_control(result, result.control, problems)
    )
    if not unable:
        return sentence
    return f"{sentence} {unable} of {numerals.count(total, 'cell')} cannot tell: too few runs."


def _of_all_pairs(result: PerProblem, problems: str) -> str:
    leads, k = _leads(result), result.scores.n_algorithms
    most = max(leads.values())
    first = [name for name in result.scores.algorithms if leads[name] == most]
    named = numerals.name_list([numerals.plain(name) for name in first])
    if len(first) > 1:
        named = f"Each of the {k} algorithms" if len(first) == k else f"Each of {named}"
    if sections.MOST_NAMED < len(first) < k:
        named = f"Each of {len(first)} of the {k} algorithms"
    return f"{named} is the best, or not shown to be worse than the best, on {most} of {problems}."


def _of_control(result: PerProblem, name: str, problems: str) -> str:
    control, counts = numerals.plain(name), result.counts
    if len(counts) <= sections.MOST_NAMED:
        each = [
            f"than {numerals.plain(other)} on {better} (worse on {worse})"
            for (_, other), (better, _, worse, _) in counts.items()
        ]
        return f"Of {problems}, {control} is better {numerals.name_list(each)}."
    wins, losses = (sum(count[place] for count in counts.values()) for place in (0, 2))
    return (
        f"{control} is better in {wins} and worse in {losses} of {len(result.cells)} comparisons with "
        f"{len(counts)} algorithms on {problems}."
    )


def _leads(result: PerProblem) -> Counter[str]:
    """On how many problems each algorithm is among the leading ones."""
    return Counter(name for leaders in result.leaders.values() for name in leaders)


def _basis(result: PerProblem) -> str:
    test = "Wilcoxon's signed-rank test of the paired runs" if result.paired else "Mann–Whitney test of the runs"
    if result.scores.folds is not None:
        test = f"Corrected resampled t-test of the folds (test sets of {100 * result.scores.folds:.3g} % of the data)"
    how = {"holm": "Holm over problems", "fdr-bh": "Benjamini–Hochberg over problems", "none": "uncorrected"}
    return f"{test} on each problem, {how[result.correction]}, α = {result.alpha:g} for each pair."


def signs(result: PerProblem) -> Table:
    """Scores with the sign of each cell; the best of a row in bold."""
    table, names = score_table(result.scores, control=result.control), result.scores.algorithms
    if result.control is None:
        marks = {(problem, name): LEADING for problem, leaders in result.leaders.items() for name in leaders}
        leads = _leads(result)
        last = (f"leading ({LEADING})", *(str(leads[name]) for name in names))
    else:
        marks = {(cell.problem, cell.b): f" {SIGNS[cell.verdict]}" for cell in result.cells}
        tallies = {other: _tally(each) for (_, other), each in result.counts.items()}
        last = (COUNTED, *(tallies.get(name, numerals.MISSING) for name in names))
    return Table(
        key="per-problem",
        caption=score_caption(table),
        columns=sections.algorithm_columns("problem", names),
        rows=[*problem_rows(table, printed(table), marks), Row(last, ruled=True)],
        note=_note(result),
        square=True,
    )


def _note(result: PerProblem) -> str:
    if result.control is None:
        return (
            f"Bold: the best in a row, by all digits. {LEADING}: the best mean, and all that are not shown to be "
            "worse on that problem. The signs of all pairs are in JSON and CSV."
        )
    control = numerals.plain(result.control)
    note = f"Bold: the best in a row, by all digits. +: {control} better; −: {control} worse; ≈: no difference shown"
    return (
        f"{note}; ?: too few runs for any outcome to show a difference. The counts are not tested: use bakeoff "
        "compare for that."
    )


def pairwise_counts(result: PerProblem) -> Table | None:
    """Problems on which the row is better / not shown to differ / worse / cannot tell; of all pairs."""
    if result.control is not None:
        return None
    counts = result.counts
    tallies = {(a, b): _tally(each) for (a, b), each in counts.items()}
    tallies |= {(b, a): _tally((minus, equal, plus, unable)) for (a, b), (plus, equal, minus, unable) in counts.items()}
    unable = " / cannot tell" if any(each[3] for each in counts.values()) else ""
    caption = f"Problems on which the row is better / not shown to differ / worse than the column{unable}"
    return sections.square("counts", caption, result.scores.algorithms, lambda a, b: tallies[a, b])


def _tally(each: tuple[int, int, int, int]) -> str:
    plus, equal, minus, unable = each
    return f"{plus} / {equal} / {minus}" + (f" / {unable}" if unable else "")


def _methods(result: PerProblem) -> Any:
    test = (
        "Wilcoxon's signed-rank test [@wilcoxon1945] of the paired runs"
        if result.paired
        else "the Mann–Whitney test [@mannwhitney1947] of the runs"
    )
    low, high = int(result.scores.n_runs.min()), int(result.scores.n_runs.max())
    exact = "exact p-values given the ties"
    if any(cell.method == "normal" for cell in result.cells):
        exact += ", the normal approximation for the largest samples"
    null = "that they have one distribution, not only one median"
    if result.paired:
        null = "that their differences are symmetric about 0"
    if result.scores.folds is not None:
        test = "the corrected resampled t-test [@nadeaubengio2003;@bouckaertfrank2004] of the folds"
        if any(cell.method == ONCE_EACH for cell in result.cells):
            test = "the corrected resampled t-test [@nadeaubengio2003] of the folds, with repeats counted once"
        exact = f"test sets of {100 * result.scores.folds:.3g} % of the data"
        null = "that their mean difference is 0"
    paragraph = (
        f"On each problem, two algorithms were compared by {test} ({exact}), {_CORRECTED[result.correction]}; the null "
        f"hypothesis about the runs of both is {null}. α = {result.alpha:g} for the problems of a pair."
    )
    noun = "run" if result.scores.folds is None else "fold"
    runs = (f"{numerals.count(low, noun)} per cell." if low == high else f"{low} to {high} {noun}s per cell.",)
    return joined(sample(result.scores), runs, text(paragraph), software())


def _body(result: PerProblem) -> list[Section | None]:
    drawn = Figure(result, "Who beats whom, problem by problem")
    return [
        sections.figure("Which runs are better", drawn, "problems-figure"),
        Section("per-problem", "Problem by problem", (signs(result),)),
        sections.one_block("counts", "Counts of problems", pairwise_counts(result)),
    ]


def _counts(result: PerProblem) -> list[dict[str, Any]]:
    names = ("plus", "equal", "minus", "cannot_tell")
    return [{"a": a, "b": b} | dict(zip(names, each, strict=True)) for (a, b), each in result.counts.items()]


REPORT = Reporting[PerProblem](
    verdict=verdict,
    basis=_basis,
    body=_body,
    on_screen=("per-problem", "counts"),
    methods=_methods,
    keys=(*SIZES, "control", "correction", "alpha", "paired", "cells", ("counts", _counts), "leaders"),
    main=lambda result: sheet_columns(result.cells, "problem", "a", "b", "verdict", "pvalue", "adjusted", "a12"),
    second=lambda result: [("a", "b", "+", "=", "-", "?"), *((a, b, *n) for (a, b), n in result.counts.items())],
)
