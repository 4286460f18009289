"""What bo.leaderboard promises: the winner's interval and estimate given that it won, candidates, ranks."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

import bakeoff as bo

Law = Literal["normal", "t3", "answers"]


def error(share: float, n: int) -> float:
    return float(np.sqrt(share * (1 - share) / n))


def table(
    rng: np.random.Generator, n: int, truth: np.ndarray, correlation: float, law: Law, clustered: bool
) -> bo.Scores:
    """Scores with these true means; with clusters half of the variance is theirs, 1 to many problems in each."""
    k = len(truth)
    if law == "answers":
        return bo.Scores((rng.random((n, k)) < truth).astype(float), better="higher")
    labels = None
    own = rng.normal(size=(n, k)) if law == "normal" else rng.standard_t(3, size=(n, k)) / np.sqrt(3)
    if clustered:
        groups = n // 3
        of = np.concatenate([np.arange(groups), rng.integers(0, groups, n - groups)])
        own = (own + rng.normal(size=(groups, k))[of]) / np.sqrt(2)
        labels = [f"c{code}" for code in of]
    noise = np.sqrt(correlation) * rng.normal(size=(n, 1)) + np.sqrt(1 - correlation) * own
    return bo.Scores(truth + np.linspace(0.8, 1.25, k) * noise, better="higher", clusters=labels)


NULL = np.zeros(5)
TIED = np.array([0.6, 0.6, 0.3, 0.0, 0.0])


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("n", "truth", "correlation", "law", "clustered"),
    [
        (20, NULL, 0.9, "normal", False),
        (20, -0.5 * np.arange(5) * np.sqrt(0.2 / 20), 0.9, "normal", False),
        (12, NULL, 0.0, "normal", False),
        (30, TIED, 0.5, "normal", False),
        (30, NULL, 0.0, "normal", True),
    ],
)
def test_the_winner_is_covered(n: int, truth: np.ndarray, correlation: float, law: Law, clustered: bool) -> None:
    """Hybrid: between 1 − α and (1 − α)/(1 − β); the median-unbiased estimate is below the truth half of the time.

    Unequal variances, so that covariances bound from above as well.
    """
    tables, covered, below = 500, 0, 0
    rng = np.random.default_rng(n + int(10 * correlation) + clustered)
    for _ in range(tables):
        winner = bo.leaderboard(table(rng, n, truth, correlation, law, clustered), n_resamples=20).winner
        true = truth[int(winner.algorithm[1:]) - 1]
        assert winner.method == "hybrid"
        covered += winner.interval[0] <= true <= winner.interval[1]
        below += winner.estimate <= true
    assert covered / tables >= 0.95 - 4 * error(0.95, tables), covered / tables
    assert covered / tables <= 0.95 / 0.995 + 4 * error(0.95, tables), covered / tables
    assert abs(below / tables - 0.5) <= 4 * error(0.5, tables), below / tables


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("n", "truth", "law"), [(12, NULL, "t3"), (12, NULL + 0.95, "answers"), (60, NULL + 0.8, "answers")]
)
def test_the_winner_is_covered_at_least(n: int, truth: np.ndarray, law: Law) -> None:
    """Heavy tails, and answers of which the winner often has all right: wider than needed."""
    tables, covered = 350, 0
    rng = np.random.default_rng(n)
    for _ in range(tables):
        winner = bo.leaderboard(table(rng, n, truth, 0.0, law, False), n_resamples=20).winner
        covered += winner.interval[0] <= truth[int(winner.algorithm[1:]) - 1] <= winner.interval[1]
    assert covered / tables >= 0.95 - 4 * error(0.95, tables), covered / tables


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("n", "truth", "law", "clustered"),
    [
        (12, NULL, "normal", False),
        (30, np.array([0.7, 0, 0, 0, 0]), "t3", False),
        (30, TIED, "normal", True),
        (60, NULL + 0.9, "answers", False),
    ],
)
def test_candidates_and_ranks_cover(n: int, truth: np.ndarray, law: Law, clustered: bool) -> None:
    """The best are candidates, and all ranks lie within, in 95 % of tables or more."""
    rng = np.random.default_rng(7)
    tables, best, ranks = 300, 0, 0
    first = {f"A{j + 1}" for j in np.flatnonzero(truth == truth.max())}
    for _ in range(tables):
        found = bo.leaderboard(table(rng, n, truth, 0.3, law, clustered), n_resamples=199)
        best += first <= set(found.candidates)
        ranks += all(
            low <= 1 + (truth > truth[j]).sum() and high >= 5 - (truth < truth[j]).sum()
            for j, (low, high) in enumerate(found.rank_intervals[f"A{j + 1}"] for j in range(5))
        )
    assert best / tables >= 0.95 - 4 * error(0.95, tables), best / tables
    assert ranks / tables >= 0.95 - 4 * error(0.95, tables), ranks / tables
