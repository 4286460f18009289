"""The smallest adjusted p-value any outcome of this design could give.

Where it exceeds alpha, "no difference shown" is no finding: the experiment could not have shown one.

The i-th smallest raw p over all outcomes with n problems and k algorithms is at least p_i, that of the mean of the i
largest distances under complete agreement (its mean ranks majorise those of every outcome, and a sum of the i largest
distances is convex and symmetric). A correction that increases with every raw p is therefore nowhere below that of
(p_1, …, p_m). Against a control each p_i is reached, with the i worst tied on every problem, so the bound is too
(Hommel's may lie a little low); for all pairs p_1 is, which is all that step-down corrections need. Where the bound is
not reached, "no difference shown" is said instead of "cannot tell", never the other way round.
"""

import numpy as np
from scipy.special import ndtri

from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS, adjust
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.posthoc import POSTHOC
from bakeoff.posthoc.pairs import PAIRWISE, Ranking
from bakeoff.scores import Array


def smallest_raw_pvalues(n: int, k: int, control: bool, pairwise: str, standard_error: float | None) -> Array:
    """(m,) lower bounds p_i for the i-th smallest raw p-value of the family, over all outcomes."""
    m = k - 1 if control else k * (k - 1) // 2
    test = PAIRWISE[pairwise]
    if not isinstance(test, Ranking):
        return np.full(m, test.smallest(n))
    assert standard_error is not None
    largest = _largest_distances(k, control)
    means = np.cumsum(largest) / np.arange(1, m + 1)
    return np.asarray(normal_two_sided(test.span(n) * means / standard_error)[0])


def _largest_distances(k: int, control: bool) -> Array:
    """Distances between ranks 1..k under complete agreement, largest first."""
    if control:
        return np.arange(k - 1, 0, -1, dtype=np.float64)
    return np.concatenate([np.full(k - d, float(d)) for d in range(k - 1, 0, -1)])


def smallest_adjusted_pvalue(raw: Array, method: str, k: int) -> float:
    """The least adjusted p-value ``method`` can give in a family whose i-th smallest raw p is at least raw[i].

    Single-step and step-down corrections (and Shaffer, Bergmann–Hommel, whose first set is the whole family)
    never go below the correction of the smallest p alone. Step-up ones can profit from many small p-values, Li's from
    a small largest one.
    """
    if len(raw) == 1:
        return float(raw[0])
    if method in POSTHOC:
        return POSTHOC[method].smallest(float(raw[0]), k)
    known = CONTROL_METHODS.get(method) or CONTROL_METHODS[PAIRWISE_METHODS[method].bound]
    best = {"alone": _alone, "together": _together, "apart": _apart}[known.best_case](raw)
    return float(adjust(best, known.name)[0])


def _alone(raw: Array) -> Array:
    return np.concatenate((raw[:1], np.ones(len(raw) - 1)))


def _together(raw: Array) -> Array:
    return raw


def _apart(raw: Array) -> Array:
    """The outcome that suits Li's p_1 / (p_1 + 1 − p_m) best: one algorithm as far from the control as can be.

    The others, tied on every problem, are then half as far (rank (k + 1)/2 where the control has 1 and the worst k).
    Moving the worst nearer, so that the others may be further, would raise p_1 faster than it lowers p_m.
    """
    if raw[0] == raw[-1]:  # tests of two algorithms alone: all can be as small
        return raw
    others = float(normal_two_sided(ndtri(raw[0] / 2.0) / 2.0)[0])
    return np.concatenate((raw[:1], np.full(len(raw) - 1, others)))
