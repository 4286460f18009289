"""The result of curves(): values only; rendering lives in the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from bakeoff.checks import N_RESAMPLES, draw_count, number, positive
from bakeoff.dataclass import dataclass, field
from bakeoff.designed import of_means
from bakeoff.errors import Caution, ReportError, counted
from bakeoff.means.run_means import CLAIMS, Over
from bakeoff.means.strata import drawn_units, effective_clusters
from bakeoff.nulls.tails import expanded_tail
from bakeoff.randomness import generator
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, read_only
from bakeoff.scores.clusters import codes_of
from bakeoff.scores.design import Design, Estimand, Weights, design_of, shares
from bakeoff.scores.pair_family import Turning, WithPairs
from bakeoff.wings.curves.curves.statistics.budgets import Segment, Spacing, area_weights
from bakeoff.wings.curves.curves.statistics.curve_tests import InterquartileCurve, RunsAlong
from bakeoff.wings.curves.trajectories import Trajectories
from bakeoff.words import positions_in_time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunningTime:
    """Expected running time (Auger and Hansen 2005).

    Attributes
    ----------
    target, algorithms, problems : float, tuple, tuple
    values : ndarray (n, k)
        Σ budgets spent / runs that reached the target, on each problem; infinite where none did.
    successes, trials : ndarray (n, k) of int
    pooled : ndarray (k,)
        The same of all problems together: long problems count for more.
    interval : ndarray (k, 2)
        Percentile bootstrap of ``pooled`` over problems (clusters, where there are some) at ``confidence_level``, each
        algorithm by itself; the upper end is infinite where too many resamples have no success.
    """

    target: float
    algorithms: tuple[str, ...]
    problems: tuple[str, ...]
    values: Array
    successes: npt.NDArray[np.int64]
    trials: npt.NDArray[np.int64]
    pooled: Array
    interval: Array
    confidence_level: float


def scores_of_runs(runs: Trajectories, costs: Array, metric: str | None) -> Scores:
    """A score per run, in the user's direction."""
    scores = costs if runs.better == "lower" else 0.0 - costs
    return _scores(runs, runs.by_cell(scores, np.nan), better=runs.better, metric=metric, run_ids=_names(runs))


def _scores(runs: Trajectories, cells: Array, **about: Any) -> Scores:
    """``cells`` (n, k, most runs) of these runs."""
    same = {name: getattr(runs, name) for name in ("clusters", "tasks", "run_kind", "source_sha256")}
    order = positions_in_time(runs.columns.get("problem", ""), runs.problems)
    return Scores.from_cells(cells, runs.algorithms, runs.problems, order=order, **same, **about)


def _names(runs: Trajectories) -> npt.NDArray[np.object_]:
    return runs.by_cell(np.array(runs.runs, dtype=object), "")


def target_caps(runs: Trajectories, target: float, cap: float | None) -> Array:
    """(n,) the budget that every run of a problem had, unless it reached the target before; at most ``cap``."""
    hits = runs.first_hits(runs.cost_of(target))
    spent = np.where(hits <= runs.ends, np.inf, runs.ends)
    caps = np.full(len(runs.problems), np.inf)
    np.minimum.at(caps, runs.rows, spent)
    most = np.zeros(len(runs.problems))
    np.maximum.at(most, runs.rows, runs.ends)
    caps = np.where(np.isfinite(caps), caps, most)
    return caps if cap is None else np.minimum(caps, positive("cap", cap))


def budgets_to(runs: Trajectories, target: float, cap: float | None) -> Scores:
    """Budgets to the target; lower is better."""
    hits = runs.first_hits(runs.cost_of(target))
    late = hits > target_caps(runs, target, cap)[runs.rows]
    cells = runs.by_cell(np.where(late, np.nan, hits), np.nan)
    status = runs.by_cell(np.where(late, "timeout", "ok").astype(object), "")
    ids = _names(runs)
    # the runs with a score first, as Scores has them
    order = np.argsort(np.isnan(cells).astype(np.int8) + (status == ""), axis=2, kind="stable")
    cells, ids, status = (np.take_along_axis(each, order, axis=2) for each in (cells, ids, status))
    unit, metric = runs.budget_name, f"{runs.budget_name} to {target:g}"
    known: dict[str, Any] = {"run_ids": ids, "status": status, "unit": unit, "holes": True, "unscored": True}
    return _scores(runs, cells, better="lower", metric=metric, **known)


