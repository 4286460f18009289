"""The sequence of looks of a sequential experiment, at problems in the order drawn.

Pure: it takes finished problems in any order, and uses each once all those drawn before it are finished. So looks do
not depend on workers or on the order of completion; ``bakeoff verify`` replays them from the store.
"""

from collections.abc import Iterator

import numpy as np

from bakeoff.errors import BakeoffError
from bakeoff.scores import Array, Better, Scores
from bakeoff.wings.run.design.question import Question
from bakeoff.wings.run.design.settings import Statistic
from bakeoff.wings.run.schedulers.decision import Values
from bakeoff.wings.run.schedulers.score_table import can_be_measured, table_of
from bakeoff.wings.run.sequential.boundaries import Look, anytime_evidence, group_evidence, look, look_sizes
from bakeoff.wings.run.sequential.pair_test import compared_scores, pair_differences


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
