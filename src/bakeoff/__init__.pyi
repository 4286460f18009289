from . import datasets as datasets, plan as plan
from ._version import __version__ as __version__
from .adjusting import adjust as adjust, adjust_pairwise as adjust_pairwise
from .analyses.compare.statistics import (
    Comparison as Comparison,
    ScoreTable as ScoreTable,
    compare as compare,
    equivalence as equivalence,
    score_table as score_table,
)
from .analyses.per_problem.statistics import mann_whitney as mann_whitney, per_problem as per_problem
from .analyses.sensitivity.statistics import sensitivity as sensitivity
from .effects import (
    a12 as a12,
    contrast_estimation as contrast_estimation,
    hodges_lehmann as hodges_lehmann,
    kendall_w as kendall_w,
    median_difference as median_difference,
    rank_biserial as rank_biserial,
)
from .errors import BakeoffError as BakeoffError, Caution as Caution
from .figures import diagram as diagram
from .omnibus import (
    aligned_friedman as aligned_friedman,
    anova as anova,
    friedman as friedman,
    iman_davenport as iman_davenport,
    quade as quade,
    skillings_mack as skillings_mack,
)
from .paired import (
    cluster_t as cluster_t,
    mcnemar as mcnemar,
    paired_t as paired_t,
    resampled_t as resampled_t,
    sign_flip as sign_flip,
    sign_test as sign_test,
    wilcoxon as wilcoxon,
)
from .posthoc import (
    critical_difference as critical_difference,
    dunnett as dunnett,
    multiple_sign_test as multiple_sign_test,
    tukey as tukey,
)
from .predictions import read_predictions as read_predictions
from .processes.command_line import CommandLine as CommandLine
from .ranks import rank as rank, rank_aligned as rank_aligned, rank_weighted as rank_weighted
from .reading import read_scores as read_scores
from .scores import Scores as Scores
from .scores.win_table import WinTable as WinTable
from .wings import bayes as bayes, study as study
from .wings.boards.evaluate.statistics import evaluate as evaluate
from .wings.boards.iqm.statistics import interquartile_mean as interquartile_mean
from .wings.boards.leaderboard.statistics import leaderboard as leaderboard
from .wings.boards.ratings._read_battles import Battles as Battles, read_battles as read_battles
from .wings.boards.ratings.statistics import ratings as ratings
from .wings.boards.tradeoff.statistics import tradeoff as tradeoff
from .wings.curves.curves.statistics import curves as curves
from .wings.curves.profile.statistics import profile as profile
from .wings.curves.runtimes.statistics import runtimes as runtimes
from .wings.formats._read_results import read_results as read_results
from .wings.guard.check.statistics import check as check
from .wings.guard.check.statistics._check_commands import check_commands as check_commands
from .wings.guard.history.statistics import change_points as change_points
from .wings.guard.timing import time_commands as time_commands, time_ratios as time_ratios
from .wings.run._merge_stores import merge_stores as merge_stores
from .wings.run._race import race as race
from .wings.run._run import run as run
from .wings.run._run_part import run_part as run_part
from .wings.run.design.experiment import Experiment as Experiment
from .wings.run.design.settings import Repetitions as Repetitions
from .wings.verify._verify import verify as verify
