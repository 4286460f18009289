"""Runs on a dask.distributed cluster: an existing one, or local processes."""

import contextlib
import logging
import os
import queue
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from typing import Any

from bakeoff.cautions import caution_of
from bakeoff.checks import positive
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import Caution, ParameterError, WrongTypeError
from bakeoff.packages import installed, optional
from bakeoff.processes.score_output import excerpt
from bakeoff.wings.run.cell import Outcome
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import worker_main
from bakeoff.wings.run.executors.processes import ProcessExecutor, QueuedExecutor, TaskQueue, usable_processors
from bakeoff.wings.run.executors.protocol import ExecutorError
from bakeoff.wings.run.executors.serialization import SerializedWork, hash_seed

_ADVICE = 'executor="dask" needs the package distributed: pip install distributed'
_SILENT = 5.0  # seconds after which it is said that there is no worker
_FETCH = 1.0  # seconds to wait for a result held by a worker


class DaskExecutor(QueuedExecutor):
    """Runs on the workers of a dask cluster.

    The work is sent once to every worker, including those that join later (functions defined in a notebook can be
    sent). Workers perform runs in supervised child processes, as ``executor="processes"`` does, and only return
    outcomes. If a worker dies, dask repeats its runs elsewhere, and the coordinator takes one outcome of each. A run
    whose workers die repeatedly, finally while it is the only run in flight, is recorded as failed. bakeoff and the
    modules of the algorithms must be installed on the workers.

    Parameters
    ----------
    workers : int, optional
        Processes of the local cluster (None: one per processor), or with ``address`` the maximum number of
        concurrent runs (None: one per thread of the cluster).
    address : str, distributed.Client or cluster object, optional
        The scheduler, for example "tcp://host:8786", or an object such as dask-jobqueue's ``SLURMCluster``, which stays
        open; None starts a cluster on this machine.
    patience : float
        Seconds to wait for the scheduler and its first worker.
    waiting : callable, optional
        Told in a sentence, after five seconds, that there is no worker yet.
    options
        Options of ``ProcessExecutor``: isolated, blas_threads, start, grace.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        address: Any = None,
        patience: float = 60.0,
        waiting: Callable[[str], object] | None = None,
        **options: Any,
    ) -> None:
        self._distributed = optional("distributed", _ADVICE)
        if not isinstance(address, str | self._distributed.Client | self._distributed.deploy.Cluster | None):
            raise WrongTypeError(
                f'must be text such as "tcp://host:8786", a distributed.Client, a cluster object, or None; got '
                f"{address!r}",
                parameter="address",
            )
        patience = positive("patience", patience, "a number of seconds larger than 0")
        ProcessExecutor(1, **options)  # checks the options
        self._requested, self._address, self._patience = workers, address, patience
        self._waiting = waiting
        self._options: Mapping[str, Any] = options
        self._threads = workers or usable_processors()
        self._client: Any = None
        self._secure: bool | None = None  # None: no cluster of its own
        self._cluster: Any = None
        self._seed: str | None = None  # PYTHONHASHSEED before that cluster
        self._futures: dict[int, Any] = {}
        self._tasks = TaskQueue(window=1)

    @property
    def workers(self) -> int:
        return self._threads

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """About a cluster of its own, once it has been started."""
        return (caution_of("open-cluster"),) if self._secure is False else ()

    def open(self, work: Work) -> None:
        self.close(now=True)
        self._labels = work.labels()
        try:  # pickled as dask does: functions of a notebook or script by value
            payload = optional("cloudpickle").dumps(work)
        except Exception as error:
            raise ParameterError(f"the algorithms and problems cannot be sent to a cluster: {error}") from None
        seed = hash_seed()  # before a local cluster sets another seed here, and in its workers
        self._token = secrets.token_hex(8)
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(_told_as_an_error)
        try:
            self._connect()
            self._ship(payload, seed)
            threads = sum(
                worker["nthreads"] for worker in self._client.scheduler_info(n_workers=-1)["workers"].values()
            )
        except BaseException:
            self.close(now=True)
            raise
        self._threads = self._requested or max(threads, 1)
        self._tasks = TaskQueue(window=4 * self._threads + 4)
        self._done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()

    def _ship(self, payload: bytes, seed: str) -> None:
        try:
            self._client.register_plugin(_plugin(self._token, payload, self._labels, self._options, seed))
            self._client.register_plugin(_lease(self._token, self._client.id))
        except Exception as error:
            raise ExecutorError(
                f"the work cannot be shipped to the cluster's workers ({type(error).__name__}: {excerpt(str(error))}); "
                "is the same bakeoff installed there?"
            ) from error

    def _connect(self) -> None:
        distributed = self._distributed
        if isinstance(self._address, distributed.Client):
            self._client = self._address
        else:
            try:
                where = self._address if self._address is not None else self._local()
                self._client = self._connected(where)
            except (OSError, ValueError) as error:  # dask's TimeoutError is an OSError
                raise ExecutorError(f"no dask scheduler at {self._address!r}: {excerpt(str(error))}") from None
        self._wait_for_a_worker()

    def _connected(self, where: Any) -> Any:
        """Connect in a thread: the end of a client that was interrupted meanwhile would take two minutes."""
        clients: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def connect() -> None:
            try:
                clients.put(self._distributed.Client(where, timeout=self._patience, set_as_default=False))
            except Exception as error:
                clients.put(error)

        threading.Thread(target=connect, daemon=True).start()
        try:
            client = clients.get(timeout=_SILENT)
        except queue.Empty:
            if self._waiting is not None:
                self._waiting(f"waiting for the dask scheduler at {where} (at most {self._patience:g} s)")
            client = clients.get()
        if isinstance(client, Exception):
            raise client
        return client

    def _wait_for_a_worker(self) -> None:
        """Wait in steps of a second, so that a signal is handled soon."""
        begun, announced = time.monotonic(), False
        while not self._client.scheduler_info(n_workers=-1)["workers"]:
            waited = time.monotonic() - begun
            if waited >= self._patience:
                raise ExecutorError(f"the dask cluster has no worker after {self._patience:g} seconds")
            if waited >= _SILENT and not announced and self._waiting is not None:
                where = self._client.scheduler_info()["address"]
                self._waiting(f"waiting for workers of {where} (0 so far; at most {self._patience:g} s)")
                announced = True
            with contextlib.suppress(TimeoutError):
                self._client.wait_for_workers(1, timeout=min(1.0, self._patience))

    def _local(self) -> Any:
        """A cluster of this user alone: encrypted with a key made now, where the package cryptography is installed."""
        self._seed = os.environ.get("PYTHONHASHSEED")
        self._secure = installed("cryptography")
        self._cluster = self._distributed.LocalCluster(
            security=True if self._secure else None,
            n_workers=self._threads,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",  # not reachable from other machines
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            silence_logs=50,
        )
        return self._cluster

    def _opened(self) -> Any:
        if self._client is None:
            raise RuntimeError("open() comes before submit() and wait()")
        return self._client

    def _send_one(self, ticket: int, data: bytes) -> None:
        future = self._opened().submit(perform_here, self._token, data, pure=False, retries=0)
        self._futures[ticket] = future
        future.add_done_callback(lambda done: self._done.put((ticket, done)))

    def _arrived(self, until: float | None) -> list[Outcome] | None:
        ended = self._ended(until)
        return self._taken(ended) if ended else None

    def _ended(self, until: float | None) -> list[tuple[int, Any]]:
        """Finished futures in the order of completion; empty when the time is up."""
        ended: list[tuple[int, Any]] = []
        with contextlib.suppress(queue.Empty):
            while True:
                patience = 1.0 if until is None else min(1.0, max(0.0, until - time.monotonic()))
                try:
                    ended.append(self._done.get(block=not ended, timeout=patience))
                except queue.Empty:
                    if self._opened().status != "running":  # a client that connects again has given up all its runs
                        raise ExecutorError(_LOST) from None
                    if ended or (until is not None and time.monotonic() >= until):
                        raise
        return [(ticket, future) for ticket, future in ended if self._futures.pop(ticket, None) is future]

    def _taken(self, ended: list[tuple[int, Any]]) -> list[Outcome]:
        outcomes = []
        for ticket, future in ended:
            try:
                data = future.result(timeout=_FETCH)
            except TimeoutError:  # the worker that held the result has died; dask repeats the run
                self._futures[ticket] = future
                self._done.put((ticket, future))
            except Exception as error:
                outcomes += self._failed(ticket, error, there=future.status == "error")
            else:
                if (task := self._tasks.done(ticket)) is not None:
                    outcomes.append(worker_main.outcome_from(data, task))
        return outcomes

    def _failed(self, ticket: int, error: Exception, there: bool) -> list[Outcome]:
        """Handle a lost future: if its workers died, the task queue finds the cause; other errors are not the run's.

        ``there``: raised on a worker, and not while its result was fetched through the scheduler.
        """
        if isinstance(error, self._distributed.KilledWorker):
            what = "the cluster's workers that ran it died repeatedly, even while it was the only run"
            return [self._failed_outcome(task, what) for task in self._tasks.lost([ticket])]
        if isinstance(error, CancelledError) or (isinstance(error, OSError) and not there):  # as CommClosedError is
            raise ExecutorError(_LOST) from None
        if isinstance(error, ParameterError):
            raise error
        raise ExecutorError(f"the cluster's workers cannot perform runs: {type(error).__name__}: {error}") from error

    def close(self, now: bool = False) -> None:
        client, cluster, self._client, self._cluster = self._client, self._cluster, None, None
        futures, self._futures = self._futures, {}
        if client is not None:
            if (
                client.status == "running"
            ):  # or each of these calls would wait for the scheduler as long as ``patience``
                leaving = threading.Thread(target=self._take_leave, args=(client, [*futures.values()]), daemon=True)
                leaving.start()
                leaving.join(2 if now else 10)
            if client is not self._address:
                client.close(timeout=2 if now else 10)
        if cluster is not None:
            cluster.close(timeout=2 if now else 10)
            os.environ.pop("PYTHONHASHSEED", None)  # dask's, which it leaves here
            if self._seed is not None:
                os.environ["PYTHONHASHSEED"] = self._seed
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(_told_as_an_error)
        if client is not None:
            self._tasks.clear()

    def _take_leave(self, client: Any, futures: list[Any]) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            client.cancel(futures)
            client.unregister_scheduler_plugin(_lease_name(self._token))
            client.unregister_worker_plugin(_name(self._token))


_LOST = (
    "the dask scheduler is lost, or has cancelled the runs; nothing of the runs under way is kept, they run again on "
    "resume"
)


_LOGGERS = ("distributed.client", "distributed.core", "distributed.batched", "distributed.utils")


def _told_as_an_error(record: logging.LogRecord) -> bool:
    """While an executor is open: tracebacks of a lost connection say no more than its :class:`ExecutorError`."""
    return False


def _name(token: str) -> str:
    return f"bakeoff-{token}"


def _plugin(token: str, payload: bytes, labels: Work, options: Mapping[str, Any], seed: str) -> Any:
    """A plugin that sends the work to all workers, later ones included. Defined here, once distributed is loaded."""

    class Shipment(optional("distributed", _ADVICE).WorkerPlugin):  # type: ignore[misc]
        name = _name(token)

        def setup(self, worker: Any) -> None:
            install_work(token, payload, labels, options, seed)

        def teardown(self, worker: Any) -> None:
            discard_work(token)

    return Shipment()


def _lease_name(token: str) -> str:
    return f"bakeoff-lease-{token}"


def _lease(token: str, client: str) -> Any:
    """A plugin of the scheduler: when the coordinator's connection ends, by kill -9 too, so does all its work.

    dask itself forgets the coordinator's tasks, but lets those that are running go on, and keeps the workers' plugin.
    Sent by value, so that the scheduler needs no bakeoff.
    """
    shipment, own_name = _name(token), _lease_name(token)

    class Lease(optional("distributed", _ADVICE).SchedulerPlugin):  # type: ignore[misc]
        name = own_name

        def remove_client(self, scheduler: Any, client: str) -> None:
            if client == self.client and shipment in scheduler.worker_plugins:
                scheduler.loop.add_callback(scheduler.unregister_worker_plugin, None, shipment)
                scheduler.loop.add_callback(scheduler.remove_plugin, own_name)

    lease = Lease()
    lease.client = client
    return lease


# Inside a dask worker: each run is performed in a supervised child process.
#
# So the limits and the isolation of ``executor="processes"`` hold on every machine, and a run that crashes takes down
# neither the dask worker nor the other runs on it.


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
        serialized = SerializedWork(payload=shipment.payload, hash_seed=shipment.hash_seed)
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
