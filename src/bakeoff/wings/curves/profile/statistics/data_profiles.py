"""Budgets at which runs reached the target of their problem (data profiles of Moré and Wild).

Or each of several fixed targets (the runtime distributions of COCO).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import number, positive
from bakeoff.errors import Caution, ParameterError, ScoreError, counted
from bakeoff.ranks.ties import tie_tolerance
from bakeoff.scores import Array, Scores
from bakeoff.scores.read_as import LONG, ReadAs
from bakeoff.scores.runs import RunStatus
from bakeoff.wings.curves.trajectories import Trajectories

NOT_REACHED = "not reached"
TARGETS = ReadAs(rows="targets")
COCO = tuple(float(f"{10.0 ** (2 - i / 5):.6g}") for i in range(51))
"""The precisions that COCO counts: 51 from 100 to 1e-8, equally spaced by their logarithms (Hansen et al. 2016)."""
_GRADIENTS = "budget in simplex gradients"


def budgets_to_target(
    runs: Trajectories, tolerance: float, dimensions: Mapping[str, float] | None, by_run: bool = False
) -> tuple[Scores, tuple[Caution, ...]]:
    """A table of budgets, "not reached" where a run ended before; and what must be known of its targets.

    The target of a problem is f with f₀ − f ≥ (1 − tolerance)(f₀ − f_L): f₀ the worst first score of its runs (they
    begin at one point, or should), f_L the best score of any run of any algorithm. Several runs of a cell are rows of
    their own, in one cluster; ``by_run``: they are the runs of their cell.
    """
    if tolerance >= 1:
        raise ParameterError(f"must be below 1: at 1 the start is the target; got {tolerance:g}", parameter="tolerance")
    _refuse_unequal(runs)
    hits = runs.first_hits(_targets(runs, tolerance)[runs.rows])
    hits /= _units(runs, dimensions)[runs.rows]
    n, k = runs.counts.shape
    metric = "budget" if dimensions is None else _GRADIENTS
    if by_run:
        own = caution_of("targets-of-these", "runs", way=1 - tolerance, algorithms=k, problems=n, rows=n)
        return _by_run(runs, hits, metric), (own,)
    several = bool((runs.counts > 1).any())
    scores = _by_row(runs, hits[:, None], ("",), metric, runs.clusters is not None or several)
    which = "pairs-of-runs" if several else "runs"
    caution = caution_of("targets-of-these", which, way=1 - tolerance, algorithms=k, problems=n, rows=scores.n_problems)
    return scores, (caution,)


def budgets_to_targets(
    runs: Trajectories, targets: Sequence[float], dimensions: Mapping[str, float] | None
) -> tuple[Scores, tuple[Caution, ...]]:
    """A row per problem, run and target: the budget at which the run reached it, or "not reached".

    All rows of a problem (or of its cluster) are one cluster. Nothing depends on the other algorithms.
    """
    chosen = sorted({number("targets", x) for x in targets}, key=lambda x: -runs.sign * x)  # the easiest first
    if not chosen:
        raise ParameterError("must have one target or more; got none", parameter="targets")
    runs.cost_of(chosen[-1], "targets")
    _refuse_unequal(runs)
    units = _units(runs, dimensions)[runs.rows]
    hits = np.column_stack([runs.first_hits(runs.sign * x) / units for x in chosen])  # (R, m)
    budget = runs.budget_name if dimensions is None else _GRADIENTS
    metric = f"{budget} to each of {counted(len(chosen), 'target')}"
    return _by_row(runs, hits, [f" to {x:g}" for x in chosen], metric, True, TARGETS), ()


def are_targets(scores: Scores) -> bool:
    """Is each row a target of a run?"""
    return scores.read_as.rows == "targets"


def _by_row(
    runs: Trajectories, hits: Array, targets: Sequence[str], metric: str, clustered: bool, read_as: ReadAs = LONG
) -> Scores:
    """A row per problem, run and target, from (R, m) budgets of the runs; ``targets`` end the rows' names."""
    counts, m = runs.counts, len(targets)
    rows, clusters, names = counts[:, 0].tolist(), [], []
    for problem, group, r in zip(runs.problems, runs.clusters or runs.problems, rows, strict=True):
        each = [problem] if r == 1 else [f"{problem} run {i + 1}" for i in range(r)]
        names += [f"{name}{target}" for name in each for target in targets]
        clusters += [group] * (r * m)
    # runs are sorted by problem, then algorithm, then run: rows are problems, runs and targets
    k = counts.shape[1]
    blocks = np.split(hits, np.cumsum(np.array(rows) * k)[:-1])
    table = np.concatenate([block.reshape(k, r * m).T for block, r in zip(blocks, rows, strict=True)])
    status = np.where(np.isfinite(table), "ok", NOT_REACHED).astype(object)
    groups = clusters if clustered else None
    return _scores(runs, table[:, :, None], status[:, :, None], problems=names, clusters=groups, metric=metric,
                   read_as=read_as)  # fmt: skip


