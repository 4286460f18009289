"""The interface of every power model: the power of n problems, and the smallest n with a wanted power."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import KW_ONLY, dataclass
from bakeoff.errors import TooLargeError
from bakeoff.nulls.numerics import root_between
from bakeoff.scores import Array
from bakeoff.special import chdtri, chndtr, ndtr

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
    least: int = 1  # problems
    most: int = MOST_N
    has_levels: bool = False  # is its p-value one of few, as those of exact tests on signs and ranks are?
    real: bool = False  # has it a power for numbers of problems that are not whole?

    def powers(self, n: Any, effect: Any, levels: Array, one_sided: bool) -> Array:
        """(levels,); a one-sided test looks for a positive effect."""
        raise NotImplementedError

    def size(self, effect: Any, aim: Aim) -> Size:
        """Here for a power that rises with n, but for small teeth of a test with few p-values."""

        def power_at(n: float) -> float:
            return self.power(n, effect, aim)

        n = first = smallest_n(power_at, aim.wanted_power, self.least, self.most)
        unrounded = None
        if self.has_levels:
            n, first = settled(power_at, aim.wanted_power, n, self.least)
        if self.real and n > self.least:
            unrounded = root_between(lambda x: power_at(x) - aim.wanted_power, n - 1.0, float(n), 1e-10 * n)
        return Size(n=n, first=first, unrounded=unrounded)

    def method(self, n: int) -> str:
        """The method used for n problems."""
        return self.name

    def power(self, n: float, effect: Effect, aim: Aim) -> float:
        """Mean over the levels of ``aim``."""
        return float(np.mean(self.powers(n, effect, aim.levels, aim.one_sided)))


@dataclass(frozen=True, slots=True)
class Formula(PowerModel):
    """A method whose power is a function of n, the effect, the levels, and whether the test is one-sided."""

    name: str
    function: Callable[[Any, Any, Array, bool], Array]
    _: KW_ONLY
    least: int = 1
    most: int = MOST_N
    has_levels: bool = False
    real: bool = False

    def powers(self, n: Any, effect: Any, levels: Array, one_sided: bool) -> Array:
        return self.function(n, effect, levels, one_sided)


@dataclass(frozen=True, slots=True)
class ByEfficiency(PowerModel):
    """(26) of Campelo & Takahashi (2019): the t-test's whole n divided by an asymptotic relative efficiency."""

    thousandths: int  # of the efficiency, so that division is exact
    exact: PowerModel  # of the t-test, or of two against a margin
    name = "are"
    least = 2

    def powers(self, n: Any, effect: float, levels: Array, one_sided: bool) -> Array:
        worth = n * self.thousandths // 1000  # that many problems of a t-test, rounded down
        return self.exact.powers(worth, effect, levels, one_sided) if worth >= 2 else np.zeros(len(levels))

    def size(self, effect: float, aim: Aim) -> Size:
        n = -(-self.exact.size(effect, aim).n * 1000 // self.thousandths)
        return Size(n=n, first=n)


def smallest_n(power_at: Callable[[int], float], target: float, least: int, most: int = MOST_N) -> int:
    """Search by doubling, then by bisection, for a power that rises with n."""
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


# Power of Friedman's test, asymptotic: noncentral χ² with the noncentrality of the expected ranks.
#
# Scores are independent normal within a problem, with means μ_j in units of the residual standard deviation. With
# P_jl = Φ((μ_j − μ_l)/√2), E R_j = 1 + Σ_{l≠j} P_jl and ncp = n·12/(k(k+1))·Σ_j (E R_j − (k+1)/2)².


def friedman(n_algorithms: int) -> PowerModel:
    """The χ² test; an effect is a number, one algorithm apart from the rest, or the means of the algorithms."""

    def powers(n: Any, effect: Effect, levels: Array, one_sided: bool) -> Array:
        means = one_apart(effect, n_algorithms) if isinstance(effect, float) else effect
        return np.array([float(friedman_powers(n, means, float(a))) for a in levels])

    return Formula("chi2", powers, least=2)


def one_apart(d: float, n_algorithms: int) -> Array:
    """(k,): one algorithm d residual standard deviations from the rest, which are equal."""
    means = np.zeros(n_algorithms)
    means[-1] = d
    return means


def expected_mean_ranks(means: Array) -> Array:
    """(k,): E R_j; the largest mean has the largest rank."""
    beats = ndtr((means[:, None] - means[None, :]) / np.sqrt(2.0))
    return cast(Array, 0.5 + beats.sum(axis=1))  # the diagonal holds ½


def noncentrality(means: Array) -> float:
    """Per problem."""
    k = len(means)
    return float(12 / (k * (k + 1)) * np.sum((expected_mean_ranks(means) - (k + 1) / 2) ** 2))


def friedman_powers(n: npt.ArrayLike, means: Array, alpha: float) -> Array:
    """(...,) power of the χ² test at ``alpha`` for n problems."""
    df = len(means) - 1
    shift = np.asarray(n, dtype=np.float64) * noncentrality(means)
    # far beyond any plan the power is 1 to the last bit, and the series of the noncentral law is long
    near = np.minimum(shift, 1e4)
    return np.asarray(1.0 - chndtr(chdtri(df, alpha), df, near), dtype=np.float64)


def first_enough(enough: Callable[[int], bool], start: int) -> int:
    """A number that is enough while the one below it is not; found from ``start`` on."""
    low, high, step = 0, start, 10 + start // 100
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
