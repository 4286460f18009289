"""Bounds over all completions of an incomplete table, against every completion on a grid: none may lie outside."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import bakeoff as bo
from bakeoff.analyses.compare.statistics.incomplete import bounds
from bakeoff.paired._wilcoxon import signed_rank_sums, two_sided
from bakeoff.paired.differences import Differences
from bakeoff.posthoc.pairs import pair_tests

NAN = math.nan


def completions(table: np.ndarray, grid: list[float]) -> Iterator[np.ndarray]:
    holes = np.argwhere(np.isnan(table))
    for values in itertools.product(grid, repeat=len(holes)):
        filled = table.copy()
        filled[tuple(holes.T)] = values
        yield filled


@st.composite
def incomplete(draw: st.DrawFn, max_n: int = 6, k: int = 2, max_holes: int = 2) -> np.ndarray:
    n = draw(st.integers(3, max_n))
    cells = draw(st.sampled_from([st.integers(0, 3), st.integers(0, 40)]))
    table = np.array(draw(st.lists(st.lists(cells, min_size=k, max_size=k), min_size=n, max_size=n)), dtype=float)
    places = [(i, j) for i in range(n) for j in range(k)]
    for i, j in draw(st.lists(st.sampled_from(places), min_size=1, max_size=max_holes, unique=True)):
        table[i, j] = NAN
    return table


def grid_of(table: np.ndarray) -> list[float]:
    """Each known value, between them, and beyond."""
    known = np.unique(table[~np.isnan(table)])
    between = (known[1:] + known[:-1]) / 2
    return sorted({-1000.0, *known.tolist(), *between.tolist(), 1000.0, 1001.0})


def agrees(table: np.ndarray, pairwise: str, pair: tuple[int, int] = (0, 1)) -> None:
    s = bo.Scores(table, better="lower", missing="keep")
    found = bo.compare(s, pairwise=pairwise, missing="bounds").pair(*pair).bounds
    assert found is not None
    seen = [
        float(pair_tests(bo.Scores(filled, better="lower"), [pair], pairwise).pvalue[0])
        for filled in completions(table, grid_of(table))
    ]
    assert found.smallest <= min(seen) * (1 + 1e-12)
    assert found.largest >= max(seen) * (1 - 1e-12)
    if found.kind == "exact" and pairwise != "mean-ranks":
        assert found.smallest == pytest.approx(min(seen), rel=1e-12)
        assert found.largest == pytest.approx(max(seen), rel=1e-12)


def scored(table: np.ndarray) -> bool:
    """Both have a score, and on one problem both together."""
    return bool((~np.isnan(table)).all(axis=1).any())


@pytest.mark.slow
@settings(max_examples=12)
@given(table=incomplete())
@pytest.mark.parametrize("pairwise", ["sign", "sign-without-ties"])
def test_sign_tests_are_exact(table: np.ndarray, pairwise: str) -> None:
    if scored(table):
        agrees(table, pairwise)


@pytest.mark.slow
@settings(max_examples=8)
@given(table=incomplete(k=3, max_n=4, max_holes=2))
def test_mean_ranks_are_bounded(table: np.ndarray) -> None:
    if np.linalg.matrix_rank(np.nan_to_num(table)) and bool((~np.isnan(table)).all(axis=1).any()):
        agrees(table, "mean-ranks", (0, 1))
        agrees(table, "mean-ranks", (2, 1))


def signed_rank_completions(known: list[float], free: int) -> list[float]:
    """p of every way to fill in the free differences, on a fine grid of sizes that reaches beyond all known ones."""
    sizes = sorted({abs(x) for x in known if x})
    step = [x + f for x in [0.0, *sizes] for f in (0.0, 0.25, 0.5)] + [1000.0, 1001.0]
    grid = sorted({sign * x for x in step for sign in (-1, 1)})
    seen = []
    for values in itertools.combinations_with_replacement(grid, free):
        d = np.array([*known, *values]) + 0.0
        seen.append(two_sided(signed_rank_sums(Differences(values=d, scales=np.zeros(len(d)))))[0])
    return seen


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(known=st.lists(st.integers(-4, 6), min_size=2, max_size=7), free=st.integers(1, 2))
def test_signed_ranks_tried_and_bounded(known: list[int], free: int) -> None:
    d = np.array(known, dtype=float)
    found = Differences(values=d, scales=np.zeros(len(d)))
    seen = signed_rank_completions(d.tolist(), free)
    tried = bounds.signed_rank_extremes(found, free)
    assert tried.exact
    assert tried.smallest[0] == pytest.approx(min(seen), rel=1e-12)
    assert tried.largest[0] == pytest.approx(max(seen), rel=1e-12)
    signed = bounds.doubled_signed_ranks(found)
    wide = bounds._bounded(signed, free)
    assert not wide.exact
    assert wide.smallest[0] <= min(seen) * (1 + 1e-12)
    assert wide.largest[0] >= max(seen) * (1 - 1e-12)
    assert wide.lowest <= tried.lowest
    assert wide.highest >= tried.highest


@pytest.mark.slow
def test_many_free_differences_are_bounded() -> None:
    """Random completions of a larger pair, heavy ties and zeros among them."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        d = np.round(rng.normal(1.5, 1.0, 30), rng.integers(0, 3))
        free = int(rng.integers(2, 7))
        found = bounds.signed_rank_extremes(Differences(values=d, scales=np.zeros(30)), free)
        assert not found.exact
        pool = np.concatenate([d, -d, [0.0, 99.0, -99.0, 98.0, 1e9, -1e9]])
        ends = [np.full(free, x) for x in (0.0, 99.0, -99.0, float(d[0]))]
        for values in [
            *ends,
            *(rng.choice(pool, free) for _ in range(60)),
            np.arange(free) + 50.0,
            -np.arange(free) - 50.0,
        ]:
            filled = np.concatenate([d, values]) + 0.0
            sums = signed_rank_sums(Differences(values=filled, scales=np.zeros(len(filled))))
            assert found.smallest[0] <= two_sided(sums)[0] * (1 + 1e-12)
            assert found.largest[0] >= two_sided(sums)[0] * (1 - 1e-12)


