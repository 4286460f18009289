"""Performing one run in this process: every way to fail becomes an outcome with one clear sentence."""

from __future__ import annotations

import contextlib
import math
import os
import random
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from bakeoff.errors import ParameterError, WrongTypeError, plain
from bakeoff.running.cell import Outcome, Status, Task
from bakeoff.running.commands.command_line import CommandLine, as_argument, command_seed
from bakeoff.running.commands.command_run import RunTimeoutError, run_command
from bakeoff.running.commands.score_output import NoScoreError, shown
from bakeoff.running.executors.measured import is_real, measured

LONGEST_ERROR = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What every worker must know: the algorithms, the problems, and the limits of one run.

    An algorithm is a function ``f(problem, rng)`` that returns a number or a mapping of names to numbers, or a
    :class:`CommandLine`. A function must not change the problem: the next run may get the same object.
    """

    algorithms: tuple[Any, ...]
    problems: tuple[Any, ...]
    algorithm_names: tuple[str, ...]
    problem_names: tuple[str, ...]
    score: str | None = None  # which number of a mapping is the score
    timeout: float | None = None  # seconds of wall time per run
    memory: int | None = None  # bytes per run; see executors/protocol.py for what is limited
    budget: float | None = None  # handed to programs that ask for {budget}

    def __post_init__(self) -> None:
        for things, names, kind in (
            (self.algorithms, self.algorithm_names, "algorithms"),
            (self.problems, self.problem_names, "problems"),
        ):
            if len(things) != len(names):
                raise ParameterError(f"every one of the {kind} needs a name; got {len(things)} and {len(names)} names")
        for name, value in (("timeout", self.timeout), ("memory", self.memory)):
            if value is not None and not (is_real(value) and math.isfinite(value) and value > 0):
                raise ParameterError(f"{name} must be a number larger than 0, or None; got {value!r}")
        if self.memory is not None and sys.platform != "linux":
            raise ParameterError("memory can be limited on Linux only; leave memory= out")
        for name, algorithm in zip(self.algorithm_names, self.algorithms, strict=True):
            if isinstance(algorithm, CommandLine):
                self._check_command(name, algorithm)
            elif not callable(algorithm):
                raise WrongTypeError(
                    f"algorithm {name!r} must be a function f(problem, rng) or a CommandLine; got {algorithm!r}"
                )

    def labels(self) -> Work:
        """The same without algorithms and problems: for sentences where only their names are needed."""
        return replace(
            self,
            algorithms=(_absent,) * len(self.algorithms),
            problems=(None,) * len(self.problems),
        )

    def _check_command(self, name: str, command: CommandLine) -> None:
        if "budget" in command.places and self.budget is None:
            raise ParameterError(f"algorithm {name!r} asks for {{budget}}, but the experiment has none; give budget=")
        if "instance" not in command.places:
            return
        for problem_name, problem in zip(self.problem_names, self.problems, strict=True):
            if as_argument(problem) is None:
                raise WrongTypeError(
                    f"algorithm {name!r} is a program and asks for {{instance}}: a path, text or number; problem "
                    f"{problem_name!r} is {shown(repr(problem))}"
                )


def _absent(problem: object, rng: np.random.Generator) -> float:
    raise NotImplementedError("labels only")


def perform(work: Work, task: Task, *, dedicated: bool = False) -> Outcome:
    """Run one cell in this process; ``dedicated``: it exists for that, and nobody else needs its global generators.

    Whatever the algorithm raises, and whatever it returns that is no finite number, becomes an outcome "failed"
    with a sentence. Only KeyboardInterrupt goes through. A run that took longer than ``work.timeout`` is a
    "timeout" even if it ended: only a foreign program can be stopped from here.
    """
    started, clock = time.time(), time.perf_counter()
    status: Status = "ok"
    what, metrics = "", {}
    try:
        returned, score = _returned(work, task, dedicated)
        seconds = time.perf_counter() - clock
        metrics = measured(returned, score)
    except RunTimeoutError:
        seconds = time.perf_counter() - clock
        status = "timeout"
    except KeyboardInterrupt:
        raise
    except NoScoreError as error:
        seconds = time.perf_counter() - clock
        status, what = "failed", str(error)
    except BaseException as error:  # SystemExit and its like too: one run must not end the others
        seconds = time.perf_counter() - clock
        status, what = "failed", _raised(error)
    if work.timeout is not None and seconds > work.timeout and status == "ok":
        status = "timeout"
    if status == "timeout":
        what = too_long(work)
    return Outcome(
        task=task,
        status=status,
        value=next(iter(metrics.values())) if status == "ok" else None,
        metrics=metrics if status == "ok" else {},
        seconds=seconds,
        error=sentence(work, task, what) if what else "",
        host=_host(),
        pid=os.getpid(),
        started=started,
    )


def too_long(work: Work) -> str:
    return f"took longer than the timeout of {work.timeout:g} seconds"


def sentence(work: Work, task: Task, what: str) -> str:
    """Which run, and what went wrong, on one line of bounded length."""
    algorithm, problem = (shown(name) for name in (work.algorithm_names[task.algorithm], problem_name(work, task)))
    line = plain(f"run {task.repetition + 1} of {algorithm!r} on {problem!r}: {what}")
    return line if len(line) <= LONGEST_ERROR else line[: LONGEST_ERROR - 1] + "…"


def problem_name(work: Work, task: Task) -> str:
    return work.problem_names[task.problem]


def _returned(work: Work, task: Task, dedicated: bool) -> tuple[object, str | None]:
    """What the algorithm returned, and which number of it is the score."""
    algorithm, problem = work.algorithms[task.algorithm], work.problems[task.problem]
    if isinstance(algorithm, CommandLine):
        found = run_command(
            algorithm,
            problem,
            values=_values(work, task),
            timeout=work.timeout,
            memory=None if work.memory is None else int(work.memory),
        )
        main = next(iter(found))
        if work.score is not None and work.score not in found and main == "score":  # it had no name of its own
            found = {work.score: found.pop(main)} | found
        return found, work.score if work.score in found else next(iter(found))
    with _own_global_streams(task.seed, dedicated):
        return algorithm(problem, np.random.default_rng(np.random.SeedSequence(task.seed))), work.score


def _values(work: Work, task: Task) -> dict[str, str]:
    """What a command can ask for, besides its instance and output file."""
    return {
        "problem": work.problem_names[task.problem],
        "algorithm": work.algorithm_names[task.algorithm],
        "seed": str(command_seed(task.seed)),
        "run": str(task.repetition),
        "budget": "" if work.budget is None else _shortest(work.budget),
    }


def _shortest(number: float) -> str:
    """1000000, not 1000000.0, which many programs do not take for a number of evaluations."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))


