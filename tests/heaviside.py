"""The distribution function of the share of one algorithm, ties counted half, beside its quantiles in the package."""

from __future__ import annotations

from scipy.special import betainc

from bakeoff.wings.bayes.dirichlet.shares import above_half, lower_tail


def heaviside_cdf(x: float, wins: float, ties: float, losses: float) -> float:
    """P(θ_g + θ_t/2 ≤ x) for 0 < x < 1."""
    if x > 0.5:
        return 1.0 - heaviside_cdf(1.0 - x, losses, ties, wins)
    if wins == 0 and ties == 0:
        return 1.0
    if losses == 0 and ties == 0:
        return 0.0
    if wins == 0:
        return float(betainc(ties, losses, 2.0 * x)) if losses > 0 else float(x >= 0.5)
    if ties == 0:
        return float(betainc(wins, losses, x))
    if x == 0.5 or losses == 0:
        return above_half(losses, wins) if x == 0.5 else 0.0
    return lower_tail(x, wins, ties, losses)
