"""The records of the corrections. A new one is a function beside its kind, and a record here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from bakeoff.adjusting import classical, step_up
from bakeoff.adjusting.arithmetic import OfList, Pairs, apply
from bakeoff.adjusting.bergmann_hommel import bergmann_hommel
from bakeoff.adjusting.shaffer import shaffer, shaffer_dynamic
from bakeoff.adjusting.step_up import closed_simes
from bakeoff.procedures import Procedure, by_name
from bakeoff.scores import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentMethod(Procedure):
    """What compare() can be asked for by ``posthoc=``."""

    discovery: bool = False  # controls the false discovery rate, not the family-wise error rate
    nominal: bool = False  # keeps its rate under some hypotheses, or for independent p-values, only
    pooled: bool = False  # starts from the pooled error of an analysis of variance, not from raw p-values
    in_all: bool = True  # computed by posthoc="all"

    @property
    def rate(self) -> str:
        """What it keeps at alpha, in a sentence."""
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


CONTROL_METHODS: dict[str, ControlCorrection] = by_name(
    ControlCorrection(
        "bonferroni",
        "Bonferroni",
        "the Bonferroni–Dunn correction",
        function=classical.bonferroni,
        cite=("dunn1961",),
        best_case="alone",
    ),
    ControlCorrection(
        "sidak", "Šidák", "the Šidák correction", function=classical.sidak, cite=("sidak1967",), best_case="alone"
    ),
    ControlCorrection(
        "holm", "Holm", "Holm's step-down procedure", function=classical.holm, cite=("holm1979",), best_case="alone"
    ),
    ControlCorrection(
        "holland",
        "Holland",
        "Holland & Copenhaver's step-down procedure",
        function=classical.holland,
        cite=("holland1987",),
        best_case="alone",
    ),
    ControlCorrection(
        "finner",
        "Finner",
        "Finner's step-down procedure",
        function=classical.finner,
        cite=("finner1993",),
        best_case="alone",
        nominal=True,
    ),
    ControlCorrection(
        "hochberg", "Hochberg", "Hochberg's step-up procedure", function=classical.hochberg, cite=("hochberg1988",)
    ),
    ControlCorrection("hommel", "Hommel", "Hommel's procedure", function=closed_simes, cite=("hommel1988",)),
    ControlCorrection(
        "rom",
        "Rom",
        "Rom's step-up procedure (exact levels)",
        function=step_up.rom_exact,
        cite=("rom1990",),
        nominal=True,
    ),
    ControlCorrection(
        "rom-printed",
        "Rom (printed)",
        "Rom's procedure with the levels printed in the tutorials",
        function=step_up.rom_printed,
        cite=("rom1990",),
        nominal=True,
        in_all=False,
    ),
    ControlCorrection(
        "li", "Li", "Li's two-step procedure", function=classical.li, cite=("li2008",), best_case="apart", nominal=True
    ),
    ControlCorrection(
        "fdr-bh",
        "Benjamini–Hochberg",
        "the Benjamini–Hochberg procedure",
        function=classical.benjamini_hochberg,
        cite=("benjaminihochberg1995",),
        discovery=True,
        in_all=False,
    ),
    ControlCorrection(
        "fdr-by",
        "Benjamini–Yekutieli",
        "the Benjamini–Yekutieli procedure",
        function=classical.benjamini_yekutieli,
        cite=("benjaminiyekutieli2001",),
        discovery=True,
        in_all=False,
    ),
)
"""For a list of p-values, such as every algorithm against one control, in the order in which reports show them."""


def _without_logic(name: str, *, nominal: bool = False) -> PairwiseCorrection:
    known = CONTROL_METHODS[name]
    return PairwiseCorrection(
        name,
        known.short,
        known.phrase,
        function=_of_pairs(known.function),
        cite=known.cite,
        bound=name,
        nominal=nominal,
    )


PAIRWISE_METHODS: dict[str, PairwiseCorrection] = by_name(
    PairwiseCorrection(
        "bonferroni",
        "Bonferroni",
        "the Bonferroni correction (number of pairs times p)",
        function=_of_pairs(classical.bonferroni),
        cite=("dunn1961",),
    ),
    # what García & Herrera and Derrac print under this name; compare() means the studentized range by it
    PairwiseCorrection(
        "nemenyi",
        "Nemenyi (m·p)",
        "the number of pairs times p, which Derrac et al. print as Nemenyi's procedure",
        function=_of_pairs(classical.bonferroni),
        cite=("garciaherrera2008",),
        in_all=False,
    ),
    _without_logic("holm"),
    _without_logic("hochberg", nominal=True),  # tests of all pairs do not promise the dependence that they need
    _without_logic("hommel", nominal=True),
    PairwiseCorrection(
        "shaffer", "Shaffer", "Shaffer's static procedure", function=shaffer, cite=("shaffer1986",), logic=True
    ),
    PairwiseCorrection(
        "shaffer-dynamic",
        "Shaffer (dynamic)",
        "Shaffer's dynamic procedure",
        function=shaffer_dynamic,
        cite=("shaffer1986",),
        logic=True,
    ),
    PairwiseCorrection(
        "bergmann-hommel",
        "Bergmann–Hommel",
        "the procedure of Bergmann and Hommel",
        function=bergmann_hommel,
        cite=("bergmannhommel1988",),
        logic=True,
    ),
)
"""For all pairs of algorithms, in the order in which reports show them."""
