"""Schedulers decide which runs come next, one file each; ``decision`` defines their interface."""

from bakeoff.running.schedulers.adaptive import AdaptiveRuns as AdaptiveRuns
from bakeoff.running.schedulers.decision import REASONS as REASONS
from bakeoff.running.schedulers.decision import Scheduler as Scheduler
from bakeoff.running.schedulers.decision import SchedulingDecision as SchedulingDecision
from bakeoff.running.schedulers.fixed import FixedRuns as FixedRuns
