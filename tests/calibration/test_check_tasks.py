"""False verdicts of check() over tasks: the mean of the tasks is worse by exactly the margin, at 5 %."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow

ALPHA, MARGIN, CHECKS = 0.05, 0.05, 300
TWO, TWELVE = (100, 20), (3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40)
Draw = Callable[[np.random.Generator, int], npt.NDArray[np.float64]]
"""Deviations of the differences of the questions of a task."""


def normal(rng: np.random.Generator, n: int) -> npt.NDArray[np.float64]:
    return rng.normal(0, 0.3, n)


def clustered(rng: np.random.Generator, n: int) -> npt.NDArray[np.float64]:
    """Three questions of each passage resemble each other."""
    return rng.normal(0, 0.2, n) + rng.normal(0, 0.2, n)[np.arange(n) // 3]


@pytest.mark.few(2)
@pytest.mark.parametrize("sizes", [TWO, TWELVE])
@pytest.mark.parametrize("draw", [normal, clustered])
def test_at_the_margin_few_verdicts_are_false(sizes: tuple[int, ...], draw: Draw) -> None:
    rng, of_clusters = np.random.default_rng(7), draw is clustered
    sizes = tuple(max(n, 4) for n in sizes) if of_clusters else sizes  # two clusters of each task
    tasks = [f"t{j}" for j, n in enumerate(sizes) for _ in range(n)]
    clusters = [f"t{j}/{i // 3}" for j, n in enumerate(sizes) for i in range(n)]
    counts = dict.fromkeys(("regressed", "ok", "inconclusive"), 0)
    for _ in range(CHECKS):
        shifts = rng.normal(0, 0.03, len(sizes))
        shifts += MARGIN - shifts.mean()
        worse = np.concatenate([shift + draw(rng, n) for shift, n in zip(shifts, sizes, strict=True)])
        before = rng.normal(0.5, 0.3, len(worse))
        values = np.column_stack([before, before - worse])
        labels = clusters if of_clusters else None
        scores = bo.Scores(values, ["old", "new"], better="higher", tasks=tasks, clusters=labels)
        found = bo.check(scores, scores, MARGIN, ALPHA, label=("old", "new"), scale="difference")
        counts[found.decision] += 1
    most = ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / CHECKS)
    assert counts["regressed"] / CHECKS <= most
    assert counts["ok"] / CHECKS <= most
    assert counts["inconclusive"] / CHECKS > 0.8
