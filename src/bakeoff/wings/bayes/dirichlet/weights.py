"""Draws from the posterior of a Dirichlet process: weights of the problems and of one prior atom.

P = w₀ P₀ + Σ_i w_i δ_{X_i},  (w₀, w₁ … w_n) ~ Dirichlet(s, 1 … 1)      (Benavoli et al. 2015, equation 7)

A Dirichlet vector is a vector of independent gamma variables divided by its sum; gamma(1) is the standard
exponential, so a draw costs n exponentials, one gamma(s) and one division.
"""

import numpy as np
import numpy.typing as npt

from bakeoff.checks import integer, number
from bakeoff.ranks import Ints
from bakeoff.scores import Array

DEFAULT_DRAWS = 50_000
MOST_DRAWS = 100_000_000
MANY_PROBLEMS = 256  # from which it is worth looking for equal ones
GAMMA_COST = 4  # a gamma variable takes as long as so many exponential ones
MOST_STRENGTH = 1e9
"""Beyond this, the data's contribution is lost in rounding."""


def gammas(
    stream: np.random.Generator, size: int, n: int, prior_strength: float, counts: Ints | None = None
) -> tuple[Array, Array]:
    """``size`` unnormalised draws: (size, n) weights of the problems and (size,) of the prior atom.

    Divide by their common sum to get w; signs and orders need no division. ``counts``: of problems of one atom each.
    """
    shape = (size, n)
    problems = stream.standard_exponential(shape) if counts is None else stream.standard_gamma(counts, shape)
    prior = stream.standard_gamma(prior_strength, size) if prior_strength > 0 else np.zeros(size)
    return problems, prior


def alike(rows: npt.NDArray[np.generic]) -> tuple[npt.NDArray[np.intp], Ints | None]:
    """Where each different row (n, c) first occurs, in the order of rows, and how many are like it.

    Those problems are one atom with their common weight, gamma(how many). None, and all rows, if that saves nothing.
    """
    if len(rows) >= MANY_PROBLEMS:
        _, first, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
        if GAMMA_COST * len(first) <= len(rows):
            return first, counts
    return np.arange(len(rows)), None


def check_strength(prior_strength: object) -> float:
    """The prior strength s: the prior counts as s problems; 0 is the Bayesian bootstrap."""
    what = f"finite and 0 or larger (0 is the Bayesian bootstrap), and at most {MOST_STRENGTH:g}"
    return number("prior_strength", prior_strength, least=0.0, most=MOST_STRENGTH, what=what)


def check_rope(rope: object) -> float:
    """Half the width of the region of practical equivalence, in score units."""
    return number("rope", rope, least=0.0, what="finite and 0 or larger, in the unit of the scores")


def check_draws(n_draws: object) -> int:
    return integer("n_draws", n_draws, 100, MOST_DRAWS)
