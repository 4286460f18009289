"""Size of the sign flips of clusters and of the cluster-robust t: no difference, problems of a cluster correlated."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow
TABLES, ALPHA = 600, 0.05
BAND = 4 * math.sqrt(ALPHA * (1 - ALPHA) / TABLES)


def shares(groups: int, unequal: bool) -> tuple[float, float, float]:
    """Rejected at 5 % by the sign flips, the cluster-robust t, and the t that takes problems for independent."""
    rng = np.random.default_rng([groups, unequal])
    sizes = np.where(np.arange(groups) % 4 == 0, 12, 2) if unequal else np.full(groups, 4)
    codes = np.repeat(np.arange(groups), sizes)
    labels = [f"c{i}" for i in codes]
    found = []
    for _ in range(TABLES):
        d = rng.normal(size=groups)[codes] + rng.normal(size=len(codes))
        s = bo.Scores(np.column_stack([d, np.zeros_like(d)]), better="higher", clusters=labels)
        naive = bo.paired_t(d, np.zeros_like(d), better="higher")
        found.append([bo.sign_flip(s, 0, 1).pvalue, bo.cluster_t(s, 0, 1).pvalue, naive.pvalue])
    flips, robust, naively = (np.array(found) <= ALPHA).mean(axis=0).tolist()
    return flips, robust, naively


@pytest.mark.few(1)
@pytest.mark.parametrize("groups", [5, 10, 20])
def test_clusters_of_one_size(groups: int) -> None:
    flips, robust, naive = shares(groups, unequal=False)
    assert flips <= ALPHA + BAND
    assert abs(robust - ALPHA) <= BAND  # exact for normal cluster means
    assert naive > 0.1


@pytest.mark.exhaustive
@pytest.mark.parametrize("groups", [5, 10, 20])
def test_unequal_clusters(groups: int) -> None:
    """A quarter of the clusters six times as large: flips and the t of effective clusters keep their level.

    With G/(G − 1) and G − 1 degrees of freedom t rejected 15, 10.6 and 8.7 % of 1200 tables.
    """
    flips, robust, naive = shares(groups, unequal=True)
    assert flips <= ALPHA + BAND
    assert robust <= ALPHA + BAND
    assert naive > robust


@pytest.mark.few(1)
@pytest.mark.parametrize("icc", [0.2, 1.0])
@pytest.mark.parametrize("sizes", [[*range(1, 9)], [100] + [2] * 14, [1] * 60 + [30] * 3], ids=["8", "15", "63"])
def test_compare_by_t_counts_clusters_equally(sizes: list[int], icc: float) -> None:
    """Means of large and of small clusters have different variances; t of them holds for symmetric differences."""
    rng, wrong, tables = np.random.default_rng(len(sizes)), 0, 300
    codes = np.repeat(np.arange(len(sizes)), sizes)
    for i in range(tables):
        draw = rng.normal if i % 2 else lambda size: rng.standard_t(3, size)
        d = math.sqrt(icc) * draw(size=len(sizes))[codes] + math.sqrt(1 - icc) * draw(size=len(codes))
        s = bo.Scores(np.column_stack([d, np.zeros_like(d)]), better="higher", clusters=codes)
        wrong += bo.compare(s, pairwise="t").pairs[0].pvalue <= ALPHA
    assert wrong / tables <= ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / tables)
