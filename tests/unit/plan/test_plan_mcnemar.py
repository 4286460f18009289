"""Plans of right-or-wrong answers are for McNemar's exact test, which decides them in bo.evaluate."""

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError
from bakeoff.paired._mcnemar import mcnemar_tail


def enumerated(n: int, variance: float, difference: float, alpha: float = 0.05) -> float:
    """Over all outcomes of n questions: only a right, only b right, or both alike."""
    discordant = variance + difference**2
    a, b = (discordant + difference) / 2, (discordant - difference) / 2
    total = 0.0
    for wins in range(n + 1):
        for losses in range(n - wins + 1):
            if mcnemar_tail(wins, losses, "exact")[0] <= alpha:
                ways = math.comb(n, wins) * math.comb(n - wins, losses)
                total += ways * a**wins * b**losses * (1 - a - b) ** (n - wins - losses)
    return total


@pytest.mark.parametrize(("n", "variance", "difference"), [(12, 0.6, 0.3), (30, 0.24, 0.2), (45, 0.1, 0.1)])
def test_power_is_that_of_all_outcomes(n: int, variance: float, difference: float) -> None:
    found = bo.plan.questions(difference, variance, n=n, method="mcnemar")
    assert found.power == pytest.approx(enumerated(n, variance, difference), abs=1e-12)


def test_the_plan_has_the_power_that_it_promises() -> None:
    found = bo.plan.questions(0.2, 0.24, method="mcnemar")
    assert (found.method, found.cautions) == ("mcnemar", ())
    assert enumerated(found.n, 0.24, 0.2) >= 0.8 > enumerated(found.n - 1, 0.24, 0.2)
    assert enumerated(bo.plan.questions(0.2, 0.24, method="t").n, 0.24, 0.2) < 0.78
    assert "McNemar's exact test" in found.promise
    back = bo.plan.questions(omega2=0.24, n=found.n, method="mcnemar")
    assert back.difference == pytest.approx(0.2, abs=0.002)
    assert back.power == pytest.approx(0.8, abs=1e-6)


def test_a_pilot_of_right_or_wrong_answers_is_planned_so() -> None:
    rng = np.random.default_rng(1)
    level = rng.uniform(0.3, 0.8, (60, 1, 1))
    right = (rng.random((60, 2, 4)) < level + np.array([[0.1], [0.0]])).astype(float)
    pilot = bo.plan.question_variance(bo.Scores(right, ["a", "b"], better="higher"), "a", "b")
    graded = bo.plan.question_variance(bo.Scores(right + 0.5, ["a", "b"], better="higher"), "a", "b")
    assert (pilot.right_or_wrong, graded.right_or_wrong) == (True, False)
    found = bo.plan.questions(0.1, pilot)
    assert (found.method, bo.plan.questions(0.1, graded).method) == ("mcnemar", "normal")
    assert found.n > bo.plan.questions(0.1, graded).n
    assert bo.plan.questions(0.1, pilot, answers=4).method == "normal"  # means of answers are tested by t


@pytest.mark.parametrize("wrong", [{"answers": 2}, {"margin": 0.05}, {"cluster_size": 5, "icc": 0.1}, {"omega2": 1.2}])
def test_what_mcnemars_test_does_not_decide_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ParameterError):
        bo.plan.questions(0.1, **{"omega2": 0.2, "method": "mcnemar", **wrong})  # type: ignore[arg-type]


def test_a_difference_that_the_variance_does_not_allow_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"right-or-wrong answers that differ by 0\.3 have 0\.21 to 0\.91"):
        bo.plan.questions(0.3, 0.1, method="mcnemar")
    with pytest.raises(ParameterError, match="too small to show any difference"):
        bo.plan.questions(omega2=0.1, n=4, method="mcnemar")
