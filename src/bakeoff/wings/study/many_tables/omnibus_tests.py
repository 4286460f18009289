"""Does any algorithm differ? The papers' statistics, as the public functions have them by default, of many tables."""

import math

import numpy as np

from bakeoff.nulls.tails import chi2_sf, f_sf
from bakeoff.omnibus.evidence import pvalue_floor
from bakeoff.ranks import Ints
from bakeoff.scores import Array
from bakeoff.wings.study.many_tables.outcome import TestOutcome
from bakeoff.wings.study.many_tables.table_batch import TableBatch


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
