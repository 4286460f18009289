"""Intervals of means that stand there because of ties, through compare(): all at once, as printed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import bakeoff as bo
from calibration.measure import ALPHA, band

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def exponential(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return np.round(rng.exponential(10, shape), 1)


def lognormal(sigma: float) -> Draw:
    return lambda rng, shape: rng.lognormal(0, sigma, shape)


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "draw", "mean", "n", "k"),
    [
        (0.10, exponential, 10.0, 30, 2),  # Student's interval held in .76
        (0.50, lognormal(1.0), np.exp(0.5), 60, 2),  # .89
        (0.70, lognormal(1.0), np.exp(0.5), 30, 2),
        (0.05, exponential, 10.0, 100, 2),
        (0.12, exponential, 10.0, 40, 6),  # .47 all at once
        (0.50, lognormal(1.0), np.exp(0.5), 60, 7),
        (0.30, lognormal(0.5), np.exp(0.125), 100, 7),
    ],
)
def test_one_never_fails_and_the_others_do_on_a_share(share: float, draw: Draw, mean: float, n: int, k: int) -> None:
    tables, missed, rng = 400, 0, np.random.default_rng(n + k)
    for _ in range(tables):
        costs = np.where(rng.random((n, k - 1)) < share, draw(rng, (n, k - 1)), 0.0)
        pairs = bo.compare(bo.Scores(np.c_[np.zeros(n), costs], better="lower"), control=0).pairs
        means = [pair.interval for pair in pairs if pair.effect and pair.effect.kind == "mean"]
        missed += any(one is None or not one.low <= share * mean <= one.high for one in means)
    assert missed / tables <= ALPHA + band(tables)
