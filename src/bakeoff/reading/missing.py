"""Cells as a source gave them, and what a missing score means: raise, drop, worst, available, keep."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import MissingScoreError, listing
from bakeoff.scores import Array, Better, Scores
from bakeoff.scores.cells import refuse_lookalikes, runs_first
from bakeoff.scores.read_as import LONG, ReadAs
from bakeoff.scores.runs import RunIds, RunStatus, reason, run_id_array, scored_first
from bakeoff.words import positions_in_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """What a source gave: scores, and which of them are missing (as opposed to runs that do not exist)."""

    scores: Array  # (n, k, r), NaN-padded
    missing: npt.NDArray[np.bool_]  # (n, k, r)
    algorithms: Sequence[str]
    problems: Sequence[str]
    clusters: Sequence[str] | None = None  # one label per problem
    tasks: Sequence[str] | None = None  # one label per problem
    run_ids: RunIds | None = None  # (n, k, r), None where there is no run
    status: RunStatus | None = None  # (n, k, r), "" where there is no run; not ok where the score is NaN
    run_kind: str | None = None
    read_as: ReadAs = LONG
    unit: str = ""  # that the cells name
    extremes: tuple[float, float] | None = None  # of single scores, where cells are their means
    metric: str | None = None  # the name of the column of scores, where it says what they are
    dropped: Sequence[str] = ()  # problems that the policy for missing scores left out
    filled: Sequence[tuple[str, str]] = ()  # cells that it filled with the worst score
    holes: bool = False  # cells without any score stay

    def part(self, rows: Sequence[int], columns: Sequence[int]) -> Self:
        """Some problems and algorithms."""
        n, k = len(self.problems), len(self.algorithms)
        if len(rows) == n and len(columns) == k:
            return self
        arrays = ((name, getattr(self, name)) for name in ("scores", "missing", "run_ids", "status"))
        return replace(
            self,
            **{name: each[np.ix_(rows, columns)] for name, each in arrays if each is not None},
            problems=[self.problems[i] for i in rows],
            algorithms=[self.algorithms[j] for j in columns],
            clusters=self.clusters and [self.clusters[i] for i in rows],
            tasks=self.tasks and [self.tasks[i] for i in rows],
        )

    def place(self, i: int, j: int, r: int) -> str:
        """A run, by its names, and why it has no score."""
        name = None if self.run_ids is None else self.run_ids[i, j, r]
        of_array = f", run {r + 1}" if self.run_ids is None and self.scores.shape[2] > 1 else ""
        run = of_array if name is None else f", run {name!r}"
        why = reason(self.status, i, j, r) or reason(self.status, i, j)  # of a mean, of those that it lacks
        return f"problem {self.problems[i]!r}, algorithm {self.algorithms[j]!r}{run}{why}"

    def of(self, algorithms: Sequence[str], better: Better, timed_by: str = "", **about: Any) -> Scores:
        """The table, with what else is known of it; ``timed_by``: the name of the column of problems."""
        order = positions_in_time(timed_by, self.problems)
        named = ("dropped", "filled", "holes", "clusters", "tasks", "run_ids", "status")
        own = {name: getattr(self, name) for name in named}
        return Scores.from_cells(self.scores, algorithms, self.problems, better=better, order=order, **own, **about)


def completed(cells: Cells, policy: str, better: Better) -> Cells:
    """Apply ``missing=``: raise, drop the problem, the worst score, or what is left of the cell."""
    refuse_lookalikes("algorithms", cells.algorithms)  # before they are said to be missing, or left out
    refuse_lookalikes("problems", cells.problems)
    gaps = np.argwhere(cells.missing).tolist()
    if not gaps:
        return cells
    if policy == "raise":
        kept = (~cells.missing.any(axis=(1, 2))).sum()
        raise MissingScoreError(
            f"scores are missing: {_gap_list(cells, gaps)}. {_incomplete(cells)}Complete them or choose "
            f"missing='drop' (keeps {kept} of {len(cells.problems)}), worst (counts as lost)"
            f"{', available (takes other runs)' if cells.scores.shape[2] > 1 else ''} or keep.{_of_failures(cells)}"
        )
    if policy == "keep":
        return _runs_first(cells, holes=True)
    if policy == "available":
        _refuse_empty(cells)
        return _runs_first(cells, holes=False)
    if policy == "drop":
        return _without(cells, sorted({i for i, _, _ in gaps}))
    if policy == "drop-unrun":
        unrun = sorted({i for i, j, r in gaps if not reason(cells.status, i, j, r)})
        return _runs_first(_without(cells, unrun), holes=True)
    worst = np.inf if better == "lower" else -np.inf
    filled = dict.fromkeys((cells.problems[i], cells.algorithms[j]) for i, j, _ in gaps)
    return replace(cells, scores=np.where(cells.missing, worst, cells.scores), filled=tuple(filled))


def _runs_first(cells: Cells, holes: bool) -> Cells:
    """The runs that have a score, first in each cell."""
    return replace(
        cells,
        scores=runs_first(cells.scores),
        run_ids=run_id_array(cells.run_ids, cells.scores),
        status=None if cells.status is None else scored_first(cells.status, cells.scores),
        holes=holes,
    )


MOST_LEFT_OUT = 4
"""Algorithms that a message offers to leave out."""


def _of_failures(cells: Cells) -> str:
    """Where runs failed by a column of statuses, the command for which failures are results."""
    status = dict(cells.read_as.columns).get("status")
    if status is None:
        return ""
    return f" Runs failed by the column {status!r}: bakeoff runtimes (bo.runtimes) compares run times with failures."


def _incomplete(cells: Cells) -> str:
    """Who lacks scores, and what stays without them: a sentence or two."""
    gaps: npt.NDArray[np.bool_] = np.asarray(cells.missing.any(axis=2))
    counts = gaps.sum(axis=0)
    lacking = sorted(np.flatnonzero(counts).tolist(), key=lambda j: -int(counts[j]))
    names = [cells.algorithms[j] for j in lacking]
    if len(lacking) == len(cells.algorithms):
        return ""
    few = len(lacking) <= MOST_LEFT_OUT and len(cells.algorithms) - len(lacking) > 1
    without = f"drop={names!r} keeps all {len(gaps)}" if few else ""
    if pair := _two_names(cells, gaps, lacking):
        return pair + (f"If not, {without}. " if few else "")
    each = listing([f"{cells.algorithms[j]!r} ({counts[j]})" for j in lacking], 2)
    return f"Problems missing: {each}{'; ' if few else ''}{without}. "


def _two_names(cells: Cells, gaps: npt.NDArray[np.bool_], lacking: Sequence[int]) -> str:
    """Two algorithms of which each problem has one: perhaps the same, written differently."""
    for a, b in combinations(lacking[:MOST_LEFT_OUT], 2):
        if (gaps[:, a] != gaps[:, b]).all():
            pair = f"{cells.algorithms[a]!r} and {cells.algorithms[b]!r}"
            return f"Each problem has one of {pair}: is that one algorithm under two names? "
    return ""


def _refuse_empty(cells: Cells) -> None:
    empty = np.argwhere(np.isnan(cells.scores).all(axis=2)).tolist()
    if empty:
        raise MissingScoreError(
            f"missing='available' needs at least one run in every cell; there is none for "
            f"{_gap_list(cells, [[i, j, 0] for i, j in empty])}. Use missing='drop' or missing='worst'."
        )


def _gap_list(cells: Cells, gaps: list[list[int]]) -> str:
    named = [cells.place(i, j, r) for i, j, r in gaps[:2]]
    return listing(named + [""] * (len(gaps) - len(named)), 2, separator="; ")


def _without(cells: Cells, rows: list[int]) -> Cells:
    kept = sorted(set(range(len(cells.problems))) - set(rows))
    if not kept:
        empty = [name for j, name in enumerate(cells.algorithms) if cells.missing[:, j].any(axis=1).all()]
        reason = f" ({listing(map(repr, empty))} has none at all)" if empty else ""
        raise MissingScoreError(
            f"missing='drop' would leave no problem: each of the {len(rows)} lacks a score{reason}. "
            f"{_incomplete(cells)}Or choose missing='worst' or missing='keep'."
        )
    return replace(cells.part(kept, range(len(cells.algorithms))), dropped=tuple(cells.problems[i] for i in rows))
