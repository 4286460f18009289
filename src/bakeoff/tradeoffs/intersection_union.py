"""Not worse in any metric and better in one: intersection–union tests of ordered pairs.

"a is a better trade-off than b" is denied if a is worse by the margin in some metric, or better in none. The first is
rejected at max_j p_NI,j (each denial alone suffices: no correction), the second at the smallest Holm-adjusted p of
superiority, which is M·min_j p_j; both at the larger one. Valid whatever the dependence between metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.evaluation.differences import pair_moments
from bakeoff.evaluation.strata import Stratum
from bakeoff.nulls.tails import t_sf
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array
from bakeoff.tradeoffs.tables import MetricTable


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTests:
    """Of one metric, (k, k): row a against column b; the diagonal has no meaning."""

    differences: Array
    not_worse: Array
    better: Array


def metric_tests(table: MetricTable, stratum: Stratum) -> MetricTests:
    """One-sided t-tests of the mean difference against −margin, and against 0, both ways."""
    s = table.measured
    k = s.n_algorithms
    a, b = np.triu_indices(k, 1)
    oriented = s.values if s.better == "higher" else -s.values
    found = pair_moments(oriented, s.scales, (a, b), [stratum])
    margin = table.margin.value
    tolerance = tie_tolerance(np.maximum(s.scales[:, a], s.scales[:, b]).max(axis=0))
    differences = np.zeros((k, k))
    not_worse, better = np.ones((k, k)), np.ones((k, k))
    differences[a, b], differences[b, a] = found.means, -found.means
    for rows, columns, means in ((a, b, found.means), (b, a, -found.means)):
        better[rows, columns] = _above(means, found.errors, found.df, tolerance)
        not_worse[rows, columns] = _above(means + margin, found.errors, found.df, tolerance)
    return MetricTests(differences=differences, not_worse=not_worse, better=better)


def _above(means: Array, errors: Array, df: Array, tolerance: Array) -> Array:
    """p of "the mean is not above 0"; without variation the limit: 0 above it, else 1."""
    varies = errors > 0
    t = np.where(varies, means / np.where(varies, errors, 1.0), 0.0)
    limit = np.where(means > tolerance, 0.0, 1.0)
    return np.where(varies, t_sf(t, df)[0], limit)


def better_in_one(tests: Sequence[MetricTests]) -> Array:
    """(k, k) M·min_j p_j of superiority, the smallest p adjusted by Holm."""
    smallest = np.minimum.reduce([each.better for each in tests])
    return np.asarray(np.minimum(1.0, len(tests) * smallest))


def better_tradeoff(tests: Sequence[MetricTests]) -> Array:
    """(k, k) max(max_j p_NI,j, M·min_j p_j)."""
    return np.maximum(np.maximum.reduce([each.not_worse for each in tests]), better_in_one(tests))
