"""Sizes of differences that are tied within the tolerance of the scores behind them, value by value."""

import numpy as np
import pytest

from bakeoff.paired.many_pairs import _within_tolerance

LARGE = 1e8  # scores whose tolerance is 2.4e-7


@pytest.mark.parametrize(
    ("sizes", "scales", "tied", "unsure"),
    [
        ([1.0, 1.0 + 1e-9, 5.0], [1.0, LARGE, 5.0], [True, False], False),
        ([5.0, 1.0 + 1e-9, 1.0], [5.0, 1.0, LARGE], [True, False], False),
        ([1.0, 1.0 + 1e-9, 5.0], [1.0, 1.0, LARGE], [False, False], False),
        ([1.0, 1.0, 5.0], [1.0, 1.0, 5.0], [True, False], False),
        ([0.0, 1e-9, 5.0], [0.0, LARGE, 5.0], [False, False], False),
        ([1.0, 1.0 + 2e-7, 1.0 + 4e-7], [LARGE] * 3, [True, True], True),
        ([3.0, 4.0, 4.0 + 1e-9, 7.0], [3.0, 4.0, LARGE, LARGE], [False, True, False], False),
    ],
)
def test_which_neighbours_are_tied(sizes: list[float], scales: list[float], tied: list[bool], unsure: bool) -> None:
    """Alone, and beside another row."""
    found, doubtful = _within_tolerance(np.array([sizes]), np.array([scales]))
    assert (found.tolist(), doubtful.tolist()) == ([tied], [unsure])
    apart = [10.0 * place for place in range(1, len(sizes) + 1)]
    found, doubtful = _within_tolerance(np.array([apart, sizes]), np.array([apart, scales]))
    assert (found.tolist(), doubtful.tolist()) == ([[False] * len(tied), tied], [False, unsure])