def _by_run(runs: Trajectories, hits: Array, metric: str) -> Scores:
    """A cell per problem and algorithm, its runs by budget, those that did not reach the target last."""
    hits = hits[np.lexsort((hits, runs.cells))]
    status = runs.by_cell(np.where(np.isfinite(hits), "ok", NOT_REACHED).astype(object), "")
    about = {"problems": runs.problems, "clusters": runs.clusters, "run_kind": runs.run_kind}
    return _scores(runs, runs.by_cell(hits, np.nan), status, metric=metric, read_as=LONG, **about)


def _scores(runs: Trajectories, hits: Array, status: RunStatus, **about: Any) -> Scores:
    """``hits`` are infinite where the target was not reached, which has no score."""
    about |= {"holes": True, "unscored": True, "source_sha256": runs.source_sha256, "status": status}
    return Scores.from_cells(np.where(np.isfinite(hits), hits, np.nan), runs.algorithms, better="lower", **about)


def _refuse_unequal(runs: Trajectories) -> None:
    for problem, row in zip(runs.problems, runs.counts, strict=True):
        if row.min() != row.max():
            low, high = (runs.algorithms[int(j)] for j in (row.argmin(), row.argmax()))
            raise ScoreError(
                f"has {row.max()} runs of {high!r} and {row.min()} of {low!r} on problem {problem!r}; a data profile "
                "counts runs, and needs equally many of all algorithms",
                parameter="curves",
            )


def _targets(runs: Trajectories, tolerance: float) -> Array:
    """(n,) costs."""
    lowest = np.minimum.reduceat(runs.costs, runs.starts[:-1])
    best, start = np.full(len(runs.problems), np.inf), np.full(len(runs.problems), -np.inf)
    np.minimum.at(best, runs.rows, lowest)
    np.maximum.at(start, runs.rows, _first_finite(runs))
    if not np.isfinite(best).all() or not np.isfinite(start).all():
        i = int(np.argmin(np.isfinite(best) & np.isfinite(start)))
        raise ScoreError(f"has no finite score to aim at on problem {runs.problems[i]!r}", parameter="curves")
    targets = best + tolerance * (start - best)
    return np.asarray(targets + tie_tolerance(np.maximum(np.abs(best), np.abs(start))))


def _first_finite(runs: Trajectories) -> Array:
    """(R,) the first finite cost of each run; −inf where there is none."""
    finite = np.isfinite(runs.costs)
    place = np.where(finite, np.arange(len(finite)), len(finite))
    first = np.minimum.reduceat(place, runs.starts[:-1])
    return np.where(first < runs.starts[1:], np.append(runs.costs, -np.inf)[first], -np.inf)


def _units(runs: Trajectories, dimensions: Mapping[str, float] | None) -> Array:
    """(n,) n_p + 1, or 1."""
    if dimensions is None:
        return np.ones(len(runs.problems))
    missing = [problem for problem in runs.problems if problem not in dimensions]
    if missing:
        raise ParameterError(f"has no number of variables of problem {missing[0]!r}", parameter="dimensions")
    return np.array([positive("dimensions", dimensions[problem]) + 1 for problem in runs.problems])
