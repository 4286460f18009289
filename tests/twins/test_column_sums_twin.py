"""``surely_out_of_reach`` looks at all rows at once; ``obstacle`` counts the orders of each with whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.nulls.column_sums import canonical_rows, obstacle, surely_out_of_reach
from bakeoff.ranks import doubled_row_ranks

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(3))
def test_out_of_reach_exactly_where_whole_numbers_say_so(seed: int) -> None:
    rng = np.random.default_rng(seed)
    seen = set()
    for _ in range(200):
        n = int(rng.integers(1, 400 if rng.random() < 0.2 else 30))
        scores = rng.integers(0, rng.integers(1, 30), size=(n, int(rng.integers(2, 14)))).astype(np.float64)
        table = doubled_row_ranks(scores)
        rows = canonical_rows(table)
        reason = obstacle(rows) if rows else ""
        too_many = "orders (the limit" in reason or "equally likely tables" in reason
        assert surely_out_of_reach(table) == too_many, (n, scores.shape, reason)
        seen.add(too_many)
    assert seen == {False, True}
