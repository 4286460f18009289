"""The multiple sign test: the smallest of m sign counts against one control, when all m + 1 algorithms are alike.

Given where the control stands on a problem (u, uniform on 0..1) the m signs are independent with probability u. With
u_1 … u_n one per problem, P(min ≤ c) = E{1 − [1 − F_c(u_1 … u_n)]^m}, where F_c is the distribution function of a sum
of independent indicators. This is a polynomial of degree m in each u_i, so ⌈(m+1)/2⌉ Gauss–Legendre nodes integrate
it *exactly*; problems are exchangeable, so only the number of them at each node matters. Every term is positive.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from bakeoff.errors import TooLargeError
from bakeoff.special import gammaln

Array = npt.NDArray[np.float64]

MOST_WORK = 1e10
"""Multiplications, see _work: a few seconds."""

MOST_PROBLEMS = 1000
"""2^−n must be a normal floating-point number."""


@lru_cache(maxsize=128)
def cdf_of_smallest(n: int, m: int) -> Array:
    """(n+1,): P(min of the m counts ≤ c), c = 0 … n, for n problems."""
    _refuse_large(n, m)
    nodes, weights = np.polynomial.legendre.leggauss(m // 2 + 1)
    nodes, weights = (1.0 + nodes) / 2.0, weights / 2.0
    total = np.zeros(n + 1)
    at_last = _binomials(float(nodes[-1]), n)
    for size, (log_weight, counts) in enumerate(_spread(n, nodes[:-1], np.log(weights[:-1]))):
        rest = n - size  # problems at the last node
        log_weight = log_weight + (rest * np.log(weights[-1]) - gammaln(rest + 1.0) + gammaln(n + 1.0))
        below = np.minimum(_with_last(counts, np.cumsum(at_last[rest]), n), 1.0)
        total += np.exp(log_weight) @ _at_least_one(below, m)
    total = np.minimum(np.maximum.accumulate(total), 1.0)
    total[-1] = 1.0
    total.setflags(write=False)
    return total


def _refuse_large(n: int, m: int) -> None:
    if n > MOST_PROBLEMS or _work(n, m) > MOST_WORK:
        raise TooLargeError(
            f"the exact distribution of the multiple sign test is too large for {n} problems and {m} algorithms "
            f"beside the control (up to {_most_problems(m)} problems are possible with {m}). Use compare(..., "
            "control=..., "
            'pairwise="sign", posthoc="holm")'
        )


def _most_problems(m: int) -> int:
    n = 1
    while n < MOST_PROBLEMS and _work(n + 1, m) <= MOST_WORK:
        n += 1
    return n


def _work(n: int, m: int) -> float:
    """Ways to spread n problems over the nodes, times the work for each: a vector by a matrix, and its powers."""
    nodes = m // 2 + 1
    return comb(n + nodes - 1, nodes - 1) * (n + 1.0) * (n / 3.0 + 30.0)


def _spread(n: int, nodes: Array, log_weights: Array) -> Iterator[tuple[Array, Array]]:
    """For size = 0 … n: every way to put so many problems on these nodes.

    (ways,) logarithms of the weights without n!, and (ways, size+1) the distribution of the sum of their signs.
    The ways that leave the first j nodes empty stand last, so each way of size + 1 comes from just one of ``size``:
    one problem more at its first node in use.
    """
    log_weight, counts, used = np.zeros(1), np.ones((1, 1)), np.zeros((1, len(nodes)))
    yield log_weight, counts
    for size in range(n):
        grown = []
        for j, node in enumerate(nodes):
            tail = slice(len(counts) - comb(size + len(nodes) - j - 1, size), None)
            one_more = used[tail].copy()
            one_more[:, j] += 1.0
            grown.append(
                (log_weight[tail] + (log_weights[j] - np.log(one_more[:, j])), _one_trial(counts[tail], node), one_more)
            )
        if not grown:  # a single node takes all problems
            return
        log_weight, counts, used = (np.concatenate(parts) for parts in zip(*grown, strict=True))
        yield log_weight, counts


def _one_trial(rows: Array, p: float) -> Array:
    """Each row's distribution after one more trial with success probability p."""
    out = np.empty((rows.shape[0], rows.shape[1] + 1))
    out[:, :-1] = rows * (1.0 - p)
    out[:, -1] = 0.0
    out[:, 1:] += rows * p
    return out


def _binomials(p: float, n: int) -> list[Array]:
    """Distributions of the number of successes in 0 … n trials."""
    rows = [np.ones((1, 1))]
    for _ in range(n):
        rows.append(_one_trial(rows[-1], p))
    return [row[0] for row in rows]


def _with_last(rows: Array, cdf: Array, n: int) -> Array:
    """(ways, n+1): each row's distribution convolved with the distribution function of the rest."""
    full = np.concatenate((cdf, np.ones(n + 1 - len(cdf))))
    if len(rows) == 1:
        return np.convolve(rows[0], full)[None, : n + 1]
    back = np.arange(n + 1) - np.arange(rows.shape[1])[:, None]
    convolved: Array = rows @ np.where(back >= 0, full[np.maximum(back, 0)], 0.0)
    return convolved


def _at_least_one(p: Array, m: int) -> Array:
    """1 − (1−p)^m by g(2j) = g + g·(1 − g) and g(j+1) = g + p·(1 − g): no cancellation."""
    g = p
    for bit in bin(m)[3:]:
        g = g + g * (1.0 - g)
        if bit == "1":
            g = g + p * (1.0 - g)
    return g
