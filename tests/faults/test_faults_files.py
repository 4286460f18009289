"""Some of the 10 000 mutated files of ``tests/faults/mutated_files.py``; ``make forge`` reads them all."""

from __future__ import annotations

import sys

import pytest

from faults.mutated_files import read_all

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as Linux tells it")


@pytest.mark.few(1, 2)
@pytest.mark.parametrize("block", range(40))
@pytest.mark.slow
def test_a_changed_file_is_read_or_refused_soon(block: int) -> None:
    first = block * 250
    counts, failures, _ = read_all(range(first, first + (40 if block == 0 else 250)), seed=1)
    assert counts.total() >= 40
    assert failures == []
