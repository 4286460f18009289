"""The tests a plan can be made for: each knows its power, and how to find its smallest n. One class per method."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from bakeoff.plan.power_models.exact_sign import kept_from, normal_size, sign_powers
from bakeoff.plan.power_models.friedman_shift import friedman_powers, one_apart
from bakeoff.plan.power_models.noncentral_t import t_powers
from bakeoff.plan.power_models.wilcoxon_draws import MOST_N, ROUGH_DRAWS, draws
from bakeoff.plan.power_models.wilcoxon_moments import moment_powers, noether_powers
from bakeoff.plan.searching import bisected, settled, smallest_n
from bakeoff.scores import Array

CLEARLY = 0.004  # more than ten standard errors of a rough power

Effect = float | Array
Seed = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What is wanted: mean power over these levels (one or two of Holm's levels, or all)."""

    levels: Array
    wanted: float
    one_sided: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    n: int  # enough, as is every larger n
    first: int  # the first n that reaches the power; smaller than n where the power has teeth
    unrounded: float | None = None
    method: str = ""


class Law(Protocol):
    """A test and a way of computing its power."""

    least: int

    def powers(self, n: int, effect: Any, levels: Array, one_sided: bool) -> Array:
        """(levels,)"""

    def size(self, effect: Any, aim: Aim) -> Size: ...

    def method(self, n: int) -> str:
        """What is really done for n problems."""


def mean_power(law: Law, n: int, effect: Effect, aim: Aim) -> float:
    return float(np.mean(law.powers(n, effect, aim.levels, aim.one_sided)))


class StudentExact:
    least = 2

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        return t_powers(n, effect, levels, one_sided)

    def size(self, effect: float, aim: Aim) -> Size:
        n = smallest_n(lambda n: mean_power(self, n, effect, aim), aim.wanted, self.least)
        return Size(n=n, first=n, unrounded=self._unrounded(n, effect, aim), method="exact")

    def _unrounded(self, n: int, effect: float, aim: Aim) -> float | None:
        """The real n of the same formula, between n − 1 and n; None at the smallest n there is."""
        if n == self.least:
            return None
        return bisected(
            lambda x: float(np.mean(t_powers(x, effect, aim.levels, aim.one_sided))), aim.wanted, n - 1, n, 1e-10
        )

    def method(self, n: int) -> str:
        return "exact"


class SignExact:
    least = 1

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        return sign_powers(n, effect, levels, one_sided)

    def size(self, effect: float, aim: Aim) -> Size:
        def power_at(n: Any) -> Array:
            total = np.zeros(len(n))
            for level in aim.levels.tolist():
                total += sign_powers(n, effect, level, aim.one_sided)
            return total / len(aim.levels)

        start = normal_size(effect, float(aim.levels[0]), aim.wanted, aim.one_sided)
        n, first = kept_from(power_at, aim.wanted, start)
        return Size(n=n, first=first, method="exact")

    def method(self, n: int) -> str:
        return "exact"


class WilcoxonMoments:
    """Exact critical values, normal law of W⁺ with the alternative's variance."""

    least = 1

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        return moment_powers(n, effect, levels, one_sided)

    def size(self, effect: float, aim: Aim) -> Size:
        start = smallest_n(lambda n: mean_power(self, n, effect, aim), aim.wanted, self.least, 2**40)
        n, first = settled(lambda n: mean_power(self, n, effect, aim), aim.wanted, start, self.least)
        return Size(n=n, first=first, method="exact-variance")

    def method(self, n: int) -> str:
        return "exact-variance"


