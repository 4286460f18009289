"""Inside a worker of a cluster: each run in a process of its own worker, under a supervisor of its own.

So the limits and the protection of ``executor="processes"`` hold on every machine, and a run that crashes does not
take a worker of the cluster, and the runs beside it, along.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bakeoff.running.executors import worker_main
from bakeoff.running.executors.perform import Work
from bakeoff.running.executors.processes import ProcessExecutor
from bakeoff.running.executors.serialization import Parcel

_GLANCE = 0.2  # seconds between looks whether the experiment has been called off


@dataclass(slots=True)
class _Shipment:
    """What one experiment has sent here."""

    payload: bytes
    labels: Work
    options: Mapping[str, Any]
    idle: list[ProcessExecutor] = field(default_factory=list)


_shipments: dict[str, _Shipment] = {}
_lock = threading.Lock()


def install(token: str, payload: bytes, labels: Work, options: Mapping[str, Any]) -> None:
    """Keep the work of an experiment; nothing of it is loaded in this process."""
    with _lock:
        _shipments.setdefault(token, _Shipment(payload, labels, options))


def dismiss(token: str) -> None:
    """Forget it, and end its processes; those at work end as soon as they notice."""
    with _lock:
        shipment = _shipments.pop(token, None)
    for executor in shipment.idle if shipment is not None else ():
        executor.close(now=True)


def perform_here(token: str, data: bytes) -> bytes:
    """Perform one task; called by the cluster, in one of its worker's threads."""
    with _lock:
        shipment = _shipments[token]
        executor = shipment.idle.pop() if shipment.idle else None
    if executor is None:
        executor = ProcessExecutor(1, **shipment.options)
        parcel = Parcel(
            payload=shipment.payload,
            path=tuple(entry or os.getcwd() for entry in sys.path),
            argv=tuple(sys.argv),
            directory=os.getcwd(),
        )
        executor.open_parcel(shipment.labels, parcel)
    try:
        _, task = worker_main.task_from(data)
        executor.submit(task)
        while not (outcomes := executor.wait(_GLANCE)):
            if token not in _shipments:
                raise RuntimeError("the experiment has been called off")
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
