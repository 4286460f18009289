"""Candidates that other processes can import, and the experiment that races them."""

from __future__ import annotations

from typing import Any

import numpy as np

import bakeoff as bo


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