class WilcoxonDraws:
    """Simulation from the moments' n on; the moments alone where they are closer than the draws."""

    least = 1

    def __init__(self, seed: Seed, n_draws: int | None = None) -> None:
        self.seed = seed
        self.n_draws = n_draws

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        if n > MOST_N:
            return moment_powers(n, effect, levels, one_sided)
        if n == 1:  # no t-test to correct with, and W⁺ is 0 or 1
            return sign_powers(n, effect, levels, one_sided)
        return draws(n, effect, self.seed, self.n_draws).powers(levels, one_sided)

    def size(self, effect: float, aim: Aim) -> Size:
        guess = WilcoxonMoments().size(effect, aim)
        if guess.n > MOST_N:
            return guess
        rough = WilcoxonDraws(self.seed, ROUGH_DRAWS)

        def power_at(n: int) -> float:
            value = mean_power(rough, n, effect, aim)
            return value if abs(value - aim.wanted) > CLEARLY else mean_power(self, n, effect, aim)

        n, first = settled(power_at, aim.wanted, guess.n, self.least)
        return Size(n=n, first=first, method=self.method(n))

    def method(self, n: int) -> str:
        return "simulation" if n <= MOST_N else "exact-variance"


class WilcoxonNoether:
    least = 1

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        return noether_powers(n, effect, levels, one_sided)

    def size(self, effect: float, aim: Aim) -> Size:
        n = smallest_n(lambda n: mean_power(self, n, effect, aim), aim.wanted, self.least)
        return Size(n=n, first=n, method="noether")

    def method(self, n: int) -> str:
        return "noether"


@dataclass(frozen=True, slots=True)
class ByEfficiency:
    """(26) of Campelo & Takahashi (2019): the t-test's whole n divided by an asymptotic relative efficiency."""

    thousandths: int  # of the efficiency, so that division is exact
    least = 2

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        worth = n * self.thousandths // 1000  # that many problems of a t-test, rounded down
        return t_powers(worth, effect, levels, one_sided) if worth >= 2 else np.zeros(len(levels))

    def size(self, effect: float, aim: Aim) -> Size:
        n = -(-StudentExact().size(effect, aim).n * 1000 // self.thousandths)
        return Size(n=n, first=n, method="are")

    def method(self, n: int) -> str:
        return "are"


@dataclass(frozen=True, slots=True)
class FriedmanShift:
    n_algorithms: int
    least = 2

    def means(self, effect: Effect) -> Array:
        return one_apart(effect, self.n_algorithms) if isinstance(effect, float) else effect

    def powers(self, n: int, effect: Effect, levels: Array, one_sided: bool) -> Array:
        return np.array([float(friedman_powers(n, self.means(effect), float(a))) for a in levels])

    def size(self, effect: Effect, aim: Aim) -> Size:
        n = smallest_n(lambda n: mean_power(self, n, effect, aim), aim.wanted, self.least)
        return Size(n=n, first=n, method="chi2")

    def method(self, n: int) -> str:
        return "chi2"


_Factory = Callable[[Seed, int], Law]

LAWS: dict[str, dict[str, _Factory]] = {
    "t": {"exact": lambda seed, k: StudentExact()},
    "wilcoxon": {
        "simulation": lambda seed, k: WilcoxonDraws(seed),
        "exact-variance": lambda seed, k: WilcoxonMoments(),
        "noether": lambda seed, k: WilcoxonNoether(),
        "are": lambda seed, k: ByEfficiency(860),
    },
    "sign": {"exact": lambda seed, k: SignExact(), "are": lambda seed, k: ByEfficiency(637)},
    "friedman": {"chi2": lambda seed, k: FriedmanShift(k)},
}
"""test -> method -> law; the first method of a test is its default."""


def sides_of(level: float, one_sided: bool) -> float:
    return level if one_sided else level / 2


def has_levels(law: Law) -> bool:
    """Is its p-value one of few, as those of exact tests on signs and ranks are?"""
    return isinstance(law, SignExact | WilcoxonDraws | WilcoxonMoments)


def least_problems(law: Law, level: float, one_sided: bool) -> int:
    """The fewest problems with which a test on signs or ranks could reject: 2⁻ⁿ ≤ level (two-sided: half of it)."""
    if has_levels(law):
        return max(law.least, math.ceil(-math.log2(sides_of(level, one_sided)) - 1e-9))
    return law.least
