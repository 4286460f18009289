"""The power of change_points; rows/looks.py has its false alarms."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow


def test_a_step_of_one_standard_deviation_is_found() -> None:
    """.82 where it was first measured; .868 here (1,000 histories)."""
    rng, histories, found = np.random.default_rng(8), 500, 0
    for _ in range(histories):
        scores = bo.Scores(rng.normal(size=(1, 60)) + (np.arange(60) >= 30), better="lower")
        found += bo.change_points(scores, n_resamples=199).series[0].verdict != "no change shown"
    assert found / histories == pytest.approx(0.82, abs=0.08)
