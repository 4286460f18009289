"""Plans from single answers, or from how often two models agree: one variance, three ways to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError

N, ONLY_A, ONLY_B, BOTH = 400, 50, 30, 250  # questions; models agree on 320, and are right on 290 of them on average


def answers(**design: Any) -> bo.Scores:
    outcome = np.repeat([[1, 0], [0, 1], [1, 1], [0, 0]], [ONLY_A, ONLY_B, BOTH, N - ONLY_A - ONLY_B - BOTH], axis=0)
    return bo.Scores(outcome.astype(float), ["A", "B"], better="higher", **design)


def test_the_variance_of_single_answers_is_that_of_the_paired_differences() -> None:
    found = bo.plan.question_variance(answers(), "A", "B")
    differences = np.diff(answers().values[:, ::-1], axis=1)
    assert found.variance == found.omega2 == pytest.approx(differences.var(ddof=1))
    assert found.sigma2 is None
    assert found.right_or_wrong
    assert "Whether more answers would is unknown" in found.advice
    planned = bo.plan.questions(0.05, found)
    assert (planned.method, planned.sigma2, planned.by_answers) == ("mcnemar", None, ())
    assert "one answer to each question" in planned.advice


def test_pilot_agreement_and_variance_give_the_same_plan() -> None:
    exact = bo.plan.questions(0.05, 80 / N - 0.05**2, method="mcnemar")
    agreed = bo.plan.questions(0.05, agreement=320 / N)
    assert (agreed.n, agreed.power) == pytest.approx((exact.n, exact.power))
    assert agreed.method == "mcnemar"
    assert agreed.variance == pytest.approx(80 / N - 0.05**2)
    assert bo.plan.questions(0.05, accuracy=0.725, agreement=320 / N).n == agreed.n


@pytest.mark.parametrize("method", ["mcnemar", "t", "normal"])
@pytest.mark.parametrize("given", [{"agreement": 0.8}, {"accuracy": 0.7}, {"accuracy": 0.9, "agreement": 0.85}])
def test_what_so_many_questions_detect_is_what_they_were_planned_for(given: dict[str, float], method: Any) -> None:
    n = bo.plan.questions(0.04, method=method, **given).n
    back = bo.plan.questions(n=n, method=method, **given)
    assert back.difference == pytest.approx(0.04, rel=2e-3)
    assert back.power == pytest.approx(0.8, abs=1e-6)


def test_without_an_agreement_errors_are_independent() -> None:
    a, b = 0.75, 0.65
    apart = a * (1 - b) + b * (1 - a)
    assert bo.plan.questions(0.1, accuracy=0.7).n == bo.plan.questions(0.1, agreement=1 - apart).n
    assert "err independently" in bo.plan.questions(0.1, accuracy=0.7).advice


def test_margins_and_clusters_take_an_agreement_too() -> None:
    assert bo.plan.questions(margin=0.02, agreement=0.8).n == bo.plan.questions(margin=0.02, omega2=0.2).n
    clusters = {"cluster_size": 5.0, "icc": 0.3}
    assert bo.plan.questions(0.05, agreement=0.8, **clusters).n == bo.plan.questions(0.05, 0.1975, **clusters).n


@pytest.mark.parametrize(
    ("wrong", "parameter"),
    [
        ({"accuracy": 0.7, "agreement": 0.3}, "agreement"),  # they agree on 0.4 at least
        ({"agreement": 0.99}, "difference"),  # and differ on 0.05
        ({"agreement": 1.0}, "agreement"),
        ({"accuracy": 0.7, "omega2": 0.2}, "accuracy"),
        ({"agreement": 0.8, "sigma2": 0.2}, "agreement"),
        ({"agreement": 0.8, "answers": 4}, "answers"),
        ({"accuracy": 1.2}, "accuracy"),
    ],
)
def test_what_no_models_answer_is_refused(wrong: dict[str, Any], parameter: str) -> None:
    with pytest.raises(ParameterError) as error:
        bo.plan.questions(0.05, **wrong)
    assert error.value.parameter == parameter


def test_single_answers_say_nothing_of_more() -> None:
    with pytest.raises(ParameterError, match="the pilot is of one answer to each question"):
        bo.plan.questions(0.05, bo.plan.question_variance(answers(), "A", "B"), answers=4)
    tasks = [f"t{i % 2}" for i in range(N)]
    by_task = bo.plan.question_variance(answers(tasks=tasks), "A", "B")
    assert [task.n for task in by_task.by_task] == [N // 2, N // 2]
    assert bo.plan.questions(0.05, by_task).method == "t"  # as bo.evaluate tests the mean of tasks
    clusters = bo.plan.question_variance(answers(clusters=[f"c{i // 4}" for i in range(N)]), "A", "B")
    assert bo.plan.questions(0.05, clusters).n > bo.plan.questions(0.05, by_task).n
