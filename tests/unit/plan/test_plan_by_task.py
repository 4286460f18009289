"""A plan of questions in several tasks is one for the mean that the pilot's design names."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, ScoreError


def pilot(sizes: tuple[int, ...] = (120, 12), **design: object) -> bo.Scores:
    rng = np.random.default_rng(3)
    tasks = np.repeat([f"t{i}" for i in range(len(sizes))], sizes)
    lead = 0.5 * rng.normal(size=(len(tasks), 1, 1)) * np.array([[[0.5], [-0.5]]])
    return bo.Scores(lead + 0.1 * rng.normal(size=(len(tasks), 2, 3)), better="higher", tasks=tasks, **design)  # type: ignore[arg-type]


def variance(scores: bo.Scores) -> bo.plan.QuestionVariance:
    return bo.plan.question_variance(scores, 0, 1)


@pytest.mark.parametrize("weights", [None, "problems"])
def test_variances_are_those_of_the_mean_that_evaluate_compares(weights: str | None) -> None:
    """As many questions as the pilot has give the standard error that bo.evaluate finds in it."""
    scores = pilot() if weights is None else pilot(weights=weights)
    found, pair = variance(scores), bo.evaluate(scores, n_resamples=199).pairs[0]
    assert found.difference == pytest.approx(pair.difference)
    assert (found.variance / found.n) ** 0.5 == pytest.approx(pair.standard_error)
    assert found.variance == pytest.approx(found.omega2 + sum(found.sigma2) / 3)
    plan = bo.plan.questions(omega2=found, answers=3, n=found.n)
    assert plan.method == "t"
    assert f"a t-test with {pair.df:.3g} degrees of freedom" in plan.promise
    assert plan.tasks == {"t0": 120, "t1": 12}


def test_the_mean_of_tasks_needs_more_questions_than_the_pooled_one_and_says_so() -> None:
    equal, pooled = (bo.plan.questions(0.05, variance(scores)) for scores in (pilot(), pilot(weights="problems")))
    assert equal.n > 2 * pooled.n
    assert "in 2 tasks (" in equal.promise
    assert "which count equally" in equal.promise
    assert "which count equally" not in pooled.promise
    assert equal.power >= 0.8 > bo.plan.questions(0.05, variance(pilot()), n=equal.n - 1).power
    assert bo.plan.questions(omega2=variance(pilot()), n=equal.n).difference == pytest.approx(0.05, rel=1e-3)


def test_one_task_is_planned_as_none() -> None:
    alone = pilot((50,))
    plain = bo.Scores(alone.runs, better="higher")  # type: ignore[arg-type]
    assert bo.plan.questions(0.05, variance(alone)) == bo.plan.questions(0.05, variance(plain))


def test_what_no_plan_knows_is_refused() -> None:
    clusters = [f"c{i // 3}" for i in range(132)]
    with pytest.raises(ScoreError, match="has clusters within tasks"):
        variance(pilot(clusters=clusters))
    assert variance(pilot(clusters=clusters, weights="problems")).by_task == ()
    with pytest.raises(ScoreError, match="clusters that count equally"):
        variance(pilot(clusters=clusters, weights="clusters"))
    with pytest.raises(ScoreError, match="must have two questions of each task at least; one of t1"):
        variance(pilot((30, 1)))
    assert variance(pilot((30, 1), weights="problems")).by_task == ()
    for wrong in ({"cluster_size": 4, "icc": 0.1}, {"method": "mcnemar"}, {"n": 20}):
        with pytest.raises(ParameterError):
            bo.plan.questions(0.05, variance(pilot()), **wrong)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (None, "Mean score over 2 tasks (120 and 12 problems), each task counting the same"),
        ("problems", "Mean score over 132 problems, each problem counting the same"),
    ],
)
def test_a_plan_and_its_pilot_say_which_mean_they_are_about(weights: str | None, said: str) -> None:
    scores = pilot() if weights is None else pilot(weights=weights)
    plan, found = bo.plan.questions(0.05, scores, answers=3), variance(scores)
    assert plan == bo.plan.questions(0.05, found, answers=3)
    for result in (plan, found):
        assert result.estimand == said
        assert str(result).splitlines()[1] == f"{said}." or said in " ".join(str(result).split())
        assert result.to_dict()["estimand"]["weights"] == (weights or "tasks")
    assert bo.plan.questions(0.05, omega2=0.2).to_dict().get("estimand") is None


def test_a_pilot_of_more_models_needs_their_names() -> None:
    three = bo.Scores(np.random.default_rng(0).normal(size=(20, 3, 2)), better="higher")
    with pytest.raises(ParameterError, match=r"omega2 must have two models.*question_variance\(scores, 'A1', 'A2'\)"):
        bo.plan.questions(0.1, three)


def test_questions_of_which_only_answers_vary_are_planned() -> None:
    """Where ω̂² is below 0 in every task, also with many answers."""
    rng = np.random.default_rng(0)
    answers = (rng.random((60, 2, 2)) < 0.6).astype(float)
    scores = bo.Scores(answers, better="higher", tasks=["a"] * 40 + ["b"] * 20)
    assert max(task.omega2 for task in variance(scores).by_task) < 0
    assert [row.answers for row in bo.plan.questions(0.1, scores).by_answers] == [1, 2, 4, 8, 16]
