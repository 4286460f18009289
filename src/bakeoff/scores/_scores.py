"""Scores: the table that every analysis starts from.

A score belongs to a *problem* (row), an *algorithm* (column) and a *run*; ``better`` says which direction is good and
is asked for once, here. NaN is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice, flag
from bakeoff.dataclass import dataclass
from bakeoff.errors import InfiniteScoreError, ParameterError, ScoreError, counted
from bakeoff.packages import make_frame
from bakeoff.scores.cells import (
    Array,
    as_floats,
    best_runs,
    cell_means,
    check_size,
    fingerprint,
    finite_shares,
    labels,
    median_runs,
    metric_name,
    position,
    problem_labels,
    read_only,
    refuse_missing,
    refuse_unscored,
    runs_first,
    runs_in_words,
    unit_name,
)
from bakeoff.scores.design import Design, Weights, check_weights, design_of, places_in_time, test_fraction
from bakeoff.scores.pair_family import two_of
from bakeoff.scores.predicted import Predicted
from bakeoff.scores.read_as import UNSAID, ReadAs
from bakeoff.scores.runs import (
    RunIds,
    RunStatus,
    as_kept,
    by_run,
    check_run_kind,
    only_ok,
    reason,
    run_id_array,
    scored_first,
    single_processes,
    status_array,
)

Better = Literal["lower", "higher"]
CellSummary = Literal["mean", "median", "best", "success"]
CELL_SUMMARIES = ("mean", "median", "best", "success")


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Scores:
    """A table of scores: problems × algorithms, with one or several runs per cell; ``bo.read_scores`` reads one.

    Parameters
    ----------
    values : array_like, shape (n_problems, n_algorithms) or (n_problems, n_algorithms, n_runs)
        The scores, copied. Infinite ones (failed runs) are ordered; differences of them are refused. A float32 is its
        shortest decimal.
    algorithms : sequence of str, optional
        Unique labels of the columns; ``A1, A2, …`` if absent.
    problems : sequence of str, optional
        Unique labels of the rows; ``P1, P2, …`` if absent.
    better : {"lower", "higher"}
        Which direction is good: required.
    missing : {"raise", "keep"}
        A NaN is an error, or a hole, which only procedures for incomplete tables take (``bo.skillings_mack``).
    metric : str, optional
        What the scores are, such as "accuracy".
    unit : str, optional
        Unit of the scores, such as "s".
    clusters : sequence, optional
        A label per problem: those with the same one share a source.
    tasks : sequence, optional
        A label per problem: the task (suite, benchmark) that it is a question of.
    weights : {"tasks", "problems", "clusters"}, optional
        What counts equally in a mean: tasks if there are several, else problems.
    order : sequence of float, optional
        A number per problem: its place in time.
    serial : bool
        The problems are rows of one series in time, whose neighbours may resemble each other.
    folds : float, optional
        Share of the data in each test set, where the runs are folds of a data set (0.1: of ten-fold cross-validation).
    run_ids : array_like, optional
        Names of the runs, by which they are paired.
    run_kind : {"seed", "split", "answer", "process", "iteration"}, optional
        What a run is.
    status : array_like, optional
        Of every run "ok", or what happened ("timeout"): then it has no score.

    Attributes
    ----------
    values : ndarray (n, k)
        Cell means over runs (correctly rounded sums), read-only; NaN in holes.
    runs, n_runs : ndarray (n, k, r) or None, ndarray (n, k) of int
        Every run, NaN-padded where cells have different numbers of runs, None if there is one per cell; runs per cell.
    status : ndarray (n, k) or (n, k, r) of str, or None
        As given, failed runs last in their cell, "" where there is none.
    dropped, filled, differing, hosts : tuple
        Problems left out by ``missing="drop"``; (problem, algorithm) counted as lost by ``missing="worst"``; problems
        of which versions differ between algorithms; or None: machines that each was measured on, "" if unknown.
    design : Design
        ``.tasks``, ``.clusters``, ``.weights`` (in force), ``.runs``, ``.folds``, ``.order``, ``.serial``.
    source_sha256, read_as, predicted : str, ReadAs, Predicted or None
        Of the file the scores were read from, else of the table itself; what its reader understood; of predictions, the
        metric.

    Raises
    ------
    MissingScoreError, ScoreError
        A NaN or masked cell, named; no problem, fewer than two algorithms; labels repeated or too few; text in a cell.

    Examples
    --------
    >>> import bakeoff as bo
    >>> bo.Scores([[0.2, 0.3], [0.1, 0.1]], algorithms=["new", "old"], better="lower").values.shape
    (2, 2)
    """

    values: Array
    algorithms: tuple[str, ...]
    problems: tuple[str, ...]
    better: Better
    runs: Array | None
    n_runs: npt.NDArray[np.int64]
    dropped: tuple[str, ...]
    filled: tuple[tuple[str, str], ...]
    source_sha256: str
    metric: str | None
    clusters: tuple[str, ...] | None
    tasks: tuple[str, ...] | None
    weights: Weights | None
    order: tuple[float, ...] | None
    folds: float | None
    serial: bool
    run_ids: RunIds | None
    run_kind: str | None
    status: RunStatus | None
    unit: str | None
    differing: tuple[str, ...]
    hosts: tuple[str, ...] | None
    read_as: ReadAs
    predicted: Predicted | None

    def __init__(
        self,
        values: npt.ArrayLike,
        algorithms: Sequence[str] | None = None,
        problems: Sequence[str] | None = None,
        *,
        better: Better,
        missing: Literal["raise", "keep"] = "raise",
        metric: str | None = None,
        clusters: Iterable[object] | None = None,
        tasks: Iterable[object] | None = None,
        weights: Weights | None = None,
        order: Iterable[float] | None = None,
        serial: bool = False,
        folds: float | None = None,
        run_ids: Any = None,
        run_kind: str | None = None,
        status: Any = None,
        unit: str | None = None,
    ) -> None:
        choice("missing", missing, ("raise", "keep"))
        if algorithms is None and hasattr(values, "columns"):
            algorithms = list(values.columns)
        array = as_floats(values)
        if array.ndim not in (2, 3):
            raise ScoreError(
                "must have shape (n_problems, n_algorithms) or (n_problems, n_algorithms, n_runs); "
                f"got shape {array.shape}",
                parameter="values",
            )
        n, k = array.shape[:2]
        names = labels("algorithms", algorithms, "A", k)
        rows = labels("problems", problems, "P", n)
        check_size(n, k, array.shape[2] if array.ndim == 3 else 1)
        cells = array.reshape(n, k, -1)
        if status is not None:
            status = status_array(status, cells)
            cells = only_ok(cells, status)
        run_ids = run_id_array(run_ids, cells)
        if missing == "keep":
            status = None if status is None else scored_first(status, cells)
            cells = runs_first(cells)
            refuse_unscored(cells, names, partial(reason, status))
        else:
            refuse_missing(cells.reshape(array.shape), rows, names, partial(reason, status))
        about = {"run_ids": run_ids, "run_kind": run_kind, "status": status, "tasks": tasks}
        about |= {
            "weights": weights,
            "order": order,
            "serial": flag("serial", serial),
            "folds": test_fraction(folds, cells.shape[2] == 1),
        }
        _fill(self, cells, names, rows, better, metric=metric, unit=unit, clusters=clusters, **about)

    @classmethod
    def from_cells(
        cls,
        cells: Array,
        algorithms: Sequence[str],
        problems: Sequence[str],
        *,
        better: Better,
        holes: bool = False,
        unscored: bool = False,
        run_ids: RunIds | None = None,
        status: RunStatus | None = None,
        **about: Any,
    ) -> Scores:
        """For readers: ``cells`` is (n, k, r), NaN-padded at the end of cells with fewer runs.

        The reader has already applied its ``missing=`` policy and says here what it dropped and filled, and whether
        cells without any run stay. ``status`` is (n, k, any number), the runs with a score first in each cell.
        ``unscored``: an algorithm may have no score at all. ``about``: what else ``_fill`` takes.
        """
        array = as_floats(cells)
        most = int(np.sum(~np.isnan(array), axis=2).max(initial=0))
        array = array[:, :, : max(most, 1)]
        n, k, r = array.shape
        names = labels("algorithms", algorithms, "A", k)
        rows = labels("problems", problems, "P", n)
        check_size(n, k, r)
        if not holes:
            refuse_missing(array[:, :, 0], rows, names, partial(reason, status))
        elif not unscored:
            refuse_unscored(array, names, partial(reason, status))
        self = object.__new__(cls)
        ids = None if run_ids is None else run_id_array(run_ids[:, :, :r], array)
        _fill(self, array, names, rows, better, run_ids=ids, status=status, **about)
        return self

    @property
    def n_problems(self) -> int:
        return len(self.problems)

    @property
    def n_algorithms(self) -> int:
        return len(self.algorithms)

    @property
    def design(self) -> Design:
        """What the problems share, what counts equally, and which runs there are."""
        of, inner = dict(self.read_as.columns).get("run", "run"), self.read_as.averaged
        runs = [] if self.runs is None and not inner else [(of, self.run_kind), *((name, None) for name in inner)]
        about: dict[str, Any] = {"folds": self.folds, "order": self.order, "serial": self.serial}
        about["classes"] = None if self.predicted is None else self.predicted.classes
        return design_of(self.tasks, self.clusters, self.weights, runs=tuple(runs), **about)

    def with_design(self, **changed: Any) -> Scores:
        """The same scores with other ``tasks``, ``clusters``, ``weights``, ``order``, ``folds`` or ``serial``."""
        known = ("tasks", "clusters", "weights", "order", "folds", "serial")
        if unknown := changed.keys() - {*known}:
            raise ParameterError(f"must be one of {', '.join(known)}; got {min(unknown)}", parameter="changed")
        if self.predicted is not None:
            self.predicted.check_design(changed, changed.get("weights"))
        if "folds" in changed:
            changed["folds"] = test_fraction(changed["folds"], self.runs is None)
        if "serial" in changed:
            changed["serial"] = flag("serial", changed["serial"])
        cells = self.values[:, :, None] if self.runs is None else self.runs
        status = None if self.status is None else by_run(self.status)
        return self._with(cells, status=status, unscored=True, **changed)

    @property
    def holes(self) -> npt.NDArray[np.bool_]:
        """(n, k): cells without a score, kept by ``missing="keep"``."""
        return np.asarray(self.n_runs == 0)

    @property
    def is_one_data_set(self) -> bool:
        """Is the table one data set, seen through folds with test sets of a known size?"""
        return self.folds is not None and self.n_problems == 1

    @property
    def costs(self) -> Array:
        """``values`` turned so that lower is better, whatever the direction."""
        return self.values if self.better == "lower" else -self.values + 0.0

    @property
    def means(self) -> Array:
        """(n, k): the mean over each cell's runs, which is ``values``."""
        return self.values

    @property
    def medians(self) -> Array:
        """(n, k): the median over each cell's runs; one failed (infinite) run of many does not move it far."""
        return self.values if self.runs is None else read_only(median_runs(self.runs, self.holes))

    def summarised(self, cell: CellSummary) -> Scores:
        """A table of one score per cell: what stands for its runs.

        median: hardly moved by one failed (infinite) run of many. best: the best of equally many runs. success:
        the share of runs with a finite score; higher is better then, whatever the direction of the scores.
        Their ``metric`` stays, except that a share of runs is called one.
        """
        choice("cell", cell, CELL_SUMMARIES)
        if cell in ("mean", "median"):
            values = self.values if cell == "mean" else self.medians
        else:
            runs = self.values[:, :, None] if self.runs is None else self.runs
            values = best_runs(runs, self.better, self.algorithms) if cell == "best" else finite_shares(runs)
        return self._with(
            values[:, :, None],
            better="higher" if cell == "success" else self.better,
            metric="share of successful runs" if cell == "success" and self.metric else self.metric,
            run_ids=None,
            run_kind="iteration" if single_processes(self).any() else None,
            status=None,
            unit=None if cell == "success" else self.unit,
        )

    def _with(self, cells: Array, **changed: Any) -> Scores:
        """Other cells of which the same is known, but for what has changed."""
        same = (
            "algorithms problems better dropped filled source_sha256 metric clusters tasks weights order folds "
            "serial run_ids run_kind unit differing hosts read_as predicted"
        )
        about = {name: getattr(self, name) for name in same.split()} | {"holes": bool(self.holes.any())}
        return Scores.from_cells(cells, **(about | changed))

    @property
    def scales(self) -> Array:
        """(n, k): the largest absolute score that entered each cell; what a tie tolerance is relative to."""
        if self.runs is None:
            return np.abs(self.values)
        return cast(Array, np.fmax.reduce(np.abs(self.runs), axis=2))

    def index(self, algorithm: str | int, parameter: str = "algorithm") -> int:
        """The column of an algorithm given by name (or by index)."""
        return position(algorithm, self.algorithms, "algorithm", parameter)

    def pair(self, a: str | int, b: str | int) -> tuple[int, int]:
        """Two different columns."""
        return two_of(self.algorithms, a, b)

    def require_finite(self, method: str, columns: Sequence[int] | None = None) -> None:
        """Refuse infinite scores for a method that takes differences, naming the first cell."""
        values = self.values if columns is None else self.values[:, list(columns)]
        bad = np.argwhere(~np.isfinite(values))
        if bad.size:
            i, j = bad[0]
            column = int(j) if columns is None else columns[int(j)]
            raise InfiniteScoreError(
                f"{method} cannot use infinite scores: problem {self.problems[i]!r}, algorithm "
                f"{self.algorithms[column]!r} is {values[i, j]} ({counted(len(bad), 'such cell')}). Use a test on "
                "ranks or signs, or remove the problem."
            )

    def select(
        self, algorithms: Iterable[str | int] | None = None, problems: Iterable[str | int] | None = None
    ) -> Scores:
        """The same scores for some algorithms and problems, in the order given."""
        for parameter, chosen in (("algorithms", algorithms), ("problems", problems)):
            if isinstance(chosen, str):
                raise ParameterError(f"must be a list of names; got the single string {chosen!r}", parameter=parameter)
        columns = range(self.n_algorithms) if algorithms is None else [self.index(a) for a in algorithms]
        rows = (
            range(self.n_problems)
            if problems is None
            else [position(p, self.problems, "problem", "problems") for p in problems]
        )
        cells = self.values[:, :, None] if self.runs is None else self.runs
        names = [self.algorithms[j] for j in columns]
        kept = [self.problems[i] for i in rows]
        part = np.ix_(list(rows), list(columns))
        return self._with(
            cells[part],
            algorithms=names,
            problems=kept,
            filled=[(p, a) for p, a in self.filled if p in kept and a in names],
            source_sha256="",
            clusters=None if self.clusters is None else [self.clusters[i] for i in rows],
            tasks=None if self.tasks is None else [self.tasks[i] for i in rows],
            order=None if self.order is None else [self.order[i] for i in rows],
            run_ids=None if self.run_ids is None else self.run_ids[part],
            status=None if self.status is None else by_run(self.status)[part],
            hosts=None if self.hosts is None else [self.hosts[j] for j in columns],
            predicted=None if self.predicted is None else self.predicted.part(list(rows), list(columns)),
        )

    def to_frame(self) -> Any:
        """The cell means as a data frame (pandas if installed, else polars), problems (clusters, tasks) first."""
        columns: dict[str, Any] = {"problem": list(self.problems)}
        labels = {"cluster": self.clusters, "task": self.tasks}
        columns |= {role: list(names) for role, names in labels.items() if names is not None}
        for role in columns.keys() & set(self.algorithms):
            raise ScoreError(f"an algorithm is called {role!r}, like the column of the {role}s' names; rename it")
        columns |= {name: self.values[:, j].copy() for j, name in enumerate(self.algorithms)}
        return make_frame(columns)

    def __repr__(self) -> str:
        runs = runs_in_words(self.n_runs, self.runs is not None)
        end = f"better={self.better!r}" + (f", metric={self.metric!r}" if self.metric else "")
        clusters = "" if self.clusters is None else f" in {len(set(self.clusters))} clusters"
        return f"Scores({self.n_problems} problems{clusters} × {self.n_algorithms} algorithms{runs}, {end})"


