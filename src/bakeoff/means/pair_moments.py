"""Moments of the differences of all pairs, question by question, some pairs at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.means.moments import suite_moments
from bakeoff.means.strata import Stratum
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes

_BLOCK = 1 << 23  # differences at a time

Columns = tuple[Codes, Codes]  # a and b of each pair


@dataclass(frozen=True, slots=True, kw_only=True)
class PairMoments:
    """Moments of P pairs; positive where a is better."""

    means: Array  # (P,)
    errors: Array
    df: Array
    variances: Array  # over the rows, as if they were one sample
    wins: Codes
    losses: Codes
    suite_means: Array  # (B, P)
    squares: Array  # (B, P) Σ of squared sums over clusters, weighted as the jackknife does
    residual_squares: Array  # (B, P) the same of d − mean of the suite

    @property
    def t(self) -> Array:
        """means/errors; 0 where both are 0, infinite where only the error is."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.means == 0, 0.0, self.means / self.errors)


def pair_moments(values: Array, scales: Array, pairs: Columns, strata: Sequence[Stratum]) -> PairMoments:
    """``values`` (n, k), higher is better; a difference within the rounding of its scores is 0."""
    step = max(1, _BLOCK // len(values))
    blocks = [
        _block(values, scales, (pairs[0][at : at + step], pairs[1][at : at + step]), strata)
        for at in range(0, len(pairs[0]), step)
    ]
    names = PairMoments.__slots__
    return PairMoments(**{name: np.concatenate([getattr(b, name) for b in blocks], axis=-1) for name in names})


def _block(values: Array, scales: Array, pairs: Columns, strata: Sequence[Stratum]) -> PairMoments:
    a, b = pairs
    reach = np.maximum(scales[:, a], scales[:, b])
    d = values[:, a] - values[:, b]
    d[np.abs(d) <= tie_tolerance(reach)] = 0.0
    moments = suite_moments(d, reach, strata)
    rounding = tie_tolerance(reach.max(axis=0))  # of the sum
    sums = [s.sums(d) for s in strata]
    centred = [x - s.sizes[:, None] * m for x, s, m in zip(sums, strata, moments.suite_means, strict=True)]
    return PairMoments(
        means=np.where(np.abs(moments.means) <= rounding, 0.0, moments.means),
        errors=moments.errors,
        df=moments.df,
        variances=d.var(axis=0, ddof=1),
        wins=(d > 0).sum(axis=0),
        losses=(d < 0).sum(axis=0),
        suite_means=moments.suite_means,
        squares=_weighted_squares(sums, strata),
        residual_squares=_weighted_squares(centred, strata),
    )


def _weighted_squares(sums: Sequence[Array], strata: Sequence[Stratum]) -> Array:
    return np.array([(s.jackknife[:, None] * x**2).sum(axis=0) for x, s in zip(sums, strata, strict=True)])
