"""A running race: complete blocks are shown to the rule, and its decisions recorded in the store."""

import json
from collections.abc import Mapping

from bakeoff.errors import StoreError
from bakeoff.scores import Better
from bakeoff.wings.run.design.draw_order import clusters_in, several_in_one
from bakeoff.wings.run.design.race_settings import RacedExperiment, RaceSettings
from bakeoff.wings.run.progress import RaceProgress
from bakeoff.wings.run.schedulers.decision import Values
from bakeoff.wings.run.schedulers.race_scheduler import RaceBlock, RaceScheduler
from bakeoff.wings.run.store import Store
from bakeoff.wings.run.store.contents import Contents, Instance, contents

LookRow = tuple[int, int, float, float | None, str]  # a row of the table look


class RaceState:
    """The race in one start of an experiment, restored by replaying the complete blocks."""

    def __init__(self, experiment: RacedExperiment, store: Store) -> None:
        self.experiment = experiment
        self.store = store
        names = experiment.problem_names
        self.scheduler = race_scheduler_of(
            experiment.race,
            experiment.algorithm_names,
            tuple(names[i] for i in experiment.order),
            experiment.runs or 1,
            experiment.better,
            experiment.cluster_of,
        )
        stored = contents(store.connection)
        feed(self.scheduler, stored)
        self.scheduler.limited(experiment.race.budget)
        for block, kept in zip(self.scheduler.blocks, stored.looks, strict=False):
            _same(look_row(block, self.scheduler.record.rule.threshold), kept)
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
            self._record(block)
        return self.stopped

    def _record(self, block: RaceBlock) -> None:
        row = look_row(block, self.scheduler.record.rule.threshold)
        with self.store.transaction() as cursor:
            cursor.execute("INSERT INTO look VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
            if cursor.rowcount == 0:  # another coordinator was first
                _same(row, cursor.execute("SELECT * FROM look WHERE k = ?", row[:1]).fetchone())

    def progress(self) -> RaceProgress:
        record = self.scheduler.record
        rule = record.rule
        evidence = rule.evidence.tolist()
        return RaceProgress(
            method=rule.name,
            measure=rule.measure,
            threshold=rule.threshold,
            n_candidates=rule.n_candidates,
            survivors=tuple(zip(record.alive, evidence, strict=True)),
            last_out=tuple((e.algorithm, e.reason, e.n_problems) for e in record.eliminated[-3:]),
            n_blocks=len(self.scheduler.blocks),
            n_problems=len(record.problems),
            evaluations=record.evaluations,
            full_evaluations=record.full_evaluations(len(self.scheduler.problems)),
        )


def look_row(block: RaceBlock, threshold: float | None) -> LookRow:
    """A block as recorded in the store."""
    # reaching the budget is not recorded: it may be raised
    then = "go on" if block.stopped in (None, "budget") else block.stopped
    outcome = {"left": block.left, "out": block.out, "then": then}
    return block.number, block.n_problems, block.evidence, threshold, json.dumps(outcome, separators=(",", ":"))


def _same(row: LookRow, kept: LookRow) -> None:
    if (row[0], row[1], row[4]) != (kept[0], kept[1], kept[4]):
        raise StoreError(
            f"block {row[0]} of the race is kept as {kept[4]} after {kept[1]} problems, and now is {row[4]} after "
            f"{row[1]}: another coordinator's NumPy or processor differs, or the store has been changed"
        )


def race_scheduler_of(
    race: RaceSettings,
    algorithms: tuple[str, ...],
    problems: tuple[str, ...],
    runs: int,
    better: Better,
    clusters: Mapping[str, str] | None = None,
) -> RaceScheduler:
    """A new race. Late candidates are the last of ``algorithms``, in the order in which they join."""
    starting = tuple(name for name in algorithms if name not in race.late)
    inside = several_in_one(clusters)
    return RaceScheduler(
        race.rule(len(starting)),
        starting,
        problems,
        runs=runs,
        better=better,
        block=race.block,
        problem_costs=race.problem_costs,
        late={name: race.late[name] for name in algorithms if name in race.late},
        clusters=inside,
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


def unfed_race_scheduler(stored: Contents, race: RaceSettings) -> RaceScheduler:
    """The race of a store before its first block."""
    names = tuple(i.name for i in drawn(stored))
    return race_scheduler_of(
        race, stored.algorithms, names, int(stored.spec["runs"]), stored.spec["better"], clusters_in(stored.spec)
    )


def stored_race_scheduler(stored: Contents, race: RaceSettings) -> RaceScheduler:
    """The state of a stored race."""
    scheduler = unfed_race_scheduler(stored, race)
    feed(scheduler, stored)
    return scheduler.limited(race.budget)
