"""From the curves of runs to the budgets at which each reached its problem's target (data profiles of Moré and Wild).

Or each of several fixed targets (the runtime distributions of COCO).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import number, positive
from bakeoff.errors import Caution, ParameterError, ScoreError, counted
from bakeoff.ranks.ties import tie_tolerance
from bakeoff.scores import Array, Scores
from bakeoff.scores.read_as import LONG, ReadAs

NOT_REACHED = "not reached"
TARGETS = ReadAs(rows="targets")
COCO = tuple(float(f"{10.0 ** (2 - i / 5):.6g}") for i in range(51))
"""The precisions that COCO counts: 51 from 100 to 1e-8, equally spaced by their logarithms (Hansen et al. 2016)."""


@runtime_checkable
class RunCurves(Protocol):
    """Runs sorted by cell (problem, then algorithm), the records of each by budget."""

    @property
    def problems(self) -> tuple[str, ...]: ...

    @property
    def algorithms(self) -> tuple[str, ...]: ...

    @property
    def clusters(self) -> tuple[str, ...] | None: ...

    @property
    def cells(self) -> npt.NDArray[np.int64]:
        """(R,) problem · n_algorithms + algorithm."""

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """(R + 1,) where the records of each run begin."""

    @property
    def budgets(self) -> Array:
        """Of each record."""

    @property
    def costs(self) -> Array:
        """Of each record, lower is better."""


_GRADIENTS = "budget in simplex gradients"


def budgets_to_target(
    curves: RunCurves, tolerance: float, dimensions: Mapping[str, float] | None, by_run: bool = False
) -> tuple[Scores, tuple[Caution, ...]]:
    """A table of budgets, "not reached" where a run ended before; and what must be known of its targets.

    The target of a problem is f with f₀ − f ≥ (1 − tolerance)(f₀ − f_L): f₀ the worst first score of its runs (they
    begin at one point, or should), f_L the best score of any run of any algorithm. Several runs of a cell are rows of
    their own, in one cluster; ``by_run``: they are the runs of their cell.
    """
    if tolerance >= 1:
        raise ParameterError(f"must be below 1: at 1 the start is the target; got {tolerance:g}", parameter="tolerance")
    n, k = len(curves.problems), len(curves.algorithms)
    counts = np.bincount(curves.cells, minlength=n * k).reshape(n, k)
    _refuse_unequal(curves, counts)
    hits = _first_hits(curves, _targets(curves, tolerance, n, k), k)
    hits /= _units(curves, dimensions)[curves.cells // k]

    metric = "budget" if dimensions is None else _GRADIENTS
    if by_run:
        own = caution_of("targets-of-these", "runs", way=1 - tolerance, algorithms=k, problems=n, rows=n)
        return _by_run(curves, hits, counts, metric), (own,)
    several = bool((counts > 1).any())
    scores = _by_row(curves, hits[:, None], counts, ("",), metric, curves.clusters is not None or several)
    which = "pairs-of-runs" if several else "runs"
    caution = caution_of("targets-of-these", which, way=1 - tolerance, algorithms=k, problems=n, rows=scores.n_problems)
    return scores, (caution,)


def budgets_to_targets(
    curves: RunCurves, targets: Sequence[float], dimensions: Mapping[str, float] | None
) -> tuple[Scores, tuple[Caution, ...]]:
    """A row per problem, run and target: the budget at which the run reached it, or "not reached".

    All rows of a problem (or of its cluster) are one cluster. Nothing depends on the other algorithms.
    """
    sign = -1.0 if getattr(curves, "better", "lower") == "higher" else 1.0
    chosen = sorted({number("targets", x) for x in targets}, key=lambda x: -sign * x)  # the easiest first
    if not chosen:
        raise ParameterError("must have one target or more; got none", parameter="targets")
    stop = getattr(curves, "target", None)
    if stop is not None and sign * chosen[-1] < stop:
        raise ParameterError(f"must not be better than {sign * stop:g}, at which runs stopped; got {chosen[-1]:g}",
                             parameter="targets")  # fmt: skip
    n, k, m = len(curves.problems), len(curves.algorithms), len(chosen)
    counts = np.bincount(curves.cells, minlength=n * k).reshape(n, k)
    _refuse_unequal(curves, counts)
    units = _units(curves, dimensions)[curves.cells // k]
    hits = np.column_stack([_first_hits(curves, np.full(n, sign * x), k) / units for x in chosen])  # (R, m)
    budget = getattr(curves, "budget_name", "budget") if dimensions is None else _GRADIENTS
    metric = f"{budget} to each of {counted(m, 'target')}"
    return _by_row(curves, hits, counts, [f" to {x:g}" for x in chosen], metric, True, TARGETS), ()


def are_targets(scores: Scores) -> bool:
    """Is each row a target of a run?"""
    return scores.read_as.rows == "targets"


def _by_row(
    curves: RunCurves,
    hits: Array,
    counts: npt.NDArray[np.int64],
    targets: Sequence[str],
    metric: str,
    clustered: bool,
    read_as: ReadAs = LONG,
) -> Scores:
    """A row per problem, run and target, from (R, m) budgets of the runs; ``targets`` end the rows' names."""
    k, m = counts.shape[1], len(targets)
    rows, clusters, names = counts[:, 0].tolist(), [], []
    for problem, group, runs in zip(curves.problems, curves.clusters or curves.problems, rows, strict=True):
        each = [problem] if runs == 1 else [f"{problem} run {r + 1}" for r in range(runs)]
        names += [f"{name}{target}" for name in each for target in targets]
        clusters += [group] * (runs * m)
    # runs are sorted by problem, then algorithm, then run: rows are problems, runs and targets
    blocks = np.split(hits, np.cumsum(np.array(rows) * k)[:-1])
    table = np.concatenate([block.reshape(k, runs * m).T for block, runs in zip(blocks, rows, strict=True)])
    reached = np.isfinite(table)
    return Scores.from_cells(
        np.where(reached, table, np.nan)[:, :, None],
        curves.algorithms,
        names,
        better="lower",
        holes=True,
        unscored=True,
        metric=metric,
        clusters=clusters if clustered else None,
        status=np.where(reached, "ok", NOT_REACHED).astype(object)[:, :, None],
        source_sha256=getattr(curves, "source_sha256", ""),
        read_as=read_as,
    )


