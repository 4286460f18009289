"""What draws of log strengths say about pairs: who is stronger, who wins the next time."""

from itertools import pairwise

import numpy as np

from bakeoff.nulls.tails import drawn_share
from bakeoff.scores.cells import Array
from bakeoff.wings.bayes.mcmc.diagnostics import error_of_share

BLOCK = 1 << 20  # numbers in one (draws, k, k) array


def pair_probabilities(theta: Array) -> tuple[Array, Array, Array]:
    """(k, k) each: P(stronger); P(beats next time) and its error, of a mean over chains; diagonals 0."""
    c, n, k = theta.shape
    stronger, means, squares = np.zeros((k, k)), np.zeros((k, k)), np.zeros((k, k))
    step = max(1, BLOCK // (k * k))
    for chain in range(c):
        of_chain = np.zeros((k, k))
        for first in range(0, n, step):
            part = theta[chain, first : first + step]
            d = part[:, :, None] - part[:, None, :]
            lost = np.exp(-np.abs(d))  # weights relative to the stronger one's
            stronger += (d > 0).sum(axis=0)
            of_chain += (np.where(d > 0, 1.0, lost) / (1.0 + lost)).sum(axis=0)
        away = of_chain / n - means
        means += away / (chain + 1)
        squares += away * (of_chain / n - means)
    errors = np.sqrt(squares / (c - 1) / c)
    stronger = drawn_share(stronger, c * n)
    for matrix in (stronger, means, errors):
        np.fill_diagonal(matrix, 0.0)
    return stronger, means, errors


def largest_share_error(theta: Array, best: Array) -> float:
    """Of p_best, and of p_stronger between neighbours in mean strength, where it is largest."""
    ranked = np.argsort(theta.mean(axis=(0, 1)))
    errors = [error_of_share(best[:, :, i]) for i in range(theta.shape[2])]
    for i, j in pairwise(ranked):
        errors.append(error_of_share((theta[:, :, i] > theta[:, :, j]).astype(float)))
    return max(errors)
