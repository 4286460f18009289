"""A margin that no two scores are apart is doubted by every command that takes one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bakeoff as bo

RNG = np.random.default_rng(3)
SHARES = bo.Scores(np.round(RNG.uniform(0.6, 0.9, (12, 3)), 3), ["old", "new", "x"], better="higher")
TWO = SHARES.select(algorithms=["old", "new"])
COSTS = bo.Scores(RNG.uniform(1, 9, (12, 3)), ["old", "new", "x"], better="lower")

DOORS: dict[str, Callable[[Any], Any]] = {
    "compare": lambda margin: bo.compare(SHARES, margin=margin),
    "equivalence": lambda margin: bo.equivalence(SHARES, "old", "new", margin),
    "check": lambda margin: bo.check(TWO, TWO, margin, label=("old", "new"), scale="difference", level="suite"),
    "tradeoff": lambda margin: bo.tradeoff({"a": SHARES, "c": COSTS}, {"a": margin, "c": 1.0}, n_draws=100),
    "bayes": lambda margin: bo.bayes.overview(SHARES, rope=margin, n_draws=1000, rng=1),
}


def severity(result: Any) -> str | None:
    return {c.code: c.severity for c in result.cautions}.get("margin-beyond-scores")


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("margin", "expected"), [(5, "stop"), (1, "stop"), (0.5, "warning"), (0.05, None)])
def test_at_every_door(door: str, margin: float, expected: str | None) -> None:
    assert severity(DOORS[door](margin)) == expected


def test_a_percentage_is_no_doubt_and_neither_is_a_small_range_of_few_problems() -> None:
    assert severity(bo.compare(SHARES, margin="5%")) is None
    times = bo.Scores([[100.0, 101.0], [100.5, 101.5], [100.2, 101.1]], ["old", "new"], better="lower")
    assert severity(bo.equivalence(times, "old", "new", 5.0)) is None


def test_scores_that_are_all_equal_have_a_caution_of_their_own() -> None:
    assert severity(bo.compare(bo.Scores(np.ones((12, 3)), better="lower"), margin=5)) is None


def test_the_doubt_stands_above_the_verdict() -> None:
    page = str(bo.compare(SHARES, margin=5))
    assert page.index("margin-beyond-scores") < page.index("practically equal")
    assert "was 5% meant" in " ".join(page.split())