def _by_run(curves: RunCurves, hits: Array, counts: npt.NDArray[np.int64], metric: str) -> Scores:
    """A cell per problem and algorithm, its runs by budget, those that did not reach the target last."""
    n, k = counts.shape
    cells = np.full((n * k, int(counts.max())), np.nan)
    status = np.full(cells.shape, "", dtype=object)
    place = np.arange(len(hits)) - np.repeat(np.cumsum(counts.ravel()) - counts.ravel(), counts.ravel())
    hits = hits[np.lexsort((hits, curves.cells))]
    cells[curves.cells, place] = np.where(np.isfinite(hits), hits, np.nan)
    status[curves.cells, place] = np.where(np.isfinite(hits), "ok", NOT_REACHED)
    return Scores.from_cells(
        cells.reshape(n, k, -1),
        curves.algorithms,
        curves.problems,
        better="lower",
        holes=True,
        unscored=True,
        metric=metric,
        clusters=curves.clusters,
        status=status.reshape(n, k, -1),
        run_kind=getattr(curves, "run_kind", None),
        source_sha256=getattr(curves, "source_sha256", ""),
        read_as=LONG,
    )


def _refuse_unequal(curves: RunCurves, counts: npt.NDArray[np.int64]) -> None:
    for problem, row in zip(curves.problems, counts, strict=True):
        if row.min() != row.max():
            low, high = (curves.algorithms[int(j)] for j in (row.argmin(), row.argmax()))
            raise ScoreError(
                f"has {row.max()} runs of {high!r} and {row.min()} of {low!r} on problem {problem!r}; a data profile "
                "counts runs, and needs equally many of all algorithms",
                parameter="curves",
            )


def _targets(curves: RunCurves, tolerance: float, n: int, k: int) -> Array:
    """(n,) costs."""
    lowest = np.minimum.reduceat(curves.costs, curves.starts[:-1])
    best, start = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(best, curves.cells // k, lowest)
    firsts = _first_finite(curves)
    np.maximum.at(start, curves.cells // k, firsts)
    if not np.isfinite(best).all() or not np.isfinite(start).all():
        i = int(np.argmin(np.isfinite(best) & np.isfinite(start)))
        raise ScoreError(f"has no finite score to aim at on problem {curves.problems[i]!r}", parameter="curves")
    targets = best + tolerance * (start - best)
    return np.asarray(targets + tie_tolerance(np.maximum(np.abs(best), np.abs(start))))


def _first_finite(curves: RunCurves) -> Array:
    """(R,) the first finite cost of each run; −inf where there is none."""
    finite = np.isfinite(curves.costs)
    place = np.where(finite, np.arange(len(finite)), len(finite))
    first = np.minimum.reduceat(place, curves.starts[:-1])
    return np.where(first < curves.starts[1:], np.append(curves.costs, -np.inf)[first], -np.inf)


def _first_hits(curves: RunCurves, targets: Array, k: int) -> Array:
    """(R,) the first budget at the target; infinite where it was not reached."""
    lengths = np.diff(curves.starts)
    each = np.repeat(targets[curves.cells // k], lengths)
    hits = np.where(curves.costs <= each, curves.budgets, np.inf)
    return np.asarray(np.minimum.reduceat(hits, curves.starts[:-1]), dtype=np.float64)


def _units(curves: RunCurves, dimensions: Mapping[str, float] | None) -> Array:
    """(n,) n_p + 1, or 1."""
    if dimensions is None:
        return np.ones(len(curves.problems))
    missing = [problem for problem in curves.problems if problem not in dimensions]
    if missing:
        raise ParameterError(f"has no number of variables of problem {missing[0]!r}", parameter="dimensions")
    return np.array([positive("dimensions", dimensions[problem]) + 1 for problem in curves.problems])
