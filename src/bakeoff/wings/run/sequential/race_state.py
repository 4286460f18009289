"""A running race: complete blocks are shown to the rule, and its decisions recorded in the store."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from bakeoff.errors import StoreError
from bakeoff.wings.run.design.draw_order import several_in_one
from bakeoff.wings.run.design.race_settings import RacedExperiment, settings_in
from bakeoff.wings.run.progress import RaceProgress
from bakeoff.wings.run.schedulers.decision import Values
from bakeoff.wings.run.schedulers.race_scheduler import RaceBlock, RaceScheduler
from bakeoff.wings.run.store import Store
from bakeoff.wings.run.store.contents import Contents, Instance, StoredLook, contents

_BLOCK = "the race's block"


class RaceState:
    """The race in one start of an experiment, restored by replaying the complete blocks."""

    def __init__(self, experiment: RacedExperiment, store: Store) -> None:
        self.experiment = experiment
        self.store = store
        names = experiment.problem_names
        self.scheduler = race_scheduler_of(json.loads(experiment.spec_json), [names[i] for i in experiment.order])
        stored = contents(store.connection)
        feed(self.scheduler, stored)
        self.scheduler.limited(experiment.race.budget)
        for block, kept in zip(self.scheduler.blocks, stored.looks, strict=False):
            self._look(block).refuse_other(kept, _BLOCK)
        if len(stored.looks) > len(self.scheduler.blocks):
            raise StoreError("the store is damaged: runs are missing that decisions of the race depend on")
        self._unrecorded = self.scheduler.blocks[len(stored.looks) :]  # complete but unrecorded when it was killed

    @property
    def stopped(self) -> bool:
        return self.scheduler.stopped is not None

    def may_begin(self, problem: int) -> bool:
        """Whether the problem's block is open; until then its candidates are not fixed."""
        return self.scheduler.may_begin(self.experiment.problem_names[problem])

    def add(self, problem: int, values: Values) -> None:
        self.scheduler.add(self.experiment.problem_names[problem], values)

    def look(self) -> bool:
        """Show complete blocks to the rule; whether the race is over."""
        new, self._unrecorded = self._unrecorded, []
        while (block := self.scheduler.due()) is not None:
            new.append(block)
        for block in new:
            self.store.record_look(self._look(block), _BLOCK)
        return self.stopped

    def _look(self, block: RaceBlock) -> StoredLook:
        return block_as_look(block, self.scheduler.record.rule.threshold)


def progress_of_race(scheduler: RaceScheduler) -> RaceProgress:
    """The state of a race after its last complete block."""
    record = scheduler.record
    rule = record.rule
    return RaceProgress(
        method=rule.name,
        measure=rule.measure,
        threshold=rule.threshold,
        n_candidates=rule.n_candidates,
        survivors=tuple(zip(record.alive, rule.evidence.tolist(), strict=True)),
        last_out=tuple((e.algorithm, e.reason, e.n_problems) for e in record.eliminated[-3:]),
        n_blocks=len(scheduler.blocks),
        n_problems=len(record.problems),
        evaluations=record.evaluations,
        full_evaluations=record.full_evaluations(len(scheduler.problems)),
    )


def block_as_look(block: RaceBlock, threshold: float | None) -> StoredLook:
    """A block as recorded in the store."""
    # reaching the budget is not recorded: it may be raised
    then = "go on" if block.stopped in (None, "budget") else block.stopped
    verdict = json.dumps({"left": block.left, "out": block.out, "then": then}, separators=(",", ":"))
    return StoredLook(block.number, block.n_problems, block.evidence, threshold, verdict)


def race_scheduler_of(spec: Mapping[str, Any], problems: Iterable[str]) -> RaceScheduler:
    """A new race, from the description of its experiment. Late candidates are the last, in the order they join in."""
    race, algorithms = settings_in(spec), [algorithm["name"] for algorithm in spec["algorithms"]]
    starting = tuple(name for name in algorithms if name not in race.late)
    return RaceScheduler(
        race.rule(len(starting)),
        starting,
        tuple(problems),
        runs=int(spec["runs"]),
        better=spec["better"],
        block=race.block,
        problem_costs=race.problem_costs,
        late={name: race.late[name] for name in algorithms if name in race.late},
        clusters=several_in_one(spec.get("clusters")),
    )


def feed(scheduler: RaceScheduler, stored: Contents) -> None:
    """Show the rule every complete block of a store, in order, and keep the finished problems of the next."""
    values = stored.values()
    for instance in drawn(stored):
        if instance.done:
            scheduler.add(instance.name, values[instance.position])
            scheduler.due()


def drawn(stored: Contents) -> list[Instance]:
    """The problems used, in the order drawn."""
    places = [(i.draw_order, i) for i in stored.instances if i.draw_order is not None]
    return [instance for _, instance in sorted(places, key=lambda place: place[0])]


def stored_race_scheduler(stored: Contents, budget: float | None = None) -> RaceScheduler:
    """The state of a stored race."""
    scheduler = race_scheduler_of(stored.spec, [i.name for i in drawn(stored)])
    feed(scheduler, stored)
    return scheduler.limited(budget)
