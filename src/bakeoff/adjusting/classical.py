"""Corrections that need only the order of the p-values: one line of algebra each.

Every function takes the m p-values in increasing order (``on`` says how they are written) and returns adjusted
ones in the same order; the caller keeps them between p and 1. Derrac et al. (2011), section 4.3 and Table 3.
Many lists of the same length may come at once, each a column of an (m, t) array.
"""

import math
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting.arithmetic import Arithmetic
from bakeoff.scores import Array


def bonferroni(p: Array, on: Arithmetic) -> Array:
    """m·p: any dependence, no order needed."""
    return on.times(p, len(p))


def sidak(p: Array, on: Arithmetic) -> Array:
    """1 − (1−p)^m: exact for independent p-values."""
    return on.power(p, len(p))


def holm(p: Array, on: Arithmetic) -> Array:
    """max over j ≤ i of (m−j+1)·p_j: step-down Bonferroni."""
    return running_max(on.times(p, downwards(p)))


def holland(p: Array, on: Arithmetic) -> Array:
    """max over j ≤ i of 1 − (1−p_j)^(m−j+1): step-down Šidák."""
    return running_max(on.power(p, downwards(p)))


def finner(p: Array, on: Arithmetic) -> Array:
    """max over j ≤ i of 1 − (1−p_j)^(m/j): in the strong sense the family-wise error is not kept."""
    return running_max(on.power(p, len(p) / upwards(p)))


def hochberg(p: Array, on: Arithmetic) -> Array:
    """min over j ≥ i of (m−j+1)·p_j: step-up."""
    return running_min_from_last(on.times(p, downwards(p)))


def li(p: Array, on: Arithmetic) -> Array:
    """p_i / (p_i + 1 − p_m), and p_m itself for the largest."""
    shared = on.share(p, np.broadcast_to(on.complement(p[-1:]), p.shape))
    return np.where(p == p[-1], p, shared)


def benjamini_hochberg(p: Array, on: Arithmetic) -> Array:
    """min over j ≥ i of m·p_j/j: independence or positive dependence. Benjamini & Hochberg (1995)."""
    return running_min_from_last(on.times(p, len(p) / upwards(p)))


def benjamini_yekutieli(p: Array, on: Arithmetic) -> Array:
    """min over j ≥ i of m·p_j/j · Σ 1/r: any dependence. Benjamini & Yekutieli (2001)."""
    harmonic = math.fsum((1.0 / upwards(p)).tolist())
    return running_min_from_last(on.times(p, harmonic * len(p) / upwards(p)))


def upwards(p: Array) -> Array:
    """1, 2, …, m."""
    return beside(np.arange(1.0, len(p) + 1.0), p)


def downwards(p: Array) -> Array:
    """m, m−1, …, 1: how many hypotheses are left at each step."""
    return beside(np.arange(float(len(p)), 0.0, -1.0), p)


def beside(counts: npt.NDArray[Any], p: Array) -> Array:
    """One count for each row of ``p``."""
    return cast(Array, counts.reshape(-1, *[1] * (p.ndim - 1)))


def running_max(values: Array) -> Array:
    return cast(Array, np.maximum.accumulate(values))


def running_min_from_last(values: Array) -> Array:
    return cast(Array, np.minimum.accumulate(values[::-1])[::-1])
