"""The looks of a running experiment, taken as soon as they are due and recorded in its store."""

from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.question import question_in
from bakeoff.wings.run.design.settings import Statistic
from bakeoff.wings.run.schedulers.decision import Values
from bakeoff.wings.run.sequential.boundaries import Look
from bakeoff.wings.run.sequential.looks import LookSequence
from bakeoff.wings.run.store import Store
from bakeoff.wings.run.store.contents import Contents, StoredLook, contents
from bakeoff.wings.run.store.scores import stored_statistic


class LookState:
    """The looks of one start of an experiment; recorded looks are not repeated."""

    def __init__(self, experiment: Experiment, store: Store) -> None:
        self.store = store
        self.place = {problem: i for i, problem in enumerate(experiment.order)}
        stored = contents(store.connection)
        repetitions = experiment.repetitions
        self.looking = look_sequence_of(stored, None if repetitions is None else repetitions.statistic)
        self.known = len(stored.looks) - 1  # the last is repeated: it may have been the stop

    @property
    def stopped(self) -> bool:
        return self.looking.stopped_at is not None

    def add(self, problem: int, samples: Values) -> None:
        """Add a finished problem, by its number in the experiment."""
        self.looking.add(self.place[problem], samples)

    def look(self) -> bool:
        """Take the looks that are due; whether the experiment stops."""
        for look in self.looking.due(self.known):
            self.store.record_look(stored_look(look, self.looking.n_problems))
        return self.stopped


def stored_look(look: Look, n_problems: int) -> StoredLook:
    """A look as the store keeps it, in an experiment of ``n_problems``."""
    verdict = "stop" if look.stop else "end" if look.n == n_problems else "go on"
    return StoredLook(look.number, look.n, look.statistic, look.threshold, verdict)


def last_look(stored: Contents, statistic: Statistic | None = None) -> Look | None:
    """The last look, recomputed from the store; None if there was none."""
    if not stored.looks or question_in(stored.spec).sequential is None:
        return None
    looking = look_sequence_of(stored, statistic)
    for _ in looking.due(len(stored.looks) - 1):
        pass
    return looking.looks[-1]


def look_sequence_of(stored: Contents, statistic: Statistic | None = None) -> LookSequence:
    """The looks at a store's finished problems; ``statistic`` only if it is a function, which no store contains."""
    looking = LookSequence(
        question_in(stored.spec),
        stored.algorithms,
        statistic or stored_statistic(stored),
        stored.spec["better"],
        stored.n_planned,
    )
    values = stored.values()
    for i in stored.instances:
        if i.done and i.draw_order is not None:
            looking.add(i.draw_order, values[i.position])
    return looking
