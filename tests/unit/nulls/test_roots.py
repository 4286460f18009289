"""The bracketed root finder: found within its tolerance, few steps on lines, no function makes it crawl."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from bakeoff.nulls.numerics import root_between, upper_point

TOLERANCE = 1e-13


@pytest.mark.parametrize(
    ("rising", "low", "high", "root", "most"),
    [
        (lambda x: 3.0 * x - 1.0, 0.0, 1.0, 1 / 3, 6),
        (lambda x: x * x * x, -1.0, 2.0, 0.0, 202),  # flat at its root: the slowest kind
        (lambda x: x**9 - 1e-9, -1.0, 3.0, 0.1, 60),
        (lambda x: float(np.expm1(30 * x)), -5.0, 3.0, 0.0, 60),
        (lambda x: -1.0 if x < 0.3 else 1.0, 0.0, 1.0, 0.3, 60),  # a step
        (lambda x: -math.inf if x < 0.2 else math.inf if x > 0.4 else x - 0.3, 0.0, 1.0, 0.3, 12),
        (lambda x: x, 0.0, 1.0, 0.0, 2),  # at an end
        (lambda x: x - 1.0, 0.0, 1.0, 1.0, 2),
    ],
)
def test_root_in_closed_form(rising: Callable[[float], float], low: float, high: float, root: float, most: int) -> None:
    calls = []

    def counted(x: float) -> float:
        calls.append(x)
        return rising(x)

    assert abs(root_between(counted, low, high, TOLERANCE) - root) <= TOLERANCE
    assert len(calls) <= most


@pytest.mark.slow
def test_the_sign_test_needs_no_optimiser() -> None:
    """scipy.optimize would be a third of the start-up of ``bakeoff bayes``."""
    code = (
        "import sys, bakeoff as bo\n"
        "s = bo.Scores([[0, 1]] * 5 + [[1, 0]] * 3 + [[1, 1]], better='lower')\n"
        "low, high = bo.bayes.sign_test(s, 0, 1).interval\n"
        "assert 0 < low < high < 1\n"
        "assert 'scipy.optimize' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("root", [-700.3, -3.0, 0.0, 0.25, 1.0, 4.07, 39.6])
def test_upper_point_in_few_steps(root: float) -> None:
    """It took fifty: an end lost half its weight at every step, not only where it had stayed twice."""
    calls = []

    def log_tail(x: float) -> float:
        calls.append(x)
        return -math.exp(0.01 * (x - root)) - (x - root)

    assert upper_point(log_tail, -1.0) == pytest.approx(root, rel=1e-14, abs=1e-14)
    assert len(calls) <= 32
