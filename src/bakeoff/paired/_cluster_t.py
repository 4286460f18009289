"""The t test with cluster-robust errors: is the mean difference zero, over problems that share sources?"""

import math
from dataclasses import dataclass, replace
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice, probability
from bakeoff.errors import Caution
from bakeoff.paired._paired_t import mean_and_error, t_cautions, t_interval, t_pvalue, t_statistic
from bakeoff.paired.alternatives import ALTERNATIVES
from bakeoff.paired.differences import Differences, paired_differences
from bakeoff.paired.result import PairTestResult
from bakeoff.ranks import all_equal
from bakeoff.scores import Better, Scores
from bakeoff.scores.clusters import (
    Codes,
    cluster_codes,
    cluster_means,
    cluster_sizes,
    cluster_sums,
    members,
    refuse_one_cluster,
)
from bakeoff.scores.two_samples import TwoSamples, scores_of_two

NAME = "The cluster-robust t-test"
MANY = 40  # clusters from which their sizes are no longer reported
REFERENCE = "Cameron & Miller (2015), J. Human Resources 50, 317–372"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterTResult(PairTestResult):
    """What :func:`bakeoff.cluster_t` returns; ``statistic``: t, positive where a is better."""

    df: int  # clusters − 1; without clusters problems − 1
    estimate: float  # mean difference over the problems, positive where a is better, in score units
    standard_error: float
    low: float
    high: float
    confidence_level: float
    n_clusters: int | None  # None: every problem counted for itself
    zeros: int  # problems without a difference

    @property
    def interval(self) -> tuple[float, float]:
        """``.low`` and ``.high``."""
        return self.low, self.high


@overload
def cluster_t(
    scores: Scores,
    a: str | int,
    b: str | int,
    alternative: Literal["two-sided", "greater", "less"] = ...,
    confidence_level: float = ...,
) -> ClusterTResult: ...
@overload
def cluster_t(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    /,
    *,
    better: Better,
    alternative: Literal["two-sided", "greater", "less"] = ...,
    confidence_level: float = ...,
) -> ClusterTResult: ...
def cluster_t(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    confidence_level: float = 0.95,
    *,
    better: Better | None = None,
) -> ClusterTResult:
    """Is the mean difference over all problems zero, where problems of a cluster may depend on each other?

    Use it where problems shall count equally and there are many clusters (about 40) of sizes that do not differ much;
    with few unequal ones it rejects too often: ``bo.sign_flip``, or ``bo.paired_t``, which counts clusters equally.
    Not for several pairs of one table without correcting the p-values (``bo.adjust``).

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms), of which cell means over runs are used; or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.cluster_t(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    alternative : {"two-sided", "greater", "less"}
        "greater": a is better than b, whatever the direction of the scores.
    confidence_level : float
        Of the interval for the mean difference; one-sided (one end infinite) with a one-sided alternative.

    Returns
    -------
    ClusterTResult
        ``.statistic``, ``.df``, ``.pvalue``, ``.log_pvalue``, ``.standard_error``, ``.estimate`` with ``.interval``.

    Raises
    ------
    InfiniteScoreError, ScoreError
        An infinite score has no difference; all problems in one cluster.

    Notes
    -----
    t = d̄/√V with V = G/(G − 1) · Σ_g (Σ_{i∈g} (d_i − d̄))²/n² and G − 1 degrees of freedom (Liang & Zeger 1986; Cameron
    & Miller 2015). For a mean alone that factor is also the one of Stata and of statsmodels (``cov_type="cluster"``:
    G/(G − 1) · (n − 1)/(n − 1)). Clusters of one size: the paired t-test of the cluster means, exact where these are
    normal. Without clusters: ``bo.paired_t``. Ties and equal differences as there.

    Examples
    --------
    >>> import bakeoff as bo
    >>> d = [3, 2, 4, 1, -1, 2, 5, 4, 6, 0, 1, -2]
    >>> s = bo.Scores([[x, 0] for x in d], ["new", "old"], better="higher", clusters=list("AAABBBCCCDDD"))
    >>> found = bo.cluster_t(s, "new", "old")
    >>> round(found.standard_error, 4), round(found.statistic, 4), found.df, round(found.pvalue, 4)
    (1.197, 1.7404, 3, 0.1802)
    """
    scores, i, j = scores_of_two(scores, a, b, better)
    choice("alternative", alternative, ALTERNATIVES)
    level = probability("confidence_level", confidence_level)
    refuse_one_cluster(scores)
    found = paired_differences(scores, i, j, NAME)
    n, codes = scores.n_problems, cluster_codes(scores)
    sizes = cluster_sizes(codes)
    groups = len(sizes)
    mean, se = mean_and_error(found) if groups == n else clustered_mean_and_error(found, codes)
    t = t_statistic(mean, se)
    p, log_p = t_pvalue(t, se, groups - 1, alternative)
    low, high = t_interval(mean, se, groups - 1, level, alternative)
    return ClusterTResult(
        a=scores.algorithms[i],
        b=scores.algorithms[j],
        statistic=t,
        pvalue=p,
        log_pvalue=log_p,
        df=groups - 1,
        estimate=mean,
        standard_error=se,
        low=low,
        high=high,
        confidence_level=level,
        method="t",
        alternative=alternative,
        n_problems=n,
        n_clusters=None if scores.clusters is None else groups,
        zeros=int(np.sum(found.values == 0)),
        n_dropped=len(scores.dropped),
        cautions=_cautions(sizes, se, scores.clusters is not None),
    )


def clustered_mean_and_error(found: Differences, codes: Codes) -> tuple[float, float]:
    """Mean over the problems and its cluster-robust error, scaled by a power of two so that squares cannot overflow.

    Where the means of all clusters are equal the error is 0.
    """
    d, n = found.values, len(found.values)
    exponent = math.frexp(float(np.max(np.abs(d))))[1]
    scaled = np.ldexp(d, -exponent)
    mean = math.fsum(scaled.tolist()) / n
    scales = np.array([found.scales[rows].max() for rows in members(codes)])
    if all_equal(np.ldexp(cluster_means(scaled, codes), exponent), scales):
        return math.ldexp(mean, exponent), 0.0
    residuals = cluster_sums(scaled - mean, codes)
    groups = len(residuals)
    squares = math.fsum((residuals * residuals).tolist())
    return math.ldexp(mean, exponent), math.ldexp(math.sqrt(groups / (groups - 1) * squares) / n, exponent)


def _cautions(sizes: Codes, se: float, clustered: bool) -> tuple[Caution, ...]:
    groups = len(sizes)
    found = t_cautions(groups, se)
    if not clustered:
        return found
    found = tuple(replace(c, text=c.text.replace("differences", "cluster means")) for c in found)
    if groups >= MANY or sizes.min() == sizes.max():
        return found
    text = f"The cluster-robust t rejects too often with few clusters of unequal size, here {groups} clusters of "
    text += f"{sizes.min()} to {sizes.max()} problems. bo.sign_flip keeps its level where cluster sums are symmetric."
    return (*found, Caution(code="few-clusters", text=text, reference=REFERENCE))
