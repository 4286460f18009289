"""Bands of the share of several targets: problems differ, and the targets of a run are reached one after the other."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow

TARGETS = (10.0, 3.0, 1.0, 0.3, 0.1)
BUDGETS = (1, 3, 10, 30, 100, 300)
ALGORITHMS = ("a", "b")


def costs(problems: int, runs: int, rng: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """(problems, 2, runs, budgets): hardness and rate are the problem's own, so that its runs resemble each other."""
    hard, rate = rng.normal(1.5, 1.0, (problems, 1, 1, 1)), rng.uniform(0.2, 0.9, (problems, 2, 1, 1))
    noise = rng.normal(0, 0.3, (problems, 2, runs, 1))
    return np.asarray(np.exp(hard + noise) * np.array(BUDGETS) ** -rate)


def test_bands_hold_the_whole_curve() -> None:
    """At least 95 % of 200 tables each, less four standard errors; 8 and 20 problems of three runs."""
    rng = np.random.default_rng(31)
    many = costs(40_000, 1, rng)
    truth = [[float(np.mean(many[:, 0, 0, t, None] <= np.array(TARGETS))) for t in range(len(BUDGETS))]]
    tables = 200
    for problems in (8, 20):
        held = 0
        for _ in range(tables):
            table = costs(problems, 3, rng)
            rows = {
                "problem": np.repeat(np.arange(problems), 2 * 3 * len(BUDGETS)).astype(str).tolist(),
                "algorithm": np.tile(np.repeat(ALGORITHMS, 3 * len(BUDGETS)), problems).tolist(),
                "run": np.tile(np.repeat(np.arange(3), len(BUDGETS)), problems * 2).tolist(),
                "budget": np.tile(BUDGETS, problems * 2 * 3).tolist(),
                "score": table.ravel().tolist(),
            }
            curves = bo.curves(rows, better="lower", n_resamples=99)
            found = bo.profile(curves, "data", targets=TARGETS, n_resamples=499, rng=1)
            error = np.abs(found.at(BUDGETS)[0] - np.array(truth[0]))
            held += bool((error <= found.half_widths[0] + 1e-9).all())
        assert held / tables >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / tables), (problems, held)
