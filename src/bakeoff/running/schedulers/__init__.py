"""Which runs next: one file per way of deciding it. ``decision`` says what a scheduler is."""

from bakeoff.running.schedulers.adaptive import AdaptiveRuns as AdaptiveRuns
from bakeoff.running.schedulers.decision import REASONS as REASONS
from bakeoff.running.schedulers.decision import Decision as Decision
from bakeoff.running.schedulers.decision import Scheduler as Scheduler
from bakeoff.running.schedulers.fixed import FixedRuns as FixedRuns
