"""A race as a scheduler: block by block of problems, those that are left run on each; the rule then says who leaves.

The block (a heat) is the same whatever the number of workers, and it is shown to the rule when all its runs are
committed, problem by problem in the order of drawing. So a race depends on nothing but committed blocks: fed with the
finished problems of a store it is where it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bakeoff.errors import ParameterError, StoreError
from bakeoff.racing._replay import next_block, tied_costs
from bakeoff.racing.record import RaceRecord
from bakeoff.racing.results import Stopped
from bakeoff.racing.rules.rule import Rule
from bakeoff.running.schedulers.decision import Decision, Values
from bakeoff.running.tables import table_of
from bakeoff.scores import Array, Better


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    """What became of a block."""

    number: int  # 1, 2, …
    n_problems: int  # that the race had seen after it
    left: tuple[int, ...]  # candidates by number
    out: tuple[tuple[int, str, int | None], ...]  # candidate, reason, by whom
    evidence: float  # the largest of those who took part
    stopped: Stopped | None


class Heats:
    """``problems``: by name, in the order of drawing; ``runs`` of each candidate on each problem."""

    pairs: tuple[tuple[int, int], ...] = ()

    def __init__(
        self,
        rule: Rule,
        algorithms: tuple[str, ...],
        problems: tuple[str, ...],
        *,
        runs: int,
        better: Better,
        block: int,
        problem_costs: Mapping[str, float],
    ) -> None:
        self.record = RaceRecord(rule, algorithms, problem_costs=problem_costs)
        self.problems = problems
        self.place = {name: i for i, name in enumerate(problems)}
        self.runs = runs
        self.better = better
        self.block = block
        self.limit: float | None = None
        self.heats: list[Heat] = []
        self.fields: list[tuple[int, ...]] = []  # who runs on each problem up to the block under way
        self.stopped: Stopped | None = None
        self._samples: dict[int, Values] = {}
        self._open()

    def _open(self) -> None:
        """The next block: who runs in it is settled before any of its runs."""
        size, self.stopped = next_block(self.record, list(self.problems[len(self.fields) :]), self.block, self.limit)
        self.fields += [tuple(self.record.rule.alive.tolist())] * size

    def limited(self, limit: float | None) -> Heats:
        """From here on no block is begun that would take the cost beyond ``limit``; itself."""
        spent = self.record.cost
        if limit is not None and spent > limit * (1.0 + 1e-12):
            raise ParameterError(f"budget must be at least what the race has spent already, {spent:g}; got {limit:g}")
        self.limit = limit
        if self.stopped is None:  # the block under way again, which may be beyond
            del self.fields[len(self.record.problems) :]
            self._open()
        return self

    def may_begin(self, problem: str) -> bool:
        """Is it in a block that is open, or was?"""
        return self.place[problem] < len(self.fields)

    def decide(self, problem: str, values: Values) -> Decision:
        """The runs that are missing, repetition by repetition."""
        counts = tuple(map(len, values))
        if not self.may_begin(problem):
            return Decision(counts=counts)
        field = self.fields[self.place[problem]]
        plan = tuple(k for repetition in range(self.runs) for k in field if counts[k] <= repetition)
        return Decision(counts=counts, plan=plan) if plan else Decision(counts=counts, reason="fixed")

    def add(self, problem: str, values: Values) -> None:
        """A problem on which all have run."""
        place = self.place[problem]
        field = self.fields[place] if self.may_begin(problem) else ()
        if [k for k, sample in enumerate(values) if sample] != list(field):
            raise StoreError(
                f"on {problem!r} others have run than those who were left by the runs before it: another coordinator's "
                "NumPy or processor differs, or the store has been changed"
            )
        self._samples[place] = [list(values[k]) for k in field]

    def due(self) -> Heat | None:
        """Show the rule the block under way, if it is complete."""
        done = len(self.record.problems)
        places = range(done, len(self.fields))
        if not places or not all(place in self._samples for place in places):
            return None
        leaving = self.record.observe(
            self.problems[done : len(self.fields)], self._costs([self._samples.pop(place) for place in places], places)
        )
        rule = self.record.rule
        self._open()
        heat = Heat(
            number=len(self.heats) + 1,
            n_problems=len(self.record.problems),
            left=tuple(rule.alive.tolist()),
            out=tuple((e.candidate, e.reason, e.by) for e in leaving),
            evidence=float(rule.last_evidence.max()),
            stopped=self.stopped,
        )
        self.heats.append(heat)
        return heat

    def _costs(self, samples: Sequence[Values], places: range) -> Array:
        """(block, field): means over runs, equal where they tie."""
        names = tuple(self.record.algorithms[k] for k in self.fields[places[0]])
        return tied_costs(table_of(samples, [self.problems[i] for i in places], names, "mean", self.better))

    @property
    def runs_at_most(self) -> int:
        """In all, if nobody else leaves; a budget may end it before."""
        field = len(self.record.rule.alive)
        ahead = 0 if self.stopped is not None else len(self.problems) - len(self.record.problems)
        return self.runs * (self.record.evaluations + field * ahead)
