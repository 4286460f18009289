"""p-values -> adjusted p-values: arrays in, arrays out."""

from __future__ import annotations

from bakeoff.adjusting._adjust import CONTROL_ALL as CONTROL_ALL
from bakeoff.adjusting._adjust import CONTROL_METHODS as CONTROL_METHODS
from bakeoff.adjusting._adjust import adjust as adjust
from bakeoff.adjusting._adjust_pairwise import PAIRWISE_ALL as PAIRWISE_ALL
from bakeoff.adjusting._adjust_pairwise import PAIRWISE_METHODS as PAIRWISE_METHODS
from bakeoff.adjusting._adjust_pairwise import adjust_pairwise as adjust_pairwise
