"""The interim looks of an experiment, taken at problems in the order drawn, and recorded in its store."""

from collections.abc import Iterator

import numpy as np

from bakeoff.errors import BakeoffError
from bakeoff.scores import Array, Better, Scores
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.settings import Question, Statistic, question_in
from bakeoff.wings.run.schedulers.decision import Values
from bakeoff.wings.run.schedulers.score_table import can_be_measured, table_of
from bakeoff.wings.run.sequential.boundaries import (
    Look,
    anytime_evidence,
    compared_scores,
    group_evidence,
    look,
    look_sizes,
    pair_differences,
)
from bakeoff.wings.run.store import Store
from bakeoff.wings.run.store.contents import Contents, StoredLook, contents, stored_statistic

# The sequence of looks of a sequential experiment, at problems in the order drawn.
#
# Pure: it takes finished problems in any order, and uses each once all those drawn before it are finished. So looks do
# not depend on workers or on the order of completion; ``bakeoff verify`` replays them from the store.


class LookSequence:
    """``n_problems``: the total number used by the experiment."""

    def __init__(
        self, question: Question, algorithms: tuple[str, ...], statistic: Statistic, better: Better, n_problems: int
    ) -> None:
        self.question = question
        self.algorithms = algorithms
        self.statistic = statistic
        self.better = better
        self.n_problems = n_problems
        self.sizes = look_sizes(question, n_problems)
        self.pairs = question.pairs(algorithms)
        self.looks: list[Look] = []
        self.samples: dict[int, Values] = {}  # finished problems, by their place in the draw
        self.prefix = 0  # the first ``prefix`` problems are all finished
        self._rows: list[list[float | None]] = []  # anytime: differences of the prefix' usable problems
        self._hopeless = False

    @property
    def stopped_at(self) -> int | None:
        """The number of problems at which it stopped early, if it did."""
        return self.looks[-1].n if self.looks and self.looks[-1].stop else None

    def add(self, place: int, samples: Values) -> None:
        """Add a finished problem, by its place in the draw."""
        self.samples[place] = [list(sample) for sample in samples]
        while self.prefix in self.samples:
            self.prefix += 1

    def due(self, skip: int = 0) -> Iterator[Look]:
        """Take the looks that are due; an anytime rule omits the first ``skip``, which are known not to stop."""
        while self.stopped_at is None and len(self.looks) < len(self.sizes):
            number = len(self.looks) + 1
            n = self.sizes[number - 1]
            if n > self.prefix:
                return
            if self.question.sequential == "anytime" and number <= skip:
                self.looks.append(_passed(number, n, self.question, len(self.pairs)))
                continue
            before = self.looks[-1] if self.looks else None
            next_look = look(number, n, self._evidence(n), self.question, self.n_problems, before)
            self.looks.append(next_look)
            yield next_look

    def _evidence(self, n: int) -> list[tuple[float, float]]:
        if self.question.sequential == "group":
            return group_evidence(self._table(0, n), n, self.question, len(self.pairs), self.n_problems)
        return anytime_evidence(self._differences(n), self.question)

    def _table(self, first: int, n: int) -> Scores | None:
        """The usable problems as Scores, None if there are none: a user's statistic may fail on some."""
        usable = [i for i in range(first, n) if can_be_measured(self.statistic, self.samples[i])]
        rows, names = [self.samples[i] for i in usable], [str(i) for i in usable]
        return table_of(rows, names, self.algorithms, self.statistic, self.better) if rows else None

    def _differences(self, n: int) -> list[Array | None]:
        """Differences of each pair over the first n problems, computed incrementally."""
        while len(self._rows) < n:
            self._rows.append(self._row(len(self._rows)))
        if self._hopeless:
            return [None] * len(self.pairs)
        rows = [row for row in self._rows[:n] if row]
        return [np.array([row[i] for row in rows], dtype=np.float64) for i in range(len(self.pairs))]

    def _row(self, place: int) -> list[float | None]:
        """One problem's differences; empty if it has none (percent of a mean that is not positive)."""
        ordered = self._table(place, place + 1)
        if ordered is None:
            return []
        try:
            table = compared_scores(ordered, self.question)
            return [float(pair_differences(table, a, b, self.question)[0]) for a, b in self.pairs]
        except BakeoffError:
            self._hopeless |= self.question.differences == "simple"  # the test itself will be refused too
            return []


def _passed(number: int, n: int, question: Question, n_pairs: int) -> Look:
    """A look that was taken before this start and did not stop; its p-values are part of every later supremum."""
    ones = np.ones(n_pairs)
    return Look(number=number, n=n, pvalues=ones, adjusted=ones, nominal=ones, threshold=question.alpha, stop=False)


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
        for taken in self.looking.due(self.known):
            self.store.record_look(stored_look(taken, self.looking.n_problems))
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
