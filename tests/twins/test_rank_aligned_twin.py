"""Aligned ranks where one score of a problem dwarfs the others: unequal scores of one problem never tie."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.ranks import doubled_aligned_ranks


def aligned_twin(rows: list[list[Fraction]]) -> list[list[int]]:
    """Twice the mid-ranks of x − mean of its row, all comparisons exact."""
    aligned = [[x - sum(row, Fraction(0)) / len(row) for x in row] for row in rows]
    every = [x for row in aligned for x in row]
    return [[2 * sum(y < x for y in every) + sum(y == x for y in every) + 1 for x in row] for row in aligned]


@pytest.mark.slow
def test_mixed_magnitudes_against_exact_fractions() -> None:
    rng = np.random.default_rng(31)
    for _ in range(400):
        n, k = rng.integers([1, 2], [6, 6]).tolist()
        magnitudes = rng.integers(-9, 8, (n, k))
        digits = rng.integers(1, 30, (n, k))
        if n > 1 and rng.random() < 0.3:  # the same problem twice: true ties between problems
            digits[1], magnitudes[1] = digits[0], magnitudes[0]
        values = [
            [float(f"{d}e{m}") for d, m in zip(*row, strict=True)] for row in zip(digits, magnitudes, strict=True)
        ]
        exact = [[Fraction(repr(x)) for x in row] for row in values]
        assert doubled_aligned_ranks(bo.Scores(values, better="lower")).tolist() == aligned_twin(exact)
        turned = [[-x for x in row] for row in exact]
        assert doubled_aligned_ranks(bo.Scores(values, better="higher")).tolist() == aligned_twin(turned)


def test_relabelling_permutes_bitwise() -> None:
    rng = np.random.default_rng(32)
    for _ in range(100):
        values = rng.integers(1, 9, (4, 5)) * 10.0 ** rng.integers(-9, 7, (4, 5))
        rows, columns = rng.permutation(4), rng.permutation(5)
        ours = doubled_aligned_ranks(bo.Scores(values, better="lower"))
        moved = doubled_aligned_ranks(bo.Scores(values[rows][:, columns], better="lower"))
        assert np.array_equal(moved, ours[rows][:, columns])


def test_means_over_runs_that_tie_within_a_problem_stay_tied() -> None:
    # 0.1 + 0.2 and 0.3 + 0.0 have the same mean up to binary rounding; the huge score swallows 1e-9 and 2e-9
    runs = [[[0.1, 0.2], [0.3, 0.0], [1e6, 1e6], [1e-9, 1e-9], [2e-9, 2e-9]]]
    assert doubled_aligned_ranks(bo.Scores(runs, better="lower")).tolist() == [[7, 7, 10, 2, 4]]
