"""Candidates that other processes can import, the experiment that races them, and an executor that scrambles."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import bakeoff as bo
from bakeoff.wings.run._race import RunRaceResult
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors.perform import perform
from bakeoff.wings.run.executors.serial import SerialExecutor


class Candidate:
    """Whole numbers, so that many scores tie; ``fails`` is the share of runs that raise."""

    def __init__(self, level: float, fails: float = 0.0) -> None:
        self.level, self.fails = level, fails

    def __call__(self, problem: float, rng: np.random.Generator) -> float:
        if rng.random() < self.fails:
            raise ArithmeticError("diverged")
        return float(np.round(problem + self.level + rng.normal()))


def experiment(
    q: int = 6, n: int = 40, *, seed: int = 1, step: float = 0.5, fails: float = 0.0, **more: Any
) -> bo.Experiment:
    """The lower the number, the better."""
    return bo.Experiment(
        {f"c{i}": Candidate(step * i, fails) for i in range(q)},
        {f"p{i}": float(i) for i in range(n)},
        **{"better": "lower", "seed": seed} | more,
    )


def told(result: RunRaceResult) -> str:
    return json.dumps(result.to_dict(), allow_nan=False, sort_keys=True)


class Scrambled(SerialExecutor):
    """Many workers that finish in any order, and can be stopped after so many runs."""

    def __init__(self, workers: int, seed: int, stop_after: int | None = None) -> None:
        super().__init__()
        self.workers = workers  # type: ignore[misc]
        self.chance = np.random.default_rng(seed)
        self.left = stop_after
        self.tasks: list[Task] = []
        self.work: Work | None = None

    def open(self, work: Work) -> None:
        self.work = work

    def submit(self, task: Task) -> None:
        self.tasks.append(task)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        if self.left is not None:
            if self.left <= 0:
                raise KeyboardInterrupt
            self.left -= 1
        assert self.work is not None
        found = []
        for _ in range(int(self.chance.integers(1, 4))):
            if self.tasks:
                found.append(perform(self.work, self.tasks.pop(int(self.chance.integers(len(self.tasks))))))
        return found
