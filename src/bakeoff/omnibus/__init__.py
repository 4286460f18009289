"""Does any algorithm differ? One file per many-algorithm test."""

from bakeoff.omnibus._aligned_friedman import aligned_friedman
from bakeoff.omnibus._anova import AnovaResult, anova
from bakeoff.omnibus._friedman import friedman
from bakeoff.omnibus._iman_davenport import ImanDavenportResult, iman_davenport
from bakeoff.omnibus._quade import QuadeResult, quade
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
