"""One correction of the p-values of many tables.

Bergmann and Hommel's procedure and Shaffer's dynamic one need, for every table and threshold t, the largest number of
pairs within the blocks of a partition in which all pairs of a block have p ≥ t. The dynamic programme over subsets
(``adjusting/bergmann_hommel_subsets.py``) does all tables side by side here: f(S) = max over cliques B that hold the
highest member of S of C(|B|, 2) + f(S∖B).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting import PAIRWISE_METHODS
from bakeoff.comparison.corrections import QUICK, adjusted_family
from bakeoff.posthoc import POSTHOC
from bakeoff.robustness.analysis import ExaminedAnalysis, ExaminedTable
from bakeoff.robustness.many_tables import ManyTests
from bakeoff.scores import Array

Counts = npt.NDArray[np.uint8]
CELLS = 1 << 26
"""Bytes of the tables of partitions held at once."""


def adjusted_of_many(table: ExaminedTable, analysis: ExaminedAnalysis, tests: ManyTests) -> Array:
    """(B, m) adjusted p-values, as of one table at a time."""
    method, k = analysis.method, table.scores.n_algorithms
    p = tests.pvalue
    if p.shape[1] == 1:
        return p
    found = np.empty_like(p)
    together: npt.NDArray[np.bool_] = np.zeros(len(p), dtype=np.bool_)
    if method in ("bergmann-hommel", "shaffer-dynamic") and k <= QUICK and table.control is None:
        together = np.asarray((p > 0.0).all(axis=1))
        found[together] = _by_partitions(p[together], k, method)
    for i in np.flatnonzero(~together).tolist():
        one = tests.one(i)
        found[i] = adjusted_family(table.measured, table.family, one, method, table.control, analysis.printed)
    return found


def needs_partitions(method: str) -> bool:
    return method in PAIRWISE_METHODS and method not in POSTHOC and method in ("bergmann-hommel", "shaffer-dynamic")


def _by_partitions(p: Array, k: int, method: str) -> Array:
    """(B, m) of all pairs of k algorithms, none of whose p-values is 0."""
    m = p.shape[1]
    step = max(1, CELLS // (2**k * m))
    work = _bergmann_hommel if method == "bergmann-hommel" else _shaffer_dynamic
    parts = [work(p[start : start + step], k) for start in range(0, len(p), step)]
    return np.concatenate(parts) if parts else p


def _bergmann_hommel(p: Array, k: int) -> Array:
    """max over thresholds t of t · (most pairs within blocks that keep this pair together)."""
    thresholds = np.sort(p, axis=1)
    clique, best = _partitions(p, thresholds, k)
    whole = 2**k - 1
    size = _pairs_within(k)
    held = [best[whole ^ s] + size[s] for s in range(2**k)]
    for s in range(2**k):
        held[s] &= clique[s]
    adjusted = np.empty_like(p)
    for column, (i, j) in enumerate(_pairs(k)):
        both = (1 << i) | (1 << j)
        most = np.zeros_like(held[0])
        for s in range(2**k):
            if s & both == both:
                np.maximum(most, held[s], out=most)
        adjusted[:, column] = (thresholds * np.maximum(most, 1) * (most > 0)).max(axis=1)
    return np.clip(adjusted, p, 1.0)


def _shaffer_dynamic(p: Array, k: int) -> Array:
    """max over thresholds t up to p of t · (most pairs within blocks)."""
    order = np.argsort(p, axis=1)
    thresholds = np.take_along_axis(p, order, axis=1)
    _, best = _partitions(p, thresholds, k)
    steps = np.maximum.accumulate(thresholds * best[2**k - 1], axis=1)
    last = (thresholds[:, None, :] <= p[:, :, None]).sum(axis=2) - 1  # of equal p-values
    return np.asarray(np.clip(np.take_along_axis(steps, last, axis=1), p, 1.0))


def _pairs(k: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(k) for j in range(i + 1, k)]


def _pairs_within(k: int) -> Counts:
    size = np.array([s.bit_count() for s in range(2**k)])
    return np.asarray(size * (size - 1) // 2, dtype=np.uint8)


def _partitions(p: Array, thresholds: Array, k: int) -> tuple[list[Counts], list[Counts]]:
    """By subset: 255 where (table, threshold) makes it a clique, else 0; and f."""
    alive = {
        (i, j): np.where(p[:, column, None] >= thresholds, np.uint8(255), np.uint8(0))
        for column, (i, j) in enumerate(_pairs(k))
    }
    everywhere = np.full(thresholds.shape, 255, dtype=np.uint8)
    clique: list[Counts] = [everywhere]
    for h in range(k):
        to_h: list[Counts] = [everywhere]
        for i in range(h):
            to_h += [one & alive[i, h] for one in to_h]
        clique += [one & near for one, near in zip(clique[: 2**h], to_h, strict=True)]
    size, best = _pairs_within(k), [np.zeros(thresholds.shape, dtype=np.uint8)]
    gained = np.empty_like(everywhere)
    for h in range(k):
        for rest in range(2**h):
            found = best[rest].copy()  # h alone
            others = rest
            while others:
                block = others | 1 << h
                np.add(best[rest ^ others], size[block], out=gained)
                np.bitwise_and(gained, clique[block], out=gained)
                np.maximum(found, gained, out=found)
                others = (others - 1) & rest
            best.append(found)
    return clique, best
