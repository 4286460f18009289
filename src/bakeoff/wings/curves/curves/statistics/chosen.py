"""Which algorithms and problems of whole runs are compared: those asked for that have every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice
from bakeoff.errors import MissingScoreError, ScoreError, listing
from bakeoff.reading.selection import chosen
from bakeoff.wings.curves.curves.statistics.trajectories import Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChoice:
    """``missing``: raise, or drop the rows without a score and the problems that some algorithm lacks."""

    missing: str = "raise"
    only: Sequence[str] | None = None
    drop: Sequence[str] | None = None

    def check(self) -> None:
        choice("missing", self.missing, ("raise", "drop"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """``rows``: those that are left; ``places``: of every problem and algorithm its number among those left, or −1."""

    problems: list[str]
    algorithms: list[str]
    dropped: tuple[str, ...]
    rows: npt.NDArray[np.bool_]
    cells: Whole  # of the rows that are left


def chosen_cells(problems: list[str], algorithms: list[str], cells: Whole, choice: RunChoice) -> Chosen:
    """``cells``: problem · number of algorithms + algorithm, of each row or run."""
    some, columns = chosen(algorithms, problems, choice.only, choice.drop)
    if len(columns) < 2:
        lone = algorithms[columns[0]] if columns else ""
        raise ScoreError(f"has one algorithm only, {lone!r}; curves of two or more are compared", parameter="table")
    there = np.bincount(cells, minlength=len(problems) * len(algorithms)).reshape(len(problems), -1) > 0
    gaps = ~there[np.ix_(some, columns)]
    if gaps.any() and choice.missing == "raise":
        _refuse_gaps(gaps, [problems[i] for i in some], [algorithms[j] for j in columns])
    complete = np.flatnonzero(~np.any(gaps, axis=1))
    whole = [some[i] for i in complete.tolist()]
    if not whole:
        _refuse_gaps(gaps, [problems[i] for i in some], [algorithms[j] for j in columns])
    row_of, column_of = (np.full(size, -1, dtype=np.int64) for size in (len(problems), len(algorithms)))
    row_of[whole], column_of[columns] = np.arange(len(whole)), np.arange(len(columns))
    i, j = row_of[cells // len(algorithms)], column_of[cells % len(algorithms)]
    rows = (i >= 0) & (j >= 0)
    return Chosen(
        problems=[problems[i] for i in whole],
        algorithms=[algorithms[j] for j in columns],
        dropped=tuple(problems[i] for i in some if i not in set(whole)),
        rows=rows,
        cells=(i * len(columns) + j)[rows],
    )


def _refuse_gaps(gaps: npt.NDArray[np.bool_], problems: list[str], algorithms: list[str]) -> None:
    """Which curves are not there, whose they are, and what the ways out keep."""
    named = [f"problem {problems[i]!r}, algorithm {algorithms[j]!r}" for i, j in np.argwhere(gaps)[:2].tolist()]
    listed = listing(named + [""] * (int(gaps.sum()) - len(named)), 2, "; ")
    counts = gaps.sum(axis=0)
    lacking = [algorithms[j] for j in np.flatnonzero(counts).tolist()]
    each = listing([f"{algorithms[j]!r} ({counts[j]} of {len(problems)})" for j in np.flatnonzero(counts).tolist()], 3)
    ways = []
    if len(algorithms) - len(lacking) > 1:
        ways.append(f"drop={lacking!r} keeps all {len(problems)} problems")
    if kept := int((~gaps.any(axis=1)).sum()):
        ways.append(f"missing='drop' keeps the {kept} problems that all have")
    raise MissingScoreError(
        f"has no runs of {listed}; every algorithm needs a curve on every problem. Problems missing: {each}"
        + (f": {', and '.join(ways)}" if ways else ""),
        parameter="table",
    )
