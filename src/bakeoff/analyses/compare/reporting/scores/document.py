"""From a ScoreTable to the format-free Document, to JSON, and to the sheets of a workbook."""

import math
from typing import Any

from bakeoff.analyses.compare.reporting.scores.digits import Digits
from bakeoff.analyses.compare.reporting.scores.table import WON, control_records, printed, score_caption, score_rows
from bakeoff.analyses.compare.statistics import ScoreTable
from bakeoff.report.data import Entry, Grid
from bakeoff.report.document import Section
from bakeoff.report.reporting import Reporting, values_of
from bakeoff.scores import Array


def verdict(table: ScoreTable) -> str:
    """The caption, which says what is shown."""
    return f"{score_caption(table)}."


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


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


def _format(t: ScoreTable, digits: Digits) -> str:
    return f"{digits.number_format}%" if t.percent else digits.number_format


def grids(table: ScoreTable) -> tuple[Grid, ...]:
    """The sheet of scores; of runs another one of their standard deviations; the ranks."""
    t, s, p = table, table.scores, printed(table)
    head = [Entry("problem"), *map(Entry, s.algorithms)]
    mean_ranks = [
        Entry("mean rank"),
        *(Entry(_known(x), "0.000", j in p.best_rank) for j, x in enumerate(t.mean_ranks.tolist())),
    ]
    shown = [
        [Entry(problem), *(Entry(_known(x), _format(t, digits), j in best) for j, x in enumerate(row))]
        for problem, digits, best, row in zip(s.problems, p.digits, p.best, s.values.tolist(), strict=True)
    ]
    average = [
        Entry(_known(x), _format(t, p.average_digits), j in p.best_average) for j, x in enumerate(t.averages.tolist())
    ]
    rows = [head, *shown, [Entry("average"), *average], mean_ranks]
    if t.control is not None:
        rows.append([Entry(f"{WON} by {t.control}"), *map(Entry, control_records(t))])
    sheets = [Grid("scores", rows)]
    if (deviations := t.standard_deviations) is not None:
        spread = [
            [Entry(problem), *(Entry(_known(x), _format(t, digits)) for x in row)]
            for problem, digits, row in zip(s.problems, p.digits, deviations.tolist(), strict=True)
        ]
        sheets.append(Grid("standard deviations", [head, *spread]))
    ranked = [
        [Entry(problem), *(Entry(_known(x)) for x in row)]
        for problem, row in zip(s.problems, t.ranks.tolist(), strict=True)
    ]
    return (*sheets, Grid("ranks", [head, *ranked, mean_ranks]))


def _content(t: ScoreTable) -> dict[str, Any]:
    s, deviations = t.scores, t.standard_deviations
    of_each = {"wins": t.wins, "ties": t.ties, "losses": t.losses}
    return {
        **values_of(s, ("better", "n_problems", "n_algorithms", "problems", "algorithms")),
        "values": _matrix(s.values),
        "standard_deviations": None if deviations is None else _matrix(deviations),
        "n_runs": s.n_runs.tolist(),
        "ranks": _matrix(t.ranks),
        "averages": dict(zip(s.algorithms, map(_known, t.averages.tolist()), strict=True)),
        "mean_ranks": dict(zip(s.algorithms, map(_known, t.mean_ranks.tolist()), strict=True)),
        "control": t.control,
        **({} if s.clusters is None else {"clusters": list(s.clusters)}),
        **{name: x if x is None else dict(zip(s.algorithms, x.tolist(), strict=True)) for name, x in of_each.items()},
    }


def _matrix(values: Array) -> list[list[float | None]]:
    return [[_known(x) for x in row] for row in values.tolist()]


REPORT = Reporting[ScoreTable](
    schema="bakeoff.scores/1",
    verdict=verdict,
    basis=lambda t: "",
    body=lambda t: [Section("scores", "Problem by problem", (score_rows(t),), role="table")],
    on_screen=("scores",),
    keys=_content,
    source=None,
    main=cells,
    grids=grids,
    bare=True,
)
