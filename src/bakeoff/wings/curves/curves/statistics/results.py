"""The result of curves(): values only; rendering lives in the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from bakeoff.checks import N_RESAMPLES, number
from bakeoff.errors import Caution, ReportError
from bakeoff.means.run_means import Over
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, read_only
from bakeoff.scores.pair_family import Turning, WithPairs
from bakeoff.wings.curves.curves.statistics.budgets import Segment, Spacing, area_weights
from bakeoff.wings.curves.curves.statistics.curve_tests import InterquartileCurve, RunsAlong
from bakeoff.wings.curves.curves.statistics.running_time import (
    RunningTime,
    budgets_to,
    running_time,
    scores_of_runs,
    target_caps,
)
from bakeoff.wings.curves.trajectories import Trajectories

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
    runs: RunsAlong | None = None  # over runs: their curves, by cell


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurvePair(Turning):
    """Two algorithms along the grid.

    Attributes
    ----------
    a, b, difference : str, str, ndarray (T,)
        Mean over the units (problems, or clusters of them) of the differences, positive where a is better.
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
        """(k, T) means over the problems."""
        return np.asarray(self.table.values.mean(axis=0))

    @property
    def areas(self) -> Array:
        """(k,) mean over the problems of the area under their curves, as a mean height."""
        return np.asarray((self.table.values @ area_weights(self.t, self.table.spacing)).mean(axis=0))

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
        return scores_of_runs(runs, runs.at(at), runs.metric)

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
