"""What an analysis decides about many tables made of rows of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bakeoff.analyses.sensitivity.statistics.analysis import Decided, ExaminedAnalysis, ExaminedTable, Rows, Signs
from bakeoff.analyses.sensitivity.statistics.many_corrections import adjusted_of_many
from bakeoff.analyses.sensitivity.statistics.many_tables import many_tests
from bakeoff.scores import Array

Progress = Callable[[int, int], None]
"""Called with (done, total) as long work goes on."""
PART = 50
"""Tables between two reports of progress."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyDecisions:
    """Of B tables and m pairs."""

    signs: Signs  # (B, m) 1: a better, −1: b better, 0: no difference shown
    adjusted: Array  # (B, m)
    pvalue: Array
    direction: Array


def decide_many(
    table: ExaminedTable, analysis: ExaminedAnalysis, rows: Rows, progress: Progress | None = None
) -> ManyDecisions:
    """The tables whose problems are these rows (B, n) of the one given; as ``ExaminedAnalysis.decide`` of each."""
    many = many_tests(table, analysis)
    parts = []
    for start in range(0, len(rows), PART):
        part = rows[start : start + PART]
        if many is None:
            parts.append(_one_by_one(table, analysis, part))
        else:
            tests = many(part)
            adjusted = adjusted_of_many(table, analysis, tests)
            closed = analysis.unable(table.rows(part[0]), _printed(tests.errors, analysis))
            signs = analysis.signs(adjusted, tests.direction, closed)
            parts.append(ManyDecisions(signs=signs, adjusted=adjusted, pvalue=tests.pvalue, direction=tests.direction))
        if progress is not None:
            progress(min(start + PART, len(rows)), len(rows))
    return ManyDecisions(
        signs=np.concatenate([part.signs for part in parts]),
        adjusted=np.concatenate([part.adjusted for part in parts]),
        pvalue=np.concatenate([part.pvalue for part in parts]),
        direction=np.concatenate([part.direction for part in parts]),
    )


def _printed(errors: Array | None, analysis: ExaminedAnalysis) -> float | None:
    """The papers' standard error, the same for every table of as many problems, if it is in force."""
    return float(errors[0, 0]) if errors is not None and analysis.forms[0] == "papers" else None


def _one_by_one(table: ExaminedTable, analysis: ExaminedAnalysis, rows: Rows) -> ManyDecisions:
    each: list[Decided] = [analysis.decide(table.rows(places)) for places in rows]
    return ManyDecisions(
        signs=np.array([one.signs for one in each], dtype=np.int8),
        adjusted=np.array([one.adjusted for one in each]),
        pvalue=np.array([one.tests.pvalue for one in each]),
        direction=np.array([one.tests.direction for one in each]),
    )
