"""Does any algorithm differ? One file per many-algorithm test, and one record here."""

from bakeoff.omnibus._aligned_friedman import aligned_friedman as aligned_friedman
from bakeoff.omnibus._anova import AnovaResult as AnovaResult, anova as anova
from bakeoff.omnibus._friedman import friedman as friedman, friedman_of_ranks
from bakeoff.omnibus._iman_davenport import (
    ImanDavenportResult as ImanDavenportResult,
    iman_davenport as iman_davenport,
    iman_davenport_of_ranks,
)
from bakeoff.omnibus._quade import QuadeResult as QuadeResult, centred_ranks, quade as quade
from bakeoff.omnibus._skillings_mack import (
    SkillingsMackResult as SkillingsMackResult,
    by_quick_permutations as by_quick_permutations,
    skillings_mack as skillings_mack,
)
from bakeoff.omnibus.result import OmnibusTest as OmnibusTest, RankTestResult as RankTestResult
from bakeoff.procedures import by_name
from bakeoff.ranks import doubled_aligned_ranks, doubled_ranks

OMNIBUS: dict[str, OmnibusTest] = by_name(
    OmnibusTest(
        "iman-davenport",
        "Iman–Davenport",
        "the Iman–Davenport extension of the Friedman test",
        function=iman_davenport,
        permuted=doubled_ranks,
        cite=("friedman1937", "imandavenport1980"),
        reason="the papers' choice (Demšar 2006, section 3.2.2)",
        of_ranks=(iman_davenport_of_ranks, friedman_of_ranks),
    ),
    OmnibusTest(
        "friedman",
        "Friedman",
        "the Friedman test",
        function=friedman,
        permuted=doubled_ranks,
        of_ranks=(friedman_of_ranks,),
        cite=("friedman1937",),
        symbol="χ²",
    ),
    OmnibusTest(
        "aligned",
        "Friedman aligned ranks",
        "the Friedman aligned ranks test",
        function=aligned_friedman,
        permuted=doubled_aligned_ranks,
        cite=("hodgeslehmann1962",),
        symbol="χ²",
        ranking="aligned",
        differences=True,
    ),
    OmnibusTest(
        "quade",
        "Quade",
        "the Quade test",
        function=quade,
        permuted=centred_ranks,
        cite=("quade1979",),
        ranking="quade",
        differences=True,
    ),
    OmnibusTest(
        "anova",
        "Repeated-measures ANOVA",
        "repeated-measures analysis of variance",
        function=anova,
        cite=("fisher1925",),
        takes_ties=False,
        differences=True,
    ),
    OmnibusTest(
        "skillings-mack",
        "Skillings–Mack",
        "the Skillings–Mack test",
        function=skillings_mack,
        cite=("skillingsmack1981",),
        symbol="T",
        takes_ties=False,
        reason="asked for: takes missing scores; without any it is Friedman's test corrected for ties",
    ),
)
"""The tests that ``compare(omnibus=...)`` knows."""
