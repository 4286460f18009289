"""The probability that one algorithm is better, and joint statements about all of them: ``bo.bayes``."""

from __future__ import annotations

from bakeoff.bayes.every_pair import PairPosterior
from bakeoff.bayes.friedman_posterior import FriedmanPosterior, friedman
from bakeoff.bayes.joint import JointComparison, compare
from bakeoff.bayes.losses import Decision, decide
from bakeoff.bayes.multilevel import HierarchicalPosterior, hierarchical
from bakeoff.bayes.overviews import Overview, overview
from bakeoff.bayes.resampled import CorrelatedTPosterior, correlated_t
from bakeoff.bayes.signed_ranks import SignedRankPosterior, signed_rank
from bakeoff.bayes.signs import SignPosterior, sign_test
from bakeoff.bayes.standings import RankPosterior, rank_probabilities
from bakeoff.bayes.statements import Statement
from bakeoff.bayes.strengths import StrengthPosterior, bradley_terry
from bakeoff.bayes.two_levels import RepeatedRunsPosterior, repeated_runs
from bakeoff.bayes.unpaired import KruskalWallisPosterior, kruskal_wallis
from bakeoff.bayes.win_tables import WinTable

__all__ = [
    "CorrelatedTPosterior",
    "Decision",
    "FriedmanPosterior",
    "HierarchicalPosterior",
    "JointComparison",
    "KruskalWallisPosterior",
    "Overview",
    "PairPosterior",
    "RankPosterior",
    "RepeatedRunsPosterior",
    "SignPosterior",
    "SignedRankPosterior",
    "Statement",
    "StrengthPosterior",
    "WinTable",
    "bradley_terry",
    "compare",
    "correlated_t",
    "decide",
    "friedman",
    "hierarchical",
    "kruskal_wallis",
    "overview",
    "rank_probabilities",
    "repeated_runs",
    "sign_test",
    "signed_rank",
]
