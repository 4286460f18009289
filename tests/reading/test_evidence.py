"""What values tell of a column: against SciPy, in any order of rows and columns, and on tables that papers print."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.reading.recognition import evidence

PUBLISHED = Path(__file__).parents[1] / "oracles" / "data"


def scores(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    """Rows share a difficulty; some scores tie, and one column may know nothing of it."""
    table = rng.normal(size=(n, 1)) + rng.normal(0.0, rng.choice([0.1, 0.5, 2.0]), size=(n, k))
    table[:, 0] = rng.normal(size=n) if rng.random() < 0.5 else table[:, 0]
    return np.round(table, rng.integers(0, 4))


def slow_without_difficulty(table: np.ndarray) -> list[bool]:
    """The flags as they are defined: Spearman's correlation with the mean of the other columns' ranks over the rows."""
    k = table.shape[1]
    shared = []
    for j in range(k):
        others = [stats.rankdata(table[:, i]) for i in range(k) if i != j]
        own = stats.rankdata(table[:, j])
        constant = len(set(own)) == 1 or len(set(np.mean(others, axis=0))) == 1
        shared.append(0.0 if constant else stats.pearsonr(own, np.mean(others, axis=0)).statistic)
    return [
        evidence.REVERSED < shared[j] < evidence.ALONE
        and float(np.median(np.delete(shared, j))) > evidence.SHARED
        and len(np.unique(table)) >= evidence.LEVELS
        for j in range(k)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_a_column_without_the_difficulty_of_the_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = scores(rng, int(rng.integers(8, 30)), int(rng.integers(4, 9)))
    flagged = evidence.without_difficulty(table)
    assert flagged.tolist() == slow_without_difficulty(table)
    rows, columns = rng.permutation(len(table)), rng.permutation(table.shape[1])
    assert evidence.without_difficulty(table[rows][:, columns]).tolist() == flagged[columns].tolist()


def test_ranks_are_those_of_scipy() -> None:
    table = np.round(np.random.default_rng(1).normal(size=(20, 5)), 1)
    assert evidence._ranks(table).tolist() == stats.rankdata(table, axis=0).tolist()


def test_counts_are_told_from_scores() -> None:
    rng = np.random.default_rng(2)
    accuracies = rng.uniform(0.6, 0.9, size=(12, 3))
    counts = rng.integers(3, 400, size=12).astype(float)
    with_counts = np.column_stack([accuracies, counts])
    assert evidence.are_whole_among_fractions(with_counts).tolist() == [False, False, False, True]
    assert not evidence.is_near_the_others(with_counts, 3)
    exact = np.round(1000 * accuracies[:, 0])  # an exact solver among the means of heuristics
    costs = np.column_stack([exact, exact + 0.5, exact * 1.1 + 0.25])
    assert evidence.are_whole_among_fractions(costs)[0]
    assert evidence.is_near_the_others(costs, 0)
    right = np.column_stack([accuracies, np.ones(12)])  # all right, or none
    assert not evidence.are_whole_among_fractions(right).any()


@pytest.mark.parametrize("weights", [(1, 1, 1), (3, 2, 2)])
def test_an_average_is_in_the_middle_of_each_row(weights: tuple[int, ...]) -> None:
    table = np.random.default_rng(3).uniform(size=(15, 3))
    average = np.round(np.average(table, axis=1, weights=weights), 2)
    assert evidence.is_average(np.column_stack([table, average]), 3)
    assert not any(evidence.is_average(np.column_stack([table, average]), j) for j in range(3))


@pytest.mark.parametrize("file", ["demsar_table6", "garcia_table3_accuracy", "derrac_table1_errors", "derrac_table14"])
def test_no_algorithm_of_a_published_table_is_taken_for_something_else(file: str) -> None:
    found = bo.read_scores(PUBLISHED / f"{file}.csv", better="lower")
    assert found.read_as.roles == ()
    assert not evidence.without_difficulty(found.values).any()


def test_whole_numbers_of_two_rows_are_no_chance_where_others_have_two_decimals() -> None:
    """Problems in columns have no common scale, so that a counter may stand among them."""
    fine = np.array([[48.784, 0.469, 0.743, 8], [43.214, 0.2, 0.64, 6]])
    assert evidence.are_whole_among_fractions(fine).tolist() == [False, False, False, True]
    assert not evidence.is_near_the_others(fine, 3)
    assert not evidence.are_whole_among_fractions(np.round(fine, 1)).any()
    costs = np.array([[101.25, 104.75, 100], [201.5, 203.25, 197]])  # of an exact solver among means
    assert evidence.is_near_the_others(costs, 2)
