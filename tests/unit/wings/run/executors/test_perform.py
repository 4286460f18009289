"""One run in this process: what counts as a score, and what is said of everything else."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.processes.command_line import CommandLine
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors.perform import LONGEST_ERROR, perform


def work(*algorithms: Any, problems: tuple[Any, ...] = (3.0,), **more: Any) -> Work:
    return Work(
        algorithms=algorithms,
        problems=problems,
        algorithm_names=tuple(f"alg {i}" for i in range(len(algorithms))),
        problem_names=tuple(f"prob {i}" for i in range(len(problems))),
        **more,
    )


def once(algorithm: Any, seed: int = 5, **more: Any) -> Outcome:
    return perform(work(algorithm, **more), Task(problem=0, algorithm=0, repetition=6, seed=seed))


def returning(value: object) -> Callable[..., object]:
    return lambda problem, rng: value


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (2, 2.0),
        (-0.5, -0.5),
        (np.float32(2.5), 2.5),
        (np.int8(3), 3.0),
        (np.float64(1e300), 1e300),
        (Fraction(1, 4), 0.25),
    ],
)
def test_real_numbers_are_scores(value: object, score: float) -> None:
    outcome = once(returning(value))
    assert (outcome.status, outcome.value, outcome.metrics, outcome.error) == ("ok", score, {"score": score}, "")
    assert type(outcome.value) is float
    assert outcome.pid > 0
    assert outcome.host
    assert outcome.started > 0


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "nothing"),
        ("3", "'3' (str)"),
        (1j, "1j (complex)"),
        (np.zeros(2), "array([0., 0.]) (ndarray)"),
        (np.array(3.0), "array(3.) (ndarray)"),
        ([1.0], "[1.0] (list)"),
        (True, "return 1.0 or 0.0"),
        (np.True_, "return 1.0 or 0.0"),
        (math.nan, "returned nan"),
        (math.inf, "returned inf"),
        (-math.inf, "returned -inf"),
        (10**400, "beyond the largest"),
        ({}, "empty mapping"),
        ({"a": 1.0, "b": 2.0}, "say which is the score"),
        ({"score": 1.0, "b": math.nan}, "as 'b'"),
        ({"score": 1.0, "b": "x"}, "as 'b'"),
        ({"score": None}, "nothing (None) as 'score'"),
        ({"score": 1.0, 3: 4.0}, "names must be text"),
        ({f"m{i}": 1.0 for i in range(2000)} | {"score": 1.0}, "at most 1000"),
        ({"score": 1.0, "x" * 300: 4.0}, "200 characters"),
    ],
)
def test_anything_else_is_a_failed_run_with_a_sentence(value: object, says: str) -> None:
    outcome = once(returning(value))
    assert outcome.status == "failed"
    assert outcome.value is None
    assert outcome.metrics == {}
    assert outcome.error.startswith("run 7 of 'alg 0' on 'prob 0': returned ")
    assert says in outcome.error


def test_the_score_of_a_mapping() -> None:
    assert once(returning({"cost": 2.0})).value == 2.0
    assert once(returning({"calls": 9.0, "score": 2.0})).value == 2.0
    named = once(returning({"calls": 9.0, "cost": 2.0}), score="cost")
    assert (named.value, named.metrics) == (2.0, {"cost": 2.0, "calls": 9.0})
    assert list(named.metrics) == ["cost", "calls"]
    assert "returned no 'cost'" in once(returning({"calls": 9.0}), score="cost").error
    assert once(returning(4.0), score="cost").metrics == {"cost": 4.0}


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def raising(error: BaseException) -> Callable[..., object]:
    def algorithm(problem: object, rng: object) -> object:
        raise error

    return algorithm


def test_exceptions_become_sentences() -> None:
    error = once(raising(ValueError("two\nlines\x1b[31m"))).error
    assert error.startswith("run 7 of 'alg 0' on 'prob 0': raised ValueError: two lines�[31m (line ")
    assert error.endswith("of test_perform.py)")
    assert "raised SystemExit: 3" in once(raising(SystemExit(3))).error
    assert "raised Unprintable: (its text cannot be shown)" in once(raising(Unprintable())).error
    assert "raised StopIteration (line" in once(raising(StopIteration())).error
    assert len(once(raising(ValueError("x" * 10_000))).error) == LONGEST_ERROR
    assert "raised TypeError" in once(lambda problem: 1.0).error
    with pytest.raises(KeyboardInterrupt):
        once(raising(KeyboardInterrupt()))


def test_a_late_result_is_a_timeout() -> None:
    outcome = once(returning(1.0), timeout=1e-9)
    assert (outcome.status, outcome.value) == ("timeout", None)
    assert "longer than the timeout of 1e-09 seconds" in outcome.error


def test_the_stream_is_the_tasks_own() -> None:
    drawn = once(lambda problem, rng: rng.random(), seed=2**127 + 1).value
    assert drawn == np.random.default_rng(np.random.SeedSequence(2**127 + 1)).random()


def sloppy(problem: object, rng: object) -> float:
    return random.random() + np.random.random()  # noqa: NPY002


def test_global_generators_get_the_runs_stream_and_are_put_back() -> None:
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    expected = random.random(), np.random.random()  # noqa: NPY002
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    first, other, again = (once(sloppy, seed=seed).value for seed in (7, 8, 7))
    assert first == again != other
    assert (random.random(), np.random.random()) == expected  # noqa: NPY002


def test_work_is_checked() -> None:
    for bad in (0, -1.0, math.nan, math.inf, "5", True):
        with pytest.raises(ParameterError, match="timeout must be"):
            bo.Experiment({"a": sloppy, "b": sloppy}, [1], better="lower", seed=1, timeout=bad)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="memory must be"):
        bo.Experiment({"a": sloppy, "b": sloppy}, [1], better="lower", seed=1, memory=0)
    with pytest.raises(ParameterError, match=r"asks for \{budget\}"):
        work(CommandLine("solver {budget}"))
    with pytest.raises(WrongTypeError, match=r"a path, text or number; problem 'prob 0' is \[1, 2\]"):
        work(CommandLine("solver {instance}"), problems=([1, 2],))
    assert work(CommandLine("solver {problem}"), problems=([1, 2],)).problems == ([1, 2],)