def _fill(
    self: Scores,
    cells: Array,
    algorithms: tuple[str, ...],
    problems: tuple[str, ...],
    better: Better,
    *,
    source_sha256: str = "",
    metric: str | None = None,
    clusters: Iterable[object] | None = None,
    tasks: Iterable[object] | None = None,
    weights: Weights | None = None,
    order: Iterable[float] | None = None,
    folds: float | None = None,
    serial: bool = False,
    dropped: Sequence[str] = (),
    filled: Sequence[tuple[str, str]] = (),
    run_ids: RunIds | None = None,
    run_kind: str | None = None,
    status: RunStatus | None = None,
    unit: str | None = None,
    differing: Sequence[str] = (),
    hosts: Sequence[str] | None = None,
    read_as: ReadAs = UNSAID,
    predicted: Predicted | None = None,
) -> None:
    choice("better", better, ("lower", "higher"))
    one = cells.shape[2] == 1
    put = partial(object.__setattr__, self)
    put("values", read_only(cells[:, :, 0].copy() if one else cell_means(cells, problems, algorithms)))
    put("algorithms", algorithms)
    put("problems", problems)
    put("better", better)
    put("runs", None if one else read_only(cells))
    put("n_runs", read_only(np.asarray(np.sum(~np.isnan(cells), axis=2, dtype=np.int64))))
    put("dropped", tuple(dropped))
    put("filled", tuple(filled))
    put("metric", metric_name(metric))
    put("clusters", problem_labels("clusters", clusters, problems))
    put("tasks", problem_labels("tasks", tasks, problems))
    put("order", places_in_time(order, problems))
    put("folds", None if one else folds)
    put("serial", serial)
    put("weights", check_weights(weights, self.tasks, self.clusters))
    put("source_sha256", source_sha256 or fingerprint(cells, algorithms, problems, better, self.clusters, self.tasks))
    put("run_ids", run_ids)
    put("run_kind", check_run_kind("split" if self.folds is not None and run_kind is None else run_kind))
    put("status", as_kept(status))
    put("unit", unit_name(unit))
    put("differing", tuple(differing))
    put("hosts", tuple(hosts) if hosts is not None and any(hosts) else None)
    put("read_as", read_as)
    put("predicted", predicted)
