"""Is a new build, or a new model, worse than the one before by more than a margin?"""

from bakeoff.analyses.check.statistics._check import check as check, judge as judge
from bakeoff.analyses.check.statistics.results import Check as Check, CheckRow as CheckRow
from bakeoff.analyses.check.statistics.run_set import RunSet as RunSet, Series as Series
