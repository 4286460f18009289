"""Bergmann–Hommel on a line: the compiled twin gives the same bits as the NumPy routine, for p and for ln p."""

import numpy as np
import pytest

from bakeoff.adjusting import bergmann_hommel_line
from bakeoff.adjusting.arithmetic import LOGS, ORDINARY
from bakeoff.nulls.tails import normal_two_sided
from compiled_twins import BOTH_WAYS, use


def random_line(rng, k):
    """Thresholds and lives of the z tests of k rank sums, often tied, over few or many problems."""
    n = int(rng.integers(2, 40))
    drift = np.arange(k) * rng.random() * 0.2
    sums = np.sort(2 * (np.argsort(np.argsort(rng.random((n, k)) + drift, axis=1), axis=1) + 1).sum(axis=0))
    if rng.random() < 0.5:
        sums = sums // 8 * 8
    z = np.abs(sums[:, None] - sums[None, :]) / (2 * n) / np.sqrt(k * (k + 1) / (6 * n))
    p = normal_two_sided(z)[0]
    distinct = np.unique(p[np.triu_indices(k, 1)])
    lives = np.searchsorted(distinct, p, side="right").astype(np.int64)
    np.fill_diagonal(lives, len(distinct))
    return distinct, lives


@pytest.mark.few(1, 1)
@pytest.mark.parametrize("on", [ORDINARY, LOGS], ids=["p", "log p"])
@pytest.mark.parametrize("how", BOTH_WAYS)
def test_same_bits(on, how, monkeypatch):
    use(how, "bakeoff.adjusting.bergmann_hommel_line_compiled", bergmann_hommel_line, monkeypatch)
    rng = np.random.default_rng(20261121)
    for _ in range(12 if how == "as Python" else 1500):
        distinct, lives = random_line(rng, int(rng.integers(2, 13)))
        thresholds = distinct if on is ORDINARY else np.log(distinct)
        upper = np.triu_indices(len(lives), 1)
        monkeypatch.setenv("BAKEOFF_ACCELERATOR", "off")
        slow = bergmann_hommel_line.adjusted_on_line(thresholds, lives, on)
        monkeypatch.setenv("BAKEOFF_ACCELERATOR", "on")
        monkeypatch.setattr(bergmann_hommel_line, "WORTH_COMPILING", 0)
        fast = bergmann_hommel_line.adjusted_on_line(thresholds, lives, on)
        np.testing.assert_array_equal(np.minimum(fast, on.one)[upper], np.minimum(slow, on.one)[upper])
