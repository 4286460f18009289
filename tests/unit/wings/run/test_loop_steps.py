"""The loop by itself: what it does after each wait, how it ends, and what it fills its window with."""

from collections import Counter, deque
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.errors import RunFailedError
from bakeoff.wings.run.loop import Loop


def loop(
    rounds: int = 2, *, asked: bool = False, finished: bool = False, failure: Any = None, lease: bool = True
) -> Any:
    done: list[str] = []
    left = iter([True] * rounds + [False])
    found = SimpleNamespace(
        done=done,
        _fill=lambda: next(left),
        _show=lambda last=False: done.append("last" if last else "show"),
        _take=lambda outcomes: done.append(f"take {outcomes}"),
        _show_stopping=lambda: None,
        _failure_message=lambda failed: f"failed: {failed}",
        executor=SimpleNamespace(wait=lambda seconds: 1 if seconds > 0 else 0),
        interruption=SimpleNamespace(requested=asked, check_patience=lambda: done.append("patience"), on_first=None),
        lease=SimpleNamespace(renew=lambda: done.append("renew")) if lease else None,
        failure=failure,
        finished=finished,
    )
    return found


def test_after_each_wait_patience_is_checked_and_the_lease_renewed() -> None:
    one = loop(2)
    Loop.run(one)
    assert one.done == ["show", "take 1", "patience", "renew"] * 2 + ["last"]
    assert one.interruption.on_first is one._show_stopping
    alone = loop(1, lease=False)
    Loop.run(alone)
    assert alone.done == ["show", "take 1", "patience", "last"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"failure": "x"}, RunFailedError),
        ({"failure": "x", "asked": True, "finished": True}, RunFailedError),
        ({"asked": True}, KeyboardInterrupt),
        ({"asked": True, "finished": True}, None),
        ({"finished": True}, None),
        ({}, None),
    ],
)
def test_how_a_loop_ends(options: dict[str, Any], error: type[BaseException] | None) -> None:
    one = loop(0, **options)
    if error is None:
        Loop.run(one)
    else:
        with pytest.raises(error, match="failed: x" if "failure" in options else "the same command resumes"):
            Loop.run(one)
    assert one.done == ["last"]


@pytest.mark.parametrize(
    ("tasks", "window", "stopping", "kept", "submitted", "goes_on"),
    [
        (5, 3, False, (), [0, 1, 2], True),
        (2, 3, False, (), [0, 1], True),
        (0, 3, False, (), [], False),
        (5, 3, True, (), [], False),
        (5, 3, False, (0, 2), [1, 3, 4], True),
        (2, 3, False, (0, 1), [], False),
    ],
)
def test_the_window_is_filled_with_runs_that_nobody_has_committed(
    tasks: int, window: int, stopping: bool, kept: tuple[int, ...], submitted: list[int], goes_on: bool
) -> None:
    ready = deque(SimpleNamespace(key=i) for i in range(tasks))
    sent: list[int] = []
    arrived: list[list[str]] = []
    one = SimpleNamespace(
        stopping=stopping,
        in_flight={},
        window=window,
        _next_task=lambda: ready.popleft() if ready else None,
        store=SimpleNamespace(path="x", find=lambda task: f"run {task.key}" if task.key in kept else None),
        executor=SimpleNamespace(submit=lambda task: sent.append(task.key)),
        _arrive=arrived.append,
    )
    assert Loop._fill(one) is goes_on  # type: ignore[arg-type]
    assert (sent, list(one.in_flight), arrived) == (submitted, submitted, [[f"run {i}"] for i in kept])


def score(problem: float, rng: object) -> float:
    return problem


def test_a_failed_run_scores_its_penalty_and_any_other_its_value() -> None:
    asked = bo.Experiment({"a": score, "b": score}, {"p": 1.0}, better="lower", seed=1, on_failure=99.0)
    one: Any = SimpleNamespace(experiment=asked)
    assert Loop._score(one, SimpleNamespace(value=2.5)) == 2.5  # type: ignore[arg-type]
    assert Loop._score(one, SimpleNamespace(value=0.0)) == 0.0  # type: ignore[arg-type]
    assert Loop._score(one, SimpleNamespace(value=None)) == 99.0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("attempt", "retries", "penalty", "unreadable", "first", "final", "retried"),
    [
        (0, 0, None, False, True, False, 0),
        (0, 2, None, False, True, False, 1),
        (1, 2, 9.0, False, True, False, 1),
        (2, 2, None, False, True, False, 0),
        (2, 2, 9.0, False, True, True, 0),
        (2, 2, 9.0, True, True, False, 0),
        (2, 2, 9.0, True, False, True, 0),
        (0, 2, 9.0, True, True, False, 1),
    ],
)
def test_when_a_failure_is_final(
    attempt: int, retries: int, penalty: float | None, unreadable: bool, first: bool, final: bool, retried: int
) -> None:
    """Once its retries are used up, if a penalty counts it; but a first result that cannot be read stops."""
    noted: list[Any] = []
    one: Any = loop()
    one.experiment = SimpleNamespace(retries=retries, penalty=penalty)
    one.store = SimpleNamespace(is_first_result=lambda outcome: first, note_attempt=noted.append)
    one.ready, one.retried, one.failure, one.failures = deque(["later"]), 0, None, Counter({3: 1})
    asked = bo.Experiment({"a": score, "b": score}, {"p": 1.0}, better="lower", seed=1)
    task = next_task(asked, attempt)
    outcome: Any = SimpleNamespace(task=task, unreadable=unreadable)
    assert Loop._is_final(one, outcome) is final
    assert one.retried == retried
    stops = not final and not retried
    assert (one.failure is outcome, one.failures) == (stops, {3: 1, 0: 1} if stops else {3: 1})
    assert noted == ([] if final else [outcome])
    assert [getattr(x, "attempt", x) for x in one.ready] == ([attempt + 1, "later"] if retried else ["later"])


def next_task(asked: bo.Experiment, attempt: int) -> Any:
    task = Loop._task(SimpleNamespace(experiment=asked), (0, 0, 4))  # type: ignore[arg-type]
    return replace(task, attempt=attempt)
