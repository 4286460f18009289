"""p-values as they are, or as natural logarithms: every correction is written once for both.

A correction multiplies, compares, and sometimes needs 1 − (1 − p)^e. ``Ordinary`` does this on p itself,
``Logs`` on ln p, where 1e-5000 is as exact as 0.05. The order of p-values is the same in both.
"""

from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from bakeoff.scores import Array

# below exp(TINY) the second-order terms left out are below 1e-26 relative to p
TINY = -30.0


class Arithmetic(Protocol):
    """What a correction may do with p-values, whichever way they are written."""

    one: float
    zero: float
    additive: bool  # whether a weight is added (to a logarithm) or multiplied

    def weights(self, counts: npt.ArrayLike) -> Array:
        """What ``times`` adds or multiplies by."""

    def times(self, p: Array, weight: npt.ArrayLike) -> Array:
        """p · weight."""

    def power(self, p: Array, exponent: npt.ArrayLike) -> Array:
        """1 − (1 − p)^exponent."""

    def share(self, p: Array, other: Array) -> Array:
        """p / (p + other), 0 if both are 0."""

    def complement(self, p: Array) -> Array:
        """1 − p."""

    def excess(self, p: Array, other: Array) -> Array:
        """p / other − 1; infinite if other is 0 or the quotient is beyond 1e308."""

    def plain(self, p: Array) -> Array:
        """p itself; may underflow."""

    def written(self, plain: Array) -> Array:
        """The way back from ``plain``."""


class Ordinary:
    one = 1.0
    zero = 0.0
    additive = False

    def weights(self, counts: npt.ArrayLike) -> Array:
        return np.asarray(counts, dtype=np.float64)

    def times(self, p: Array, weight: npt.ArrayLike) -> Array:
        return p * self.weights(weight)

    def power(self, p: Array, exponent: npt.ArrayLike) -> Array:
        with np.errstate(divide="ignore"):
            return cast(Array, -np.expm1(np.asarray(exponent) * np.log1p(-p)))

    def share(self, p: Array, other: Array) -> Array:
        total = p + other
        return np.divide(p, total, out=np.zeros_like(p), where=total > 0)

    def complement(self, p: Array) -> Array:
        return 1.0 - p

    def excess(self, p: Array, other: Array) -> Array:
        with np.errstate(divide="ignore", over="ignore"):
            quotient: Array = np.asarray(p - other) / other
        return quotient

    def plain(self, p: Array) -> Array:
        return p

    def written(self, plain: Array) -> Array:
        return plain


class Logs:
    one = 0.0
    zero = -np.inf
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


ORDINARY = Ordinary()
LOGS = Logs()


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