def running_time(
    runs: Trajectories, target: float, cap: float | None, alpha: float, n_resamples: int, rng: int | None
) -> RunningTime:
    """Count budgets up to the caps, so that no algorithm gains by having been run for longer."""
    size = draw_count("n_resamples", n_resamples, 100)
    n, k = shape = runs.counts.shape
    hits = runs.first_hits(runs.cost_of(target))
    caps = target_caps(runs, target, cap)[runs.rows]
    reached = hits <= caps
    spent = np.bincount(runs.cells, np.where(reached, hits, caps), minlength=n * k).reshape(shape)
    successes = np.bincount(runs.cells, reached, minlength=n * k).reshape(shape)
    codes = np.arange(n) if runs.clusters is None else codes_of(runs.clusters)
    groups = int(codes.max()) + 1
    drawn = drawn_units(groups, size, generator(rng))
    sums = [np.zeros((groups, k)) for _ in range(2)]
    for total, part in zip(sums, (spent, successes), strict=True):
        np.add.at(total, codes, part)
    with np.errstate(divide="ignore"):
        values = spent / successes
        pooled = spent.sum(axis=0) / successes.sum(axis=0)
        resampled = (drawn @ sums[0]) / (drawn @ sums[1])
    tail = expanded_tail(alpha, effective_clusters(np.bincount(codes)))
    low, high = np.quantile(resampled, [tail / 2, 1 - tail / 2], axis=0, method="inverted_cdf")
    return RunningTime(
        target=float(target),
        algorithms=runs.algorithms,
        problems=runs.problems,
        values=values,
        successes=successes.astype(np.int64),
        trials=runs.counts.astype(np.int64),
        pooled=pooled,
        interval=np.column_stack([low, high]),
        confidence_level=1 - alpha,
    )


