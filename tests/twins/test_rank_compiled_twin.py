"""Ranks within rows: NumPy, the compiled twin, one thread or several give the same whole numbers."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.ranks import _rank as within, doubled_row_ranks
from compiled_twins import BOTH_WAYS, use


def random_rows(rng):
    """Heavily tied or not at all, even or skewed, with infinities, zeros of both signs and denormal numbers."""
    n, k = int(rng.integers(1, 12)), int(rng.choice([2, 3, 5, 10, 32, 33, 48, 49, 70]))
    if rng.random() < 0.4:
        drawn = rng.normal(size=(n, k)) if rng.random() < 0.5 else rng.lognormal(sigma=rng.choice([1, 4]), size=(n, k))
        return drawn.round(int(rng.choice([1, 3, 15])))
    costs = rng.integers(-3, int(rng.choice([2, 20, 10**6])), (n, k)) * rng.choice([1.0, 0.1, 5e-324, 1e300])
    special = rng.choice([np.inf, -np.inf, 0.0, -0.0], (n, k))
    return np.where(rng.random((n, k)) < rng.choice([0.0, 0.1]), special, costs)


def slow_ranks(row):
    return [len(row) + 1 + sum(x > y for y in row) - sum(x < y for y in row) for x in row]


@pytest.fixture(params=BOTH_WAYS)
def how(request, monkeypatch):
    use(request.param, "bakeoff.ranks.rank_compiled", within, monkeypatch)
    monkeypatch.setattr(within, "WORTH_CALLING", 0)
    monkeypatch.setattr(within, "WORTH_LOADING", 0)
    return request.param


@pytest.mark.parametrize("threads", [False, True])
@pytest.mark.slow_cases("as Python-True")
def test_same_ranks(how, threads, monkeypatch):
    monkeypatch.setattr(within, "WORTH_THREADS", 0 if threads else 10**9)
    rng = np.random.default_rng([20261122, threads])
    for case in range(12 if how == "as Python" else 100 if threads else 500):
        costs = random_rows(rng)
        fast = doubled_row_ranks(costs)
        assert fast.dtype == np.int64
        halves = bo.rank(bo.Scores(costs, better="lower"))
        assert halves.dtype == np.float64
        np.testing.assert_array_equal(halves, fast / 2)
        np.testing.assert_array_equal(fast, within._ranks_by_counting(costs))
        np.testing.assert_array_equal(fast, within._ranks_by_sorting(costs))
        if case % 20 == 0:
            assert fast.tolist() == [slow_ranks(row) for row in costs.tolist()]


def test_buckets_take_even_rows_and_leave_the_others(how):
    rng, n = np.random.default_rng(12), 3 if how == "as Python" else 40
    even, skewed = rng.normal(size=(n, 300)), rng.standard_cauchy(size=(n, 300)) ** 3
    constant, infinite = np.ones((1, 300)), np.append(even[:1, :-1], [[np.inf]], axis=1)
    costs = np.concatenate([even, skewed, constant, infinite])
    left = np.zeros(len(costs), dtype=bool)
    ranks = np.zeros(costs.shape, dtype=np.int64)
    within._twin().distribute(costs, 1, ranks, left)
    assert not left[:n].any()
    assert left[n:].all()
    assert not ranks[n:].any()
    np.testing.assert_array_equal(ranks[:n], within._ranks_by_sorting(even))
    np.testing.assert_array_equal(doubled_row_ranks(costs), within._ranks_by_sorting(costs))


@pytest.mark.parametrize("k", [7, 60])
def test_layout_and_order_change_nothing(how, k):
    rng, n = np.random.default_rng(k), 5 if how == "as Python" else 300
    costs = rng.integers(0, 9, (n, k)).astype(float)
    ranks = within._ranks_by_sorting(costs)
    frozen = costs.copy()
    frozen.setflags(write=False)
    for same in (frozen, np.asfortranarray(costs), np.repeat(costs, 2, axis=0)[::2]):
        np.testing.assert_array_equal(doubled_row_ranks(same), ranks)
    rows, columns = rng.permutation(n), rng.permutation(k)
    np.testing.assert_array_equal(doubled_row_ranks(costs[rows][:, columns]), ranks[rows][:, columns])


def test_switched_off_gives_the_same(how, monkeypatch):
    costs = np.random.default_rng(3).integers(0, 9, (30 if how == "as Python" else 3000, 10)).astype(float)
    fast = doubled_row_ranks(costs)
    monkeypatch.setenv("BAKEOFF_ACCELERATOR", "off")
    np.testing.assert_array_equal(doubled_row_ranks(costs), fast)
