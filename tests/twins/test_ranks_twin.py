"""Slow twins of ranking: exact decimals and fractions, one comparison at a time.

The fast code ranks floating-point numbers with a tolerance; the twins never leave the decimals that were written, so
they know what is tied.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.ranks import TIE_ULPS, doubled_aligned_ranks, doubled_problem_ranks, doubled_ranks, doubled_tied_ranks

Exact = list[list[Fraction]]


def mid_ranks_doubled(values: Sequence[Fraction]) -> list[int]:
    """Twice (the number of lower values + (the number of equal ones + 1)/2)."""
    return [2 * sum(w < v for w in values) + sum(w == v for w in values) + 1 for v in values]


def friedman_twin(costs: Exact) -> list[list[int]]:
    return [mid_ranks_doubled(row) for row in costs]


def aligned_twin(costs: Exact) -> list[list[int]]:
    k = len(costs[0])
    aligned = [x - sum(row, Fraction(0)) / k for row in costs for x in row]
    ranks = mid_ranks_doubled(aligned)
    return [ranks[i : i + k] for i in range(0, len(ranks), k)]


def quade_twin(costs: Exact) -> list[int]:
    return mid_ranks_doubled([max(row) - min(row) for row in costs])


def sequential_twin(values: Sequence[float], scales: Sequence[float], ulps: int) -> list[int]:
    """Sort; a value joins a group while it is within the tolerance of the group's first member."""
    order = sorted(range(len(values)), key=lambda i: (values[i], scales[i]))
    groups: list[list[int]] = []
    for i in order:
        first = groups[-1][0] if groups else None
        if first is not None and Fraction(values[i]) - Fraction(values[first]) <= max(
            ulps * Fraction(float(np.spacing(scales[first]))), ulps * Fraction(float(np.spacing(scales[i])))
        ):
            groups[-1].append(i)
        else:
            groups.append([i])
    doubled, before = [0] * len(values), 0
    for group in groups:
        for i in group:
            doubled[i] = 2 * before + len(group) + 1
        before += len(group)
    return doubled


def random_table(rng: np.random.Generator, k: int | None = None) -> tuple[list[list[Decimal]], int]:
    """A table of decimals with 1 to 3 places, coarse enough to tie often, near 0 or far from it."""
    n, k = int(rng.integers(1, 9)), int(rng.integers(2, 7)) if k is None else k
    places = int(rng.integers(1, 4))
    spread = int(rng.choice([3, 12, 60]))
    centre = int(rng.choice([0, 0, 500, 5_000, 900_000]))
    digits = centre + rng.integers(-spread, spread + 1, (n, k))
    return [[Decimal(int(x)).scaleb(-places) for x in row] for row in digits], places


def fractions(table: Sequence[Sequence[Decimal]], better: str) -> Exact:
    sign = 1 if better == "lower" else -1
    return [[sign * Fraction(x) for x in row] for row in table]


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("count", [250, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("better", ["lower", "higher"])
def test_all_ranks_of_decimal_tables_against_exact_fractions(better, count) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng([20, better == "lower"])
    for _ in range(count):
        table, _ = random_table(rng)
        scores = bo.Scores([[float(x) for x in row] for row in table], better=better)
        exact = fractions(table, better)
        assert doubled_ranks(scores).tolist() == friedman_twin(exact)
        assert doubled_aligned_ranks(scores).tolist() == aligned_twin(exact), table
        assert doubled_problem_ranks(scores).tolist() == quade_twin(exact), table


@pytest.mark.slow
def test_absolute_differences_of_decimal_pairs_against_exact_fractions() -> None:
    # what the signed-rank test ranks: |a − b|, with the larger of both scores as scale
    rng = np.random.default_rng(21)
    for _ in range(2000):
        table, _ = random_table(rng, k=2)
        pairs = np.array([[float(x) for x in row] for row in table])
        exact = [abs(Fraction(a) - Fraction(b)) for a, b in table]
        fast = doubled_tied_ranks(np.abs(pairs[:, 0] - pairs[:, 1]), np.abs(pairs).max(axis=1))
        assert fast.tolist() == mid_ranks_doubled(exact), table


@pytest.mark.slow
def test_means_over_runs_of_decimals_against_exact_fractions() -> None:
    rng = np.random.default_rng(22)
    for _ in range(600):
        n, k, r = rng.integers([1, 2, 2], [5, 6, 8]).tolist()
        places = int(rng.integers(0, 4))
        digits = rng.integers(0, 9, (n, k, r)) + int(rng.choice([0, 400, 70_000]))
        scores = bo.Scores([[[float(Decimal(x).scaleb(-places)) for x in c] for c in row] for row in digits.tolist()],
                           better="lower")  # fmt: skip
        exact = [[Fraction(sum(cell), r) for cell in row] for row in digits.tolist()]
        assert doubled_ranks(scores).tolist() == friedman_twin(exact)
        assert doubled_aligned_ranks(scores).tolist() == aligned_twin(exact)
        assert doubled_problem_ranks(scores).tolist() == quade_twin(exact)


@pytest.mark.slow
def test_float32_and_text_rank_as_the_decimals_they_show() -> None:
    rng = np.random.default_rng(23)
    for _ in range(200):
        table, places = random_table(rng)
        if any(abs(x) >= 1000 for row in table for x in row) and places > 2:
            continue  # more digits than a float32 has
        exact = fractions(table, "lower")
        single = bo.Scores(np.array([[float(x) for x in row] for row in table], dtype=np.float32), better="lower")
        text = io.StringIO()
        csv.writer(text).writerows([["problem", *(f"A{j}" for j in range(len(table[0])))]])
        csv.writer(text).writerows([[f"p{i}", *row] for i, row in enumerate(table)])
        for scores in (single, bo.read_scores(io.StringIO(text.getvalue()), "lower")):
            assert doubled_aligned_ranks(scores).tolist() == aligned_twin(exact)
            assert doubled_problem_ranks(scores).tolist() == quade_twin(exact)


@pytest.mark.slow
def test_tied_ranks_against_the_sequential_rule() -> None:
    # values a few units in the last place apart, so that groups chain and touch; scales differ within groups
    rng = np.random.default_rng(24)
    for _ in range(1500):
        m = int(rng.integers(1, 25))
        base = float(rng.choice([0.1, 1.0, 3.0, 1e6]))
        values = base + rng.integers(-60, 60, m) * np.spacing(base) * int(rng.choice([1, 3, 40]))
        scales = base * rng.choice([0.25, 1.0, 4.0], m)
        ulps = int(rng.choice([0, 1, TIE_ULPS]))
        fast = doubled_tied_ranks(values, scales, ulps)
        assert fast.tolist() == sequential_twin(values.tolist(), scales.tolist(), ulps)
        order = rng.permutation(m)
        assert np.array_equal(doubled_tied_ranks(values[order], scales[order], ulps), fast[order])


def test_peers_miss_ties_that_decimals_have() -> None:
    # ERRATA M8: rounding to three decimals, ranges that are equal on paper and unequal in binary
    pairs = [("0.3", "0.2"), ("0.2", "0.1"), ("0.936", "0.931"), ("0.768", "0.763"), ("1.1", "1.0")]
    table = np.array([[float(a), float(b)] for a, b in pairs])
    naive = table[:, 0] - table[:, 1]
    assert naive[0] != naive[1]
    scores = bo.Scores(table, better="lower")
    assert doubled_problem_ranks(scores).tolist() == [8, 8, 3, 3, 8]
