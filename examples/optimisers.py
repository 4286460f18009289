"""Two small optimisers and forty random functions, for optimisers.toml.

Each function is a shifted, rotated and stretched quadratic with cosine ripples, in 2 to 8 dimensions, and larger than
zero everywhere, so that differences in per cent make sense. Each optimiser may evaluate it a hundred times.
"""

from dataclasses import dataclass

import numpy as np

EVALUATIONS = 100


@dataclass(frozen=True)
class Landscape:
    """f(x) = offset + |S·R·(x − centre)|² + ripple·Σ(1 − cos 2πz); x in [−1, 1]ⁿ."""

    centre: np.ndarray
    rotation: np.ndarray
    stretch: np.ndarray
    ripple: float
    offset: float

    @property
    def dimension(self) -> int:
        return len(self.centre)

    def __call__(self, x: np.ndarray) -> float:
        z = self.rotation @ (x - self.centre)
        return float(self.offset + np.sum((self.stretch * z) ** 2) + self.ripple * np.sum(1 - np.cos(2 * np.pi * z)))


def landscapes() -> dict[str, Landscape]:
    """The same forty for everybody."""
    rng = np.random.default_rng(2019)
    found = {}
    for i in range(40):
        n = int(rng.integers(2, 9))
        rotation, _ = np.linalg.qr(rng.normal(size=(n, n)))
        found[f"f{i + 1:02d}-{n}d"] = Landscape(
            centre=rng.uniform(-0.8, 0.8, n),
            rotation=rotation,
            stretch=rng.uniform(1, 5, n),
            ripple=float(rng.uniform(0, 2)),
            offset=float(rng.uniform(8, 16)),
        )
    return found


def evolution_strategy(problem: Landscape, rng: np.random.Generator) -> float:
    """(1+1)-ES with the one-fifth success rule."""
    x = rng.uniform(-1, 1, problem.dimension)
    best, step = problem(x), 0.5
    for _ in range(EVALUATIONS - 1):
        trial = np.clip(x + step * rng.normal(size=x.size), -1, 1)
        value = problem(trial)
        if value <= best:
            x, best, step = trial, value, step * 1.5
        else:
            step *= 1.5**-0.25
    return best


def differential_evolution(problem: Landscape, rng: np.random.Generator) -> float:
    """DE/rand/1/bin with ten individuals, F = 0.7, CR = 0.9."""
    size, n = 10, problem.dimension
    people = rng.uniform(-1, 1, (size, n))
    values = np.array([problem(x) for x in people])
    for k in range(EVALUATIONS - size):
        i = k % size
        a, b, c = rng.choice(np.delete(np.arange(size), i), 3, replace=False)
        crossed = rng.random(n) < 0.9
        crossed[rng.integers(n)] = True
        trial = np.where(crossed, np.clip(people[a] + 0.7 * (people[b] - people[c]), -1, 1), people[i])
        if (value := problem(trial)) <= values[i]:
            people[i], values[i] = trial, value
    return float(values.min())
