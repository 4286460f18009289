"""A lost scheduler of dask: known by its errors, and not waited for."""

from __future__ import annotations

import queue
from concurrent.futures import CancelledError
from typing import Any

import pytest

from bakeoff.wings.run.cell import Task
from bakeoff.wings.run.executors import ExecutorError, make_executor
from bakeoff.wings.run.executors.processes import TaskQueue

pytestmark = pytest.mark.needs("distributed")


class Future:
    """``status``: "error" if the worker raised it, otherwise it was raised while the result was fetched."""

    def __init__(self, error: Exception, status: str) -> None:
        self.error, self.status = error, status

    def result(self, timeout: float) -> bytes:
        raise self.error


class Client:
    def __init__(self, status: str) -> None:
        self.status, self.calls = status, list[str]()

    def __getattr__(self, name: str) -> Any:
        return lambda *given, **named: self.calls.append(name)


def executor(status: str) -> Any:
    made: Any = make_executor("dask", address="tcp://127.0.0.1:9", workers=1)
    made._client, made._token, made._tasks = Client(status), "0", TaskQueue(window=9)
    made._tasks.add(Task(problem=0, algorithm=0, repetition=0, seed=1))
    return made


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (CancelledError(), "cancelled", "scheduler is lost"),
        (ConnectionResetError("gather"), "finished", "scheduler is lost"),  # CommClosedError is an OSError
        (OSError("no space left"), "error", "workers cannot perform runs"),
        (ValueError("no such work"), "error", "workers cannot perform runs"),
    ],
)
def test_the_error_says_who_failed(error: Exception, status: str, words: str) -> None:
    made = executor("running")
    with pytest.raises(ExecutorError, match=words):
        made._taken([(1, Future(error, status))])


@pytest.mark.parametrize("status", ["connecting", "closing", "closed"])
def test_a_client_without_a_connection_ends_the_wait(status: str) -> None:
    made = executor(status)
    made._done = queue.SimpleQueue()
    with pytest.raises(ExecutorError, match="scheduler is lost"):
        made._ended(until=0.0)


@pytest.mark.parametrize(("status", "leave_taken"), [("running", True), ("connecting", False)])
def test_only_a_scheduler_that_is_there_is_asked_to_clean_up(status: str, leave_taken: bool) -> None:
    """Each such call waited for the scheduler as long as the client may connect: a minute without a word."""
    made = executor(status)
    client = made._client
    made.close(now=True)
    assert ("unregister_worker_plugin" in client.calls) == leave_taken
    assert client.calls[-1] == "close"
