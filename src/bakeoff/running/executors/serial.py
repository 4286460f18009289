"""Runs one after the other in this process."""

from collections import deque

from bakeoff.errors import ParameterError
from bakeoff.running.cell import Outcome, Task
from bakeoff.running.commands.command_line import CommandLine
from bakeoff.running.design.work import Work
from bakeoff.running.executors.perform import perform


class SerialExecutor:
    """Performs one run per call of :meth:`wait`.

    For functions that cannot be sent to another process (lambdas, functions of a notebook), for debugging, and for
    very short runs. A Python function cannot be stopped or limited from within its own process and takes the process
    down when it crashes: use ``"processes"`` for limits. Foreign programs are stopped and limited here too; the number
    of threads of their numerical libraries is not.
    """

    workers = 1

    def __init__(self) -> None:
        self._work: Work | None = None
        self._queue: deque[Task] = deque()

    def open(self, work: Work) -> None:
        for name, algorithm in zip(work.algorithm_names, work.algorithms, strict=True):
            for limit in ("timeout", "memory"):
                if getattr(work, limit) is not None and not isinstance(algorithm, CommandLine):
                    raise ParameterError(
                        f"{limit}={getattr(work, limit)!r} cannot be enforced on the Python function {name!r} in this "
                        'very process; use executor="processes", or leave the limit out'
                    )
        self._work = work

    def submit(self, task: Task) -> None:
        self._queue.append(task)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Perform the next task, however long that takes."""
        if not self._queue:
            return []
        if self._work is None:
            raise RuntimeError("open() comes before wait()")
        return [perform(self._work, self._queue.popleft())]

    def close(self, now: bool = False) -> None:
        self._queue.clear()
