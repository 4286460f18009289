"""Inside a dask worker: each run is performed in a supervised child process.

So the limits and the isolation of ``executor="processes"`` hold on every machine, and a run that crashes takes down
neither the dask worker nor the other runs on it.
"""

import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import worker_main
from bakeoff.wings.run.executors.processes import ProcessExecutor
from bakeoff.wings.run.executors.serialization import SerializedWork

_GLANCE = 0.2  # seconds between checks whether the experiment was cancelled


@dataclass(slots=True)
class _Shipment:
    """The work of one experiment, and its idle executors."""

    payload: bytes
    labels: Work
    options: Mapping[str, Any]
    hash_seed: str  # of the coordinator
    idle: list[ProcessExecutor] = field(default_factory=list)


_shipments: dict[str, _Shipment] = {}
_lock = threading.Lock()


def install_work(token: str, payload: bytes, labels: Work, options: Mapping[str, Any], hash_seed: str) -> None:
    """Keep the work of an experiment, without loading it in this process."""
    with _lock:
        _shipments.setdefault(token, _Shipment(payload, labels, options, hash_seed))


def discard_work(token: str) -> None:
    """Discard an experiment's work and end its idle processes; busy ones end when they next check."""
    with _lock:
        shipment = _shipments.pop(token, None)
    for executor in shipment.idle if shipment is not None else ():
        executor.close(now=True)


def perform_here(token: str, data: bytes) -> bytes:
    """Perform one task; called by dask in a thread of its worker."""
    with _lock:
        shipment = _shipments[token]
        executor = shipment.idle.pop() if shipment.idle else None
    if executor is None:
        executor = ProcessExecutor(1, **shipment.options)
        serialized = SerializedWork(
            payload=shipment.payload,
            path=tuple(entry or os.getcwd() for entry in sys.path),
            argv=tuple(sys.argv),
            directory=os.getcwd(),
            hash_seed=shipment.hash_seed,
        )
        executor.open_serialized(shipment.labels, serialized)
    try:
        _, task = worker_main.task_from(data)
        executor.submit(task)
        while not (outcomes := executor.wait(_GLANCE)):
            if token not in _shipments:
                raise RuntimeError("the experiment has been cancelled")
    except BaseException:
        executor.close(now=True)
        raise
    with _lock:
        kept = token in _shipments
        if kept:
            shipment.idle.append(executor)
    if not kept:
        executor.close(now=True)
    return worker_main.outcome_bytes(outcomes[0])