Cell = Literal["mean", "median"]
Scale = Literal["linear", "log"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveTable:
    """One curve per problem and algorithm, its runs summarised, at the budgets of the grid.

    ``values`` (n, k, T) are scores as the user has them, of ``scale="log"`` their logarithms to base 10.
    """

    problems: tuple[str, ...]
    algorithms: tuple[str, ...]
    clusters: tuple[str, ...] | None
    better: Literal["lower", "higher"]  # which scores are good
    t: Array  # (T,) budgets of the grid
    values: Array  # scores by problem, algorithm and budget; with scale log, their logarithms to base 10
    whole: bool  # every recorded budget within the range is in the grid
    cell: Cell  # what stands for the runs of a cell
    scale: Scale  # of the scores
    spacing: Spacing  # of the grid of budgets
    target: float | None  # the score to reach; None for none
    best_so_far: bool  # whether a curve keeps its best score
    metric: str | None
    budget_name: str  # what the budget is, such as evaluations
    n_runs: tuple[int, int]  # fewest and most per problem and algorithm
    longest: float  # the largest budget of a run
    source_sha256: str  # of the input
    dropped: tuple[str, ...] = ()  # problems that some algorithm lacks
    tasks: tuple[str, ...] | None = None  # of each problem
    weights: Weights | None = None  # what counts equally in a mean, where that was asked for
    averaged: tuple[str, ...] = ()  # columns of runs inside runs, which were averaged first
    drawn: bool = False  # whether as many runs of each algorithm were drawn from unequal numbers
    runs: RunsAlong | None = None  # over runs: their curves, by cell
    n_files: int = 0  # of a table in several files: how many were read
    columns: Mapping[str, str] = field(default_factory=dict)  # of such a table: role -> column, or file, or folder

    @property
    def design(self) -> Design:
        return design_of(self.tasks, self.clusters, self.weights)

    @property
    def relative(self) -> Array:
        """(n,) by which each problem enters a mean, 1 on average."""
        design, n = self.design, len(self.problems)
        return np.ones(n) if design.weights == "problems" else n * shares(design, design.weights, n)

    def mean(self, values: Array) -> Array:
        """The mean over problems (n, …), by the weights of the design."""
        return np.asarray((values.T * self.relative).T.mean(axis=0))


IF_ANY = ("tasks", "weights", "averaged", "drawn", "runs", "n_files", "columns")
"""Fields of CurveTable that reports have only where they say something."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurvePair(Turning):
    """Two algorithms along the grid.

    Attributes
    ----------
    a, b, difference : str, str, ndarray (T,)
        Mean difference by the weights of the design, positive where a is better.
    statistic, pvalue : ndarray (T,)
        t at each budget by itself, and the p-value of its sign flips.
    adjusted : ndarray (T,)
        Over all pairs and budgets at once.
    segments : tuple of (low, high, "a" or "b")
        Stretches of the grid in which the difference is shown.
    verdict : str
        The same as a sentence.
    """

    a: str
    b: str
    difference: Array
    statistic: Array  # mean difference over its error, at each budget by itself
    pvalue: Array  # p-value of the sign flips at each budget by itself
    adjusted: Array
    segments: tuple[Segment, ...]
    verdict: str

    @property
    def turned(self) -> CurvePair:
        """The same pair as b against a; the verdict names the two and stays."""
        return self._turned(
            difference=read_only(0.0 - self.difference),
            statistic=read_only(0.0 - self.statistic),
            segments=tuple(s._replace(better="b" if s.better == "a" else "a") for s in self.segments),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Curves(WithPairs[CurvePair], Reportable):
    """The result of :func:`bakeoff.curves`."""

    kind: ClassVar[str] = "curves"

    table: CurveTable
    scores: Scores  # those at the end of the grid
    area: Scores  # mean height of each run's curve over (log) budgets
    control: str | None
    alpha: float
    unit: Literal["cluster", "problem", "run"]
    n_units: int  # clusters, problems or runs of the algorithm with the fewest
    n_resamples: int
    rng: int | None
    over: Over  # what else could have come out
    exact: bool  # all choices of signs, not a sample of them
    reachable: bool  # is there an outcome that shows a difference?
    pairs: tuple[CurvePair, ...]  # one entry per pair, along the grid of budgets
    interquartile: tuple[InterquartileCurve, ...]  # of each algorithm; over runs, on request
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()
    runs: Trajectories | None = None  # None of a report that was computed again

    @property
    def t(self) -> Array:
        """(T,) the budgets of the grid."""
        return self.table.t

    @property
    def means(self) -> Array:
        """(k, T) means over the problems, by the weights of the design."""
        return self.table.mean(self.table.values)

    @property
    def areas(self) -> Array:
        """(k,) mean over the problems of the area under their curves, as a mean height."""
        return self.table.mean(self.table.values @ area_weights(self.t, self.table.spacing))

    @property
    def ranked(self) -> list[int]:
        """Columns by the area under their curves, the best first; equal ones in column order."""
        sign, areas = 1.0 if self.table.better == "lower" else -1.0, self.areas.tolist()
        return sorted(range(len(areas)), key=lambda j: sign * areas[j])

    @property
    def request(self) -> Mapping[str, object]:
        """The arguments that are not in the table."""
        named = {name: getattr(self, name) for name in ("control", "alpha", "unit", "n_resamples", "rng", "over")}
        return named | {"interquartile": bool(self.interquartile)} | ({"unit": None} if self.over == "runs" else {})

    @property
    def decision(self) -> str:
        """ "difference" somewhere along a pair of curves, "none", or "cannot tell": no outcome could have shown one."""
        if any(pair.segments for pair in self.pairs):
            return "difference"
        return "none" if self.reachable else "cannot tell"

    def fixed_budget(self, budget: float) -> Scores:
        """The score of every run at one budget: the best so far, not interpolated.

        A budget that some run did not have is refused. A budget chosen after the curves were seen is no fixed one.
        """
        runs, at = self._source(), number("budget", budget)
        runs.require(at)
        scores, weights = scores_of_runs(runs, runs.at(at), runs.metric), self.table.weights
        return scores if weights is None else scores.with_design(weights=weights)

    def fixed_target(self, target: float, cap: float | None = None) -> Scores:
        """The budget that every run needed to reach a score; of those that did not, the status is "timeout".

        ``cap`` (default: of each problem the smallest budget of a run, see :meth:`caps`) ends every run alike. The
        scores are for ``bo.runtimes``, with ``cap=curves.caps(target)``.
        """
        return budgets_to(self._source(), target, cap)

    def caps(self, target: float) -> tuple[float, ...]:
        """(n,) of each problem the budget at which all runs that had not reached ``target`` were still running."""
        return tuple(target_caps(self._source(), target, None).tolist())

    def running_time(
        self, target: float, cap: float | None = None, *, n_resamples: int = N_RESAMPLES, rng: int | None = None
    ) -> RunningTime:
        """Expected running time to a target: what all runs spent, divided by the number of those that reached it."""
        return running_time(self._source(), target, cap, self.alpha, n_resamples, rng)

    def _source(self) -> Trajectories:
        if self.runs is None:
            raise ReportError("the runs are not in the report; read the table again with bo.curves")
        return self.runs


def curve_estimand(result: Curves) -> Estimand:
    """The means that are compared at every budget."""
    table, (low, high) = result.table, result.table.n_runs
    several = counted(high, "run") if low == high else f"{low} to {high} runs"
    runs = [f"each score is the {table.cell} of {several}"] if high > 1 else []
    if table.averaged:
        runs.append(f"{'each' if runs else 'each score is'} the mean over {', '.join(table.averaged)}")
    what = f"mean {result.scores.metric or 'score'} at each budget"
    return of_means(result.scores, what, (", ".join(runs) + CLAIMS[result.over]).removeprefix(", "))
