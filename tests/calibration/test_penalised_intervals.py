"""Intervals of penalised times over clusters of unequal size."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from calibration.rows.means import ALPHA, SIZES, in_clusters

pytestmark = pytest.mark.slow

TABLES = 66


@pytest.mark.few(1)
@pytest.mark.parametrize("name", SIZES)
def test_intervals_of_penalised_times(name: str) -> None:
    """With the usual error and t(G − 1) 39 % missed where one cluster has 100 of 128 problems."""
    rng, missed, table = np.random.default_rng(len(name)), 0, in_clusters(SIZES[name], 0.2)
    for _ in range(TABLES):
        drawn = table(rng)
        times = np.minimum(np.exp(4 + 0.7 * drawn.values), 150.0)
        scores = bo.Scores(times, better="lower", clusters=drawn.clusters)
        interval = bo.runtimes(scores, cap=150.0, n_resamples=199).pairs[0].par_intervals[1.0]
        missed += interval is not None and not interval[0] <= 0 <= interval[1]
    assert missed / TABLES <= ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / TABLES)
