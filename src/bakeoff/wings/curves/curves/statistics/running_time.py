"""Fixed budget, fixed target, and expected running time, from the runs themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.checks import draw_count, positive
from bakeoff.means.strata import drawn_units, effective_clusters
from bakeoff.nulls.tails import expanded_tail
from bakeoff.randomness import generator
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import codes_of
from bakeoff.wings.curves.trajectories import Trajectories


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
    same = {name: getattr(runs, name) for name in ("clusters", "run_kind", "source_sha256")}
    return Scores.from_cells(cells, runs.algorithms, runs.problems, **same, **about)


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
    """Up to the caps, so that no algorithm gains by having been run for longer."""
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
