"""What e-choose saves against e-sign: simulated races over tables of several kinds, for docs/guides/race.md."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bakeoff.ranks._rank import doubled_row_ranks
from bakeoff.scores import Array
from bakeoff.wings.run.racing.rules.rule import for_problems, make_rule

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from benchmarks.races.simulated import run_race

RACES = 60
METHODS = ("e-sign", "e-choose")


def _normal(q: int, rho: float) -> Callable[[np.random.Generator, int], tuple[Array, Array]]:
    def draw(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
        means = rng.uniform(size=q)
        return means, means + rho * rng.normal(size=(n, q))

    return draw


def _heavy(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    means = rng.uniform(size=30)
    return means, means + rng.standard_t(2.0, size=(n, 30))


def _items(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    """Right (0) or wrong (1): abilities uniform on −1 to 1, difficulties normal, a logistic model."""
    ability = rng.uniform(-1.0, 1.0, size=20)
    right = 1.0 / (1.0 + np.exp(rng.normal(size=(n, 1)) - ability))
    return -ability, (rng.random((n, 20)) >= right).astype(float)


def _one(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    means = np.where(np.arange(30) == 0, 0.0, 0.5)
    return means, means + rng.normal(size=(n, 30))


def _equal(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    return np.zeros(10), rng.normal(size=(n, 10))


KINDS: dict[str, tuple[int, Callable[[np.random.Generator, int], tuple[Array, Array]]]] = {
    "30 candidates, means uniform on 0 to 1, sd 1": (1500, _normal(30, 1.0)),
    "100 candidates, means uniform on 0 to 1, sd 0.5": (500, _normal(100, 0.5)),
    "20 candidates, right or wrong": (2000, _items),
    "30 candidates, t₂ noise": (800, _heavy),
    "30 candidates, one better by 0.5 sd": (1500, _one),
    "10 equal candidates": (1500, _equal),
}


HEADS = ("candidates", "N", "evaluations, e-sign", "e-choose", "better ones, e-sign", "e-choose", "ended")


def measured() -> dict[str, dict[str, dict[str, float]]]:
    """For every kind of table and both rules: share of the full design, candidates left, better ones than chosen."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for kind, (n, draw) in KINDS.items():
        found[kind] = {}
        for method in METHODS:
            numbers = []
            for seed in range(RACES):
                rng = np.random.default_rng(seed)
                means, costs = draw(rng, n)
                q = len(means)
                rule = make_rule(method, q, 0.05, **for_problems(method, n))
                spent, used = run_race(rule, costs, 5)
                alive = rule.alive
                ranks = doubled_row_ranks(costs[:used, alive]).mean(axis=0)
                best = int(alive[np.argmin(ranks)]) if rule.chosen is None else rule.chosen
                ended = rule.chosen is not None or len(alive) == 1
                numbers.append((spent / (q * n), len(alive), int((means < means[best]).sum()), ended, used))
            spent_, left, better, over, problems = np.mean(numbers, axis=0)
            found[kind][method] = {
                "spent": round(float(spent_), 3),
                "left": round(float(left), 1),
                "better": round(float(better), 2),
                "ended": round(float(over), 2),
                "problems": round(float(problems)),
            }
    return found


def rows(found: dict[str, dict[str, dict[str, float]]]) -> list[list[str]]:
    """The rows of the table."""
    lines = []
    for kind, (n, _) in KINDS.items():
        sign, choose = (found[kind][method] for method in METHODS)
        cells = [kind, str(n), f"{sign['spent']:.3f}", f"{choose['spent']:.3f}", f"{sign['better']:.1f}"]
        cells += [f"{choose['better']:.1f}", f"{100 * choose['ended']:.0f} %"]
        lines.append(cells)
    return lines
