"""per_problem() tests the problems of a pair together; here each by itself, and by the list of all choices of runs."""

from itertools import combinations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.per_problem.statistics._mann_whitney import doubled_midranks
from bakeoff.scores import Array


def _slow(x: Array, y: Array) -> float:
    """2·min(P(W ≤ w), P(W ≥ w)) by all C(N, m) choices of ranks."""
    ranks = doubled_midranks(np.concatenate([x, y]))[0].tolist()
    sums = [sum(chosen) for chosen in combinations(ranks, len(x))]
    w = sum(ranks[: len(x)])
    lower, upper = sum(s <= w for s in sums), sum(s >= w for s in sums)
    return min(1.0, 2 * min(lower, upper) / len(sums))


@pytest.mark.parametrize(("runs", "listed"), [(2, True), (3, True), (6, True), (15, False), (28, False), (29, False)])
@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.slow_cases("lower-28-False")
def test_ties_infinities_and_gaps(runs: int, listed: bool, better: str) -> None:
    rng = np.random.default_rng(runs)
    values = np.round(rng.lognormal(1.0, 0.5, size=(12, 3, runs)), 1)
    values[:4] = np.ceil(values[:4])  # few values
    values[4:6] = rng.normal(size=(2, 3, runs))  # no ties
    values[6, :, 0] = np.inf
    values[7] = 1.0
    scores = bo.Scores(values, ["a", "b", "c"], better=better)  # type: ignore[arg-type]
    for cell in bo.per_problem(scores, correction="none").cells:
        i, a, b = scores.problems.index(cell.problem), *(scores.algorithms.index(name) for name in (cell.a, cell.b))
        first, second = (values[i, b], values[i, a]) if better == "lower" else (values[i, a], values[i, b])
        single = bo.mann_whitney(first, second)
        assert (cell.pvalue, cell.a12, cell.method) == (single.pvalue, single.a12, "exact")
        if listed:
            assert cell.pvalue == _slow(first, second)
