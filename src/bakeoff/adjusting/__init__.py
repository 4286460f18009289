"""p-values -> adjusted p-values: arrays in, arrays out."""

from __future__ import annotations

from bakeoff.adjusting.all_pairs import PAIRWISE_ALL as PAIRWISE_ALL
from bakeoff.adjusting.all_pairs import PAIRWISE_METHODS as PAIRWISE_METHODS
from bakeoff.adjusting.all_pairs import adjust_pairwise as adjust_pairwise
from bakeoff.adjusting.one_family import CONTROL_ALL as CONTROL_ALL
from bakeoff.adjusting.one_family import CONTROL_METHODS as CONTROL_METHODS
from bakeoff.adjusting.one_family import adjust as adjust
