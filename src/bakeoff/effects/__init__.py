"""By how much? One file per effect size."""

from __future__ import annotations

from bakeoff.effects.biserial import RankBiserialResult, rank_biserial
from bakeoff.effects.concordance import KendallWResult, kendall_w
from bakeoff.effects.contrast import ContrastResult, contrast_estimation
from bakeoff.effects.shift import HodgesLehmannResult, hodges_lehmann
from bakeoff.effects.superiority import A12Result, a12

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
