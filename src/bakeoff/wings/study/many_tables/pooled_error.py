"""Analysis of variance and Tukey's test of many tables."""

from functools import lru_cache

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.nulls import studentized_range
from bakeoff.nulls.chi_average import NODES
from bakeoff.nulls.tails import f_sf
from bakeoff.omnibus import anova as anova_of_one
from bakeoff.posthoc import tukey as tukey_of_one
from bakeoff.ranks import Ints, refuse_overflow, tie_tolerance
from bakeoff.scores import Array, Scores
from bakeoff.wings.study.many_tables.table_batch import TableBatch, TestOutcome

INTERPOLATED = 64.0  # studentized ranges up to this are interpolated; beyond it an integral each, as there are few
ROUNDING = 64.0  # tolerances: spreads below so many of them are looked at table by table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fits:
    """Problem + algorithm + residual, of each table in units of its own."""

    means: Array  # (t, k) less the mean of all
    between: Array  # (t,) sums of squares
    error: Array
    odd: Ints  # tables in which rounding may be all that is left: these go one by one


def fits(batch: TableBatch) -> Fits:
    costs = batch.costs
    size = np.abs(costs)
    nearest = np.where(size == size.min(axis=2, keepdims=True), costs, np.inf).min(axis=2, keepdims=True)
    with np.errstate(over="ignore"):
        within = costs - nearest
    refuse_overflow(within, "Analysis of variance")
    within -= within.mean(axis=2, keepdims=True)
    exponent = np.frexp(np.abs(within).max(axis=(1, 2)))[1]
    centred = np.ldexp(within, -exponent[:, None, None])  # so that squares cannot overflow
    means = centred.mean(axis=1)
    residuals = centred - means[:, None, :]
    slack = ROUNDING * np.ldexp(tie_tolerance(batch.scales.max(axis=(1, 2))), -exponent)
    odd = (np.abs(means).max(axis=1) <= slack) | (np.abs(residuals).max(axis=(1, 2)) <= slack)
    return Fits(
        means=means,
        between=batch.n * (means**2).sum(axis=1),
        error=(residuals**2).sum(axis=(1, 2)),
        odd=np.flatnonzero(odd),
    )


def _one(batch: TableBatch, i: int) -> Scores:
    return Scores(batch.costs[i], better="lower")


def anova_of_many(batch: TableBatch) -> TestOutcome:
    fitted, d1, d2 = fits(batch), batch.k - 1, (batch.k - 1) * (batch.n - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = (fitted.between / d1) / (fitted.error / d2)
    f[fitted.odd] = 0.0
    p: Array = f_sf(f, d1, d2)[0]
    for i in fitted.odd.tolist():
        p[i] = anova_of_one(_one(batch, i)).pvalue
    return TestOutcome.of_pvalues(p, batch.alpha)


def tukey_of_many(batch: TableBatch) -> TestOutcome:
    fitted, df = fits(batch), (batch.k - 1) * (batch.n - 1)
    a, b = np.array(batch.pairs, dtype=np.intp).T
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.abs(fitted.means[:, a] - fitted.means[:, b]) / np.sqrt(fitted.error / df / batch.n)[:, None]
    q[fitted.odd] = 0.0
    p = range_tails(q.ravel(), batch.k, df).reshape(q.shape)
    for i in fitted.odd.tolist():
        p[i] = tukey_of_one(_one(batch, i)).pvalue[a, b]
    return TestOutcome.of_family(np.ascontiguousarray(p.T), batch.place(batch.pairs), batch.alpha)


def range_tails(q: Array, k: int, df: int) -> Array:
    """P(Q ≥ q) at very many points: ln P through Chebyshev nodes on cells of length 2, which are kept.

    The cells depend on k and df alone, so that neither the other tables nor their order can matter.
    """
    log_p = np.empty_like(q)
    cell = 2 * np.floor(np.minimum(q, INTERPOLATED) / 2.0).astype(np.intp)
    for base in np.unique(cell).tolist():
        inside = np.flatnonzero(cell == base)
        if base >= INTERPOLATED:
            log_p[inside] = studentized_range.log_sf(q[inside], k, df)
        else:
            log_p[inside] = np.polynomial.chebyshev.chebval(q[inside] - base - 1.0, _cell(k, df, base))
    return np.exp(np.minimum(log_p, 0.0))


@lru_cache(maxsize=4096)
def _cell(k: int, df: int, base: int) -> Array:
    """Chebyshev coefficients of ln P(Q ≥ q) for q from ``base`` to ``base`` + 2."""
    angles = np.pi * (np.arange(NODES) + 0.5) / NODES
    values = studentized_range.log_sf(base + 1.0 + np.cos(angles), k, df)
    coefficients = 2.0 / NODES * np.cos(np.outer(np.arange(NODES), angles)) @ values
    coefficients[0] /= 2.0
    return np.asarray(coefficients)
