"""Exact law of Σ_j T_j², T_j = column sums of a table whose rows are permuted independently of one another.

Friedman's, the aligned-ranks and Quade's statistic are all increasing functions of Σ T_j² under permutations within
problems (what else is in their formulas does not change), so one law serves all three, with or without ties.

The sum of squares does not change when columns are relabelled. So the state after some rows is the *sorted* vector
of column sums, and one row more takes each state, by each distinct permutation of the row, to a sorted state again.
Where every row is symmetric (ranks without ties are), reversing the order of values is one more symmetry, and only
one of a state and its mirror image is kept. The last row needs no states, only sums of squares.

Weights are floats: whole numbers while below 2**53, sums of positive terms always, so every probability has a
relative error below about n·1e-16, however small it is.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.errors import TooLargeError
from bakeoff.nulls import disk_cache
from bakeoff.nulls.sorted_states import (
    Ints,
    Pattern,
    add_row,
    bounds,
    distinct_permutations,
    last_row,
    n_permutations,
    numbering,
)

NullDistribution = disk_cache.NullDistribution  # values of Σ T_j², ascending, and their probabilities

WORK_LIMIT = 400_000_000
"""Most sorted vectors an exact distribution may visit (estimated): some ten seconds of work."""

LOG_OUTCOMES_LIMIT = 690.0
"""Largest logarithm of the number of equally likely tables: beyond, probabilities leave the range of a float."""

WORTH_KEEPING = 1_000_000
"""Estimated work from which a distribution is kept on disk: some twentieth of a second."""

PERMUTATIONS_LIMIT = 400_000
"""Most distinct orders of one row: nine untied values have 362 880."""


def exact_tail(table: Ints) -> tuple[float, float]:
    """P(Σ T_j² ≥ that of ``table``) under permutations within its rows, and the logarithm.

    ``table`` is (n, k) whole numbers: doubled ranks, doubled aligned ranks, four times Quade's S_ij.
    Raises TooLargeError where there is an ``obstacle``.
    """
    rows = canonical_rows(table)
    if reason := obstacle(rows):
        n, k = table.shape
        raise TooLargeError(
            f'method="exact" is out of reach for this table of {n} problems × {k} algorithms: '
            f'{reason}. Use method="permutation" (a sample of the distribution) or method="auto".'
        )
    return law_tail(column_sum_law(rows), observed_sum(table)) if rows else (1.0, 0.0)


def law_tail(law: NullDistribution, observed: int) -> tuple[float, float]:
    """P(value ≥ observed) and its logarithm."""
    values, probabilities = law
    start = int(np.searchsorted(values, observed))
    if start == 0:
        return 1.0, 0.0
    upper = math.fsum(probabilities[start:].tolist())
    if upper <= 0.5:
        return upper, math.log(upper) if upper > 0 else -math.inf
    lower = math.fsum(probabilities[:start].tolist())
    return 1.0 - lower, math.log1p(-lower)


def observed_sum(table: Ints) -> int:
    """Σ T_j² of the table itself, on the scale of ``canonical_rows``."""
    reduced, divisor = _reduce(table)
    return sum((t // divisor) ** 2 for t in reduced.sum(axis=0).tolist())


def canonical_rows(table: Ints) -> tuple[Pattern, ...]:
    """The rows as the distribution needs them: sorted, from 0, in lowest terms, fewest permutations first."""
    reduced, divisor = _reduce(table)
    rows = [tuple(x // divisor for x in sorted(row)) for row in reduced.tolist() if max(row) > 0]
    return tuple(sorted(rows, key=lambda row: (n_permutations(row), row)))


def _reduce(table: Ints) -> tuple[Ints, int]:
    """Subtract each row's least value; Σ T_j² changes by a constant, since the total of a row is fixed."""
    reduced = table - table.min(axis=1, keepdims=True)
    return reduced, int(np.gcd.reduce(reduced, axis=None)) or 1


def obstacle(rows: tuple[Pattern, ...], work_limit: float = WORK_LIMIT) -> str:
    """Why the exact distribution is out of reach; empty if it is not."""
    if len(rows) < 2:
        return ""  # relabelling columns leaves one table
    most = n_permutations(rows[-1])
    if most > PERMUTATIONS_LIMIT:
        from decimal import Decimal  # prints numbers beyond the range of a float; not at start-up

        return f"one problem has {Decimal(most):.2g} orders (the limit is {PERMUTATIONS_LIMIT})"
    tables = math.fsum(math.log(n_permutations(row)) for row in rows[1:])
    if tables > LOG_OUTCOMES_LIMIT:
        digits, limit = (x / math.log(10) for x in (tables, LOG_OUTCOMES_LIMIT))
        return f"there are 1e{digits:.0f} equally likely tables (the limit is 1e{limit:.0f})"
    work = exact_work(rows)
    if math.isinf(work):
        return "there are more vectors of rank sums than can be numbered"
    if work > work_limit:
        return f"about {work:.2g} vectors of rank sums must be visited (the limit is {work_limit:.2g})"
    return ""


