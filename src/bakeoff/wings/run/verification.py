"""Verification: every decision of a store is repeated from its runs (guarantee G7), or one run is made again.

A stored experiment is valid if the rule, given the stored runs in the order of repetitions, requests exactly those runs
and stops where the store says.
"""

import json
import math
import shlex
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from bakeoff.checks import did_you_mean, integer
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ParameterError, StoreError, UnknownNameError, counted, listing
from bakeoff.processes.command_line import CommandLine, as_argument
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.draw_order import drawn_order, hexadecimal, seed_of
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.race_settings import RacedExperiment, is_race, settings_in
from bakeoff.wings.run.design.settings import Repetitions, question_in
from bakeoff.wings.run.design.specification import canonical, first_difference
from bakeoff.wings.run.executors.perform import perform, placeholder_values
from bakeoff.wings.run.schedulers import Scheduler, SchedulingDecision, make_scheduler, scheduler_for
from bakeoff.wings.run.schedulers.race_scheduler import RaceScheduler
from bakeoff.wings.run.sequential.interim_looks import look_sequence_of, stored_look
from bakeoff.wings.run.sequential.race_state import block_as_look, drawn, feed, race_scheduler_of
from bakeoff.wings.run.store.contents import Contents, Instance, RunRow, contents, corruption_as_store_error
from bakeoff.wings.run.store.create import changed_since
from bakeoff.wings.run.store.opening import differing, open_for_reading

# One kept run, made again here: does it give the stored score?


_OF_A_RUN = ("seed", "score", "timeout", "memory", "budget")  # what a run depends on, beside algorithm and problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """A run as it is kept, and as it came out now."""

    kept: RunRow | None  # None: no score of it is kept
    outcome: Outcome
    command: str  # what was started, as for a shell; empty for a function
    changed: tuple[str, ...]  # code and data that differ from those of the first start, in words

    @property
    def same(self) -> bool:
        """Whether status and score are the stored ones, to the last bit."""
        return self.kept is not None and (self.kept.status, self.kept.value) == (
            self.outcome.status,
            self.outcome.value,
        )


def rerun(store: Path, experiment: Experiment, problem: str, algorithm: str, run: int) -> Rerun:
    """Make run ``run`` (1, 2, …) of an algorithm on a problem again, in this process; the store stays as it is."""
    repetition = integer("run", run, 1) - 1
    with open_for_reading(store) as connection:
        stored = contents(connection)
        i = _place("problem", problem, experiment.problem_names)
        k = _place("algorithm", algorithm, experiment.algorithm_names)
        _check_same_run(stored, experiment, problem, algorithm, store)
        names = stored.algorithms, tuple(one.name for one in stored.instances)
        alike = names == (experiment.algorithm_names, experiment.problem_names)
        changed = tuple(changed_since(connection, experiment)) if alike else ()
    kept = {(stored.instances[r.problem].name, stored.algorithms[r.algorithm], r.repetition): r for r in stored.rows}
    task = Task(
        problem=i, algorithm=k, repetition=repetition, seed=seed_of(experiment.seed, problem, algorithm, repetition)
    )
    work, program = experiment.work, experiment.algorithms[k]
    values = placeholder_values(work, task)
    return Rerun(
        kept=kept.get((problem, algorithm, repetition)),
        command=_shown(program, experiment.problems[i], values) if isinstance(program, CommandLine) else "",
        changed=changed,
        outcome=perform(work, task),
    )


def _place(noun: str, name: str, names: tuple[str, ...]) -> int:
    if name in names:
        return names.index(name)
    hint = did_you_mean(name, names)
    raise UnknownNameError(f"no {noun} is called {name!r}{hint}; there are {listing(names, 10)}")


def _check_same_run(stored: Contents, e: Experiment, problem: str, algorithm: str, store: Path) -> None:
    """StoreError where the experiment describes this run otherwise than the store; other algorithms do not matter."""
    now = json.loads(e.spec_json)
    before, after = (json.dumps(_part(spec, problem, algorithm)) for spec in (stored.spec, now))
    if before != after:
        raise StoreError(
            f"the store {str(store)!r} was not made by this experiment: {first_difference(before, after)}. Name the "
            "file that made it with --experiment"
        )


