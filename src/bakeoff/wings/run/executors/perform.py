"""Performing one run in this process; every kind of failure becomes an outcome with an error message."""

import contextlib
import os
import random
import socket
import time
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from bakeoff.errors import plain
from bakeoff.processes.command_line import CommandLine, command_seed
from bakeoff.processes.command_run import RunTimeoutError, run_command
from bakeoff.processes.score_output import NoScoreError, UnreadableScoreError, excerpt
from bakeoff.wings.run.cell import Outcome, Status, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors.metrics import metrics_from

LONGEST_ERROR = 500


def perform(work: Work, task: Task, *, dedicated: bool = False) -> Outcome:
    """Perform one run in this process.

    ``dedicated``: the process runs nothing else, so the state of its global generators is not restored. Any exception
    but KeyboardInterrupt, and any returned value that is not a finite number, gives a "failed" outcome with a message.
    A run that exceeded ``work.timeout`` is a "timeout" even if it returned: only programs can be stopped from here.
    """
    started, clock = time.time(), time.perf_counter()
    status: Status = "ok"
    what, metrics, unreadable = "", {}, False
    try:
        returned, score = _returned(work, task, dedicated)
        seconds = time.perf_counter() - clock
        metrics = metrics_from(returned, score)
    except RunTimeoutError:
        seconds = time.perf_counter() - clock
        status = "timeout"
    except KeyboardInterrupt:
        raise
    except NoScoreError as error:
        seconds = time.perf_counter() - clock
        status, what, unreadable = "failed", str(error), isinstance(error, UnreadableScoreError)
    except BaseException as error:  # also SystemExit: one run must not end the others
        seconds = time.perf_counter() - clock
        status, what = "failed", _raised(error)
    if work.timeout is not None and seconds > work.timeout and status == "ok":
        status = "timeout"
    if status == "timeout":
        what = timeout_message(work)
    return Outcome(
        task=task,
        status=status,
        value=next(iter(metrics.values())) if status == "ok" else None,
        metrics=metrics if status == "ok" else {},
        seconds=seconds,
        error=failure_message(work, task, what) if what else "",
        host=_host(),
        pid=os.getpid(),
        started=started,
        unreadable=unreadable and status == "failed",
    )


def timeout_message(work: Work) -> str:
    return f"took longer than the timeout of {work.timeout:g} seconds"


def failure_message(work: Work, task: Task, what: str) -> str:
    """The run and what went wrong, on one line of bounded length."""
    algorithm, problem = (
        excerpt(name) for name in (work.algorithm_names[task.algorithm], work.problem_names[task.problem])
    )
    line = plain(f"run {task.repetition + 1} of {algorithm!r} on {problem!r}: {what}")
    return line if len(line) <= LONGEST_ERROR else line[: LONGEST_ERROR - 1] + "…"


def _returned(work: Work, task: Task, dedicated: bool) -> tuple[object, str | None]:
    """What the algorithm returned, and the name of its score."""
    algorithm, problem = work.algorithms[task.algorithm], work.problems[task.problem]
    if isinstance(algorithm, CommandLine):
        returned = run_command(
            algorithm,
            problem,
            values=placeholder_values(work, task),
            timeout=work.timeout,
            memory=None if work.memory is None else int(work.memory),
        )
        main = next(iter(returned))
        if work.score is not None and work.score not in returned and main == "score":  # a score without a name
            returned = {work.score: returned.pop(main)} | returned
        return returned, work.score if work.score in returned else next(iter(returned))
    with _own_global_streams(task.seed, dedicated):
        return algorithm(problem, np.random.default_rng(np.random.SeedSequence(task.seed))), work.score


def placeholder_values(work: Work, task: Task) -> dict[str, str]:
    """What a program gets for the placeholders of its command, but for the instance and the output file."""
    return {
        "problem": work.problem_names[task.problem],
        "algorithm": work.algorithm_names[task.algorithm],
        "seed": str(command_seed(task.seed)),
        "run": str(task.repetition),
        "budget": "" if work.budget is None else _shortest(work.budget),
    }


def _shortest(number: float) -> str:
    """1000000, not 1000000.0, which many programs reject as a number of evaluations."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))


@contextlib.contextmanager
def _own_global_streams(seed: int, dedicated: bool) -> Iterator[None]:
    """Seed the global generators of Python and NumPy from the run's seed, and restore their state afterwards.

    Algorithms should draw from ``rng``. The results of those that do not would otherwise depend on what ran before
    them in the same process, and so on the number of workers.
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
