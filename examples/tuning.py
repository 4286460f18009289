"""Twenty settings of differential evolution and two hundred random functions, for tuning.toml."""

from dataclasses import dataclass

import numpy as np

EVALUATIONS, SIZE = 160, 8


@dataclass(frozen=True)
class Bowl:
    """A stretched quadratic with cosine ripples around a random centre in [−1, 1]ⁿ."""

    centre: np.ndarray
    stretch: np.ndarray
    ripple: float

    def __call__(self, x: np.ndarray) -> float:
        z = self.stretch * (x - self.centre)
        return float(np.sum(z**2) + self.ripple * np.sum(1 - np.cos(2 * np.pi * z)))


def bowls() -> dict[str, Bowl]:
    """The same two hundred for everybody."""
    rng = np.random.default_rng(2015)
    found = {}
    for i in range(200):
        n = int(rng.integers(2, 7))
        found[f"f{i + 1:03d}-{n}d"] = Bowl(rng.uniform(-0.8, 0.8, n), rng.uniform(1, 4, n), float(rng.uniform(0, 2)))
    return found


@dataclass(frozen=True)
class DifferentialEvolution:
    """DE/rand/1/bin with eight individuals."""

    weight: float  # F
    crossover: float  # CR

    def __call__(self, problem: Bowl, rng: np.random.Generator) -> float:
        n = len(problem.centre)
        people = rng.uniform(-1, 1, (SIZE, n))
        values = np.array([problem(x) for x in people])
        for k in range(EVALUATIONS - SIZE):
            i = k % SIZE
            a, b, c = ((i + 1 + rng.permutation(SIZE - 1)) % SIZE)[:3]
            crossed = rng.random(n) < self.crossover
            crossed[rng.integers(n)] = True
            moved = np.clip(people[a] + self.weight * (people[b] - people[c]), -1, 1)
            trial = np.where(crossed, moved, people[i])
            if (value := problem(trial)) <= values[i]:
                people[i], values[i] = trial, value
        return float(values.min())


# f02c1 … f10c9: the candidates by the names that tuning.toml has
for _weight in (0.2, 0.4, 0.6, 0.8, 1.0):
    for _crossover in (0.1, 0.5, 0.7, 0.9):
        globals()[f"f{10 * _weight:02.0f}c{10 * _crossover:.0f}"] = DifferentialEvolution(_weight, _crossover)
