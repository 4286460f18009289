"""Runs one after the other: Python functions in this process, programs under a single worker process."""

import contextlib
import dis
import itertools
import os
import types
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from bakeoff.errors import Caution, ParameterError, listing
from bakeoff.running.cell import Outcome, Task
from bakeoff.running.commands.command_line import CommandLine, as_argument
from bakeoff.running.design.work import Work
from bakeoff.running.executors.blas_threads import one_blas_thread
from bakeoff.running.executors.perform import perform
from bakeoff.running.executors.processes import CommandExecutor


class SerialExecutor:
    """Performs one run after the other.

    Python functions run in this very process: for functions that cannot be sent to another one (lambdas, functions
    of a notebook), for debugging, and for very short runs. A function cannot be stopped or limited from within its own
    process and takes the process down when it crashes: use ``"processes"`` for limits. Numerical libraries use one
    thread while the executor is open, as in workers, so that scores are the same to the last bit. An experiment of
    programs alone is performed by one worker process, as ``executor="command"`` does.
    """

    workers = 1

    def __init__(self) -> None:
        self._work: Work | None = None
        self._queue: deque[Task] = deque()
        self._programs: CommandExecutor | None = None
        self._open = contextlib.ExitStack()

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """About the runs in this process, once the executor has been open."""
        if self._work is None or os.environ.get("PYTHONHASHSEED", "random") != "random":
            return ()
        found = zip(self._work.algorithm_names, self._work.algorithms, strict=True)
        names = [name for name, algorithm in found if uses_sets(algorithm)]
        return (_set_order(names),) if names else ()

    def open(self, work: Work) -> None:
        self.close(now=True)
        if all(isinstance(algorithm, CommandLine) for algorithm in work.algorithms) and hasattr(os, "fork"):
            self._programs = CommandExecutor(1)
            self._programs.open(replace(work, problems=tuple(map(as_argument, work.problems))))
            return
        for name, algorithm in zip(work.algorithm_names, work.algorithms, strict=True):
            for limit in ("timeout", "memory"):
                if getattr(work, limit) is not None and not isinstance(algorithm, CommandLine):
                    raise ParameterError(
                        f"{limit}={getattr(work, limit)!r} cannot be enforced on the Python function {name!r} in this "
                        'very process; use executor="processes", or leave the limit out'
                    )
        self._open.enter_context(one_blas_thread())
        self._work = work

    def submit(self, task: Task) -> None:
        if self._programs is not None:
            self._programs.submit(task)
        else:
            self._queue.append(task)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Perform the next task; of a Python function, however long that takes."""
        if self._programs is not None:
            return self._programs.wait(timeout)
        if not self._queue:
            return []
        if self._work is None:
            raise RuntimeError("open() comes before wait()")
        return [perform(self._work, self._queue.popleft())]

    def close(self, now: bool = False) -> None:
        if self._programs is not None:
            self._programs.close(now)
            self._programs = None
        self._queue.clear()
        self._open.close()


def uses_sets(algorithm: object) -> bool:
    """Whether the code of an algorithm, or of a function that it calls by its name, makes a set.

    What methods and functions of other modules (``module.function``) do inside is not looked at.
    """
    function = algorithm
    for wrapper in ("func", "function", "func", "__func__"):  # of a partial, a name in TOML (or its partial), a method
        function = getattr(function, wrapper, function)
    if not isinstance(function, types.FunctionType):
        function = vars(type(function)).get("__call__")
    seen: set[types.CodeType] = set()
    waiting = [(function.__code__, function.__globals__)] if isinstance(function, types.FunctionType) else []
    while waiting:
        code, names = waiting.pop()
        if code in seen:
            continue
        seen.add(code)
        if _makes_sets(code):
            return True
        waiting += [(inner, names) for inner in code.co_consts if isinstance(inner, types.CodeType)]
        called = (names.get(name) for name in code.co_names)
        waiting += [(f.__code__, f.__globals__) for f in called if isinstance(f, types.FunctionType)]
    return False


def _makes_sets(code: types.CodeType) -> bool:
    """Also a literal that a loop runs over, which is a constant; not one that is only asked what it contains."""
    steps = list(dis.get_instructions(code))
    if _SET_NAMES & set(code.co_names) or any(step.opname in _SET_STEPS for step in steps):
        return True
    return any(isinstance(a.argval, frozenset) and b.opname != "CONTAINS_OP" for a, b in itertools.pairwise(steps))


_SET_STEPS = frozenset({"BUILD_SET", "SET_ADD", "SET_UPDATE"})
_SET_NAMES = frozenset({"set", "frozenset"})


def _set_order(names: Sequence[str]) -> Caution:
    return Caution(
        code="set-order",
        text=f"{listing(names)} used sets in this process, where the order of a set of strings changes from start to "
        "start (PYTHONHASHSEED is not set). If a score depends on that order, runs differ when repeated or "
        'resumed: use executor="processes", which fixes the order, or start Python with PYTHONHASHSEED=0.',
    )
