"""The t-test with cluster-robust errors: is the mean difference zero, over problems that share sources?"""

from typing import Literal

import numpy.typing as npt

from bakeoff.checks import choice, probability
from bakeoff.dataclass import dataclass
from bakeoff.means.cautions import unequal_clusters
from bakeoff.means.unit_mean import unit_mean
from bakeoff.paired._paired_t import MeanTestResult, t_cautions, t_test, tail_cautions
from bakeoff.paired.alternatives import ALTERNATIVES, of_pair
from bakeoff.paired.differences import paired_differences
from bakeoff.scores import Better
from bakeoff.scores.clusters import cluster_codes, cluster_sizes, refuse_one_cluster
from bakeoff.scores.two_samples import TwoSamples, scores_of_two
from bakeoff.takes_table import of_two

NAME = "The cluster-robust t-test"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterTResult(MeanTestResult):
    """Result of :func:`bakeoff.cluster_t`; ``df``: effective clusters less 1, or problems − 1."""

    n_clusters: int | None  # None: every problem counted for itself

    @property
    def interval(self) -> tuple[float, float]:
        """``.low`` and ``.high``."""
        return self.low, self.high


@of_two
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

    Use it where problems shall count equally. Where one cluster has more than twice its even share, p is the larger of
    t's and that of sign flips of whole clusters. With fewer than three effective clusters nothing can be told
    (``bo.paired_t`` counts clusters equally). Not for several pairs without correcting the p-values (``bo.adjust``).

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms), of which cell means over runs are used; or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
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
    t = d̄/√V with V = (G − 1)/G · Σ_g (w_g r_g/(1 − w_g))² and G* − 1 degrees of freedom, G* = 1/Σ w_g²: w_g is the
    share of cluster g, r_g its mean difference less d̄ (the cluster jackknife, CV3 of MacKinnon, Nielsen & Webb 2023).
    Clusters of one size: the paired t-test of the cluster means, exact where these are normal. Without clusters:
    ``bo.paired_t``. Where clusters do not vary, p is 1: one value says nothing of its spread.

    Examples
    --------
    >>> import bakeoff as bo
    >>> d = [3, 2, 4, 1, -1, 2, 5, 4, 6, 0, 1, -2]
    >>> s = bo.Scores([[x, 0] for x in d], ["new", "old"], better="higher", clusters=list("AAABBBCCCDDD"))
    >>> found = bo.cluster_t(s, "new", "old")
    >>> round(found.standard_error, 4), round(found.statistic, 4), found.df, round(found.pvalue, 4)
    (1.197, 1.7404, 3.0, 0.1802)
    """
    scores, i, j = scores_of_two(scores, a, b, better)
    choice("alternative", alternative, ALTERNATIVES)
    level = probability("confidence_level", confidence_level)
    refuse_one_cluster(scores)
    differences = paired_differences(scores, i, j, NAME)
    codes = cluster_codes(scores)
    mean = unit_mean(differences.values, differences.scales, codes)
    clustered = scores.clusters is not None
    cautions = t_cautions(mean.n_units, mean.error, "cluster means" if clustered else "differences")
    uneven = unequal_clusters([cluster_sizes(codes)]) if clustered else ()
    return ClusterTResult(
        **of_pair(scores, i, j),
        **t_test(mean, differences, alternative, level),
        df=mean.df,
        n_clusters=mean.n_units if clustered else None,
        cautions=(*cautions, *uneven, *tail_cautions(scores, i, j, differences.values, codes)),
    )
