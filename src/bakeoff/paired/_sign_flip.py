"""The sign-flip test: is the sum of the differences larger than if the two algorithms were exchangeable?"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import N_RESAMPLES, choice, draw_count
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, TooLargeError
from bakeoff.means.sign_flips import HALVED, flip_tail, sampled_count
from bakeoff.nulls.signed_rank import HARD_LIMIT
from bakeoff.nulls.tails import clopper_pearson
from bakeoff.paired.alternatives import ALTERNATIVES, PairTestResult, both_sides, of_pair, power_cautions
from bakeoff.paired.differences import Differences, paired_differences
from bakeoff.randomness import generator
from bakeoff.ranks import refuse_overflow, tie_tolerance
from bakeoff.scores import Array, Better, Scores
from bakeoff.scores.clusters import cluster_codes, cluster_sums, refuse_one_cluster
from bakeoff.scores.two_samples import TwoSamples, scores_of_two
from bakeoff.takes_table import of_two

NAME = "The sign-flip test"
METHODS = ("auto", "exact", "permutation")
REFERENCE = "Pitman (1937), Supplement to the J. R. Statist. Soc. 4, 119–130"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignFlipResult(PairTestResult):
    """Result of :func:`bakeoff.sign_flip`; ``statistic``: the sum of the differences, positive where a is better."""

    estimate: float  # mean difference over the problems, in score units
    n_clusters: int | None  # clusters flipped whole; None: every problem was flipped for itself
    n: int  # sums that are flipped: those of problems or clusters that are not 0
    zeros: int  # problems or clusters whose sum is 0
    n_resamples: int | None  # of a sampled distribution


@of_two
def sign_flip(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    method: Literal["auto", "exact", "permutation"] = "auto",
    rng: int | np.random.Generator | None = None,
    n_resamples: int = N_RESAMPLES,
    *,
    better: Better | None = None,
) -> SignFlipResult:
    """Is the sum of the differences larger than signs at random would make it? Clusters are flipped whole.

    Use it for means whose differences are symmetric about 0 under the null but not normal, and for problems in
    clusters. Not when one problem can outweigh all others (``bo.wilcoxon``, ``bo.sign_test``), nor for several pairs
    of one table without correcting the p-values (``bo.adjust``).

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms), of which cell means over runs are used; or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.sign_flip(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    alternative : {"two-sided", "greater", "less"}
        "greater": a is better than b, whatever the direction of the scores.
    method : {"auto", "exact", "permutation"}
        All 2^G signs (up to 40 sums, or 2000 with few decimals), a sample of them, or the first that is in reach.
    rng : int or Generator, optional
        Seed or Generator of a sampled distribution; seed 0 if absent.
    n_resamples : int
        Size of the sample.

    Returns
    -------
    SignFlipResult
        ``.statistic`` = Σ d, ``.estimate`` = Σ d/n, ``.pvalue``, ``.log_pvalue``, ``.method``, ``.n_clusters``.

    Raises
    ------
    InfiniteScoreError, TooLargeError, ScoreError
        An infinite score has no difference; ``method="exact"`` out of reach; all problems in one cluster.

    Notes
    -----
    p = P(|Σ_g ±S_g| ≥ |Σ_g S_g|), S_g the sum of the differences of cluster g, or a single difference (Fisher 1935;
    Pitman 1937). Exact if all S_g are independent and symmetric about 0; within a cluster, differences may depend on
    each other in any way. Problems count equally, so a large cluster counts more. Sums that rounding of the scores
    explains are tied. With few sums p cannot be small: at least 2^(1 − G), or 2^−G one-sided.

    Examples
    --------
    >>> import bakeoff as bo
    >>> d = [3, 2, 4, 1, -1, 2, 5, 4, 6, 0, 1, -2]
    >>> bo.sign_flip(d, [0] * 12, better="higher").pvalue
    0.0205078125
    >>> s = bo.Scores([[x, 0] for x in d], ["new", "old"], better="higher", clusters=list("AAABBBCCCDDD"))
    >>> bo.sign_flip(s, "new", "old").pvalue  # sums 9, 2, 15, -1
    0.25
    """
    scores, i, j = scores_of_two(scores, a, b, better)
    choice("alternative", alternative, ALTERNATIVES)
    choice("method", method, METHODS)
    size = draw_count("n_resamples", n_resamples, 1)
    refuse_one_cluster(scores)
    differences = paired_differences(scores, i, j, NAME)
    with np.errstate(over="ignore"):
        refuse_overflow(np.abs(differences.values).sum(keepdims=True), NAME)
    n, total = len(differences.values), math.fsum(differences.values.tolist())
    sums, tolerances = _flipped(scores, differences)
    kept = sums != 0
    sums, tolerances = sums[kept], tolerances[kept]
    unit = "difference" if scores.clusters is None else "cluster sum"
    p, log_p, used, sampled = _evidence(sums, tolerances, alternative, method, generator(rng), size)
    return SignFlipResult(
        **of_pair(scores, i, j),
        statistic=total,
        pvalue=p,
        log_pvalue=log_p,
        estimate=total / n,
        n_clusters=None if scores.clusters is None else len(kept),
        n=len(sums),
        zeros=len(kept) - len(sums),
        n_resamples=size if used == "permutation" else None,
        method=used,
        alternative=alternative,
        cautions=(*power_cautions(len(sums), unit, "exact", alternative, REFERENCE), *sampled),
    )


def _flipped(scores: Scores, differences: Differences) -> tuple[Array, Array]:
    """The sums that are flipped, 0 where rounding explains them, and within which each is known."""
    tolerances = np.where(differences.values == 0, 0.0, tie_tolerance(differences.scales))
    if scores.clusters is None:
        return differences.values, tolerances
    codes = cluster_codes(scores)
    sums, slack = cluster_sums(differences.values, codes), cluster_sums(tolerances, codes)
    return np.where(np.abs(sums) <= slack, 0.0, sums), slack


def _evidence(
    sums: Array, tolerances: Array, alternative: str, method: str, rng: np.random.Generator, n_resamples: int
) -> tuple[float, float, str, tuple[Caution, ...]]:
    """p, its logarithm, the method used, and what to know of a sampled p."""
    if not len(sums):
        return 1.0, 0.0, "exact" if method == "auto" else method, ()
    two_sided = alternative == "two-sided"
    upward = alternative == "greater" or (two_sided and math.fsum(sums.tolist()) >= 0)
    toward = sums if upward else -sums
    if method != "permutation":
        tail = flip_tail(toward, tolerances)
        if tail is not None:
            return *(both_sides(*tail) if two_sided else tail), "exact", ()
        if method == "exact":
            raise TooLargeError(
                f'method="exact" is out of reach for {len(sums)} non-zero values: it takes up to {HALVED} of any kind, '
                f'or up to {HARD_LIMIT} with few decimals. Use method="permutation" (a sample of the distribution) or '
                'method="auto".'
            )
    count = sampled_count(toward, tolerances, two_sided, n_resamples, rng)
    p = (1 + count) / (1 + n_resamples)
    low, high = clopper_pearson(count, n_resamples)
    caution = caution_of("sampled", "signs", size=n_resamples, low=low, high=high, least=1 / (n_resamples + 1))
    return p, math.log(p), "permutation", (caution,)
