"""The number of problems is given: which power, which effect, which level does it reach?"""

from __future__ import annotations

import math
from collections.abc import Callable

from bakeoff.errors import ParameterError, TooLargeError
from bakeoff.plan.holm_levels import Target
from bakeoff.plan.options import (
    SMALLEST_ALPHA,
    Alternative,
    Asked,
    Method,
    TestName,
    asked,
    checked_alpha,
    checked_effect,
    checked_n,
    checked_power,
    right_way,
)
from bakeoff.plan.pilots.standard_errors import Comparisons
from bakeoff.plan.power_models.exact_sign import SLACK
from bakeoff.plan.power_models.models import (
    Effect,
    WilcoxonDraws,
    WilcoxonMoments,
    has_levels,
    least_problems,
    mean_power,
)
from bakeoff.plan.searching import bisected, crossing
from bakeoff.scores import Array

_DRAWN = 1e-5  # relative tolerance of an effect found by simulation, far below its error


def power(
    n: int,
    effect_size: float | Array,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    test: TestName = "t",
    n_algorithms: int = 2,
    comparisons: Comparisons = "all-pairs",
    target: Target = "worst",
    method: Method | None = None,
    rng: object = None,
) -> float:
    """With what probability do n problems find an effect of this size?

    Use it when the set of problems is given (section 4.5 of the paper), before the experiment. Not afterwards with
    the effect just observed: that only restates the p-value.

    Parameters
    ----------
    n : int
        Problems.
    effect_size, alpha, alternative, test, n_algorithms, comparisons, target, method, rng
        As in :func:`bakeoff.plan.instances`. An effect on the side that a one-sided test does not look at is allowed
        here: its power is below alpha.

    Returns
    -------
    float
        Of one comparison, or as ``target`` has it for several under Holm's correction.

    Raises
    ------
    ParameterError
        A value outside its rule.

    Notes
    -----
    The formulas are those of :func:`bakeoff.plan.instances`; with "are", the power of a t-test on ⌊n·ARE⌋ problems.
    Ties are assumed absent.

    Examples
    --------
    >>> import bakeoff as bo
    >>> round(bo.plan.power(33, 0.5), 6), round(bo.plan.power(34, 0.5), 6)
    (0.795366, 0.807778)
    >>> round(bo.plan.power(200, 0.1, alternative="greater"), 3)  # Campelo & Takahashi (2019), Figure 4
    0.407
    """
    question = asked(test, method, alternative, n_algorithms, comparisons, target, rng, effect_size)
    effect = checked_effect(effect_size, question)
    return question.power_at(checked_n(n, question), effect, checked_alpha(alpha))


def detectable(
    n: int,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    test: TestName = "t",
    n_algorithms: int = 2,
    comparisons: Comparisons = "all-pairs",
    target: Target = "worst",
    method: Method | None = None,
    rng: object = None,
) -> float:
    """Which effect do n problems find with the wanted power?

    Use it when the set of problems is given, to say before the experiment what it can and cannot see. Smaller
    effects may exist and go unseen: "no difference shown" then says little about them.

    Parameters
    ----------
    n : int
        Problems.
    power : float
        Wanted probability of finding the effect.
    alpha, alternative, test, n_algorithms, comparisons, target, method, rng
        As in :func:`bakeoff.plan.instances`; for "friedman" the effect is that of one algorithm apart from the rest.

    Returns
    -------
    float
        The smallest effect size with that power, positive (negative for ``alternative="less"``).

    Raises
    ------
    ParameterError
        A value outside its rule, or so few problems that the test cannot reject at all.

    Notes
    -----
    Solves the power formula of :func:`bakeoff.plan.instances` for d: bracketed upwards, then bisected with secants.
    Ties are assumed absent.

    Examples
    --------
    >>> import bakeoff as bo
    >>> round(bo.plan.detectable(200, alternative="greater"), 3)  # Campelo & Takahashi (2019), section 5.2
    0.176
    """
    question = asked(test, method, alternative, n_algorithms, comparisons, target, rng)
    size, level = checked_n(n, question), checked_alpha(alpha)
    effect = smallest_effect(question, size, level, checked_power(power, level))
    return -effect if alternative == "less" else effect


