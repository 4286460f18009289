"""One unit and one style of numbers for the times of all commands."""

from __future__ import annotations

import numpy as np

import bakeoff as bo
from bakeoff import report


def test_times_of_a_table_have_one_unit() -> None:
    """867.2 µs stood above 4.094 ms, and 912 µs beside it."""
    rng = np.random.default_rng(1)
    times = np.exp(rng.normal(0, 0.05, (1, 2, 9))) * np.array([8.672e-4, 4.094e-3])[:, None]
    page = report.render(bo.time_ratios(bo.Scores(times, ["quick", "slow"], better="lower")), "txt")
    assert "Times in ms of the successful runs; nothing is left out" in page
    rows = [line.split()[1:5] for line in page.split("Times in ms")[1].splitlines() if line[:5] in ("quick", "slow ")]
    assert {len(number.partition(".")[2]) for row in rows for number in row} == {4}
    assert "µs" not in page
