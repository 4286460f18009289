"""The raw test of each pair: z statistics of the three rankings, or a paired test per pair.

For a ranking z = (S_b − S_a)/SE with the rank sums S. If all k algorithms are alike, the ranks s_ij of a problem may
stand in any order, which gives SE² = 2/(k−1) · Σ_ij (s_ij − s̄_i)² for every ranking, ties included ("permutation").
"papers" are the printed forms, for mean ranks (errata F2, F17, F18):

    mean ranks   SE² = k(k+1) / (6n)                          Derrac et al. (2011), (12): the same without ties
    aligned      SE² = k(kn+1) / 6                            (13): too small, it takes ranks to be independent
    Quade        SE² = k(k+1)(2n+1)(k−1) / (18n(n+1))         (14): (k−1)/2 times what it should be

Rank sums are integers, so equal distances give bitwise equal p-values, in whatever order the columns come.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting import AdjustmentMethod
from bakeoff.dataclass import dataclass
from bakeoff.means.five_by_two import Found, five_by_two_f, five_by_two_t
from bakeoff.means.folds import five_by_two
from bakeoff.means.moments import suite_moments
from bakeoff.means.strata import one_stratum
from bakeoff.means.unit_mean import unit_mean
from bakeoff.nulls import studentized_range
from bakeoff.nulls.signed_rank import EXACT_LIMIT, signed_rank_null
from bakeoff.nulls.tails import normal_two_sided, t_two_sided
from bakeoff.paired import PAIRED, PairedTest
from bakeoff.paired._paired_t import NAME as T_NAME, t_statistic
from bakeoff.paired._wilcoxon import NAME, SignedRankSums, signed_rank_sums, two_sided
from bakeoff.paired.alternatives import both_sides
from bakeoff.paired.differences import ordered_differences
from bakeoff.paired.many_pairs import Columns, Progress, RowDifferences, RowSums, chunks_of, of_chunks, row_differences
from bakeoff.posthoc._dunnett import dunnett
from bakeoff.posthoc._tukey import tukey
from bakeoff.procedures import Term, by_name
from bakeoff.ranks import (
    Ints,
    doubled_aligned_ranks,
    doubled_problem_ranks,
    doubled_ranks,
    refuse_overflow,
    tie_tolerance,
)
from bakeoff.scores import Array, Scores, read_only
from bakeoff.special import ndtri

Pairs = Sequence[tuple[int, int]]
Row = tuple[float, float, float, float, float]  # statistic, direction, p, log p, rank-biserial correlation or NaN
StandardError = Literal["permutation", "papers"]
STANDARD_ERRORS = ("permutation", "papers")
SHORT, REMEMBERED = 200, 100_000  # p-values kept: of pairs with up to 200 differences, at most 160 MB of ranks
NEARLY_EQUAL = 64.0  # tie tolerances: differences of so small a range are summed exactly


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTests:
    """Raw two-sided tests of pairs (a, b): ``direction`` is positive where a is better."""

    statistic: Array
    direction: Array
    pvalue: Array
    log_pvalue: Array
    rank_biserial: Array | None = None  # of signed ranks
    positions: Array | None = None  # rank sums whose distances the p-values decrease with
    standard_error: float | None = None  # of a difference of two mean ranks
    range_error: float | None = None  # the same, as the studentized range of mean ranks takes it


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest(Term):
    """The raw test of every pair of a table; ``phrase`` is a plural."""

    function: Callable[[Scores, Pairs, Progress | None, StandardError], PairTests]
    word: str  # in the middle of a sentence
    symbol: str  # of the statistic
    law: Callable[[int], str] = lambda n: ""  # what the p-values of n problems come from, if that needs saying
    smallest: Callable[[int], float] = lambda n: 0.0  # p-value that n problems can give; rankings: see attainable.py


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking(PairTest):
    """z tests on the mean ranks of one way of ranking."""

    axis: str  # what a mean rank of this kind is called
    span: Callable[[int], float] = lambda n: 1.0  # between neighbours if all of n problems agree


def pair_tests(
    scores: Scores,
    pairs: Pairs,
    pairwise: str,
    progress: Progress | None = None,
    standard_error: StandardError = "permutation",
) -> PairTests:
    """Test each pair by ``pairwise``: a ranking's z, or a paired test. ``progress`` is told how many are done."""
    return PAIR_TESTS[pairwise].function(scores, pairs, progress, standard_error)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSums:
    """Rank sums of one ranking: whole numbers, and what makes mean ranks of them."""

    sums: Ints  # (k,)
    divisor: int
    spread: int  # k · Σ_ij (s_ij − s̄_i)², in the units of ``sums``
    printed_error: float  # the papers' SE of a difference of two mean ranks

    @property
    def means(self) -> Array:
        """(k,) mean ranks."""
        return np.asarray(self.sums / self.divisor)

    def standard_error(self, form: StandardError) -> float:
        """The error of a difference of two mean ranks; 0 where all algorithms are tied on every problem."""
        if form == "papers":
            return self.printed_error
        k = len(self.sums)
        return math.sqrt(2 * self.spread / (k * (k - 1))) / self.divisor


