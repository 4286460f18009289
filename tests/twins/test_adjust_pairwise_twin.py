"""adjust_pairwise against the definitions, spelled out: every partition, every exhaustive set, one by one."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, pairwise
from math import comb, erfc, sqrt

import numpy as np
import pytest

from bakeoff.adjusting import adjust_pairwise, bergmann_hommel_line, shaffer


@lru_cache
def exhaustive_sets(k: int) -> list[frozenset[tuple[int, int]]]:
    """The pairs within the blocks of every partition of k algorithms (restricted growth strings)."""
    partitions: list[list[list[int]]] = [[]]
    for item in range(k):
        grown = []
        for blocks in partitions:
            grown += [[*blocks[:i], [*blocks[i], item], *blocks[i + 1 :]] for i in range(len(blocks))]
            grown.append([*blocks, [item]])
        partitions = grown
    sets = [frozenset(pair for block in blocks for pair in combinations(block, 2)) for blocks in partitions]
    return [s for s in sets if s]


def slow_bergmann_hommel(p: np.ndarray) -> np.ndarray:
    """Derrac et al. (2011), section 4.4: min(1, max {|I|·min{p in I}: I exhaustive, (i,j) in I})."""
    k = len(p)
    best = np.zeros((k, k))
    for pairs in exhaustive_sets(k):
        value = len(pairs) * min(p[pair] for pair in pairs)
        for pair in pairs:
            best[pair] = max(best[pair], value)
    best = np.minimum(best + best.T, 1.0)
    np.fill_diagonal(best, 1.0)
    return best


def slow_monotone(p: np.ndarray, adjusted: np.ndarray) -> np.ndarray:
    k = len(p)
    out = np.ones((k, k))
    for i, j in combinations(range(k), 2):
        out[i, j] = out[j, i] = max(adjusted[a, b] for a, b in combinations(range(k), 2) if p[a, b] <= p[i, j])
    return out


def slow_shaffer(p: np.ndarray, dynamic: bool) -> np.ndarray:
    """Shaffer (1986): max over j ≤ i of t_j·p_j, ties in any order."""
    k = len(p)
    sets = [frozenset(), *exhaustive_sets(k)]
    pairs = sorted(combinations(range(k), 2), key=lambda pair: p[pair])
    out, top = np.ones((k, k)), 0.0
    for i, pair in enumerate(pairs):
        false = set(pairs[:i])
        if dynamic:
            t = max(len(s) for s in sets if not (s & false))
        else:
            t = max(len(s) for s in sets if len(s) <= len(pairs) - i)
        top = max(top, t * p[pair])
        out[pair] = out[pair[::-1]] = min(1.0, top)
    return out


def random_matrix(rng: np.random.Generator, k: int) -> np.ndarray:
    """Any p-values: few distinct ones in half of the cases, sometimes with 0 and 1."""
    m = comb(k, 2)
    p = rng.random(m) ** rng.integers(1, 6)
    if rng.random() < 0.5:
        p = rng.choice(np.append(rng.random(rng.integers(1, 5)), [0.0, 1.0]), m)
    return symmetric(p, k)


def symmetric(p: np.ndarray, k: int) -> np.ndarray:
    matrix = np.zeros((k, k))
    matrix[np.triu_indices(k, 1)] = p
    return matrix + matrix.T


def random_line(rng: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions with ties, and p-values falling with their distance, some steps flat."""
    x = rng.integers(0, rng.integers(1, 5 * k), k).astype(float)
    if rng.random() < 0.3:
        x = np.cumsum(rng.integers(0, 3, k)) * 10.0 + rng.permutation(k)
    x = rng.permutation(x)
    distance = np.abs(x[:, None] - x[None, :])
    scale = rng.uniform(0.2, 3.0) * max(distance.max(), 1.0)
    if rng.random() < 0.7:
        p = np.array([[erfc(d / scale * 2) for d in row] for row in distance])
    else:  # any decreasing function will do; this one falls slowly and has flat steps
        p = 1.0 / (1.0 + np.floor(distance / rng.integers(1, 4))) ** rng.uniform(0.2, 2)
    return x, p * rng.choice([1.0, 0.3, 0.02])


