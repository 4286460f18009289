"""The power that a plan of questions promises over tasks, against what bo.evaluate of such tables detects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import bakeoff as bo

TABLES, FEW = 600, 200
TWELVE = (5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60)
SIZES = {"one task": (60,), "100 and 20": (100, 20), "12 tasks of 5 to 60": TWELVE}


def table(rng: Generator, sizes: list[int], difference: float, answers: int = 1) -> bo.Scores:
    """Tasks differ in level and in spread; A leads by as much in each."""
    tasks = np.repeat(np.arange(len(sizes)), sizes)
    between = (0.3 + 0.2 * (tasks % 3)) * rng.normal(size=len(tasks))
    lead = difference + between
    base = rng.normal(size=len(tasks)) + tasks
    noise = 0.2 * rng.normal(size=(len(tasks), 2, answers))
    values = np.stack([base + lead / 2, base - lead / 2], axis=1)[:, :, None] + noise
    labels = [f"t{task}" for task in tasks] if len(sizes) > 1 else None
    return bo.Scores(values if answers > 1 else values[:, :, 0], ["A", "B"], better="higher", tasks=labels)


def planned(sizes: tuple[int, ...], weights: str | None, **wanted: Any) -> bo.plan.QuestionPlan:
    """From a pilot so large that its variances are the true ones."""
    pilot = table(np.random.default_rng(1), [400 * n for n in sizes], 0.0, answers=2)
    if weights is not None:
        pilot = pilot.with_design(weights=weights)
    return bo.plan.questions(omega2=bo.plan.question_variance(pilot, "A", "B"), method="t", **wanted)


def off(tables: int) -> float:
    """How far the power may be from the promise, and two standard errors of a share of so many tables."""
    return 0.03 + 2 * (0.16 / tables) ** 0.5


def detected(sizes: list[int], weights: str | None, difference: float, tables: int) -> float:
    """Share of tables in which bo.evaluate shows that A is better."""
    rng, shown = np.random.default_rng(2), 0
    for _ in range(tables):
        scores = table(rng, sizes, difference)
        if weights is not None:
            scores = scores.with_design(weights=weights)
        shown += bo.evaluate(scores, n_resamples=199, rng=1).pairs[0].verdict == "a better"
    return shown / tables


CASES = [(name, sizes, weights) for name, sizes in SIZES.items() for weights in (None, "problems")[: len(sizes)]]


@pytest.mark.parametrize(
    "tables", [pytest.param(FEW, marks=pytest.mark.slow), pytest.param(TABLES, marks=pytest.mark.exhaustive)]
)
@pytest.mark.parametrize(("sizes", "weights"), [case[1:] for case in CASES], ids=[f"{c[0]}, {c[2]}" for c in CASES])
def test_the_promised_power_is_that_of_evaluate(sizes: tuple[int, ...], weights: str | None, tables: int) -> None:
    plan = planned(sizes, weights, n=sum(sizes))
    found = detected([*sizes], weights, plan.difference, tables)
    assert found == pytest.approx(plan.power, abs=off(tables))
    assert plan.power == pytest.approx(0.8)


@pytest.mark.parametrize(
    "tables", [pytest.param(FEW, marks=pytest.mark.slow), pytest.param(TABLES, marks=pytest.mark.exhaustive)]
)
def test_a_plan_for_a_difference_has_its_questions_in_each_task(tables: int) -> None:
    """And the plan for the pooled mean, which needs fewer, has not the power for the mean of tasks."""
    sizes = SIZES["100 and 20"]
    plan, pooled = (planned(sizes, weights, difference=0.15) for weights in (None, "problems"))
    assert sum(plan.tasks.values()) == plan.n > pooled.n
    assert plan.tasks["t0"] == pytest.approx(5 * plan.tasks["t1"], abs=3)
    assert detected([*plan.tasks.values()], None, 0.15, tables) == pytest.approx(0.8, abs=off(tables))
    assert detected([*pooled.tasks.values()], None, 0.15, tables // 2) < 0.6
