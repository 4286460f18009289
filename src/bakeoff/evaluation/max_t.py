"""The law of the largest |t| over a family of pairs, from signs of clusters that all algorithms share.

Each resample flips whole clusters, one sign for all algorithms, so that the dependence between algorithms and within
clusters stays. Of the differences themselves: where those of the pairs without a difference are symmetric, jointly, the
p-values are exact, whatever the other pairs are (the maximum over all pairs is at least that over these). Of their
residuals: the law of the errors, for intervals. A pair is decided by the larger of both, and an interval is as wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.evaluation.differences import Columns, PairMoments
from bakeoff.evaluation.strata import Stratum
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes

_CHUNK = 1 << 21  # numbers at a time; fixed, so that the answer does not depend on the machine
_ROUNDING = 1e-9  # relative: two statistics that differ by less are tied
_NO_ERROR = 1e-13  # of a sum of squares: what is left of it by rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipLaw:
    """Sorted maxima of |t| over the family, and of each pair by itself how often it was as large as observed."""

    of_differences: Array
    of_residuals: Array
    as_large: Codes  # (P,) of the differences
    exact: bool  # all signs, not a sample of them

    @property
    def size(self) -> int:
        """Resamples, the observed signs among them."""
        return len(self.of_differences) + (0 if self.exact else 1)

    def own_pvalues(self) -> Array:
        """(P,) of the sign-flip test of each pair by itself."""
        return np.asarray((self.as_large + (0 if self.exact else 1)) / self.size)

    def adjusted(self, t: Array) -> Array:
        """(P,) the larger of both laws."""
        return np.maximum(self._tail(self.of_differences, t), self._tail(self.of_residuals, t))

    def _tail(self, maxima: Array, t: Array) -> Array:
        beyond = len(maxima) - np.searchsorted(maxima, np.abs(t) * (1 - _ROUNDING), side="left")
        return np.asarray((beyond + (0 if self.exact else 1)) / self.size)

    def critical(self, alpha: float) -> float:
        """|t| beyond which :meth:`adjusted` is at most ``alpha``; infinite where no sample could be so large."""
        allowed = int(np.floor(alpha * self.size * (1 + 1e-12))) - (0 if self.exact else 1)
        if allowed < 0 or allowed >= len(self.of_differences):
            return float("inf")
        largest = max(self.of_differences[-1 - allowed], self.of_residuals[-1 - allowed])
        return float(f"{largest:.10g}")  # as any machine multiplies matrices


def flip_law(
    values: Array,
    pairs: Columns,
    found: PairMoments,
    strata: Sequence[Stratum],
    rng: np.random.Generator,
    n_resamples: int,
) -> FlipLaw:
    """``values`` (n, k), higher is better, and what :func:`pair_moments` found of them."""
    t = found.t
    sums = [
        _Sums(
            stratum=s,
            sums=s.sums(values),
            sizes=s.sizes.astype(np.float64),
            difference=found.suite_means[b],
            squares=found.squares[b],
            residual_squares=found.residual_squares[b],
        )
        for b, s in enumerate(strata)
    ]
    groups = sum(s.n_clusters for s in strata)
    exact = groups - 1 <= 40 and 2 ** (groups - 1) <= n_resamples + 1
    size = 2 ** (groups - 1) if exact else n_resamples
    per_chunk = max(1, _CHUNK // max(groups, len(t)))
    limit = np.abs(t) * (1 - _ROUNDING)
    as_large = np.zeros(len(t), dtype=np.int64)
    maxima: tuple[list[Array], list[Array]] = ([], [])
    for first in range(0, size, per_chunk):
        wanted = min(per_chunk, size - first)
        signs = _all_signs(first, wanted, groups) if exact else _drawn_signs(wanted, groups, rng)
        of_differences, of_residuals = _statistics(signs, sums, pairs)
        as_large += (of_differences >= limit).sum(axis=0)
        maxima[0].append(of_differences.max(axis=1))
        maxima[1].append(of_residuals.max(axis=1))
    both = [np.sort(np.concatenate(part)) for part in maxima]
    return FlipLaw(of_differences=both[0], of_residuals=both[1], as_large=as_large, exact=exact)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sums:
    """Of one stratum."""

    stratum: Stratum
    sums: Array  # (G, k) of the scores of each cluster
    sizes: Array  # (G,)
    difference: Array  # (P,) mean
    squares: Array  # (P,) Σ of squared cluster sums of the differences
    residual_squares: Array  # (P,) the same of the residuals


def _statistics(signs: Array, strata: Sequence[_Sums], pairs: Columns) -> tuple[Array, Array]:
    """(c, P) |t| of the flipped differences, and of the flipped residuals."""
    shape = (len(signs), len(pairs[0]))
    means, variances = np.zeros((2, *shape)), np.zeros((2, *shape))
    first = 0
    for part in strata:
        s = part.stratum
        flips = signs[:, first : first + s.n_clusters]
        first += s.n_clusters
        total, cross, size, size2 = _products(flips, part, pairs)
        raw = (total, cross, part.squares)
        centred = (total - size * part.difference, cross - size2 * part.difference, part.residual_squares)
        for which, (sums, crossed, squares) in enumerate((raw, centred)):
            mean = np.where(squares > 0, sums / s.n, 0.0)
            left = squares - 2 * mean * crossed + mean**2 * float(part.sizes @ part.sizes)
            left = np.where(left <= _NO_ERROR * squares, 0.0, left)
            means[which] += s.weight * mean
            variances[which] += s.n_clusters / (s.n_clusters - 1) * (s.weight / s.n) ** 2 * left
    return _ratio(means[0], variances[0]), _ratio(means[1], variances[1])


def _products(flips: Array, part: _Sums, pairs: Columns) -> tuple[Array, Array, Array, Array]:
    """Σ ±S, Σ ±mS of each pair; Σ ±m, Σ ±m²: S the sums, m the sizes of the clusters."""
    a, b = pairs
    of_each, size = flips @ part.sums, (flips @ part.sizes)[:, None]
    total = of_each[:, a] - of_each[:, b]
    if part.sizes.min() == part.sizes.max():
        m = float(part.sizes[0])
        return total, m * total, size, m * size
    crossed = flips @ (part.sums * part.sizes[:, None])
    return total, crossed[:, a] - crossed[:, b], size, (flips @ part.sizes**2)[:, None]


def _ratio(mean: Array, variance: Array) -> Array:
    """|mean|/√variance; 0 where the mean is 0."""
    size = np.abs(mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(size == 0, 0.0, size / np.sqrt(variance)))


def _all_signs(first: int, count: int, groups: int) -> Array:
    """Of all choices whose first sign is + (the others give the same |t|), ``count`` from number ``first`` on."""
    numbers = np.arange(first, first + count, dtype=np.int64)[:, None]
    bits = (numbers >> np.arange(groups - 1, -1, -1)) & 1
    return 1.0 - 2.0 * bits.astype(np.float64)


def _drawn_signs(count: int, groups: int, rng: np.random.Generator) -> Array:
    return 1.0 - 2.0 * rng.integers(0, 2, size=(count, groups), dtype=np.int8).astype(np.float64)
