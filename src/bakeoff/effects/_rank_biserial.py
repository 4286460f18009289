"""The matched-pairs rank-biserial correlation: the size of the effect that Wilcoxon's test tests."""

from typing import Literal

import numpy.typing as npt

from bakeoff.checks import choice
from bakeoff.dataclass import dataclass
from bakeoff.paired._wilcoxon import ZEROS, signed_rank_sums
from bakeoff.paired.alternatives import PairResult
from bakeoff.paired.differences import paired_differences
from bakeoff.scores import Better
from bakeoff.scores.two_samples import TwoSamples, rows_of_two
from bakeoff.takes_table import of_two


@dataclass(frozen=True, slots=True, kw_only=True)
class RankBiserialResult(PairResult):
    """Result of :func:`bakeoff.rank_biserial`."""

    statistic: float  # in [−1, 1], positive when a is better
    r_plus: float
    r_minus: float
    zeros_policy: str
    n: int  # differences ranked
    zeros: int
    ties: int


@of_two
def rank_biserial(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    zeros: Literal["split", "pratt", "drop"] = "split",
    *,
    better: Better | None = None,
) -> RankBiserialResult:
    """Is a consistently better than b, on a scale from −1 (always worse) to 1 (always better)?

    Use it with ``bo.wilcoxon``: same ranks, no dependence on the number of problems, no unit. It says how
    consistent the difference is, not how large; for that, use ``bo.hodges_lehmann``.

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms); or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.rank_biserial(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    zeros : {"split", "pratt", "drop"}
        Problems without a difference, as in ``bo.wilcoxon``. Only "split" lets them pull the effect towards 0.

    Returns
    -------
    RankBiserialResult
        ``.statistic``: (R⁺ − R⁻)/(R⁺ + R⁻); 0 when all differences are zero.

    Raises
    ------
    InfiniteScoreError
        An infinite score has no difference; the message names the cell.

    Notes
    -----
    Kerby (2014), "The simple difference formula", equation for matched pairs: the share of favourable rank sum
    minus the share of unfavourable.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.datasets.load("demsar_2006")
    >>> round(bo.rank_biserial(s, "C4.5+m", "C4.5").statistic, 4)  # (93 − 12)/105: Demšar (2006), Table 2
    0.7714
    """
    scores, i, j = rows_of_two(scores, a, b, better)
    choice("zeros", zeros, ZEROS)
    sums = signed_rank_sums(paired_differences(scores, i, j, "The rank-biserial correlation"), zeros)
    return RankBiserialResult(
        a=scores.algorithms[i],
        b=scores.algorithms[j],
        statistic=sums.rank_biserial,
        r_plus=sums.r_plus,
        r_minus=sums.r_minus,
        zeros_policy=zeros,
        n_problems=scores.n_problems,
        n=sums.n,
        zeros=sums.zeros,
        ties=sums.ties,
        n_dropped=len(scores.dropped),
        cautions=(),
    )