@contextlib.contextmanager
def _own_global_streams(seed: int, dedicated: bool) -> Iterator[None]:
    """The old global generators get a stream of the run's own, and afterwards what they had.

    Algorithms should draw from ``rng``. Those that do not would otherwise depend on what ran before them in the same
    process, and the result on the number of workers.
    """
    words = [(seed >> shift) & 0xFFFFFFFF for shift in (0, 32, 64, 96)]
    before = None if dedicated else (random.getstate(), np.random.get_state())  # noqa: NPY002
    random.seed(seed)
    np.random.seed(words)  # noqa: NPY002
    try:
        yield
    finally:
        if before is not None:
            random.setstate(before[0])
            np.random.set_state(before[1])  # noqa: NPY002


def _raised(error: BaseException) -> str:
    """The exception's type and text, and where it was raised."""
    try:
        text = str(error)
    except Exception:
        text = "(its text cannot be shown)"
    place, trace = "", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename != __file__ and not code.co_filename.startswith("<frozen"):
            place = f" (line {trace.tb_lineno} of {os.path.basename(code.co_filename)})"
        trace = trace.tb_next
    return f"raised {type(error).__name__}" + (f": {text.strip()}" if text.strip() else "") + place


@lru_cache(maxsize=1)
def _host() -> str:
    return socket.gethostname()
