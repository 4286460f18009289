"""Problems in clusters under a Dirichlet process: a cluster has one weight, spread evenly over its problems.

P = w₀ P₀ + Σ_g w_g (1/n_g) Σ_{i in g} δ_{X_i},  (w₀, w₁ … w_G) ~ Dirichlet(s, 1 … 1)

Clusters are the independent draws, and a cluster of many problems counts as much as one of few. All that procedures
need of the problems are then means over each cluster: of signs, of ranks.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.errors import ScoreError
from bakeoff.ranks.problem_order import Ints, Rows, nested_order, problem_content
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import cluster_codes, cluster_names


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusterRows:
    """The problems cluster after cluster, both sorted by content: draws do not depend on the order of rows."""

    rows: Rows  # (n,)
    sizes: Ints  # (G,)

    @property
    def n(self) -> int:
        return len(self.sizes)

    @property
    def common_size(self) -> int:
        """The smallest number that all sizes divide."""
        return math.lcm(*self.sizes.tolist())

    @property
    def starts(self) -> Rows:
        return np.asarray(np.cumsum(self.sizes) - self.sizes, dtype=np.intp)

    @property
    def codes(self) -> Rows:
        """(n,) the cluster of each of ``rows``."""
        return np.repeat(np.arange(self.n), self.sizes)

    def means(self, values: npt.NDArray[np.generic]) -> Array:
        """(n, …) in the table's order -> (G, …)."""
        sums = np.add.reduceat(values[self.rows].astype(np.float64), self.starts, axis=0)
        return np.asarray(sums / self.sizes.reshape(-1, *([1] * (values.ndim - 1))))

    def spread(self, weights: Array) -> Array:
        """(…, G) weights of the clusters -> (…, n) of the problems, in the order of ``rows``."""
        return np.asarray((weights / self.sizes)[..., self.codes])


def cluster_rows(scores: Scores) -> ClusterRows | None:
    """None if every problem is a cluster of its own, or none was given."""
    if scores.clusters is None or len(set(scores.clusters)) == scores.n_problems:
        return None
    return rows_by_content(cluster_codes(scores), problem_content(scores))


def rows_by_content(codes: Ints, content: Ints) -> ClusterRows:
    """``content``: (n,) equal for problems that can be exchanged; its order is that of the problems."""
    rows = nested_order(content, codes)
    return ClusterRows(rows=rows, sizes=np.diff(np.flatnonzero(np.diff(codes[rows], prepend=-1, append=-1))))


def n_units(scores: Scores) -> int:
    """Independent draws: clusters where there are any, otherwise problems."""
    return scores.n_problems if scores.clusters is None else len(set(scores.clusters))


def n_clusters(scores: Scores) -> int | None:
    return None if scores.clusters is None else n_units(scores)


def check_clusters(scores: Scores, what: str) -> Scores:
    """The same scores; a single cluster is refused: nothing varies between clusters."""
    if n_clusters(scores) == 1:
        raise ScoreError(
            f": all {scores.n_problems} problems are in one cluster, {cluster_names(scores)[0]!r}, and {what} "
            "takes clusters as the independent draws. Give scores of several clusters, or leave clusters out if the "
            "problems are independent of each other",
            parameter="clusters",
        )
    return scores
