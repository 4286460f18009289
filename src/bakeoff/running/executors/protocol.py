"""What every executor promises, and the one error that is no outcome of a run."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from bakeoff.errors import BakeoffError
from bakeoff.running.cell import Outcome, Task
from bakeoff.running.executors.perform import Work


class ExecutorError(BakeoffError, RuntimeError):
    """The executor itself is lost (a cluster without scheduler, a supervisor that cannot be started).

    Not the fault of any run: nothing may be committed for those under way; they are run again on resume.
    """


@runtime_checkable
class Executor(Protocol):
    """Where runs happen.

    ``open`` once, then ``submit`` and ``wait`` from one thread, then ``close``. Every submitted task yields exactly
    one outcome, whatever dies: a run that raises, hangs beyond its limit, kills its process or leaves processes
    behind costs itself alone. A worker that somebody else kills (SIGKILL: a user, or a system without memory) is no
    fault of the run: it is performed once more, and failed if that happens again. Outcomes come in the order in which
    runs end, never in a promised one.

    Limits. ``Work.timeout`` is wall time: afterwards the run's whole process group is asked to end (SIGTERM), and a
    second later made to (SIGKILL), with every descendant that had left the group. ``Work.memory`` limits private
    writable memory (RLIMIT_DATA, Linux): for a program its own, each of its processes by itself; for a Python function
    what the run may take beyond what its worker holds already. Shared and file-backed memory is not counted.
    """

    @property
    def workers(self) -> int:
        """How many runs can be under way at once."""
        ...

    def open(self, work: Work) -> None:
        """Ship the algorithms and problems; raises if they cannot be had where they are to run."""
        ...

    def submit(self, task: Task) -> None:
        """Ask for one run; returns at once, but for the serial executor nothing runs before ``wait``."""
        ...

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        """Block until at least one outcome or ``timeout`` seconds; an empty list if nothing is under way.

        An exception thrown into it by a signal's handler may lose outcomes: handlers should set a flag, and throw
        only to give up.

        Raises
        ------
        ExecutorError
            The executor itself is lost.
        """
        ...

    def close(self, now: bool = False) -> None:
        """Give up what is still under way and leave no process behind; at once and without warning if ``now``.

        A graceful stop is: submit nothing more, ``wait`` for what runs, then close. Closing twice does no harm.
        """
        ...
