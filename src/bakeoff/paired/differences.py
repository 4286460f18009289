"""Differences between two algorithms, problem by problem: positive where a is better, exact zeros for ties."""

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.errors import InfiniteScoreError
from bakeoff.ranks import Ints, doubled_tied_ranks, refuse_overflow, tie_tolerance
from bakeoff.scores import Array, Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """cost_b − cost_a in score units; ``values`` is exactly 0 where the two cells are tied."""

    values: Array  # (n,)
    scales: Array  # (n,) the largest score behind each difference: what its tie tolerance is relative to; 0 for zeros


def paired_differences(scores: Scores, a: int, b: int, method: str) -> Differences:
    """Differences of columns a and b; infinite scores and overflow are refused in the name of ``method``."""
    scores.require_finite(method, [a, b])
    differences = ordered_differences(scores, a, b)
    refuse_overflow(differences.values, method)
    return differences


def ordered_differences(scores: Scores, a: int, b: int) -> Differences:
    """Differences of columns a and b, infinite where one score is; NaN where they are undefined (inf − inf).

    Ties are decided on decimals: a difference is zero within 16 units in the last place of the two cells.
    """
    costs = scores.costs
    with np.errstate(over="ignore", invalid="ignore"):
        values = costs[:, b] - costs[:, a]
    finite = np.isfinite(values)
    scales = np.where(finite, scores.scales[:, [a, b]].max(axis=1), 0.0)
    zero = finite & (np.abs(values) <= tie_tolerance(scales))
    # a zero is exact: a tie between large scores must not swallow small differences between others
    return Differences(values=np.where(zero, 0.0, values), scales=np.where(zero, 0.0, scales))


def less_null(differences: Differences, null_value: float) -> Differences:
    """The differences less the value of a null hypothesis: exactly 0 within the tolerance of their scores and of it."""
    if null_value == 0.0:
        return differences
    with np.errstate(over="ignore"):
        values = differences.values - null_value
    scales = np.where(np.isfinite(values), np.maximum(differences.scales, abs(null_value)), 0.0)
    zero = np.isfinite(values) & (np.abs(values) <= tie_tolerance(scales))
    return Differences(values=np.where(zero, 0.0, values), scales=np.where(zero, 0.0, scales))


def defined_differences(scores: Scores, a: int, b: int, method: str) -> Differences:
    """As :func:`ordered_differences`; where both scores are the same infinity there is none, which is refused."""
    differences = ordered_differences(scores, a, b)
    undefined = np.flatnonzero(np.isnan(differences.values))
    if len(undefined):
        row = int(undefined[0])
        raise InfiniteScoreError(
            f"{method}: both scores of problem {scores.problems[row]!r} are {scores.values[row, a]}, algorithms "
            f"{scores.algorithms[a]!r} and {scores.algorithms[b]!r}, so they have no difference ({len(undefined)} such "
            "problems). Use a test on ranks or signs, or remove the problem."
        )
    refuse_overflow(differences.values[np.isfinite(scores.values[:, [a, b]]).all(axis=1)], method)
    return differences


def doubled_signed_ranks(differences: Differences) -> Ints:
    """(n,) twice the mid-rank of |d| among the non-zero differences, with the sign of d; 0 for zeros.

    Infinite differences are larger than all others and tied with each other.
    """
    d, scales = differences.values, differences.scales
    signed = np.zeros(len(d), dtype=np.int64)
    infinite = np.isinf(d)
    kept = (d != 0) & ~infinite
    if kept.any():
        signed[kept] = np.sign(d[kept]).astype(np.int64) * doubled_tied_ranks(np.abs(d[kept]), scales[kept])
    if infinite.any():
        top = 2 * int(kept.sum()) + int(infinite.sum()) + 1
        signed[infinite] = np.sign(d[infinite]).astype(np.int64) * top
    return signed


def directions(scores: Scores, a: int, b: int, null_value: float = 0.0) -> npt.NDArray[np.int8]:
    """(n,) +1 where a is better, −1 where b is, 0 for ties; infinite scores are ordered, equal ones tie.

    Single scores are compared exactly, means over runs within the tie tolerance. With a ``null_value``, where a is
    better by more than it, or by less; then all within the tolerance, since the sum of score and value is rounded.
    """
    if null_value != 0.0:
        beyond = less_null(ordered_differences(scores, a, b), null_value).values
        return np.nan_to_num(np.sign(beyond)).astype(np.int8)
    first, second = scores.costs[:, a], scores.costs[:, b]
    tied = first == second
    if scores.runs is not None:
        scales = scores.scales[:, [a, b]].max(axis=1)
        with np.errstate(over="ignore", invalid="ignore"):
            tied |= np.abs(second - first) <= tie_tolerance(scales)
    return np.where(tied, 0, np.where(first < second, 1, -1)).astype(np.int8)


def beaten(scores: Scores) -> Ints:
    """(k, k) on how many problems the row's algorithm is better than the column's, by :func:`directions`."""
    costs = scores.costs
    wins = np.zeros((scores.n_algorithms,) * 2, dtype=np.int64)
    for a in range(scores.n_algorithms):
        better = costs[:, a : a + 1] < costs
        if scores.runs is not None:
            scales = np.maximum(scores.scales[:, a : a + 1], scores.scales)
            with np.errstate(over="ignore", invalid="ignore"):
                better &= ~(costs - costs[:, a : a + 1] <= tie_tolerance(scales))
        wins[a] = np.count_nonzero(better, axis=0)
    return wins


def counts(d: npt.NDArray[np.int8]) -> tuple[int, int, int]:
    """Wins of a, losses of a, ties."""
    return int(np.sum(d > 0)), int(np.sum(d < 0)), int(np.sum(d == 0))
