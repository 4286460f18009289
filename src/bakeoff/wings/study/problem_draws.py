"""Weighted draws of problems without replacement: Demšar (2006), section 4.1.1."""

import numpy as np
import numpy.typing as npt
from scipy import special

from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import cluster_codes, cluster_names, members

Index = npt.NDArray[np.intp]


def drawn_rows(scores: Scores) -> Scores:
    """What is drawn: problems, or whole clusters where there are any, of which the mean over its problems is the row.

    The problems of a cluster stand where runs do, so that means are tied within the tolerance of means.
    """
    if scores.clusters is None:
        return scores
    rows = members(cluster_codes(scores))
    cells = np.full((len(rows), scores.n_algorithms, max(map(len, rows))), np.nan)
    for i, of_cluster in enumerate(rows):
        cells[i, :, : len(of_cluster)] = scores.values[of_cluster].T
    return Scores.from_cells(
        cells, scores.algorithms, cluster_names(scores), better=scores.better, metric=scores.metric
    )


def log_weights(differences: Array, bias: float) -> Array:
    """ln of 1/(1 + exp(−k·d)): the problem's chance to be drawn first, up to a factor."""
    weights: Array = special.log_expit(bias * differences)
    return weights


def drawn_problems(log_weight: Array, size: int, draws: int, stream: np.random.Generator) -> Index:
    """(draws, size) problems, in increasing order within a draw.

    One problem after the other, the remaining weights renormalised. That has the distribution of the ``size`` smallest
    of independent exponential times E_i / w_i (Efraimidis & Spirakis 2006): the first of them is i with probability
    w_i / Σ w, and the times that are left forget what has passed.
    """
    keys = np.log(stream.standard_exponential((draws, len(log_weight)))) - log_weight
    return np.sort(np.argsort(keys, axis=1)[:, :size], axis=1)
