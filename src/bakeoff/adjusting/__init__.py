"""p-values -> adjusted p-values: arrays in, arrays out."""

from __future__ import annotations

from bakeoff.adjusting._adjust import adjust as adjust
from bakeoff.adjusting._adjust_pairwise import adjust_pairwise as adjust_pairwise
from bakeoff.adjusting.methods import CONTROL_METHODS as CONTROL_METHODS
from bakeoff.adjusting.methods import PAIRWISE_METHODS as PAIRWISE_METHODS
from bakeoff.adjusting.methods import ControlCorrection as ControlCorrection
from bakeoff.adjusting.methods import Correction as Correction
from bakeoff.adjusting.methods import PairwiseCorrection as PairwiseCorrection
