"""How the power of each test is computed: one file per test, one class per method."""

from collections.abc import Callable

from bakeoff.plan.power_models.base import FriedmanChiSquare, PowerModel
from bakeoff.plan.power_models.equivalence_t import EqualByEfficiency, EqualT
from bakeoff.plan.power_models.equivalence_wilcoxon import (
    EqualWilcoxonDraws,
    EqualWilcoxonMoments,
    EqualWilcoxonNoether,
)
from bakeoff.plan.power_models.sign import SignExact
from bakeoff.plan.power_models.t import ByEfficiency, TExact
from bakeoff.plan.power_models.wilcoxon import WilcoxonDraws, WilcoxonMoments, WilcoxonNoether

POWER_MODELS: dict[str, dict[str, Callable[[tuple[int, ...], int], PowerModel]]] = {
    "t": {"exact": lambda seed, k: TExact()},
    "wilcoxon": {
        "simulation": lambda seed, k: WilcoxonDraws(seed),
        "exact-variance": lambda seed, k: WilcoxonMoments(),
        "noether": lambda seed, k: WilcoxonNoether(),
        "are": lambda seed, k: ByEfficiency(860),
    },
    "sign": {"exact": lambda seed, k: SignExact(), "are": lambda seed, k: ByEfficiency(637)},
    "friedman": {"chi2": lambda seed, k: FriedmanChiSquare(k)},
}
"""test -> method -> model, given a seed and the number of algorithms; the first method of a test is its default."""

EQUAL_MODELS: dict[str, dict[str, Callable[[tuple[int, ...], float], PowerModel]]] = {
    "t": {"exact": lambda seed, margin: EqualT(margin)},
    "wilcoxon": {
        "simulation": lambda seed, margin: EqualWilcoxonDraws(seed, margin),
        "exact-variance": lambda seed, margin: EqualWilcoxonMoments(margin),
        "noether": lambda seed, margin: EqualWilcoxonNoether(margin),
        "are": lambda seed, margin: EqualByEfficiency(860, margin),
    },
}
"""The same for two one-sided tests against a margin, given a seed and the margin in units of a row's differences."""