def smallest_effect(question: Asked, n: int, alpha: float, wanted: float) -> float:
    """Positive."""
    aim = question.aim(alpha, wanted)
    law = question.law
    if isinstance(law, WilcoxonDraws) and law.method(n) == "simulation":
        rough = crossing(lambda d: mean_power(WilcoxonMoments(), n, d, aim), wanted, 1.0, _DRAWN)
        found = _around(lambda d: mean_power(law, n, d, aim), wanted, rough) if math.isfinite(rough) else rough
    else:
        found = crossing(lambda d: mean_power(law, n, d, aim), wanted, 1.0)
    if not math.isfinite(found):
        least = least_problems(law, float(aim.levels[0]), question.one_sided)
        more = f" (at alpha/{question.n_comparisons})" if question.n_comparisons > 1 else ""
        raise ParameterError(
            f"n={n} problems cannot reach power={wanted:g} however large the effect: below {max(least, n + 1)} "
            f"problems the test rejects too rarely or never{more}. Use more problems, a larger alpha or test='t'."
        )
    return found


def _around(rising: Callable[[float], float], wanted: float, guess: float) -> float:
    """By simulation each value costs a tenth of a second: start with a narrow bracket."""
    low, high = 0.97 * guess, 1.03 * guess
    while rising(low) >= wanted:
        low, high = 0.9 * low, low
    while rising(high) < wanted:
        low, high = high, 1.1 * high
    return bisected(rising, wanted, low, high, _DRAWN)


def significance(
    n: int,
    effect_size: float | Array,
    power: float = 0.8,
    alternative: Alternative = "two-sided",
    test: TestName = "t",
    n_algorithms: int = 2,
    comparisons: Comparisons = "all-pairs",
    target: Target = "worst",
    method: Method | None = None,
    rng: object = None,
) -> float:
    """At which level do n problems find the effect with the wanted power?

    Use it when problems and effect are given, to see what error rate that power would cost. Not to choose the level
    after seeing the scores.

    Parameters
    ----------
    n : int
        Problems.
    effect_size : float
        As in :func:`bakeoff.plan.instances`.
    power : float
        Wanted probability of finding the effect.
    alternative, test, n_algorithms, comparisons, target, method, rng
        As in :func:`bakeoff.plan.instances`.

    Returns
    -------
    float
        The smallest family-wise alpha with that power. Tests on signs and ranks have few possible levels: there it is
        one of those.

    Raises
    ------
    ParameterError
        A value outside its rule, or a power that no level reaches.

    Notes
    -----
    Solves the power formula of :func:`bakeoff.plan.instances` for alpha. Ties are assumed absent.

    Examples
    --------
    >>> import bakeoff as bo
    >>> round(bo.plan.significance(34, 0.5, power=0.807778), 5)
    0.05
    """
    question = asked(test, method, alternative, n_algorithms, comparisons, target, rng, effect_size)
    size, effect, wanted = checked_n(n, question), checked_effect(effect_size, question), checked_power(power)
    right_way(effect, question)
    return smallest_alpha(question, size, effect, wanted)


def smallest_alpha(question: Asked, n: int, effect: Effect, wanted: float) -> float:
    """Bisection on ln alpha, from SMALLEST_ALPHA to just below 1."""

    def power_at(log_alpha: float) -> float:
        return question.power_at(n, effect, math.exp(log_alpha))

    low, high = math.log(SMALLEST_ALPHA), math.log1p(-1e-9)
    if power_at(high) < wanted:
        raise ParameterError(
            f"power={wanted:g} is not reached at any level with n={n} problems; use more problems or a smaller power"
        )
    if power_at(low) >= wanted:
        raise TooLargeError(f"alpha would be below {SMALLEST_ALPHA:g} with n={n} problems: the effect cannot be missed")
    while high - low > 1e-12:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if power_at(middle) >= wanted else (middle, high)
    found = math.exp(high)
    return found * (1 + 2 * SLACK) if has_levels(question.law) else found  # the test's own p must not be above it
