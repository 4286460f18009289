"""Exact moments of relative effects: bilinear forms in independent Dirichlet weights.

With w_i ~ Dirichlet(s, 1 … 1), N_i = s + r_i: E w_a = 1/N, E w_a w_c = (1 + [a = c])/(N (N + 1)). For
T_ij = Σ_ab w_ia w_jb S_ab with row sums u, column sums v and sum t of S:

    E T_ij = t/(N_i N_j)
    Var T_ij = (t² + |u|² + |v|² + ΣS²)/(N_i (N_i + 1) N_j (N_j + 1)) − t²/(N_i N_j)²
    Cov(T_ij, T_il) = (u_ij·u_il − t_ij t_il / N_i)/(N_i (N_i + 1) N_j N_l),  j ≠ l
"""

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.errors import TooLargeError
from bakeoff.scores import Array

# Every run of one algorithm against every run of another on the same problem, for all pairs of algorithms.
#
# T_ab = Σ_xy w_ax w_by sign(a's run x better than b's run y) is P(a better) − P(b better) when runs have the weights w;
# P(a beats b) + ½ P(tie) = ½ + ½ T_ab.


Ints = npt.NDArray[np.int64]
MOST_ALGORITHMS = 100
MOST_NUMBERS = 50_000_000  # places held: 400 MB
TABLED = 64  # runs up to which a product with the table of signs is faster than looking up places


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunSigns:
    """Comparisons of single runs, exact; pairs (a, b), a < b, are listed by b and then a."""

    costs: Array  # (n, k, r) sorted within the cell, NaN last
    counts: Ints  # (n, k) runs
    better: npt.NDArray[np.int32]  # (n, k, k, r): how many runs of the second are better than this one of the first
    not_worse: npt.NDArray[np.int32]  # the same, with ties
    first: npt.NDArray[np.intp]  # (m,) a
    second: npt.NDArray[np.intp]  # (m,) b
    tables: tuple[Array, ...]  # for b = 1, 2 …: (n, r, b·r) signs, row: b's runs, column: those of 0 … b − 1; or none

    @property
    def n(self) -> int:
        return int(self.counts.shape[0])

    @property
    def k(self) -> int:
        return int(self.counts.shape[1])

    @property
    def most_runs(self) -> int:
        return int(self.costs.shape[2])

    @property
    def n_comparisons(self) -> int:
        """Work per draw."""
        return self.n * len(self.first) * self.most_runs * min(self.most_runs, TABLED)

    def leads(self, problem: int) -> Ints:
        """(k, k, r): runs of the second that are worse than this one of the first, less those that are better."""
        difference = self.counts[problem][None, :, None] - self.not_worse[problem] - self.better[problem]
        return np.asarray(np.where(self._there(problem), difference, 0), dtype=np.int64)

    def decided(self, problem: int) -> Ints:
        """(k, k): pairs of runs that are not tied."""
        total = self.counts[problem][None, :, None] - self.not_worse[problem] + self.better[problem]
        return np.asarray(np.where(self._there(problem), total, 0).sum(axis=2), dtype=np.int64)

    def same_runs(self, problem: int, a: int, b: int) -> bool:
        return bool(np.array_equal(self.costs[problem, a], self.costs[problem, b], equal_nan=True))

    def _there(self, problem: int) -> npt.NDArray[np.bool_]:
        return np.asarray(np.arange(self.most_runs) < self.counts[problem][:, None, None])

    def margins(self, weights: Array) -> Array:
        """(n, size, m) of T from weights (n, size, k, r), 0 where padded."""
        by_second = self._by_table if self.tables else self._by_place
        return np.concatenate([by_second(weights, b) for b in range(1, self.k)], axis=2)

    def _by_table(self, weights: Array, b: int) -> Array:
        n, size, _, r = weights.shape
        against = np.matmul(weights[:, :, b, :], self.tables[b - 1]).reshape(n, size, b, r)
        return np.asarray(np.einsum("ndar,ndar->nda", against, weights[:, :, :b, :]))

    def _by_place(self, weights: Array, b: int) -> Array:
        """Runs are sorted: the weight of b's better ones is a partial sum."""
        n, size, _, r = weights.shape
        signs = np.empty((n, size, b))
        sums = np.zeros((size, r + 1))
        for problem in range(n):
            np.cumsum(weights[problem, :, b, :], axis=1, out=sums[:, 1:])
            for a in range(b):
                reached = sums[:, self.not_worse[problem, a, b]] + sums[:, self.better[problem, a, b]]
                signs[problem, :, a] = np.einsum("dr,dr->d", weights[problem, :, a, :], sums[:, -1:] - reached)
        return signs