def _part(spec: Any, problem: str, algorithm: str) -> dict[str, Any]:
    return {
        **{key: spec.get(key) for key in _OF_A_RUN},
        "algorithms": [one for one in spec["algorithms"] if one["name"] == algorithm],
        "problems": [name for name in spec["problems"] if name == problem],
        "values": {name: value for name, value in spec.get("values", {}).items() if name == problem},
    }


def _shown(command: CommandLine, problem: Any, values: dict[str, str]) -> str:
    """The command of a run, to be pasted into a shell."""
    words = command.words({**values, "instance": as_argument(problem) or "", "output": "{output}"})
    inside = f"cd {shlex.quote(command.folder)} && " if command.folder not in ("", ".") else ""
    return inside + shlex.join(words)


MOST_FINDINGS = 100
RELATIVE_TOLERANCE = 1e-9  # another NumPy or processor may round differently in the last place

Decided = dict[int, tuple[tuple[int, ...], float | None, tuple[int, ...]]]  # round -> counts, se, plan
Rounds = dict[tuple[int, int], int]  # (algorithm, repetition) -> the round that it was kept in


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of a verification."""

    n_problems: int  # used by the experiment
    n_finished: int  # problems that are finished
    n_runs: int  # runs in the store
    n_decisions: int  # decisions that were computed again
    n_conflicts: int  # runs that gave another score when repeated: not an error of the store
    digest: str  # SHA-256 of all runs
    findings: tuple[str, ...]  # what is inconsistent, a sentence each; empty: every decision reproduced

    @property
    def ok(self) -> bool:
        """Was every decision reproduced?"""
        return not self.findings


def verify_store(path: Path, experiment: Experiment | None = None) -> Verification:
    """Replay a store; ``experiment`` is needed only if the statistic is a user's function.

    Raises
    ------
    StoreError
        The file is no store, is damaged beyond reading, or belongs to another experiment.
    ParameterError
        The statistic is a function, and no experiment was given; nothing is imported because a store names it.
    """
    with open_for_reading(path) as connection:
        damage = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)") if row[0] != "ok"]
        stored_runs = contents(connection)
        with corruption_as_store_error():
            stored = _decisions(connection)
            stale = [
                f"problem {stored_runs.instances[problem].name!r}: the runs of {stored_runs.algorithms[algorithm]!r} "
                "are not those that were committed (their checksum differs)"
                for problem, algorithm in islice(differing(connection), MOST_FINDINGS)
            ]
        findings = [f"SQLite finds damage: {line}" for line in damage]
        findings += stale
        if experiment is not None:
            _check_same(stored_runs, experiment)
            findings += [f"changed since the first start: {what}" for what in changed_since(connection, experiment)]
    with corruption_as_store_error():
        findings += islice(_findings(stored_runs, stored, experiment), MOST_FINDINGS)
    return Verification(
        n_problems=sum(i.draw_order is not None for i in stored_runs.instances),
        n_finished=sum(i.done for i in stored_runs.instances),
        n_runs=len(stored_runs.rows),
        n_decisions=sum(map(len, stored.values())),
        n_conflicts=stored_runs.n_conflicts,
        digest=stored_runs.looked_at.digest,
        findings=tuple(findings),
    )


def _decisions(connection: sqlite3.Connection) -> dict[int, Decided]:
    """The decisions of each problem."""
    decisions: dict[int, Decided] = defaultdict(dict)
    for i, r, n, se, plan in connection.execute("SELECT inst, round, n_json, se, plan_json FROM decision"):
        decisions[i][r] = (tuple(json.loads(n)), se, tuple(json.loads(plan)))
    return decisions


def _findings(stored_runs: Contents, stored: dict[int, Decided], experiment: Experiment | None) -> Iterator[str]:
    scheduler: Scheduler
    if is_race(stored_runs.spec):
        scheduler, wrong = _race(stored_runs)
        yield from wrong
    else:
        scheduler = _scheduler(stored_runs, experiment)
    yield from _other_names(stored_runs)
    yield from _wrong_seeds(stored_runs)
    yield from _gaps(stored_runs)
    values = stored_runs.values()
    rounds: dict[int, Rounds] = defaultdict(dict)
    for row in stored_runs.rows:
        rounds[row.problem][row.algorithm, row.repetition] = row.round
    for instance in stored_runs.instances:
        i = instance.position
        yield from _replayed(instance, values[i], stored.get(i, {}), rounds[i], scheduler)
    if question_in(stored_runs.spec).sequential is not None:
        yield from _looks(stored_runs, experiment)
    elif stored_runs.looks and not is_race(stored_runs.spec):
        yield f"{counted(len(stored_runs.looks), 'look')} kept, though the experiment is not sequential: it has none"


def _looks(stored_runs: Contents, experiment: Experiment | None) -> Iterator[str]:
    """Repeat every look, at the problems in the order drawn."""
    repetitions = None if experiment is None else experiment.repetitions
    looking = look_sequence_of(stored_runs, None if repetitions is None else repetitions.statistic)
    again = [stored_look(look, stored_runs.n_planned) for look in looking.due()]
    for old, new in zip(stored_runs.looks, again, strict=False):
        same = (old.number, old.n, old.verdict) == (new.number, new.n, new.verdict)
        if not same or not _close(old.statistic, new.statistic) or not _close(old.threshold, new.threshold):
            yield (
                f"look {old.number} is kept as n={old.n}, p={old.statistic:.6g}, {old.verdict!r}; the runs say "
                f"n={new.n}, p={new.statistic:.6g}, {new.verdict!r}"
            )
            return
    if len(stored_runs.looks) != len(again):
        yield f"{len(stored_runs.looks)} looks are kept; the runs say {len(again)}"


def _race(stored_runs: Contents) -> tuple[RaceScheduler, list[str]]:
    """Show the blocks to the rule again: the scheduler for replaying the problems, and the decisions that differ."""
    scheduler = race_scheduler_of(stored_runs.spec, [i.name for i in drawn(stored_runs)])
    try:
        feed(scheduler, stored_runs)
    except StoreError as error:
        return scheduler, [str(error)]
    findings = []
    for block, kept in zip(scheduler.blocks, stored_runs.looks, strict=False):
        new = block_as_look(block, scheduler.record.rule.threshold)
        close = math.isclose(kept.statistic, new.statistic, rel_tol=RELATIVE_TOLERANCE, abs_tol=1e-12)
        if (kept.number, kept.n, kept.verdict) != (new.number, new.n, new.verdict) or not close:
            findings.append(
                f"block {kept.number} is kept as {kept.verdict} after {kept.n} problems, evidence "
                f"{kept.statistic:.6g}; the runs say {new.verdict} after {new.n}, evidence {new.statistic:.6g}"
            )
            break
    blocks = len(scheduler.blocks)
    if len(stored_runs.looks) not in (blocks, blocks - 1):  # one fewer: killed between two commits
        findings.append(f"{len(stored_runs.looks)} decisions of the race are kept; the runs say {blocks}")
    return scheduler, findings


def _check_same(stored_runs: Contents, experiment: Experiment) -> None:
    if is_race(stored_runs.spec):
        race = settings_in(stored_runs.spec)
        late = race.late if experiment.algorithm_names == stored_runs.algorithms else {}
        experiment = RacedExperiment(experiment, replace(race, late=late))
    stored = canonical(stored_runs.spec)
    if (now := experiment.spec_json) != stored:
        raise StoreError(f"the store belongs to another experiment: {first_difference(stored, now)}")


def _scheduler(stored_runs: Contents, experiment: Experiment | None) -> Scheduler:
    design = stored_runs.repetitions
    if experiment is not None:
        return scheduler_for(experiment)
    if design is not None:
        design = _with_statistic(design, stored_runs)
    return make_scheduler(
        stored_runs.spec["runs"],
        design,
        stored_runs.algorithms,
        int(stored_runs.spec["seed"]),
        question_in(stored_runs.spec),
    )


def _with_statistic(design: Repetitions, stored_runs: Contents) -> Repetitions:
    name = stored_runs.spec["repetitions"]["statistic"]
    if name not in ("mean", "median"):
        raise ParameterError(
            f"this experiment compares {name!r}, a function that the store does not hold, and code named by a file is "
            "never imported; give the experiment too (bakeoff verify STORE --experiment experiment.toml)"
        )
    return replace(design, statistic=name)


def _other_names(stored_runs: Contents) -> Iterator[str]:
    """Check names, from which seeds are derived, and the order drawn, which looks follow."""
    names = [i.name for i in stored_runs.instances]
    if names != stored_runs.spec["problems"] or [a["name"] for a in stored_runs.spec["algorithms"]] != [
        *stored_runs.algorithms
    ]:
        yield "the names of algorithms or problems are not those of the experiment's description"
    order = drawn_order(int(stored_runs.spec["seed"]), names, stored_runs.spec.get("clusters"))[: stored_runs.n_planned]
    kept = {i.position: i.draw_order for i in stored_runs.instances if i.draw_order is not None}
    if kept != {position: place for place, position in enumerate(order)}:
        yield "the problems are kept in another order than the experiment's seed draws them in"


def _wrong_seeds(stored_runs: Contents) -> Iterator[str]:
    seed = int(stored_runs.spec["seed"])
    for row in stored_runs.rows:
        problem, algorithm = stored_runs.instances[row.problem].name, stored_runs.algorithms[row.algorithm]
        if row.seed_hex != hexadecimal(seed_of(seed, problem, algorithm, row.repetition)):
            yield f"{_run(stored_runs, row)} was not made with its own seed"


def _gaps(stored_runs: Contents) -> Iterator[str]:
    """Check that scores are finite and failures count."""
    for row in stored_runs.rows:
        if row.value is not None and not math.isfinite(row.value):
            yield f"{_run(stored_runs, row)} has the score {row.value}, which is no finite number"
        if row.value is None and stored_runs.penalty is None:
            yield f"{_run(stored_runs, row)} failed and is kept, though failed runs count for nothing here"


def _run(stored_runs: Contents, row: RunRow) -> str:
    problem, algorithm = stored_runs.instances[row.problem].name, stored_runs.algorithms[row.algorithm]
    return f"run {row.repetition + 1} of {algorithm!r} on {problem!r}"


def _replayed(
    instance: Instance, values: list[list[float]], stored: Decided, rounds: Rounds, scheduler: Scheduler
) -> Iterator[str]:
    """Replay one problem from its first round."""
    where = f"problem {instance.name!r}"
    counts, number = [0] * len(values), 0
    last: SchedulingDecision | None = None
    made: set[tuple[int, int]] = set()
    while number in stored:
        decided = stored[number]
        if any(n > len(sample) for n, sample in zip(counts, values, strict=True)):
            yield f"{where}: round {number} was decided on runs that are not there"
            return
        last = scheduler.decide(instance.name, [sample[:n] for n, sample in zip(counts, values, strict=True)])
        if (last.counts, last.plan) != (decided[0], decided[2]) or not _close(last.standard_error, decided[1]):
            yield (
                f"{where}: round {number} was decided as n={decided[0]}, se={decided[1]}, next {decided[2]}; "
                f"its runs say n={last.counts}, se={last.standard_error}, next {last.plan}"
            )
            return
        for algorithm in last.plan:
            key = (algorithm, counts[algorithm])
            made.add(key)
            if rounds.get(key, number) != number:
                yield f"{where}: run {key[1] + 1} of algorithm {algorithm + 1} is kept in round {rounds[key]}"
            counts[algorithm] += 1
        number += 1
    if extra := rounds.keys() - made:
        yield f"{where}: {len(extra)} runs were never requested"
    if beyond := sorted(r for r in stored if r > number):
        yield f"{where}: decisions of the rounds {beyond} do not follow the others"
    yield from _ending(where, instance, last)


def _ending(where: str, instance: Instance, last: SchedulingDecision | None) -> Iterator[str]:
    """Compare the stored end with the last decision."""
    if last is None:
        if instance.status != "pending":
            yield f"{where} is {instance.status}, but nothing was decided on it"
        return
    if instance.reason == "sequential" and not instance.done:
        return  # beyond the look that stopped the experiment
    if instance.reason != last.reason or instance.done != last.done:
        yield f"{where} is {instance.status} ({instance.reason or 'no reason'}); its runs say {last.reason or 'go on'}"
    elif instance.counts != last.counts:
        yield f"{where}: n is stored as {instance.counts}; its runs say {last.counts}"
    for what, old, new in (
        ("difference", instance.differences, last.differences),
        ("standard error", instance.standard_errors, last.standard_errors),
    ):
        if len(old) != len(new) or not all(map(_close, new, old)):
            yield f"{where}: the {what} is stored as {old}; its runs say {new}"


def _close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=1e-300)
