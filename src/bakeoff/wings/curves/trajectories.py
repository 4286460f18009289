"""Runs as they went: the budgets at which each recorded a score, and which algorithms and problems have every run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice, number
from bakeoff.dataclass import dataclass, field, replace
from bakeoff.errors import MissingScoreError, ParameterError, ScoreError, listing
from bakeoff.reading.selection import chosen
from bakeoff.scores import Array, Better

Whole = npt.NDArray[np.int64]
_CHUNK = 1 << 22  # numbers of run curves at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trajectories:
    """Runs sorted by cell (problem, then algorithm), their records by budget.

    ``costs`` are the scores turned so that lower is better; ``ends`` what each run spent, which may be more than its
    last record. ``target``: a cost at which runs stop; whoever reached it keeps it, whatever the budget.
    """

    problems: tuple[str, ...]
    algorithms: tuple[str, ...]
    clusters: tuple[str, ...] | None
    better: Better
    cells: Whole  # (R,) problem · n_algorithms + algorithm
    runs: tuple[str, ...]  # (R,)
    starts: Whole  # (R + 1,)
    budgets: Array  # (E,)
    costs: Array  # (E,)
    ends: Array  # (R,)
    target: float | None
    best_so_far: bool
    metric: str | None
    budget_name: str
    run_kind: str | None
    source_sha256: str
    dropped: tuple[str, ...] = ()  # problems that some algorithm lacks
    n_files: int = 0  # that were read
    not_taken: tuple[str, ...] = ()  # other files of their folders
    columns: Mapping[str, str] = field(default_factory=dict)  # of a table in several files: role -> column, or file
    tasks: tuple[str, ...] | None = None
    averaged: tuple[str, ...] = ()  # columns of runs inside runs

    def described(self, run: int) -> str:
        """``problem 'f1', algorithm 'A', run '3'``."""
        i, j = divmod(int(self.cells[run]), len(self.algorithms))
        return f"problem {self.problems[i]!r}, algorithm {self.algorithms[j]!r}, run {self.runs[run]!r}"

    @property
    def sign(self) -> float:
        """The factor between scores and costs."""
        return 1.0 if self.better == "lower" else -1.0

    @property
    def rows(self) -> Whole:
        """(R,) the problem of each run."""
        return np.asarray(self.cells // len(self.algorithms))

    @property
    def counts(self) -> Whole:
        """(n, k) numbers of runs."""
        shape = len(self.problems), len(self.algorithms)
        return np.bincount(self.cells, minlength=shape[0] * shape[1]).reshape(shape)

    def by_cell(self, values: npt.NDArray[Any], empty: object) -> npt.NDArray[Any]:
        """(n, k, most runs) of values (R,); ``empty`` at the end of cells with fewer runs."""
        counts = self.counts
        table = np.full((counts.size, counts.max()), empty, dtype=values.dtype)
        firsts = np.cumsum(counts.ravel()) - counts.ravel()
        table[self.cells, np.arange(len(self.cells)) - firsts[self.cells]] = values
        return table.reshape(*counts.shape, -1)

    def cost_of(self, target: object, parameter: str = "target") -> float:
        """The cost of a score to reach; refused where runs stopped before it."""
        cost = self.sign * number(parameter, target)
        if self.target is not None and cost < self.target:
            stop = f"{self.sign * self.target:g}, at which runs stopped"
            raise ParameterError(f"must not be better than {stop}; got {target:g}", parameter=parameter)
        return cost

    def first_hits(self, cost: float | Array) -> Array:
        """(R,) the first budget with this cost (of each run its own) or less; infinite where there is none."""
        limits = np.repeat(cost, np.diff(self.starts)) if np.ndim(cost) else cost
        return np.asarray(np.minimum.reduceat(np.where(self.costs <= limits, self.budgets, np.inf), self.starts[:-1]))

    def horizons(self) -> Array:
        """(R,) up to which budget each run is known: what it spent, without end if it reached the target."""
        if self.target is None:
            return self.ends
        return np.where(np.isfinite(self.first_hits(self.target)), np.inf, self.ends)

    def first_scored(self) -> Array:
        """(R,) the first budget with a finite score."""
        return self.first_hits(np.finfo(np.float64).max)

    def common_range(self) -> tuple[float, float]:
        """Budgets at which every run has a score."""
        first, horizons = self.first_scored(), self.horizons()
        if not np.isfinite(first).all():
            raise ScoreError(f"{self.described(int(np.argmax(first)))} has no finite score", parameter="table")
        low, high = float(first.max()), float(horizons.min())
        if not np.isfinite(high):
            high = float(self.budgets.max())
        if low > high:
            later, ended = self.described(int(first.argmax())), self.described(int(horizons.argmin()))
            rule = f"has no budget that all runs have in common: {later} begins at {low:g}, {ended} ends at {high:g}"
            raise ScoreError(rule, parameter="table")
        return low, high

    def run_curves(self, grid: Array) -> Iterator[tuple[int, Array]]:
        """The costs of all runs at each budget of ``grid``, some whole cells at a time: (first run, (runs, T))."""
        t = len(grid)
        edges = np.flatnonzero(np.diff(self.cells, prepend=-1))
        limits = np.append(edges, len(self.runs))
        first = 0
        while first < len(edges):
            last = first + 1
            while last < len(edges) and (limits[last + 1] - limits[first]) * t <= _CHUNK:
                last += 1
            a, b = int(limits[first]), int(limits[last])
            curves = self._curves(a, b, grid)
            yield a, curves if self.target is None else np.maximum(curves, self.target)
            first = last

    def _curves(self, a: int, b: int, grid: Array) -> Array:
        """Curves of runs a to b: at each budget the best, or the last, of what was recorded up to it."""
        low, high = int(self.starts[a]), int(self.starts[b])
        t, costs = len(grid), self.costs[low:high]
        slots = np.searchsorted(grid, self.budgets[low:high], side="left")
        rows = np.repeat(np.arange(b - a), np.diff(self.starts[a : b + 1]))
        inside = slots < t
        if not inside.all():
            slots, rows, costs = slots[inside], rows[inside], costs[inside]
        keys = rows * t + slots
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        values = np.full((b - a) * t, np.inf)
        if self.best_so_far:
            values[keys[starts]] = np.minimum.reduceat(costs, starts)
            values = np.minimum.accumulate(values.reshape(b - a, t), axis=1)
        else:
            values[keys[starts]] = costs[np.append(starts[1:], len(keys)) - 1]
            filled = np.zeros((b - a) * t, dtype=np.int64)
            filled[keys[starts]] = np.tile(np.arange(t), b - a)[keys[starts]]
            latest = np.maximum.accumulate(filled.reshape(b - a, t), axis=1)
            values = np.take_along_axis(values.reshape(b - a, t), latest, axis=1)
        return values

    def at(self, budget: float) -> Array:
        """(R,) costs at one budget."""
        return np.concatenate([curves[:, 0] for _, curves in self.run_curves(np.array([budget]))])

    def averaged_inside(self, outer: Sequence[str], averaged: tuple[str, ...]) -> Trajectories:
        """Runs inside runs as the outer ones: means of inner curves at all their budgets from the latest start to the
        first end. ``outer`` (R,): whose each is.
        """
        first, horizons = self.first_scored(), self.horizons()
        inside: dict[tuple[int, str], list[int]] = {}
        for run, key in enumerate(zip(self.cells.tolist(), outer, strict=True)):
            inside.setdefault(key, []).append(run)
        inside = dict(sorted(inside.items(), key=lambda each: each[0][0]))
        grids, costs = [], []
        for runs in inside.values():
            budgets = np.unique(np.concatenate([self.budgets[self.starts[i] : self.starts[i + 1]] for i in runs]))
            grids.append(budgets[(budgets >= first[runs].max()) & (budgets <= horizons[runs].min())])
            if not len(grids[-1]):
                rule = f"has runs inside a run that share no budget; one is {self.described(runs[0])}"
                raise ScoreError(rule, parameter="table")
            curves = np.concatenate([self._curves(i, i + 1, grids[-1]) for i in runs])
            costs.append((curves if self.target is None else np.maximum(curves, self.target)).mean(axis=0))
        return replace(
            self,
            cells=np.array([cell for cell, _ in inside]),
            runs=tuple(name for _, name in inside),
            starts=np.cumsum([0, *map(len, grids)]),
            budgets=np.concatenate(grids),
            costs=np.concatenate(costs),
            ends=np.array([self.ends[runs].min() for runs in inside.values()]),
            averaged=averaged,
        )

    def require(self, budget: float) -> None:
        """Refuse a budget that some run does not have."""
        low, high = self.common_range()
        if not low <= budget <= high:
            first, horizons = self.first_scored(), self.horizons()
            run = int(first.argmax()) if budget < low else int(horizons.argmin())
            what = "begins" if budget < low else "ends"
            raise ParameterError(
                f"must be between {low:g} and {high:g}, where all runs have a score; got {budget:g} "
                f"({self.described(run)} {what} there)",
                parameter="budget",
            )


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


def sorted_trajectories(
    left: Chosen,
    *,
    clusters: list[str] | None,
    tasks: list[str] | None = None,
    better: Better,
    cells: Whole,
    runs: Whole,
    run_names: list[str],
    budgets: Array,
    scores: Array,
    ends: dict[tuple[int, int], float] | None = None,
    target: float | None,
    **about: Any,
) -> Trajectories:
    """Sort records that come in any order. ``cells`` and ``runs``: codes of each; ``about``: what else is known."""
    keys = cells * len(run_names) + runs
    step = np.diff(keys)
    if not bool(((step > 0) | ((step == 0) & (np.diff(budgets) >= 0))).all()):
        order = np.lexsort((budgets, keys))
        keys, cells, runs, budgets, scores = keys[order], cells[order], runs[order], budgets[order], scores[order]
    heads = np.flatnonzero(np.diff(keys, prepend=-1))
    starts = np.append(heads, len(keys)).astype(np.int64)
    of_runs = list(zip(cells[heads].tolist(), runs[heads].tolist(), strict=True))
    last = budgets[starts[1:] - 1]
    spent = last if ends is None else np.array([max(ends[key], x) for key, x in zip(of_runs, last, strict=True)])
    sign = 1.0 if better == "lower" else -1.0
    return Trajectories(
        problems=tuple(left.problems),
        algorithms=tuple(left.algorithms),
        clusters=None if clusters is None else tuple(clusters),
        tasks=None if tasks is None else tuple(tasks),
        better=better,
        cells=cells[heads],
        runs=tuple(run_names[run] for _, run in of_runs),
        starts=starts,
        budgets=budgets,
        costs=scores if better == "lower" else -scores,
        ends=spent,
        target=None if target is None else sign * target,
        dropped=left.dropped,
        **about,
    )


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
    """Name the curves that are not there, whose they are, and what the ways out keep."""
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
