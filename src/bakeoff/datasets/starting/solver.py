"""A small solver: random steps downhill on a bowl, with one parameter, the length of a step."""

import numpy as np


def bowls() -> dict[str, list[float]]:
    """Twenty bowls in two to six dimensions: where each one starts, by its name."""
    return {f"bowl {i}": [1.0 + 0.3 * i] * (2 + i % 5) for i in range(1, 21)}


def descend(start: list[float], rng: np.random.Generator, step: float) -> float:
    """The lowest value after 100 steps; ``rng`` is numpy's, seeded for this run."""
    point, lowest = list(start), sum(x * x for x in start)
    for _ in range(100):
        there = [x + step * float(rng.normal()) for x in point]
        value = sum(x * x for x in there)
        if value < lowest:
            point, lowest = there, value
    return lowest


def step_01(problem: list[float], rng: np.random.Generator) -> float:
    return descend(problem, rng, 0.1)


def step_05(problem: list[float], rng: np.random.Generator) -> float:
    return descend(problem, rng, 0.5)


def step_20(problem: list[float], rng: np.random.Generator) -> float:
    return descend(problem, rng, 2.0)
