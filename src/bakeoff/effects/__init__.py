"""By how much? One file per effect size."""

from __future__ import annotations

from bakeoff.effects._a12 import A12Result, a12
from bakeoff.effects._contrast_estimation import ContrastResult, contrast_estimation
from bakeoff.effects._hodges_lehmann import HodgesLehmannResult, hodges_lehmann
from bakeoff.effects._kendall_w import KendallWResult, kendall_w
from bakeoff.effects._rank_biserial import RankBiserialResult, rank_biserial

__all__ = [
    "A12Result",
    "ContrastResult",
    "HodgesLehmannResult",
    "KendallWResult",
    "RankBiserialResult",
    "a12",
    "contrast_estimation",
    "hodges_lehmann",
    "kendall_w",
    "rank_biserial",
]
