"""Searches that every plan shares: the smallest n, and the point where a power is reached."""

from __future__ import annotations

import math
from collections.abc import Callable

from bakeoff.errors import TooLargeError

MOST_N = 2**50
TEETH = 12  # below this many problems the power of a test on ranks may fall when one is added


def smallest_n(power_at: Callable[[int], float], wanted: float, least: int, most: int = MOST_N) -> int:
    """Of a power that rises with n: doubling, then bisection."""
    low, high = least - 1, least
    while power_at(high) < wanted:
        low, high = high, 2 * high
        if high > most:
            raise TooLargeError(
                f"effect_size is so small that more than {most // 2} problems would be needed; "
                "reconsider the smallest effect that matters"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_at(middle) >= wanted else (middle, high)
    return high


def settled(power_at: Callable[[int], float], wanted: float, start: int, least: int) -> tuple[int, int]:
    """From a good guess, of a power with small teeth: the n that holds, and the first of its neighbourhood."""
    n = max(start, least)
    while power_at(n) < wanted:
        n += 1
    while n > least and power_at(n - 1) >= wanted:
        n -= 1
    first, ahead = n, n + 1
    while n < TEETH and ahead <= n + 3:
        if power_at(ahead) < wanted:
            n = ahead + 1
        ahead += 1
    return n, first


def crossing(rising: Callable[[float], float], wanted: float, guess: float, tolerance: float = 1e-12) -> float:
    """The x > 0 at which ``rising`` reaches ``wanted``, from its upper side; infinite if it never does."""
    low, high = 0.0, guess
    while rising(high) < wanted:
        low, high = high, 1.5 * high
        if high > 1e50:
            return math.inf
    if low == 0.0:
        low = high
        while low > 1e-150 and rising(low) >= wanted:
            low, high = low / 1.5, low
    return bisected(rising, wanted, low, high, tolerance)


def bisected(rising: Callable[[float], float], wanted: float, low: float, high: float, tolerance: float) -> float:
    """Keeps rising(low) < wanted ≤ rising(high); a secant step now and then saves most of the halvings."""
    at_low, at_high = rising(low) - wanted, rising(high) - wanted
    halve = False
    while high - low > tolerance * high:
        middle = (low + high) / 2
        if not halve and at_high > at_low:
            secant = low - at_low * (high - low) / (at_high - at_low)
            edge = (high - low) / 100  # close to an end, not on it: the next step can then cut from the other side
            middle = min(max(secant, low + edge), high - edge)
        if not low < middle < high:
            break
        before, value = high - low, rising(middle) - wanted
        if value >= 0:
            high, at_high = middle, value
        else:
            low, at_low = middle, value
        halve = high - low > before / 2
    return high
