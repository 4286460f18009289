"""The critical p-value of a pair: the largest raw p with which it would be rejected, all other p-values staying.

For corrections that compare p with alpha/s for whole s (Bonferroni, Holm, Hochberg, Shaffer, Bergmann–Hommel) it is
one of these, found by bisection over s; for others, by bisection over p. Every correction increases with every p.
"""

from __future__ import annotations

import math

import numpy as np

from bakeoff.analyses.sensitivity.statistics.analysis import ExaminedAnalysis, ExaminedTable
from bakeoff.analyses.sensitivity.statistics.many_corrections import adjusted_of_many
from bakeoff.analyses.sensitivity.statistics.many_tables import ManyTests
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.posthoc import POSTHOC
from bakeoff.posthoc._critical_difference import critical_z
from bakeoff.posthoc.pairs import PairTests
from bakeoff.scores import Array

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
