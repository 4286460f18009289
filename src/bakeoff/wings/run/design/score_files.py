"""Whether every run of an experiment has a score file of its own: runs at the same time would read each other's."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from bakeoff.errors import ParameterError
from bakeoff.processes.command_line import CommandLine, as_argument
from bakeoff.processes.placeholders import asked_places, fill_placeholders

Run = tuple[str, str, int]  # algorithm, problem, repetition

MOST_NAMES = 200_000  # names compared one by one; beyond that, the repetition is taken to be legible in the name
_OWN = frozenset({"output", "seed"})  # another one for every run, whatever else the name holds
_ADVICE = (
    "Runs at the same time would read each other's. Use {output} or {seed} in its name, or fresh_folder=True; or "
    "{problem}, {algorithm} and {run} together"
)


def refuse_shared_score_files(algorithms: Mapping[str, Any], problems: Mapping[str, Any], each: int) -> None:
    """Refuse an experiment in which two runs would read their score from the same file.

    ``each``: the most runs of an algorithm on a problem.
    """
    shared: dict[str, Run] = {}
    listed = each if len(algorithms) * len(problems) * each <= MOST_NAMES else 1
    for algorithm, command in algorithms.items():
        if not isinstance(command, CommandLine) or command.fresh_folder or not command.reader.path:
            continue
        places = asked_places(command.reader.path)
        if places & _OWN:
            continue
        if each != 1 and "run" not in places:
            raise ParameterError(
                f"algorithm {algorithm!r} writes the scores of all its runs on a problem to one file, "
                f"{command.reader.path!r}. {_ADVICE}"
            )
        for run, file in _files(algorithm, command, problems, listed):
            other = shared.setdefault(file, run)
            if other != run:
                raise ParameterError(
                    f"the score file {file!r} is that of {_said(other)} and of {_said(run)}. {_ADVICE}"
                )


def _files(algorithm: str, command: CommandLine, problems: Mapping[str, Any], each: int) -> Iterator[tuple[Run, str]]:
    """Each run of an algorithm, and its score file."""
    for name, problem in problems.items():
        values = {"problem": name, "algorithm": algorithm, "instance": as_argument(problem) or "", "budget": ""}
        for repetition in range(each):
            path = fill_placeholders(command.reader.path, values | {"run": str(repetition)})
            yield (algorithm, name, repetition), os.path.normpath(os.path.join(command.folder, path))


def _said(run: Run) -> str:
    return f"run {run[2] + 1} of {run[0]!r} on {run[1]!r}"
