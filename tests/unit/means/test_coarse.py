"""Least p-values of few or coarse measurements: by counting signs and shuffles, and at the public door."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.means.assumptions import clock_steps, is_coarse, least_pvalues


def by_signs(n: int) -> float:
    """Share of the 2ⁿ signs of n differences beyond the bound whose sum is as large as observed."""
    d = np.arange(1.0, n + 1)
    return float(np.mean([np.dot(signs, d) >= d.sum() for signs in itertools.product((-1, 1), repeat=n)]))


def by_shuffles(n: int) -> float:
    """Share of the choices of n runs out of 2n whose sum is as large as that of the n largest."""
    pool = np.arange(2.0 * n)
    return float(np.mean([sum(chosen) >= pool[n:].sum() for chosen in itertools.combinations(pool, n)]))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_few_runs_by_enumeration(n: int) -> None:
    old, new = np.random.default_rng(n).normal(size=(2, 1, n))
    assert least_pvalues(old, new, True)[0] == by_signs(n)
    assert least_pvalues(old, new, False)[0] == pytest.approx(by_shuffles(n), rel=1e-12)
    longer = np.random.default_rng(9).normal(size=(1, 20))
    assert least_pvalues(old, longer, False)[0] == least_pvalues(longer, old, False)[0] == 0.5**n


def test_from_five_different_runs_on_t_stands() -> None:
    old, new = np.random.default_rng(1).normal(size=(2, 1, 5))
    assert least_pvalues(old, new, True)[0] == least_pvalues(old, new, False)[0] == 0.0
    holes = np.append(old, np.full((1, 3), np.nan), axis=1)
    assert least_pvalues(holes[:, 1:], new, False)[0] == 0.5**4  # holes are no runs


@pytest.mark.parametrize(("ticks", "coarse"), [([0, 0, 1, 1, 0, 1], True), ([0, 1, 2, 3, 1, 2], False)])
@pytest.mark.parametrize("tick", [0.01, 0.1, 1e-9, 3.0])
@pytest.mark.parametrize("paired", [True, False])
def test_ticks_of_a_clock(ticks: list[int], coarse: bool, tick: float, paired: bool) -> None:
    """0.08 − 0.07 and 0.07 − 0.06 are one difference, though not in binary."""
    old = tick * np.array([[6, 6, 6, 6, 6, 6]])
    new = tick * (6 + np.array([ticks]))
    assert is_coarse(old, new, paired)[0] == coarse
    least = 0.5**6 if paired else 1 / 924
    assert least_pvalues(old, new, paired)[0] == pytest.approx(least if coarse else 0.0, rel=1e-12)


def test_two_samples_of_two_values_differ_by_three() -> None:
    two, next_two = np.array([[1.0, 2.0] * 3]), np.array([[2.0, 3.0] * 3])
    assert is_coarse(two, next_two, False)[0]
    assert not is_coarse(two, np.array([[2.0, 3.5] * 3]), False)[0]  # 0, 1, 1.5, 2.5
    assert not is_coarse(two, np.array([[1.0, 2.0, 3.0] * 2]), False)[0]


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_modes_of_few_processes_decide_nothing(n: int, paired: bool) -> None:
    """All of new in the slow mode: p was 1e-5 with three pairs."""
    rng = np.random.default_rng(n)
    old, new = (level * np.exp(rng.normal(0, 0.001, n)) for level in (1.0, 1.2))
    found = bo.check({"p": old}, {"p": new}, "5%", 0.05 if paired else 0.01, better="lower", paired=paired)
    (row,) = found.rows
    least = 0.5**n if paired else by_shuffles(n)
    assert (row.verdict, row.pvalue, row.adjusted) == ("inconclusive", pytest.approx(least), pytest.approx(least))
    assert row.reason.startswith("no p-value of such runs is below")
    assert row.interval is not None
    assert row.interval[1] == row.detectable == np.inf
    assert "too-few (processes)" in {caution.name for caution in found.cautions}
    back = bo.check({"p": new}, {"p": old}, "5%", better="lower", paired=paired).rows[0]
    assert (back.verdict, back.improved, back.p_ok) == ("inconclusive", False, pytest.approx(least))


def test_two_equal_runs_are_no_evidence() -> None:
    """They said REGRESSED at p = 0."""
    for level in ("problem", "suite"):
        (row,) = bo.check([[1.0, 1.0]], [[2.0, 2.0]], "5%", better="lower", level=level).rows
        assert (row.verdict, row.pvalue, row.p_ok) == ("inconclusive", 1.0, 1.0)


def test_the_mean_over_benchmarks_of_few_runs_is_bounded_too() -> None:
    rng = np.random.default_rng(3)
    old, new = np.exp(rng.normal(0, 0.01, (2, 5, 3)))
    found = bo.check(old, 1.3 * new, "5%", better="lower", paired=True, level="suite")
    assert (found.decision, found.rows[0].pvalue) == ("inconclusive", 0.125)
    assert "too-few (processes)" in {caution.name for caution in found.cautions}


def test_a_bound_that_does_not_decide_is_not_mentioned() -> None:
    old, new = np.exp(np.random.default_rng(4).normal(0, 0.03, (2, 1, 4)))
    (row,) = bo.check(old, new, "5%", 0.1, better="lower").rows
    assert row.reason == ""


def test_the_tick_is_the_smallest_step_where_five_runs_have_few_values() -> None:
    old, new = np.array([[0.07, 0.08, 0.07, 0.07, 0.08]]), np.array([[0.09, 0.08, 0.08, 0.09, 0.08]])
    assert clock_steps(old, new, False)[0] == pytest.approx(0.01)
    assert clock_steps(old, new, True)[0] == pytest.approx(0.01)
    assert clock_steps(old[:, :4], new[:, :4], False)[0] == 0.0  # four different runs have no more values
    assert clock_steps(np.array([[1.0, 1.1, 1.3, 1.6, 2.1]]), np.array([[2.0, 2.2, 2.7, 2.4, 3.1]]), False)[0] == 0.0
    assert clock_steps(np.full((1, 6), 5.0), np.full((1, 6), 5.0), False)[0] == 0.0  # no step was seen
