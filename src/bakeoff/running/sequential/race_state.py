"""A race under way: its blocks shown to the rule as soon as they are whole, and what it decided kept in the store."""

from __future__ import annotations

import json

from bakeoff.errors import StoreError
from bakeoff.running.design.race_settings import RacedExperiment, RaceSettings
from bakeoff.running.progress import RacePicture
from bakeoff.running.schedulers.decision import Values
from bakeoff.running.schedulers.race_scheduler import Heat, Heats
from bakeoff.running.store import Store
from bakeoff.running.store.contents import Contents, Instance, contents
from bakeoff.scores import Better

LookRow = tuple[int, int, float, float | None, str]  # of the table look


class KeptRace:
    """Of one start: the blocks that are complete are shown to the rule again, and it is where it was."""

    def __init__(self, experiment: RacedExperiment, store: Store) -> None:
        self.experiment = experiment
        self.store = store
        names = experiment.problem_names
        self.heats = heats_of(
            experiment.race,
            experiment.algorithm_names,
            tuple(names[i] for i in experiment.order),
            experiment.runs or 1,
            experiment.better,
        )
        found = contents(store.connection)
        feed(self.heats, found)
        self.heats.limited(experiment.race.limit)
        for row, kept in zip(map(self._row, self.heats.heats), found.looks, strict=False):
            _same(row, (kept.number, kept.n, kept.statistic, kept.threshold, kept.verdict))
        if len(found.looks) > len(self.heats.heats):
            raise StoreError("the store is damaged: runs are missing that decisions of the race rest on")
        self._unrecorded = self.heats.heats[len(found.looks) :]  # complete when it was killed

    @property
    def stopped(self) -> bool:
        return self.heats.stopped is not None

    def may_begin(self, problem: int) -> bool:
        """A problem of a block whose field is not settled yet has to wait."""
        return self.heats.may_begin(self.experiment.problem_names[problem])

    def add(self, problem: int, values: Values) -> None:
        self.heats.add(self.experiment.problem_names[problem], values)

    def look(self) -> bool:
        """Show the rule what is complete; is the race over?"""
        new, self._unrecorded = self._unrecorded, []
        while (heat := self.heats.due()) is not None:
            new.append(heat)
        for heat in new:
            self._record(heat)
        return self.stopped

    def _row(self, heat: Heat) -> LookRow:
        return look_row(heat, self.heats.record.rule.threshold)

    def _record(self, heat: Heat) -> None:
        row = self._row(heat)
        with self.store.transaction() as cursor:
            cursor.execute("INSERT INTO look VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
            if cursor.rowcount == 0:  # another coordinator's
                _same(row, cursor.execute("SELECT * FROM look WHERE k = ?", row[:1]).fetchone())

    def picture(self) -> RacePicture:
        record = self.heats.record
        rule = record.rule
        evidence = rule.evidence.tolist()
        return RacePicture(
            method=rule.name,
            measure=rule.measure,
            threshold=rule.threshold,
            n_candidates=rule.n_candidates,
            survivors=tuple(zip(record.alive, evidence, strict=True)),
            last_out=tuple((record.algorithms[e.candidate], e.reason, e.n_problems) for e in rule.eliminations[-3:]),
            n_blocks=len(self.heats.heats),
            n_problems=len(record.problems),
            evaluations=record.evaluations,
            full_evaluations=rule.n_candidates * len(self.heats.problems),
        )


def look_row(heat: Heat, threshold: float | None) -> LookRow:
    """A block as the store keeps it."""
    then = "go on" if heat.stopped in (None, "budget") else heat.stopped  # a budget is no decision: it may be raised
    said = {"left": heat.left, "out": heat.out, "then": then}
    return heat.number, heat.n_problems, heat.evidence, threshold, json.dumps(said, separators=(",", ":"))


def _same(row: LookRow, kept: LookRow) -> None:
    if (row[0], row[1], row[4]) != (kept[0], kept[1], kept[4]):
        raise StoreError(
            f"block {row[0]} of the race is kept as {kept[4]} after {kept[1]} problems, and now is {row[4]} after "
            f"{row[1]}: another coordinator's NumPy or processor differs, or the store has been changed"
        )


def heats_of(
    race: RaceSettings, algorithms: tuple[str, ...], problems: tuple[str, ...], runs: int, better: Better
) -> Heats:
    """At the start."""
    return Heats(
        race.rule(len(algorithms), len(problems)),
        algorithms,
        problems,
        runs=runs,
        better=better,
        block=race.block,
        problem_costs=race.problem_costs,
    )


def feed(heats: Heats, found: Contents) -> None:
    """Show the rule every complete block of a store, in order; what is done of the next one waits."""
    values = found.values()
    for instance in drawn(found):
        if instance.done:
            heats.add(instance.name, values[instance.position])
            heats.due()


def drawn(found: Contents) -> list[Instance]:
    """The problems used, in their order."""
    order = {i.position: i.draw_order for i in found.instances if i.draw_order is not None}
    return sorted((i for i in found.instances if i.position in order), key=lambda i: order[i.position])


def heats_in(found: Contents, race: RaceSettings) -> Heats:
    """Where a stored race is."""
    names = tuple(i.name for i in drawn(found))
    heats = heats_of(race, found.algorithms, names, int(found.spec["runs"]), found.spec["better"])
    feed(heats, found)
    return heats.limited(race.limit)
