"""The size of a step: the median of all differences between two samples, with the interval of the rank-sum test."""

import math

import numpy as np
from scipy import special

from bakeoff.nulls.rank_sum import rank_sum_null
from bakeoff.scores import Array

_EXACT = 400  # product of the sizes up to which the interval is exact


def shift_between(before: Array, after: Array, level: float) -> tuple[float, float | None, float | None]:
    """Hodges and Lehmann (1963) for two samples: after against before; None where no interval has this level."""
    differences = np.sort((after[:, None] - before[None, :]).ravel())
    m, n = len(after), len(before)
    cut = _cut(m, n, (1.0 - level) / 2.0)
    middle = float(np.median(differences))
    if cut < 0:
        return middle, None, None
    return middle, float(differences[cut]), float(differences[m * n - 1 - cut])


def _cut(m: int, n: int, tail: float) -> int:
    """The largest c with P(U ≤ c) ≤ tail; −1 if there is none. The interval begins at the (c + 1)-th difference."""
    if m * n <= _EXACT:
        null = rank_sum_null(2 * np.arange(1, m + n + 1), m)
        least, c = m * (m + 1), -1  # twice the smallest rank sum
        while null.tails(least + 2 * (c + 1))[0] <= tail * (1 + 1e-12):
            c += 1
        return c
    sd = math.sqrt(m * n * (m + n + 1) / 12.0)
    return max(-1, math.floor(m * n / 2.0 + float(special.ndtri(tail)) * sd - 0.5))
