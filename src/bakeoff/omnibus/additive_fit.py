"""score = problem + algorithm + residual, shared by the analysis of variance, Tukey's and Dunnett's tests.

A large offset of one problem must not swallow the differences within the others. So of each row the score nearest to
0 is subtracted first (exact wherever the offset is large), before any mean is taken, and what counts as rounding is
decided row by row.
"""

import math

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.ranks import TIE_ULPS, all_equal, refuse_overflow, tie_tolerance
from bakeoff.scores import Array, Scores
from bakeoff.scores.cells import exact_mean

ROUNDINGS = 4.0  # units in the last place of a row's largest score by which a centred score may be off


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class AdditiveFit:
    """Both parts in units of ``unit``, a power of two, so that squares neither overflow nor vanish."""

    effects: Array  # (k,) mean score of each algorithm less the mean of all
    residuals: Array  # (n, k)
    unit: float


def additive_fit(scores: Scores, method: str) -> AdditiveFit:
    """Effects and residuals by correctly rounded sums, so that no order of rows or columns can matter.

    Effects that rounding of the scores explains are 0; so are residuals if the rows are the same but for their level.
    """
    values = scores.values
    with np.errstate(over="ignore"):
        within = values - _nearest_to_zero(values)[:, None]
    refuse_overflow(within, method)
    centred = within - np.array([exact_mean(row) for row in within.tolist()])[:, None]
    refuse_overflow(centred, method)
    equal = (within == 0.0).all(axis=1)
    scales = np.where(equal, 0.0, scores.scales.max(axis=1))  # equal scores leave an exact 0: nothing to round
    effects = np.array([exact_mean(column) for column in centred.T.tolist()])
    residuals = centred - effects
    tolerance = tie_tolerance(scales)
    if (
        np.abs(effects) <= max(float(tolerance.min()), exact_mean((tolerance * (ROUNDINGS / TIE_ULPS)).tolist()))
    ).all():
        effects = np.zeros_like(effects)
    if all(all_equal(column, scales, ROUNDINGS) for column in centred.T):
        residuals = np.zeros_like(residuals)
    largest = max(np.abs(effects).max(), np.abs(residuals).max())
    unit = math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest > 0.0 else 1.0
    return AdditiveFit(effects=effects / unit, residuals=residuals / unit, unit=unit)


def _nearest_to_zero(values: Array) -> Array:
    """(n,) of each row the score of the smallest size, of x and −x the lower one: whatever the order of columns."""
    size = np.abs(values)
    return np.asarray(np.where(size == size.min(axis=1, keepdims=True), values, np.inf).min(axis=1))
