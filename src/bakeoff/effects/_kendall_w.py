"""Kendall's W: how far do the problems agree in ranking the algorithms?"""

from typing import Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import choice
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution
from bakeoff.ranks import Ints, doubled_ranks
from bakeoff.ranks.problem_order import ranks_by_cluster
from bakeoff.scores import Scores, check_scores
from bakeoff.takes_table import takes_table


@dataclass(frozen=True, slots=True, kw_only=True)
class KendallWResult:
    """Result of :func:`bakeoff.kendall_w`."""

    statistic: float  # W in [0, 1]
    method: str  # "none" or "corrected": how ties were treated
    n_problems: int
    n_algorithms: int
    ties: int  # problems in which scores are tied
    n_dropped: int  # problems left out when the scores were read
    cautions: tuple[Caution, ...]


@takes_table
def kendall_w(scores: Scores, ties: Literal["none", "corrected"] = "none") -> KendallWResult:
    """Do the problems agree about the order of the algorithms: 0 not at all, 1 completely?

    Use it as the effect size of Friedman's test: unlike its p-value, it does not grow with the number of problems.
    With one problem it carries no information: it is 1 without ties, and less with them if ``ties="none"``.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); infinite scores are ranked. Of clusters the mean ranks within their problems, ranked
        again.
    ties : {"none", "corrected"}
        "none" divides by the largest sum of squares without ties, as the papers' Friedman statistic does;
        "corrected" by the largest given the ties within each problem.

    Returns
    -------
    KendallWResult
        ``.statistic``. If all algorithms are tied on every problem, it is 0.

    Raises
    ------
    ParameterError
        ``ties`` is neither of the two.

    Notes
    -----
    W = 12 Σ_j (R_j − n(k+1)/2)² / (n²(k³ − k) − n Σ (t³ − t)) with R_j rank sums and t the sizes of ties ("none"
    leaves the last sum out); W = χ²_F / (n(k − 1)) with Friedman's χ² treated the same way. Kendall & Babington Smith
    (1939).

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[2.711, 3.147, 2.515, 2.612], [7.832, 9.828, 7.832, 7.921],
    ...                [0.012, 0.532, 0.122, 0.005], [3.431, 4.111, 3.401, 3.401]], better="lower")
    >>> round(bo.kendall_w(s).statistic, 5)  # the ranks of Derrac et al. (2011), Table 8
    0.64375
    """
    scores = ranks_by_cluster(check_scores(scores))
    choice("ties", ties, ("none", "corrected"))
    ranks = doubled_ranks(scores)
    n, k = ranks.shape
    lost = tie_losses(ranks)
    return KendallWResult(
        statistic=concordance(ranks, ties),
        method=ties,
        n_problems=n,
        n_algorithms=k,
        ties=int(np.count_nonzero(lost)),
        n_dropped=len(scores.dropped),
        cautions=_cautions(n),
    )


def tie_losses(doubled: Ints) -> Ints:
    """(n,) Σ (t³ − t) over the ties of each problem: k(k+1)(2k+1)/6 less Σ r², times 12."""
    k = doubled.shape[1]
    squares = np.einsum("ij,ij->i", doubled, doubled)
    return np.asarray(2 * k * (k + 1) * (2 * k + 1) - 3 * squares)


def concordance(ranks: Ints, ties: str) -> float:
    """W of doubled ranks. Python integers: exact, whatever the size and order."""
    n, k = ranks.shape
    losses = tie_losses(ranks)
    lost = sum(losses[losses > 0].tolist()) if ties == "corrected" else 0
    spread = 3 * sum((d - n * (k + 1)) ** 2 for d in ranks.sum(axis=0).tolist())
    largest = n * n * (k**3 - k) - n * lost
    return spread / largest if largest else 0.0


def _cautions(n: int) -> tuple[Caution, ...]:
    if n > 1:
        return ()
    return (caution_of("one-problem", "agreement"),)
