"""Bulk operations for ``column_sums``: sorted vectors of column sums, numbered, counted and sorted in bulk."""

import math
from collections import Counter
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Pattern = tuple[int, ...]

_BLOCK = 1 << 16  # vectors sorted at a time: they stay in the processor's cache
_DENSE = 1 << 25  # codes below this are counted in a table (256 MB), larger ones by sorting
_COUNTED = 1 << 21  # codes collected before they are counted; tables beyond are added to in place


def n_permutations(row: Pattern) -> int:
    """Distinct permutations of a row: k! over the factorials of the sizes of its tied groups."""
    return math.factorial(len(row)) // math.prod(math.factorial(m) for m in Counter(row).values())


def distinct_permutations(row: Pattern) -> Ints:
    """(number, k) all distinct orders of a row."""
    counts = Counter(row)
    values = np.array(sorted(counts), dtype=np.int64)
    left = np.array([[counts[int(v)] for v in values]])
    orders = np.zeros((1, 0), dtype=np.int64)
    for _ in row:
        which, value = np.nonzero(left)
        orders = np.column_stack([orders[which], values[value]])
        left = left[which]
        left[np.arange(len(which)), value] -= 1
    return orders


def bounds(total: Ints) -> tuple[list[int], list[int]]:
    """Least and largest value of each sorted column sum, if ``total`` is what full agreement gives (majorisation)."""
    m = [int(t) for t in total]
    k = len(m)
    low = [-(-sum(m[: j + 1]) // (j + 1)) for j in range(k)]
    high = [sum(m[j:]) // (k - j) for j in range(k)]
    return low, high


def numbering(low: list[int], high: list[int]) -> list[int]:
    """The weight of each column sum but the last (the total is known) in a vector's number; [] if too large."""
    strides = [1]
    for j in range(len(low) - 2, 0, -1):
        strides.append(strides[-1] * (high[j] - low[j] + 1))
    return strides[::-1] if (low[0] + high[-1]) * sum(strides) < 2**62 else []


def add_row(states: Ints, weights: Floats, permutations: Ints, total: Ints, mirror: bool) -> tuple[Ints, Floats]:
    """All sorted states after one row more, with their summed weights. ``states`` is (k, number)."""
    low, high = bounds(total)
    strides = numbering(low, high)
    ends = low[0] + high[-1]
    narrow = np.int32 if ends * sum(strides) < 2**31 else np.int64
    columns = states.astype(narrow)
    counter = _Counter(strides[0] * (high[0] - low[0] + 1))
    per_block = max(1, _BLOCK // len(weights))
    for first in range(0, len(permutations), per_block):
        block = permutations[first : first + per_block].astype(narrow)
        for lo in range(0, len(weights), _BLOCK):
            part = columns[:, lo : lo + _BLOCK]
            sums = [(part[j] + block[:, j, None]).ravel() for j in range(len(total))]
            sort_columns(sums)
            counter.add(_codes(sums, low, strides, ends, mirror), np.tile(weights[lo : lo + _BLOCK], len(block)))
    codes, summed = counter.result()
    return _decode(codes, low, strides, int(total.sum())), summed


def _codes(
    sums: list[npt.NDArray[np.signedinteger]], low: list[int], strides: list[int], ends: int, mirror: bool
) -> npt.NDArray[np.signedinteger]:
    """One whole number per sorted vector; of a vector and its mirror image the smaller number."""
    k = len(sums)
    code = sums[0] * strides[0]
    for j in range(1, k - 1):
        code += sums[j] * strides[j]
    code -= sum(low[j] * strides[j] for j in range(k - 1))
    if mirror:
        image = sums[k - 1] * -strides[0]
        for j in range(1, k - 1):
            image -= sums[k - 1 - j] * strides[j]
        image += sum((ends - low[j]) * strides[j] for j in range(k - 1))
        np.minimum(code, image, out=code)
    return code


def _decode(codes: Ints, low: list[int], strides: list[int], total: int) -> Ints:
    states = np.empty((len(low), len(codes)), dtype=np.int64)
    rest = codes
    for j, stride in enumerate(strides):
        states[j], rest = np.divmod(rest, stride)
        states[j] += low[j]
    states[-1] = total - states[:-1].sum(axis=0)
    return states


def last_row(states: Ints, weights: Floats, row: Pattern) -> tuple[Ints, Floats]:
    """Σ T_j² after the last row: |u + π|² = |u|² + |π|² + 2u·π, one matrix product and no sorting."""
    permutations = distinct_permutations(row)
    base = (states * states).sum(axis=0) + sum(x * x for x in row)
    least = int(base.min())  # u and π have no negative entries
    counter = _Counter(int(base.max()) + 2 * int(states[-1].max()) * sum(row) - least + 1)
    per_block = max(1, _BLOCK // len(permutations))
    exact = permutations.T.astype(np.float64)
    for lo in range(0, len(weights), per_block):
        part = slice(lo, lo + per_block)
        products = (states[:, part].T.astype(np.float64) @ exact).astype(np.int64)
        values = (base[part, None] - least) + 2 * products
        counter.add(values.ravel(), np.repeat(weights[part], len(permutations)))
    counts, summed = counter.result()
    return counts + least, summed


class _Counter:
    """Sums weights by code: in a table where one is affordable, by sorting otherwise."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.table = np.zeros(size) if size <= _DENSE else None
        self.codes: list[npt.NDArray[np.signedinteger]] = []
        self.weights: list[Floats] = []
        self.waiting = 0
        self.full = _COUNTED

    def add(self, codes: npt.NDArray[np.signedinteger], weights: Floats) -> None:
        self.codes.append(codes)
        self.weights.append(weights)
        self.waiting += len(codes)
        if self.waiting >= self.full:
            self._count()

    def _count(self) -> None:
        codes, weights = np.concatenate(self.codes), np.concatenate(self.weights)
        self.codes, self.weights, self.waiting = [], [], 0
        if self.table is not None:
            if self.size <= _COUNTED:
                self.table += np.bincount(codes, weights, self.size)
            else:  # a second table of this size would cost more than it saves
                np.add.at(self.table, codes.astype(np.int64, copy=False), weights)
            return
        distinct, place = np.unique(codes, return_inverse=True)
        summed: Floats = np.bincount(place.ravel(), weights).astype(np.float64, copy=False)
        self.codes, self.weights = [distinct], [summed]
        self.full = max(_COUNTED, len(distinct))  # so that the next sort is not mostly of codes already sorted

    def result(self) -> tuple[Ints, Floats]:
        if self.codes:
            self._count()
        if self.table is None:
            return self.codes[0].astype(np.int64), self.weights[0]
        codes = np.flatnonzero(self.table).astype(np.int64)
        return codes, self.table[codes]


def sort_columns(columns: list[npt.NDArray[np.signedinteger]]) -> None:
    """Sort k arrays element by element (Batcher's merge exchange, Knuth 5.2.2 M): columns[0] gets the least."""
    for i, j in _comparators(len(columns)):
        least = np.minimum(columns[i], columns[j])
        np.maximum(columns[i], columns[j], out=columns[j])
        columns[i] = least


@lru_cache(maxsize=32)
def _comparators(k: int) -> tuple[tuple[int, int], ...]:
    top = 1 << max(0, (k - 1).bit_length() - 1)
    comparators = []
    p = top
    while p:
        q, r, d = top, 0, p
        while True:
            comparators += [(i, i + d) for i in range(k - d) if i & p == r]
            if q == p:
                break
            d, q, r = q - p, q >> 1, p
        p >>= 1
    return tuple(comparators)
