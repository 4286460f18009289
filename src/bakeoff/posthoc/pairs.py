"""The raw test of each pair: z statistics of the three rankings, or a paired test per pair.

For the rankings (ERRATA of Derrac (13) and García (21): k(kn+1), not k(n+1)):

    mean ranks   z = (R_b − R_a) / sqrt(k(k+1) / (6n))                          Derrac et al. (2011), (12)
    aligned      z = (R̂_b − R̂_a) / sqrt(k(kn+1) / 6)                            (13)
    Quade        z = (T_b − T_a) / sqrt(k(k+1)(2n+1)(k−1) / (18n(n+1)))         (14)

Rank sums are integers, so equal distances give bitwise equal p-values, in whatever order the columns come.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.nulls.tails import normal_two_sided
from bakeoff.paired import paired_t, sign_test, wilcoxon
from bakeoff.ranks import Ints, doubled_aligned_ranks, doubled_problem_ranks, doubled_ranks
from bakeoff.scores import Array, Scores, read_only

RANKINGS = ("mean-ranks", "aligned", "quade")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTests:
    """Raw two-sided tests of pairs (a, b): ``direction`` is positive where a is better."""

    statistic: Array
    direction: Array
    pvalue: Array
    log_pvalue: Array
    method: str
    positions: Array | None  # rank sums whose distances the p-values decrease with
    standard_error: float | None  # of a difference of two mean ranks


def pair_tests(scores: Scores, pairs: Sequence[tuple[int, int]], pairwise: str) -> PairTests:
    """Test each pair by ``pairwise``: a ranking's z, or a paired test."""
    if pairwise in RANKINGS:
        return _rank_tests(scores, pairs, pairwise)
    return _paired_tests(scores, pairs, _PAIRED[pairwise])


def rank_sums(scores: Scores, ranking: str) -> tuple[Ints, int, float]:
    """Integer rank sums (k,), what to divide them by for mean ranks, and the SE of a difference of means."""
    n, k = scores.values.shape
    if ranking == "mean-ranks":
        return doubled_ranks(scores).sum(axis=0), 2 * n, math.sqrt(k * (k + 1) / (6 * n))
    if ranking == "aligned":
        return doubled_aligned_ranks(scores).sum(axis=0), 2 * n, math.sqrt(k * (k * n + 1) / 6)
    weighted = doubled_problem_ranks(scores)[:, None] * doubled_ranks(scores)
    se = math.sqrt(k * (k + 1) * (2 * n + 1) * (k - 1) / (18 * n * (n + 1)))
    return weighted.sum(axis=0), 2 * n * (n + 1), se


def _rank_tests(scores: Scores, pairs: Sequence[tuple[int, int]], ranking: str) -> PairTests:
    sums, divisor, se = rank_sums(scores, ranking)
    a, b = np.array(pairs, dtype=np.intp).T
    distance = sums[b] - sums[a]
    z = distance / (divisor * se)
    pvalue, log_pvalue = normal_two_sided(z)
    return PairTests(
        statistic=read_only(z),
        direction=read_only(np.sign(distance).astype(np.float64)),
        pvalue=read_only(np.asarray(pvalue)),
        log_pvalue=read_only(np.asarray(log_pvalue)),
        method="normal",
        positions=read_only(sums.astype(np.float64)),
        standard_error=se,
    )


def _paired_tests(
    scores: Scores, pairs: Sequence[tuple[int, int]], test: Callable[[Scores, int, int], tuple[float, ...]]
) -> PairTests:
    rows = np.array([test(scores, a, b) for a, b in pairs])
    return PairTests(
        statistic=read_only(rows[:, 0].copy()),
        direction=read_only(rows[:, 1].copy()),
        pvalue=read_only(rows[:, 2].copy()),
        log_pvalue=read_only(rows[:, 3].copy()),
        method="exact" if test is not _t else "t",
        positions=None,
        standard_error=None,
    )


def _signed_ranks(scores: Scores, a: int, b: int) -> tuple[float, ...]:
    r = wilcoxon(scores, a, b)
    return r.statistic, np.sign(r.r_plus - r.r_minus), r.pvalue, r.log_pvalue


def _signs(scores: Scores, a: int, b: int) -> tuple[float, ...]:
    r = sign_test(scores, a, b)
    return r.statistic, np.sign(r.wins - r.losses), r.pvalue, r.log_pvalue


def _t(scores: Scores, a: int, b: int) -> tuple[float, ...]:
    r = paired_t(scores, a, b)
    return r.statistic, np.sign(r.statistic), r.pvalue, r.log_pvalue


_PAIRED = {"wilcoxon": _signed_ranks, "sign": _signs, "t": _t}
PAIRWISE = (*RANKINGS, *_PAIRED)
