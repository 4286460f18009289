"""The probability that one algorithm is better, and joint statements about all of them: ``bo.bayes``."""

from __future__ import annotations

from bakeoff.bayes.friedman_posterior import FriedmanPosterior, friedman
from bakeoff.bayes.joint import JointComparison, compare
from bakeoff.bayes.losses import Decision, decide
from bakeoff.bayes.multilevel import HierarchicalPosterior, hierarchical
from bakeoff.bayes.overviews import Overview, PairPosterior, overview
from bakeoff.bayes.resampled import CorrelatedTPosterior, correlated_t
from bakeoff.bayes.signed_ranks import SignedRankPosterior, signed_rank
from bakeoff.bayes.signs import SignPosterior, sign_test
from bakeoff.bayes.standings import RankPosterior, rank_probabilities
from bakeoff.bayes.statements import Statement

__all__ = [
    "CorrelatedTPosterior",
    "Decision",
    "FriedmanPosterior",
    "HierarchicalPosterior",
    "JointComparison",
    "Overview",
    "PairPosterior",
    "RankPosterior",
    "SignPosterior",
    "SignedRankPosterior",
    "Statement",
    "compare",
    "correlated_t",
    "decide",
    "friedman",
    "hierarchical",
    "overview",
    "rank_probabilities",
    "sign_test",
    "signed_rank",
]
