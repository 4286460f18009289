"""The law of a sum with flipped signs: counting by halves and dynamic programming beside each other."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.means.sign_flips import _by_halves, flip_tail, whole_steps


@pytest.mark.parametrize("m", [1, 7, 24, 30])
def test_both_ways_count_the_same(m: int) -> None:
    rng = np.random.default_rng(m)
    values = rng.integers(1, 40, size=m) * rng.choice([-1, 1], size=m) / 10
    slack = np.full(m, 1e-15)
    assert flip_tail(values, slack) == pytest.approx(_by_halves(values, slack), rel=1e-12)


def test_decimal_units() -> None:
    slack = np.full(3, 1e-15)
    assert whole_steps(np.array([0.2, 0.4, 0.1 + 0.2 + 0.3]), slack).tolist() == [1, 2, 3]
    assert whole_steps(np.array([0.25, 1.0, 0.5]), slack).tolist() == [1, 4, 2]
    assert whole_steps(np.array([np.pi, 1.0, 0.5]), slack) is None
    assert whole_steps(np.array([1e150, 1.0, 0.5]), slack) is None
