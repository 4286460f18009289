"""The lower convex hull of Hommel's procedure, by each of the ways that it takes."""

import numpy as np
import pytest

from bakeoff.adjusting import step_up
from bakeoff.adjusting.arithmetic import LOGS, ORDINARY, Arithmetic


def corners(p: np.ndarray) -> list[int]:
    """Places below every chord between a place before and one after them."""
    n = len(p)
    return [
        v
        for v in range(n)
        if all(p[v] * (w - u) < p[u] * (w - v) + p[w] * (v - u) for u in range(v) for w in range(v + 1, n))
        and not (v + 1 < n and p[v + 1] == p[v])
    ]


@pytest.mark.parametrize("on", [ORDINARY, LOGS])
@pytest.mark.parametrize("n", [1, 2, 3, 12, 30])
def test_the_hull_by_chords_and_point_after_point(n: int, on: Arithmetic) -> None:
    p = np.sort(np.random.default_rng(n).random(n)) ** 2
    written = on.written(p)
    assert step_up._chain(written, np.arange(n), on).tolist() == corners(p)
    assert step_up._lower_hull(written, on).tolist() == corners(p)
