"""Sampled law of Σ_j T_j², the column sums of a table whose rows are permuted independently of one another."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.nulls.column_sums import canonical_rows, observed_sum
from bakeoff.nulls.sorted_states import Ints, Pattern

_CHUNK = 1 << 19  # numbers shuffled at a time; fixed, so that the answer does not depend on the machine


def sampled_tail(table: Ints, n_resamples: int, rng: np.random.Generator) -> tuple[float, int]:
    """p = (1 + #{Σ T*² ≥ Σ T²}) / (1 + n_resamples), and the count.

    The observed table counts as one of the resamples, so that p is never 0 and the test keeps its level (Phipson &
    Smyth 2010). Ties are ties of whole numbers. The draws depend on the rows as a set, not on their order or on the
    labels of the columns.
    """
    rows = canonical_rows(table)
    if not rows:
        return 1.0, n_resamples
    observed = observed_sum(table)
    count = 0
    per_chunk = max(1, _CHUNK // (len(rows) * len(rows[0])))
    for first in range(0, n_resamples, per_chunk):
        sums = _resampled_sums(rows, min(per_chunk, n_resamples - first), rng)
        count += int((sums >= observed).sum())
    return (1 + count) / (1 + n_resamples), count


def _resampled_sums(rows: tuple[Pattern, ...], size: int, rng: np.random.Generator) -> npt.NDArray[Any]:
    """(size,) Σ T_j² of tables with every row shuffled; Python integers where int64 might wrap."""
    table = np.array(rows, dtype=np.int64)
    shuffled = rng.permuted(np.broadcast_to(table, (size, *table.shape)), axis=2)
    columns = shuffled.sum(axis=1)
    largest = sum(max(row) for row in rows)
    exact = columns if largest**2 * table.shape[1] < 2**62 else columns.astype(object)
    sums: npt.NDArray[Any] = (exact * exact).sum(axis=1)
    return sums