def run_signs(costs: Array, what: str) -> RunSigns:
    """From (n, k, r) costs, NaN-padded. Runs are sorted within their cell: their order changes nothing."""
    n, k, r = costs.shape
    if k > MOST_ALGORITHMS or n * r * k * k > MOST_NUMBERS:
        raise TooLargeError(
            f"{what} takes at most {MOST_ALGORITHMS} algorithms, and {MOST_NUMBERS:,} for problems × runs × "
            f"algorithms²; got {n} × {r} × {k}². Use fewer runs or algorithms (scores.select), or bo.bayes.compare, "
            "which takes the means over runs."
        )
    ordered = np.sort(costs, axis=2)
    counts: Ints = np.asarray(np.sum(~np.isnan(costs), axis=2), dtype=np.int64)
    better, not_worse = np.zeros((2, n, k, k, r), dtype=np.int32)
    for problem, a, b in np.ndindex(n, k, k):
        runs = ordered[problem, b, : counts[problem, b]]
        if a != b:
            better[problem, a, b] = np.searchsorted(runs, ordered[problem, a], side="left")
            not_worse[problem, a, b] = np.searchsorted(runs, ordered[problem, a], side="right")
        else:
            not_worse[problem, a, a] = counts[problem, a]  # an algorithm is not compared with itself
    second, first = np.tril_indices(k, -1)
    tables = tuple(_table(ordered, b) for b in range(1, k)) if r <= TABLED else ()
    return RunSigns(
        costs=ordered, counts=counts, better=better, not_worse=not_worse, first=first, second=second, tables=tables
    )


def _table(ordered: Array, b: int) -> Array:
    n, _, r = ordered.shape
    one, others = ordered[:, b, :, None], ordered[:, :b, :].reshape(n, 1, b * r)
    return np.asarray((others < one).astype(np.float64) - (others > one))


def normalised(draws: Array, counts: Ints, prior: Array | None = None) -> Array:
    """(n, size, k, r) exponentials -> weights of the existing runs; with the ``prior``'s weight (n, size, k)
    they sum to less than 1."""
    there = np.arange(draws.shape[3]) < counts[:, None, :, None]
    weights = np.where(there, draws, 0.0)
    total = weights.sum(axis=3)
    if prior is not None:
        total = total + prior
    weights /= total[..., None]
    return weights


def first_and_second_moments(signs: RunSigns, strength: float, problem: int = 0) -> tuple[Array, Array]:
    """(k, k) of E T_ij and E T_ij²."""
    rows = signs.leads(problem).astype(np.float64)
    n = strength + signs.counts[problem]
    sums = rows.sum(axis=2)
    norms = (rows**2).sum(axis=2)
    total = sums**2 + norms + norms.T + signs.decided(problem)
    second = total / n / (n + 1) / n[:, None] / (n[:, None] + 1)  # one by one: a strong prior does not overflow
    return sums / n / n[:, None], second


def effect_covariance(signs: RunSigns, strength: float) -> Array:
    """(k, k) of p_i = ½ + Σ_j T_ij/(2k)."""
    k = signs.k
    rows = signs.leads(0).astype(np.float64)
    sums = rows.sum(axis=2)
    n = strength + signs.counts[0]
    first, second = first_and_second_moments(signs, strength)
    variance = np.maximum(second - first**2, 0.0)  # 0 on the diagonal: no algorithm is compared with itself
    covariance = np.diag(variance.sum(axis=1)) - variance  # T_ij adds to i what it takes from j
    for hub in range(k):
        shared = rows[hub] @ rows[hub].T - np.outer(sums[hub], sums[hub]) / n[hub]
        shared = shared / n[hub] / (n[hub] + 1) / n / n[:, None]
        np.fill_diagonal(shared, 0.0)
        shared[hub] = shared[:, hub] = 0.0
        covariance += shared
        taken = shared.sum(axis=1)
        covariance[hub] -= taken
        covariance[:, hub] -= taken
        covariance[hub, hub] += taken.sum()
    return np.asarray(covariance / (4.0 * k * k), dtype=np.float64)


def covariance_parts(signs: RunSigns, strength: float) -> Array:
    """(k, k, k): the part of the covariance of the effects that the weights of each algorithm's runs cause.

    They are the covariances of E(p | w_i); what is left of the whole, of order 1/r², is due to two algorithms at once.
    """
    k = signs.k
    rows = signs.leads(0).astype(np.float64)
    n = strength + signs.counts[0]
    parts = np.empty((k, k, k))
    for i in range(k):
        moved = -rows[i] / n[:, None] / (2.0 * k)  # (k, r): what each run of i takes from the others
        moved[i] = -moved.sum(axis=0)
        mean = moved.sum(axis=1) / n[i]
        parts[i] = (moved @ moved.T / n[i] - np.outer(mean, mean)) / (n[i] + 1.0)
    return parts
