"""Which ones differ? One file per procedure, and one record of each that compare() knows by ``posthoc=``."""

from typing import Any

from bakeoff.posthoc._critical_difference import critical_difference as critical_difference
from bakeoff.posthoc._dunnett import DunnettResult as DunnettResult, dunnett as dunnett
from bakeoff.posthoc._multiple_sign_test import (
    MultipleSignResult as MultipleSignResult,
    multiple_sign_test as multiple_sign_test,
)
from bakeoff.posthoc._tukey import TukeyResult as TukeyResult, tukey as tukey
from bakeoff.posthoc.pairs import (
    OF_FOLDS as OF_FOLDS,
    PAIR_TESTS as PAIR_TESTS,
    PAIRWISE as PAIRWISE,
    RANKINGS as RANKINGS,
    FamilyTest as FamilyTest,
    adjusted_by_dunnett,
    adjusted_by_tukey,
    nemenyi_pvalues,
    smallest_nemenyi,
)
from bakeoff.procedures import by_name

_OF_MEANS: dict[str, Any] = {"omnibus": "anova", "pairwise": "t", "pooled": True}

POSTHOC: dict[str, FamilyTest] = by_name(
    FamilyTest(
        "dunnett",
        "Dunnett",
        "Dunnett's many-to-one test",
        function=adjusted_by_dunnett,
        cite=("dunnett1955",),
        control=True,
        advice='it needs omnibus="anova", control= and pairwise="t" (or no pairwise=)',
        **_OF_MEANS,
    ),
    FamilyTest(
        "nemenyi",
        "Nemenyi test",
        "the Nemenyi test (studentized range)",
        function=nemenyi_pvalues,
        cite=("nemenyi1963",),
        control=False,
        pairwise="mean-ranks",
        smallest=smallest_nemenyi,
        advice='the studentized range needs all pairs (no control=) and pairwise="mean-ranks" (or no pairwise=)',
    ),
    FamilyTest(
        "tukey",
        "Tukey",
        "Tukey's studentized-range test",
        function=adjusted_by_tukey,
        cite=("tukey1949",),
        control=False,
        advice='it needs omnibus="anova", no control=, and pairwise="t" (or no pairwise=)',
        **_OF_MEANS,
    ),
)
"""The tests that adjust for their whole family, beside the corrections of ``bakeoff.adjusting``."""

ALIASES = {"nemenyi-range": "nemenyi"}
"""Other names that ``posthoc=`` takes."""
