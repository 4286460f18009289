"""Quade's test: ranks within problems, each problem weighted by the rank of its importance."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.checks import N_RESAMPLES, choice
from bakeoff.dataclass import dataclass
from bakeoff.nulls.tails import f_sf
from bakeoff.omnibus.evidence import Evidence, agreement_caution, floored, perfect_agreement, permutation_evidence
from bakeoff.omnibus.result import TIES, RankTestResult, Ties, of_ranks
from bakeoff.ranks import Ints, doubled_problem_ranks, doubled_ranks
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.clusters import by_cluster, row_unit
from bakeoff.scores.two_samples import refuse_clusters
from bakeoff.takes_table import takes_table

METHODS = ("f", "exact", "permutation", "auto")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class QuadeResult(RankTestResult):
    """Result of :func:`bakeoff.quade`."""

    problem_ranks: Array  # (n,) Q_i, 1 for the least important problem; read-only


def quade_fraction(centred: Ints, ties: str) -> tuple[int, int]:
    """F = (n − 1)B / (A − B) as numerator and denominator, whole numbers, from 4·S_ij (n, k).

    B = Σ S_j²/n; A = n(n+1)(2n+1)k(k+1)(k−1)/72, or corrected for ties A = Σ S_ij². Both are taken times 16n.
    """
    n, k = centred.shape
    between = sum(s * s for s in centred.sum(axis=0).tolist())
    if ties == "none":
        total = 2 * n * n * (n + 1) * (2 * n + 1) * k * (k * k - 1) // 9  # divisible: 6 | n(n+1)(2n+1), 6 | k³ − k
    else:
        total = n * sum((centred**2).sum(axis=1).tolist())
    return (n - 1) * between, total - between


@takes_table
def quade(
    scores: Scores,
    weights: npt.ArrayLike | None = None,
    ties: Ties = "none",
    method: Literal["f", "exact", "permutation", "auto"] = "f",
    rng: int | np.random.Generator | None = None,
    n_resamples: int = N_RESAMPLES,
) -> QuadeResult:
    """Do any of the algorithms differ, if problems on which the scores are further apart should count more?

    Use it when the range of scores says how relevant or difficult a problem is, not when it reflects their unit only.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); of clusters the means of the scores are taken.
    weights : array_like (n_problems,), optional
        Importance of the problems, fixed beforehand; only their ranks Q_i are used. Default: the range of the scores.
    ties : {"none", "corrected"}
        The papers' A, which assumes no ties, or A = Σ S_ij² (as R's ``quade.test``).
    method : {"f", "exact", "permutation", "auto"}
        Where the p-value comes from, as for ``bo.friedman``: the F approximation, or permutations given the Q_i.
    rng : int or Generator, optional
        Seed or Generator of a sampled distribution; seed 0 if absent.
    n_resamples : int
        Size of the sample.

    Returns
    -------
    QuadeResult
        ``.statistic`` F, ``.df`` (k − 1, (k − 1)(n − 1)), ``.pvalue``, ``.log_pvalue``, ``.mean_ranks`` (k,):
        T_j = W_j / (n(n+1)/2), ``.problem_ranks`` Q_i, ``.method``, ``.confidence_interval``, ``.cautions``.

    Raises
    ------
    InfiniteScoreError
        Without ``weights``: ranges are differences.
    TooLargeError
        ``method="exact"`` beyond about n = 58, 20, 9, 5 problems for k = 3 … 6.
    ParameterError
        An option that does not exist, weights of the wrong shape, or weights of problems in clusters.

    Notes
    -----
    S_ij = Q_i (r_ij − (k+1)/2), S_j = Σ_i S_ij, B = (1/n) Σ S_j², A = n(n+1)(2n+1)k(k+1)(k−1)/72,
    F = (n − 1)B / (A − B) (Quade 1979; García et al. 2010, eqs. 12–16; Derrac et al. 2011, eqs. 6–11). If A = B, F is
    infinite and p the exact (1/k!)^(n−1); if all is tied F is 0 and p is 1. More in docs/methods/quade.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> toy = bo.Scores([[2.711, 3.147, 2.515, 2.612], [7.832, 9.828, 7.832, 7.921],
    ...                  [0.012, 0.532, 0.122, 0.005], [3.431, 4.111, 3.401, 3.401]], better="lower")
    >>> bo.quade(toy).mean_ranks  # Derrac et al. (2011), Table 10
    array([2.3 , 4.  , 1.55, 2.15])
    """
    original = check_scores(scores)
    if weights is not None:
        refuse_clusters(original, "weights=", "leave weights out, and clusters count by the range of their means")
    scores = by_cluster(original)
    choice("ties", ties, TIES)
    choice("method", method, METHODS)
    ranks, importance = doubled_ranks(scores), doubled_problem_ranks(scores, weights)
    n, k = ranks.shape
    centred = _centred(ranks, importance)
    numerator, denominator = quade_fraction(centred, ties)
    statistic = _ratio(numerator, denominator, bool(centred.any()))

    def limit() -> Evidence:
        if n == 1 or math.isinf(statistic):
            return perfect_agreement(ranks)
        p, log_p = f_sf(statistic, k - 1, (k - 1) * (n - 1))
        return floored(Evidence(pvalue=p, log_pvalue=log_p, method="f"), n, k)

    alike = (agreement_caution(ranks),) if math.isinf(statistic) and n > 1 else ()
    evidence = permutation_evidence(centred, method, limit, rng, n_resamples)
    return of_ranks(
        QuadeResult,
        ranks,
        evidence,
        ties,
        len(scores.dropped),
        row_unit(original),
        alike,
        name="quade",
        statistic=statistic,
        df=(float(k - 1), float((k - 1) * (n - 1))),
        mean_ranks=read_only((importance @ ranks) / (2 * n * (n + 1))),
        problem_ranks=read_only(importance / 2.0),
    )


def centred_ranks(scores: Scores) -> Ints:
    """(n, k) four times S_ij, problems weighted by their ranges."""
    return _centred(doubled_ranks(scores), doubled_problem_ranks(scores))


def _centred(ranks: Ints, importance: Ints) -> Ints:
    centred: Ints = importance[:, None] * (ranks - (ranks.shape[1] + 1))
    return centred


def _ratio(numerator: int, denominator: int, differs: bool) -> float:
    """F; infinite where A = B (all problems weigh the same and agree perfectly), 0 where nothing differs."""
    if denominator == 0:
        return math.inf if differs else 0.0
    return numerator / denominator
