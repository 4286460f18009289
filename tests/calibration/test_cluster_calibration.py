"""AutoML-like clustered tables: 35 data sets × 10 folds, the effect of a data set on an algorithm as large as noise."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.ranks.cautions import looks_clustered
from bakeoff.scores import Array

pytestmark = pytest.mark.slow
TASKS, FOLDS = 35, 10
NAMES = [f"task{i}_fold{j}" for i in range(TASKS) for j in range(FOLDS)]


def clustered(rng: np.random.Generator, k: int) -> Array:
    noise = rng.normal(size=(TASKS * FOLDS, k))
    return np.repeat(rng.normal(size=(TASKS, k)), FOLDS, axis=0) + noise


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_caution_fires_on_clustered_tables_and_hardly_on_others(k: int) -> None:
    """At least 90 % of clustered tables, at most 5 % of independent ones with the same names; it was built for 1 %."""
    rng, draws = np.random.default_rng(20261122 + k), 400
    found = independent = 0
    for _ in range(draws):
        found += looks_clustered(bo.Scores(clustered(rng, k), None, NAMES, better="lower")) is not None
        alone = rng.normal(size=(TASKS * FOLDS, 1)) + rng.normal(size=(TASKS * FOLDS, k))
        independent += looks_clustered(bo.Scores(alone, None, NAMES, better="lower")) is not None
    assert found >= 0.9 * draws
    assert independent <= 0.05 * draws


@pytest.mark.parametrize(("groups", "size"), [(2, 5), (3, 4), (5, 3), (20, 2)])
def test_the_caution_keeps_its_level_on_small_and_heavy_tailed_tables(groups: int, size: int) -> None:
    rng, draws = np.random.default_rng(groups), 2000
    names = [f"F{i}_d{j}" for i in range(groups) for j in range(size)]
    fired = sum(
        looks_clustered(bo.Scores(rng.standard_cauchy((groups * size, 2)), None, names, better="lower")) is not None
        for _ in range(draws)
    )
    assert fired <= draws * 0.01 + 4 * (draws * 0.01 * 0.99) ** 0.5
