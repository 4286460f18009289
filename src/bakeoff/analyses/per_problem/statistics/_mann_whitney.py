"""Mann and Whitney's test (Wilcoxon's rank-sum test): do two independent samples of runs differ?"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import choice
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution
from bakeoff.means.assumptions import found_unequal, spread_pvalues
from bakeoff.nulls.rank_sum import EXACT_WORK, HARD_LIMIT, least_rank_sum_pvalue, rank_sum_tails, work
from bakeoff.nulls.tails import normal_sf, normal_two_sided
from bakeoff.paired.alternatives import ALTERNATIVES
from bakeoff.ranks import Ints
from bakeoff.scores import Array
from bakeoff.scores.two_samples import sample_values


@dataclass(frozen=True, slots=True, kw_only=True)
class MannWhitneyResult:
    """The result of :func:`bakeoff.mann_whitney`."""

    statistic: float  # U of x: pairs (x, y) in which x is larger, ties one half
    pvalue: float
    a12: float  # U/(m·n): how probable it is that a run of x is larger than one of y
    m: int  # runs of x
    n: int  # runs of y
    ties: int  # runs that share their score with another one
    method: str  # "exact" or "normal"
    alternative: str
    cautions: tuple[Caution, ...]


def mann_whitney(
    x: Sequence[float] | npt.NDArray[np.floating],
    y: Sequence[float] | npt.NDArray[np.floating],
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    method: Literal["auto", "exact", "normal"] = "auto",
) -> MannWhitneyResult:
    """Do two algorithms differ on *one* problem, judged by independent runs of each?

    Use it for runs with seeds of their own. Not for runs that belong together (the same folds, splits or seeds), nor
    for scores of several problems: ``bo.wilcoxon`` pairs those, ``bo.per_problem`` tests many problems at once.

    Parameters
    ----------
    x : array_like, shape (m,)
        Scores of the first algorithm's runs, in any order. Infinite ones are ordered; NaN is refused.
    y : array_like, shape (n,)
        Scores of the second algorithm's runs, in any order.
    alternative : {"two-sided", "greater", "less"}
        "greater": scores of x tend to be larger. Larger, not better: a sample has no direction.
    method : {"auto", "exact", "normal"}
        The exact distribution given the ties, or the normal one, corrected for ties and continuity. "auto" is exact
        while that takes at most about 0.2 s.

    Returns
    -------
    MannWhitneyResult
        ``.statistic`` (U of x), ``.pvalue``, ``.a12`` = U/(m·n), ``.ties``, ``.method``.

    Raises
    ------
    ScoreError, ParameterError
        An empty sample, NaN, text, more than one dimension; an option that does not exist.
    TooLargeError
        ``method="exact"`` with more than 1000 runs in all.

    Notes
    -----
    U = W − m(m + 1)/2 with W the sum of the mid-ranks of x. Given the mid-ranks every choice of m of the m + n runs is
    equally probable; p = min(1, 2·min(P(W ≤ w), P(W ≥ w))). Mann & Whitney (1947). Scores tie if they are equal.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.mann_whitney([12, 15, 15, 18, 20], [15, 19, 21, 22, 25])
    >>> result.statistic, round(result.pvalue, 10), result.a12  # R, exactRankTests: 0.0873015873
    (4.0, 0.0873015873, 0.16)
    """
    choice("alternative", alternative, ALTERNATIVES)
    choice("method", method, ("auto", "exact", "normal"))
    first, second = sample_values("x", x), sample_values("y", y)
    ranks, ties = doubled_midranks(np.concatenate([first, second]))
    result = tested_ranks(ranks, len(first), ties, alternative, method)
    if result.a12 in (0.0, 1.0) or not len(found_unequal(spread_pvalues(first[None], second[None]))):
        return result
    return replace(result, cautions=(*result.cautions, caution_of("unequal", "spreads-of-two")))


def tested_ranks(ranks: Ints, m: int, ties: int, alternative: str, method: str) -> MannWhitneyResult:
    """The test of the first ``m`` of these doubled mid-ranks against the others."""
    n, doubled = len(ranks) - m, int(ranks[:m].sum())
    quick = len(ranks) <= HARD_LIMIT and work(ranks, m) <= EXACT_WORK
    used = method if method != "auto" else "exact" if quick else "normal"
    u = (doubled - m * (m + 1)) / 2
    p = _exact(ranks, m, doubled, alternative) if used == "exact" else _normal(ranks, m, u, alternative)
    return MannWhitneyResult(
        statistic=u,
        pvalue=p,
        a12=u / (m * n),
        m=m,
        n=n,
        ties=ties,
        method=used,
        alternative=alternative,
        cautions=_cautions(m, n, used, alternative),
    )


@lru_cache(maxsize=32)
def untied_pvalues(m: int, n: int) -> tuple[float, ...] | None:
    """Two-sided p-value of each U of samples without ties; None where the law is not taken."""
    ranks = 2 * np.arange(1, m + n + 1)
    if len(ranks) > HARD_LIMIT or work(ranks, m) > EXACT_WORK:
        return None
    return tuple(_exact(ranks, m, m * (m + 1) + 2 * u, "two-sided") for u in range(m * n + 1))


def doubled_midranks(values: Array) -> tuple[Ints, int]:
    """(N,) twice the mid-ranks, and how many values share theirs with another one."""
    _, place, sharing = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sharing)
    ranks = np.asarray(2 * last - sharing + 1, dtype=np.int64)[place]
    return ranks, int(sharing[sharing > 1].sum())


def _exact(ranks: Ints, m: int, doubled: int, alternative: str) -> float:
    lower, upper = rank_sum_tails(ranks, m, doubled)
    return {"two-sided": min(1.0, 2.0 * min(lower, upper)), "greater": upper, "less": lower}[alternative]


def _normal(ranks: Ints, m: int, u: float, alternative: str) -> float:
    """Corrected for ties, Var(W) = m·n/(N(N − 1))·Σ(r − r̄)², and for continuity."""
    n, total = len(ranks) - m, len(ranks)
    spread = float(np.sum((ranks / 2 - (total + 1) / 2) ** 2))
    if spread == 0.0:
        return 1.0  # all runs have one score
    sd = math.sqrt(m * n * spread / (total * (total - 1)))
    shift = u - m * n / 2
    if alternative == "two-sided":
        return float(normal_two_sided(max(abs(shift) - 0.5, 0.0) / sd)[0])
    return float(normal_sf(((shift if alternative == "greater" else -shift) - 0.5) / sd)[0])


def _cautions(m: int, n: int, method: str, alternative: str) -> tuple[Caution, ...]:
    if method == "normal" and min(m, n) <= 10:
        return (caution_of("rough", "normal-of-runs", m=m, n=n),)
    smallest = least_rank_sum_pvalue(m, n) / (1.0 if alternative == "two-sided" else 2.0)
    if method == "exact" and smallest > 0.05:
        return (caution_of("out-of-reach", "runs", m=m, n=n, smallest=smallest),)
    return ()
