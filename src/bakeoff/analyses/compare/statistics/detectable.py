"""Which effect could this comparison have found? The power of its pair test at the level of its correction."""

from functools import lru_cache

from bakeoff.errors import BakeoffError

POWER = 0.8

_MODELS = {  # pair test -> its name and method in bo.plan
    "wilcoxon": ("wilcoxon", "exact-variance"),
    "sign": ("sign", "exact"),
    "sign-without-ties": ("sign", "exact"),
    "t": ("t", "exact"),
}
_OTHER_LEVELS = ("li", "fdr-by", "nemenyi", "tukey", "dunnett")
"""Corrections that may not reject a pair with p ≤ alpha/m: by other distributions, or by the other p-values."""


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