def check_bergmann_hommel(rng: np.random.Generator, sizes: list[int], cases: int) -> None:
    for _ in range(cases):
        k = int(rng.choice(sizes))
        p = random_matrix(rng, k)
        slow = slow_bergmann_hommel(p)
        np.testing.assert_array_equal(adjust_pairwise(p, "bergmann-hommel"), slow)
        np.testing.assert_array_equal(adjust_pairwise(p, "bergmann-hommel", monotone=True), slow_monotone(p, slow))


def check_on_line(rng: np.random.Generator, sizes: list[int], cases: int) -> None:
    for _ in range(cases):
        k = int(rng.choice(sizes))
        x, p = random_line(rng, k)
        slow = slow_bergmann_hommel(p)
        np.testing.assert_array_equal(adjust_pairwise(p, "bergmann-hommel", positions=x), slow)


@pytest.mark.slow
def test_bergmann_hommel_any_p():
    check_bergmann_hommel(np.random.default_rng(1), [1, 2, 3, 4, 5], 300)
    check_bergmann_hommel(np.random.default_rng(2), [6, 7], 30)


@pytest.mark.slow
def test_bergmann_hommel_on_a_line():
    check_on_line(np.random.default_rng(3), [2, 3, 4, 5], 500)
    check_on_line(np.random.default_rng(4), [6, 7], 60)


def test_most_pairs_on_a_line_are_those_of_every_partition():
    """Cases 1 to 4 beside all 877 partitions of seven, of which a block is at most ``span`` wide."""
    rng, (rows, columns) = np.random.default_rng(31), np.triu_indices(7, 1)
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    within = np.array([[pair in chosen for pair in pairs] for chosen in exhaustive_sets(7)])
    for _ in range(60):
        x = np.sort(rng.integers(0, 25, 7))
        span = rng.integers(1, 20)
        lives = (np.abs(x[None, :] - x[:, None]) <= span).astype(np.int64)
        possible = within[(within <= lives[rows, columns].astype(bool)).all(axis=1)]
        slow = (possible * possible.sum(axis=1, keepdims=True)).max(axis=0, initial=0)
        straight = bergmann_hommel_line.line(lives)
        mirror = bergmann_hommel_line._mirrored(straight, lives)
        one_block = bergmann_hommel_line._contiguous(straight, 0)
        beside = bergmann_hommel_line._overhanging(straight, mirror, 0, np.triu(lives > 0, 1))
        np.testing.assert_array_equal(np.maximum(one_block, beside)[rows, columns], slow)


@pytest.mark.exhaustive
def test_bergmann_hommel_larger():
    check_on_line(np.random.default_rng(5), [6], 1000)
    check_on_line(np.random.default_rng(6), [7, 8], 60)
    check_bergmann_hommel(np.random.default_rng(7), [8], 10)


@pytest.mark.slow
def test_bergmann_hommel_by_all_21147_partitions_of_nine():
    check_bergmann_hommel(np.random.default_rng(21), [9], 4)
    check_on_line(np.random.default_rng(22), [9], 6)


@pytest.mark.exhaustive
def test_bergmann_hommel_in_thousands_of_small_cases():
    check_bergmann_hommel(np.random.default_rng(23), [3, 4, 5], 1500)
    check_on_line(np.random.default_rng(24), [3, 4, 5, 6], 1500)


@pytest.mark.slow
def test_the_two_routes_agree_where_partitions_are_too_many():
    rng = np.random.default_rng(8)
    for k in [8, 9, 10, 10] * 6:
        x, p = random_line(rng, k)
        for method in ("bergmann-hommel", "shaffer-dynamic"):
            np.testing.assert_array_equal(adjust_pairwise(p, method, positions=x), adjust_pairwise(p, method))


