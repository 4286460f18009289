"""AutoML-like clustered tables: 35 data sets × 10 folds, the effect of a data set on an algorithm as large as noise."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.ranks.cluster_cautions import looks_clustered
from bakeoff.scores import Array

pytestmark = pytest.mark.slow
TASKS, FOLDS = 35, 10
UNCLUSTERED = 15  # tables that are also compared as if problems were independent
NAMES = [f"task{i}_fold{j}" for i in range(TASKS) for j in range(FOLDS)]
CLUSTERS = [f"task{i}" for i in range(TASKS) for _ in range(FOLDS)]


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


@pytest.mark.few(1)
@pytest.mark.parametrize("pairwise", ["wilcoxon", "sign", "t", "mean-ranks"])
def test_a_true_null_pair_is_declared_different_as_rarely_as_promised(pairwise: str) -> None:
    """One pair of equal expectation; not given clusters, the same tables are rejected at several times alpha."""
    rng, draws, alpha = np.random.default_rng(5), 150, 0.05
    rejected = ignored = 0
    for draw in range(draws):
        scores = bo.Scores(clustered(rng, 2), None, NAMES, better="lower", clusters=CLUSTERS)
        rejected += bo.compare(scores, pairwise=pairwise, alpha=alpha).pairs[0].verdict != "no difference shown"
        if pairwise == "t" and draw < UNCLUSTERED:
            ignored += bo.compare(scores, pairwise="t", unit="problem").pairs[0].verdict != "no difference shown"
    assert rejected <= draws * alpha + 4 * (draws * alpha * (1 - alpha)) ** 0.5
    if pairwise == "t":
        assert ignored >= 0.2 * UNCLUSTERED  # design effect 5.5: 5 % become 40 %


@pytest.mark.parametrize("worse", [0.0, 1.5])
def test_true_null_pairs_of_a_family_too(worse: float) -> None:
    """Five algorithms, of which the last may be worse: no pair of the others is declared different, but with alpha."""
    rng, draws, alpha, k = np.random.default_rng(6), 100, 0.05, 5
    wrong = 0
    for _ in range(draws):
        values = clustered(rng, k) + worse * (np.arange(k) == k - 1)
        found = bo.compare(bo.Scores(values, None, NAMES, better="lower", clusters=CLUSTERS), alpha=alpha)
        null = found.pairs if worse == 0.0 else [p for p in found.pairs if "A5" not in (p.a, p.b)]
        wrong += any(p.verdict != "no difference shown" for p in null)
    assert wrong <= draws * alpha + 4 * (draws * alpha * (1 - alpha)) ** 0.5
