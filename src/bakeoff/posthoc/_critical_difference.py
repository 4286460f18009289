"""The critical difference of mean ranks: the length of the bar in a critical difference diagram."""

import math
from typing import Literal

from bakeoff.checks import choice, integer, probability
from bakeoff.nulls import studentized_range
from bakeoff.posthoc.pairs import PairTests
from bakeoff.special import ndtri

METHODS = ("nemenyi", "bonferroni-dunn")


def critical_difference(
    n_algorithms: int, n_problems: int, alpha: float = 0.05, method: Literal["nemenyi", "bonferroni-dunn"] = "nemenyi"
) -> float:
    """By how much must two mean ranks differ to be significantly apart?

    When to use: to draw a diagram, or to judge a published table of mean ranks. For a decision use ``bo.compare``,
    whose default tests each pair by its own scores. Both forms are single steps. Holm's procedure rejects all that
    "bonferroni-dunn" does, and mostly more. Neither "nemenyi" nor Bergmann and Hommel's procedure on the same z rejects
    all that the other one does.

    Parameters
    ----------
    n_algorithms : int
        At least 2; the normal approximation wants about 5.
    n_problems : int
        At least 1; the normal approximation wants about 10.
    alpha : float
        The chance of any false claim if no two algorithms differ. It is not kept if some are not (errata F19).
    method : {"nemenyi", "bonferroni-dunn"}
        "nemenyi": all pairs, by the studentized range. "bonferroni-dunn": each algorithm against one control.

    Returns
    -------
    float
        q·√(k(k+1)/(6n)), in units of mean ranks.

    Raises
    ------
    ParameterError
        Fewer than 2 algorithms or 1 problem; numbers that are not whole; alpha outside (0, 1).

    Notes
    -----
    Demšar (2006), section 3.2.2: q = (upper alpha point of the range of k standard normal variables)/√2, or the
    standard normal point at alpha/(2(k − 1)). Four entries of his table 5 are misprinted or rounded away from the exact
    value. They should be q.05 = 2.344 (not 2.343) for k = 3, 2.948 (2.949) for k = 7, q.10 = 2.460 (2.459) for k = 5,
    and Bonferroni–Dunn 2.734 (2.724) for k = 9.

    Examples
    --------
    >>> import bakeoff as bo
    >>> round(bo.critical_difference(4, 14), 2)  # Demšar (2006), section 3.2.2
    1.25
    >>> round(bo.critical_difference(4, 14, alpha=0.10), 2)
    1.12
    """
    k, n = integer("n_algorithms", n_algorithms, 2), integer("n_problems", n_problems, 1)
    level = probability("alpha", alpha)
    return critical_z(choice("method", method, METHODS), k, level) * math.sqrt(k * (k + 1) / (6.0 * n))


def critical_z(method: str, k: int, alpha: float) -> float:
    """The number of standard errors by which two mean ranks must differ."""
    if method == "nemenyi":
        return studentized_range.isf(alpha, k) / math.sqrt(2.0)
    return -float(ndtri(alpha / (2.0 * (k - 1))))


def of_correction(correction: str, tests: PairTests, k: int, alpha: float) -> float | None:
    """The critical difference that a correction of z statistics amounts to; None but for single-step ones."""
    if correction == "nemenyi" and tests.range_error is not None:
        return critical_z("nemenyi", k, alpha) * tests.range_error
    if correction == "bonferroni" and tests.standard_error is not None:
        return -float(ndtri(alpha / (2.0 * len(tests.pvalue)))) * tests.standard_error
    return None
