"""Where the exact distribution of signed ranks ends and the normal one begins."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.paired import _wilcoxon


def test_the_largest_exact_table_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """All signs are equal: exactly 2 of 2ⁿ sums are as far out."""
    monkeypatch.setattr(_wilcoxon, "EXACT_LIMIT", 6)
    for n in (6, 7):
        x, zeros = np.arange(1.0, n + 1), np.zeros(n)
        found = _wilcoxon.wilcoxon(x, zeros, better="higher")
        doubled = 2 * np.arange(1, n + 1)
        sums = _wilcoxon.SignedRankSums(
            ranks=doubled, plus=int(doubled.sum()), minus=0, half_zeros=0, n=n, zeros=0, ties=0
        )
        alone, _ = _wilcoxon.two_sided(sums)
        assert (found.pvalue == 2 / 2**n) == (alone == 2 / 2**n) == (n == 6)
