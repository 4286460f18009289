"""Clusters: problems that share a source (functions in several dimensions, folds of one data set), one label each.

Problems of one cluster are not independent of each other; clusters are. Procedures on clusters start from the codes of
the labels in order of first appearance, so that neither labels nor the order of rows within a cluster change an answer.
"""

import copy
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bakeoff.errors import Caution, ScoreError, listing
from bakeoff.scores._scores import Better, Scores
from bakeoff.scores.cells import Array, exact_mean

Codes = npt.NDArray[np.int64]


def cluster_names(scores: Scores) -> tuple[str, ...]:
    """The different labels in order of first appearance; without clusters, each problem is one."""
    return scores.problems if scores.clusters is None else tuple(dict.fromkeys(scores.clusters))


def cluster_codes(scores: Scores) -> Codes:
    """(n,) whose cluster each problem is: 0, 1, … in order of first appearance; without clusters, one per problem."""
    return np.arange(scores.n_problems) if scores.clusters is None else codes_of(scores.clusters)


def codes_of(labels: Iterable[str]) -> Codes:
    """0, 1, … by the first appearance of each label."""
    places: dict[str, int] = {}
    return np.array([places.setdefault(label, len(places)) for label in labels], dtype=np.int64)


PREFIX = "prefix"
"""In place of a column: what the names of problems begin with is their cluster."""


def prefix(name: str) -> str:
    """The part before the first separator: ``mmlu`` of ``mmlu_anatomy``."""
    return re.split(r"[\s_\-./:|,;@#]+", name)[0]


def tasks_by_name(problems: Iterable[str]) -> list[str]:
    """What stands before the first slash of each name: ``task`` of ``task/question``."""
    lacking = [name for name in problems if "/" not in name]
    if lacking:
        text = f'"prefix" needs problems called task/question; these have no slash: {listing(lacking)}'
        raise ScoreError(text, parameter="task")
    return [name.split("/", 1)[0] for name in problems]


def cluster_sizes(codes: Codes) -> Codes:
    """(G,) problems in each cluster."""
    return np.bincount(codes)


def cluster_sums(values: Array, codes: Codes) -> Array:
    """(G,) or (G, k): correctly rounded sums over the problems of each cluster."""
    return _over_clusters(values, codes, math.fsum)


def cluster_means(values: Array, codes: Codes) -> Array:
    """(G,) or (G, k): correctly rounded means over the problems of each cluster."""
    return _over_clusters(values, codes, exact_mean)


def members(codes: Codes) -> list[npt.NDArray[np.int64]]:
    """The rows of each cluster, in their order."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.cumsum(cluster_sizes(codes))[:-1])


def _over_clusters(values: Array, codes: Codes, summary: Callable[[list[float]], float]) -> Array:
    columns = values.reshape(len(codes), -1).T
    summaries = [[summary(column[rows].tolist()) for column in columns] for rows in members(codes)]
    return np.array(summaries, dtype=np.float64).reshape(len(summaries), *values.shape[1:])


def intraclass_correlation(values: Array, codes: Codes) -> float:
    """ICC(1) of values in clusters: (MSB − MSW) / (MSB + (m₀ − 1) MSW), m₀ the mean size corrected for unequal ones.

    Donner and Koval (1980), the analysis-of-variance estimator; below 0 where problems of a cluster differ more than
    those of different ones. NaN with one cluster, one problem per cluster, or values that are all equal.
    """
    sizes = cluster_sizes(codes)
    n, groups = len(codes), len(sizes)
    if groups < 2 or n == groups:
        return math.nan
    means = cluster_means(values, codes)
    between = float((sizes * (means - values.mean()) ** 2).sum()) / (groups - 1)
    within = float(((values - means[codes]) ** 2).sum()) / (n - groups)
    size = (n - float((sizes**2).sum()) / n) / (groups - 1)
    total = between + (size - 1) * within
    return (between - within) / total if total > 0 else math.nan


def effective_number(codes: Codes, icc: float) -> float:
    """n / (1 + (m̄(1 + cv²) − 1)·ICC): independent problems that tell as much as these, for a mean over problems.

    cv is the coefficient of variation of the cluster sizes (Eldridge, Ashby and Kerry 2006); m̄(1 + cv²) = Σm²/n.
    """
    n = len(codes)
    return n / design_effect(codes, icc)


def design_effect(codes: Codes, icc: float) -> float:
    """1 + (m̄(1 + cv²) − 1)·ICC: by how much clusters multiply the variance of a mean over problems."""
    sizes = cluster_sizes(codes)
    return 1.0 + (float((sizes**2).sum()) / len(codes) - 1.0) * icc


def by_cluster(scores: Scores) -> Scores:
    """A row per cluster, whose "runs" are its problems: the means of the scores over the problems of each cluster.

    Differences of these means are the means of the differences. Without clusters, the table as it is.
    """
    return scores if scores.clusters is None else cluster_table(scores, scores.values, scores.better)


def cluster_table(scores: Scores, values: Array, better: Better) -> Scores:
    """Cluster means of values (n, k) that belong to the cells of ``scores``, a row per cluster."""
    refuse_one_cluster(scores)
    groups = members(cluster_codes(scores))
    cells = np.full((len(groups), scores.n_algorithms, max(map(len, groups))), np.nan)
    for cell, rows in zip(cells, groups, strict=True):
        cell[:, : len(rows)] = values[rows].T
    return Scores.from_cells(
        cells,
        scores.algorithms,
        cluster_names(scores),
        better=better,
        dropped=scores.dropped,
        filled=scores.filled,
        source_sha256=scores.source_sha256,
        metric=scores.metric,
        read_as=scores.read_as,
    )


def refuse_one_cluster(scores: Scores) -> None:
    """Refuse a test on one cluster; without clusters nothing is refused."""
    names = cluster_names(scores)
    if scores.clusters is not None and len(names) < 2:
        rule = f"has one cluster only, {names[0]!r}: problems of one cluster are not independent, and a"
        raise ScoreError(f"{rule} test on clusters needs two or more", parameter="scores")


def without_clusters(scores: Scores) -> Scores:
    """The same scores, every problem for itself."""
    if scores.clusters is None:
        return scores
    alone = copy.copy(scores)
    object.__setattr__(alone, "clusters", None)
    return alone


def row_unit(scores: Scores) -> str:
    """The unit that a test of these scores takes as independent: "cluster" or "problem"."""
    return "problem" if scores.clusters is None else "cluster"


_PROBLEM = re.compile(r"\b([Pp])roblem(s?)\b")


def of_units(cautions: Iterable[Caution], unit: str) -> tuple[Caution, ...]:
    """Have the cautions on rows that are clusters (folds) say so: "With 4 clusters the smallest p-value …"."""
    if unit == "problem":
        return tuple(cautions)

    def word(match: re.Match[str]) -> str:
        return f"{unit.capitalize() if match[1] == 'P' else unit}{match[2]}"

    return tuple(replace(caution, text=_PROBLEM.sub(word, caution.text)) for caution in cautions)
