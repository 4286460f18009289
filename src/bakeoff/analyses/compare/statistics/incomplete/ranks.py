"""Ranks of an incomplete table, within problems and as estimated mean ranks; contrasts of Skillings–Mack scores."""

import numpy as np

from bakeoff.nulls.tails import normal_two_sided
from bakeoff.omnibus import SkillingsMackResult
from bakeoff.posthoc.pairs import Pairs, PairTests
from bakeoff.ranks import doubled_ranks
from bakeoff.scores import Array, Scores, read_only


def present_ranks(scores: Scores) -> Array:
    """(n, k) mid-ranks among the scores of each problem; NaN where missing."""
    present = ~scores.holes
    ranks = np.full(present.shape, np.nan)
    patterns: dict[bytes, list[int]] = {}
    for i in np.flatnonzero(present.any(axis=1)).tolist():
        patterns.setdefault(present[i].tobytes(), []).append(i)
    for problems in patterns.values():
        columns = np.flatnonzero(present[problems[0]])
        if len(columns) == 1:
            ranks[problems, columns[0]] = 1.0
        else:
            ranks[np.ix_(np.array(problems), columns)] = doubled_ranks(scores.select(columns.tolist(), problems)) / 2
    return ranks


def estimated_mean_ranks(scores: Scores) -> Array:
    """(k,) the mean ranks that fit best if every algorithm had a score on every problem; NaN if they are not connected.

    With B_i the sum of i's centred ranks and n_ij the number of problems that both have, θ solves
    Σ_j n_ij (θ_i − θ_j) = B_i (least squares for shares of wins that are additive), and the estimate is
    (k + 1)/2 + k·θ_i. Without missing scores it is the mean rank.
    """
    ranks, k = present_ranks(scores), scores.n_algorithms
    present = ~np.isnan(ranks)
    sizes = present.sum(axis=1, keepdims=True)
    centred = np.where(present & (sizes > 1), ranks - (sizes + 1) / 2, 0.0)
    together = present[present.sum(axis=1) > 1].astype(np.float64)
    shared = together.T @ together
    np.fill_diagonal(shared, 0.0)
    laplacian = np.diag(shared.sum(axis=1)) - shared
    if np.linalg.matrix_rank(laplacian) < k - 1:
        return read_only(np.full(k, np.nan))
    sums = np.rint(2.0 * centred).sum(axis=0) / 2.0  # whole numbers: the order of problems cannot matter
    theta = np.linalg.solve(laplacian + 1.0, sums)  # 1·1ᵀ sets the mean of θ to 0
    return read_only(np.round((k + 1) / 2 + k * theta, 10) + 0.0)


def score_contrasts(test: SkillingsMackResult, pairs: Pairs) -> PairTests:
    """z = (A_b − A_a)/sqrt(C_aa + C_bb − 2·C_ab) of Skillings and Mack's scores A and their covariance C."""
    a, b = np.array(pairs, dtype=np.intp).T
    c = test.covariance
    distance = np.round(test.scores[b] - test.scores[a], 12)
    variance = c[a, a] + c[b, b] - 2.0 * c[a, b]
    safe = variance > 1e-12
    z = np.where(safe, distance / np.sqrt(np.where(safe, variance, 1.0)), 0.0) + 0.0
    pvalue, log_pvalue = normal_two_sided(z)
    return PairTests(
        statistic=read_only(z),
        direction=read_only(np.sign(z)),
        pvalue=read_only(np.asarray(pvalue)),
        log_pvalue=read_only(np.asarray(log_pvalue)),
    )


def least_contrast_pvalues(scores: Scores, pairs: Pairs) -> Array:
    """(m,) a lower bound of p over all outcomes: |z| ≤ sqrt(Σ_j (k_j − 1)) over the problems that have a or b, because
    on each of them the contrast is at most sqrt(k_j − 1) times its standard deviation."""
    present = ~scores.holes
    sizes = present.sum(axis=1)
    usable = sizes > 1
    more = np.array([np.sum((sizes - 1)[usable & (present[:, a] | present[:, b])]) for a, b in pairs], dtype=np.float64)
    return np.asarray(normal_two_sided(np.sqrt(more))[0])
