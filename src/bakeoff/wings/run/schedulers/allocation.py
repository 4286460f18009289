"""Which algorithm runs next on a problem, and batches of such choices.

All rules compare products instead of quotients, so that an algorithm without variation causes no division by zero.
"""

from collections.abc import Callable, Sequence

import numpy as np

from bakeoff.plan.pilots import ErrorTerms, counts_for
from bakeoff.scores import Array

AllocationRule = Callable[[Array], Sequence[int]]  # counts (k,) -> the algorithms that get a run each


def within_pair(terms: ErrorTerms, pair: int, counts: Array) -> int:
    """The first of the pair if n_first/n_second < r, else the second: Algorithm 1, line 9, of the paper.

    With r = q_first/q_second this is n_first·q_second < n_second·q_first; a tie goes to the second, as printed.
    """
    i, j = terms.pairs[pair]
    q_first, q_second = terms.within(pair)
    if q_first == q_second == 0:  # the error comes from the mean of all algorithms: take the largest share
        return int(np.argmax(terms.coefficients[pair] / counts))
    return i if counts[i] * q_second < counts[j] * q_first else j


def worst_pair(terms: ErrorTerms) -> AllocationRule:
    """One run within the pair of largest standard error, the first if tied (CAISEr's rule; for two, Algorithm 1)."""

    def rule(counts: Array) -> tuple[int, ...]:
        pair = int(np.argmax(terms.standard_errors(counts)))
        return (within_pair(terms, pair, counts),)

    return rule


def furthest_below_optimum(terms: ErrorTerms, simple: bool, control: int) -> AllocationRule:
    """The smallest n_i/n_i^opt, the last if tied, as for two algorithms.

    The n^opt for different target standard errors are proportional, so the unit does not matter.
    """
    unit = float(np.max(terms.coefficients))
    optimum = counts_for(terms, unit, simple=simple, control=control).tolist()

    def rule(counts: Array) -> tuple[int, ...]:
        n = counts.tolist()
        best = 0
        for j in range(1, len(n)):
            if not n[best] * optimum[j] < n[j] * optimum[best]:
                best = j
        return (best,)

    return rule


def everyone(n_algorithms: int) -> AllocationRule:
    """Balanced: one run each."""
    return lambda counts: range(n_algorithms)


def planned(
    rule: AllocationRule, counts: Sequence[int], batch: int, nmax: int, enough: Callable[[Array], bool]
) -> tuple[int, ...]:
    """At most ``batch`` runs (at least one step of the rule), never more than ``nmax`` in total.

    It ends as soon as the predicted standard error is ``enough``; otherwise a batch of 64 costs a third more runs.
    """
    n = np.array(counts, dtype=np.float64)
    plan: list[int] = []
    chosen = rule(n)
    most = min(max(batch, len(chosen)), nmax - sum(counts))
    while len(plan) + len(chosen) <= most:
        for j in chosen:
            n[j] += 1
            plan.append(j)
        if enough(n):
            break
        chosen = rule(n)
    return tuple(plan)
