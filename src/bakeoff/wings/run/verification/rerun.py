"""One kept run, made again here: does it give the stored score?"""

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bakeoff.checks import did_you_mean, integer
from bakeoff.errors import StoreError, UnknownNameError, listing
from bakeoff.processes.command_line import CommandLine, as_argument
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.seeds import seed_of
from bakeoff.wings.run.design.specification import first_difference
from bakeoff.wings.run.executors.perform import perform, placeholder_values
from bakeoff.wings.run.store.beginning import changed_since
from bakeoff.wings.run.store.contents import Contents, RunRow, contents
from bakeoff.wings.run.store.opening import open_for_reading

_OF_A_RUN = ("seed", "score", "timeout", "memory", "budget")  # what a run depends on, beside algorithm and problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """A run as it is kept, and as it came out now."""

    kept: RunRow | None  # None: no score of it is kept
    outcome: Outcome
    command: str  # what was started, as for a shell; empty for a function
    program_seed: int | None  # the number passed as {seed}
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
        program_seed=int(values["seed"]) if isinstance(program, CommandLine) else None,
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
