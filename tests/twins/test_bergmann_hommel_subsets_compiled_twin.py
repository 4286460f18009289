"""Bergmann–Hommel and Shaffer for any p-values: the compiled twin gives the same bits as the NumPy routine."""

import numpy as np
import pytest

from bakeoff.adjusting import adjust_pairwise, bergmann_hommel
from bakeoff.errors import TooLargeError
from compiled_twins import BOTH_WAYS, use

TWIN = "bakeoff.adjusting.bergmann_hommel_subsets_compiled"


def random_matrix(rng, k):
    """Any p-values, in half of the cases few distinct ones; or all equal, which makes everything a clique."""
    p = rng.random((k, k)) ** rng.integers(1, 9)
    if rng.random() < 0.5:
        p = rng.choice(np.append(rng.random(int(rng.integers(0, 6))), 0.25), (k, k))
    return np.triu(p, 1) + np.triu(p, 1).T


def thresholds(p):
    distinct = np.unique(p[np.triu_indices(len(p), 1)])
    lives = np.searchsorted(distinct, p, side="right").astype(np.int64)
    np.fill_diagonal(lives, len(distinct))
    return lives


def both_ways(monkeypatch, routine, *arguments):
    monkeypatch.setenv("BAKEOFF_ACCELERATOR", "off")
    slow = routine(*arguments)
    monkeypatch.setenv("BAKEOFF_ACCELERATOR", "on")
    monkeypatch.setattr(bergmann_hommel, "WORTH_COMPILING", 0)
    return slow, routine(*arguments)


@pytest.mark.parametrize("how", BOTH_WAYS)
def test_same_counts(how, monkeypatch):
    use(how, TWIN, bergmann_hommel, monkeypatch)
    rng = np.random.default_rng(20261123)
    for _ in range(12 if how == "as Python" else 1000):
        lives = thresholds(random_matrix(rng, int(rng.integers(2, 7))))
        for routine in (bergmann_hommel.most_with_pair, bergmann_hommel.most_within):
            slow, fast = both_ways(monkeypatch, routine, lives)
            assert slow.dtype == fast.dtype
            np.testing.assert_array_equal(fast, slow)


@pytest.mark.parametrize("how", BOTH_WAYS)
@pytest.mark.parametrize("method", ["bergmann-hommel", "shaffer-dynamic"])
def test_same_bits(method, how, monkeypatch):
    use(how, TWIN, bergmann_hommel, monkeypatch)
    rng = np.random.default_rng(20261124)
    for k in [3, 5, 6] if how == "as Python" else [3, 8, 9, 10] * 5 + [12]:  # blocks of thresholds
        p = random_matrix(rng, k)
        slow, fast = both_ways(monkeypatch, adjust_pairwise, p, method)
        np.testing.assert_array_equal(fast, slow)
        order = rng.permutation(k)
        np.testing.assert_array_equal(adjust_pairwise(p[np.ix_(order, order)], method), fast[np.ix_(order, order)])


@pytest.mark.slow
def test_same_bits_for_many(monkeypatch):
    use("compiled", TWIN, bergmann_hommel, monkeypatch)
    rng = np.random.default_rng(20261125)
    for k in (14, 15, 16):
        slow, fast = both_ways(monkeypatch, adjust_pairwise, random_matrix(rng, k), "bergmann-hommel")
        np.testing.assert_array_equal(fast, slow)


@pytest.mark.parametrize("how", BOTH_WAYS)
def test_the_limit_depends_on_the_accelerator_and_is_told(how, monkeypatch):
    use(how, TWIN, bergmann_hommel, monkeypatch)
    p = np.full((21, 21), 0.5)
    with pytest.raises(TooLargeError, match=r"at most 20 algorithms for arbitrary p-values.*; got 21\. Use 'shaffer'"):
        adjust_pairwise(p, "bergmann-hommel")
    monkeypatch.setenv("BAKEOFF_ACCELERATOR", "off")
    with pytest.raises(TooLargeError, match=r"at most 18 .*\(20 with the extra .fast.\); got 19.*shaffer"):
        adjust_pairwise(p[:19, :19], "shaffer-dynamic")
