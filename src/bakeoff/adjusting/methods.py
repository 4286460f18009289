"""The records of the corrections. A new one is a function beside its kind, and a record here."""

from collections.abc import Callable
from typing import Any, Literal

from bakeoff.adjusting.arithmetic import OfList, Pairs, apply
from bakeoff.adjusting.bergmann_hommel import bergmann_hommel
from bakeoff.adjusting.classical import (
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni,
    finner,
    hochberg,
    holland,
    holm,
    li,
    sidak,
)
from bakeoff.adjusting.shaffer import shaffer, shaffer_dynamic
from bakeoff.adjusting.step_up import closed_simes, rom_exact, rom_printed
from bakeoff.dataclass import dataclass
from bakeoff.procedures import Procedure, by_name
from bakeoff.scores import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentMethod(Procedure):
    """A correction that compare() takes as ``posthoc=``."""

    discovery: bool = False  # controls the false discovery rate, not the family-wise error rate
    nominal: bool = False  # keeps its rate under some hypotheses, or for independent p-values, only
    pooled: bool = False  # starts from the pooled error of an analysis of variance, not from raw p-values
    in_all: bool = True  # computed by posthoc="all"

    @property
    def rate(self) -> str:
        """The error rate that it keeps at alpha, in a sentence."""
        rate = "false discovery rate" if self.discovery else "family-wise error rate"
        return f"nominal {rate}" if self.nominal else rate


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlCorrection(AdjustmentMethod):
    """``function(p, on)``: the p-values of a list in increasing order -> adjusted ones in the same order.

    ``best_case`` says which p-values make the smallest adjusted one smallest: a single tiny p (single-step and
    step-down procedures), all of them tiny (step-up; the safe choice), or one that stands apart (Li's).
    """

    function: OfList
    best_case: Literal["alone", "together", "apart"] = "together"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseCorrection(AdjustmentMethod):
    """``function(pairs)``: adjusted p-values of all pairs, row by row above the diagonal."""

    function: Callable[[Pairs], Array]
    bound: str = "bonferroni"  # correction of a list that adjusts the smallest p alike, where others are 1
    logic: bool = False  # if a is like b, and b like c, it takes a to be like c


def _of_pairs(correction: OfList) -> Callable[[Pairs], Array]:
    """A correction that ignores which hypotheses can be true together."""
    return lambda pairs: apply(correction, pairs.upper, pairs.on)


def _of_list(name: str, short: str, phrase: str, function: OfList, cite: str, **own: Any) -> ControlCorrection:
    return ControlCorrection(name, short, phrase, function=function, cite=(cite,), **own)


CONTROL_METHODS: dict[str, ControlCorrection] = by_name(
    _of_list("bonferroni", "Bonferroni", "the Bonferroni–Dunn correction", bonferroni, "dunn1961", best_case="alone"),
    _of_list("sidak", "Šidák", "the Šidák correction", sidak, "sidak1967", best_case="alone"),
    _of_list("holm", "Holm", "Holm's step-down procedure", holm, "holm1979", best_case="alone"),
    _of_list("holland", "Holland", "Holland & Copenhaver's step-down procedure", holland, "holland1987",
             best_case="alone"),
    _of_list("finner", "Finner", "Finner's step-down procedure", finner, "finner1993", best_case="alone", nominal=True),
    _of_list("hochberg", "Hochberg", "Hochberg's step-up procedure", hochberg, "hochberg1988"),
    _of_list("hommel", "Hommel", "Hommel's procedure", closed_simes, "hommel1988"),
    _of_list("rom", "Rom", "Rom's step-up procedure (exact levels)", rom_exact, "rom1990", nominal=True),
    _of_list("rom-printed", "Rom (printed)", "Rom's procedure with the levels printed in the tutorials", rom_printed,
             "rom1990", nominal=True, in_all=False),
    _of_list("li", "Li", "Li's two-step procedure", li, "li2008", best_case="apart", nominal=True),
    _of_list("fdr-bh", "Benjamini–Hochberg", "the Benjamini–Hochberg procedure", benjamini_hochberg,
             "benjaminihochberg1995", discovery=True, in_all=False),
    _of_list("fdr-by", "Benjamini–Yekutieli", "the Benjamini–Yekutieli procedure", benjamini_yekutieli,
             "benjaminiyekutieli2001", discovery=True, in_all=False),
)  # fmt: skip
"""For a list of p-values, such as every algorithm against one control, in the order in which reports show them."""


def _without_logic(name: str, **own: Any) -> PairwiseCorrection:
    known = CONTROL_METHODS[name]
    also: dict[str, Any] = {"short": known.short, "phrase": known.phrase, "bound": name} | own
    return PairwiseCorrection(name, function=_of_pairs(known.function), cite=known.cite, **also)


def _by_logic(name: str, short: str, phrase: str, function: Callable[[Pairs], Array], cite: str) -> PairwiseCorrection:
    return PairwiseCorrection(name, short, phrase, function=function, cite=(cite,), logic=True)


PAIRWISE_METHODS: dict[str, PairwiseCorrection] = by_name(
    _without_logic("bonferroni", phrase="the Bonferroni correction (number of pairs times p)"),
    # what García & Herrera and Derrac print under this name; compare() means the studentized range by it
    PairwiseCorrection(
        "nemenyi",
        "Nemenyi (m·p)",
        "the number of pairs times p, which Derrac et al. print as Nemenyi's procedure",
        function=_of_pairs(bonferroni),
        cite=("garciaherrera2008",),
        in_all=False,
    ),
    _without_logic("holm"),
    _without_logic("hochberg", nominal=True),  # tests of all pairs do not promise the dependence that they need
    _without_logic("hommel", nominal=True),
    _by_logic("shaffer", "Shaffer", "Shaffer's static procedure", shaffer, "shaffer1986"),
    _by_logic("shaffer-dynamic", "Shaffer (dynamic)", "Shaffer's dynamic procedure", shaffer_dynamic, "shaffer1986"),
    _by_logic(
        "bergmann-hommel",
        "Bergmann–Hommel",
        "the procedure of Bergmann and Hommel",
        bergmann_hommel,
        "bergmannhommel1988",
    ),
)
"""For all pairs of algorithms, in the order in which reports show them."""
