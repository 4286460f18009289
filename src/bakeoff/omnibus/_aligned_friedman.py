"""Friedman's test on aligned ranks: all observations are ranked together after removing each problem's mean."""

from __future__ import annotations

from typing import Literal

import numpy as np

from bakeoff.checks import N_RESAMPLES, choice
from bakeoff.nulls.tails import chi2_sf
from bakeoff.omnibus._friedman import METHODS
from bakeoff.omnibus.evidence import Evidence, floored, permutation_evidence
from bakeoff.omnibus.result import TIES, RankTestResult, Ties, of_ranks
from bakeoff.ranks import Ints, doubled_aligned_ranks, doubled_ranks
from bakeoff.scores import Scores, check_scores, read_only
from bakeoff.scores.clusters import by_cluster, row_unit
from bakeoff.takes_table import takes_table


def aligned_fraction(aligned: Ints, ties: str) -> tuple[int, int]:
    """The aligned-ranks statistic as numerator and denominator, whole numbers (0/1 if nothing differs).

    With doubled aligned ranks d_ij, column sums D_j and row sums E_i, N = kn and V = Σ D_j² − kn²(N+1)²:
    T = 3k(k−1)V / (2kN(N+1)(2N+1) − 3Σ E_i²), or corrected for ties T = k(k−1)V / (kΣ d_ij² − Σ E_i²).
    """
    n, k = aligned.shape
    size = k * n
    spread = sum(d * d for d in aligned.sum(axis=0).tolist()) - k * n * n * (size + 1) ** 2
    if spread == 0:
        return 0, 1
    rows = sum(e * e for e in aligned.sum(axis=1).tolist())
    if ties == "none":
        return 3 * k * (k - 1) * spread, 2 * k * size * (size + 1) * (2 * size + 1) - 3 * rows
    return k * (k - 1) * spread, k * sum((aligned**2).sum(axis=1).tolist()) - rows


@takes_table
def aligned_friedman(
    scores: Scores,
    ties: Ties = "none",
    method: Literal["chi2", "exact", "permutation", "auto"] = "chi2",
    rng: int | np.random.Generator | None = None,
    n_resamples: int = N_RESAMPLES,
) -> RankTestResult:
    """Do any of the algorithms differ, judged by how far each is from its problem's mean, among all observations?

    Use it with few algorithms (k ≤ 4 or 5), where ranks within a problem say little, and if the size of a difference
    means the same on every problem. Not when scores differ in magnitude: problems of large spread would decide.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); of clusters the means of the scores are taken.
    ties : {"none", "corrected"}
        The papers' statistic, whose denominator assumes ranks 1 … kn, or the one with the actual ranks.
    method : {"chi2", "exact", "permutation", "auto"}
        Where the p-value comes from, as for ``bo.friedman``; the exact distribution permutes aligned ranks within
        problems.
    rng : int or Generator, optional
        Seed or Generator of a sampled distribution; seed 0 if absent.
    n_resamples : int
        Size of the sample.

    Returns
    -------
    RankTestResult
        ``.statistic``, ``.df`` (k − 1,), ``.pvalue``, ``.log_pvalue``, ``.mean_ranks`` (k,): mean aligned ranks in
        1 … kn, ``.n_tied`` groups of tied aligned observations, ``.method``, ``.confidence_interval``, ``.cautions``.

    Raises
    ------
    InfiniteScoreError
        Alignment takes differences.
    TooLargeError
        ``method="exact"`` beyond about n = 42, 14, 6, 4 problems for k = 3 … 6.
    ParameterError
        An option that does not exist.

    Notes
    -----
    T = (k−1)[Σ R̂_j² − (kn²/4)(kn+1)²] / ([kn(kn+1)(2kn+1)]/6 − (1/k)Σ R̂_i²), with R̂_j and R̂_i the sums of aligned
    ranks of algorithms and problems. Hodges & Lehmann (1962), García et al. (2010, eq. 7), Derrac et al. (2011, eq. 4).
    Aligned observations are tied within 16 units in the last place of the largest score behind them. If nothing differs
    T is 0 and p is 1. García's printed 18.837: see docs/methods/aligned.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> toy = bo.Scores([[2.711, 3.147, 2.515, 2.612], [7.832, 9.828, 7.832, 7.921],
    ...                  [0.012, 0.532, 0.122, 0.005], [3.431, 4.111, 3.401, 3.401]], better="lower")
    >>> bo.aligned_friedman(toy).mean_ranks  # Derrac et al. (2011), Table 9
    array([ 7.625, 14.5  ,  5.5  ,  6.375])
    """
    original = check_scores(scores)
    scores = by_cluster(original)
    choice("ties", ties, TIES)
    choice("method", method, METHODS)
    aligned = doubled_aligned_ranks(scores)
    n, k = aligned.shape
    numerator, denominator = aligned_fraction(aligned, ties)
    statistic = numerator / denominator

    def limit() -> Evidence:
        p, log_p = chi2_sf(statistic, k - 1)
        return floored(Evidence(pvalue=p, log_pvalue=log_p, method="chi2"), n, k)

    evidence = permutation_evidence(aligned, method, limit, rng, n_resamples)
    return of_ranks(
        RankTestResult,
        doubled_ranks(scores),
        evidence,
        ties,
        len(scores.dropped),
        row_unit(original),
        name="aligned",
        statistic=statistic,
        df=(float(k - 1),),
        mean_ranks=read_only(aligned.sum(axis=0) / (2 * n)),
        n_tied=int((np.unique(aligned, return_counts=True)[1] > 1).sum()),
    )
