"""False alarms of check_commands() at the margin, in short: the rows of ``gates`` have forty benchmarks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.rows.gates import ALPHA, MARGIN, NOISES, gate

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.few(1)
def test_false_alarms_at_the_margin(noise: str) -> None:
    """Eight benchmarks slower by exactly the margin, looks after each of 25 pairs."""
    alarms, gates = 0, 60
    for i in range(gates):
        rows = gate(np.random.default_rng([7, i]), NOISES[noise][1], MARGIN, 8, 25, alpha=ALPHA).rows
        alarms += any(row.verdict == "regressed" for row in rows)
    assert alarms / gates <= ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / gates)
