"""Slice sampling of one parameter, for all chains at once (Neal 2003, Annals of Statistics 31, 705–767)."""

import math
from collections.abc import Callable

import numpy as np

from bakeoff.scores.cells import Array

LogDensity = Callable[[Array], Array]


def slice_step(
    stream: np.random.Generator,
    log_density: LogDensity,
    x: Array,
    width: float,
    low: float = -math.inf,
    high: float = math.inf,
) -> Array:
    """(c,) one new draw per chain, from the laws whose unnormalised log densities ``log_density`` gives.

    A level is drawn under the density at x, an interval of the given width laid at random about x and stepped out
    until both ends are below the level (or at the bounds), and points are drawn in it, shrinking towards x, until one
    is above (ibid., figures 3 and 5). Leaves the law unchanged whatever the width; the width sets the cost.
    """
    level = log_density(x) - stream.standard_exponential(x.shape)
    left = x - width * stream.random(x.shape)
    right = left + width
    _step_out(log_density, left, level, -width, low)
    _step_out(log_density, right, level, width, high)
    np.clip(left, low, None, out=left)
    np.clip(right, None, high, out=right)
    new = x.copy()
    waiting = np.ones(x.shape, dtype=bool)
    while waiting.any():
        proposal = left + (right - left) * stream.random(x.shape)
        inside = (log_density(np.where(waiting, proposal, new)) >= level) | (proposal == x)
        accepted = waiting & inside
        new[accepted] = proposal[accepted]
        waiting &= ~inside
        left = np.where(waiting & (proposal < x), proposal, left)
        right = np.where(waiting & (proposal > x), proposal, right)
    return new


def _step_out(log_density: LogDensity, end: Array, level: Array, step: float, bound: float) -> None:
    """Move each end outwards by steps, in place, until the density there is below the level or the bound is passed."""
    while True:
        within, at = (end > bound, np.maximum(end, bound)) if step < 0 else (end < bound, np.minimum(end, bound))
        moving = within & (log_density(at) > level)
        if not moving.any():
            return
        end[moving] += step
