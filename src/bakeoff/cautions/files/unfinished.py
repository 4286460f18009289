"""Two solvers, one of which fails on a problem, so that the experiment is never finished."""

from __future__ import annotations

import numpy as np


def numbers() -> dict[str, float]:
    return {f"p{i}": float(i) for i in range(40)}


def quiet(problem: float, rng: np.random.Generator) -> float:
    return float(problem + rng.normal())


def loud(problem: float, rng: np.random.Generator) -> float:
    if problem == 5.0:
        raise ArithmeticError("diverged")
    return float(problem + 3 * rng.normal())
