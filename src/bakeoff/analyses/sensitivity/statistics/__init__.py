"""The sensitivity of compare()'s verdicts to other analyses, other problems, other decimals."""

from bakeoff.analyses.sensitivity.statistics._sensitivity import sensitivity as sensitivity
from bakeoff.analyses.sensitivity.statistics.results import (
    Fragility as Fragility,
    Replicability as Replicability,
    SensitivePair as SensitivePair,
    Sensitivity as Sensitivity,
)
