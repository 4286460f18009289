"""A race as a scheduler: the surviving candidates run on a block of problems, then the rule eliminates candidates.

Blocks do not depend on the number of workers. The rule sees a block when all its runs are committed, problem by
problem in the order drawn. So the state of a race depends only on committed blocks, and is restored from the finished
problems of a store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, StoreError
from bakeoff.scores import Array, Better
from bakeoff.wings.run.racing._replay import next_block, tied_costs
from bakeoff.wings.run.racing.record import RaceRecord
from bakeoff.wings.run.racing.results import Stopped
from bakeoff.wings.run.racing.rules.rule import Rule
from bakeoff.wings.run.schedulers.decision import SchedulingDecision, Values
from bakeoff.wings.run.schedulers.score_table import table_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceBlock:
    """The result of a block."""

    number: int  # 1, 2, …
    n_problems: int  # seen by the race after this block
    left: tuple[int, ...]  # survivors, by number, without late candidates that join next
    out: tuple[tuple[int, str, int | None], ...]  # eliminated: candidate, reason, by whom
    evidence: float  # the largest among those that took part
    stopped: Stopped | None  # "one left" also where late candidates then joined


class RaceScheduler:
    """``problems``: by name, in the order drawn; ``runs``: of each candidate on each problem; ``late``: as in
    RaceRecord. The block before a late candidate joins ends there.
    """

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
        late: Mapping[str, int] | None = None,
        clusters: Mapping[str, str] | None = None,
    ) -> None:
        self.record = RaceRecord(rule, algorithms, problem_costs=problem_costs, late=late, clusters=clusters)
        self.problems = problems
        self.place = {name: i for i, name in enumerate(problems)}
        self.runs = runs
        self.better = better
        self.block = block
        self.limit: float | None = None
        self.blocks: list[RaceBlock] = []
        self.fields: list[tuple[int, ...]] = []  # the candidates on each problem up to the current block
        self.stopped: Stopped | None = None
        self._samples: dict[int, Values] = {}
        self._open()

    def _open(self) -> None:
        """Open the next block; its candidates are fixed before any of its runs."""
        self.record.admit_due()
        most = min(self.block, self.record.until_next_late)
        size, self.stopped = next_block(self.record, list(self.problems[len(self.fields) :]), most, self.limit)
        self.fields += [tuple(self.record.rule.alive.tolist())] * size

    def limited(self, limit: float | None) -> RaceScheduler:
        """Begin no further block that would take the cost beyond ``limit``; returns itself."""
        spent = self.record.cost
        if limit is not None and spent > limit * (1.0 + 1e-12):
            raise ParameterError(
                f"must be at least what the race has spent already, {spent:g}; got {limit:g}", parameter="budget"
            )
        self.limit = limit
        if self.stopped is None:  # reopen the current block, which may exceed the limit
            del self.fields[len(self.record.problems) :]
            self._open()
        return self

    def may_begin(self, problem: str) -> bool:
        """Whether the problem is in the current block or an earlier one."""
        return self.place[problem] < len(self.fields)

    def decide(self, problem: str, values: Values) -> SchedulingDecision:
        """The missing runs, repetition by repetition."""
        counts = tuple(map(len, values))
        if not self.may_begin(problem):
            return SchedulingDecision(counts=counts)
        field = self.fields[self.place[problem]]
        plan = tuple(k for repetition in range(self.runs) for k in field if counts[k] <= repetition)
        return (
            SchedulingDecision(counts=counts, plan=plan) if plan else SchedulingDecision(counts=counts, reason="fixed")
        )

    def add(self, problem: str, values: Values) -> None:
        """Add a problem on which all candidates have run."""
        place = self.place[problem]
        field = self.fields[place] if self.may_begin(problem) else ()
        if [k for k, sample in enumerate(values) if sample] != list(field):
            raise StoreError(
                f"on {problem!r} others have run than the survivors of the runs before it: another coordinator's "
                "NumPy or processor differs, or the store has been changed"
            )
        self._samples[place] = [list(values[k]) for k in field]

    def due(self) -> RaceBlock | None:
        """If the current block is complete, show it to the rule."""
        done = len(self.record.problems)
        places = range(done, len(self.fields))
        if not places or not all(place in self._samples for place in places):
            return None
        leaving = self.record.observe(
            self.problems[done : len(self.fields)], self._costs([self._samples.pop(place) for place in places], places)
        )
        rule = self.record.rule
        left = tuple(rule.alive.tolist())
        self._open()
        block = RaceBlock(
            number=len(self.blocks) + 1,
            n_problems=len(self.record.problems),
            left=left,
            out=tuple((e.candidate, e.reason, e.by) for e in leaving),
            evidence=float(rule.last_evidence.max()),
            stopped="one left" if len(left) == 1 else self.stopped,
        )
        self.blocks.append(block)
        return block

    def _costs(self, samples: Sequence[Values], places: range) -> Array:
        """(block, field) means over runs, made equal where they tie."""
        names = tuple(self.record.algorithms[k] for k in self.fields[places[0]])
        return tied_costs(table_of(samples, [self.problems[i] for i in places], names, "mean", self.better))

    @property
    def runs_at_most(self) -> int:
        """Total runs if no further candidate is eliminated; a budget may end the race earlier."""
        field = len(self.record.rule.alive)
        ahead = 0 if self.stopped is not None else len(self.problems) - len(self.record.problems)
        return self.runs * (self.record.evaluations + field * ahead)