def rank_sums(scores: Scores, ranking: str) -> RankSums:
    """The rank sums of the algorithms, for any ranking within or across problems."""
    n, k = scores.values.shape
    if ranking == "mean-ranks":
        ranks, divisor, printed = doubled_ranks(scores), 2 * n, math.sqrt(k * (k + 1) / (6 * n))
    elif ranking == "aligned":
        ranks, divisor, printed = doubled_aligned_ranks(scores), 2 * n, math.sqrt(k * (k * n + 1) / 6)
    else:
        ranks = doubled_problem_ranks(scores)[:, None] * doubled_ranks(scores)
        divisor = 2 * n * (n + 1)
        printed = math.sqrt(k * (k + 1) * (2 * n + 1) * (k - 1) / (18 * n * (n + 1)))
    squares, rows = sum((ranks**2).sum(axis=1).tolist()), sum(e * e for e in ranks.sum(axis=1).tolist())
    return RankSums(sums=ranks.sum(axis=0), divisor=divisor, spread=k * squares - rows, printed_error=printed)


def _rank_tests(
    ranking: str, scores: Scores, pairs: Pairs, progress: Progress | None, standard_error: StandardError
) -> PairTests:
    ranked = rank_sums(scores, ranking)
    sums, se = ranked.sums, ranked.standard_error(standard_error)
    a, b = np.array(pairs, dtype=np.intp).T
    distance = sums[b] - sums[a]
    z = distance / (ranked.divisor * se) if se > 0.0 else np.zeros(len(distance))
    pvalue, log_pvalue = normal_two_sided(z)
    return PairTests(
        statistic=read_only(z),
        direction=read_only(np.sign(distance).astype(np.float64)),
        pvalue=read_only(np.asarray(pvalue)),
        log_pvalue=read_only(np.asarray(log_pvalue)),
        positions=read_only(sums.astype(np.float64)),
        standard_error=se,
        range_error=se,
    )


def _signed_ranks(scores: Scores, pairs: Pairs, progress: Progress | None) -> Array:
    """(m, 5) Wilcoxon's test of each pair."""
    of_rows = partial(signed_rank_rows, known={})
    return np.concatenate([np.empty((0, 5)), *of_chunks(scores, pairs, of_rows, NAME, progress)])


