"""Every promise beside the verdicts of compare(), each in few tables; docs/trust/calibration.md has many."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.rows import BY_NAME, FAMILIES
from calibration.rows.row import CHUNK, Row, count_chunk, keeps, measure, wrong

PROMISED = [row for row in BY_NAME.values() if not row.ends]
NAMES = [row.name for row in PROMISED]


def simulated(row: Row, tables: int) -> None:
    counts = count_chunk(row, 0, tables)
    assert keeps(row, counts), f"{row.door}; {row.data}: {wrong(counts):.3f} of {counts['said']} tables, {row.most():g}"


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_every_promise_is_kept_in_a_few_tables(family: str) -> None:
    """A tenth of the rows, at equal steps: all of them, in more tables, are exhaustive."""
    for row in [row for row in FAMILIES[family] if row.short and not row.ends][::10]:
        simulated(row, row.short)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NAMES)
def test_every_promise_is_kept(name: str) -> None:
    simulated(BY_NAME[name], 1000)


def test_rows_have_names_of_their_own() -> None:
    assert len(BY_NAME) == sum(map(len, FAMILIES.values()))


def test_the_same_counts_on_any_number_of_workers() -> None:
    """A chunk has a stream of its own."""
    row = BY_NAME["sign_flip: clusters 15 of 5, normal"]
    ((_, found),) = measure([row], 2 * CHUNK / row.tables)
    assert found == count_chunk(row, 0) + count_chunk(row, 1) + type(found)()


def test_an_end_at_the_truth_counts_strictly_and_silence_is_no_error() -> None:
    row = Row("x", "", "", "coverage", 0.95, lambda rng: (int(rng.random() < 0.5), 1))
    assert not keeps(row, count_chunk(row, 0, 100))
    silent = Row("x", "", "", "error", 0.05, lambda rng: (0, 0))
    assert keeps(silent, count_chunk(silent, 0))
    assert np.isclose(Row("x", "", "", "coverage", 0.95, row.count).most(), 0.05)
