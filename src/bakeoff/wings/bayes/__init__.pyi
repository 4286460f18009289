from ._compare import JointComparison as JointComparison, compare as compare
from ._correlated_t import CorrelatedTPosterior as CorrelatedTPosterior, correlated_t as correlated_t
from ._decide import Decision as Decision, decide as decide
from ._folds import FoldsPosterior as FoldsPosterior, folds as folds
from ._friedman import FriedmanPosterior as FriedmanPosterior, friedman as friedman
from ._hierarchical import HierarchicalPosterior as HierarchicalPosterior, hierarchical as hierarchical
from ._kruskal_wallis import KruskalWallisPosterior as KruskalWallisPosterior, kruskal_wallis as kruskal_wallis
from ._overview import Overview as Overview, PairPosterior as PairPosterior, overview as overview
from ._plackett_luce import PlackettLucePosterior as PlackettLucePosterior, plackett_luce as plackett_luce
from ._rank_probabilities import RankPosterior as RankPosterior, rank_probabilities as rank_probabilities
from ._repeated_runs import RepeatedRunsPosterior as RepeatedRunsPosterior, repeated_runs as repeated_runs
from ._sign_test import SignPosterior as SignPosterior, sign_test as sign_test
from ._signed_rank import SignedRankPosterior as SignedRankPosterior, signed_rank as signed_rank
from .statements.statement import Statement as Statement
