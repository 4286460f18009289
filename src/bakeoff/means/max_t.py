"""The distribution of the largest |t| over a family of pairs, from signs of clusters that all algorithms share.

Each resample flips whole clusters, one sign for all algorithms, so that the dependence between algorithms and within
clusters stays. Of the differences themselves: where those of the pairs without a difference are symmetric, jointly, the
p-values are exact, whatever the other pairs are (the maximum over all pairs is at least that over these). Of their
residuals: the distribution of the errors, for intervals. A pair is decided by the larger of both, and an interval is as
wide.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.means.pair_moments import Columns, PairMoments
from bakeoff.means.sign_flips import all_bits, drawn_bits, flipped_t
from bakeoff.means.strata import Stratum
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes

_CHUNK = 1 << 22  # numbers at a time; fixed, so that the answer does not depend on the machine
_BLOCK = 1 << 15  # of which statistics are computed together; each is, whatever the others are
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
        return float(f"{largest * (1 + _ROUNDING):.10g}")  # as any machine multiplies matrices; a tie is not beyond


def flip_law(
    values: Array,
    pairs: Columns,
    moments: PairMoments,
    strata: Sequence[Stratum],
    rng: np.random.Generator,
    n_resamples: int,
) -> FlipLaw:
    """``values`` (n, k), higher is better, and what :func:`pair_moments` found of them."""
    t = moments.t
    sums = [
        _Sums(
            stratum=s,
            sums=s.sums(values),
            sizes=s.sizes.astype(np.float64),
            weights=s.jackknife,
            difference=moments.suite_means[b],
            squares=moments.squares[b],
            residual_squares=moments.residual_squares[b],
        )
        for b, s in enumerate(strata)
    ]
    groups = sum(s.n_clusters for s in strata)
    exact = groups - 1 <= 40 and 2 ** (groups - 1) <= n_resamples + 1
    size = 2 ** (groups - 1) if exact else n_resamples
    per_chunk = max(1, _CHUNK // max(groups, len(t)))
    alike = len(sums) == 1 and sums[0].sizes.min() == sums[0].sizes.max()
    as_large = np.zeros(len(t), dtype=np.int64)
    maxima: tuple[list[Array], list[Array]] = ([], [])
    for first in range(0, size, per_chunk):
        size_of_chunk = min(per_chunk, size - first)
        bits = all_bits(first, size_of_chunk, groups) if exact else drawn_bits(size_of_chunk, groups, rng)
        found_here = _largest_alike(bits, sums[0], pairs) if alike else _largest(bits, sums, pairs, t)
        maxima[0].append(found_here[0])
        maxima[1].append(found_here[1])
        as_large += found_here[2]
    both = [np.sort(np.concatenate(part)) for part in maxima]
    return FlipLaw(of_differences=both[0], of_residuals=both[1], as_large=as_large, exact=exact)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sums:
    """Sums over the clusters of one stratum."""

    stratum: Stratum
    sums: Array  # (G, k) of the scores of each cluster
    sizes: Array  # (G,)
    weights: Array  # (G,) of the squared sums in the variance
    difference: Array  # (P,) mean
    squares: Array  # (P,) Σ c S², c the weights, S the cluster sums of the differences
    residual_squares: Array  # (P,) the same of the residuals


_Largest = tuple[Array, Array, Codes]  # (c,) of the flipped differences, and residuals; (P,) how often as observed


def _largest(bits: Array, strata: Sequence[_Sums], pairs: Columns, t: Array) -> _Largest:
    """The largest |t| of each choice of signs, so many of them at a time that all numbers stay near the processor."""
    parts, first = [], 0
    for part in strata:
        groups = part.stratum.n_clusters
        parts.append(_products(bits[:, first : first + groups], part))
        first += groups
    step = max(1, _BLOCK // len(t))
    blocks = [
        _largest_of([product[start : start + step] for product in parts], strata, pairs, t)
        for start in range(0, len(bits), step)
    ]
    maxima, residual_maxima, as_large = zip(*blocks, strict=True)
    return np.concatenate(maxima), np.concatenate(residual_maxima), np.sum(as_large, axis=0)


def _largest_of(products: Sequence[Array], strata: Sequence[_Sums], pairs: Columns, t: Array) -> _Largest:
    shape = (len(products[0]), len(t))
    means, variances = np.zeros((2, *shape)), np.zeros((2, *shape))
    for part, product in zip(strata, products, strict=True):
        s = part.stratum
        total, cross, size, size2 = _of_pairs(product, pairs)
        raw = (total, cross, part.squares)
        centred = (total - size * part.difference, cross - size2 * part.difference, part.residual_squares)
        for which, (sums, crossed, squares) in enumerate((raw, centred)):
            mean = np.where(squares > 0, sums / s.n, 0.0)
            left = squares - 2 * mean * crossed + mean**2 * float(part.weights @ part.sizes**2)
            left = np.where(left <= _NO_ERROR * squares, 0.0, left)
            means[which] += s.weight * mean
            variances[which] += (s.weight / s.n) ** 2 * left
    ratios = _ratio(means, variances)
    return ratios[0].max(axis=1), ratios[1].max(axis=1), (ratios[0] >= np.abs(t) * (1 - _ROUNDING)).sum(axis=0)


def _largest_alike(bits: Array, part: _Sums, pairs: Columns) -> _Largest:
    """With clusters of one size, u = |Σ ±S|/√ΣS² rises with |t| whatever the pair: t² = (G − 1)u²/(G − u²)."""
    a, b = pairs
    unweighted = [squares / part.weights[0] for squares in (part.squares, part.residual_squares)]
    columns = np.column_stack([part.sums, part.sizes])
    totals = _signed_sums(bits, columns)
    sums = totals[:, a] - totals[:, b]
    with np.errstate(divide="ignore"):
        scales = [np.where(x > 0, 1 / np.sqrt(x), 0.0) for x in unweighted]
    observed = part.stratum.n * np.abs(part.difference) * scales[0]
    u = np.abs(sums) * scales[0]
    as_large = (u >= observed * (1 - _ROUNDING)).sum(axis=0)
    sums -= totals[:, -1:] * part.difference
    np.abs(sums, out=sums)
    sums *= scales[1]
    groups = part.stratum.n_clusters
    return flipped_t(u.max(axis=1), groups), flipped_t(sums.max(axis=1), groups), as_large


def _products(bits: Array, part: _Sums) -> Array:
    """(c, 2k + 2) Σ ±S and Σ ±cmS of each algorithm, Σ ±m, Σ ±cm²: S the sums, m the sizes, c the weights."""
    m, weighted = part.sizes[:, None], (part.weights * part.sizes)[:, None]
    return _signed_sums(bits, np.column_stack([part.sums, weighted * part.sums, m, weighted * m]))


def _of_pairs(moments: Array, pairs: Columns) -> tuple[Array, Array, Array, Array]:
    """The same of each pair."""
    a, b = pairs
    k = moments.shape[1] // 2 - 1
    total, cross = moments[:, :k], moments[:, k : 2 * k]
    return total[:, a] - total[:, b], cross[:, a] - cross[:, b], moments[:, -2:-1], moments[:, -1:]


def _signed_sums(bits: Array, values: Array) -> Array:
    """Σ ± of each column of ``values`` (G, q): plus where a bit is 1."""
    return np.asarray(2.0 * (bits @ values) - values.sum(axis=0))


def _ratio(mean: Array, variance: Array) -> Array:
    """|mean|/√variance; 0 where the mean is 0."""
    size = np.abs(mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(size == 0, 0.0, size / np.sqrt(variance)))
