"""Bootstrap over runs, or over tasks and runs: the same tasks for all algorithms, runs for each by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.means.trimmed_means import QUARTER
from bakeoff.randomness import in_chunks
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, members

CELLS = 1 << 21  # runs drawn at once
COMPARED = 1 << 23  # pairs of runs that a chunk may have

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampled:
    """(B, k) of each algorithm; ``improvement`` is (B, m), of each pair."""

    iqm: Array
    mean: Array
    median: Array
    gap: Array
    improvement: Array


def resampled_aggregates(
    runs: Array,
    columns: list[int],
    pairs: list[tuple[int, int]],
    codes: Codes | None,
    goal: float | None,
    higher: bool,
    n_resamples: int,
    rng: np.random.Generator,
) -> Resampled:
    """``runs`` is (T, k, R), NaN-padded; ``codes`` are the clusters of tasks to draw, None to keep the tasks.

    Runs are drawn for one algorithm after the other, in the order of ``columns``.
    """
    t, k, r = runs.shape
    counts = (~np.isnan(runs)).sum(axis=2)
    groups = None if codes is None else members(codes)

    def draw(stream: np.random.Generator, size: int) -> tuple[Array, ...]:
        tasks = np.broadcast_to(np.arange(t), (size, t)) if groups is None else _tasks(groups, stream, size)
        of = {j: _runs(runs[:, j], counts[:, j], tasks, stream) for j in columns}
        drawn = [of[j][0] for j in range(k)]
        short = 0.0 if goal is None else goal
        gaps = [np.maximum(short - x if higher else x - short, 0.0) for x in drawn]
        return (
            np.column_stack([_interquartile(x.reshape(size, -1)) for x in drawn]),
            np.column_stack([_mean(x.reshape(size, -1)) for x in drawn]),
            np.column_stack([_median_of_tasks(x) for x in drawn]),
            np.column_stack([_mean(x.reshape(size, -1)) for x in gaps]),
            _improvements(runs if higher else -runs, pairs, tasks, np.stack([of[j][1] for j in range(k)], axis=2)),
        )

    widest = t if groups is None else len(groups) * max(map(len, groups))
    chunk = max(1, min(CELLS // (widest * k * r), COMPARED // (widest * r * r)))
    parts = [np.concatenate(part) for part in zip(*in_chunks(draw, n_resamples, chunk, rng), strict=True)]
    return Resampled(iqm=parts[0], mean=parts[1], median=parts[2], gap=parts[3], improvement=parts[4])


def _tasks(groups: list[Places], stream: np.random.Generator, size: int) -> Places:
    """(size, T') places of tasks, −1 where a drawn cluster has fewer tasks than the largest."""
    widest = max(map(len, groups))
    table = np.full((len(groups), widest), -1, dtype=np.int64)
    for row, group in zip(table, groups, strict=True):
        row[: len(group)] = group
    return table[stream.integers(0, len(groups), (size, len(groups)))].reshape(size, -1)


def _runs(
    runs: Array, counts: npt.NDArray[np.int64], tasks: Places, stream: np.random.Generator
) -> tuple[Array, Array]:
    """(size, T', R) runs of these tasks, drawn with replacement, NaN beyond the number of runs of a task; and how often
    each run of the task was drawn."""
    r = runs.shape[1]
    sizes = counts[tasks][:, :, None]
    place = (stream.random((*tasks.shape, r)) * sizes).astype(np.int64)
    drawn = runs[tasks[:, :, None], place]
    missing = (np.arange(r) >= sizes) | (tasks < 0)[:, :, None]
    cell = np.arange(tasks.size).reshape(tasks.shape)[:, :, None] * r + place
    often = np.bincount(cell[~missing], minlength=tasks.size * r).astype(np.float64).reshape(drawn.shape)
    return np.where(missing, np.nan, drawn) if missing.any() else drawn, often


def _interquartile(values: Array) -> Array:
    """(size,) of rows (size, N) with NaN, which sort to the end."""
    ordered = np.sort(values, axis=1)
    n = (~np.isnan(ordered)).sum(axis=1)
    if (n == values.shape[1]).all():
        g = values.shape[1] // QUARTER
        return np.asarray(ordered[:, g : values.shape[1] - g].mean(axis=1))
    g = n // QUARTER
    place = np.arange(values.shape[1])
    kept = (place >= g[:, None]) & (place < (n - g)[:, None])
    return np.asarray(np.where(kept, ordered, 0.0).sum(axis=1) / kept.sum(axis=1))


def _mean(values: Array) -> Array:
    """(size,) of rows with NaN, which are left out."""
    return np.asarray((np.nanmean if np.isnan(values).any() else np.mean)(values, axis=1))


def _median_of_tasks(drawn: Array) -> Array:
    known = ~np.isnan(drawn)
    if known.all():
        return np.asarray(np.median(drawn.mean(axis=2), axis=1))
    counts = known.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(known, drawn, 0.0).sum(axis=2) / counts
    return np.asarray(np.nanmedian(means, axis=1))


def _improvements(runs: Array, pairs: list[tuple[int, int]], tasks: Places, often: Array) -> Array:
    """(size, m) mean over tasks of the share of pairs of runs in which a is higher, ties one half.

    ``often`` (size, T', k, R) says how often each run was drawn: w_a · wins · w_b of the runs as they are, in whole and
    half numbers, compares them once, not in each resample.
    """
    others: dict[int, list[int]] = {}
    for place, (a, _) in enumerate(pairs):
        others.setdefault(a, []).append(place)
    second, flat = np.array([b for _, b in pairs]), tasks.ravel()
    often = often.reshape(len(flat), *often.shape[2:])
    met = often.sum(axis=2)
    shares = np.full((len(pairs), len(flat)), np.nan)
    for task, cells in enumerate(runs):
        at = np.flatnonzero(flat == task)
        weights = often[at]
        for a, places in others.items():
            b = second[places]
            mine, theirs = cells[a][:, None, None], cells[b][None]
            wins = (mine > theirs) + 0.5 * (mine == theirs)
            won = (weights[:, a] @ wins.reshape(len(wins), -1)).reshape(len(at), len(b), -1)
            with np.errstate(invalid="ignore"):
                sums = np.einsum("sbr,sbr->sb", won, weights[:, b])  # exact in any order
                share = sums / (met[at, a][:, None] * met[at][:, b])
            shares[np.array(places)[:, None], at] = share.T
    return np.column_stack([np.nanmean(one.reshape(tasks.shape), axis=1) for one in shares])
