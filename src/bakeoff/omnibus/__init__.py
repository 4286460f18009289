"""Does any algorithm differ? One file per many-algorithm test."""

from bakeoff.omnibus.aligned_ranks import aligned_friedman
from bakeoff.omnibus.friedman_ranks import friedman
from bakeoff.omnibus.iman_davenport_f import ImanDavenportResult, iman_davenport
from bakeoff.omnibus.quade_ranks import QuadeResult, quade
from bakeoff.omnibus.repeated_measures import AnovaResult, anova
from bakeoff.omnibus.result import RankTestResult

__all__ = [
    "AnovaResult",
    "ImanDavenportResult",
    "QuadeResult",
    "RankTestResult",
    "aligned_friedman",
    "anova",
    "friedman",
    "iman_davenport",
    "quade",
]
