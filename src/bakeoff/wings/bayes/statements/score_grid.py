"""Scores on a grid (right or wrong, Likert, counts): a rope narrower than its step holds ties and nothing else."""

import numpy as np

from bakeoff.errors import ParameterError
from bakeoff.paired.differences import directions
from bakeoff.scores import Scores

MANY_TIES = 0.1
"""Share of ties from which they would carry the verdict; continuous scores hardly tie."""
FEWEST_PROBLEMS = 5
"""Of fewer problems too few distances are known to tell a grid."""
ROUNDING = 1e-11
"""Distances that are equal within this part of the largest score are equal: decimals are no binary fractions."""


def refuse_rope_below_grid(scores: Scores, a: int, b: int, rope: float) -> None:
    """Refuse a rope that no difference of these two algorithms but a tie can lie in, if they tie often (not always)."""
    ties = float(np.mean(directions(scores, a, b) == 0))
    if rope == 0 or scores.n_problems < FEWEST_PROBLEMS or not MANY_TIES <= ties < 1:
        return
    step = grid_step(scores, a, b, rope * (1.0 + 1e-9))
    if rope >= step * (1.0 - 1e-9):
        return
    one, other = (repr(scores.algorithms[j]) for j in (a, b))
    raise ParameterError(
        f"must be 0 or at least {step:g}, the grid step of the scores of {one} and {other}; got {rope:g}. Only ties "
        f"({100 * ties:.0f} % of the problems) lie within it, and would count as evidence of equivalence. Average the "
        "scores over problems or clusters, choose a larger rope, or rope=0",
        parameter="rope",
    )


def grid_step(scores: Scores, a: int, b: int, enough: float = 0.0) -> float:
    """The largest number of which all distances between finite scores of the pair are multiples; infinite without any.

    0 if there is none, as for scores that are not rounded; a step of at most ``enough`` need not be the largest.
    """
    values = scores.values[:, [a, b]]
    values = np.unique(values[np.isfinite(values)])
    if len(values) < 2:
        return float("inf")
    smallest = ROUNDING * float(np.abs(values).max())
    with np.errstate(over="ignore"):
        gaps = np.diff(values)
    step = float("inf")
    for gap in np.unique(gaps[gaps > smallest]).tolist():
        step = _common_divisor(gap, step, smallest)
        if step <= enough:
            break
    return step


def _common_divisor(a: float, b: float, smallest: float) -> float:
    """Euclid's algorithm; remainders up to ``smallest`` are rounding. 0: none larger than a few of these."""
    if b == float("inf"):
        return a
    while b > smallest:
        a, b = b, abs(a - round(a / b) * b)
    return a if a > 100.0 * smallest else 0.0
