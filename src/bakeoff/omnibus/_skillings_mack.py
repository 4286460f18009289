"""Skillings and Mack's test: Friedman's on a table in which scores are missing."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import N_RESAMPLES, choice, integer
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ScoreError, counted, listing
from bakeoff.nulls.tails import chi2_sf, clopper_pearson
from bakeoff.omnibus.result import OmnibusResult
from bakeoff.randomness import SMALL_PRODUCT, generator
from bakeoff.ranks import Ints, doubled_ranks
from bakeoff.ranks.problem_order import ranks_by_cluster
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.two_samples import refuse_clusters
from bakeoff.takes_table import takes_table

METHODS = ("auto", "chi2", "permutation")
REFERENCE = "Skillings & Mack (1981), Technometrics 23, 171–177"

MOVES, PAIRS = 1_000_000, 50_000_000
"""Steps of the exact distribution of half the problems, and pairs of the two halves' rank sums, up to which it is
quick."""

QUICK_MOVES, QUICK_PAIRS = 30_000, 1_000_000  # the same, for some 50 ms

SMALLEST_LOG = 690.0  # of the number of permutations: beyond, a probability may be below the smallest float
LONGEST = 8  # scores of one problem: 8! orders
NEAR = 1e-9  # two statistics within this, relative or absolute, are one number, computed in another order
CHUNK = 1 << 18  # numbers shuffled at a time; fixed, so that the answer does not depend on the machine


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class SkillingsMackResult(OmnibusResult):
    """Result of :func:`bakeoff.skillings_mack`."""

    scores: Array  # (k,) A, the weighted sums of centred ranks in column order; below 0: better than average
    covariance: Array  # (k, k) of them, under the null
    n_used: int  # problems with at least two scores
    n_missing: int  # cells


@takes_table
def skillings_mack(
    scores: Scores,
    method: Literal["auto", "chi2", "permutation"] = "auto",
    *,
    rng: int | np.random.Generator | None = None,
    n_resamples: int = N_RESAMPLES,
) -> SkillingsMackResult:
    """Do any of the algorithms differ, judged by their ranks within each problem, where scores are missing?

    Use it on a table with holes (``missing="keep"``) that are missing for reasons other than the scores themselves.
    Not where a failed run is a bad score: that is ``missing="worst"``. Without holes it is ``bo.friedman``, corrected
    for ties; in a balanced incomplete block design it is Durbin's test.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms), holes allowed. Problems with one score say nothing and are not used. Of clusters
        the mean ranks within their problems are ranked again; clusters with holes are refused.
    method : {"auto", "chi2", "permutation"}
        The χ² limit, or permutations of the scores within problems: all of them where that is quick, else
        ``n_resamples`` at random. "auto" takes the permutations where all are quick, else χ².
    rng : int or Generator, optional
        Seed or Generator of a sampled distribution; seed 0 if absent.
    n_resamples : int
        Size of the sample.

    Returns
    -------
    SkillingsMackResult
        ``.statistic``, ``.df``, ``.pvalue``, ``.scores`` (k,), ``.covariance`` (k, k), ``.method``.

    Raises
    ------
    ScoreError
        Groups of algorithms that never meet on one problem, named: nothing compares them. No problem with two scores.
    ParameterError
        An option that does not exist.

    Notes
    -----
    In problem j with k_j scores, w_j = sqrt(12/(k_j + 1)), and A_i = Σ_j w_j (r_ij − (k_j + 1)/2) over the problems of
    i. C = cov(A) = Σ_j w_j² s_j² (I − 11ᵀ/k_j) over the algorithms present, with s_j² the variance (divisor k_j − 1) of
    the mid-ranks. T = Aᵀ C⁻ A has rank(C) degrees of freedom. Skillings & Mack (1981). Ranks: the best score has rank
    1.

    Examples
    --------
    >>> import bakeoff as bo
    >>> nan = float("nan")
    >>> table = [[2, 3, nan, 1], [nan, 1, 2, 3], [3, nan, 2, 1]]
    >>> result = bo.skillings_mack(bo.Scores(table, better="lower", missing="keep"))
    >>> round(result.statistic, 6), result.df, result.method
    (0.9, (3.0,), 'exact')
    """
    scores = check_scores(scores, holes=True)
    if scores.holes.any():
        advice = "bo.friedman takes clusters on a complete table (missing='drop' or 'worst')"
        refuse_clusters(scores, "Skillings and Mack's test of a table with missing scores", advice)
    scores = ranks_by_cluster(scores)
    choice("method", method, METHODS)
    n_resamples = integer("n_resamples", n_resamples, 1, 100_000_000)
    return _tested(scores, method, rng, n_resamples, (MOVES, PAIRS))


def by_quick_permutations(scores: Scores, rng: int | None) -> SkillingsMackResult:
    """As compare() has it: exact within some 50 ms; else by the χ² limit or, with a seed, by sampled permutations."""
    return _tested(scores, "auto" if rng is None else "permutation", rng, 9999, (QUICK_MOVES, QUICK_PAIRS))


def _tested(
    scores: Scores, method: str, rng: int | np.random.Generator | None, n_resamples: int, most: tuple[int, int]
) -> SkillingsMackResult:
    """``most``: moves and pairs up to which the exact distribution is computed."""
    rows = _centred_rows(scores)
    _require_connected(scores)
    sums, covariance = _sums(rows, scores.n_algorithms), _covariance(rows, scores.n_algorithms)
    order = _one_order(sums, covariance)
    inverse, df = _pseudo_inverse(covariance[np.ix_(order, order)])
    statistic = float(sums[order] @ inverse @ sums[order])
    rows = [row.moved(order) for row in rows]
    p, log_p, used, interval = _evidence(rows, inverse, statistic, df, method, rng, n_resamples, most)
    return SkillingsMackResult(
        name="skillings-mack",
        statistic=statistic,
        df=(float(df),),
        pvalue=p,
        log_pvalue=log_p,
        method=used,
        ties="corrected",
        n_problems=scores.n_problems,
        n_algorithms=scores.n_algorithms,
        n_tied=sum(len(set(row.doubled.tolist())) < len(row.doubled) for row in rows),
        n_dropped=len(scores.dropped),
        confidence_interval=interval,
        scores=read_only(sums),
        covariance=read_only(covariance),
        n_used=len(rows),
        n_missing=int(scores.holes.sum()),
        cautions=_cautions(scores, len(rows)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _CentredRow:
    """One problem: the algorithms that have a score, and twice their ranks less the mean rank."""

    columns: Ints
    doubled: Ints  # 2·(r_ij − (k_j + 1)/2)

    @property
    def weight(self) -> float:
        """The weight of the doubled ranks: sqrt(12/(k_j + 1))/2."""
        return math.sqrt(3.0 / (len(self.columns) + 1))

    def moved(self, order: list[int]) -> _CentredRow:
        """With the columns of the table in another order."""
        place = np.argsort(order)[self.columns]
        within = np.argsort(place)
        return _CentredRow(place[within], self.doubled[within])


def _centred_rows(scores: Scores) -> list[_CentredRow]:
    """The rows of the problems with at least two scores, in their order."""
    present = ~scores.holes
    usable = np.flatnonzero(present.sum(axis=1) >= 2)
    if not len(usable):
        raise ScoreError("has no problem with two scores: nothing can be compared", parameter="scores")
    rows: dict[int, _CentredRow] = {}
    patterns: dict[bytes, list[int]] = {}
    for i in usable.tolist():
        patterns.setdefault(present[i].tobytes(), []).append(i)
    for problems in patterns.values():
        columns = np.flatnonzero(present[problems[0]])
        ranks = doubled_ranks(scores.select(columns.tolist(), problems))
        rows |= {i: _CentredRow(columns, row - (len(columns) + 1)) for i, row in zip(problems, ranks, strict=True)}
    return [rows[i] for i in usable.tolist()]


def _sums(rows: list[_CentredRow], k: int) -> Array:
    """A: whole numbers for each size of problem, so that the order of problems cannot matter."""
    sums = np.zeros(k)
    for size, alike in _by_size(rows):
        doubled = np.zeros(k, dtype=np.int64)
        for row in alike:
            doubled[row.columns] += row.doubled
        sums += math.sqrt(3.0 / (size + 1)) * doubled
    return sums


def _covariance(rows: list[_CentredRow], k: int) -> Array:
    """C, likewise."""
    covariance = np.zeros((k, k))
    for size, alike in _by_size(rows):
        squares = np.zeros((k, k), dtype=np.int64)
        for row in alike:
            squares[np.ix_(row.columns, row.columns)] += int(row.doubled @ row.doubled)
        shared = np.diag(np.diag(squares)) - squares / size
        covariance += 3.0 / ((size + 1) * (size - 1)) * shared
    return covariance


def _by_size(rows: list[_CentredRow]) -> list[tuple[int, list[_CentredRow]]]:
    sizes = sorted({len(row.columns) for row in rows})
    return [(size, [row for row in rows if len(row.columns) == size]) for size in sizes]


def _one_order(sums: Array, covariance: Array) -> list[int]:
    """The columns in an order that does not depend on their labels or on the direction of the scores."""
    up, down = sorted(sums.tolist()), sorted((-sums).tolist())
    sign = 1.0 if up >= down else -1.0
    keys = [(abs(sums[j]), covariance[j, j], sorted(covariance[j].tolist()), sign * sums[j]) for j in range(len(sums))]
    return sorted(range(len(sums)), key=keys.__getitem__)


def _pseudo_inverse(covariance: Array) -> tuple[Array, int]:
    """C⁻ and the rank of C, by its eigenvalues: some are 0, at least that of the vector of ones."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > max(float(values[-1]), 0.0) * 1e-10
    inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    return np.asarray(inverse), int(kept.sum())


