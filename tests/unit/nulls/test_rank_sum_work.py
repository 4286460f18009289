"""How many additions the exact law of a rank sum takes."""

import pytest

from bakeoff.nulls.rank_sum import work


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
