"""The limits of a design: the smallest p-value of any outcome, and the effect that is found with a given power."""

from functools import lru_cache

from bakeoff.dataclass import dataclass
from bakeoff.errors import BakeoffError
from bakeoff.posthoc.attainable import smallest_adjusted_pvalue, smallest_raw_pvalues

POWER = 0.8

_MODELS = {  # pair test -> its name and method in bo.plan
    "wilcoxon": ("wilcoxon", "exact-variance"),
    "sign": ("sign", "exact"),
    "sign-without-ties": ("sign", "exact"),
    "t": ("t", "exact"),
}
_OTHER_LEVELS = ("li", "fdr-by", "nemenyi", "tukey", "dunnett")
"""Corrections that may not reject a pair with p ≤ alpha/m: by other distributions, or by the other p-values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentDesign:
    """The choices made before looking at the scores, which decide what can be found at all."""

    n: int  # units
    k: int
    control: bool
    pairwise: str
    printed_error: float | None = None  # the papers' standard error of mean ranks, if it is in force
    gate: float = 0.0  # the smallest p that the omnibus test of a recipe can give

    def reach(self, method: str, pairwise: str | None = None) -> float:
        """The smallest adjusted p any outcome could have given; a recipe's omnibus test must let it pass, too."""
        test = pairwise or self.pairwise
        printed = self.printed_error if test == self.pairwise else None
        raw = smallest_raw_pvalues(self.n, self.k, self.control, test, printed)
        return max(smallest_adjusted_pvalue(raw, method, self.k, printed is not None), self.gate)


def correction_level(primary: str, alpha: float, n_pairs: int) -> float | None:
    """A p-value up to alpha/m is rejected whatever the other ones are; None where that is not so."""
    if n_pairs == 1:
        return alpha
    return None if primary in _OTHER_LEVELS else alpha / n_pairs


@lru_cache(maxsize=1024)
def detectable_effect(pairwise: str, n: int, level: float) -> float | None:
    """Mean over standard deviation of normal differences that n problems find with ``POWER`` at a two-sided level.

    None for a test that looks at more than the two algorithms, or at right and wrong answers; and where none is found.
    """
    if pairwise not in _MODELS:
        return None
    from bakeoff import plan  # where it is asked for only: compare() itself needs none of it

    test, method = _MODELS[pairwise]
    try:
        return plan.detectable(n, POWER, level, test=test, method=method)  # type: ignore[arg-type]
    except BakeoffError:
        return None
