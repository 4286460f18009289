"""p-values as they are, or as natural logarithms: every correction is written once for both.

A correction multiplies, compares, and sometimes needs 1 − (1 − p)^e. ``Arithmetic`` does this on p itself,
``Logs`` on ln p, where 1e-5000 is as exact as 0.05. The order of p-values is the same in both.
"""

from collections.abc import Callable
from typing import cast

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.scores import Array

# below exp(TINY) the second-order terms left out are below 1e-26 relative to p
TINY = -30.0


class Arithmetic:
    """The operations of a correction, on p itself."""

    one, zero = 1.0, 0.0
    additive = False  # whether a weight is added (to a logarithm) or multiplied

    def weights(self, counts: npt.ArrayLike) -> Array:
        """The numbers that ``times`` multiplies by, or adds."""
        return np.asarray(counts, dtype=np.float64)

    def times(self, p: Array, weight: npt.ArrayLike) -> Array:
        """p · weight."""
        return p * self.weights(weight)

    def power(self, p: Array, exponent: npt.ArrayLike) -> Array:
        """1 − (1 − p)^exponent."""
        with np.errstate(divide="ignore"):
            return cast(Array, -np.expm1(np.asarray(exponent) * np.log1p(-p)))

    def share(self, p: Array, other: Array) -> Array:
        """p / (p + other), 0 if both are 0."""
        total = p + other
        return np.divide(p, total, out=np.zeros_like(p), where=total > 0)

    def complement(self, p: Array) -> Array:
        """1 − p."""
        return 1.0 - p

    def excess(self, p: Array, other: Array) -> Array:
        """p / other − 1; infinite if other is 0 or the quotient is beyond 1e308."""
        with np.errstate(divide="ignore", over="ignore"):
            quotient: Array = np.asarray(p - other) / other
        return quotient

    def plain(self, p: Array) -> Array:
        """p itself; may underflow."""
        return p

    def written(self, plain: Array) -> Array:
        """The way back from ``plain``."""
        return plain


class Logs(Arithmetic):
    """The same with ln p."""

    one, zero = 0.0, -np.inf
    additive = True

    def weights(self, counts: npt.ArrayLike) -> Array:
        return cast(Array, np.log(np.asarray(counts, dtype=np.float64)))

    def times(self, p: Array, weight: npt.ArrayLike) -> Array:
        return p + self.weights(weight)

    def power(self, p: Array, exponent: npt.ArrayLike) -> Array:
        # 1 − (1−p)^e = 1 − exp(−e·h) with the hazard h = −ln(1−p) = p + p²/2 + …
        with np.errstate(divide="ignore"):
            hazard = np.where(p < TINY, p + np.exp(p) / 2, np.log(-np.log1p(-np.exp(np.maximum(p, TINY)))))
            grown = hazard + np.log(np.asarray(exponent, dtype=np.float64))
            rest = np.log(-np.expm1(-np.exp(np.maximum(grown, TINY))))
        adjusted: Array = np.where(grown < TINY, grown - np.exp(np.minimum(grown, 0.0)) / 2, rest)
        return adjusted

    def share(self, p: Array, other: Array) -> Array:
        total = np.logaddexp(p, other)
        return np.subtract(p, total, out=np.full_like(p, -np.inf), where=total > -np.inf)

    def complement(self, p: Array) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(-np.expm1(p))

    def excess(self, p: Array, other: Array) -> Array:
        with np.errstate(over="ignore"):
            return cast(Array, np.expm1(p - other))

    def plain(self, p: Array) -> Array:
        return cast(Array, np.exp(p))

    def written(self, plain: Array) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(plain)


ORDINARY = Arithmetic()
LOGS = Logs()
OfList = Callable[[Array, Arithmetic], Array]


def apply(correction: OfList, raw: Array, on: Arithmetic) -> Array:
    """Sort, correct, keep between p and 1, and put back in order; each column of (m, t) is a list of its own."""
    if not raw.size:
        return raw
    order = np.argsort(raw, axis=0)  # equal p-values in any order: they get the same
    ordered = np.take_along_axis(raw, order, axis=0)
    adjusted = np.empty_like(raw)
    # rounding in 1 − (1−p)^e may go an ulp down where algebra cannot
    values = np.maximum.accumulate(np.clip(correction(ordered, on), ordered, on.one), axis=0)
    np.put_along_axis(adjusted, order, values, axis=0)
    return adjusted


# The p-values of all pairs of algorithms, as every correction for all pairs takes them.


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """The checked input of a correction for all pairs."""

    matrix: Array  # (k, k) symmetric p-values; the diagonal is not looked at
    order: npt.NDArray[np.intp] | None  # of the algorithms along the line of positions, if p falls with the distance
    on: Arithmetic

    @property
    def upper(self) -> Array:
        """(m,) the p-values of the pairs, row by row above the diagonal."""
        return self.matrix[np.triu_indices(len(self.matrix), 1)]

    def thresholds(self) -> tuple[Array, npt.NDArray[np.int64]]:
        """The T distinct p-values in increasing order, and (k, k) how many of them are at most each pair's p."""
        distinct = np.unique(self.upper)
        lives = np.searchsorted(distinct, self.matrix, side="right").astype(np.int64)
        np.fill_diagonal(lives, len(distinct))
        return distinct, lives
