"""p-values -> adjusted p-values: arrays in, arrays out."""

from bakeoff.adjusting._adjust import adjust as adjust
from bakeoff.adjusting._adjust_pairwise import adjust_pairwise as adjust_pairwise
from bakeoff.adjusting.methods import (
    CONTROL_METHODS as CONTROL_METHODS,
    PAIRWISE_METHODS as PAIRWISE_METHODS,
    AdjustmentMethod as AdjustmentMethod,
    ControlCorrection as ControlCorrection,
    PairwiseCorrection as PairwiseCorrection,
)
