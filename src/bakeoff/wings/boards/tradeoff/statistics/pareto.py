"""P(Pareto-optimal) by the Bayesian bootstrap: one set of weights of problems, or clusters, for all metrics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.randomness import chunk_size, product
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, cluster_sizes, cluster_sums
from bakeoff.wings.boards.tradeoff.statistics.tables import MetricTable

_CHUNK = 1 << 17  # comparisons at a time: they stay in the cache
_ROUNDING = 1e-12  # of the largest size of a table: means nearer than that are equal


def undominated(tables: Sequence[MetricTable], codes: Codes, rng: np.random.Generator, n_draws: int) -> Array:
    """(k,) share of draws in which no other is as good in all metrics and better in one: (c + ½)/(draws + 1).

    Weights of clusters are Dirichlet(1, …, 1); a mean is Σ w_g S_g/Σ w_g m_g over their sums S and sizes m.
    """
    sizes = cluster_sizes(codes).astype(np.float64)
    sums, reaches = [], []
    for table in tables:
        s = table.measured
        sums.append(cluster_sums(s.values if s.better == "higher" else -s.values, codes))
        reaches.append(_ROUNDING * float(np.abs(s.values).max()))
    k = tables[0].scores.n_algorithms
    counts = np.zeros(k)
    step, few = chunk_size(len(sizes) + len(sums) * k), max(1, _CHUNK // (k * k))
    for first in range(0, n_draws, step):
        weights = rng.standard_exponential((min(step, n_draws - first), len(sizes)))
        total = (weights @ sizes)[:, None]
        means = [product(weights, each) / total for each in sums]
        for start in range(0, len(weights), few):
            part = slice(start, start + few)
            counts += (~_beaten([each[part] for each in means], reaches)).sum(axis=0)
    return np.asarray((counts + 0.5) / (n_draws + 1))


def _beaten(means: Sequence[Array], reaches: Sequence[float]) -> npt.NDArray[np.bool_]:
    """(draws, k): is another one as good in all metrics, and better in one?"""
    draws, k = means[0].shape
    as_good = np.ones((draws, k, k), dtype=bool)  # row a is as good as column b in all
    better = np.zeros_like(as_good)
    for each, reach in zip(means, reaches, strict=True):
        gaps = each[:, :, None] - each[:, None, :]
        as_good &= gaps >= -reach
        better |= gaps > reach
    return np.asarray((as_good & better).any(axis=1))
