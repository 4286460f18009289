"""What is said of a run that stops an experiment: how often it was tried, and nothing of that if only once."""

import pytest

import bakeoff as bo
from bakeoff.errors import RunFailedError


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
