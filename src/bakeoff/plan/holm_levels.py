"""Several comparisons under Holm's correction: the levels they meet, and which power a plan aims at."""

from __future__ import annotations

from typing import Literal, cast

import numpy as np

from bakeoff.errors import ParameterError
from bakeoff.plan.pilots.standard_errors import Comparisons
from bakeoff.scores import Array

Target = Literal["worst", "mean", "median"]
TARGETS = ("worst", "mean", "median")
MOST_ALGORITHMS = 100


def comparison_count(n_algorithms: int, comparisons: Comparisons) -> int:
    """K = k(k − 1)/2 for all pairs, k − 1 with a control."""
    return n_algorithms - 1 if comparisons == "control" else n_algorithms * (n_algorithms - 1) // 2


def holm_levels(alpha: float, count: int) -> Array:
    """(count,): α/(K − i + 1), i = 1..K: what Holm asks of the smallest p-value first."""
    return alpha / np.arange(count, 0, -1)


def check_algorithms(n_algorithms: object) -> int:
    number = isinstance(n_algorithms, int | np.integer) and not isinstance(n_algorithms, bool)
    if not number or not 2 <= cast(int, n_algorithms) <= MOST_ALGORITHMS:
        raise ParameterError(f"n_algorithms must be a whole number from 2 to {MOST_ALGORITHMS}; got {n_algorithms!r}")
    return int(cast(int, n_algorithms))
