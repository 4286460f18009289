"""A small solver: random steps downhill on a bowl, with two parameters: the length of a step, and how many."""

from __future__ import annotations

import numpy as np


def bowls() -> dict[str, list[float]]:
    """Twenty bowls in two to six dimensions: where each one starts, by its name."""
    return {f"bowl {i}": [2.0 + 0.1 * i] * (2 + i % 5) for i in range(1, 21)}


def many_bowls() -> dict[str, list[float]]:
    """Sixty of them, for experiments that draw their problems."""
    return {f"bowl {i}": [2.0 + 0.1 * i] * (2 + i % 5) for i in range(1, 61)}


def descend(start: list[float], rng: np.random.Generator, step: float, steps: int = 100) -> float:
    """The lowest value after so many steps; ``rng`` is numpy's, seeded for this run."""
    point, lowest = list(start), sum(x * x for x in start)
    for _ in range(steps):
        there = [x + step * float(rng.normal()) for x in point]
        value = sum(x * x for x in there)
        if value < lowest:
            point, lowest = there, value
    return lowest
