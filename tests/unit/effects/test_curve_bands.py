"""Bands of distribution functions: the bound, and how many clusters count."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff.effects.curve_bands import band_half_widths, dkw, dkw_of_clusters
from bakeoff.scores.clusters import codes_of


def test_the_bound_counts_unequal_clusters_as_fewer() -> None:
    assert dkw_of_clusters(np.arange(25), 0.95) == dkw(25, 0.95) == pytest.approx(math.sqrt(math.log(40) / 50))
    assert dkw_of_clusters(codes_of("aabbccdd"), 0.95) == pytest.approx(dkw(4, 0.95))
    assert dkw_of_clusters(codes_of("aaaaabcd"), 0.95) == pytest.approx(dkw(64 / 28, 0.95))


def test_the_larger_of_quantile_and_bound() -> None:
    suprema = np.stack([np.arange(1, 100) / 100, np.zeros(99)], axis=1)
    widths = band_half_widths(suprema, np.arange(50), 0.95)
    assert widths.tolist() == [0.95, dkw(50, 0.95)]
    assert band_half_widths(suprema, np.arange(1), 0.95).tolist() == [1.0, 1.0]
