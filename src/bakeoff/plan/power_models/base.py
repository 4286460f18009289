"""What every power model has: the power of n problems, and the smallest n with a wanted power."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff.errors import TooLargeError
from bakeoff.scores import Array

MOST_N = 2**50
TEETH = 12  # below this many problems the power of a test on ranks may fall when one is added
SLACK = 1e-12  # a level counts as reached within this relative error: α/2 is rarely the exact double

Effect = float | Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """Mean power ``wanted_power`` over these levels (one or two of Holm's levels, or all)."""

    levels: Array
    wanted_power: float
    one_sided: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    n: int  # enough, as is every larger n
    first: int  # the first n that reaches the power; smaller than n where the power is not monotone in n
    unrounded: float | None = None


class PowerModel:
    """A test and a way of computing its power."""

    name: str  # the method, as users type it
    least = 1  # problems
    has_levels = False  # is its p-value one of few, as those of exact tests on signs and ranks are?

    def powers(self, n: int, effect: Any, levels: Array, one_sided: bool) -> Array:
        """(levels,); a one-sided test looks for a positive effect."""
        raise NotImplementedError

    def size(self, effect: Any, aim: Aim) -> Size:
        """Here for a power that rises with n."""
        n = smallest_n(lambda n: self.power(n, effect, aim), aim.wanted_power, self.least)
        return Size(n=n, first=n)

    def method(self, n: int) -> str:
        """The method used for n problems."""
        return self.name

    def power(self, n: int, effect: Effect, aim: Aim) -> float:
        """Mean over the levels of ``aim``."""
        return float(np.mean(self.powers(n, effect, aim.levels, aim.one_sided)))


def smallest_n(power_at: Callable[[int], float], target: float, least: int, most: int = MOST_N) -> int:
    """Of a power that rises with n: doubling, then bisection."""
    low, high = least - 1, least
    while power_at(high) < target:
        low, high = high, 2 * high
        if high > most:
            raise TooLargeError(
                f"is so small that more than {most // 2} problems would be needed; "
                "reconsider the smallest effect that matters",
                parameter="effect_size",
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_at(middle) >= target else (middle, high)
    return high


def settled(power_at: Callable[[int], float], target: float, start: int, least: int) -> tuple[int, int]:
    """From a good guess, of a power with small teeth: the n from which it is kept, and the first that reaches it."""
    n = max(start, least)
    while power_at(n) < target:
        n += 1
    while n > least and power_at(n - 1) >= target:
        n -= 1
    first, ahead = n, n + 1
    while n < TEETH and ahead <= n + 3:
        if power_at(ahead) < target:
            n = ahead + 1
        ahead += 1
    return n, first
