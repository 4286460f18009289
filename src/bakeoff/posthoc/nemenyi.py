"""Nemenyi's test: the studentized range of mean ranks."""

import math

import numpy as np
from scipy.special import ndtri

from bakeoff.nulls import studentized_range
from bakeoff.posthoc.pairs import Pairs, PairTests
from bakeoff.scores import Array, Scores


def nemenyi_pvalues(scores: Scores, family: Pairs, tests: PairTests, control: int | None) -> Array:
    """(m,) adjusted p-values of z tests on mean ranks.

    Each is the probability that the range of k standard normal variables exceeds √2·|z|, z by the range's own error.
    """
    assert tests.standard_error is not None
    assert tests.range_error is not None
    z = np.abs(tests.statistic) * (tests.standard_error / tests.range_error if tests.range_error > 0.0 else 1.0)
    return np.asarray(studentized_range.sf(np.sqrt(2.0) * z, scores.n_algorithms))


def smallest_nemenyi(smallest_raw: float, k: int) -> float:
    """The adjusted p-value of the pair with this unadjusted one."""
    return float(studentized_range.sf(-math.sqrt(2.0) * ndtri(smallest_raw / 2.0), k))
