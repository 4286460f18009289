"""Running an experiment: which run next, where it runs, and where its result is kept."""

from bakeoff.running.commands import CommandLine as CommandLine
from bakeoff.running.door import run as run
from bakeoff.running.experiment import Experiment as Experiment
from bakeoff.running.race_door import RunRaceResult as RunRaceResult
from bakeoff.running.race_door import race as race
from bakeoff.running.results import RunResult as RunResult
from bakeoff.running.settings import Repetitions as Repetitions
