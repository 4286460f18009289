"""Omnibus tests and corrected tests of pairs, as the public functions have them by default, of many tables."""

import math

import numpy as np

from bakeoff.adjusting.many_families import adjusted_columns, bergmann_hommel_columns, shaffer_columns
from bakeoff.analyses.compare.statistics.corrections import DEFAULT_OF_PAIRS, DEFAULT_WITH_CONTROL, QUICK
from bakeoff.nulls import studentized_range
from bakeoff.nulls.tails import chi2_sf, f_sf
from bakeoff.omnibus.evidence import pvalue_floor
from bakeoff.posthoc.attainable import smallest_adjusted_pvalue, smallest_raw_pvalues
from bakeoff.ranks import Ints
from bakeoff.scores import Array
from bakeoff.wings.study.many_tables.table_batch import TableBatch, TestOutcome

# The tests of many tables, corrected for multiplicity.


ADJUSTED = {"shaffer": shaffer_columns, "bergmann-hommel": bergmann_hommel_columns}


def with_control(batch: TableBatch, method: str, ranking: str = "mean-ranks") -> TestOutcome:
    """z tests on mean ranks against the control a, corrected."""
    raw = batch.mean_rank_tests if ranking == "mean-ranks" else batch.rank_tests(batch.with_control, ranking)
    return TestOutcome.of_family(adjusted_columns(raw, method), batch.place(batch.with_control), batch.alpha)


def all_pairs(batch: TableBatch, method: str) -> TestOutcome:
    """z tests on mean ranks of all pairs, corrected."""
    values = ADJUSTED[method](batch.rank_tests(batch.pairs), batch.k)
    return TestOutcome.of_family(values, batch.place(batch.pairs), batch.alpha)


def nemenyi_of_many(batch: TableBatch) -> TestOutcome:
    """The studentized range of mean ranks, with the papers' standard error."""
    n, k = batch.n, batch.k
    sums = batch.ranks.sum(axis=1)
    a, b = np.array(batch.pairs, dtype=np.intp).T
    distances, which = np.unique(np.abs(sums[:, b] - sums[:, a]).T, return_inverse=True)
    z = distances / (2 * n * np.sqrt(k * (k + 1) / (6 * n)))
    p = studentized_range.sf(np.sqrt(2.0) * z, k)[which].reshape(len(a), batch.t)
    return TestOutcome.of_family(p, batch.place(batch.pairs), batch.alpha)


def compare_all(batch: TableBatch) -> TestOutcome:
    """``bo.compare(scores)``: Wilcoxon's test of all pairs, by Bergmann and Hommel's procedure, or Shaffer's."""
    values = ADJUSTED[_default_of_pairs(batch.k)](batch.signed_rank_tests(batch.pairs), batch.k)
    return _compared(batch, values, control=False)


def compare_with_control(batch: TableBatch) -> TestOutcome:
    """``bo.compare(scores, control=a)``: Wilcoxon's test and Holm's procedure."""
    values = adjusted_columns(batch.signed_rank_tests(batch.with_control), DEFAULT_WITH_CONTROL)
    return _compared(batch, values, control=True)


def _default_of_pairs(k: int) -> str:
    return DEFAULT_OF_PAIRS if k <= QUICK else "shaffer"


def _compared(batch: TableBatch, values: Array, control: bool) -> TestOutcome:
    family = batch.with_control if control else batch.pairs
    smallest = smallest_compared(batch.n, batch.k, control)
    return TestOutcome.of_family(values, batch.place(family), batch.alpha, reachable=smallest <= batch.alpha)


def smallest_compared(n: int, k: int, control: bool) -> float:
    """The least adjusted p-value that ``bo.compare`` can find on n problems: beyond alpha it says "cannot tell"."""
    method = DEFAULT_WITH_CONTROL if control else _default_of_pairs(k)
    return smallest_adjusted_pvalue(smallest_raw_pvalues(n, k, control, "wilcoxon"), method, k)


def friedman_of_many(batch: TableBatch) -> TestOutcome:
    numerator, denominator = _friedman_fraction(batch)
    p = chi2_sf(numerator / denominator, batch.k - 1)[0]
    return _floored(p, batch)


def iman_davenport_of_many(batch: TableBatch) -> TestOutcome:
    n, k = batch.n, batch.k
    numerator, denominator = _friedman_fraction(batch)
    f = _ratio((n - 1) * numerator, n * (k - 1) * denominator - numerator)
    return _floored(_f_pvalue(f, k - 1, (k - 1) * (n - 1)), batch)


def _friedman_fraction(batch: TableBatch) -> tuple[Ints, int]:
    n, k = batch.n, batch.k
    sums = batch.ranks.sum(axis=1)
    return 3 * ((sums**2).sum(axis=1) - n * n * k * (k + 1) ** 2), n * k * (k + 1)


def aligned_friedman_of_many(batch: TableBatch) -> TestOutcome:
    n, k, size = batch.n, batch.k, batch.n * batch.k
    ranks = batch.aligned_ranks
    spread = (ranks.sum(axis=1) ** 2).sum(axis=1) - k * n * n * (size + 1) ** 2
    rows = (ranks.sum(axis=2) ** 2).sum(axis=1)
    denominator = 2 * k * size * (size + 1) * (2 * size + 1) - 3 * rows
    return _floored(chi2_sf(3 * k * (k - 1) * spread / denominator, k - 1)[0], batch)


def quade_of_many(batch: TableBatch) -> TestOutcome:
    n, k = batch.n, batch.k
    centred = batch.problem_ranks[:, :, None] * (batch.ranks - (k + 1))
    between = (centred.sum(axis=1) ** 2).sum(axis=1)
    total = 2 * n * n * (n + 1) * (2 * n + 1) * k * (k * k - 1) // 9
    f = _ratio((n - 1) * between, total - between)
    return _floored(_f_pvalue(f, k - 1, (k - 1) * (n - 1)), batch)


def _ratio(numerator: Ints, denominator: Ints) -> Array:
    """Infinite where the problems agree perfectly, which only problems without ties can."""
    with np.errstate(divide="ignore"):
        return np.asarray(numerator / denominator)


def _f_pvalue(f: Array, d1: float, d2: float) -> Array:
    p: Array = f_sf(np.where(np.isinf(f), 1.0, f), d1, d2)[0]
    return np.where(np.isinf(f), 0.0, p)


def _floored(p: Array, batch: TableBatch) -> TestOutcome:
    """Never below the least that ranks can give, which perfect agreement has."""
    least = pvalue_floor(batch.n, batch.k)
    assert math.isfinite(least)
    return TestOutcome.of_pvalues(np.maximum(p, least), batch.alpha)