def _require_connected(scores: Scores) -> None:
    """Algorithms that meet on a problem, directly or through others, are one group; there must be one."""
    present = (~scores.holes).astype(np.float64)
    present = present[present.sum(axis=1) >= 2]
    group = np.arange(scores.n_algorithms)
    for row in present.astype(bool):
        members = np.unique(group[row])
        group[np.isin(group, members)] = members[0]
    names = [
        [a for a, g in zip(scores.algorithms, group.tolist(), strict=True) if g == one] for one in np.unique(group)
    ]
    if len(names) > 1:
        groups = listing((f"({listing(map(repr, group), 3)})" for group in names), 3)
        raise ScoreError(
            f"falls into {len(names)} groups of algorithms that never have scores on one problem: {groups}. Nothing "
            "compares the groups; analyse each by itself",
            parameter="scores",
        )


def _evidence(
    rows: list[_CentredRow],
    inverse: Array,
    statistic: float,
    df: int,
    method: str,
    rng: int | np.random.Generator | None,
    n_resamples: int,
    most: tuple[int, int],
) -> tuple[float, float, str, tuple[float, float] | None]:
    """p, its logarithm, where it comes from, and the interval of a sampled one."""
    if df == 0:
        return 1.0, 0.0, "exact", None  # every problem is tied
    least = statistic * (1.0 - NEAR) - NEAR
    rows = sorted(rows, key=lambda row: (len(row.columns), row.columns.tolist(), row.doubled.tolist()))
    if method != "chi2" and (p := _exact_tail(rows, inverse, least, most)) is not None:
        return p, math.log(p), "exact", None
    if method == "permutation":
        count = _exceeding(rows, inverse, least, generator(rng), n_resamples)
        p = (1 + count) / (1 + n_resamples)
        return p, math.log(p), "permutation", clopper_pearson(count, n_resamples)
    p, log_p = chi2_sf(statistic, df)
    return float(p), float(log_p), "chi2", None


