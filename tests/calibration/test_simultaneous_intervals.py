"""All intervals of a table as printed, at once, where verdicts step down from many clear differences to a false one."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from calibration.measure import ALPHA, band

TABLES = 500


@pytest.mark.slow
def test_two_alike_and_the_others_far_apart() -> None:
    """Cut at 0 on the strength of the verdict, they held in .90 of these tables; the control varies little."""
    rng = np.random.default_rng(1)
    shift, noise = 10.0 * np.maximum(np.arange(10) - 1, 0), np.where(np.arange(10) > 0, 1.0, 0.05)
    held = 0
    for _ in range(TABLES):
        scores = bo.Scores(rng.normal(size=(30, 10)) * noise + shift, better="lower")
        intervals = [pair.interval for pair in bo.compare(scores, control=0).pairs]
        held += all(one and one.low <= truth <= one.high for one, truth in zip(intervals, shift[1:], strict=True))
    assert held / TABLES >= 1 - ALPHA - band(TABLES)
