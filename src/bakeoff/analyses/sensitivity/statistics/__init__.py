"""How solid is a verdict of compare()? Other analyses, other problems, other decimals."""

from bakeoff.analyses.sensitivity.statistics._sensitivity import sensitivity as sensitivity
from bakeoff.analyses.sensitivity.statistics.results import (
    Fragility as Fragility,
    Replicability as Replicability,
    SensitivePair as SensitivePair,
    Sensitivity as Sensitivity,
)
