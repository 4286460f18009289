"""A comparison that would not fit into memory is refused before it starts, with numbers and what to do."""

from __future__ import annotations

import io

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.compare.statistics import limits
from bakeoff.errors import ScoreError


def table(n: int, k: int) -> bo.Scores:
    return bo.Scores(np.random.default_rng(1).normal(size=(n, k)), better="lower")


@pytest.mark.slow
def test_a_transposed_table_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended in a MemoryError, or in a process killed by the system."""
    monkeypatch.setattr(limits, "available_memory", lambda: 16e9)
    with pytest.raises(ScoreError, match=r"19999900000 pairs of 200000 algorithms take about 20\.\d TB.*16\.0 GB are"):
        bo.compare(table(2, 200_000))
    with pytest.raises(ScoreError, match=r"Are rows and columns swapped\? There are 2 rows \(problems\)"):
        bo.compare(table(2, 200_000), control=0)


def test_what_fits_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "available_memory", lambda: 61e6)
    bo.compare(table(8, 5))
    with pytest.raises(ScoreError, match=r"compare with a control \(39 pairs\), leave algorithms out"):
        bo.compare(table(60, 40), posthoc="all")
    monkeypatch.setattr(limits, "available_memory", lambda: None)
    bo.compare(table(8, 5))


@pytest.mark.parametrize(("n", "swapped"), [(29, True), (30, False), (31, False)])
def test_only_a_table_of_more_columns_than_rows_may_be_swapped(
    n: int, swapped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "available_memory", lambda: 1e6)
    with pytest.raises(ScoreError, match=r"435 pairs of 30 algorithms take about 0\.\d GB") as error:
        bo.compare(table(n, 30))
    assert ("Are rows and columns swapped?" in str(error.value)) == swapped


def test_the_memory_available_is_known_on_linux() -> None:
    found = limits.available_memory()
    assert found is None or 1e6 < found < 1e15


@pytest.mark.parametrize(
    ("control", "posthoc", "needed"),
    [
        (None, None, 60e6 + 10 * 1000 + 16 * 25 + 100 * 8 * 5),
        (0, None, 60e6 + 4 * 1000 + 16 * 25 + 100 * 8 * 5),
        (None, "all", 60e6 + 10 * 2500 + 16 * 25 + 100 * 8 * 5),
    ],
)
def test_what_a_comparison_takes(
    control: int | None, posthoc: str | None, needed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A base, and so much for each pair, square of algorithms and score: exactly as much is enough."""
    monkeypatch.setattr(limits, "available_memory", lambda: needed)
    limits.check_memory(8, 5, control is not None, posthoc == "all")
    monkeypatch.setattr(limits, "available_memory", lambda: needed - 1)
    with pytest.raises(ScoreError, match=r"take about 0\.1 GB of memory, and 0\.1 GB are available") as error:
        limits.check_memory(8, 5, control is not None, posthoc == "all")
    assert ("compare with a control (4 pairs)" in str(error.value)) == (control is None)


@pytest.mark.parametrize(
    ("size", "said"), [(5.5e8, "0.6 GB"), (9.994e11, "999.4 GB"), (1e12, "1.0 TB"), (2.5e13, "25.0 TB")]
)
def test_sizes_in_words(size: float, said: str) -> None:
    assert limits._gigabytes(size) == said


@pytest.mark.parametrize(
    ("files", "available"),
    [
        ({"/proc/meminfo": "MemTotal: 9 kB\nMemAvailable: 5 kB\n"}, 5120.0),
        ({"/proc/meminfo": "MemAvailable: 5 kB\n", "max": "7000\n", "current": "3000\n"}, 4000.0),
        ({"/proc/meminfo": "MemAvailable: 5 kB\n", "max": "max\n", "current": "3000\n"}, 5120.0),
        ({"max": "7000\n", "current": "3000\n"}, 4000.0),
        ({"/proc/meminfo": "MemAvailable:\n"}, None),
        ({}, None),
    ],
)
def test_the_control_group_may_leave_less(
    files: dict[str, str], available: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(path: str, encoding: str) -> io.StringIO:
        if (name := path.removeprefix("/sys/fs/cgroup/memory.")) not in files:
            raise FileNotFoundError(path)
        return io.StringIO(files[name])

    monkeypatch.setattr(limits.sys, "platform", "linux")
    monkeypatch.setattr(limits, "open", opened, raising=False)
    assert limits.available_memory() == available
