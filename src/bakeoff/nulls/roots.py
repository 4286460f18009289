"""Where a monotone function reaches a value (``scipy.optimize`` would take longer to import than these to run)."""

import math
from collections.abc import Callable


def upper_point(log_tail: Callable[[float], float], goal: float) -> float:
    """The x at which a decreasing log_tail equals ``goal``: bracketed by doubling, then as :func:`root_between`."""
    low, high = 0.0, 1.0
    while log_tail(low) < goal:
        low, high = 2.0 * low - 1.0, low
    while log_tail(high) > goal:
        low, high = high, 2.0 * high
    return root_between(lambda x: goal - log_tail(x), low, high, 4e-16 * max(abs(low), high))


def root_between(rising: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """The x, within ``tolerance``, at which ``rising`` reaches 0: at most 0 at ``low``, at least 0 at ``high``.

    From above: ``rising`` is at least 0 there, also if it has steps. Secants by the rule of Anderson and Björck (1973,
    BIT 13, 253–264): few steps where the function is nearly a line; halvings where they gain little.
    """
    at_low, at_high = rising(low), rising(high)
    if at_low >= 0 or at_high <= 0:
        return low if at_low >= 0 else high
    side, widths = 0, [math.inf] * 4
    for _ in range(200):
        if high - low <= tolerance:
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        if not low <= middle <= high or high - low > widths[-4] / 2:  # an end is infinite; or four steps gained little
            middle = (low + high) / 2.0
        # a step across a root near an end closes the bracket
        middle = min(max(middle, low + tolerance / 2), high - tolerance / 2)
        widths.append(high - low)
        value = rising(middle)
        now = 1 if value >= 0 else -1
        end = at_high if now > 0 else at_low
        weight = 1.0 - value / end if end else 0.0  # of the end that stays for the second time
        weight = 1.0 if now != side else weight if weight > 0 else 0.5
        if now > 0:
            high, at_high, at_low = middle, value, at_low * weight
        else:
            low, at_low, at_high = middle, value, at_high * weight
        side = now
    return high


def positive_root(rising: Callable[[float], float], guess: float, tolerance: float = 1e-12, step: float = 1.5) -> float:
    """The x > 0 at which ``rising`` reaches 0, from above, within a relative ``tolerance``; infinite beyond 1e50.

    Bracketed outwards from ``guess`` by factors ``step``.
    """
    low = high = guess
    if rising(guess) < 0:
        while rising(high) < 0:
            low, high = high, step * high
            if high > 1e50:
                return math.inf
    else:
        while low > 1e-150 and rising(low) >= 0:
            low, high = low / step, low
    return root_between(rising, low, high, tolerance * high)
