"""Draws from the posterior of a Dirichlet process whose base measure sits on the problems and one prior atom.

P = w₀ P₀ + Σ_i w_i δ_{X_i},  (w₀, w₁ … w_n) ~ Dirichlet(s, 1 … 1)      (Benavoli et al. 2015, equation 7)

A Dirichlet vector is a vector of independent gamma variables divided by its sum; gamma(1) is the standard
exponential, so a draw costs n exponentials, one gamma(s) and one division.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.scores import Scores
from bakeoff.scores.cells import Array

CHUNK_NUMBERS = 1 << 18  # weights held at a time: 2 MB, so that memory is bounded by the chunk and caches are used
DEFAULT_DRAWS = 50_000
MOST_DRAWS = 100_000_000
SMALL_PRODUCT = 1 << 19
"""Multiplications in one matrix product: BLAS does not call its own threads for so few, which would wait for each other
wherever the cores are busy (with the threads of ``in_chunks``, to begin with).
"""
ROWS = 64  # draws in one product at least, so that it is worth its call
MOST_STRENGTH = 1e9
"""Beyond, the data could not be told from rounding."""


def chunk_size(n_numbers: int) -> int:
    """How many draws of ``n_numbers`` weights each make a chunk; from the size of the problem alone."""
    return max(1, CHUNK_NUMBERS // max(1, n_numbers))


def gammas(stream: np.random.Generator, size: int, n: int, prior_strength: float) -> tuple[Array, Array]:
    """``size`` unnormalised draws: (size, n) weights of the problems and (size,) of the prior atom.

    Divide by their common sum to get w; a sign or an order needs no division.
    """
    problems = stream.standard_exponential((size, n))
    prior = stream.standard_gamma(prior_strength, size) if prior_strength > 0 else np.zeros(size)
    return problems, prior


def product(weights: Array, table: Array) -> Array:
    """``weights @ table`` in pieces, whose sizes follow from those of the table alone."""
    n, c = table.shape
    rows = max(ROWS, SMALL_PRODUCT // (n * c))
    depth = max(1, SMALL_PRODUCT // (rows * c))
    found = np.zeros((len(weights), c))
    for first in range(0, len(weights), rows):
        part = slice(first, first + rows)
        for start in range(0, n, depth):
            found[part] += weights[part, start : start + depth] @ table[start : start + depth]
    return found


def problem_order(scores: Scores) -> npt.NDArray[np.intp]:
    """Problems by name: the i-th weight belongs to a name, so that the order of rows does not change the draws."""
    return np.array(sorted(range(scores.n_problems), key=scores.problems.__getitem__), dtype=np.intp)


def check_strength(prior_strength: object) -> float:
    """The prior strength s: the prior counts as s problems; 0 is the Bayesian bootstrap."""
    strength = _number("prior_strength", prior_strength, "0 or larger (0 is the Bayesian bootstrap)")
    if strength > MOST_STRENGTH:
        raise ParameterError(
            f"prior_strength must be at most {MOST_STRENGTH:g} (the prior counts as so many problems); got {strength:g}"
        )
    return strength


def check_rope(rope: object) -> float:
    """Half the width of the region of practical equivalence, in score units."""
    return _number("rope", rope, "0 or larger, in the unit of the scores")


def check_draws(n_draws: object, least: int = 100) -> int:
    if isinstance(n_draws, bool) or not isinstance(n_draws, int | np.integer):
        raise WrongTypeError(f"n_draws must be a whole number; got {n_draws!r}")
    if not least <= n_draws <= MOST_DRAWS:
        raise ParameterError(f"n_draws must be between {least} and {MOST_DRAWS}; got {n_draws}")
    return int(n_draws)


def _number(parameter: str, value: object, rule: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise WrongTypeError(f"{parameter} must be a number, {rule}; got {value!r}")
    if not (math.isfinite(value) and value >= 0):
        raise ParameterError(f"{parameter} must be finite and {rule}; got {value!r}")
    return float(value)
