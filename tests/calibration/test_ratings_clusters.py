"""Ratings of battles in clusters of unequal size, each with its own strengths, of models that are equal on average."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo

ALPHA = 0.05
SIZES = {
    "100/rank, 20": [round(100 / rank) for rank in range(1, 21)],
    "one of 200, 29 of 3": [200] + 29 * [3],
    "8 of 1 to 60": [1, 2, 3, 5, 8, 13, 21, 60],
    "10 of 10": 10 * [10],
}


def battles(rng: np.random.Generator, sizes: list[int], k: int) -> bo.Battles:
    strengths = rng.normal(size=(len(sizes), k))
    rows: dict[str, list[str]] = {"model_a": [], "model_b": [], "winner": [], "cluster": []}
    for cluster, size in enumerate(sizes):
        for _ in range(size):
            a, b = rng.choice(k, 2, replace=False)
            won = rng.random() < 1 / (1 + np.exp(strengths[cluster, b] - strengths[cluster, a]))
            for name, value in zip(
                rows, (f"m{a}", f"m{b}", "model_a" if won else "model_b", f"c{cluster}"), strict=True
            ):
                rows[name].append(value)
    return bo.read_battles(rows, cluster="cluster")


@pytest.mark.slow
@pytest.mark.few(1)
@pytest.mark.parametrize("sizes", SIZES)
def test_equal_models_are_rarely_told_apart(sizes: str) -> None:
    """With t(G − 1) and G/(G − 1) alone it was in 12 % of tables with 100/rank, and in 22 % with one of 200."""
    rng, tables, wrong = np.random.default_rng(20), 100, 0
    for _ in range(tables):
        found = bo.ratings(battles(rng, SIZES[sizes], 4), n_resamples=100, rng=int(rng.integers(2**31)))
        wrong += any(pair.verdict in ("a better", "b better") for pair in found.pairs)
        assert ("unequal (battle-clusters)" in {caution.name for caution in found.cautions}) is (sizes != "10 of 10")
    assert wrong <= ALPHA * tables + 4 * np.sqrt(ALPHA * (1 - ALPHA) * tables)


def test_equal_clusters_have_one_degree_of_freedom_less_than_their_number() -> None:
    found = bo.ratings(battles(np.random.default_rng(1), 10 * [10], 3), n_resamples=100)
    assert found.df == pytest.approx(9)
