"""Power of McNemar's exact test: the sign test on the questions that one model alone answers, whose number is random.

Of n questions D ~ Bin(n, π) tell, of these Bin(D, (π + δ)/(2π)) are those of the better model.
"""

import math

import numpy as np
from scipy.special import gammaln, ndtri, xlog1py, xlogy

from bakeoff.plan.power_models.sign import sign_powers

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

    low, high, step = 0, start, 10 + start // 100
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
