"""Power of two one-sided t-tests against a margin: exact, for normal differences.

With m the margin and d the true difference, in standard deviations of the differences, the mean times √n/σ is Z + d√n
and S = sd/σ independent of Z, S² = χ²_ν/ν. Both tests reject if c·S − (m + d)√n < Z < (m − d)√n − c·S, so

    P = E max(0, Φ((m − d)√n − c·S) − Φ(c·S − (m + d)√n)),

a difference of two of Owen's Q functions (Phillips 1990, J. Pharmacokinet. Biopharm. 18, 137–144). The integral over
u = ln S ends at the kink c·S = m√n. Gauss–Legendre panels are cut where a Φ rises, so that none is steep.
"""

from typing import cast

import numpy as np
import numpy.typing as npt

from bakeoff.nulls.chi_average import log_scale
from bakeoff.plan.power_models.base import Formula, PowerModel
from bakeoff.scores import Array
from bakeoff.special import ndtr, stdtrit

_RISE = np.arange(-9.0, 10.0, 1.5)  # Φ rises from nothing to 1 over these
_EVEN = 12  # further panels of the same length
_DEPTH = 45.0  # the density is left out below exp(−DEPTH) of its peak
_ROWS = 512  # at once


def equal_t(margin: float) -> PowerModel:
    """The two tests as a model."""
    return Formula("exact", lambda n, d, levels, _: equivalence_t_powers(n, d, margin, levels), least=2, real=True)


def equivalence_t_powers(n: npt.ArrayLike, d: npt.ArrayLike, margin: npt.ArrayLike, levels: npt.ArrayLike) -> Array:
    """Power of both tests of n paired differences; n (a real number ≥ 2), d, margin and levels (< ½) broadcast."""
    size, effect, width, level = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (n, d, margin, levels)))
    df, root = size.ravel() - 1.0, np.sqrt(size.ravel())
    critical = -np.asarray(stdtrit(df, level.ravel()), dtype=np.float64)
    below, above = (width + effect).ravel() * root, (width - effect).ravel() * root
    return both_reject(critical, df, below, above).reshape(size.shape)


def both_reject(c: Array, df: Array, below: Array, above: Array) -> Array:
    """(v,): P(Z + ``below`` > c·S and ``above`` − Z > c·S), c > 0; rows do not influence each other."""
    parts = [slice(i, i + _ROWS) for i in range(0, len(c), _ROWS)]
    parts_of_both = [_both_reject(c[part], df[part], below[part], above[part]) for part in parts]
    return np.clip(np.concatenate(parts_of_both), 0.0, 1.0) if parts_of_both else c


def _both_reject(c: Array, df: Array, below: Array, above: Array) -> Array:
    nodes, weights = np.polynomial.legendre.leggauss(16)
    half = df / 2.0
    last = np.log((below + above) / (2.0 * c))  # beyond, no mean lies inside both
    top = np.minimum(last, np.sqrt(_DEPTH / df))  # the density of ln S falls like exp(−ν·u²) or faster above 0
    start = np.minimum(last, 0.0) - _DEPTH / df - 1.5 * np.sqrt(_DEPTH / df)  # and like exp(ν·u) far below
    even = start[:, None] + (top - start)[:, None] * np.linspace(0.0, 1.0, _EVEN + 1)
    rises = [np.log(np.maximum(shift[:, None] + _RISE, 1e-300) / c[:, None]) for shift in (below, above)]
    cuts = np.sort(np.clip(np.concatenate([even, *rises], axis=1), start[:, None], top[:, None]), axis=1)
    centre, reach = (cuts[:, 1:] + cuts[:, :-1]) / 2.0, (cuts[:, 1:] - cuts[:, :-1]) / 2.0
    u = centre[:, :, None] + reach[:, :, None] * nodes
    spread = c[:, None, None] * np.exp(u)
    low, high = spread - below[:, None, None], above[:, None, None] - spread
    mirrored = low > 0  # Φ(high) − Φ(low) = Φ(−low) − Φ(−high): of the two the one with the smaller terms
    larger, smaller = np.where(mirrored, -low, high), np.where(mirrored, -high, low)
    inside = ndtr(larger) - ndtr(smaller)
    density = np.exp(log_scale(half)[:, None, None] - half[:, None, None] * (np.expm1(2.0 * u) - 2.0 * u))
    total = np.einsum("vpn,n,vp->v", np.maximum(inside, 0.0) * density, weights, reach)
    return cast(Array, total)
