"""The ways to compute the power of each test: one file per test, one model per method."""

from collections.abc import Callable

from bakeoff.plan.power_models.base import ByEfficiency, PowerModel, friedman
from bakeoff.plan.power_models.equivalence_t import equal_t
from bakeoff.plan.power_models.equivalence_wilcoxon import equal_moments, equal_noether, equal_simulation
from bakeoff.plan.power_models.sign import SignExact
from bakeoff.plan.power_models.t import T_TEST
from bakeoff.plan.power_models.wilcoxon import WILCOXON_MOMENTS, WILCOXON_NOETHER, wilcoxon_simulation

POWER_MODELS: dict[str, dict[str, Callable[[tuple[int, ...], int], PowerModel]]] = {
    "t": {"exact": lambda seed, k: T_TEST},
    "wilcoxon": {
        "simulation": lambda seed, k: wilcoxon_simulation(seed),
        "exact-variance": lambda seed, k: WILCOXON_MOMENTS,
        "noether": lambda seed, k: WILCOXON_NOETHER,
        "are": lambda seed, k: ByEfficiency(860, T_TEST),
    },
    "sign": {"exact": lambda seed, k: SignExact(), "are": lambda seed, k: ByEfficiency(637, T_TEST)},
    "friedman": {"chi2": lambda seed, k: friedman(k)},
}
"""test -> method -> model, given a seed and the number of algorithms; the first method of a test is its default."""

EQUAL_MODELS: dict[str, dict[str, Callable[[tuple[int, ...], float], PowerModel]]] = {
    "t": {"exact": lambda seed, margin: equal_t(margin)},
    "wilcoxon": {
        "simulation": equal_simulation,
        "exact-variance": lambda seed, margin: equal_moments(margin),
        "noether": lambda seed, margin: equal_noether(margin),
        "are": lambda seed, margin: ByEfficiency(860, equal_t(margin)),
    },
}
"""The same for two one-sided tests against a margin, given a seed and the margin in units of a row's differences."""
