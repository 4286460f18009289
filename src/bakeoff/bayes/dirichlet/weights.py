"""Draws from the posterior of a Dirichlet process: weights of the problems and of one prior atom.

P = w₀ P₀ + Σ_i w_i δ_{X_i},  (w₀, w₁ … w_n) ~ Dirichlet(s, 1 … 1)      (Benavoli et al. 2015, equation 7)

A Dirichlet vector is a vector of independent gamma variables divided by its sum; gamma(1) is the standard
exponential, so a draw costs n exponentials, one gamma(s) and one division.
"""

import numpy as np
import numpy.typing as npt

from bakeoff.checks import number, whole
from bakeoff.ranks import doubled_row_ranks
from bakeoff.scores import Scores
from bakeoff.scores.cells import Array

CHUNK_NUMBERS = 1 << 18  # weights held at a time (2 MB): memory is bounded, and they stay in the cache
DEFAULT_DRAWS = 50_000
MOST_DRAWS = 100_000_000
SMALL_PRODUCT = 1 << 19
"""Multiplications in one matrix product: few enough that BLAS starts no threads of its own, which would compete with
the threads of ``in_chunks``."""
ROWS = 64  # least number of draws in one product, to amortise the call
MOST_STRENGTH = 1e9
"""Beyond this, the data's contribution is lost in rounding."""


def chunk_size(n_numbers: int) -> int:
    """Number of draws of ``n_numbers`` weights per chunk; depends only on the size of the problem."""
    return max(1, CHUNK_NUMBERS // max(1, n_numbers))


def gammas(stream: np.random.Generator, size: int, n: int, prior_strength: float) -> tuple[Array, Array]:
    """``size`` unnormalised draws: (size, n) weights of the problems and (size,) of the prior atom.

    Divide by their common sum to get w; signs and orders need no division.
    """
    problems = stream.standard_exponential((size, n))
    prior = stream.standard_gamma(prior_strength, size) if prior_strength > 0 else np.zeros(size)
    return problems, prior


def product(weights: Array, table: Array) -> Array:
    """``weights @ table`` in pieces whose sizes depend only on the shape of the table."""
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
    """Problems sorted by content, so that draws depend neither on the order of rows nor on their names.

    Content is the ranks, then the distances from the best score, the runs and the level, with algorithms in the order
    of their names. Problems with equal content can be exchanged without effect.
    """
    return np.argsort(_content(scores), kind="stable")


def problem_content(scores: Scores) -> npt.NDArray[np.int64]:
    """(n,) the place of each problem's content among the different ones."""
    return np.unique(_content(scores), return_inverse=True)[1].astype(np.int64)


def _content(scores: Scores) -> npt.NDArray[np.void]:
    columns = sorted(range(scores.n_algorithms), key=scores.algorithms.__getitem__)
    costs = scores.costs[:, columns]
    keys = [doubled_row_ranks(costs), _above(costs, costs)]
    if scores.runs is not None:
        sign = 1.0 if scores.better == "lower" else -1.0
        runs = np.sort(sign * scores.runs[:, columns], axis=2).reshape(scores.n_problems, -1)
        keys += [scores.n_runs[:, columns], _above(runs, runs)]
    keys.append(np.unique(costs.min(axis=1), return_inverse=True)[1][:, None])
    # non-negative numbers in big-endian order sort byte by byte as they do by value
    table = np.hstack(keys).astype(">f8")
    return np.asarray(table.view(f"V{table.shape[1] * table.itemsize}").ravel())


def _above(values: Array, of: Array) -> Array:
    """(n, c) distances from the smallest of each row; those that do not exist count as infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = values - np.fmin.reduce(of, axis=1)[:, None]
    return np.where(np.isnan(found), np.inf, found) + 0.0


def check_strength(prior_strength: object) -> float:
    """The prior strength s: the prior counts as s problems; 0 is the Bayesian bootstrap."""
    what = f"finite and 0 or larger (0 is the Bayesian bootstrap), and at most {MOST_STRENGTH:g}"
    return number("prior_strength", prior_strength, least=0.0, most=MOST_STRENGTH, what=what)


def check_rope(rope: object) -> float:
    """Half the width of the region of practical equivalence, in score units."""
    return number("rope", rope, least=0.0, what="finite and 0 or larger, in the unit of the scores")


def check_draws(n_draws: object) -> int:
    return whole("n_draws", n_draws, 100, MOST_DRAWS)
