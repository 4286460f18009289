"""The record of an omnibus test, what those on ranks return, and the cautions they share."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution
from bakeoff.omnibus.evidence import Evidence, is_quick, permutation_evidence
from bakeoff.procedures import Procedure
from bakeoff.ranks import Ints
from bakeoff.scores import Array, Scores, read_only
from bakeoff.scores.clusters import of_units

Ties = Literal["none", "corrected"]
TIES = ("none", "corrected")


@dataclass(frozen=True, slots=True, kw_only=True)
class OmnibusTest(Procedure):
    """An omnibus test as compare() uses it: ``function(scores)``, or ``function(scores, ties=...)``.

    The result has ``.name .statistic .df .pvalue .log_pvalue .cautions``; ``.method`` and ``.ties`` are optional.
    """

    symbol: str = "F"  # of the statistic
    ranking: str = "mean-ranks"  # the mean ranks that belong to it
    differences: bool = False  # looks at differences of scores, not only at their order
    permuted: Callable[[Scores], Ints] | None = None  # (n, k) whole numbers whose orders within rows are the null
    takes_ties: bool = True  # False where there are no ranks, so that ``ties=`` has no meaning
    reason: str = "asked for"  # why it is the default
    of_ranks: tuple[Callable[[Ints, Ties, int], Any], ...] = ()
    """The same of doubled ranks and the number of rows left out, then a second test that is reported beside it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class OmnibusResult:
    """Result of any omnibus test."""

    name: str  # in ``OMNIBUS``
    statistic: float
    df: tuple[float, ...]  # of the limit distribution: one number (χ²) or two (F)
    pvalue: float
    log_pvalue: float  # natural logarithm; never underflows
    method: str  # what the p-value really comes from: "chi2", "f", "exact" or "permutation"
    ties: str = "none"  # as the papers, or "corrected"
    n_problems: int
    n_algorithms: int
    n_tied: int = 0  # problems with tied scores; aligned ranks: groups of tied aligned observations
    n_dropped: int  # problems left out when the scores were read
    confidence_interval: tuple[float, float] | None = None  # 99 % (Clopper–Pearson) for a sampled p-value
    cautions: tuple[Caution, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class RankTestResult(OmnibusResult):
    """Result of :func:`bakeoff.friedman` and :func:`bakeoff.aligned_friedman`."""

    mean_ranks: Array  # (k,) read-only, in column order
    n_resamples: int | None = None  # of a sampled p-value


Result = TypeVar("Result", bound=RankTestResult)


def of_ranks(
    kind: type[Result],
    ranks: Ints,
    evidence: Evidence,
    ties: str,
    n_dropped: int,
    unit: str,
    all_cautions: Sequence[Caution] = (),
    **own: Any,
) -> Result:
    """The result of a test on the doubled ``ranks`` within the rows of a table, each a ``unit``."""
    n, k = ranks.shape
    cautions = (*omnibus_cautions(ranks, ties, evidence.method), *all_cautions, *evidence.cautions)
    known: dict[str, Any] = {"n_tied": n_tied_problems(ranks), "mean_ranks": read_only(ranks.sum(axis=0) / (2 * n))}
    return kind(
        pvalue=evidence.pvalue,
        log_pvalue=evidence.log_pvalue,
        method=evidence.method,
        ties=ties,
        n_problems=n,
        n_algorithms=k,
        n_dropped=n_dropped,
        n_resamples=evidence.n_resamples,
        confidence_interval=evidence.confidence_interval,
        cautions=of_units(cautions, unit),
        **(known | own),
    )


def by_quick_law(test: Result, table: Ints, rng: object) -> Result:
    """The result with the exact p-value where that is quick, with a sampled one if ``rng`` is given; else as it is."""
    if test.method not in ("chi2", "f") or (rng is None and not is_quick(table)):
        return test
    method = "exact" if is_quick(table) else "permutation"
    evidence = permutation_evidence(table, method, lambda: Evidence(pvalue=1.0, log_pvalue=0.0, method=""), rng, 9999)
    kept = (caution for caution in test.cautions if caution.name != "rough (chi2)")
    return replace(
        test,
        pvalue=evidence.pvalue,
        log_pvalue=evidence.log_pvalue,
        method=evidence.method,
        confidence_interval=evidence.confidence_interval,
        n_resamples=evidence.n_resamples,
        cautions=(*kept, *evidence.cautions),
    )


def n_tied_problems(ranks: Ints) -> int:
    """Problems in which at least two algorithms share a doubled rank: ties make the sum of squares smaller."""
    k = ranks.shape[1]
    return int(np.count_nonzero(np.einsum("ij,ij->i", ranks, ranks) < 2 * k * (k + 1) * (2 * k + 1) // 3))


def omnibus_cautions(ranks: Ints, ties: str, method: str) -> list[Caution]:
    """One problem, nothing differs, or ties that the limit distribution ignores."""
    n, k = ranks.shape
    cautions = []
    if n == 1:
        cautions.append(caution_of("one-problem", "omnibus"))
    if (ranks == k + 1).all():
        cautions.append(caution_of("nothing-differs", "scores"))
    elif ties == "none" and method in ("chi2", "f") and (tied := n_tied_problems(ranks)):
        cautions.append(caution_of("ties", "statistic", tied=tied, n=n))
    return cautions
