"""Tails of tied rank sums: halves in NumPy, the compiled twin and all subsets give the same counts."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from bakeoff.nulls import rank_sum
from bakeoff.nulls.rank_sum import counted_tails
from compiled_twins import BOTH_WAYS, use


@pytest.fixture(params=BOTH_WAYS)
def how(request, monkeypatch):
    use(request.param, "bakeoff.ranks.rank_sum_compiled", rank_sum, monkeypatch)
    monkeypatch.setattr(rank_sum, "WORTH_LOADING", 0)
    return request.param


def doubled(values):
    pooled = np.sort(values)
    return np.searchsorted(pooled, pooled, "left") + np.searchsorted(pooled, pooled, "right") + 1


def test_the_counts_of_all_subsets(how):
    rng = np.random.default_rng(4)
    for n in range(2, 11):
        ranks = doubled(rng.integers(0, max(2, n // 2), n))
        for m in range(1, n):
            sums = np.array([sum(chosen) for chosen in combinations(ranks.tolist(), m)])
            for w in {int(sums.min()) - 1, int(sums.min()), int(np.median(sums)), int(sums.max()), int(sums.max()) + 3}:
                tails = counted_tails(ranks, m, w)
                assert tails == ((sums <= w).sum() / comb(n, m), (sums >= w).sum() / comb(n, m))


def test_the_bits_of_the_halves(how, monkeypatch):
    rng = np.random.default_rng(8)
    for n, m in ((12, 6), (20, 7)) if how == "as Python" else ((30, 15), (30, 4), (56, 28), (41, 20)):
        for digits in (0, 1):
            ranks = doubled(rng.normal(size=n).round(digits))
            w = int(rng.choice(ranks, m, replace=False).sum())
            quick = counted_tails(ranks, m, w)
            with monkeypatch.context() as plain:
                plain.setenv("BAKEOFF_ACCELERATOR", "off")
                assert quick == counted_tails(ranks, m, w)
