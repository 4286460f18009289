"""The level that a plan names is one that the test itself can reach."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import bdtr

import bakeoff as bo


@pytest.mark.parametrize(("n", "d"), [(10, 1.0), (20, 0.7), (35, 0.5), (61, 0.5)])
def test_a_sign_test_at_the_planned_level_rejects(n: int, d: float) -> None:
    """Its p-values are 2·P(Bin(n, ½) ≤ c): the planned level is one of them, and not a rounding error below it."""
    level = bo.plan.significance(n, d, test="sign")
    attainable = 2 * bdtr(np.arange(n // 2, dtype=float), n, 0.5)
    c = int(np.argmin(np.abs(attainable - level)))
    assert level == pytest.approx(attainable[c], rel=1e-11)
    values = np.array([[1.0, 2.0]] * (n - c) + [[2.0, 1.0]] * c)
    assert bo.sign_test(bo.Scores(values, better="lower"), 0, 1).pvalue <= level
    assert bo.plan.power(n, d, alpha=level, test="sign") >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("method", ["simulation", "exact-variance"])
def test_a_signed_rank_test_at_the_planned_level_rejects(method: str) -> None:
    level = bo.plan.significance(10, 1.0, test="wilcoxon", method=method)
    pvalues = []
    for losses in range(1 << 10):  # every pattern of signs of ten different differences
        signs = np.array([-1.0 if losses >> i & 1 else 1.0 for i in range(10)])
        if losses % 37 == 0 or losses < 64:
            values = np.column_stack([np.zeros(10), signs * np.arange(1, 11)])
            pvalues.append(bo.wilcoxon(bo.Scores(values, better="lower"), 0, 1).pvalue)
    nearest = min(pvalues, key=lambda p: abs(p - level))
    assert nearest == pytest.approx(level, rel=1e-11)
    assert nearest <= level
