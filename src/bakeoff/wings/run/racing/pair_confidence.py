"""How often does a beat b, where they differ? An interval that may be looked at after every problem.

The chances p that the e-process against them has not yet excluded: with w wins and l losses

    e(p) = B(1 + w, 1 + l) / (p^w (1 − p)^l)

is the likelihood ratio of the uniform mixture against p, an e-process under p, so by Ville's inequality the true p is
ever outside {p: e(p) < 1/α} with probability at most α (Robbins 1970). The set is an interval around w/(w + l).

With clusters w and l are sums of shares of their problems, and p is E(won)/E(won + lost) of a cluster: by convexity

    (q/p)^w ((1 − q)/(1 − p))^l <= 1 + w (q/p − 1) + l ((1 − q)/(1 − p) − 1)   for w, l >= 0 with w + l <= 1,

and the right side has mean 1, so e(p) is still at most an e-process.
"""

import math

from scipy import special

from bakeoff.nulls.numerics import root_between


def win_confidence(wins: float, losses: float, alpha: float) -> tuple[float, float]:
    """The ends of the interval; (0, 1) before the first win or loss."""
    if wins + losses == 0:
        return 0.0, 1.0
    limit = float(special.betaln(1.0 + wins, 1.0 + losses)) + math.log(alpha)  # inside: log p^w (1 − p)^l > limit

    def excess(p: float) -> float:
        return float(special.xlogy(wins, p) + special.xlog1py(losses, -p)) - limit

    peak = wins / (wins + losses)
    low = 0.0 if wins == 0 else root_between(excess, 0.0, peak, 1e-15 * peak)
    high = 1.0 if losses == 0 else root_between(lambda p: -excess(p), peak, 1.0, 1e-15)
    return low, high