@pytest.mark.slow
def test_contiguous_blocks_alone_are_wrong(monkeypatch):
    """306 of 3000 random cases differ. Were case 1 enough, this test would fail."""
    monkeypatch.setenv("BAKEOFF_ACCELERATOR", "off")
    rng = np.random.default_rng(9)
    cases = [random_line(rng, 7) for _ in range(100)]
    full = [adjust_pairwise(p, "bergmann-hommel", positions=x) for x, p in cases]
    nothing = lambda straight, mirror, t, wanted: np.zeros(wanted.shape, dtype=np.int64)  # noqa: E731
    monkeypatch.setattr(bergmann_hommel_line, "_overhanging", nothing)
    shortcut = [adjust_pairwise(p, "bergmann-hommel", positions=x) for x, p in cases]
    wrong = sum(not np.array_equal(a, b) for a, b in zip(full, shortcut, strict=True))
    assert wrong > 3


@pytest.mark.slow
@pytest.mark.parametrize("dynamic", [False, True])
def test_shaffer(dynamic):
    rng = np.random.default_rng(10)
    method = "shaffer-dynamic" if dynamic else "shaffer"
    for k in [1, 2, 3, 4, 5] * 20 + [6] * 5:
        p = random_matrix(rng, k)
        np.testing.assert_array_equal(adjust_pairwise(p, method), slow_shaffer(p, dynamic))
        x, p = random_line(rng, k)
        np.testing.assert_array_equal(adjust_pairwise(p, method, positions=x), slow_shaffer(p, dynamic))


def test_possible_counts_by_the_plain_recursion():
    sets = [{0}, {0}]
    for k in range(2, 33):
        sets.append({comb(j, 2) + x for j in range(1, k + 1) for x in sets[k - j]})
        assert set(np.flatnonzero(shaffer.possible_counts(k)).tolist()) == sets[k]


@pytest.mark.slow
def test_order_of_the_algorithms_changes_nothing():
    rng = np.random.default_rng(11)
    for k in [4, 6, 9] * 5:
        x, p = random_line(rng, k)
        perm = rng.permutation(k)
        grid = np.ix_(perm, perm)
        for method in ("nemenyi", "holm", "hochberg", "hommel", "shaffer", "shaffer-dynamic", "bergmann-hommel"):
            for at in (None, x):
                there = None if at is None else at[perm]
                before = adjust_pairwise(p, method, positions=at)[grid]
                np.testing.assert_array_equal(adjust_pairwise(p[grid], method, positions=there), before)


@pytest.mark.slow
def test_each_is_at_least_as_powerful_as_the_last():
    rng = np.random.default_rng(12)
    for k in [3, 5, 8] * 10:
        p = random_matrix(rng, k)
        order = ("nemenyi", "holm", "shaffer", "shaffer-dynamic", "bergmann-hommel")
        values = [adjust_pairwise(p, method) for method in order]
        values[-1] = adjust_pairwise(p, "bergmann-hommel", monotone=True)
        for weaker, stronger in pairwise(values):
            assert (stronger <= weaker).all()


@pytest.mark.slow
def test_mean_ranks_will_do_as_positions():
    """Mean ranks instead of rank sums: rounding in the distances and in z must not matter."""
    rng = np.random.default_rng(13)
    for _ in range(50):
        k, n = int(rng.integers(3, 8)), int(rng.integers(5, 40))
        sums = rng.integers(n, n * k, k).astype(float)
        means = sums / n
        z = np.abs(means[:, None] - means[None, :]) / sqrt(k * (k + 1) / (6 * n))
        p = np.array([[erfc(v / sqrt(2)) for v in row] for row in z])
        exact = np.abs(sums[:, None] - sums[None, :]) / sqrt(n * k * (k + 1) / 6)
        q = np.array([[erfc(v / sqrt(2)) for v in row] for row in exact])
        got = adjust_pairwise(p, "bergmann-hommel", positions=means)
        np.testing.assert_allclose(got, adjust_pairwise(q, "bergmann-hommel", positions=sums), rtol=1e-12)
