"""The raw test of each pair: z statistics of the three rankings, or a paired test per pair.

For the rankings (ERRATA of Derrac (13) and García (21): k(kn+1), not k(n+1)):

    mean ranks   z = (R_b − R_a) / sqrt(k(k+1) / (6n))                          Derrac et al. (2011), (12)
    aligned      z = (R̂_b − R̂_a) / sqrt(k(kn+1) / 6)                            (13)
    Quade        z = (T_b − T_a) / sqrt(k(k+1)(2n+1)(k−1) / (18n(n+1)))         (14)

Rank sums are integers, so equal distances give bitwise equal p-values, in whatever order the columns come.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from bakeoff.nulls.tails import normal_two_sided
from bakeoff.paired import PAIRED, PairedTest
from bakeoff.paired._wilcoxon import NAME, SignedRankSums, two_sided
from bakeoff.paired.many_pairs import Progress, for_signed_ranks
from bakeoff.procedures import Term, by_name
from bakeoff.ranks import Ints, doubled_aligned_ranks, doubled_problem_ranks, doubled_ranks
from bakeoff.scores import Array, Scores, read_only

Pairs = Sequence[tuple[int, int]]
Row = tuple[float, float, float, float]  # statistic, direction, p, log p
SHORT, REMEMBERED = 200, 100_000  # p-values kept: of pairs with up to 200 differences, at most 160 MB of ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTests:
    """Raw two-sided tests of pairs (a, b): ``direction`` is positive where a is better."""

    statistic: Array
    direction: Array
    pvalue: Array
    log_pvalue: Array
    positions: Array | None = None  # rank sums whose distances the p-values decrease with
    standard_error: float | None = None  # of a difference of two mean ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest(Term):
    """The raw test of every pair of a table; ``phrase`` is a plural."""

    function: Callable[[Scores, Pairs, Progress | None], PairTests]
    word: str  # in the middle of a sentence
    symbol: str  # of the statistic
    law: Callable[[int], str] = lambda n: ""  # what the p-values of n problems come from, if that needs saying
    smallest: Callable[[int], float] = lambda n: 0.0  # p-value that n problems can give; rankings: see attainable.py


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking(PairTest):
    """z tests on the mean ranks of one way of ranking."""

    axis: str  # what a mean rank of this kind is called
    span: Callable[[int], float] = lambda n: 1.0  # between neighbours if all of n problems agree


def pair_tests(scores: Scores, pairs: Pairs, pairwise: str, progress: Progress | None = None) -> PairTests:
    """Test each pair by ``pairwise``: a ranking's z, or a paired test. ``progress`` is told how many are done."""
    return PAIRWISE[pairwise].function(scores, pairs, progress)


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


def _rank_tests(ranking: str, scores: Scores, pairs: Pairs, progress: Progress | None) -> PairTests:
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
        positions=read_only(sums.astype(np.float64)),
        standard_error=se,
    )


def _signed_ranks(scores: Scores, pairs: Pairs, progress: Progress | None) -> list[Row]:
    """Wilcoxon's test of each pair. Without ties all pairs share one null, so a p-value is looked up by ranks and sum;
    only so many are kept, as ties make ranks differ."""
    known: dict[tuple[bytes, int], tuple[float, float]] = {}

    def evidence(sums: SignedRankSums) -> tuple[float, float]:
        if len(sums.ranks) > SHORT:
            return two_sided(sums)
        key = (np.sort(sums.ranks).tobytes(), min(sums.plus, sums.minus))
        found = known.get(key) or two_sided(sums)
        if len(known) < REMEMBERED:
            known[key] = found
        return found

    def row(sums: SignedRankSums) -> Row:
        return min(sums.r_plus, sums.r_minus), float(np.sign(sums.plus - sums.minus)), *evidence(sums)

    return for_signed_ranks(scores, pairs, row, NAME, progress)


def _one_by_one(test: PairedTest, scores: Scores, pairs: Pairs, progress: Progress | None) -> list[Row]:
    rows: list[Row] = []
    for a, b in pairs:
        r = test.function(scores, a, b)
        rows.append((r.statistic, float(np.sign(test.direction(r))), r.pvalue, r.log_pvalue))
        if progress is not None:
            progress(len(rows), len(pairs))
    return rows


def _paired_tests(test: PairedTest, scores: Scores, pairs: Pairs, progress: Progress | None) -> PairTests:
    rows = (_TOGETHER.get(test.name) or partial(_one_by_one, test))(scores, pairs, progress)
    statistic, direction, pvalue, log_pvalue = (read_only(column.copy()) for column in np.array(rows).T)
    return PairTests(statistic=statistic, direction=direction, pvalue=pvalue, log_pvalue=log_pvalue)


def _of_paired(test: PairedTest) -> PairTest:
    same = {field: getattr(test, field) for field in ("word", "cite", "symbol", "law", "smallest")}
    return PairTest(test.name, test.short, f"{test.noun}s", function=partial(_paired_tests, test), **same)


_TOGETHER = {"wilcoxon": _signed_ranks}  # faster than one pair after the other


def _ranking(
    name: str, ranks: str, word: str, cite: str, axis: str, span: Callable[[int], float] = lambda n: 1.0
) -> Ranking:
    return Ranking(
        name=name,
        function=partial(_rank_tests, name),
        short=f"z on {ranks}",
        phrase=f"z tests on {ranks}",
        word=word,
        cite=(cite,),
        symbol="z",
        axis=axis,
        span=span,
    )


RANKINGS: dict[str, Ranking] = by_name(
    _ranking("mean-ranks", "mean ranks", "mean ranks", "demsar2006", "mean rank"),
    _ranking("aligned", "aligned ranks", "aligned ranks", "garcia2010", "mean aligned rank", span=float),
    _ranking("quade", "Quade ranks", "Quade's weighted ranks", "garcia2010", "weighted mean rank"),
)
PAIRWISE: dict[str, PairTest] = {**RANKINGS, **{name: _of_paired(test) for name, test in PAIRED.items()}}
"""The tests that ``compare(pairwise=...)`` knows."""