def signed_rank_rows(rows: RowSums, known: dict[tuple[bytes, int], tuple[float, float]]) -> Array:
    """(m, 5) Wilcoxon's test of each row. Without ties all rows share one null, so that a p-value is one of few; only
    so many of other rows are kept, in ``known``, as ties make ranks differ."""
    untied = _untied(rows.ranks.shape[1])

    def evidence(sums: SignedRankSums) -> tuple[float, float]:
        if len(sums.ranks) > SHORT:
            return two_sided(sums)
        key = (np.sort(sums.ranks).tobytes(), min(sums.plus, sums.minus))
        evidence_of_sums = known.get(key) or two_sided(sums)
        if len(known) < REMEMBERED:
            known[key] = evidence_of_sums
        return evidence_of_sums

    plain, difference = rows.plain, rows.plus - rows.minus
    least, total = np.minimum(rows.plus, rows.minus), np.maximum(rows.plus + rows.minus, 1)
    sums, which = np.unique(least[plain], return_inverse=True)
    tests = np.empty((len(plain), 5))
    tests[:, 0], tests[:, 1], tests[:, 4] = least / 2, np.sign(difference), difference / total
    tests[plain, 2:4] = np.array([untied(t) for t in sums.tolist()]).reshape(-1, 2)[which]
    for i in np.flatnonzero(~plain).tolist():
        tests[i] = _signed_rank_row(rows.one(i), evidence)
    return tests


def t_rows(rows: RowDifferences) -> Array:
    """(m, 4) the paired t-test of each row: statistic, direction, p and its logarithm."""
    d, n = rows.values, rows.values.shape[1]
    if n == 1:
        return np.tile([0.0, 0.0, 1.0, 0.0], (len(d), 1))
    size = np.abs(d).max(axis=1, keepdims=True)
    size[size == 0.0] = 1.0
    means = suite_moments((d / size).T, (rows.scales / size).T, [one_stratum(np.arange(n))])
    alike = np.ptp(d, axis=1) <= NEARLY_EQUAL * tie_tolerance(rows.scales.max(axis=1))
    t = means.means / np.where(means.errors > 0.0, means.errors, 1.0)
    for i in np.flatnonzero(alike | (means.errors <= 1e-9)).tolist():
        t[i] = t_statistic(unit_mean(d[i], rows.scales[i]))
    p, log_p = np.ones(len(t)), np.zeros(len(t))
    finite = np.isfinite(t)  # without an error nothing is known of the spread: p stays 1
    p[finite], log_p[finite] = t_two_sided(t[finite], n - 1)
    return np.column_stack([t, np.sign(t), p, log_p])


def _t_tests(scores: Scores, pairs: Pairs, progress: Progress | None) -> list[Row]:
    """The paired t-test of each pair, as ``bo.paired_t``."""
    scores.require_finite(T_NAME, sorted({column for pair in pairs for column in pair}))
    columns, rows = Columns.of(scores), list[Row]()
    for chunk in chunks_of(pairs, scores.n_problems):
        differences = row_differences(columns, chunk)
        refuse_overflow(differences.values, T_NAME)
        for d, scales in zip(differences.values, differences.scales, strict=True):
            mean = unit_mean(d, scales)
            t = t_statistic(mean)
            rows.append((t, float(np.sign(t)), *mean.pvalue(), math.nan))
        if progress is not None:
            progress(len(rows), len(pairs))
    return rows


@lru_cache(maxsize=32)
def _untied(n: int) -> Callable[[int], tuple[float, float]]:
    """p and its logarithm, given twice the lesser of the rank sums of n differences without ties."""
    ranks = 2 * np.arange(1, n + 1)
    total = n * (n + 1)
    law = signed_rank_null(ranks) if n <= EXACT_LIMIT else None

    @cache
    def evidence(least: int) -> tuple[float, float]:
        if law is not None:
            return both_sides(*law.tail(least))
        return two_sided(
            SignedRankSums(ranks=ranks, plus=least, minus=total - least, half_zeros=0, n=n, zeros=0, ties=0)
        )

    return evidence


def _signed_rank_row(
    sums: SignedRankSums, evidence: Callable[[SignedRankSums], tuple[float, float]] = two_sided
) -> Row:
    direction = float(np.sign(sums.plus - sums.minus))
    return min(sums.r_plus, sums.r_minus), direction, *evidence(sums), sums.rank_biserial


