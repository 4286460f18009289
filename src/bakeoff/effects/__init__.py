"""By how much? One file per effect size, and one record here."""

from bakeoff.effects._a12 import A12Result, a12
from bakeoff.effects._contrast_estimation import ContrastResult, contrast_estimation
from bakeoff.effects._hodges_lehmann import HodgesLehmannResult, hodges_lehmann
from bakeoff.effects._kendall_w import KendallWResult, kendall_w
from bakeoff.effects._rank_biserial import RankBiserialResult, rank_biserial
from bakeoff.procedures import Procedure, by_name

EFFECTS: dict[str, Procedure] = by_name(
    Procedure(
        name="hodges-lehmann",
        function=hodges_lehmann,
        short="Hodges–Lehmann",
        phrase="the Hodges–Lehmann estimate",
        cite=("hodgeslehmann1963",),
    ),
    Procedure(
        name="rank-biserial",
        function=rank_biserial,
        short="rank-biserial",
        phrase="the matched-pairs rank-biserial correlation",
        cite=("kerby2014",),
    ),
    Procedure(
        name="contrast-estimation",
        function=contrast_estimation,
        short="contrast estimation",
        phrase="contrast estimation based on medians",
        cite=("doksum1967",),
    ),
    Procedure(
        name="kendall-w",
        function=kendall_w,
        short="Kendall's W",
        phrase="Kendall's coefficient of concordance",
        cite=("kendall1939",),
    ),
)

__all__ = [
    "EFFECTS",
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
