"""Power of the sign test: exact binomial sums, and the n from which on a power is kept.

With p the probability that one algorithm wins a problem without a tie, wins are Bin(n, p). The largest number of
losses c that still rejects has P(Bin(n, ½) ≤ c) ≤ α/2 (one-sided α); power = P(losses ≤ c) + P(wins ≤ c). It is a
saw-tooth in n: adding a problem may lower it.
"""

import math
from collections.abc import Callable
from typing import cast

import numpy as np
import numpy.typing as npt

from bakeoff.errors import ParameterError, TooLargeError
from bakeoff.plan.power_models.base import SLACK, Aim, PowerModel, Size, first_enough
from bakeoff.scores import Array
from bakeoff.special import bdtr, gammaln, ndtr, ndtri, xlog1py, xlogy

Ints = npt.NDArray[np.int64]

MOST_N = 2_000_000


class SignExact(PowerModel):
    name = "exact"
    has_levels = True

    def powers(self, n: int, effect: float, levels: Array, one_sided: bool) -> Array:
        return sign_powers(n, effect, levels, one_sided)

    def size(self, effect: float, aim: Aim) -> Size:
        def power_at(n: Ints) -> Array:
            return cast(Array, sum(sign_powers(n, effect, a, aim.one_sided) for a in aim.levels) / len(aim.levels))

        start = normal_size(effect, float(aim.levels[0]), aim.wanted_power, aim.one_sided)
        n, first = kept_from(power_at, aim.wanted_power, start)
        return Size(n=n, first=first)


def win_probability(d: npt.ArrayLike) -> Array:
    """p = Φ(d): of normal differences whose mean is d standard deviations from 0."""
    return np.asarray(ndtr(np.asarray(d, dtype=np.float64)), dtype=np.float64)


def critical_losses(n: Ints, tail: npt.ArrayLike) -> Ints:
    """The largest c with P(Bin(n, ½) ≤ c) ≤ tail; −1 if there is none."""
    size, level = np.broadcast_arrays(np.asarray(n, dtype=np.int64), np.asarray(tail, dtype=np.float64))
    guess = size / 2 + ndtri(level) * np.sqrt(size) / 2 - 1
    c = np.clip(np.floor(guess), -1, size).astype(np.int64)
    limit = level * (1 + SLACK)
    while np.any(up := (c < size) & (_below(c + 1, size) <= limit)):
        c = c + up
    while np.any(down := (c >= 0) & (_below(c, size) > limit)):
        c = c - down
    return cast(Ints, c)


def _below(c: Ints, n: Ints, p: npt.ArrayLike = 0.5) -> Array:
    """P(Bin(n, p) ≤ c); 0 for c < 0."""
    inside = np.clip(c, 0, n)
    return cast(Array, np.where(c < 0, 0.0, bdtr(inside.astype(np.float64), n, p)))


def sign_powers(n: npt.ArrayLike, d: npt.ArrayLike, levels: npt.ArrayLike, one_sided: bool = False) -> Array:
    """Exact power; n, d and levels broadcast. One-sided: towards positive d."""
    size = np.asarray(n, dtype=np.int64)
    tail = np.asarray(levels, dtype=np.float64) * (1.0 if one_sided else 0.5)
    c = critical_losses(size, tail)
    p = win_probability(d)
    q = win_probability(-np.asarray(d, dtype=np.float64))  # 1 − p without cancellation
    power = _below(c, size, q)
    if not one_sided:
        power = power + _below(c, size, p)
    return cast(Array, np.minimum(power, 1.0))


def kept_from(power_at: Callable[[Ints], Array], target: float, start: float) -> tuple[int, int]:
    """The n from which on ``power_at(n) ≥ wanted`` for every larger n, and the first n that reaches it.

    Searched up to twice the normal formula ``start`` and 60 more, beyond which the power no longer falls below.
    """
    last = 2 * math.ceil(start) + 60
    if last > MOST_N:
        raise TooLargeError(
            f"is so small that about {start:.3g} problems would be needed; the exact sign test is planned "
            f"up to {MOST_N // 2}. Use method='are', or reconsider the smallest effect that matters.",
            parameter="effect_size",
        )
    enough = power_at(np.arange(1, last + 1)) >= target
    missed = np.flatnonzero(~enough)
    hold = int(missed[-1]) + 2 if missed.size else 1
    if hold > last:
        raise ParameterError(
            f"must be smaller: {target!r} is not kept by the exact sign test within {last} problems", parameter="power"
        )
    return hold, int(np.argmax(enough)) + 1


def normal_size(d: float, level: float, target: float, one_sided: bool) -> float:
    """((z_α·½ + z_β·√(pq))/(p − ½))²: where the search starts."""
    z = -float(ndtri(level if one_sided else level / 2))
    p = float(win_probability(abs(d)))
    spread = math.sqrt(p * float(win_probability(-abs(d))))
    return ((z / 2 + max(float(ndtri(target)), 0.0) * spread) / (p - 0.5)) ** 2


# Power of McNemar's exact test: the sign test on the questions that one model alone answers, whose number is random.
#
# Of n questions D ~ Bin(n, π) tell, of these Bin(D, (π + δ)/(2π)) are those of the better model.

_REACH = 9.0  # standard deviations of D


def mcnemar_power(n: int, difference: float, discordant: float, alpha: float) -> float:
    """Two-sided, of a true difference δ where π of the questions tell."""
    spread = _REACH * math.sqrt(n * discordant * (1 - discordant)) + 10
    middle = n * discordant
    d = np.arange(max(0, math.floor(middle - spread)), min(n, math.ceil(middle + spread)) + 1)
    logs = gammaln(n + 1) - gammaln(d + 1) - gammaln(n - d + 1) + xlogy(d, discordant) + xlog1py(n - d, -discordant)
    share = min((1 + abs(difference) / discordant) / 2, 1.0)
    return float(np.exp(logs) @ sign_powers(d, ndtri(share), alpha))


def mcnemar_size(start: int, difference: float, discordant: float, alpha: float, target: float) -> int:
    """An n with this power, and no power at n − 1; found from ``start`` on."""

    def enough(n: int) -> bool:
        return mcnemar_power(n, difference, discordant, alpha) >= target

    return first_enough(enough, start)
