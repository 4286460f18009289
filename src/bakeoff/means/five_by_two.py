"""Five repeats of two-fold cross-validation: Dietterich's t and Alpaydın's combined F."""

import math

from bakeoff.nulls.tails import f_sf, t_two_sided
from bakeoff.scores import Array

Found = tuple[float, float, float]
"""Statistic, p, and its logarithm."""


def five_by_two_t(differences: Array) -> Found:
    """Dietterich's 5×2cv t of (5, 2) differences, a row per repeat.

    t = p₁⁽¹⁾ / √(Σ s_i²/5) with 5 degrees of freedom, p₁⁽¹⁾ the difference in the first fold of the first repeat, s_i²
    the sum of the squared deviations of the two folds of repeat i from their mean (Dietterich 1998, Neural
    Computation 10, 1895–1923). p is 1 where no repeat varies.
    """
    squares = _squares(differences)
    first = float(differences[0, 0])
    if squares == 0.0:
        return 0.0, 1.0, 0.0
    t = first / math.sqrt(squares / 5.0)
    p, log_p = t_two_sided(t, 5.0)
    return t, float(p), float(log_p)


def five_by_two_f(differences: Array) -> Found:
    """Alpaydın's combined 5×2cv F of (5, 2) differences, a row per repeat.

    f = Σ_i Σ_j (p_i⁽ʲ⁾)² / (2 Σ s_i²) with 10 and 5 degrees of freedom (Alpaydın 1999, Neural Computation 11,
    1885–1892): no single fold decides. p is 1 where no repeat varies.
    """
    squares = _squares(differences)
    if squares == 0.0:
        return 0.0, 1.0, 0.0
    f = math.fsum((differences**2).ravel().tolist()) / (2.0 * squares)
    p, log_p = f_sf(f, 10.0, 5.0)
    return f, float(p), float(log_p)


def _squares(differences: Array) -> float:
    """Σ s_i² = Σ (p_i⁽¹⁾ − p_i⁽²⁾)²/2."""
    return math.fsum(((differences[:, 0] - differences[:, 1]) ** 2 / 2.0).tolist())
