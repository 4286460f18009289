"""McNemar's test: do two algorithms solve different shares of the problems?"""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice
from bakeoff.dataclass import dataclass
from bakeoff.errors import ScoreError
from bakeoff.nulls.tails import binomial_sf
from bakeoff.paired.alternatives import PairTestResult, both_sides, of_pair, power_cautions
from bakeoff.paired.differences import counts, directions
from bakeoff.scores import Better, Scores
from bakeoff.scores.two_samples import TwoSamples, refuse_clusters, scores_of_two
from bakeoff.takes_table import of_two

FAGERLAND = "Fagerland, Lydersen & Laake (2013), BMC Medical Research Methodology 13, 91"


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemarResult(PairTestResult):
    """Result of :func:`bakeoff.mcnemar`; ``statistic``: wins of a."""

    wins: int  # problems on which a alone has the better score
    losses: int  # problems on which b alone has it
    ties: int  # problems on which both have the same score
    estimate: float  # (wins − losses)/n_problems: the difference of the shares, positive where a is better


@of_two
def mcnemar(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    method: Literal["exact", "mid-p"] = "exact",
    *,
    better: Better | None = None,
) -> McNemarResult:
    """Do a and b get different shares of the problems right?

    Use it for scores of 0 and 1 (wrong and right, unsolved and solved), one per problem and algorithm. Only problems
    on which the two differ say which is better. Not for several pairs of one table without correcting the p-values
    (``bo.compare(scores, pairwise="mcnemar")`` does), nor for problems that share a source.

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms) with scores of 0 and 1; or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.mcnemar(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    method : {"exact", "mid-p"}
        "exact" never exceeds its level. "mid-p" counts half of the observed outcome's probability: less conservative,
        its error exceeds the nominal level a little at times.

    Returns
    -------
    McNemarResult
        ``.statistic`` (= ``.wins``), ``.pvalue``, ``.wins``, ``.losses``, ``.ties``, ``.estimate``.

    Raises
    ------
    ScoreError
        A score that is neither 0 nor 1, naming the cell; a mean over runs is none.

    Notes
    -----
    With b and c problems won and lost: p = min(1, 2·P(Bin(b + c, ½) ≥ max(b, c))), the sign test without ties; mid-p
    is 2·P(X > max) + P(X = max). Without any win or loss p is 1. McNemar (1947); mid-p: Fagerland, Lydersen & Laake
    (2013), whose Table 1 is the example.

    Examples
    --------
    >>> import bakeoff as bo
    >>> table = [[1, 1]] + [[0, 1]] * 7 + [[1, 0]] + [[0, 0]] * 12  # airway hyper-responsiveness before and after
    >>> s = bo.Scores(table, ["before", "after"], better="lower")
    >>> round(bo.mcnemar(s, "before", "after").pvalue, 4), round(bo.mcnemar(s, 0, 1, method="mid-p").pvalue, 4)
    (0.0703, 0.0391)
    """
    scores, i, j = scores_of_two(scores, a, b, better)
    refuse_clusters(scores, "McNemar's test", "bo.sign_test, bo.wilcoxon and bo.paired_t take cluster means")
    choice("method", method, ("exact", "mid-p"))
    _require_binary(scores, (i, j))
    wins, losses, ties = counts(directions(scores, i, j))
    p, log_p = mcnemar_tail(wins, losses, method)
    exact = method == "exact"
    return McNemarResult(
        **of_pair(scores, i, j),
        statistic=float(wins),
        pvalue=p,
        log_pvalue=log_p,
        wins=wins,
        losses=losses,
        ties=ties,
        estimate=(wins - losses) / scores.n_problems,
        method=method,
        alternative="two-sided",
        cautions=power_cautions(wins + losses, "difference", method, "two-sided", FAGERLAND) if exact else (),
    )


def mcnemar_tail(wins: int, losses: int, method: str) -> tuple[float, float]:
    """Two-sided p and its logarithm."""
    most, n = max(wins, losses), wins + losses
    if wins == losses:
        return 1.0, 0.0
    p, log_p = binomial_sf(most, n)
    if method == "exact":
        return both_sides(p, log_p)
    # P(X ≥ m) + P(X > m): the outcome itself counts once in both sides together
    beyond, log_beyond = binomial_sf(most + 1, n)
    return p + beyond, min(0.0, float(np.logaddexp(log_p, log_beyond)) if beyond else log_p)


def _require_binary(scores: Scores, columns: tuple[int, int]) -> None:
    values = scores.values[:, list(columns)]
    bad = np.argwhere((values != 0.0) & (values != 1.0))
    if not bad.size:
        return
    row, column = bad[0].tolist()
    value = float(values[row, column])
    shown = repr(value) if math.isfinite(value) else str(value)
    averaged = " (a mean over runs)" if scores.runs is not None else ""
    raise ScoreError(
        f"McNemar's test needs scores of 0 or 1: problem {scores.problems[row]!r}, algorithm "
        f"{scores.algorithms[columns[column]]!r} is {shown}{averaged} ({len(bad)} such cells). For other scores use "
        'bo.wilcoxon, or bo.sign_test(..., ties="drop"), which is the same test on who has the better score.'
    )
