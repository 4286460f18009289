"""Commands timed side by side: fresh processes in rounds, in random order, until a confidence sequence has decided.

``_time_commands`` measures and ``_time_ratios`` judges, with a look at order and drift; ``confidence_sequence`` is the
arithmetic of the ratio, ``stopwatch`` times one process, ``rounds`` is the loop, ``store`` its file.
"""

from bakeoff.wings.guard.timing._time_commands import time_commands as time_commands
from bakeoff.wings.guard.timing._time_ratios import (
    CommandTimes as CommandTimes,
    TimeRatio as TimeRatio,
    Timing as Timing,
    time_ratios as time_ratios,
)
