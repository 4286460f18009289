"""Simulation-based calibration of joint statements, places, relative effects and repeated runs.

A Dirichlet process on finitely many kinds of problems with a Dirichlet(1 … 1) prior is the same as one problem of each
kind added to the data, and s = 0. So truth is drawn from that prior, data from the truth, and then of all events to
which the posterior gives probability p a share p must have happened. The band is four standard errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from calibration.rows.posteriors import MODELS, Happened

pytestmark = pytest.mark.slow

Events = dict[str, list[tuple[float, float]]]  # what: (probability, did it happen)


def check(events: Events) -> None:
    """All of them, and those given little or much probability apart."""
    for name, pairs in events.items():
        p, happened = np.array(pairs, dtype=float).T
        for low, high in ((0.0, 1.0), (0.0, 0.5), (0.5, 0.9), (0.9, 1.0)):
            inside = (p >= low) & (p <= high)
            spread = math.sqrt(float(np.sum(p[inside] * (1 - p[inside]))))
            if spread < 1:
                continue
            z = float(np.sum(happened[inside] - p[inside])) / spread
            assert abs(z) <= 4, f"{name}, p in [{low}, {high}]: z = {z:.2f} over {inside.sum()}"


def run(model: Callable[[int], Happened], seeds: range) -> None:
    events: Events = {}
    for seed in seeds:
        for name, event in model(seed).items():
            events.setdefault(name, []).append(event)
    check(events)


@pytest.mark.parametrize("model", [model for model, _ in MODELS.values()])
def test_calibration_in_short(model: Callable[[int], Happened]) -> None:
    run(model, range(100))


@pytest.mark.exhaustive
@pytest.mark.parametrize("model", [model for model, _ in MODELS.values()])
def test_calibration(model: Callable[[int], Happened]) -> None:
    run(model, range(10_000, 11_500))
