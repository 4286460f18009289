"""The p-value of a statistic on ranks: from its limit distribution, its exact permutation law, or a sample of it."""

import math
from collections.abc import Callable

from bakeoff.cautions import caution_of
from bakeoff.checks import draw_count
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution
from bakeoff.nulls.column_sums import (
    WORTH_KEEPING,
    canonical_rows,
    exact_tail,
    is_kept,
    obstacle,
    sampled_tail,
    surely_out_of_reach,
)
from bakeoff.nulls.sorted_states import Ints, n_permutations
from bakeoff.nulls.tails import clopper_pearson
from bakeoff.randomness import generator

AUTO_EXACT = 1e8
"""Up to this much estimated work (about a second) ``method="auto"`` computes the exact distribution."""

AUTO_SAMPLED = 5e7
"""Up to this many shuffled numbers (about a second) it samples; beyond, it takes the limit distribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A p-value and where it comes from."""

    pvalue: float
    log_pvalue: float
    method: str
    n_resamples: int | None = None
    confidence_interval: tuple[float, float] | None = None
    cautions: tuple[Caution, ...] = ()


def permutation_evidence(
    table: Ints, method: str, limit: Callable[[], Evidence], rng: object, n_resamples: int
) -> Evidence:
    """The p-value by ``method``, for a statistic that increases with Σ_j (column sums of ``table``)²."""
    size, random = draw_count("n_resamples", n_resamples, 1), None if rng is None else generator(rng)
    if method == "auto":
        rows = canonical_rows(table)
        if not obstacle(rows, AUTO_EXACT):
            method = "exact"
        elif table.size * size <= AUTO_SAMPLED:
            method = "permutation"
        else:
            return _limit_instead(limit(), table)
    if method == "exact":
        p, log_p = exact_tail(table)
        return Evidence(pvalue=p, log_pvalue=log_p, method="exact")
    if method == "permutation":
        p, count = sampled_tail(table, size, generator(random))  # numpy.random is loaded where it is needed
        return _sampled(p, count, size)
    return limit()


def _sampled(p: float, count: int, size: int) -> Evidence:
    low, high = clopper_pearson(count, size)
    caution = caution_of("sampled", "permutations", size=size, low=low, high=high, least=1 / (size + 1))
    return Evidence(
        pvalue=p,
        log_pvalue=math.log(p),
        method="permutation",
        n_resamples=size,
        confidence_interval=(low, high),
        cautions=(caution,),
    )


def _limit_instead(limit: Evidence, table: Ints) -> Evidence:
    n, k = table.shape
    caution = caution_of("rough", "limit", n=n, k=k, method=limit.method)
    return Evidence(
        pvalue=limit.pvalue, log_pvalue=limit.log_pvalue, method=limit.method, cautions=(caution, *limit.cautions)
    )


QUICK = WORTH_KEEPING
"""Up to this much estimated work, about a twentieth of a second, compare() takes the exact distribution."""


def is_quick(table: Ints) -> bool:
    """Whether the exact distribution of ``table`` takes no more than a twentieth of a second, or has been kept on
    disk."""
    if surely_out_of_reach(table):
        return False
    rows = canonical_rows(table)
    return not obstacle(rows, QUICK) or (not obstacle(rows) and is_kept(rows))


def floored(evidence: Evidence, n: int, k: int) -> Evidence:
    """Never below the least that ranks can give: relabelling the columns alone leaves k! of the (k!)^n tables alike.

    Limit laws do not know; F's p falls below it near perfect agreement (errata F20).
    """
    least = -(n - 1) * math.lgamma(k + 1)
    if evidence.log_pvalue >= least:
        return evidence
    return replace(evidence, pvalue=math.exp(least), log_pvalue=least)


def pvalue_floor(n: int, k: int) -> float:
    """(1/k!)^(n−1), the least that ranks can give: of perfect agreement without ties; of a single problem 1."""
    return math.exp(-(n - 1) * math.lgamma(k + 1))


def perfect_agreement(ranks: Ints) -> Evidence:
    """All problems rank the algorithms in the same order: p = (1/k!)^(n−1), with ties (1/number of orders)^(n−1).

    The first problem may have any order, each other one agrees with probability 1/k!.
    """
    n = len(ranks)
    orders = n_permutations(tuple(ranks[0].tolist()))
    log_p = -(n - 1) * math.log(orders)
    p = 1 / orders ** (n - 1) if log_p > -750.0 else 0.0
    return Evidence(pvalue=p, log_pvalue=log_p + 0.0, method="exact")


def agreement_caution(ranks: Ints) -> Caution:
    """Beside an infinite F."""
    n = len(ranks)
    orders = n_permutations(tuple(ranks[0].tolist()))
    return caution_of("perfect-agreement", n=n, orders=orders, n_2=n - 1)
