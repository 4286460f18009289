"""The raw tests of many tables made of rows of one: problems left out, or drawn with replacement.

A pair's differences, directions and ranks within a problem do not change when other problems come or go, so they are
taken once; each table is a choice of places. The numbers are those of one table at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.sensitivity.statistics.analysis import ExaminedAnalysis, ExaminedTable, Rows
from bakeoff.dataclass import dataclass
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.paired._mcnemar import mcnemar_tail
from bakeoff.paired._sign_test import sign_tail
from bakeoff.paired.differences import directions
from bakeoff.paired.many_pairs import Columns, RowDifferences, row_differences, summed
from bakeoff.posthoc.pairs import PairTests, rank_sums, signed_rank_rows, t_rows
from bakeoff.ranks import doubled_ranks
from bakeoff.ranks.cautions import has_differences
from bakeoff.scores import Array, Scores
from bakeoff.scores.pair_family import Family

T = TypeVar("T", bound=np.generic)
CELLS = 1 << 19
"""Differences held at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyTests:
    """The tests of B tables and m pairs."""

    statistic: Array  # (B, m)
    direction: Array
    pvalue: Array
    log_pvalue: Array
    positions: Array | None = None  # (B, k)
    errors: Array | None = None  # (B, 2) standard errors of z tests and of their range

    def __len__(self) -> int:
        return len(self.pvalue)

    def one(self, i: int) -> PairTests:
        return PairTests(
            statistic=self.statistic[i],
            direction=self.direction[i],
            pvalue=self.pvalue[i],
            log_pvalue=self.log_pvalue[i],
            positions=None if self.positions is None else self.positions[i],
            standard_error=None if self.errors is None else float(self.errors[i, 0]),
            range_error=None if self.errors is None else float(self.errors[i, 1]),
        )


ManyTables = Callable[[Rows], ManyTests]
"""(B, n) places of rows -> the tests of B tables."""


def many_tests(table: ExaminedTable, analysis: ExaminedAnalysis, family: Family | None = None) -> ManyTables | None:
    """The tests of many tables at once; None where each needs the whole way by itself."""
    if analysis.recipe is not None or analysis.method in ("tukey", "dunnett"):
        return None  # a gate, or the error of all algorithms pooled
    pairs = table.family if family is None else family
    name = analysis.chosen.name
    if name == "mean-ranks":
        return _mean_ranks(table.units.ranked, pairs, analysis)
    if name in ("sign", "sign-without-ties", "mcnemar"):
        return _signs(table.units.for_test(name), pairs, name)
    if name in ("wilcoxon", "t") and has_differences(table.measured.values):
        rows = row_differences(Columns.of(table.measured), pairs)
        return _of_differences(rows, name)
    return None


