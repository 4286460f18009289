"""The looks of an experiment under way: taken as soon as they can be, and kept in its store."""

from __future__ import annotations

from bakeoff.running.design.experiment import Experiment
from bakeoff.running.design.question import question_in
from bakeoff.running.design.settings import Statistic
from bakeoff.running.sequential.boundaries import Look
from bakeoff.running.sequential.looks import Looking, Samples
from bakeoff.running.store import Store
from bakeoff.running.store.contents import Contents, contents
from bakeoff.running.tables import named_statistic


class Looks:
    """Of one start of an experiment; what was looked at before is not looked at again."""

    def __init__(self, experiment: Experiment, store: Store) -> None:
        self.store = store
        self.place = {problem: i for i, problem in enumerate(experiment.order)}
        found = contents(store.connection)
        repetitions = experiment.repetitions
        self.looking = filled(found, None if repetitions is None else repetitions.statistic)
        self.known = len(found.looks) - 1  # the last is taken again: it may have been the stop

    @property
    def stopped(self) -> bool:
        return self.looking.stopped_at is not None

    def add(self, problem: int, samples: Samples) -> None:
        """A finished problem, by its number in the experiment."""
        self.looking.add(self.place[problem], samples)

    def look(self) -> bool:
        """Take the looks that are due; is it enough?"""
        for look in self.looking.due(self.known):
            self.store.record_look(look, last=look.n == self.looking.n_problems)
        return self.stopped


def last_look(found: Contents, statistic: Statistic | None = None) -> Look | None:
    """Taken again from what a store holds of the problems that were looked at; None if nothing was."""
    if not found.looks:
        return None
    looking = filled(found, statistic)
    for _ in looking.due(len(found.looks) - 1):
        pass
    return looking.looks[-1]


def filled(found: Contents, statistic: Statistic | None = None) -> Looking:
    """A store's finished problems; ``statistic`` only where that is a function, which no store holds."""
    looking = Looking(
        question_in(found.spec),
        found.algorithms,
        statistic or named_statistic(found),
        found.spec["better"],
        found.n_planned,
    )
    values = found.values()
    for i in found.instances:
        if i.done and i.draw_order is not None:
            looking.add(i.draw_order, values[i.position])
    return looking
