"""``kruskal_wallis`` and ``repeated_runs`` beside slow twins: moments over all runs in fractions, draws by loops."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo

Cells = list[list[list[int]]]  # problem, algorithm, run


def random_cells(rng: np.random.Generator, n: int, k: int, most: int) -> Cells:
    spread = int(rng.choice([1, 3, 20]))
    return [
        [rng.integers(0, spread + 1, size=int(rng.integers(1, most + 1))).tolist() for _ in range(k)] for _ in range(n)
    ]


def as_scores(cells: Cells, better: str = "lower") -> bo.Scores:
    n, k, r = len(cells), len(cells[0]), max(len(c) for row in cells for c in row)
    padded = np.full((n, k, r), np.nan)
    for i, j in itertools.product(range(n), range(k)):
        padded[i, j, : len(cells[i][j])] = cells[i][j]
    names = [f"A{j + 1}" for j in range(k)]
    return bo.Scores.from_cells(padded, names, [f"P{i + 1}" for i in range(n)], better=better)  # type: ignore[arg-type]


def sign(x: int, y: int) -> int:
    """+1 where x, of the first, is lower."""
    return (x < y) - (x > y)


def second(runs: int, s: Fraction, x: int, y: int) -> Fraction:
    """E w_x w_y under Dirichlet(s, 1 … 1)."""
    total = s + runs
    return Fraction(1 + (x == y)) / (total * (total + 1))


def cross_moment(row: list[list[int]], s: Fraction, i: int, j: int, u: int, v: int) -> Fraction:
    """E T_ij T_uv over all four runs; independent algorithms, the same one twice by its second moment."""
    total = Fraction(0)
    for a, b, c, d in itertools.product(*(range(len(row[x])) for x in (i, j, u, v))):
        factor = Fraction(sign(row[i][a], row[j][b]) * sign(row[u][c], row[v][d]))
        if not factor:
            continue
        uses: dict[int, list[int]] = {}
        for algorithm, run in ((i, a), (j, b), (u, c), (v, d)):
            uses.setdefault(algorithm, []).append(run)
        for algorithm, found in uses.items():
            runs = len(row[algorithm])
            factor *= Fraction(1) / (s + runs) if len(found) == 1 else second(runs, s, *found)
        total += factor
    return total


def mean_of(row: list[list[int]], s: Fraction, i: int, j: int) -> Fraction:
    found = sum(sign(x, y) for x in row[i] for y in row[j])
    return Fraction(found) / ((s + len(row[i])) * (s + len(row[j])))


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(25))
def test_moments_of_relative_effects(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k, s = int(rng.integers(2, 5)), Fraction(int(rng.integers(0, 5)), 2)
    cells = random_cells(rng, 1, k, 3)
    cells[0][0] = [*cells[0][0], 1][:3] if len(cells[0][0]) > 1 else [0, 1]  # several runs of someone
    row = cells[0]
    found = bo.bayes.kruskal_wallis(as_scores(cells), prior_strength=float(s), n_draws=100)
    means = [[mean_of(row, s, i, j) if i != j else Fraction(0) for j in range(k)] for i in range(k)]
    assert found.pair_effects == pytest.approx(np.array([[0.5 + float(x) / 2 for x in r] for r in means]), rel=1e-12)
    assert found.effects == pytest.approx([0.5 + float(sum(r)) / (2 * k) for r in means], rel=1e-12)
    for i, u in itertools.product(range(k), repeat=2):
        total = Fraction(0)
        for j, v in itertools.product(range(k), repeat=2):
            if i != j and u != v:
                total += cross_moment(row, s, i, j, u, v) - means[i][j] * means[u][v]
        assert found.covariance[i, u] == pytest.approx(float(total / (4 * k * k)), rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("seed", range(25))
def test_moments_over_problems(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k, s = int(rng.integers(1, 4)), int(rng.integers(2, 4)), Fraction(int(rng.integers(0, 5)), 2)
    cells = random_cells(rng, n, k, 3)
    found = bo.bayes.repeated_runs(as_scores(cells), float(s), n_draws=100)
    total = s + n
    for i, j in itertools.permutations(range(k), 2):
        means = [mean_of(row, Fraction(0), i, j) for row in cells]
        mean = sum(means) / total
        square = Fraction(0)
        for x, y in itertools.product(range(n), repeat=2):
            weight = Fraction(1 + (x == y)) / (total * (total + 1))
            inner = cross_moment(cells[x], Fraction(0), i, j, i, j) if x == y else means[x] * means[y]
            square += weight * inner
        assert found.shares[i, j] == pytest.approx(0.5 + float(mean) / 2, rel=1e-12)
        assert found.standard_deviations[i, j] == pytest.approx(math.sqrt(float(square - mean**2)) / 2, abs=1e-8)


def dirichlet(source: random.Random, runs: int, s: float = 0.0) -> list[float]:
    drawn = [source.expovariate(1.0) for _ in range(runs)]
    total = sum(drawn) + (source.gammavariate(s, 1.0) if s else 0.0)
    return [x / total for x in drawn]


def twin_draw(cells: Cells, source: random.Random, s: float, within: bool) -> list[list[float]]:
    """(k, k) margins of one draw; ``within``: the prior belongs to the runs, not to the problems."""
    k = len(cells[0])
    margins = [[0.0] * k for _ in range(k)]
    problems = dirichlet(source, len(cells), 0.0 if within else s)
    for weight, row in zip(problems, cells, strict=True):
        w = [dirichlet(source, len(runs), s if within else 0.0) for runs in row]
        for i, j in itertools.permutations(range(k), 2):
            for (x, wx), (y, wy) in itertools.product(zip(row[i], w[i], strict=True), zip(row[j], w[j], strict=True)):
                margins[i][j] += weight * wx * wy * sign(x, y)
    return margins


@pytest.mark.few(5)
@pytest.mark.parametrize("kind", ["runs", "problems"])
@pytest.mark.parametrize("seed", range(20))
def test_probabilities_and_joint_statements(seed: int, kind: str) -> None:
    rng, source, draws = np.random.default_rng(seed), random.Random(seed), 600
    k, s = 3, float(rng.choice([0.0, 1.0, 4.0]))
    cells = random_cells(rng, 1 if kind == "runs" else int(rng.integers(1, 4)), k, 3)
    cells[0][0] = [0, 1]
    scores = as_scores(cells)
    if kind == "runs":
        found = bo.bayes.kruskal_wallis(scores, None, s, n_draws=2000, rng=seed)
    else:
        found = bo.bayes.repeated_runs(scores, s, n_draws=2000, rng=seed)
    held = [twin_draw(cells, source, s, kind == "runs") for _ in range(draws)]
    band = 5 * math.sqrt(0.25 / draws + 0.25 / 2000)
    for i, j in itertools.permutations(range(k), 2):
        never = all(sign(x, y) == 0 for row in cells for x in row[i] for y in row[j])
        share = 0.5 if never else sum(m[i][j] > 0 for m in held) / draws
        assert abs(found.p_better[i, j] - share) <= band
    alive, coins = list(held), 1.0
    for x in found.statements:
        i, j = found.algorithms.index(x.better), found.algorithms.index(x.worse)
        if all(sign(p, q) == 0 for row in cells for p in row[i] for q in row[j]):
            coins /= 2
        else:
            alive = [m for m in alive if m[i][j] > 0]
        assert abs(x.joint - coins * len(alive) / draws) <= band
