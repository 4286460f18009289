"""Rank probabilities and expected losses against exact fractions: three atoms with weights uniform on a triangle.

Dirichlet(1, 1, 1) belongs to three problems without a prior (s = 0), and to two problems with s = 1. "i has the lowest
mean rank" is a polygon of the triangle, and a linear function's integral over a polygon is its area times the
function at its centroid.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo

Point = tuple[Fraction, ...]
CORNERS: list[Point] = [tuple(Fraction(int(i == j)) for j in range(3)) for i in range(3)]


def dot(normal: Point, p: Point) -> Fraction:
    return sum((c * x for c, x in zip(normal, p, strict=True)), Fraction(0))


def clipped(polygon: list[Point], normal: Point) -> list[Point]:
    """Where normal·w > 0."""
    kept: list[Point] = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        here, there = dot(normal, p), dot(normal, q)
        if here >= 0:
            kept.append(p)
        if here * there < 0:
            t = here / (here - there)
            kept.append(tuple(x + t * (y - x) for x, y in zip(p, q, strict=True)))
    return kept


def triangles(polygon: list[Point]) -> list[tuple[Fraction, list[Point]]]:
    found = []
    for q, r in itertools.pairwise(polygon[1:]):
        p = polygon[0]
        twice = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        found.append((abs(twice), [p, q, r]))
    return found


def integral(polygon: list[Point], function: Point) -> Fraction:
    """Of a linear function, under the uniform distribution on the triangle."""
    return sum((size * sum(dot(function, v) for v in tri) / 3 for size, tri in triangles(polygon)), Fraction(0))


def column(atoms: list[list[Fraction]], i: int) -> Point:
    return tuple(atom[i] for atom in atoms)


def less(p: Point, q: Point) -> Point:
    return tuple(x - y for x, y in zip(p, q, strict=True))


def truth(atoms: list[list[Fraction]]) -> tuple[list[list[Fraction]], list[Fraction]]:
    """(k, k) probabilities of places with ties shared evenly, (k,) expected excess over the lowest."""
    k = len(atoms[0])
    columns = [column(atoms, i) for i in range(k)]
    places = [[Fraction(0)] * k for _ in range(k)]
    lowest = Fraction(0)
    distinct = sorted(set(columns))
    for order in itertools.permutations(distinct):
        polygon = CORNERS
        for p, q in itertools.pairwise(order):
            polygon = clipped(polygon, less(q, p)) if len(polygon) > 2 else []
        if len(polygon) < 3:
            continue
        size = sum((s for s, _ in triangles(polygon)), Fraction(0))
        lowest += integral(polygon, order[0])
        start = 0
        for value in order:
            group = [i for i in range(k) if columns[i] == value]
            for i in group:
                for place in range(start, start + len(group)):
                    places[i][place] += size / len(group)
            start += len(group)
    return places, [integral(CORNERS, c) - lowest for c in columns]


def mid_ranks(row: list[int]) -> list[Fraction]:
    return [Fraction(2 * sum(y < x for y in row) + sum(y == x for y in row) + 1, 2) for x in row]


def relabelled(costs: np.ndarray, places: np.ndarray) -> float:  # type: ignore[type-arg]
    """The share averaged over all relabellings: where nothing contradicts a place its probability is 1 − ½ⁿ."""
    n, k = costs.shape
    share = 0.0
    for i in range(k):
        signs = [[int(np.sign(costs[p, j] - costs[p, i])) for p in range(n)] for j in range(k)]
        differ = [sum(map(abs, row)) for row in signs if any(row)]
        if differ and max(places[i]) == 1 and all(abs(sum(row)) == sum(map(abs, row)) for row in signs):
            share = max(share, 0.5 ** min(differ) / (1 - 1 / k))
    return share


@pytest.mark.few(20)
@pytest.mark.parametrize("loss", ["rank", "score"])
@pytest.mark.parametrize("seed", range(30))
def test_three_atoms(seed: int, loss: str) -> None:
    rng = np.random.default_rng(seed)
    k, n, better = int(rng.integers(2, 5)), int(rng.integers(2, 4)), ["lower", "higher"][seed % 2]
    rows = rng.integers(0, [3, 10][seed % 3 == 0], size=(n, k)).tolist()
    costs = [[x if better == "lower" else -x for x in row] for row in rows]
    middle = [] if n == 3 else [[Fraction(k + 1, 2)] * k]
    places, rank_loss = truth([mid_ranks(row) for row in costs] + middle)
    nothing = [] if n == 3 else [[Fraction(0)] * k]
    _, score_loss = truth([[Fraction(x) for x in row] for row in costs] + nothing)
    scores = bo.Scores(np.array(rows) / 10, better=better)  # type: ignore[arg-type]
    found = bo.bayes.rank_probabilities(scores, 3 - n, n_draws=4000, rng=seed, loss=loss)  # type: ignore[arg-type]
    wanted = np.array(places, dtype=float)
    mixed = relabelled(np.array(costs), wanted)
    wanted += mixed * (1 / k - wanted)
    assert np.all(np.abs(found.p_rank - wanted) <= 5 * found.rank_standard_error + 1e-12)
    assert np.array_equal(found.p_best, found.p_rank[:, 0])
    losses = np.array(rank_loss if loss == "rank" else score_loss, dtype=float) / (1 if loss == "rank" else 10)
    losses += mixed * (losses.mean() - losses)
    assert np.all(np.abs(found.expected_loss - losses) <= 5 * found.loss_standard_error + 1e-12)
    means = [sum(column([mid_ranks(r) for r in costs] + middle, i)) / 3 for i in range(k)]
    assert found.mean_ranks == pytest.approx(np.array(means, dtype=float), rel=1e-14)


def test_the_twin_itself() -> None:
    """Orders ab, ab, ba with equal weights: a is best unless the third weight exceeds ½, which has probability ¼."""
    places, losses = truth([[Fraction(1), Fraction(2)], [Fraction(1), Fraction(2)], [Fraction(2), Fraction(1)]])
    assert places == [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    # E[max(0, 2w − 1)], w ~ Beta(1, 2): ∫_½^1 (2w − 1) 2(1 − w) dw = 1/12
    assert losses[0] == Fraction(1, 12)
