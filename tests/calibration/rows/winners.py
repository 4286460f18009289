"""The winner's interval of a leaderboard over clusters of unequal size, and over tasks of unequal size."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

import bakeoff as bo
from calibration.rows.row import Outcome, Row

ALPHA = 0.05
TABLE = Callable[[Generator], bo.Scores]
SIZES = {
    "nine of 1, one of 30": [1] * 9 + [30],
    "1 1 2 3 4 6 10 30": [1, 1, 2, 3, 4, 6, 10, 30],
    "six of 1, then 3 5 8 12 20 40": [1] * 6 + [3, 5, 8, 12, 20, 40],
    "ten of 4": [4] * 10,
}
TASKS = {
    "100 questions (0.8) and 20 (0.3)": ((100, 0.8), (20, 0.3)),
    "60 (0.9), 30 (0.6) and 10 (0.3)": ((60, 0.9), (30, 0.6), (10, 0.3)),
}


def holds(table: TABLE, truth: float) -> Callable[[Generator], Outcome]:
    """Below three effective units there is no interval, and so no error."""

    def count(rng: Generator) -> Outcome:
        interval = bo.leaderboard(table(rng), n_resamples=20).winner.interval  # resamples decide pairs alone
        return (0, 0) if interval is None else (int(not interval[0] <= truth <= interval[1]), 1)

    return count


def in_clusters(sizes: list[int], k: int) -> TABLE:
    codes = np.repeat(np.arange(len(sizes)), sizes)
    labels = [f"c{code}" for code in codes]

    def table(rng: Generator) -> bo.Scores:
        values = rng.normal(size=(len(sizes), k))[codes] + 0.5 * rng.normal(size=(len(codes), k))
        return bo.Scores(values, better="higher", clusters=labels)

    return table


def in_tasks(tasks: tuple[tuple[int, float], ...], k: int, answers: bool, by_task: bool) -> TABLE:
    """A table with a column of tasks, which then count equally; or of questions, which do."""
    mean = np.concatenate([np.full(n, p) for n, p in tasks])
    task = np.concatenate([[f"t{b}"] * n for b, (n, _) in enumerate(tasks)])
    question, model = (index.ravel() for index in np.indices((len(mean), k)))
    names = {"task": task[question].tolist(), "question": question.tolist(), "model": [f"m{j}" for j in model]}

    def table(rng: Generator) -> bo.Scores:
        drawn = rng.normal(mean[:, None], 0.3, (len(mean), k))
        if answers:
            drawn = np.where(rng.random((len(mean), k)) < mean[:, None], 1.0, 0.0)
        if not by_task:
            return bo.Scores(drawn, better="higher")
        return bo.read_scores({**names, "score": drawn.ravel().tolist()}, better="higher")

    return table


def over_clusters(sizes: str, k: int) -> Row:
    return Row(
        f"winner: clusters {sizes}, {k}",
        "`bo.leaderboard`, the winner's interval",
        f"{k} equal algorithms; clusters {sizes}; normal, intraclass correlation 0.8",
        "coverage",
        1 - ALPHA,
        holds(in_clusters(SIZES[sizes], k), 0.0),
        tables=1000,
    )


def over_tasks(tasks: str, k: int, answers: bool, by_task: bool) -> Row:
    law, weights = "right or wrong" if answers else "normal", "tasks" if by_task else "questions"
    sizes, means = zip(*TASKS[tasks], strict=True)
    truth = float(np.average(means, weights=None if by_task else sizes))
    return Row(
        f"winner: {tasks}, {law}, {weights}, {k}",
        f"`bo.leaderboard`, the winner's interval; {weights} count equally",
        f"{k} equal models; {tasks}; {law}",
        "coverage",
        1 - ALPHA,
        holds(in_tasks(TASKS[tasks], k, answers, by_task), truth),
        tables=1000,
    )


ROWS = (
    *(over_clusters(sizes, k) for sizes in SIZES for k in (2, 3, 5)),
    *(
        over_tasks(tasks, k, answers, by_task)
        for tasks in TASKS
        for k in (2, 4)
        for answers in (False, True)
        for by_task in (True, False)
    ),
)
