"""What is said of a run that stops an experiment: how often it was tried, and nothing of that if only once."""

from collections import Counter
from types import SimpleNamespace

import pytest

import bakeoff as bo
from bakeoff.errors import RunFailedError
from bakeoff.wings.run.loop import Loop


def never(problem: float, rng: object) -> float:
    raise ArithmeticError("diverged")


def quiet(problem: float, rng: object) -> float:
    return problem


@pytest.mark.parametrize(("retries", "tried"), [(0, False), (1, True)])
def test_how_often_a_run_was_tried(retries: int, tried: bool) -> None:
    asked = bo.Experiment({"never": never, "quiet": quiet}, {"p": 1.0}, better="lower", seed=1, retries=retries)
    with pytest.raises(RunFailedError) as error:
        bo.run(asked)
    assert ("(tried 2 times)" in str(error.value)) is tried
    assert ("tried" in str(error.value)) is tried


@pytest.mark.parametrize(
    ("failed", "more"),
    [
        ({0: 1}, ""),
        ({0: 2}, " (1 more failed meanwhile: 1 of 'never')"),
        ({0: 1, 1: 3}, " (3 more failed meanwhile: 3 of 'quiet')"),
        ({0: 2, 1: 1}, " (2 more failed meanwhile: 1 of 'never', 1 of 'quiet')"),
    ],
)
def test_other_failures_are_counted(failed: dict[int, int], more: str) -> None:
    asked = bo.Experiment({"never": never, "quiet": quiet}, {"p": 1.0}, better="lower", seed=1)
    with pytest.raises(RunFailedError) as error:
        bo.run(asked)
    assert "more failed" not in str(error.value)
    loop = SimpleNamespace(failures=Counter(failed), experiment=asked)
    outcome = SimpleNamespace(task=SimpleNamespace(algorithm=0, attempt=0), error="diverged", unreadable=False)
    message = Loop._failure_message(loop, outcome)  # type: ignore[arg-type]
    assert message.startswith(f"diverged{more}. All other runs are kept.")
