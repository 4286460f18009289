"""What may be written of a ratio depends on when the rounds ended."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.guard.timing import Timing


def timed(rounds: int, ratio: float = 1.2, noise: float = 0.05, **options: float) -> Timing:
    rng = np.random.default_rng(3)
    new = np.exp(rng.normal(0, noise, rounds))
    times = [[new, ratio * new * np.exp(rng.normal(0, noise, rounds))]]
    return bo.time_ratios(bo.Scores(times, ["new", "old"], ["solve"], better="lower"), **options)  # type: ignore[arg-type]


def test_rounds_that_ended_with_the_verdict_give_a_least_ratio() -> None:
    """The median at that time was chosen for being large."""
    last = next(n for n in range(8, 40) if timed(n).pairs[0].decided_after)
    found = timed(last)
    (pair,) = found.pairs
    assert pair.low is not None
    assert pair.rounds == pair.decided_after
    assert found.verdict.startswith(f"new is at least {pair.low:.3g} times as fast as old (95 % {pair.low:.3g} to ")


@pytest.mark.parametrize("found", [timed(60), timed(10, noise=0.001)], ids=["many rounds", "known"])
def test_a_ratio_that_is_known_or_measured_on_is_named(found: Timing) -> None:
    (pair,) = found.pairs
    assert found.verdict.startswith(f"new is {pair.ratio:.3g} times as fast as old (95 % ")


def test_no_difference_is_not_one_times_as_fast() -> None:
    said = timed(40, ratio=1.0, noise=0.0002).verdict
    assert said.startswith(
        "No difference shown between new and old: in these rounds both took equally long, with a 95 % "
    )
