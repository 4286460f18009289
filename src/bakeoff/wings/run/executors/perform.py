"""Performing one run in this process; every kind of failure becomes an outcome with an error message."""

import contextlib
import math
import numbers
import os
import random
import socket
import time
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from bakeoff.errors import plain
from bakeoff.processes.command_line import CommandLine, command_seed
from bakeoff.processes.command_run import RunTimeoutError, run_command
from bakeoff.processes.score_output import NoScoreError, UnreadableScoreError, excerpt
from bakeoff.wings.run.cell import Outcome, Status, Task
from bakeoff.wings.run.design.naming import unfit_name
from bakeoff.wings.run.design.work import Work

# From what an algorithm returned to finite metrics, or an error message.


MOST_METRICS = 1000  # metrics kept with one run; longer traces belong in a file

LONGEST_NAME = 200


def metrics_from(returned: object, score: str | None) -> dict[str, float]:
    """All metrics that an algorithm returned, the score first; NoScoreError unless all are finite."""
    if not isinstance(returned, Mapping):
        return {score or "score": _finite(returned, "")}
    if not returned:
        raise NoScoreError("returned an empty mapping; it must hold the score")
    if len(returned) > MOST_METRICS:
        raise NoScoreError(f"returned {len(returned)} numbers; at most {MOST_METRICS} are kept with a run")
    main = score if score is not None else _only_score(returned)
    if main not in returned:
        there = ", ".join(excerpt(repr(name)) for name in list(returned)[:5])
        raise NoScoreError(f"returned no {main!r}, which is the score; there are {there}")
    ordered = [main, *(name for name in returned if name != main)]
    for name in ordered:
        if not isinstance(name, str) or len(name) > LONGEST_NAME:
            raise NoScoreError(
                f"returned a mapping with the name {excerpt(repr(name))}; names must be text of at most {LONGEST_NAME} "
                "characters"
            )
        if fault := unfit_name(name):
            raise NoScoreError(f"returned a mapping in which {fault}")
    return {name: _finite(returned[name], name) for name in ordered}


def _only_score(returned: Mapping[Any, Any]) -> Any:
    """The name of the score if none was chosen: "score", or the only name."""
    if "score" in returned:
        return "score"
    if len(returned) > 1:
        names = ", ".join(excerpt(repr(name)) for name in list(returned)[:5])
        raise NoScoreError(f"returned several numbers ({names}); say which is the score (score=...)")
    return next(iter(returned))


def _finite(value: object, name: str) -> float:
    """A finite float, or an error that says what was returned instead."""
    where = f" as {name!r}" if name else ""
    if not isinstance(value, numbers.Real) or isinstance(value, bool | np.bool_):
        kind = type(value).__name__
        advice = "return 1.0 or 0.0" if isinstance(value, bool | np.bool_) else "return float(...)"
        what = "nothing (None)" if value is None else f"{excerpt(_shown_value(value))} ({kind})"
        raise NoScoreError(f"returned {what}{where}; a score is one number: {advice}")
    try:
        number = float(value)
    except OverflowError:
        raise NoScoreError(f"returned an integer beyond the largest floating-point number{where}") from None
    if not math.isfinite(number):
        raise NoScoreError(
            f"returned {number}{where}; a score must be finite: raise an error if the run failed, or return the "
            "penalty that a failure deserves"
        )
    return number


def _shown_value(value: object) -> str:
    try:
        return repr(value)
    except Exception:
        return object.__repr__(value)


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
        try:
            returned, score = _returned(work, task, dedicated)
        finally:
            seconds = time.perf_counter() - clock
        metrics = metrics_from(returned, score)
    except RunTimeoutError:
        status = "timeout"
    except KeyboardInterrupt:
        raise
    except NoScoreError as error:
        status, what, unreadable = "failed", str(error), isinstance(error, UnreadableScoreError)
    except BaseException as error:  # also SystemExit: one run must not end the others
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
    """Read what the algorithm returned, and the name of its score."""
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
    """The values of a command's placeholders, except the instance and the output file."""
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
