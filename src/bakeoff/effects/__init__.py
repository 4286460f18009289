"""By how much? One file per effect size, and one record here."""

from bakeoff.effects._a12 import A12Result as A12Result, a12 as a12
from bakeoff.effects._contrast_estimation import (
    ContrastResult as ContrastResult,
    contrast_estimation as contrast_estimation,
)
from bakeoff.effects._hodges_lehmann import HodgesLehmannResult as HodgesLehmannResult, hodges_lehmann as hodges_lehmann
from bakeoff.effects._kendall_w import KendallWResult as KendallWResult, kendall_w as kendall_w
from bakeoff.effects._median_difference import (
    MedianDifferenceResult as MedianDifferenceResult,
    median_difference as median_difference,
)
from bakeoff.effects._rank_biserial import RankBiserialResult as RankBiserialResult, rank_biserial as rank_biserial
from bakeoff.procedures import Procedure, by_name

EFFECTS: dict[str, Procedure] = by_name(
    Procedure(
        "hodges-lehmann",
        "Hodges–Lehmann",
        "the Hodges–Lehmann estimate",
        function=hodges_lehmann,
        cite=("hodgeslehmann1963",),
    ),
    Procedure(
        "median-difference",
        "median difference",
        "the median difference with the interval of the sign test",
        function=median_difference,
        cite=("thompson1936",),
    ),
    Procedure(
        "rank-biserial",
        "rank-biserial",
        "the matched-pairs rank-biserial correlation",
        function=rank_biserial,
        cite=("kerby2014",),
    ),
    Procedure(
        "contrast-estimation",
        "contrast estimation",
        "contrast estimation based on medians",
        function=contrast_estimation,
        cite=("doksum1967",),
    ),
    Procedure(
        "kendall-w", "Kendall's W", "Kendall's coefficient of concordance", function=kendall_w, cite=("kendall1939",)
    ),
)
