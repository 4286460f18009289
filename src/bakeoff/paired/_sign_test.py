"""The sign test: is one of two algorithms better on more problems than chance allows?"""

import math
from typing import Literal

import numpy.typing as npt

from bakeoff.checks import choice, number
from bakeoff.dataclass import dataclass
from bakeoff.nulls.tails import binomial_sf
from bakeoff.paired.alternatives import ALTERNATIVES, PairTestResult, both_sides, normal_tail, of_pair, power_cautions
from bakeoff.paired.differences import counts, directions
from bakeoff.scores import Better
from bakeoff.scores.two_samples import TwoSamples, rows_of_two
from bakeoff.takes_table import of_two


@dataclass(frozen=True, slots=True, kw_only=True)
class SignTestResult(PairTestResult):
    """Result of :func:`bakeoff.sign_test`; ``statistic``: wins of a, with its half of the ties if they are split."""

    wins: int  # problems where a is better, before splitting ties
    losses: int
    ties: int
    n: int  # wins and losses after splitting or dropping ties
    ties_policy: str
    zstatistic: float | None  # positive: a better; None when the exact distribution was used


@of_two
def sign_test(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    method: Literal["exact", "normal"] = "exact",
    ties: Literal["split", "drop"] = "split",
    *,
    null_value: float = 0.0,
    better: Better | None = None,
) -> SignTestResult:
    """Does a beat b on more (or fewer) problems than a fair coin would?

    Use it when scores of different problems cannot be compared in any way, or when some runs failed (infinite
    scores). Not when differences can at least be ordered in size: ``bo.wilcoxon`` finds more then. Not for several
    pairs of one table without correcting the p-values (``bo.compare``, ``bo.multiple_sign_test``).

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms); or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.sign_test(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    alternative : {"two-sided", "greater", "less"}
        "greater": a is better than b, whatever the direction of the scores.
    method : {"exact", "normal"}
        Binomial probabilities, or the papers' normal approximation without continuity correction.
    ties : {"split", "drop"}
        "split" (the papers): half to each side, an odd one dropped; many ties then hide any difference. "drop": only
        problems won or lost count, which keeps the level too and is McNemar's test for scores of 0 and 1.
    null_value : float
        The median difference of the null hypothesis: a wins where it is better by more than this.

    Returns
    -------
    SignTestResult
        ``.statistic`` (wins of a, split ties included), ``.pvalue``, and ``.wins``, ``.losses``, ``.ties`` as counted.

    Raises
    ------
    UnknownNameError, ParameterError
        An algorithm or option that does not exist.

    Notes
    -----
    Ties support the null hypothesis, so they are split evenly; an odd one is ignored (Demšar 2006, section 3.1.4).
    Given the problems without a tie the test is exact too (Dixon & Mood 1946). With w wins in n: p = min(1, 2·P(Bin(n,
    ½) ≥ max(w, n − w))), or z = (w − n/2)/(√n/2). Without any win or loss p is 1. Single scores are compared exactly,
    infinite ones included (equal infinities tie); means over runs tie within 16 units in the last place. The papers'
    critical values (Derrac et al. 2011, Table 4; Demšar, Table 3) are headed two-tailed, but all are one-tailed points:
    11 of 14 has p = 0.057, not p < 0.05.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.sign_test(bo.datasets.load("demsar_2006"), "C4.5+m", "C4.5")
    >>> result.statistic, result.n, round(result.pvalue, 4)  # Demšar (2006), section 3.1.4: 11 of 14
    (11.0, 14, 0.0574)
    """
    scores, i, j = rows_of_two(scores, a, b, better)
    choice("alternative", alternative, ALTERNATIVES)
    choice("method", method, ("exact", "normal"))
    choice("ties", ties, ("split", "drop"))
    wins, losses, tied = counts(directions(scores, i, j, number("null_value", null_value)))
    halves = tied // 2 if ties == "split" else 0
    w, n = wins + halves, wins + losses + 2 * halves
    z = None if method == "exact" else (w - n / 2) / (math.sqrt(n) / 2) if n else 0.0
    if wins == losses == 0:
        p, log_p = 1.0, 0.0  # nothing differs
    elif z is None:
        p, log_p = sign_tail(w, n, alternative)
    else:
        p, log_p = normal_tail(z, alternative)
    return SignTestResult(
        **of_pair(scores, i, j),
        statistic=float(w),
        pvalue=p,
        log_pvalue=log_p,
        wins=wins,
        losses=losses,
        ties=tied,
        ties_policy=ties,
        n=n,
        zstatistic=z,
        method=method,
        alternative=alternative,
        cautions=power_cautions(n, "problem", method, alternative, "Demšar (2006), section 3.1.4"),
    )


def sign_tail(w: int, n: int, alternative: str) -> tuple[float, float]:
    """Exact p-value and its logarithm of w wins in n."""
    toward = {"two-sided": max(w, n - w), "greater": w, "less": n - w}[alternative]
    p, log_p = binomial_sf(toward, n)
    return both_sides(p, log_p) if alternative == "two-sided" else (p, log_p + 0.0)
