"""Corrections that control the expected share of false rejections instead of the chance of any."""

from __future__ import annotations

import math

from bakeoff.adjusting.arithmetic import Arithmetic
from bakeoff.adjusting.classical import running_min_from_last, upwards
from bakeoff.scores import Array


def benjamini_hochberg(p: Array, on: Arithmetic) -> Array:
    """min over j ≥ i of m·p_j/j: independence or positive dependence. Benjamini & Hochberg (1995)."""
    return running_min_from_last(on.times(p, len(p) / upwards(p)))


def benjamini_yekutieli(p: Array, on: Arithmetic) -> Array:
    """min over j ≥ i of m·p_j/j · Σ 1/r: any dependence. Benjamini & Yekutieli (2001)."""
    harmonic = math.fsum((1.0 / upwards(p)).tolist())
    return running_min_from_last(on.times(p, harmonic * len(p) / upwards(p)))
