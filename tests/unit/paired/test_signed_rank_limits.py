"""Where the exact distribution of signed ranks ends and the normal one begins."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.paired import _wilcoxon
from bakeoff.paired.differences import ordered_differences


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


@pytest.mark.parametrize("m", [1, 33, 67, 71, 73, 89, 117])
def test_the_centre_has_p_one(m: int) -> None:
    """An odd number of equal differences, one more below: both tails hold the centre. Li divides by 1 − p."""
    differences = np.repeat([1.0, -1.0, 0.0], [m // 2, m - m // 2, 7])
    found = bo.wilcoxon(differences, np.zeros(m + 7), better="higher")
    assert (found.pvalue, found.log_pvalue) == (1.0, 0.0)


def test_a_difference_of_zero_has_no_scale() -> None:
    found = ordered_differences(bo.Scores([[1e6, 1e6], [1.0, 1.5]], better="lower"), 0, 1)
    assert (found.values.tolist(), found.scales[0], found.scales[1] > 0) == ([0.0, 0.5], 0.0, True)
