"""A planning question, checked: which test, how many comparisons, at which levels, and which power is meant."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np

from bakeoff.checks import choice, probability
from bakeoff.errors import ParameterError
from bakeoff.plan.holm_levels import TARGETS, Target, check_algorithms, comparison_count, holm_levels
from bakeoff.plan.pilots.standard_errors import COMPARISONS, Comparisons
from bakeoff.plan.power_models.models import LAWS, Aim, Effect, Law, mean_power
from bakeoff.randomness import generator
from bakeoff.scores import Array

Alternative = Literal["two-sided", "greater", "less", "one-sided"]
TestName = Literal["t", "wilcoxon", "sign", "friedman"]
Method = Literal["exact", "simulation", "exact-variance", "noether", "are", "chi2"]
LARGEST_EFFECT = 1e50
SMALLEST_ALPHA = 1e-100
ALTERNATIVES = ("two-sided", "greater", "less", "one-sided")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Everything but n, effect size, power and alpha."""

    test: str
    method: str  # the one asked for, or the test's default
    alternative: str
    n_algorithms: int
    comparisons: Comparisons
    target: Target
    law: Law

    @property
    def one_sided(self) -> bool:
        return self.alternative != "two-sided"

    @property
    def n_comparisons(self) -> int:
        return 1 if self.test == "friedman" else comparison_count(self.n_algorithms, self.comparisons)

    def levels(self, alpha: float) -> Array:
        return holm_levels(alpha, self.n_comparisons)

    def aim(self, alpha: float, wanted: float) -> Aim:
        """Only the levels that the target looks at; their mean power is what it asks for.

        "worst" is Bonferroni's level. The power rises with the level, so the median of the profile is the power at the
        middle level, or the mean of the two in the middle; the paper's own program takes α/(K − ⌊K/2⌋ + 1) instead.
        """
        levels, count = self.levels(alpha), self.n_comparisons
        middle = slice((count - 1) // 2, count // 2 + 1)
        chosen = {"worst": levels[:1], "mean": levels, "median": levels[middle]}[self.target]
        return Aim(levels=chosen, wanted=wanted, one_sided=self.one_sided)

    def towards(self, effect: Effect) -> Effect:
        """The effect as the laws take it: positive is what a one-sided test looks for."""
        if not isinstance(effect, float):
            return effect
        if self.alternative in ("two-sided", "one-sided"):
            return abs(effect)
        return -effect if self.alternative == "less" else effect

    def power_at(self, n: int, effect: Effect, alpha: float) -> float:
        return mean_power(self.law, n, self.towards(effect), self.aim(alpha, 0.5))


def asked(
    test: str,
    method: str | None,
    alternative: str,
    n_algorithms: int,
    comparisons: str,
    target: str,
    rng: object,
    effect_size: object = 1.0,
) -> Asked:
    """Check the words; ``effect_size`` only says how many algorithms a list of means is for."""
    choice("test", test, LAWS)
    choice("alternative", alternative, ALTERNATIVES)
    choice("comparisons", comparisons, COMPARISONS)
    choice("target", target, TARGETS)
    methods = LAWS[test]
    used = next(iter(methods)) if method is None else method
    if used not in methods:
        raise ParameterError(
            f"method must be one of {', '.join(map(repr, methods))} for test={test!r} (or None, which is "
            f"{next(iter(methods))!r}); got {method!r}"
        )
    count = check_algorithms(n_algorithms)
    if test == "friedman":
        if alternative != "two-sided":
            raise ParameterError(f"alternative must be 'two-sided' for Friedman's test; got {alternative!r}")
        count = _algorithms_of(effect_size, count)
    seed = tuple(generator(rng).integers(0, 2**32, size=4, dtype=np.uint64).tolist())
    return Asked(
        test=test,
        method=used,
        alternative=alternative,
        n_algorithms=count,
        comparisons=cast(Comparisons, comparisons),
        target=cast(Target, target),
        law=methods[used](seed, count),
    )


def _algorithms_of(effect_size: object, given: int) -> int:
    size = np.ndim(np.asarray(effect_size, dtype=object)) and len(np.atleast_1d(np.asarray(effect_size, dtype=object)))
    if size and given not in (2, size):
        raise ParameterError(f"effect_size has {size} means, but n_algorithms={given}; leave n_algorithms out")
    return int(size) or given


def checked_effect(effect_size: object, question: Asked) -> Effect:
    """A finite number that is not 0; for Friedman's test also a list of one mean per algorithm."""
    try:
        array = np.asarray(effect_size, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.array(math.nan)
    if array.ndim == 1 and question.test == "friedman":
        if len(array) < 2 or not np.all(np.abs(array) <= LARGEST_EFFECT) or np.ptp(array) == 0:
            raise ParameterError(
                "effect_size must be the finite means of at least 2 algorithms, not all equal, in residual standard "
                f"deviations; got {effect_size!r}"
            )
        return array
    if array.ndim or isinstance(effect_size, bool) or not math.isfinite(float(array)) or float(array) == 0:
        hint = " (or, for test='friedman', a list of means)" if question.test == "friedman" else ""
        raise ParameterError(
            f"effect_size must be a finite number other than 0, a difference in standard deviations{hint}; "
            f"got {effect_size!r}"
        )
    if abs(float(array)) > LARGEST_EFFECT:
        raise ParameterError(f"effect_size must be {LARGEST_EFFECT:g} standard deviations at most; got {effect_size!r}")
    return float(array)


def right_way(effect: Effect, question: Asked) -> None:
    """Refuse a search for power in the direction that the test does not look."""
    towards = question.towards(effect)
    if isinstance(towards, float) and towards < 0:
        wrong = "negative" if question.alternative == "greater" else "positive"
        raise ParameterError(
            f"effect_size is {wrong} and alternative={question.alternative!r} looks the other way: the test then finds "
            "it less often than alpha however many problems there are. Change the sign or the alternative."
        )


def checked_n(n: object, question: Asked) -> int:
    least = question.law.least
    whole = isinstance(n, int | np.integer) and not isinstance(n, bool)
    if not whole and isinstance(n, float | np.floating) and float(n).is_integer():
        whole = True
    if not whole or not least <= int(cast(int, n)) <= 2**50:
        raise ParameterError(f"n must be a whole number of problems, at least {least}; got {n!r}")
    return int(cast(int, n))


def checked_alpha(alpha: object) -> float:
    level = probability("alpha", alpha)
    if level < SMALLEST_ALPHA:
        raise ParameterError(f"alpha must be {SMALLEST_ALPHA:g} or more; got {alpha!r}")
    return level


def checked_power(power: object, alpha: float | None = None) -> float:
    wanted = probability("power", power)
    if alpha is not None and wanted <= alpha:
        raise ParameterError(
            f"power must be larger than alpha={alpha:g}: without any effect it is alpha; got {wanted:g}"
        )
    return wanted
