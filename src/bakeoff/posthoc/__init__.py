"""Which ones differ? One file per procedure."""

from __future__ import annotations

from bakeoff.posthoc.mean_rank_range import critical_difference as critical_difference
from bakeoff.posthoc.pooled_means import DunnettResult as DunnettResult
from bakeoff.posthoc.pooled_means import TukeyResult as TukeyResult
from bakeoff.posthoc.pooled_means import dunnett as dunnett
from bakeoff.posthoc.pooled_means import tukey as tukey
from bakeoff.posthoc.signs_against_control import MultipleSignResult as MultipleSignResult
from bakeoff.posthoc.signs_against_control import multiple_sign_test as multiple_sign_test
