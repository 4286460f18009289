"""The contract of every executor, and the one error that is not the outcome of a run."""

from typing import Protocol, runtime_checkable

from bakeoff.errors import BakeoffError
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.work import Work


class ExecutorError(BakeoffError, RuntimeError):
    """The executor itself is lost (a cluster without scheduler, a supervisor that cannot be started).

    This is not the failure of any run: those in flight are not committed and run again on resume.
    """


@runtime_checkable
class Executor(Protocol):
    """A place where runs are performed.

    Call ``open`` once, then ``submit`` and ``wait`` from one thread, then ``close``. Every submitted task yields
    exactly one outcome, whatever process dies: a run that raises, exceeds its limit, kills its process or leaves
    processes behind affects no other run. A run whose worker is killed from outside (SIGKILL by a user, or by a system
    out of memory) is repeated once, and recorded as failed if killed again. Outcomes arrive in the order of
    completion.

    Limits. ``Work.timeout`` is wall time: when it is over, the run's process group gets SIGTERM and a second later
    SIGKILL, together with every descendant that has left the group. ``Work.memory`` limits private writable memory
    (RLIMIT_DATA, Linux): of each process of a program, or for a Python function beyond what its worker already holds.
    Shared and file-backed memory is not counted.
    """

    @property
    def workers(self) -> int:
        """The number of runs that can be performed at once."""
        ...

    def open(self, work: Work) -> None:
        """Send the algorithms and problems to where they run; raises if they cannot be loaded there."""
        ...

    def submit(self, task: Task) -> None:
        """Request one run and return at once. The serial executor runs nothing before ``wait``."""
        ...

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Block until at least one outcome or ``timeout`` seconds; an empty list if nothing is in flight.

        An exception raised in it by a signal handler may lose outcomes: handlers should set a flag, and raise only to
        give up.

        Raises
        ------
        ExecutorError
            The executor itself is lost.
        """
        ...

    def close(self, now: bool = False) -> None:
        """Abandon the runs in flight and leave no process behind; without SIGTERM first if ``now``.

        For a graceful stop submit nothing more, ``wait`` for the runs in flight, then close. May be called twice.
        """
        ...
