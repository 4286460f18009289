"""The smallest adjusted p-value any outcome of this design could give.

Where it exceeds alpha, "no difference shown" is no finding: the experiment could not have shown one.

Let p_i be a lower bound for the i-th smallest raw p over all outcomes with n problems and k algorithms, ties included.
A correction that increases with every raw p is nowhere below that of (p_1, …, p_m). The bounds, for z tests on ranks:

*Permutation variance.* With the centred ranks c_ij of problem i and v = Σ (e_b − e_a) over any t pairs (a, b), the sum
of their z is Σ_i c_i·v / SE, at most √n·|v|·√(Σ c²)/SE = |v|·√(n(k−1)/2) by Cauchy and Schwarz. Against a control
|v|² ≤ t(t+1). For any t pairs, |v|² = Σ over pairs of net_b − net_a, where net counts pairs that end in an algorithm
less those that begin there: at most t+1 and at most 2(k−1), so |v|² ≤ t·min(t+1, 2(k−1)). The t-th largest |z| is at
most their mean. For t = 1 that is √(n(k−1)), reached where on every problem one algorithm is best, one worst and the
others are tied between them: all that single-step and step-down corrections need.

*The papers' standard errors* are fixed, so p_i belongs to the mean of the i largest distances under complete agreement:
its mean ranks majorise those of every outcome, and a sum of the i largest distances is convex and symmetric. Against a
control each p_i is reached, with the i worst tied on every problem (Hommel's bound may lie a little low).

Where a bound is not reached, "no difference shown" is said instead of "cannot tell", never the other way round.
"""

import numpy as np

from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS, adjust
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.posthoc import POSTHOC
from bakeoff.posthoc.pairs import PAIR_TESTS, Ranking
from bakeoff.scores import Array
from bakeoff.special import ndtri


def smallest_raw_pvalues(n: int, k: int, control: bool, pairwise: str, printed_error: float | None = None) -> Array:
    """(m,) lower bounds p_i for the i-th smallest raw p-value of the family, over all outcomes.

    ``printed_error`` is the papers' standard error of a difference of two mean ranks, if that is in force.
    """
    m = k - 1 if control else k * (k - 1) // 2
    test = PAIR_TESTS[pairwise]
    if not isinstance(test, Ranking):
        return np.full(m, test.smallest(n))
    t = np.arange(1, m + 1)
    if printed_error is None:
        most = t + 1 if control else np.minimum(t + 1, 2 * (k - 1))
        return np.asarray(normal_two_sided(np.sqrt(n * (k - 1) / 2.0 * most / t))[0])
    means = np.cumsum(_largest_distances(k, control)) / t
    return np.asarray(normal_two_sided(test.span(n) * means / printed_error)[0])


def _largest_distances(k: int, control: bool) -> Array:
    """Distances between ranks 1..k under complete agreement, largest first."""
    if control:
        return np.arange(k - 1, 0, -1, dtype=np.float64)
    return np.concatenate([np.full(k - d, float(d)) for d in range(k - 1, 0, -1)])


def smallest_adjusted_pvalue(raw: Array, method: str, k: int, printed: bool = False) -> float:
    """The least adjusted p-value ``method`` can give in a family whose i-th smallest raw p is at least raw[i].

    Single-step and step-down corrections (and Shaffer, Bergmann–Hommel, whose first set is the whole family)
    never go below the correction of the smallest p alone. Step-up ones can profit from many small p-values, Li's from
    a small largest one. ``printed``: the papers' standard error is in force.
    """
    if len(raw) == 1:
        return float(raw[0])
    if method in POSTHOC:
        return POSTHOC[method].smallest(float(raw[0]), k)
    known = CONTROL_METHODS.get(method) or CONTROL_METHODS[PAIRWISE_METHODS[method].bound]
    # Li's p_1 / (p_1 + 1 − p_m) is smallest for the smallest p_1 and p_m, which no outcome need have together
    others = {"alone": np.ones(len(raw) - 1), "together": raw[1:], "apart": np.full(len(raw) - 1, raw[-1])}
    best = others[known.best_case]
    if known.best_case == "apart" and printed:
        best = np.full(len(raw) - 1, _half_as_far(float(raw[0])))
    return float(adjust(np.concatenate((raw[:1], best)), known.name)[0])


def _half_as_far(least: float) -> float:
    """p of the others in the outcome that suits Li's quotient best under a fixed standard error: one as far as can be.

    The others, tied on every problem, are then half as far (rank (k + 1)/2 where the control has 1 and the worst k).
    Moving the worst nearer, so that the others may be further, would raise p_1 faster than it lowers p_m.
    """
    return float(normal_two_sided(ndtri(least / 2.0) / 2.0)[0])
