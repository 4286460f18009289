"""The smallest adjusted p-value any outcome of this design could give.

Where it exceeds alpha, "no difference shown" is no finding: the experiment could not have shown one.

The bound is exact for the sequences of p-values considered: among all outcomes with n problems and k
algorithms, the i-th smallest raw p is at least p_i, reached when the mean of the i largest distances is as
large as it can be (the mean-rank vector is majorised by that of complete agreement, and a sum of the i largest
distances is convex and symmetric). A monotone correction of (p_i, …, p_i, 1, …, 1) is therefore a lower bound for
every outcome, and the minimum over i is the design's reach.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from bakeoff.adjusting import adjust
from bakeoff.nulls import studentized_range
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.scores import Array


def smallest_raw_pvalues(n: int, k: int, control: bool, pairwise: str, standard_error: float | None) -> Array:
    """(m,) lower bounds p_i for the i-th smallest raw p-value of the family, over all outcomes."""
    m = k - 1 if control else k * (k - 1) // 2
    if pairwise in ("wilcoxon", "sign"):
        return np.full(m, min(1.0, math.ldexp(2.0, -n)))
    if pairwise == "t":
        return np.full(m, 0.0 if n > 1 else 1.0)
    assert standard_error is not None
    spread = {"mean-ranks": 1.0, "quade": 1.0, "aligned": float(n)}[pairwise]
    largest = _largest_distances(k, control)
    means = np.cumsum(largest) / np.arange(1, m + 1)
    return np.asarray(normal_two_sided(spread * means / standard_error)[0])


def _largest_distances(k: int, control: bool) -> Array:
    """Distances between ranks 1..k under complete agreement, largest first."""
    if control:
        return np.arange(k - 1, 0, -1, dtype=np.float64)
    return np.concatenate([np.full(k - d, float(d)) for d in range(k - 1, 0, -1)])


def smallest_adjusted_pvalue(raw: Array, method: str, k: int) -> float:
    """The least adjusted p-value ``method`` can give in a family whose i-th smallest raw p is at least raw[i].

    Single-step and step-down corrections (and Shaffer, Bergmann–Hommel, whose first set is the whole family)
    never go below the correction of the smallest p alone. Step-up ones can profit from many small p-values.
    """
    m = len(raw)
    if len(raw) == 1:
        return float(raw[0])
    if method in ("dunnett", "tukey"):
        return 0.0 if raw[0] == 0.0 else 1.0  # pooled t statistics have no bound
    if method == "nemenyi-range":
        return float(studentized_range.sf(-math.sqrt(2.0) * ndtri(raw[0] / 2.0), k))
    if method not in STEP_UP:
        return float(adjust(_family(raw, 1), _FIRST_STEP.get(method, method))[0])
    if m > 200:
        return float(raw[0])  # a step-up correction never goes below the raw p
    return min(float(adjust(_family(raw, i), method)[0]) for i in range(1, m + 1))


def _family(raw: Array, i: int) -> Array:
    family = np.ones(len(raw))
    family[:i] = raw[i - 1]
    return family


STEP_UP = frozenset({"hochberg", "hommel", "rom", "rom-printed", "li", "fdr-bh", "fdr-by"})
_FIRST_STEP = dict.fromkeys(("nemenyi", "holm", "shaffer", "shaffer-dynamic", "bergmann-hommel"), "bonferroni")