def _forms(sums: Array, inverse: Array) -> Array:
    return np.asarray(np.einsum("si,ij,sj->s", sums, inverse, sums))


def _exact_tail(rows: list[_CentredRow], inverse: Array, least: float, most: tuple[int, int]) -> float | None:
    """P(T ≥ least) over all permutations within problems; None where that is not quick.

    The law of A is built for two halves of the problems; with A = u + v, T = uᵀC⁻u + 2uᵀC⁻v + vᵀC⁻v for each pair.
    """
    if sum(math.lgamma(len(row.columns) + 1) for row in rows) > SMALLEST_LOG:
        return None
    moves, pairs = most
    halves = [_law(half, len(inverse), moves) for half in (rows[::2], rows[1::2])]
    if halves[0] is None or halves[1] is None:
        return None
    (u, of_u), (v, of_v) = halves[0], halves[1]
    if len(u) * len(v) > pairs:
        return None
    rest = least - _forms(u, inverse)
    u = np.column_stack([u, np.ones(len(u))])
    turned = np.vstack([2.0 * inverse @ v.T, _forms(v, inverse)])
    tails = []
    for first in range(0, len(u), step := max(1, SMALL_PRODUCT // turned.size)):
        part = slice(first, first + step)
        reached = u[part] @ turned >= rest[part, None]
        tails.append(float(of_u[part] @ (reached.astype(np.float64) @ of_v)))
    return min(1.0, math.fsum(tails))


def _law(rows: list[_CentredRow], k: int, moves: int) -> tuple[Array, Array] | None:
    """Every value of A over these problems, and its probability; None where there are too many.

    Problems of one size have one weight, so the states are whole numbers: a sum of doubled ranks for each size of
    problem and algorithm, written as one number in a mixed radix.
    """
    if not rows:
        return np.zeros((1, k)), np.ones(1)
    sizes = sorted({len(row.columns) for row in rows})
    most = np.zeros((len(sizes), k), dtype=np.int64)  # the largest |sum|
    for row in rows:
        most[sizes.index(len(row.columns)), row.columns] += int(np.abs(row.doubled).max())
    radix = 2 * most.ravel() + 1
    if math.prod(radix.tolist()) >= 2**62 or any(len(row.columns) > LONGEST for row in rows):
        return None
    place = np.concatenate([[1], np.cumprod(radix)[:-1]]).reshape(most.shape)
    states: Ints = np.zeros(1, dtype=np.int64)
    probability: Array = np.ones(1)
    for row in rows:
        at = place[sizes.index(len(row.columns)), row.columns]
        orders = Counter(itertools.permutations(row.doubled.tolist()))
        if len(states) * len(orders) > moves:
            return None
        steps = np.array(list(orders), dtype=np.int64) @ at
        share = np.array(list(orders.values())) / orders.total()
        states, back = np.unique(np.add.outer(states, steps), return_inverse=True)
        probability = _summed(np.outer(probability, share), back, len(states))
    offset = int((most * place).sum())  # makes every digit non-negative
    digits = (states[:, None] + offset) // place.ravel() % radix - most.ravel()
    weights = np.array([math.sqrt(3.0 / (size + 1)) for size in sizes])
    return np.einsum("c,sck->sk", weights, digits.reshape(len(states), len(sizes), k)), probability


def _summed(weights: Array, places: Ints, size: int) -> Array:
    return np.asarray(np.bincount(places.ravel(), weights=weights.ravel(), minlength=size), dtype=np.float64)


def _exceeding(
    rows: list[_CentredRow], inverse: Array, least: float, rng: np.random.Generator, n_resamples: int
) -> int:
    """The number of random permutations that give at least this statistic."""
    k, count = len(inverse), 0
    per_chunk = max(1, CHUNK // (len(rows) * k))
    for first in range(0, n_resamples, per_chunk):
        size = min(per_chunk, n_resamples - first)
        sums = np.zeros((size, k))
        for row in rows:
            shuffled = rng.permuted(np.broadcast_to(row.doubled, (size, len(row.doubled))), axis=1)
            sums[:, row.columns] += row.weight * shuffled
        count += int(np.sum(_forms(sums, inverse) >= least))
    return count


def _cautions(scores: Scores, used: int) -> tuple[Caution, ...]:
    """Where the holes are: all on one algorithm, or problems that say nothing."""
    cautions, holes = [], scores.holes
    if used < scores.n_problems:
        cautions.append(
            caution_of("left-out", "problems-without-pairs", problems=counted(scores.n_problems - used, "problem"))
        )
    if holes.any():
        per_algorithm = holes.sum(axis=0)
        most, total = int(np.argmax(per_algorithm)), int(holes.sum())
        cautions.append(
            caution_of(
                "missing",
                "omnibus",
                scores=counted(total, "score"),
                size=holes.size,
                per_algorithm=int(per_algorithm[most]),
                algorithms=scores.algorithms[most],
            )
        )
    return tuple(cautions)
