"""The shift of differences of which some are infinite to either side, by listing the Walsh averages."""

import itertools
import math
import statistics

import numpy as np
import pytest

from bakeoff.effects._hodges_lehmann import untied_shift


@pytest.mark.parametrize(
    "values",
    [
        [-math.inf, math.inf, 1.0, 4.0],
        [-math.inf, math.inf, 1.0, 4.0, 5.5],
        [-math.inf, math.inf, math.inf, 1.0, 4.0, 5.5, 11.0],
        [-math.inf, -math.inf, math.inf, -8.0, -7.5, 0.0, 3.0],
    ],
)
def test_the_median_of_the_walsh_averages_that_exist(values: list[float]) -> None:
    averages = [(a + b) / 2 for a, b in itertools.combinations_with_replacement(values, 2)]
    known = [average for average in averages if not math.isnan(average)]
    estimate, low, high = untied_shift(np.array(values), 1)
    assert estimate == statistics.median(known)
    assert (low, high) == (sorted(known)[1], sorted(known)[-2])
