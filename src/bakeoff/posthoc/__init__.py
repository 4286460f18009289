"""Which ones differ? One file per procedure, and one record of each that compare() knows by ``posthoc=``."""

from bakeoff.posthoc._critical_difference import critical_difference
from bakeoff.posthoc._dunnett import DunnettResult, dunnett
from bakeoff.posthoc._multiple_sign_test import MultipleSignResult, multiple_sign_test
from bakeoff.posthoc._tukey import TukeyResult, tukey
from bakeoff.posthoc.families import FamilyTest, adjusted_by_dunnett, adjusted_by_tukey
from bakeoff.posthoc.nemenyi import nemenyi_pvalues, smallest_nemenyi
from bakeoff.posthoc.pairs import PAIRWISE, RANKINGS
from bakeoff.procedures import by_name

POSTHOC: dict[str, FamilyTest] = by_name(
    FamilyTest(
        name="dunnett",
        function=adjusted_by_dunnett,
        short="Dunnett",
        phrase="Dunnett's many-to-one test",
        cite=("dunnett1955",),
        control=True,
        omnibus="anova",
        pairwise="t",
        pooled=True,
        advice='it follows omnibus="anova" with control=',
    ),
    FamilyTest(
        name="nemenyi-range",
        function=nemenyi_pvalues,
        short="Nemenyi test",
        phrase="the Nemenyi test (studentized range)",
        cite=("nemenyi1963",),
        control=False,
        pairwise="mean-ranks",
        smallest=smallest_nemenyi,
        advice='the studentized range needs all pairs (no control=) and pairwise="mean-ranks"',
    ),
    FamilyTest(
        name="tukey",
        function=adjusted_by_tukey,
        short="Tukey",
        phrase="Tukey's studentized-range test",
        cite=("tukey1949",),
        control=False,
        omnibus="anova",
        pairwise="t",
        pooled=True,
        advice='it follows omnibus="anova" without control=',
    ),
)
"""The tests that adjust for their whole family, beside the corrections of ``bakeoff.adjusting``."""

__all__ = [
    "PAIRWISE",
    "POSTHOC",
    "RANKINGS",
    "DunnettResult",
    "FamilyTest",
    "MultipleSignResult",
    "TukeyResult",
    "critical_difference",
    "dunnett",
    "multiple_sign_test",
    "tukey",
]
