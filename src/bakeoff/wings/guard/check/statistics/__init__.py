"""Is a new build, or a new model, worse than the one before by more than a margin?"""

from bakeoff.wings.guard.check.statistics._check import check as check, judge as judge
from bakeoff.wings.guard.check.statistics.results import (
    Check as Check,
    CheckRow as CheckRow,
    mean_estimated as mean_estimated,
)
from bakeoff.wings.guard.check.statistics.run_set import RunSet as RunSet, Series as Series
