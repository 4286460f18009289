"""The racing rules, one file each: where they are. Everything else walks over these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff.places import Registry

if TYPE_CHECKING:
    from bakeoff.wings.run.racing.rules.rule import Rule

RULES: Registry[type[Rule]] = Registry(
    {
        "e-sign": "wings.run.racing.rules.e_sign:SignRace",
        "e-choose": "wings.run.racing.rules.e_choose:ChooseRace",
        "f-race-sign": "wings.run.racing.rules.f_race:SignFieldRace",
        "f-race-mean-ranks": "wings.run.racing.rules.f_race:MeanRankFieldRace",
        "bayes": "wings.run.racing.rules.bayes:BayesRace",
    }
)
METRIC_RULES: Registry[type[Rule]] = Registry({"e-dominance": "wings.run.racing.rules.e_dominance:DominanceRace"})
"""Rules for several metrics."""
