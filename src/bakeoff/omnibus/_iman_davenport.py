"""Iman and Davenport's F: Friedman's test with an F distribution for its p-value."""

import math

from bakeoff.checks import choice
from bakeoff.dataclass import dataclass
from bakeoff.nulls.tails import f_sf
from bakeoff.omnibus._friedman import friedman_fraction
from bakeoff.omnibus.evidence import Evidence, agreement_caution, floored, perfect_agreement
from bakeoff.omnibus.result import TIES, RankTestResult, Ties, of_ranks
from bakeoff.ranks import Ints, doubled_ranks
from bakeoff.ranks.problem_order import ranks_by_cluster
from bakeoff.scores import Scores, check_scores
from bakeoff.scores.clusters import row_unit
from bakeoff.takes_table import takes_table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class ImanDavenportResult(RankTestResult):
    """Result of :func:`bakeoff.iman_davenport`."""

    chi2: float  # Friedman's statistic, with the same treatment of ties


def iman_davenport_fraction(ranks: Ints, ties: str) -> tuple[int, int]:
    """F = (n − 1)χ² / (n(k − 1) − χ²) as numerator and denominator, whole numbers; the denominator may be 0."""
    n, k = ranks.shape
    numerator, denominator = friedman_fraction(ranks, ties)
    return (n - 1) * numerator, n * (k - 1) * denominator - numerator


@takes_table
def iman_davenport(scores: Scores, ties: Ties = "none") -> ImanDavenportResult:
    """Do any of the algorithms differ? Friedman's ranks, with an F statistic that is less conservative than χ².

    Use it where the exact distribution of ``bo.friedman(scores, method="exact")`` is out of reach (``bo.compare``
    decides so by
    itself). Not in small tables: the exact size at 0.05 is 0.194 for 3 problems and 3 algorithms, 0.068 for 4 and 4.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); of clusters the mean ranks within their problems, ranked again.
    ties : {"none", "corrected"}
        The papers' statistic, or the one corrected for ties.

    Returns
    -------
    ImanDavenportResult
        ``.statistic`` F, ``.df`` (k − 1, (k − 1)(n − 1)), ``.pvalue``, ``.log_pvalue``, ``.mean_ranks`` (k,), and
        Friedman's ``.chi2``.

    Raises
    ------
    ParameterError
        An option that does not exist.

    Notes
    -----
    F = (n − 1)χ² / (n(k − 1) − χ²) (Iman & Davenport 1980; Demšar 2006, section 3.2.2; García et al. 2010, eq. 2,
    whose printed denominator n(k − 1)·χ² is a misprint: its own eq. 4 has the minus). If all problems rank the
    algorithms in the same order F is infinite, and p is the exact probability (1/k!)^(n−1); ``.method`` is then
    "exact". That includes n = 1, where p is 1. No p is below (1/k!)^(n−1), the least that ranks can give. Ties,
    infinite scores: as ``bo.friedman``; if all is tied F is 0 and p is 1.

    Examples
    --------
    >>> import bakeoff as bo
    >>> r = bo.iman_davenport(bo.datasets.load("garcia_2010"))  # García et al. (2010), eq. (4)
    >>> round(r.statistic, 3), r.df, f"{r.pvalue:.2e}"
    (6.691, (3.0, 69.0), '4.97e-04')
    """
    original = check_scores(scores)
    scores = ranks_by_cluster(original)
    choice("ties", ties, TIES)
    return iman_davenport_of_ranks(doubled_ranks(scores), ties, len(scores.dropped), row_unit(original))


def iman_davenport_of_ranks(ranks: Ints, ties: Ties, n_dropped: int, unit: str = "problem") -> ImanDavenportResult:
    """The test of a table of doubled ranks within rows."""
    n, k = ranks.shape
    numerator, denominator = iman_davenport_fraction(ranks, ties)
    chi2, one = friedman_fraction(ranks, ties)
    evidence = _evidence(numerator, denominator, ranks)
    agreement = (agreement_caution(ranks),) if denominator == 0 and n > 1 else ()
    return of_ranks(
        ImanDavenportResult,
        ranks,
        evidence,
        ties,
        n_dropped,
        unit,
        agreement,
        name="iman-davenport",
        statistic=numerator / denominator if denominator else math.inf,
        df=(float(k - 1), float((k - 1) * (n - 1))),
        chi2=chi2 / one,
    )


def _evidence(numerator: int, denominator: int, ranks: Ints) -> Evidence:
    n, k = ranks.shape
    if denominator == 0:
        return perfect_agreement(ranks)
    if n == 1:
        return Evidence(pvalue=1.0, log_pvalue=0.0, method="exact")
    p, log_p = f_sf(numerator / denominator, k - 1, (k - 1) * (n - 1))
    return floored(Evidence(pvalue=p, log_pvalue=log_p, method="f"), n, k)