def surely_out_of_reach(table: Ints) -> bool:
    """Is there an ``obstacle`` for certain: more orders of one row, or more tables, than the limits? All rows at once.

    With g the place of a value among those equal to it, a row has k! / Π g orders.
    """
    ordered = np.sort(table, axis=1)
    place = np.arange(1, table.shape[1] + 1)
    first = np.ones(table.shape, dtype=np.int64)
    first[:, 1:] = np.where(ordered[:, 1:] == ordered[:, :-1], 1, place[1:])
    among = place - np.maximum.accumulate(first, axis=1) + 1
    orders = (np.log(place) - np.log(among)).sum(axis=1)
    orders = orders[ordered[:, 0] < ordered[:, -1]]
    if len(orders) < 2:
        return False
    most, tables = float(orders.max()), float(orders.sum() - orders.min())
    slack = 1 + 1e-9
    return most > math.log(PERMUTATIONS_LIMIT) * slack or tables > LOG_OUTCOMES_LIMIT * slack


def exact_work(rows: tuple[Pattern, ...]) -> float:
    """Estimated number of vectors that the exact distribution must visit; infinite if they cannot be numbered."""
    k = len(rows[0])
    # volume of a permutohedron beside the box of its sorted coordinates
    share = math.exp((k - 2) * math.log(k) + (k - 1) * math.log(2 / (k - 1)) - math.lgamma(k + 1)) if k > 2 else 1.0
    work, tables, total = 0.0, 1.0, np.array(rows[0], dtype=np.int64)
    for row in rows[1:]:
        low, high = bounds(total)
        box = math.prod(float(h - w + 1) for w, h in zip(low[:-1], high[:-1], strict=True))
        permutations = float(n_permutations(row))
        # with few permutations, storing and decoding the states dominates
        work += max(1.0, min(tables, share * box)) * max(permutations, 24.0)
        tables = min(tables * permutations, 1e300)
        total = total + np.array(row, dtype=np.int64)
    return work if len(rows) == 2 or numbering(*bounds(total)) else math.inf


@lru_cache(maxsize=16)
def column_sum_law(rows: tuple[Pattern, ...]) -> NullDistribution:
    """The law of Σ T_j² for ``canonical_rows``; without ties, a law that takes long is kept on disk."""
    k, n = len(rows[0]), len(rows)
    if rows.count(tuple(range(k))) < n:
        return _computed(rows)
    law = disk_cache.read(untied_name(k, n))
    if law is None:
        law = _computed(rows)
        if exact_work(rows) >= WORTH_KEEPING:
            disk_cache.write(untied_name(k, n), law)
    return law


def is_kept(rows: tuple[Pattern, ...]) -> bool:
    """Whether the law of ``canonical_rows`` is at hand on disk."""
    k, n = len(rows[0]), len(rows)
    return rows.count(tuple(range(k))) == n and disk_cache.read(untied_name(k, n)) is not None


def untied_name(k: int, n: int) -> str:
    """The name under which the distribution of n rows of the ranks 0 … k−1 is kept."""
    return f"untied-{k}-{n}"


def _computed(rows: tuple[Pattern, ...]) -> NullDistribution:
    mirror = all(_is_symmetric(row) for row in rows)
    total: Ints = np.array(rows[0], dtype=np.int64)
    states, weights = total[:, None], np.ones(1)
    for row, group in groupby(rows[1:-1]):
        permutations = distinct_permutations(row)
        for _ in group:
            total = total + np.array(row, dtype=np.int64)
            states, weights = add_row(states, weights, permutations, total, mirror)
    if len(rows) > 1:
        values, summed = last_row(states, weights, rows[-1])
    else:
        values, summed = (states * states).sum(axis=0), weights
    probabilities: npt.NDArray[np.float64] = summed / math.fsum(summed.tolist())
    values.setflags(write=False)
    probabilities.setflags(write=False)
    return values, probabilities


def _is_symmetric(row: Pattern) -> bool:
    return len({low + high for low, high in zip(row, reversed(row), strict=True)}) == 1


# Sampled law of Σ_j T_j², the column sums of a table whose rows are permuted independently of one another.

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