def signed_rank_tests(scores: Scores, pairs: Pairs) -> PairTests:
    """Wilcoxon's test of each pair, an infinite difference larger than all others; none may be undefined."""
    infinite = [bool(np.isinf(column).any()) for column in scores.values.T]
    special = [infinite[a] or infinite[b] for a, b in pairs]
    tests = np.empty((len(pairs), 5))
    tests[~np.array(special, dtype=bool)] = _signed_ranks(
        scores, [p for p, odd in zip(pairs, special, strict=True) if not odd], None
    )
    for i in np.flatnonzero(special).tolist():
        tests[i] = _signed_rank_row(signed_rank_sums(ordered_differences(scores, *pairs[i])))
    return _from_rows(tests)


def merged(where: npt.NDArray[np.bool_], chosen: PairTests, others: PairTests) -> PairTests:
    """``chosen`` where ``where``, ``others`` elsewhere, both in the order of their pairs."""

    def together(first: Array, second: Array) -> Array:
        values = np.empty(len(where))
        values[where], values[~where] = first, second
        return read_only(values)

    names = ("statistic", "direction", "pvalue", "log_pvalue")
    both: dict[str, Any] = {name: together(getattr(chosen, name), getattr(others, name)) for name in names}
    return PairTests(**both)


def _one_by_one(test: PairedTest, scores: Scores, pairs: Pairs, progress: Progress | None) -> list[Row]:
    rows: list[Row] = []
    for a, b in pairs:
        r = test.function(scores, a, b)
        rows.append((r.statistic, float(np.sign(test.direction(r))), r.pvalue, r.log_pvalue, math.nan))
        if progress is not None:
            progress(len(rows), len(pairs))
    return rows


def _paired_tests(
    test: PairedTest, scores: Scores, pairs: Pairs, progress: Progress | None, standard_error: StandardError
) -> PairTests:
    return _from_rows((_TOGETHER.get(test.name) or partial(_one_by_one, test))(scores, pairs, progress))


def _from_rows(rows: list[Row] | Array) -> PairTests:
    *tests, correlation = (read_only(column.copy()) for column in np.asarray(rows, dtype=np.float64).reshape(-1, 5).T)
    known: dict[str, Any] = dict(zip(("statistic", "direction", "pvalue", "log_pvalue"), tests, strict=True))
    return PairTests(**known, rank_biserial=None if np.isnan(correlation).any() else correlation)


def _of_paired(test: PairedTest) -> PairTest:
    same = {field: getattr(test, field) for field in ("word", "cite", "symbol", "law", "smallest")}
    return PairTest(test.name, test.short, f"{test.noun}s", function=partial(_paired_tests, test), **same)


_Together = Callable[[Scores, Pairs, Progress | None], list[Row] | Array]
_TOGETHER: dict[str, _Together] = {"wilcoxon": _signed_ranks, "t": _t_tests}  # faster than one pair after the other


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


def _resampled(scores: Scores, pairs: Pairs, progress: Progress | None, standard_error: StandardError) -> PairTests:
    """The corrected resampled t of each pair, of a table whose deviations are widened (``means.folds``)."""
    return _from_rows(_t_tests(scores, pairs, progress))


def _five_by_two(
    formula: Callable[[Array], Found],
    scores: Scores,
    pairs: Pairs,
    progress: Progress | None,
    standard_error: StandardError,
) -> PairTests:
    """A test of the differences of each pair in five repeats of two folds, the rows of the table."""
    scores.require_finite("A test of folds")
    repeats, rows = five_by_two(scores), list[Row]()
    for a, b in pairs:
        differences = ordered_differences(scores, a, b).values[repeats]
        statistic, p, log_p = formula(differences)
        side = float(np.sign(statistic if formula is five_by_two_t else differences.sum()))
        rows.append((statistic, side, p, log_p, math.nan))
        if progress is not None:
            progress(len(rows), len(pairs))
    return _from_rows(rows)


