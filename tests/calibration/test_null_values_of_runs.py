"""A true null value is rejected as often as promised, and a run finds what its plan promises."""

from __future__ import annotations

import pytest

from calibration.null_values import ROWS, stored
from calibration.rows.row import count_chunk, keeps, stated, wrong

BY_NAME = {row.name: row for row in ROWS}


def test_what_was_measured_keeps_the_promise() -> None:
    """At least 300 experiments of each kind of difference; power within .03 of the plan's and 4 errors."""
    measured = stored()
    for kind in ("simple", "percent", "log-ratio"):
        assert measured[f"null value: {kind}, t"]["tables"] >= 300
    for name, counts in measured.items():
        assert keeps(BY_NAME[name], counts), (name, wrong(counts), stated(counts))


@pytest.mark.slow
def test_a_chunk_measured_again_keeps_it() -> None:
    row = BY_NAME["null value: log-ratio, t"]
    assert keeps(row, count_chunk(row, 0))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", BY_NAME)
def test_other_experiments_keep_it(name: str) -> None:
    row = BY_NAME[name]
    assert keeps(row, count_chunk(row, 1000, 100))
