"""How many problems and runs an experiment needs, before it is run: ``bo.plan``."""

from __future__ import annotations

from bakeoff.plan.curves import PowerCurve, curve
from bakeoff.plan.given_sizes import detectable, power, significance
from bakeoff.plan.pilot_runs import RepetitionPlan, repetitions
from bakeoff.plan.pilot_variance import VarianceComponents, variance_components
from bakeoff.plan.sizes import InstancePlan, instances

__all__ = [
    "InstancePlan",
    "PowerCurve",
    "RepetitionPlan",
    "VarianceComponents",
    "curve",
    "detectable",
    "instances",
    "power",
    "repetitions",
    "significance",
    "variance_components",
]
