"""A smooth log tail at very many points: Chebyshev interpolation on fixed cells instead of an integral per point.

ln P(Q ≥ q) falls like −q²/4; g(q) = ln P(Q ≥ q) + q²/4 is smooth, and on cells of length 1 a polynomial through 24
Chebyshev nodes reproduces it to 3e-13 for k = 2 … 1000 (tested against the integral). The cells do not depend on the
data, so the order of the points cannot matter.
"""

from collections.abc import Callable

import numpy as np

from bakeoff.nulls.chi_average import in_blocks
from bakeoff.scores import Array

NODES = 24
WORTH = 4.0
"""Interpolate where the direct way would take this many times as many evaluations."""

_X = np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
_TO_COEFFICIENTS = 2.0 / NODES * np.cos(np.outer(np.arccos(_X), np.arange(NODES)))
_TO_COEFFICIENTS[:, 0] /= 2.0


def log_tail_of_many(log_tail: Callable[[Array], Array], q: Array) -> Array:
    """``log_tail(q)`` for q > 0, by interpolation where the points are many for the cells they lie in."""
    cell = np.floor(q)
    occupied = np.unique(cell)
    if len(q) < WORTH * NODES * len(occupied):
        return in_blocks(log_tail, q)
    nodes = occupied[:, None] + (1.0 + _X) / 2.0
    coefficients = (in_blocks(log_tail, nodes.ravel()).reshape(nodes.shape) + nodes**2 / 4.0) @ _TO_COEFFICIENTS
    order = np.argsort(cell, kind="stable")
    ends = np.searchsorted(cell[order], occupied, side="right")
    result = np.empty_like(q)
    start = 0
    for base, row, end in zip(occupied, coefficients, ends, strict=True):
        members = order[start:end]
        inside = q[members]
        result[members] = _clenshaw(row, 2.0 * (inside - base) - 1.0) - inside**2 / 4.0
        start = end
    return result


def _clenshaw(coefficients: Array, x: Array) -> Array:
    """Σ c_j T_j(x) by the stable recurrence."""
    last = before = np.zeros_like(x)
    for c in coefficients[:0:-1]:
        last, before = 2.0 * x * last - before + c, last
    total: Array = x * last - before + coefficients[0]
    return total
