"""An order of problems that follows from what is in them, for draws that are made row by row.

Random signs and weights belong to places. In this order the same seed gives the same problem the same draws, whatever
the order of the rows, the names of problems and the labels of their clusters.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.ranks import doubled_ranks
from bakeoff.ranks._rank import doubled_row_ranks
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import cluster_table

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.intp]


def problem_order(scores: Scores) -> Rows:
    """Problems sorted by content, so that draws depend neither on the order of rows nor on their names.

    Content is the ranks, then the distances from the best score, the runs and the level, with algorithms in the order
    of their names. Problems with equal content can be exchanged without effect.
    """
    return np.argsort(problem_content(scores), kind="stable")


def problem_content(scores: Scores) -> Ints:
    """(n,) the place of each problem's content among the different ones."""
    return np.unique(_content(scores), return_inverse=True)[1].astype(np.int64)


def nested_order(content: Ints, *groups: Ints) -> Rows:
    """Rows with those of a group together: by size, then by content. ``groups`` are codes, the outermost first.

    ``content``: (n,) equal for problems that can be exchanged; its order is that of the problems of a group.
    """
    several = [codes for codes in groups if len(np.unique(codes)) < len(codes)]
    return _nested(np.argsort(content, kind="stable"), content, several)[1]


def _nested(rows: Rows, content: Ints, groups: Sequence[Ints]) -> tuple[tuple[object, ...], Rows]:
    """A key by which to sort, and the rows, which come sorted by content."""
    if not groups:
        return (len(rows), content[rows].tolist()), rows
    codes = groups[0][rows]
    together = np.argsort(codes, kind="stable")
    ends = np.flatnonzero(np.diff(codes[together])) + 1
    parts = [_nested(part, content, groups[1:]) for part in np.split(rows[together], ends)]
    parts.sort(key=lambda part: part[0])
    return (len(rows), [key for key, _ in parts]), np.concatenate([part for _, part in parts])


def _content(scores: Scores) -> npt.NDArray[np.void]:
    columns = sorted(range(scores.n_algorithms), key=scores.algorithms.__getitem__)
    costs = scores.costs[:, columns]
    keys = [doubled_row_ranks(costs), _above(costs, costs)]
    if scores.runs is not None:
        sign = 1.0 if scores.better == "lower" else -1.0
        runs = np.sort(sign * scores.runs[:, columns], axis=2).reshape(scores.n_problems, -1)
        keys += [scores.n_runs[:, columns], _above(runs, runs)]
    keys.append(np.unique(costs.min(axis=1), return_inverse=True)[1][:, None])
    # non-negative numbers in big-endian order sort byte by byte as they do by value
    table = np.hstack(keys).astype(">f8")
    return np.asarray(table.view(f"V{table.shape[1] * table.itemsize}").ravel())


def _above(values: Array, of: Array) -> Array:
    """(n, c) distances from the smallest of each row; those that do not exist count as infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        above = values - np.fmin.reduce(of, axis=1)[:, None]
    return np.where(np.isnan(above), np.inf, above) + 0.0


# Ranks where problems come in clusters: the mean of the ranks within the problems of each, to be ranked again.


def ranks_by_cluster(scores: Scores) -> Scores:
    """A row per cluster of mean within-problem ranks, lower better; without clusters, the scores as they are.

    Clusters are independent and their rows exchangeable where algorithms are alike, so a test on ranks that ranks this
    table keeps its law; scores of different scale do not meet, as they would in a mean of scores.
    """
    return scores if scores.clusters is None else cluster_table(scores, doubled_ranks(scores) / 2.0, "lower")
