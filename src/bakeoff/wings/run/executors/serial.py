"""Runs one after the other: Python functions in this process, programs under a single worker process."""

import contextlib
import ctypes
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, ParameterError, listing
from bakeoff.processes.command_line import CommandLine, as_argument
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.structural_digest import uses_sets
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors.perform import perform
from bakeoff.wings.run.executors.processes import CommandExecutor
from bakeoff.wings.run.executors.serialization import BLAS_VARIABLES

# Threads of numerical libraries in this process: one while runs are made here, as in every worker.
#
# The sum of a dot product depends on how many threads share it. Workers get environment variables; libraries loaded
# already no longer read them and are asked by their own functions.


# how a library's file name begins, and its functions that set and tell the number of threads
_OPENBLAS = tuple(
    (f"{prefix}openblas_set_num_threads{suffix}", f"{prefix}openblas_get_num_threads{suffix}")
    for prefix in ("", "scipy_")
    for suffix in ("", "64_", "_64", "64")
)
_LIBRARIES: tuple[tuple[tuple[str, ...], tuple[tuple[str, str], ...]], ...] = (
    (("libopenblas", "libscipy_openblas", "libblas", "libcblas"), _OPENBLAS),
    (("libmkl_rt",), (("MKL_Set_Num_Threads", "MKL_Get_Max_Threads"),)),
    (("libblis",), (("bli_thread_set_num_threads", "bli_thread_get_num_threads"),)),
    (("libgomp", "libomp", "libiomp5"), (("omp_set_num_threads", "omp_get_max_threads"),)),
)


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """One thread within the block, also for libraries that are loaded there (Linux; elsewhere only for these)."""
    before = {name: os.environ.get(name) for name in BLAS_VARIABLES}
    os.environ.update(dict.fromkeys(BLAS_VARIABLES, "1"))
    threads = [(setter, getter()) for setter, getter in _functions()]
    for setter, _ in threads:
        setter(1)
    try:
        yield
    finally:
        for setter, number in threads:
            setter(number)
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _functions() -> Iterator[tuple[Callable[[int], object], Callable[[], int]]]:
    for path in _loaded():
        name = os.path.basename(path)
        for beginnings, functions in _LIBRARIES:
            if name.startswith(beginnings):
                library = ctypes.CDLL(path)
                for setter, getter in functions:
                    if hasattr(library, setter) and hasattr(library, getter):
                        yield getattr(library, setter), getattr(library, getter)
                        break


def _loaded() -> list[str]:
    """The shared libraries in this process."""
    if sys.platform != "linux":
        return []
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
            paths = [line.split(maxsplit=5)[5].rstrip("\n") for line in file if line.count(" /")]
    except OSError:
        return []
    return [path for path in dict.fromkeys(paths) if ".so" in path]


class SerialExecutor:
    """Performs one run after the other.

    Python functions run in this very process: for functions that cannot be sent to another one (lambdas, functions
    of a notebook), for debugging, and for very short runs. A function cannot be stopped or limited from within its own
    process and takes the process down when it crashes: use ``"processes"`` for limits. Numerical libraries use one
    thread while the executor is open, as in workers, so that scores are the same to the last bit. An experiment of
    programs alone is performed by one worker process, as ``executor="command"`` does.
    """

    workers = 1

    @property
    def hash_seed(self) -> str:
        """That of this process, which runs functions itself; programs are run by a worker."""
        return os.environ.get("PYTHONHASHSEED", "random")

    def __init__(self, workers: int | None = None) -> None:
        if workers not in (None, 1):
            raise ParameterError(
                f': the serial executor is one worker; got {workers!r}; use executor="processes" for more',
                parameter="workers",
            )
        self._work: Work | None = None
        self._queue: deque[Task] = deque()
        self._programs: CommandExecutor | None = None
        self._open = contextlib.ExitStack()

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """About the runs in this process, once the executor has been open."""
        if self._work is None or os.environ.get("PYTHONHASHSEED", "random") != "random":
            return ()
        pairs = zip(self._work.algorithm_names, self._work.algorithms, strict=True)
        names = [name for name, algorithm in pairs if uses_sets(algorithm)]
        return (caution_of("not-reproducible", "sets", names=listing(names)),) if names else ()

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
