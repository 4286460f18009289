"""Ranks where problems come in clusters: the mean of the ranks within the problems of each, to be ranked again."""

from bakeoff.ranks import doubled_ranks
from bakeoff.scores import Scores
from bakeoff.scores.clusters import cluster_table


def ranks_by_cluster(scores: Scores) -> Scores:
    """A row per cluster of mean within-problem ranks, lower better; without clusters, the scores as they are.

    Clusters are independent and their rows exchangeable where algorithms are alike, so a test on ranks that ranks this
    table keeps its law; scores of different scale do not meet, as they would in a mean of scores.
    """
    return scores if scores.clusters is None else cluster_table(scores, doubled_ranks(scores) / 2.0, "lower")
