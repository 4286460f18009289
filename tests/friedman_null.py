"""Exact null distribution of Friedman's statistic without ties, from the engine that the tests on ranks use."""

from __future__ import annotations

from functools import lru_cache

from bakeoff.checks import integer
from bakeoff.errors import TooLargeError
from bakeoff.nulls import disk_cache
from bakeoff.nulls.column_sums import NullDistribution, column_sum_law, obstacle, untied_name


def friedman_null(n_algorithms: int, n_problems: int) -> NullDistribution:
    """Σ R_j² (R_j the rank sums over problems): its values, ascending, and their probabilities.

    All (k!)^n rankings without ties are equally likely. χ² = 12·Σ R_j² / (nk(k+1)) − 3n(k+1) and Iman–Davenport's
    F increase with Σ R_j², so the law serves both. Probabilities are accurate to 1e-13, however small.

    Largest n: 996, 386, 100, 27, 11, 5, 3, 2 for k = 2 … 9. What takes long is kept on disk (``disk_cache``).
    """
    return _null(integer("n_algorithms", n_algorithms, 2), integer("n_problems", n_problems, 1))


def is_possible(n_algorithms: int, n_problems: int) -> bool:
    """Whether ``friedman_null`` reaches so far."""
    if n_problems > 1000 or n_algorithms > 1000:
        return False
    return not obstacle((tuple(range(n_algorithms)),) * n_problems)


@lru_cache(maxsize=32)
def _null(k: int, n: int) -> NullDistribution:
    law = disk_cache.read(untied_name(k, n))  # finding out whether it is possible takes longer
    if law is None:
        if not is_possible(k, n):
            raise TooLargeError(
                f"the exact law of Friedman's statistic for {k} algorithms and {n} problems is too large; the largest "
                "n is 996, 386, 100, 27, 11, 5, 3, 2 for k = 2 … 9. Use permutations instead."
            )
        law = column_sum_law((tuple(range(k)),) * n)
    values, probabilities = law
    # the engine ranks from 0: Σ (T_j + n)² = Σ T_j² + 2n·nk(k−1)/2 + kn²
    shifted = values + n * n * k * (k - 1) + k * n * n
    shifted.setflags(write=False)
    return shifted, probabilities
