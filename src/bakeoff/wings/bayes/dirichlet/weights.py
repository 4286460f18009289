"""Draws from the posterior of a Dirichlet process: weights of the problems and of one prior atom.

P = w₀ P₀ + Σ_i w_i δ_{X_i},  (w₀, w₁ … w_n) ~ Dirichlet(s, 1 … 1)      (Benavoli et al. 2015, equation 7)

A Dirichlet vector is a vector of independent gamma variables divided by its sum; gamma(1) is the standard
exponential, so a draw costs n exponentials, one gamma(s) and one division.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.checks import integer, number, shown
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.ranks.problem_order import Ints, Rows, nested_order, problem_content
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import cluster_codes, cluster_names

DEFAULT_DRAWS = 50_000
MOST_DRAWS = 100_000_000
MANY_PROBLEMS = 256  # from which it is worth looking for equal ones
GAMMA_COST = 4  # a gamma variable takes as long as so many exponential ones
MOST_STRENGTH = 1e9  # beyond this, the data's contribution is lost in rounding


def gammas(
    stream: np.random.Generator, size: int, n: int, prior_strength: float, counts: Ints | None = None
) -> tuple[Array, Array]:
    """``size`` unnormalised draws: (size, n) weights of the problems and (size,) of the prior atom.

    Divide by their common sum to get w; signs and orders need no division. ``counts``: of problems of one atom each.
    """
    shape = (size, n)
    problems = stream.standard_exponential(shape) if counts is None else stream.standard_gamma(counts, shape)
    prior = stream.standard_gamma(prior_strength, size) if prior_strength > 0 else np.zeros(size)
    return problems, prior


def alike(rows: npt.NDArray[np.generic]) -> tuple[npt.NDArray[np.intp], Ints | None]:
    """The first place of each different row (n, c), in the order of rows, and how many are like it.

    Those problems are one atom with their common weight, gamma(how many). None, and all rows, if that saves nothing.
    """
    if len(rows) >= MANY_PROBLEMS:
        _, first, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
        if GAMMA_COST * len(first) <= len(rows):
            return first, counts
    return np.arange(len(rows)), None


def check_strength(prior_strength: object) -> float:
    """The prior strength s: the prior counts as s problems; 0 is the Bayesian bootstrap."""
    what = f"finite and 0 or larger (0 is the Bayesian bootstrap), and at most {MOST_STRENGTH:g}"
    return number("prior_strength", prior_strength, least=0.0, most=MOST_STRENGTH, what=what)


def check_prior_weights(prior: object) -> tuple[float, float, float]:
    """Shares of the prior's mass on "a better", a tie and "b better", which sum to 1."""
    shares = np.asarray(prior) if isinstance(prior, (tuple, list, np.ndarray)) else np.empty(0)
    three = shares.shape == (3,) and shares.dtype.kind in "iuf"
    if not three or not (shares >= 0).all() or not abs(shares.sum() - 1.0) < 1e-9:
        rule = 'must be "equal", "ignorance" or three weights of at least 0 that sum to 1 (a better, a tie, b better)'
        raise ParameterError(f"{rule}, such as prior=(0.5, 0.5, 0); got {shown(prior)}", parameter="prior")
    better, tie, worse = map(float, shares)
    return better, tie, worse


def check_rope(rope: object) -> float:
    """Half the width of the region of practical equivalence, in score units."""
    return number("rope", rope, least=0.0, what="finite and 0 or larger, in the unit of the scores")


def check_draws(n_draws: object) -> int:
    return integer("n_draws", n_draws, 100, MOST_DRAWS)


# Problems in clusters under a Dirichlet process: a cluster has one weight, spread evenly over its problems.
#
# P = w₀ P₀ + Σ_g w_g (1/n_g) Σ_{i in g} δ_{X_i},  (w₀, w₁ … w_G) ~ Dirichlet(s, 1 … 1)
#
# Clusters are the independent draws, and a cluster of many problems counts as much as one of few. All that procedures
# need of the problems are then means over each cluster: of signs, of ranks.


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


def sizes_of(scores: Scores) -> dict[str, Any]:
    """The fields of a result that say how much it rests on."""
    return {"n_problems": scores.n_problems, "n_clusters": n_clusters(scores), "n_dropped": len(scores.dropped)}


def unit_drawn(result: Any) -> str:
    """One independent draw of a result, or of scores, in the singular."""
    counted = n_clusters(result) if isinstance(result, Scores) else result.n_clusters
    return "problem" if counted is None else "cluster"


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
