"""The sign test: is one of two algorithms better on more problems than chance allows?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bakeoff.errors import Caution, choice
from bakeoff.nulls.tails import normal_sf, normal_two_sided
from bakeoff.paired.differences import ALTERNATIVES, counts, directions
from bakeoff.scores import Scores, check_scores

_LOG2 = math.log(2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignTestResult:
    """What :func:`bakeoff.sign_test` returns."""

    a: str
    b: str
    statistic: float  # wins of a after splitting ties
    pvalue: float
    log_pvalue: float  # natural logarithm; never underflows
    wins: int  # problems where a is better, before splitting ties
    losses: int
    ties: int
    n: int  # wins and losses after splitting: n_problems, less one if the ties are odd
    n_problems: int
    n_dropped: int  # problems left out when the scores were read
    zstatistic: float | None  # positive: a better; None when the exact distribution was used
    method: str
    alternative: str
    cautions: tuple[Caution, ...]


def sign_test(
    scores: Scores,
    a: str | int,
    b: str | int,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    method: Literal["exact", "normal"] = "exact",
) -> SignTestResult:
    """Does a beat b on more (or fewer) problems than a fair coin would?

    Use it when scores of different problems cannot be compared in any way, or when some runs failed (infinite
    scores). Not when differences can at least be ordered in size: ``bo.wilcoxon`` finds more then. Not for several
    pairs of one table without correcting the p-values (``bo.compare``, ``bo.multiple_sign_test``).

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms).
    a, b : str or int
        The two algorithms.
    alternative : {"two-sided", "greater", "less"}
        "greater": a is better than b, whatever the direction of the scores.
    method : {"exact", "normal"}
        Binomial probabilities, or the papers' normal approximation without continuity correction.

    Returns
    -------
    SignTestResult
        ``.statistic`` (wins of a after splitting ties), ``.pvalue``, and ``.wins``, ``.losses``, ``.ties`` before.

    Raises
    ------
    UnknownNameError, ParameterError
        An algorithm or option that does not exist.

    Notes
    -----
    Ties support the null hypothesis, so they are split evenly; an odd one is ignored (Demšar 2006, section 3.1.4).
    With w wins in n: p = min(1, 2·P(Bin(n, ½) ≥ max(w, n − w))), or z = (w − n/2)/(√n/2). Without any win or loss
    p is 1. Single scores are compared exactly, infinite ones included (equal infinities tie); means over runs
    tie within 16 units in the last place. The papers' critical values (Derrac et al. 2011, Table 4; Demšar,
    Table 3) are headed two-tailed, but all are one-tailed points: 11 of 14 has p = 0.057, not p < 0.05.

    Examples
    --------
    >>> import bakeoff as bo
    >>> plain = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957]
    >>> tuned = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]
    >>> s = bo.Scores(list(zip(tuned, plain)), algorithms=["C4.5+m", "C4.5"], better="higher")
    >>> result = bo.sign_test(s, "C4.5+m", "C4.5")
    >>> result.statistic, result.n  # Demšar (2006), section 3.1.4: 11 of 14
    (11.0, 14)
    >>> round(result.pvalue, 4)
    0.0574
    """
    scores = check_scores(scores)
    choice("alternative", alternative, ALTERNATIVES)
    choice("method", method, ("exact", "normal"))
    i, j = scores.pair(a, b)
    wins, losses, ties = counts(directions(scores, i, j))
    w, n = wins + ties // 2, wins + losses + ties - ties % 2
    z = _zstatistic(w, n) if method == "normal" else None
    if wins == losses == 0:
        p, log_p = 1.0, 0.0  # nothing differs
    elif z is None:
        p, log_p = sign_tail(w, n, alternative)
    else:
        p, log_p = _normal(z, alternative)
    return SignTestResult(
        a=scores.algorithms[i],
        b=scores.algorithms[j],
        statistic=float(w),
        pvalue=p,
        log_pvalue=log_p,
        wins=wins,
        losses=losses,
        ties=ties,
        n=n,
        n_problems=scores.n_problems,
        n_dropped=len(scores.dropped),
        zstatistic=z,
        method=method,
        alternative=alternative,
        cautions=_cautions(n, method),
    )


def sign_tail(w: int, n: int, alternative: str) -> tuple[float, float]:
    """Exact p-value and its logarithm of w wins in n."""
    if alternative == "greater":
        return fair_binomial_sf(w, n)
    if alternative == "less":
        return fair_binomial_sf(n - w, n)
    p, log_p = fair_binomial_sf(max(w, n - w), n)
    return min(1.0, 2 * p), min(0.0, _LOG2 + log_p)


def fair_binomial_sf(w: int, n: int) -> tuple[float, float]:
    """P(Bin(n, ½) ≥ w) and its logarithm; correctly rounded from integers up to n = 1000."""
    if w <= 0:
        return 1.0, 0.0
    if w > n:
        return 0.0, -math.inf
    if 2 * w <= n:  # the other tail is the small one
        rest = fair_binomial_sf(n - w + 1, n)[0]
        return 1.0 - rest, math.log1p(-rest)
    if n <= 1000:
        ways = _subsets_up_to(n - w, n)
        return ways / (1 << n), math.log(ways) - n * _LOG2
    log_p = _log_point(w, n) + math.log(_tail_over_point(w, n))
    return math.exp(log_p), log_p


def sign_test_critical_value(n: int, alpha: float = 0.05, tails: int = 2) -> int | None:
    """The fewest wins in n that reach ``alpha`` with one or two tails; None if even n wins do not."""
    reached = [w for w in range(n // 2 + 1, n + 1) if tails * fair_binomial_sf(w, n)[0] <= alpha]
    return reached[0] if reached else None


def _subsets_up_to(size: int, n: int) -> int:
    """Σ_{i ≤ size} C(n, i)."""
    term = total = 1
    for i in range(size):
        term = term * (n - i) // (i + 1)
        total += term
    return total


def _tail_over_point(w: int, n: int) -> float:
    """P(X ≥ w)/P(X = w) for w > n/2: 1 + ratio + product of two ratios + …, all terms positive and falling."""
    steps = np.arange(min(n - w, int(12 * math.sqrt(n))))  # the next term would be below e^−288
    return 1.0 + math.fsum(np.cumprod((n - w - steps) / (w + 1 + steps)).tolist())


def _log_point(w: int, n: int) -> float:
    """log P(X = w) for w > n/2: an integer where that is quick, else Stirling's series about the deviance."""
    loss = n - w
    if loss < 1000:
        return math.log(math.comb(n, loss)) - n * _LOG2
    x = (w - loss) / n  # deviance: w·log(2w/n) + l·log(2l/n), with 2w/n = 1 + x and 2l/n = 1 − x
    deviance = w * math.log1p(x) + loss * math.log1p(-x)
    series = _stirling_rest(n) - _stirling_rest(w) - _stirling_rest(loss)
    return 0.5 * math.log(n / (2 * math.pi * w * loss)) + series - deviance


