"""Exact moments of relative effects: bilinear forms in independent Dirichlet weights.

With w_i ~ Dirichlet(s, 1 … 1), N_i = s + r_i: E w_a = 1/N, E w_a w_c = (1 + [a = c])/(N (N + 1)). For
T_ij = Σ_ab w_ia w_jb S_ab with row sums u, column sums v and sum t of S:

    E T_ij = t/(N_i N_j)
    Var T_ij = (t² + |u|² + |v|² + ΣS²)/(N_i (N_i + 1) N_j (N_j + 1)) − t²/(N_i N_j)²
    Cov(T_ij, T_il) = (u_ij·u_il − t_ij t_il / N_i)/(N_i (N_i + 1) N_j N_l),  j ≠ l
"""

import numpy as np

from bakeoff.scores import Array
from bakeoff.wings.bayes.dirichlet.run_signs import RunSigns


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
