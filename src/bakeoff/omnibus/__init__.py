"""Does any algorithm differ? One file per many-algorithm test."""

from bakeoff.omnibus.aligned_test import aligned_friedman
from bakeoff.omnibus.anova_test import AnovaResult, anova
from bakeoff.omnibus.friedman_test import friedman
from bakeoff.omnibus.iman_davenport_test import ImanDavenportResult, iman_davenport
from bakeoff.omnibus.quade_test import QuadeResult, quade
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
