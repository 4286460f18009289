"""How good are the procedures themselves? Simulations with known truth: ``bo.study``."""

from __future__ import annotations

import sys

from bakeoff.studies.race_choices import RaceStudy, race
from bakeoff.studies.race_peeking import RaceErrors, race_errors

__all__ = ["RaceErrors", "RaceStudy", "race", "race_errors"]

study = sys.modules[__name__]
