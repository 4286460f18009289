"""Does any algorithm differ? One file per many-algorithm test, and one record here."""

from bakeoff.omnibus._aligned_friedman import aligned_friedman
from bakeoff.omnibus._anova import AnovaResult, anova
from bakeoff.omnibus._friedman import friedman
from bakeoff.omnibus._iman_davenport import ImanDavenportResult, iman_davenport
from bakeoff.omnibus._quade import QuadeResult, quade
from bakeoff.omnibus.result import OmnibusTest, RankTestResult
from bakeoff.procedures import by_name

OMNIBUS: dict[str, OmnibusTest] = by_name(
    OmnibusTest(
        name="iman-davenport",
        function=iman_davenport,
        short="Iman–Davenport",
        phrase="the Iman–Davenport extension of the Friedman test",
        cite=("friedman1937", "imandavenport1980"),
        reason="less conservative than Friedman's χ² (Demšar 2006, section 3.2.2)",
        companion=friedman,
    ),
    OmnibusTest(
        name="friedman",
        function=friedman,
        short="Friedman",
        phrase="the Friedman test",
        cite=("friedman1937",),
        symbol="χ²",
    ),
    OmnibusTest(
        name="aligned",
        function=aligned_friedman,
        short="Friedman aligned ranks",
        phrase="the Friedman aligned ranks test",
        cite=("hodgeslehmann1962",),
        symbol="χ²",
        pairwise="aligned",
    ),
    OmnibusTest(
        name="quade", function=quade, short="Quade", phrase="the Quade test", cite=("quade1979",), pairwise="quade"
    ),
    OmnibusTest(
        name="anova",
        function=anova,
        short="Repeated-measures ANOVA",
        phrase="repeated-measures analysis of variance",
        cite=("fisher1925",),
        pairwise="t",
        takes_ties=False,
    ),
)
"""The tests that ``compare(omnibus=...)`` knows."""

__all__ = [
    "OMNIBUS",
    "AnovaResult",
    "ImanDavenportResult",
    "OmnibusTest",
    "QuadeResult",
    "RankTestResult",
    "aligned_friedman",
    "anova",
    "friedman",
    "iman_davenport",
    "quade",
]
