"""What bo.leaderboard promises: the winner's interval and estimate given that it won, candidates, ranks."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo


def error(share: float, n: int) -> float:
    return float(np.sqrt(share * (1 - share) / n))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "n", "correlation", "gap"), [(5, 20, 0.9, 0.0), (5, 20, 0.9, 0.5), (5, 20, 0.0, 0.0), (12, 20, 0.9, 0.0)]
)
def test_the_winner_is_covered(k: int, n: int, correlation: float, gap: float) -> None:
    """Hybrid: between 1 − α and (1 − α)/(1 − β); the median-unbiased estimate is below the truth half of the time.

    Unequal variances, so that covariances bound from above as well.
    """
    rng = np.random.default_rng(100 * k + n + int(10 * correlation) + int(2 * gap))
    tables, covered, below = 1500, 0, 0
    scale = np.linspace(0.8, 1.25, k)
    truth = -gap * np.arange(k) * np.sqrt(2 * (1 - correlation) / n)
    for _ in range(tables):
        noise = np.sqrt(correlation) * rng.normal(size=(n, 1)) + np.sqrt(1 - correlation) * rng.normal(size=(n, k))
        winner = bo.leaderboard(bo.Scores(truth + scale * noise, better="higher"), n_resamples=20).winner
        true = truth[int(winner.algorithm[1:]) - 1]
        covered += winner.interval[0] <= true <= winner.interval[1]
        below += winner.estimate <= true
    assert covered / tables >= 0.95 - 4 * error(0.95, tables), covered / tables
    assert covered / tables <= 0.95 / 0.995 + 4 * error(0.95, tables), covered / tables
    assert abs(below / tables - 0.5) <= 4 * error(0.5, tables), below / tables


@pytest.mark.slow
def test_candidates_and_ranks_cover() -> None:
    """Two are best, three lie behind: the best are candidates, and all ranks lie within, in 95 % of tables or more."""
    rng = np.random.default_rng(7)
    truth, tables, best, ranks = np.array([1.0, 1.0, 0.6, 0.3, 0.0]), 400, 0, 0
    for _ in range(tables):
        values = truth + rng.normal(size=(25, 1)) + rng.normal(size=(25, 5))
        found = bo.leaderboard(bo.Scores(values, better="higher"), n_resamples=199)
        best += {"A1", "A2"} <= set(found.candidates)
        within = []
        for j, (low, high) in enumerate(found.rank_intervals[f"A{j + 1}"] for j in range(5)):
            within.append(low <= 1 + (truth > truth[j]).sum() and high >= 5 - (truth < truth[j]).sum())
        ranks += all(within)
    assert best / tables >= 0.95 - 4 * error(0.95, tables), best / tables
    assert ranks / tables >= 0.95 - 4 * error(0.95, tables), ranks / tables
