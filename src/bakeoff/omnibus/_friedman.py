"""Friedman's test: do the algorithms' ranks within problems differ more than chance allows?"""

from __future__ import annotations

from typing import Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import N_RESAMPLES, choice
from bakeoff.errors import Caution
from bakeoff.nulls.tails import chi2_sf
from bakeoff.omnibus.evidence import Evidence, floored, permutation_evidence
from bakeoff.omnibus.result import TIES, RankTestResult, Ties, of_ranks
from bakeoff.ranks import Ints, doubled_ranks
from bakeoff.ranks.problem_order import ranks_by_cluster
from bakeoff.scores import Scores, check_scores
from bakeoff.scores.clusters import row_unit
from bakeoff.takes_table import takes_table

METHODS = ("chi2", "exact", "permutation", "auto")


def friedman_fraction(ranks: Ints, ties: str) -> tuple[int, int]:
    """Friedman's χ² as numerator and denominator, whole numbers, from doubled ranks (0/1 if nothing differs).

    With D_j the doubled rank sums: χ² = 3·(Σ D_j² − n²k(k+1)²) / (nk(k+1)), or corrected for ties
    χ² = (k−1)·(Σ D_j² − n²k(k+1)²) / Σ_ij (d_ij − k − 1)².
    """
    n, k = ranks.shape
    spread = sum(d * d for d in ranks.sum(axis=0).tolist()) - n * n * k * (k + 1) ** 2
    if spread == 0:
        return 0, 1
    if ties == "none":
        return 3 * spread, n * k * (k + 1)
    return (k - 1) * spread, sum(((ranks - (k + 1)) ** 2).sum(axis=1).tolist())


@takes_table
def friedman(
    scores: Scores,
    method: Literal["chi2", "exact", "permutation", "auto"] = "chi2",
    ties: Ties = "none",
    rng: int | np.random.Generator | None = None,
    n_resamples: int = N_RESAMPLES,
) -> RankTestResult:
    """Do any of the algorithms differ, judged by their ranks within each problem?

    Use it where scores cannot be compared between problems, or some runs failed (infinite scores). With few algorithms
    (k ≤ 5) and comparable differences ``bo.aligned_friedman`` and ``bo.quade`` may find more. ``bo.iman_davenport``
    takes p from F: less conservative, in small tables liberal. Not for runs of one problem.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); of clusters the mean ranks within their problems, ranked again.
    method : {"chi2", "exact", "permutation", "auto"}
        Source of the p-value: the χ² limit, the exact distribution under permutations within problems, given the ties,
        or a sample of it. "auto": the first of exact, sampled and χ² that takes about a second; ``.method`` names it.
    ties : {"none", "corrected"}
        The papers' statistic, or the one corrected for ties (as R's ``friedman.test``). No effect on exact p-values.
    rng : int or Generator, optional
        Seed or Generator of a sampled distribution; seed 0 if absent.
    n_resamples : int
        Size of the sample.

    Returns
    -------
    RankTestResult
        ``.statistic``, ``.df`` (k − 1,), ``.pvalue``, ``.log_pvalue``, ``.mean_ranks`` (k,), ``.method``,
        ``.confidence_interval`` of a sampled p-value, ``.cautions``.

    Raises
    ------
    TooLargeError
        ``method="exact"`` beyond n = 996, 386, 100, 27, 11, 5, 3, 2 problems for k = 2 … 9 without ties.
    ParameterError
        An option that does not exist.

    Notes
    -----
    χ² = 12n/(k(k+1)) · [Σ R_j² − k(k+1)²/4], R_j mean ranks (Demšar 2006, section 3.2.2; García et al. 2010, eq. 1;
    Derrac et al. 2011, section 4.2). Tied scores share their mean rank; infinite scores are ranked. If all is tied,
    the statistic is 0 and p is 1. The papers advise χ² only for n > 10 and k > 5. More in docs/methods/friedman.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> r = bo.friedman(bo.datasets.load("garcia_2010"))  # García et al. (2010), eq. (3)
    >>> round(r.statistic, 3), f"{r.pvalue:.2e}", r.mean_ranks.round(3).tolist()
    (16.225, '1.02e-03', [1.771, 2.479, 2.479, 3.271])
    """
    original = check_scores(scores)
    scores = ranks_by_cluster(original)
    choice("method", method, METHODS)
    choice("ties", ties, TIES)
    return friedman_of_ranks(
        doubled_ranks(scores), ties, len(scores.dropped), row_unit(original), method, rng, n_resamples
    )


def friedman_of_ranks(
    ranks: Ints,
    ties: Ties,
    n_dropped: int,
    unit: str = "problem",
    method: str = "chi2",
    rng: object = None,
    n_resamples: int = 9999,
) -> RankTestResult:
    """The test of a table of doubled ranks within rows."""
    n, k = ranks.shape
    numerator, denominator = friedman_fraction(ranks, ties)
    statistic = numerator / denominator

    def limit() -> Evidence:
        p, log_p = chi2_sf(statistic, k - 1)
        return floored(Evidence(pvalue=p, log_pvalue=log_p, method="chi2", cautions=_small_sample(n, k)), n, k)

    evidence = permutation_evidence(ranks, method, limit, rng, n_resamples)
    df = (float(k - 1),)
    return of_ranks(RankTestResult, ranks, evidence, ties, n_dropped, unit, name="friedman", statistic=statistic, df=df)


def _f_instead(n: int, k: int) -> str:
    """Where Iman and Davenport's F is nearer the exact p, as counted in small tables (errata F20)."""
    return "; bo.iman_davenport is more accurate if that is out of reach" if k >= 5 and n >= 4 else ""


def _small_sample(n: int, k: int) -> tuple[Caution, ...]:
    if n > 10 and k > 5:
        return ()
    return (caution_of("rough", "chi2", n=n, k=k, n_2=_f_instead(n, k)),)
