"""Which ones differ? One file per procedure."""

from __future__ import annotations

from bakeoff.posthoc._critical_difference import critical_difference as critical_difference
from bakeoff.posthoc._dunnett import DunnettResult as DunnettResult
from bakeoff.posthoc._dunnett import dunnett as dunnett
from bakeoff.posthoc._multiple_sign_test import MultipleSignResult as MultipleSignResult
from bakeoff.posthoc._multiple_sign_test import multiple_sign_test as multiple_sign_test
from bakeoff.posthoc._tukey import TukeyResult as TukeyResult
from bakeoff.posthoc._tukey import tukey as tukey
