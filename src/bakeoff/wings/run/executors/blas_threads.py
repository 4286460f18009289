"""Threads of numerical libraries in this process: one while runs are made here, as in every worker.

The sum of a dot product depends on how many threads share it. Workers get environment variables; libraries loaded
already no longer read them and are asked by their own functions.
"""

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable, Iterator

from bakeoff.wings.run.executors.serialization import BLAS_VARIABLES

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
