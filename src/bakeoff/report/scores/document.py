"""From a ScoreTable to the format-free Document, to JSON, and to the sheets of a workbook."""

import math
from typing import Any

from bakeoff.comparison import ScoreTable
from bakeoff.report import sections
from bakeoff.report.data import finite, origin
from bakeoff.report.document import Document, Entry, Grid, Section, Sheets
from bakeoff.report.scores.table import WON, control_records, printed, score_caption, score_rows

SCHEMA = "bakeoff.scores/1"


def document(table: ScoreTable, command: str | None = None) -> Document:
    """The table; pages that can hold more say what to know of it, and where it comes from."""
    return Document(
        title=sections.sizes(table.scores),
        verdict=verdict(table),
        basis="",
        sections=sections.present(
            Section("scores", "Problem by problem", (score_rows(table),), role="table"),
            sections.cautions(table.cautions),
            sections.provenance(table.scores, command),
        ),
        on_screen=("scores",),
        doubts=sections.doubts(table.cautions),
        bare=True,
    )


def verdict(table: ScoreTable) -> str:
    """What is shown: the caption."""
    return f"{score_caption(table)}."


def to_dict(table: ScoreTable, command: str | None = None) -> dict[str, Any]:
    """The numbers in full."""
    t, s = table, table.scores
    deviations = t.standard_deviations
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        "problems": list(s.problems),
        "algorithms": list(s.algorithms),
        "values": [[_known(x) for x in row] for row in s.values.tolist()],
        "standard_deviations": None
        if deviations is None
        else [[_known(x) for x in row] for row in deviations.tolist()],
        "n_runs": s.n_runs.tolist(),
        "ranks": [[_known(x) for x in row] for row in t.ranks.tolist()],
        "averages": dict(zip(s.algorithms, map(_known, t.averages.tolist()), strict=True)),
        "mean_ranks": dict(zip(s.algorithms, map(_known, t.mean_ranks.tolist()), strict=True)),
        "control": t.control,
    }
    if s.clusters is not None:
        content["clusters"] = list(s.clusters)
    for name, counts in (("wins", t.wins), ("ties", t.ties), ("losses", t.losses)):
        content[name] = None if counts is None else dict(zip(s.algorithms, counts.tolist(), strict=True))
    return finite(content | origin(s, t.cautions, (), command))


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def sheets(table: ScoreTable) -> Sheets:
    """A row per cell; and the table as it is printed, its numbers in full."""
    return Sheets(pairs=cells(table), ranking=[], cautions=table.cautions, grids=grids(table))


def cells(table: ScoreTable) -> dict[str, list[Any]]:
    """One entry per problem and algorithm: score (of runs, the mean), standard deviation if there are runs, rank."""
    s, deviations = table.scores, table.standard_deviations
    columns: dict[str, list[Any]] = {
        "problem": [problem for problem in s.problems for _ in s.algorithms],
        **({} if s.clusters is None else {"cluster": [label for label in s.clusters for _ in s.algorithms]}),
        "algorithm": list(s.algorithms) * s.n_problems,
        "score": [_known(x) for x in s.values.ravel().tolist()],
    }
    if deviations is not None:
        columns["standard_deviation"] = [_known(x) for x in deviations.ravel().tolist()]
        columns["n_runs"] = s.n_runs.ravel().tolist()
    return columns | {"rank": [_known(x) for x in table.ranks.ravel().tolist()]}


def grids(table: ScoreTable) -> tuple[Grid, ...]:
    """The sheet of scores; of runs another one of their standard deviations; the ranks."""
    t, s, p = table, table.scores, printed(table)
    head = [Entry("problem"), *map(Entry, s.algorithms)]
    mean_ranks = [
        Entry("mean rank"),
        *(Entry(_known(x), "0.000", j in p.best_rank) for j, x in enumerate(t.mean_ranks.tolist())),
    ]
    shown = [
        [Entry(problem), *(Entry(_known(x), digits.number_format, j in best) for j, x in enumerate(row))]
        for problem, digits, best, row in zip(s.problems, p.digits, p.best, s.values.tolist(), strict=True)
    ]
    average = [
        Entry(_known(x), p.average_digits.number_format, j in p.best_average) for j, x in enumerate(t.averages.tolist())
    ]
    rows = [head, *shown, [Entry("average"), *average], mean_ranks]
    if t.control is not None:
        rows.append([Entry(f"{WON} by {t.control}"), *map(Entry, control_records(t))])
    found = [Grid("scores", rows)]
    if (deviations := t.standard_deviations) is not None:
        spread = [
            [Entry(problem), *(Entry(_known(x), digits.number_format) for x in row)]
            for problem, digits, row in zip(s.problems, p.digits, deviations.tolist(), strict=True)
        ]
        found.append(Grid("standard deviations", [head, *spread]))
    ranked = [
        [Entry(problem), *(Entry(_known(x)) for x in row)]
        for problem, row in zip(s.problems, t.ranks.tolist(), strict=True)
    ]
    return (*found, Grid("ranks", [head, *ranked, mean_ranks]))
