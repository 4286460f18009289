"""Where runs are performed: in this process, in worker processes, or on a cluster."""

from collections.abc import Callable
from typing import Any

from bakeoff.checks import choice, integer
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.wings.run.executors.protocol import Executor as Executor, ExecutorError as ExecutorError
from bakeoff.wings.run.executors.serial import SerialExecutor


def _serial(workers: int | None, **options: Any) -> Executor:
    if workers not in (None, 1):
        raise ParameterError(
            f': the serial executor is one worker; got {workers!r}; use executor="processes" for more',
            parameter="workers",
        )
    return SerialExecutor(**options)


def _processes(workers: int | None, **options: Any) -> Executor:
    from bakeoff.wings.run.executors.processes import ProcessExecutor  # loads multiprocessing

    return ProcessExecutor(workers, **options)


def _command(workers: int | None, **options: Any) -> Executor:
    from bakeoff.wings.run.executors.processes import CommandExecutor

    return CommandExecutor(workers, **options)


def _dask(workers: int | None, **options: Any) -> Executor:
    from bakeoff.wings.run.executors.dask import DaskExecutor

    return DaskExecutor(workers, **options)


EXECUTORS: dict[str, Callable[..., Executor]] = {
    "serial": _serial,
    "processes": _processes,
    "command": _command,
    "dask": _dask,
}
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
