"""bakeoff: which algorithm is better, by how much, how sure are we, and was the experiment large enough?

Names are loaded when first used, so that ``import bakeoff`` costs little more than ``import numpy``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# public name -> the module it lives in; the one list of what is public
_HOME = {
    "Scores": "scores",
    "Caution": "errors",
    "BakeoffError": "errors",
    "read_scores": "reading",
    "datasets": "",
    "bayes": "",
    "plan": "",
    "rank": "ranks",
    "rank_aligned": "ranks",
    "rank_weighted": "ranks",
    "sign_test": "paired",
    "wilcoxon": "paired",
    "paired_t": "paired",
    "friedman": "omnibus",
    "iman_davenport": "omnibus",
    "aligned_friedman": "omnibus",
    "quade": "omnibus",
    "anova": "omnibus",
    "multiple_sign_test": "posthoc",
    "critical_difference": "posthoc",
    "dunnett": "posthoc",
    "tukey": "posthoc",
    "adjust": "adjusting",
    "adjust_pairwise": "adjusting",
    "contrast_estimation": "effects",
    "hodges_lehmann": "effects",
    "rank_biserial": "effects",
    "a12": "effects",
    "kendall_w": "effects",
    "compare": "comparison",
    "Comparison": "comparison",
    "Experiment": "running.design.experiment",
    "Repetitions": "running.design.settings",
    "CommandLine": "running.programs.commands",
    "run": "running.door",
    "race": "running.race_door",
    "study": "studies",
}

if TYPE_CHECKING:
    from bakeoff import bayes as bayes
    from bakeoff import datasets as datasets
    from bakeoff import plan as plan
    from bakeoff.adjusting import adjust as adjust
    from bakeoff.adjusting import adjust_pairwise as adjust_pairwise
    from bakeoff.comparison import Comparison as Comparison
    from bakeoff.comparison import compare as compare
    from bakeoff.effects import a12 as a12
    from bakeoff.effects import contrast_estimation as contrast_estimation
    from bakeoff.effects import hodges_lehmann as hodges_lehmann
    from bakeoff.effects import kendall_w as kendall_w
    from bakeoff.effects import rank_biserial as rank_biserial
    from bakeoff.errors import BakeoffError as BakeoffError
    from bakeoff.errors import Caution as Caution
    from bakeoff.omnibus import aligned_friedman as aligned_friedman
    from bakeoff.omnibus import anova as anova
    from bakeoff.omnibus import friedman as friedman
    from bakeoff.omnibus import iman_davenport as iman_davenport
    from bakeoff.omnibus import quade as quade
    from bakeoff.paired import paired_t as paired_t
    from bakeoff.paired import sign_test as sign_test
    from bakeoff.paired import wilcoxon as wilcoxon
    from bakeoff.posthoc import critical_difference as critical_difference
    from bakeoff.posthoc import dunnett as dunnett
    from bakeoff.posthoc import multiple_sign_test as multiple_sign_test
    from bakeoff.posthoc import tukey as tukey
    from bakeoff.ranks import rank as rank
    from bakeoff.ranks import rank_aligned as rank_aligned
    from bakeoff.ranks import rank_weighted as rank_weighted
    from bakeoff.reading import read_scores as read_scores
    from bakeoff.running.design.experiment import Experiment as Experiment
    from bakeoff.running.design.settings import Repetitions as Repetitions
    from bakeoff.running.door import run as run
    from bakeoff.running.programs.commands import CommandLine as CommandLine
    from bakeoff.running.race_door import race as race
    from bakeoff.scores import Scores as Scores
    from bakeoff.studies import study as study

__all__ = sorted([*_HOME, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'bakeoff' has no attribute {name!r}")
    if not _HOME[name]:
        return importlib.import_module(f"bakeoff.{name}")
    value = getattr(importlib.import_module(f"bakeoff.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
