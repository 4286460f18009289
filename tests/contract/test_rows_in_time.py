"""Problems that are days, and runs that are: whom autocorrelated scores stop, and whom they do not concern."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ScoreError


def walk(n: int, seed: int, again: float = 0.8) -> list[float]:
    steps = np.random.default_rng(seed).normal(size=n)
    for i in range(1, n):
        steps[i] = again * steps[i - 1] + np.sqrt(1 - again**2) * steps[i]
    return [float(x) for x in steps]


def dates(n: int) -> list[str]:
    return [str(np.datetime64("2026-01-01") + i) for i in range(n)]


def of_days(runs: dict[str, list[float]], column: str = "run", names: list[str] | None = None) -> bo.Scores:
    """One problem, whose runs are days, in an order drawn at random."""
    rows = [
        {"problem": "ash", "algorithm": a, column: day, "score": x}
        for a, series in runs.items()
        for day, x in zip(names or dates(len(series)), series, strict=True)
    ]
    order = np.random.default_rng(0).permutation(len(rows)).tolist()
    return bo.read_scores([rows[i] for i in order], better="higher", problem="problem", run=column)


OVER_RUNS = {
    "per_problem": bo.per_problem,
    "leaderboard": lambda scores: bo.leaderboard(scores, over="runs"),
    "interquartile_mean": lambda scores: bo.interquartile_mean(scores, over="runs"),
}


@pytest.mark.parametrize("name", OVER_RUNS)
def test_runs_in_time_are_refused_where_they_are_the_sample(name: str) -> None:
    wandering, level = ({a: walk(60, seed, again) for seed, a in enumerate("AB")} for again in (0.8, 0.0))
    with pytest.raises(ScoreError, match=r"runs in time that resemble the run before \(lag-1 correlation 0\.[5-9]"):
        OVER_RUNS[name](of_days(wandering))
    OVER_RUNS[name](of_days(level))
    seeds = [f"seed {i}" for i in range(60)]
    OVER_RUNS[name](of_days(wandering, names=seeds))  # of which nobody knows an order
    numbered = [str(i) for i in range(60)]
    with pytest.raises(ScoreError, match="runs in time"):
        OVER_RUNS[name](of_days(wandering, "day", numbered))


def test_whoever_averages_runs_takes_runs_in_time() -> None:
    rows = [
        {"problem": f"{word}", "algorithm": a, "run": day, "score": x}
        for i, word in enumerate(("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple"))
        for j, a in enumerate("AB")
        for day, x in zip(dates(12), walk(12, 2 * i + j), strict=True)
    ]
    scores = bo.read_scores(rows, better="higher")
    assert bo.compare(scores).pairs
    assert bo.evaluate(scores, n_resamples=99).pairs
    with pytest.raises(ScoreError, match="runs in time"):
        bo.plan.question_variance(scores, "A", "B")


def test_problems_in_time_stop_who_generalises_over_them() -> None:
    """And no one else: each problem by itself, or other runs of these."""
    level = {a: walk(40, seed) for seed, a in enumerate("AB")}
    noise = np.random.default_rng(2).normal(scale=0.1, size=(40, 2, 6))
    cells = np.array([level["A"], level["B"]]).T[:, :, None] + noise
    scores = bo.Scores(cells, list("AB"), dates(40), better="higher", order=range(40))
    for refused in (
        lambda: bo.leaderboard(scores),
        lambda: bo.profile(scores),
        lambda: bo.leaderboard(scores, over="both"),
        lambda: bo.plan.questions(0.1, scores),
    ):
        with pytest.raises(ScoreError, match="rows in time"):
            refused()
    assert bo.per_problem(scores).cells
    assert bo.leaderboard(scores, over="runs").decision == "difference"
    assert bo.change_points(
        bo.Scores(np.abs(cells[:, :, 0]) @ np.ones((2, 12)), better="lower", order=range(40))
    ).series


def test_a_column_of_folds_says_what_its_runs_are() -> None:
    """Called seed, they are runs with data of their own."""

    def read(column: str) -> bo.Scores:
        return of_days({a: walk(12, seed, 0.0) for seed, a in enumerate("AB")}, column, [str(i) for i in range(12)])

    for name, judged in OVER_RUNS.items():
        for column in ("fold", "split", "cv fold"):
            with pytest.raises(ScoreError, match=r"runs that are folds.*a column called seed|over='problems'"):
                judged(read(column))
        assert judged(read("seed")), name


def test_curves_of_days() -> None:
    """Read by their own readers."""
    level = {a: walk(40, seed) for seed, a in enumerate("AB")}
    rows = [
        {"problem": day, "algorithm": a, "run": run, "budget": budget, "score": x + 0.1 * budget}
        for a, series in level.items()
        for day, x in zip(dates(40), series, strict=True)
        for run in range(2)
        for budget in (1, 2)
    ]
    with pytest.raises(ScoreError, match=r"rows in time.*bo\.curves"):
        bo.curves(rows, better="higher", best_so_far=False)
    folds = [row | {"run_kind": "split", "problem": f"p{row['problem']}"} for row in rows]
    with pytest.raises(ScoreError, match=r"runs that are folds.*over='problems'"):
        bo.curves(folds, better="higher", over="runs", best_so_far=False)