def _of_folds(name: str, short: str, word: str, symbol: str, *cite: str, formula: Any = None) -> PairTest:
    function = _resampled if formula is None else partial(_five_by_two, formula)
    smallest: Callable[[int], float] = lambda n: 0.0 if n > 1 else 1.0  # noqa: E731
    return PairTest(name, short, f"{word}s", function=function, word=word, cite=cite, symbol=symbol, smallest=smallest)


OF_FOLDS: dict[str, PairTest] = by_name(
    _of_folds("resampled-t", "Corrected resampled t", "corrected resampled t-test", "t",
              "nadeaubengio2003", "bouckaertfrank2004"),
    _of_folds("repeated-t", "Repeat-corrected t", "repeat-corrected resampled t-test", "t",
              "nadeaubengio2003"),
    _of_folds("calibrated-t", "Calibrated t", "calibrated t-test", "t", "bouckaert2003"),
    _of_folds("5x2cv-t", "5×2cv t", "5×2cv t-test", "t", "dietterich1998", formula=five_by_two_t),
    _of_folds("5x2cv-f", "Combined 5×2cv F", "combined 5×2cv F-test", "F", "alpaydin1999", formula=five_by_two_f),
)  # fmt: skip
"""The tests of folds of one data set."""
PAIRWISE: dict[str, PairTest] = {**RANKINGS, **{name: _of_paired(test) for name, test in PAIRED.items()}}
"""The tests of problems that ``compare(pairwise=...)`` knows."""
PAIR_TESTS: dict[str, PairTest] = {**PAIRWISE, **OF_FOLDS}
"""Those, and the tests of folds."""


# Nemenyi's test: the studentized range of mean ranks.


def nemenyi_pvalues(scores: Scores, family: Pairs, tests: PairTests, control: int | None) -> Array:
    """(m,) adjusted p-values of z tests on mean ranks.

    Each is the probability that the range of k standard normal variables exceeds √2·|z|, z by the range's own error.
    """
    assert tests.standard_error is not None
    assert tests.range_error is not None
    z = np.abs(tests.statistic) * (tests.standard_error / tests.range_error if tests.range_error > 0.0 else 1.0)
    return np.asarray(studentized_range.sf(np.sqrt(2.0) * z, scores.n_algorithms))


def smallest_nemenyi(smallest_raw: float, k: int) -> float:
    """The adjusted p-value of the pair with this unadjusted one."""
    return float(studentized_range.sf(-math.sqrt(2.0) * ndtri(smallest_raw / 2.0), k))


# Tests of a whole family of pairs at once, as compare() uses them.


def _unbounded(smallest_raw: float, k: int) -> float:
    """Pooled t statistics have no bound."""
    return 0.0 if smallest_raw == 0.0 else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyTest(AdjustmentMethod):
    """``function(scores, family, tests, control)``: the adjusted p-values of the family, in its order."""

    function: Callable[[Scores, Pairs, PairTests, int | None], Array]
    control: bool  # for comparisons with a control; else for all pairs
    pairwise: str  # the raw test of a pair that it belongs to
    omnibus: str | None = None  # the omnibus test that it belongs to, if to one
    advice: str  # what an error says where it does not fit
    smallest: Callable[[float, int], float] = _unbounded  # of the smallest raw p and k: the smallest adjusted p

    def fits(self, control: bool, omnibus: str, pairwise: str) -> bool:
        """Whether it can be asked for beside these choices."""
        return self.control == control and self.pairwise == pairwise and self.omnibus in (None, omnibus)


def adjusted_by_dunnett(scores: Scores, family: Pairs, tests: PairTests, control: int | None) -> Array:
    """The adjusted p-values of each algorithm against the control."""
    return dunnett(scores, 0 if control is None else control).pvalue


def adjusted_by_tukey(scores: Scores, family: Pairs, tests: PairTests, control: int | None) -> Array:
    """The adjusted p-values of all pairs."""
    a, b = np.array(family, dtype=np.intp).T
    chosen: Array = tukey(scores).pvalue[a, b]
    return chosen