def _in_chunks(rows: Rows, cells: int, work: Callable[[Rows], npt.NDArray[T]]) -> npt.NDArray[T]:
    """Run ``work`` on all tables, as many at a time as fit in memory."""
    step = max(1, CELLS // max(1, cells))
    return np.concatenate([work(rows[start : start + step]) for start in range(0, len(rows), step)])


def _taken(differences: RowDifferences, rows: Rows) -> RowDifferences:
    """(B·m, n) table by table."""
    n = rows.shape[1]
    values = np.ascontiguousarray(differences.values[:, rows].transpose(1, 0, 2)).reshape(-1, n)
    scales = np.ascontiguousarray(differences.scales[:, rows].transpose(1, 0, 2)).reshape(-1, n)
    return RowDifferences(values=values, scales=scales)


def _of_differences(differences: RowDifferences, name: str) -> ManyTables:
    m = len(differences.values)

    def tests(rows: Rows) -> ManyTests:
        known: dict[tuple[bytes, int], tuple[float, float]] = {}

        def work(part: Rows) -> Array:
            taken = _taken(differences, part)
            return signed_rank_rows(summed(taken), known) if name == "wilcoxon" else t_rows(taken)

        tested = _in_chunks(rows, m * rows.shape[1], work)
        statistic, direction, pvalue, log_pvalue = (tested[:, i].reshape(-1, m) for i in range(4))
        return ManyTests(statistic=statistic, direction=direction, pvalue=pvalue, log_pvalue=log_pvalue)

    return tests


@lru_cache(maxsize=1 << 14)
def sign_evidence(name: str, wins: int, losses: int, ties: int) -> tuple[float, float]:
    """p and its logarithm of a test that counts."""
    if wins == losses == 0:
        return 1.0, 0.0
    if name == "mcnemar":
        return mcnemar_tail(wins, losses, "exact")
    halves = ties // 2 if name == "sign" else 0
    return sign_tail(wins + halves, wins + losses + 2 * halves, "two-sided")


def _signs(scores: Scores, family: Family, name: str) -> ManyTables:
    signs = np.array([directions(scores, a, b) for a, b in family])  # (m, n)

    def counted(part: Rows) -> npt.NDArray[np.int64]:
        taken = signs[:, part]
        return np.stack([(taken > 0).sum(axis=2).T, (taken < 0).sum(axis=2).T], axis=2)

    def tests(rows: Rows) -> ManyTests:
        n = rows.shape[1]
        wins, losses = _in_chunks(rows, len(signs) * n, counted).transpose(2, 0, 1)
        keys, which = np.unique(wins * (n + 1) + losses, return_inverse=True)
        each = np.array(
            [sign_evidence(name, key // (n + 1), key % (n + 1), n - sum(divmod(key, n + 1))) for key in keys.tolist()]
        )
        p, log_p = (each[:, i][which.reshape(wins.shape)] for i in range(2))
        halves = (n - wins - losses) // 2 if name == "sign" else 0
        return ManyTests(
            statistic=(wins + halves).astype(np.float64),
            direction=np.sign(wins - losses).astype(np.float64),
            pvalue=p,
            log_pvalue=log_p,
        )

    return tests


def _mean_ranks(scores: Scores, family: Family, analysis: ExaminedAnalysis) -> ManyTables:
    ranks = doubled_ranks(scores)  # (n, k)
    n_all, k = ranks.shape
    spread = k * (ranks**2).sum(axis=1) - ranks.sum(axis=1) ** 2  # (n,)
    a, b = np.array(family, dtype=np.intp).reshape(-1, 2).T
    printed = rank_sums(scores, "mean-ranks").printed_error * np.sqrt(n_all)

    def error(form: str, rows: Rows) -> Array:
        n = rows.shape[1]
        if form == "papers":
            return np.full(len(rows), printed / np.sqrt(n))
        return np.asarray(np.sqrt(2 * spread[rows].sum(axis=1) / (k * (k - 1))) / (2 * n))

    def tests(rows: Rows) -> ManyTests:
        sums = np.stack([ranks[places].sum(axis=0) for places in rows])
        errors = np.column_stack([error(form, rows) for form in analysis.forms])
        distance = sums[:, b] - sums[:, a]
        se = errors[:, :1]
        z = np.where(se > 0.0, distance / np.where(se > 0.0, 2 * rows.shape[1] * se, 1.0), 0.0)
        pvalue, log_pvalue = normal_two_sided(z)
        return ManyTests(
            statistic=z,
            direction=np.sign(distance).astype(np.float64),
            pvalue=np.asarray(pvalue),
            log_pvalue=np.asarray(log_pvalue),
            positions=sums.astype(np.float64),
            errors=errors,
        )

    return tests


# The same table with one decimal fewer.

MOST = 4
"""Decimals beyond which scores are not taken to be rounded."""

_EXACT = Context(prec=400)  # the largest float has 309 digits before the point


def decimal_places(scores: Scores) -> int | None:
    """The decimals that the scores (of each run) have; None beyond ``MOST``."""
    cells = scores.values if scores.runs is None else scores.runs
    most = 0
    for value in np.unique(cells[np.isfinite(cells)]).tolist():
        exponent = Decimal(repr(value)).normalize().as_tuple().exponent
        most = max(most, -int(exponent))
        if most > MOST:
            return None
    return most


def rounded(scores: Scores, places: int) -> Scores:
    """Every score (of each run) to so many decimals, a half to the even digit."""
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    unit = Decimal(1).scaleb(-places)
    flat: Array = cells.copy().ravel()
    for i in np.flatnonzero(np.isfinite(flat)).tolist():
        flat[i] = float(Decimal(repr(float(flat[i]))).quantize(unit, ROUND_HALF_EVEN, _EXACT))
    return Scores.from_cells(
        flat.reshape(cells.shape), scores.algorithms, scores.problems, better=scores.better, clusters=scores.clusters
    )
