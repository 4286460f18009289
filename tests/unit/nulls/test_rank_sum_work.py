"""How many additions the exact law of a rank sum takes."""

import math

import numpy as np
import pytest

from bakeoff.nulls.rank_sum import (
    PLAIN_WORK,
    _build,
    largest_plain_statistic,
    plain_rank_sum_null,
    plain_work,
    rank_sum_tails,
    work,
)


@pytest.mark.parametrize(
    ("doubled", "m", "additions"),
    [
        ([2, 4, 6, 8], 1, 4 * 2 * (3 + 1)),  # four ranks, subsets of none and one, sums of ranks less the least 0 … 3
        ([2, 4, 6, 8], 2, 4 * 3 * (5 + 1)),
        ([2, 4, 6, 8], 3, 4 * 2 * (3 + 1)),  # the other sample is smaller
        ([3, 3, 7, 7], 2, 4 * 3 * (2 + 1)),
        ([2, 2, 2, 10], 1, 4 * 2 * (1 + 1)),  # the large rank counts, not its distance from the others
        ([2, 10, 10, 10], 1, 4 * 2 * (1 + 1)),
        ([2, 4, 4, 12], 2, 4 * 3 * (6 + 1)),
    ],
)
def test_work(doubled: list[int], m: int, additions: int) -> None:
    assert work(doubled, m) == additions  # type: ignore[arg-type]


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 6), (6, 1), (2, 3), (7, 4), (13, 13), (3, 40), (30, 33)])
def test_the_law_without_ties_is_the_one_counted(m: int, n: int) -> None:
    counted, found = _build(2 * np.arange(1, m + n + 1), m), plain_rank_sum_null(m, n)
    assert len(found.ways) == m * n + 1
    for place in range(m * n + 1):
        doubled = m * (m + 1) + 2 * place
        assert found.tails(doubled) == pytest.approx(counted.tails(doubled), rel=1e-13, abs=0.0)


def test_counts_without_ties_are_rounded_once() -> None:
    """Of 90 against 80 ranks they sum to a binomial coefficient of 50 digits."""
    law = plain_rank_sum_null(80, 90)
    assert math.fsum(law.ways) == pytest.approx(math.comb(170, 80), rel=1e-15)
    assert law.ways.tolist() == law.ways[::-1].tolist()
    assert law.ways[:9].tolist() == [1, 1, 2, 3, 5, 7, 11, 15, 22]  # partitions


@pytest.mark.slow
def test_the_largest_statistic_at_a_level() -> None:
    """Exactly, and beyond the work that is worth it by the normal distribution."""
    assert [largest_plain_statistic(5, 5, p) for p in (0.025, 0.05, 0.001)] == [2, 4, -1]  # Mann & Whitney (1947)
    for m, n in ((100, 120), (150, 150)):
        assert plain_work(m, n) < PLAIN_WORK
        normal = math.floor(m * n / 2 - 0.5 - 1.959963984540054 * math.sqrt(m * n * (m + n + 1) / 12))
        assert abs(largest_plain_statistic(m, n, 0.025) - normal) <= 2
    assert plain_work(600, 600) > PLAIN_WORK
    sd = math.sqrt(600 * 600 * 1201 / 12)
    assert largest_plain_statistic(600, 600, 0.025) == math.floor(180_000 - 0.5 - 1.959963984540054 * sd)


def test_tails_with_ties_are_those_of_the_whole_law() -> None:
    """To the bit, for either sample the smaller one."""
    rng = np.random.default_rng(4)
    for _ in range(200):
        size = int(rng.integers(2, 57))
        some = int(rng.integers(1, size + 1))
        _, place, counts = np.unique(rng.integers(0, some, size=size), return_inverse=True, return_counts=True)
        ranks = (2 * np.cumsum(counts) - counts + 1)[place]
        m = int(rng.integers(1, size))
        doubled = int(ranks[:m].sum())
        assert rank_sum_tails(ranks, m, doubled) == _build(np.sort(ranks), m).tails(doubled)
