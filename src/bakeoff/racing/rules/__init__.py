"""The racing rules, one file each: where they are. Everything else walks over these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff.places import Registry

if TYPE_CHECKING:
    from bakeoff.racing.rules.rule import Rule

RULES: Registry[type[Rule]] = Registry(
    {
        "e-sign": "racing.rules.e_sign:SignRace",
        "e-choose": "racing.rules.e_choose:ChooseRace",
        "f-race-sign": "racing.rules.f_race:SignFieldRace",
        "f-race-mean-ranks": "racing.rules.f_race:MeanRankFieldRace",
        "bayes": "racing.rules.bayes:BayesRace",
    }
)
METRIC_RULES: Registry[type[Rule]] = Registry({"e-dominance": "racing.rules.e_dominance:DominanceRace"})
"""Rules for several metrics."""