def _stirling_rest(m: int) -> float:
    """log m! − log(sqrt(2πm)·(m/e)^m), for m ≥ 1000 (next term below 1e-24)."""
    return (1 / 12 - (1 / 360 - 1 / (1260 * m * m)) / (m * m)) / m


def _zstatistic(w: int, n: int) -> float:
    return (w - n / 2) / (math.sqrt(n) / 2) if n else 0.0


def _normal(z: float, alternative: str) -> tuple[float, float]:
    if alternative == "two-sided":
        p, log_p = normal_two_sided(z)
    else:
        p, log_p = normal_sf(z if alternative == "greater" else -z)
    return float(p), float(log_p)


def _cautions(n: int, method: str) -> tuple[Caution, ...]:
    """Too few problems for any result at 0.05, or for the normal approximation."""
    if n < 6:
        return (
            Caution(
                code="few-problems",
                text=f"With {n} problem(s) the smallest two-sided p-value possible is {min(1.0, 2 * 0.5**n):.3g}: "
                "no result could be significant at 0.05.",
                reference="Demšar (2006), section 3.1.4",
            ),
        )
    if method == "normal" and n <= 25:
        return (
            Caution(
                code="normal-approximation",
                text=f"The normal approximation is rough with {n} problems; the exact p-value costs nothing.",
                reference="Demšar (2006), section 3.1.4",
            ),
        )
    return ()
