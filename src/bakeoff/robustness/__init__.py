"""How solid is a verdict of compare()? Other analyses, other problems, other decimals."""

from bakeoff.robustness._sensitivity import sensitivity as sensitivity
from bakeoff.robustness.results import (
    ExaminedComparison as ExaminedComparison,
    Fragility as Fragility,
    Replicability as Replicability,
    SensitivePair as SensitivePair,
    Sensitivity as Sensitivity,
)
