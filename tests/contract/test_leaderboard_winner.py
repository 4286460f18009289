"""The winner's interval speaks of the mean that ranked: its tasks, weights, clusters and degrees of freedom."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bakeoff as bo
from bakeoff.means.selected_mean import of_all_at_once, selected_mean
from bakeoff.wings.boards.evaluate.statistics import ranked_table
from bakeoff.wings.boards.leaderboard.statistics import Winner, corrected_winner


def logged(tasks: dict[str, dict[str, list[float]]]) -> bo.Scores:
    """A long table with a column of tasks."""
    rows = [
        (task, i, model, value)
        for task, models in tasks.items()
        for model, values in models.items()
        for i, value in enumerate(values)
    ]
    return bo.read_scores(pd.DataFrame(rows, columns=["task", "question", "model", "acc"]), better="higher")


def right(hits: int, n: int) -> list[float]:
    return [1.0] * hits + [0.0] * (n - hits)


def holds(winner: Winner) -> bool:
    """Is there an interval with a width, the estimate in it, that is not within the uncorrected one?"""
    assert winner.interval is not None
    assert winner.estimate is not None
    (low, high), (naive_low, naive_high) = winner.interval, winner.naive_interval
    return low < high and low <= winner.estimate <= high and not naive_low < low < high < naive_high


CONTRARY = {"big": {"A": right(300, 400), "B": right(240, 400)}, "small": {"A": right(3, 12), "B": right(11, 12)}}
"""By question A leads, by task B: 0.758 after 0.5."""


def test_the_interval_is_of_the_mean_that_ranked() -> None:
    """It was of the mean over questions: 0.536 to 0.536 for a winner with 0.758."""
    found = bo.leaderboard(logged(CONTRARY), n_resamples=99)
    assert found.winner.algorithm == "B"
    assert found.winner.value == pytest.approx((240 / 400 + 11 / 12) / 2)
    assert found.winner.estimate == pytest.approx(found.winner.value, abs=1e-3)
    assert holds(found.winner)
    low, high = found.winner.interval  # type: ignore[misc]
    assert low < found.winner.naive_interval[0] < found.winner.naive_interval[1] < high
    assert bo.verify(found).ok


def test_equal_tasks_of_unequal_size() -> None:
    """1000 questions (.60; .66) and 100 (.50; .30): the interval was 0.546 to 0.546."""
    tasks = {
        "h": {"old": right(600, 1000), "new": right(660, 1000)},
        "g": {"old": right(50, 100), "new": right(30, 100)},
    }
    winner = bo.leaderboard(logged(tasks), n_resamples=99).winner
    assert (winner.algorithm, winner.value) == ("old", pytest.approx(0.55))
    assert holds(winner)
    assert winner.naive_interval[0] < 0.55 < winner.naive_interval[1]


@pytest.mark.parametrize("weights", ["task", "question"])
@pytest.mark.parametrize("answers", [True, False])
def test_either_weights_have_their_own_mean_and_error(weights: Any, answers: bool) -> None:
    rng = np.random.default_rng(2)
    p = np.repeat([0.8, 0.3], [60, 12])[:, None]
    values = (rng.random((72, 4)) < p).astype(float) if answers else p + 0.3 * rng.normal(size=(72, 4))
    suites = ["big"] * 60 + ["small"] * 12
    evaluation = bo.evaluate(bo.Scores(values, better="higher"), suites=suites, weights=weights, n_resamples=20)
    winner = corrected_winner(evaluation, 0.05)
    shares = [0.5, 0.5] if weights == "task" else [60 / 72, 12 / 72]
    means = np.average([values[:60].mean(axis=0), values[60:].mean(axis=0)], axis=0, weights=shares)
    assert winner.value == pytest.approx(means.max())
    parts = zip(shares, (values[:60], values[60:]), strict=True)
    own = sum(w**2 * part.var(axis=0, ddof=1) / len(part) for w, part in parts)
    assert winner.standard_error == pytest.approx(np.sqrt(own)[means.argmax()])
    assert winner.method == ("wilson" if answers else "hybrid")
    assert holds(winner)


def test_unequal_clusters_have_the_degrees_of_freedom_of_the_evaluation() -> None:
    """Sizes 1 1 2 3 4 6 10 30 are worth three: t(2.04), and so the interval of all at once."""
    codes = np.repeat(np.arange(8), [1, 1, 2, 3, 4, 6, 10, 30])
    rng = np.random.default_rng(4)
    values = rng.normal(size=(8, 5))[codes] + 0.5 * rng.normal(size=(57, 5))
    found = bo.leaderboard(bo.Scores(values, better="higher", clusters=codes), n_resamples=99)
    winner, own = found.winner, found.evaluation.estimate(found.winner.algorithm)
    assert own.df == pytest.approx(57**2 / 1067 - 1)
    assert winner.method == "simultaneous"
    means = np.array([e.mean for e in found.evaluation.estimates])
    variance = np.full(5, own.standard_error**2)
    best = selected_mean(means, variance, int(means.argmax()), own.df)
    assert (winner.estimate, *winner.interval) == pytest.approx(of_all_at_once(best, 5, 0.05))  # type: ignore[misc]
    assert holds(winner)
    assert "t(2.04)" in found.methods


def test_below_three_effective_clusters_there_is_no_interval() -> None:
    """Nine clusters of one and one of 30, worth 1.7: it missed in 52 to 66 % of tables."""
    codes = np.repeat(np.arange(10), [1] * 9 + [30])
    rng = np.random.default_rng(11)
    values = rng.normal(size=(10, 3))[codes] + 0.5 * rng.normal(size=(39, 3))
    found = bo.leaderboard(bo.Scores(values, better="higher", clusters=codes), n_resamples=99)
    winner = found.winner
    assert (winner.method, winner.estimate, winner.interval, winner.correction) == ("none", None, None, None)
    assert json.loads(json.dumps(found.to_dict()))["winner"]["interval"] is None
    words = f"{found.verdict} {found} {bo.diagram(found).description}"
    assert "corrected for having been chosen" not in words
    assert "95 % interval" not in words
    assert bo.verify(found).ok
    two = bo.leaderboard(bo.Scores([[1.0, 2.5], [2.0, 1.0]], better="higher"), n_resamples=20).winner
    assert two.interval is None


@pytest.mark.few(2)
@pytest.mark.parametrize("clusters", [None, 6, 12])
@pytest.mark.parametrize("by", ["mean", "mean-rank"])
def test_no_corrected_interval_is_within_the_uncorrected_one(clusters: int | None, by: Any) -> None:
    """A rival just behind: given who won the value shows nothing, and the hybrid interval shrank to a point."""
    rng = np.random.default_rng(7)
    labels = None if clusters is None else [f"c{i % clusters}" for i in range(24)]
    for step in (1e-9, 1e-4, 0.01, 0.3):
        values = rng.normal(size=(24, 3))
        values += [0.4, 0.0, 0.0] - values.mean(axis=0)
        values[:, 1] += 0.4 - step
        found = bo.leaderboard(bo.Scores(values, better="higher", clusters=labels), by=by, n_resamples=20)
        assert holds(found.winner), step


def test_the_same_right_answers_within_each_task() -> None:
    """Graded answers without variation: what rare others allow, by the task in which fewest say most."""
    tasks = {
        "big": {"A": [1.0] * 40, "B": list(np.linspace(0, 1, 40))},
        "small": {"A": [0.5] * 10, "B": list(np.linspace(0, 0.2, 10))},
    }
    winner = bo.leaderboard(logged(tasks), n_resamples=99).winner
    assert (winner.method, winner.value) == ("unvaried", 0.75)
    reach = 1 - (1 - 0.95**0.5) ** (1 / 20)  # 10 questions that are half of the mean
    assert winner.interval == pytest.approx((0.75 - reach, 0.75 + reach))


def test_a_winner_that_did_not_rank_first_is_a_fault_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = bo.evaluate(bo.Scores(np.random.default_rng(0).normal(size=(12, 3)), better="higher"), n_resamples=20)
    table = ranked_table(evaluation)
    worse = bo.Scores(-evaluation.scores.values, better="higher")
    monkeypatch.setattr(
        "bakeoff.wings.boards.leaderboard.statistics._leaderboard.ranked_table",
        lambda judged: ranked_table(bo.evaluate(worse, n_resamples=20)),
    )
    assert table.n_clusters == 12
    with pytest.raises(AssertionError, match="ranked first"):
        corrected_winner(evaluation, 0.05)


def test_nothing_is_said_of_a_correction_that_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    found = bo.leaderboard(bo.Scores(rng.normal([5.0, 0.0], 1.0, (30, 2)), better="higher"), n_resamples=99)
    assert found.winner.correction == pytest.approx(0, abs=1e-6)
    assert "corrected" not in found.verdict
    assert "median-unbiased estimate" not in str(found)