def test_the_normal_law_of_very_many_problems_is_bounded() -> None:
    rng = np.random.default_rng(4)
    d = np.round(rng.normal(0.06, 1.0, 1200), 1)
    found = bounds.signed_rank_extremes(Differences(values=d, scales=np.zeros(1200)), 5)
    for values in ([0.0] * 5, [9.0] * 5, [-9.0] * 5, [0.1] * 5, [5.0, 6.0, 7.0, 8.0, 9.0]):
        filled = np.array([*d, *values]) + 0.0
        p = two_sided(signed_rank_sums(Differences(values=filled, scales=np.zeros(1205))))[0]
        assert found.smallest[0] <= p * (1 + 1e-12)
        assert found.largest[0] >= p * (1 - 1e-12)


@pytest.mark.slow
def test_a_verdict_under_bounds_is_that_of_every_completion() -> None:
    """The whole procedure: no completion of the table gives another verdict than the one that is said to hold."""
    rng, decided = np.random.default_rng(8), 0
    for trial in range(6):
        table = np.round(rng.normal(size=(7, 3)) * 0.7 + [0.0, 3.0, 3.2], 1)
        table[rng.integers(7), rng.integers(3)] = NAN
        table[rng.integers(7), 1] = NAN
        pairwise = ("sign", "wilcoxon", "mean-ranks")[trial % 3]
        s = bo.Scores(table, better="lower", missing="keep")
        held = bo.compare(s, pairwise=pairwise, posthoc="holm", missing="bounds", alpha=0.1)
        for filled in completions(table, [-9.0, 1.5, 3.1, 9.0]):
            full = bo.compare(bo.Scores(filled, better="lower"), pairwise=pairwise, posthoc="holm", alpha=0.1)
            for pair in held.pairs:
                now = full.pair(pair.a, pair.b)
                assert pair.bounds is not None
                low, high = pair.bounds.adjusted["holm"]
                assert low * (1 - 1e-9) <= now.adjusted["holm"] <= high * (1 + 1e-9)
                if pair.verdict in ("a better", "b better", "no difference shown"):
                    decided += 1
                    assert now.verdict == pair.verdict
    assert decided > 50
