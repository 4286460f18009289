"""How many problems and runs an experiment needs, before it is run: ``bo.plan``."""

from __future__ import annotations

from bakeoff.plan.given_sizes import detectable, power, significance
from bakeoff.plan.sizes import InstancePlan, instances

__all__ = ["InstancePlan", "detectable", "instances", "power", "significance"]
