"""Contrast estimation based on medians: by how much do all pairs differ, judged together?"""

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution
from bakeoff.ranks import refuse_overflow
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.cells import exact_mean
from bakeoff.scores.clusters import by_cluster
from bakeoff.takes_table import takes_table

_NAME = "Contrast estimation"
CELLS = 1 << 17  # differences at once: they stay in the processor's cache


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ContrastResult:
    """Result of :func:`bakeoff.contrast_estimation`."""

    estimates: Array  # (k, k) m_u − m_v, raw score units, antisymmetric
    medians: Array  # (k, k) Z_uv, the unadjusted medians of the differences
    effects: Array  # (k,) m_u, the mean of Z_uv over v
    algorithms: tuple[str, ...]
    n_problems: int
    n_dropped: int  # problems left out when the scores were read
    cautions: tuple[Caution, ...]


@takes_table
def contrast_estimation(scores: Scores) -> ContrastResult:
    """By how much do the algorithms differ, over all problems and consistently for all pairs?

    Use it to report sizes beside tests on ranks, when differences mean the same on every problem. Not as a test:
    it has no p-value; and not when problems differ wildly in scale, where the median is one arbitrary problem's
    difference. For one pair with an interval, use ``bo.hodges_lehmann``.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); of clusters the means of the scores are taken.

    Returns
    -------
    ContrastResult
        ``.estimates`` (n_algorithms, n_algorithms): row minus column **in raw score units**, not turned by direction:
        with errors (lower is better) a negative entry means that the row's algorithm is better.

    Raises
    ------
    InfiniteScoreError
        An infinite score has no difference; the message names the cell.

    Notes
    -----
    Z_uv = median over problems of x_u − x_v (so Z_vu = −Z_uv; the papers misprint the sign), m_u = Σ_v Z_uv / k,
    estimate = m_u − m_v, hence estimates add up along a path. Doksum (1967); García et al. (2010), section 3.3;
    Derrac et al. (2011), section 4.4, equation (17).

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[0.752, 0.773, 0.785], [0.727, 0.748, 0.724], [0.736, 0.716, 0.585]], better="higher")
    >>> bo.contrast_estimation(s).medians[0].round(3)  # first rows of García et al. (2010), Table 3
    array([ 0.   , -0.021,  0.003])
    """
    scores = by_cluster(check_scores(scores))
    scores.require_finite(_NAME)
    medians = median_differences(scores.values)
    effects = exact_means(medians)
    return ContrastResult(
        estimates=contrast_table(effects),
        medians=read_only(medians),
        effects=read_only(effects),
        algorithms=scores.algorithms,
        n_problems=scores.n_problems,
        n_dropped=len(scores.dropped),
        cautions=(),
    )


def exact_means(medians: Array) -> Array:
    """(k,) the effects: means of the medians of each algorithm."""
    return np.array([exact_mean(row) for row in medians.tolist()])


def contrast_table(effects: Array) -> Array:
    """(k, k) row minus column."""
    return read_only(effects[:, None] - effects[None, :])


def median_differences(values: Array) -> Array:
    """(k, k) medians of x_u − x_v; exactly antisymmetric, as −median(d) = median(−d)."""
    n, k = values.shape
    columns = np.ascontiguousarray(values.T)
    low, high = (n - 1) // 2, n // 2
    step = max(1, CELLS // n)
    medians = np.zeros((k, k))
    first, second = np.triu_indices(k, 1)
    for start in range(0, len(first), step):
        u, v = first[start : start + step], second[start : start + step]
        with np.errstate(over="ignore"):
            d = columns[u] - columns[v]
        refuse_overflow(d, _NAME)
        d.sort(axis=1)  # with the instructions of today's processors faster than a partition
        medians[u, v] = 0.5 * d[:, low] + 0.5 * d[:, high]
    return medians - medians.T
