"""Which algorithm runs next on a problem, and a batch of such choices.

All rules compare products, never quotients: an algorithm without variation needs no division by zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bakeoff.plan.pilots.optimal_runs import counts_for
from bakeoff.plan.pilots.standard_errors import ErrorTerms
from bakeoff.scores import Array

Rule = Callable[[Array], Sequence[int]]  # counts (k,) -> the algorithms that get a run each


def within_pair(terms: ErrorTerms, pair: int, counts: Array) -> int:
    """The first of the pair if n_first/n_second < r, else the second: Algorithm 1, line 9, of the paper.

    With r = q_first/q_second this is n_first·q_second < n_second·q_first; a tie goes to the second, as printed.
    """
    i, j = terms.pairs[pair]
    q_first, q_second = terms.within(pair)
    if q_first == q_second == 0:  # the error comes from the others, through the mean of all: take the largest share
        return int(np.argmax(terms.coefficients[pair] / counts))
    return i if counts[i] * q_second < counts[j] * q_first else j


def worst_pair(terms: ErrorTerms) -> Rule:
    """One run within the pair that is known worst, the first of equals (CAISEr's rule; of two, Algorithm 1)."""

    def rule(counts: Array) -> tuple[int, ...]:
        pair = int(np.argmax(terms.standard_errors(counts)))
        return (within_pair(terms, pair, counts),)

    return rule


def furthest_below_optimum(terms: ErrorTerms, simple: bool, control: int) -> Rule:
    """The smallest n_i/n_i^opt, the last of equals, as between two.

    n^opt for any wanted standard error is proportional to that for another, so the unit does not matter.
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


def everyone(n_algorithms: int) -> Rule:
    """Balanced: one run each."""
    return lambda counts: range(n_algorithms)


def planned(
    rule: Rule, counts: Sequence[int], batch: int, nmax: int, enough: Callable[[Array], bool]
) -> tuple[int, ...]:
    """At most ``batch`` runs (one round of the rule at least), never beyond ``nmax`` in all.

    It ends as soon as the predicted standard error is ``enough``: without that a batch of 64 costs a third more runs.
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
