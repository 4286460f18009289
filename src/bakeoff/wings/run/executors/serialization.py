"""Sending algorithms and problems to another process, with an error that names what cannot be sent."""

import os
import pickle
import runpy
import sys
import tempfile
import types
from typing import Any

from bakeoff.dataclass import dataclass, field
from bakeoff.errors import ParameterError
from bakeoff.wings.run.design.work import Work

BLAS_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)

_SCRIPT = "__mp_main__"  # the module name of a user's script when loaded only for its functions

MARK = "BAKEOFF_SUPERVISOR"  # the environment variable that marks a supervisor's processes with a random token

CLOSE, CLOSE_NOW = b"close", b"close now"
"""The messages by which the coordinator ends a supervisor."""

_loading = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SerializedWork:
    """The pickled work, and what a fresh interpreter needs to load it."""

    payload: bytes
    path: tuple[str, ...] = field(default_factory=lambda: tuple(entry or os.getcwd() for entry in sys.path))
    argv: tuple[str, ...] = field(default_factory=lambda: tuple(sys.argv))
    directory: str = field(default_factory=os.getcwd)
    hash_seed: str  # of the coordinator, so that sets of strings have one order everywhere
    main_name: str = ""  # the module that was started with -m, or
    main_path: str = ""  # the script, if the work refers to something in it


@dataclass(frozen=True, slots=True)
class SupervisorOptions:
    """Options of a supervisor."""

    workers: int
    isolated: bool
    start: str  # "auto", "fork" or "spawn"
    grace: float
    coordinator: int = 0  # its process number, once it starts the supervisor


def serialize(work: Work) -> SerializedWork:
    """The work as sent to another process; a ParameterError names what cannot be sent."""
    if _loading:
        raise ParameterError(
            "an experiment is started while its own script is being loaded by a worker; put what starts it below "
            '`if __name__ == "__main__":`'
        )
    try:
        payload = pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        raise ParameterError(_unsendable(work, error)) from None
    name, path = ("", "")
    if b"__main__" in payload:
        name, path = _main()
        if not name and not path:
            raise ParameterError(_only_here(work))
    return SerializedWork(payload=payload, hash_seed=hash_seed(), main_name=name, main_path=path)


def deserialize(serialized: SerializedWork) -> Work:
    """Load the work in the process that will perform it."""
    global _loading
    sys.argv = list(serialized.argv)
    _loading = True
    try:
        if serialized.main_name or serialized.main_path:
            _load_main(serialized)
        work = pickle.loads(serialized.payload)
    finally:
        _loading = False
    assert isinstance(work, Work)
    return work


def hash_seed() -> str:
    """The PYTHONHASHSEED of the processes that this one asks to compute."""
    return os.environ.get("PYTHONHASHSEED", "0")


def worker_environment(blas_threads: int | None, seed: str) -> dict[str, str]:
    """This process's environment, with the threads of numerical libraries and the coordinator's hash seed."""
    environment = dict(os.environ)
    if blas_threads is not None:
        environment |= dict.fromkeys(BLAS_VARIABLES, str(blas_threads))
    return environment | {"PYTHONHASHSEED": seed}


def files_needed(workers: int) -> int:
    """Open files of a supervisor: a connection and a pipe for each worker, those being replaced, and its own."""
    return 2 * workers + 64


RUN_PREFIX = "bakeoff-run-"


def run_folders(token: str) -> str:
    """The parent of all private folders of a supervisor's runs, removed by the coordinator if it was killed."""
    return os.path.join(tempfile.gettempdir(), f"{RUN_PREFIX}{token}")


def _main() -> tuple[str, str]:
    """Module name or path of the user's main script, if it can be loaded again."""
    main = sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)
    if spec is not None and spec.name:
        return spec.name, ""
    path = getattr(main, "__file__", None)
    return "", os.path.abspath(path) if path and os.path.isfile(path) else ""


def _load_main(serialized: SerializedWork) -> None:
    """Load the user's script under another name, as multiprocessing does, so that its main guard is not run."""
    module = types.ModuleType(_SCRIPT)
    if serialized.main_name:
        module.__dict__.update(runpy.run_module(serialized.main_name, run_name=_SCRIPT, alter_sys=True))
    else:
        module.__dict__.update(runpy.run_path(serialized.main_path, run_name=_SCRIPT))
    sys.modules["__main__"] = sys.modules[_SCRIPT] = module


def _things(work: Work) -> list[tuple[str, str, Any]]:
    algorithms = zip(work.algorithm_names, work.algorithms, strict=True)
    problems = zip(work.problem_names, work.problems, strict=True)
    return [("algorithm", *one) for one in algorithms] + [("problem", *one) for one in problems]


_ADVICE = 'executor="serial" runs it here as it is'


def _unsendable(work: Work, error: Exception) -> str:
    """Name the algorithm or problem that cannot be pickled; ``error`` if it is none of them alone."""
    for kind, name, thing in _things(work):
        try:
            pickle.dumps(thing)
        except Exception as reason:
            remedy = "define it with def at the top level of a module" if kind == "algorithm" else "use plain data"
            return f"{kind} {name!r} cannot be sent to another process ({reason}); {remedy}; or {_ADVICE}"
    return f"the experiment cannot be sent to another process: {error}"


def _only_here(work: Work) -> str:
    """Name the first thing defined in an interactive session, which no other process can load."""
    for kind, name, thing in _things(work):
        if b"__main__" in pickle.dumps(thing):
            return (
                f"{kind} {name!r} is defined in this interactive session, which another process cannot load; put "
                f"its definition into a module (a .py file) and import it, or {_ADVICE}"
            )
    return f"the experiment refers to this interactive session, which another process cannot load; {_ADVICE}"
