"""Executors perform runs: in this process, in worker processes, or on a cluster."""

from collections.abc import Callable
from typing import Any

from bakeoff.checks import choice, integer
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.places import Registry
from bakeoff.wings.run.executors.protocol import Executor as Executor, ExecutorError as ExecutorError

EXECUTORS: Registry[Callable[..., Executor]] = Registry(
    {
        "serial": "wings.run.executors.serial:SerialExecutor",
        "processes": "wings.run.executors.processes:ProcessExecutor",
        "command": "wings.run.executors.processes:CommandExecutor",
        "dask": "wings.run.executors.dask:DaskExecutor",
    }
)
"""Name -> a function that makes it from ``workers`` (None: as many as there are processors) and its options."""


def make_executor(executor: str | Executor = "serial", workers: int | None = None, **options: Any) -> Executor:
    """An executor by name, or the instance given."""
    if not isinstance(executor, str):
        if not isinstance(executor, Executor):
            raise WrongTypeError(
                f"must be one of {', '.join(map(repr, EXECUTORS))}, or an object with open, submit, wait, close and "
                f"workers; got {executor!r}",
                parameter="executor",
            )
        if workers is not None or options:
            raise ParameterError(
                "and options belong to an executor given by name; this one is made already", parameter="workers"
            )
        return executor
    name = choice("executor", executor, EXECUTORS)
    if workers is not None:
        workers = integer("workers", workers, 1)
    try:
        return EXECUTORS[name](workers=workers, **options)
    except TypeError as error:
        if "keyword argument" not in str(error):
            raise
        unknown = str(error).rpartition("keyword argument ")[2].strip("'\"")
        hint = '; it belongs to executor="dask"' if unknown == "address" else ""
        raise ParameterError(f"executor={name!r} has no such option: {unknown}{hint}") from None
