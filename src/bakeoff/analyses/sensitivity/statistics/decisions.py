"""Decisions about many tables made of rows of one, and the critical p-value of each pair."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting.many_families import bergmann_hommel_columns, shaffer_dynamic_columns
from bakeoff.analyses.compare.statistics.corrections import QUICK, adjusted_family
from bakeoff.analyses.sensitivity.statistics.analysis import Decided, ExaminedAnalysis, ExaminedTable, Rows, Signs
from bakeoff.analyses.sensitivity.statistics.many_tables import ManyTests, many_tests
from bakeoff.dataclass import dataclass, fields
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.posthoc import POSTHOC
from bakeoff.posthoc._critical_difference import critical_z
from bakeoff.posthoc.pairs import PairTests
from bakeoff.scores import Array

# One correction of the p-values of many tables: side by side where that is quick, else one by one.

BY_PARTITIONS = {"bergmann-hommel": bergmann_hommel_columns, "shaffer-dynamic": shaffer_dynamic_columns}


def adjusted_of_many(table: ExaminedTable, analysis: ExaminedAnalysis, tests: ManyTests) -> Array:
    """(B, m) adjusted p-values, as of one table at a time."""
    method, k = analysis.method, table.scores.n_algorithms
    p = tests.pvalue
    if p.shape[1] == 1:
        return p
    adjusted = np.empty_like(p)
    together: npt.NDArray[np.bool_] = np.zeros(len(p), dtype=np.bool_)
    if method in BY_PARTITIONS and k <= QUICK and table.control is None:
        together = np.asarray((p > 0.0).all(axis=1))
        adjusted[together] = BY_PARTITIONS[method](p[together].T, k).T
    for i in np.flatnonzero(~together).tolist():
        one = tests.one(i)
        adjusted[i] = adjusted_family(table.measured, table.family, one, method, table.control, analysis.printed)
    return adjusted


# What an analysis decides about many tables made of rows of one.

Progress = Callable[[int, int], None]
"""Called with (done, total) as long work goes on."""
PART = 50
"""Tables between two reports of progress."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyDecisions:
    """The decisions about B tables and m pairs."""

    signs: Signs  # (B, m) 1: a better, −1: b better, 0: no difference shown
    adjusted: Array  # (B, m)
    pvalue: Array
    direction: Array


def decide_many(
    table: ExaminedTable, analysis: ExaminedAnalysis, rows: Rows, progress: Progress | None = None
) -> ManyDecisions:
    """The tables whose problems are these rows (B, n) of the one given; as ``ExaminedAnalysis.decide`` of each."""
    many = many_tests(table, analysis)
    parts = []
    for start in range(0, len(rows), PART):
        part = rows[start : start + PART]
        if many is None:
            parts.append(_one_by_one(table, analysis, part))
        else:
            tests = many(part)
            adjusted = adjusted_of_many(table, analysis, tests)
            closed = analysis.unable(table.rows(part[0]), _printed(tests.errors, analysis))
            signs = analysis.signs(adjusted, tests.direction, closed)
            parts.append(ManyDecisions(signs=signs, adjusted=adjusted, pvalue=tests.pvalue, direction=tests.direction))
        if progress is not None:
            progress(min(start + PART, len(rows)), len(rows))
    names = [one.name for one in fields(ManyDecisions)]
    return ManyDecisions(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def _printed(errors: Array | None, analysis: ExaminedAnalysis) -> float | None:
    """The papers' standard error, the same for every table of as many problems, if it is in force."""
    return float(errors[0, 0]) if errors is not None and analysis.forms[0] == "papers" else None


def _one_by_one(table: ExaminedTable, analysis: ExaminedAnalysis, rows: Rows) -> ManyDecisions:
    each: list[Decided] = [analysis.decide(table.rows(places)) for places in rows]
    return ManyDecisions(
        signs=np.array([one.signs for one in each], dtype=np.int8),
        adjusted=np.array([one.adjusted for one in each]),
        pvalue=np.array([one.tests.pvalue for one in each]),
        direction=np.array([one.tests.direction for one in each]),
    )


# The critical p-value of a pair: the largest raw p with which it would be rejected, all other p-values staying.
#
# For corrections that compare p with alpha/s for whole s (Bonferroni, Holm, Hochberg, Shaffer, Bergmann–Hommel) it is
# one of these, found by bisection over s; for others, by bisection over p. Every correction increases with every p.

WHOLE = ("bonferroni", "holm", "hochberg", "shaffer", "shaffer-dynamic", "bergmann-hommel")
STEPS = 60


def critical_pvalues(table: ExaminedTable, analysis: ExaminedAnalysis, tests: PairTests) -> Array | None:
    """(m,) of each pair; 0 where no p-value would do. None where no p-value of the pair's own decides."""
    m = len(tests.pvalue)
    if m == 1:
        return np.full(1, analysis.alpha)
    if analysis.method == "nemenyi" and not analysis.printed:
        assert tests.standard_error is not None
        assert tests.range_error is not None
        if tests.standard_error == 0.0:
            return np.zeros(m)
        z = critical_z("nemenyi", table.scores.n_algorithms, analysis.alpha) * tests.range_error / tests.standard_error
        return np.full(m, float(normal_two_sided(np.array([z]))[0][0]))
    if analysis.method in POSTHOC and not analysis.printed:
        return None
    if analysis.method in WHOLE or (analysis.method == "nemenyi" and analysis.printed):
        return _among(table, analysis, tests, analysis.alpha / np.arange(m, 0, -1))
    low, high = np.zeros(m), np.ones(m)
    for _ in range(STEPS):
        middle = (low + high) / 2
        passed = _rejected(table, analysis, tests, middle)
        low, high = np.where(passed, middle, low), np.where(passed, high, middle)
    return low


def _among(table: ExaminedTable, analysis: ExaminedAnalysis, tests: PairTests, candidates: Array) -> Array:
    """The largest candidate of each pair that is rejected; candidates ascend, so that they are rejected up to one."""
    m, width = len(tests.pvalue), len(candidates)
    passed, failed = np.full(m, -1), np.full(m, width)  # the last one rejected, the first one not
    down = candidates * (1.0 - 1e-12)  # a product with its divisor may exceed alpha by rounding
    for _ in range(math.ceil(math.log2(width + 1)) + 1):
        middle = np.clip((passed + failed) // 2, 0, width - 1)
        good = _rejected(table, analysis, tests, down[middle])
        open_ = failed - passed > 1
        passed = np.where(open_ & good, middle, passed)
        failed = np.where(open_ & ~good, middle, failed)
    return np.where(passed >= 0, candidates[np.maximum(passed, 0)], 0.0)


def _rejected(
    table: ExaminedTable, analysis: ExaminedAnalysis, tests: PairTests, p: Array
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """(m,) whether each pair would be rejected with this p, the others as they are."""
    m = len(p)
    swapped = np.broadcast_to(tests.pvalue, (m, m)).copy()
    swapped[np.arange(m), np.arange(m)] = p
    with np.errstate(divide="ignore"):
        logs = np.broadcast_to(tests.log_pvalue, (m, m)).copy()
        logs[np.arange(m), np.arange(m)] = np.log(p)
    shape = np.zeros((m, m))
    many = ManyTests(statistic=shape, direction=shape, pvalue=swapped, log_pvalue=logs)
    return np.asarray(adjusted_of_many(table, analysis, many).diagonal() <= analysis.alpha)
