"""The coverage of intervals of one share that docs/guides/evaluate.md prints; the rows have what evaluate promises."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bakeoff.paired.shares import wilson


@pytest.mark.parametrize(("n", "wald", "score"), [(10, 0.650, 0.930), (30, 0.809, 0.974), (100, 0.932, 0.936)])
def test_the_coverage_of_docs_evaluate(n: int, wald: float, score: float) -> None:
    """Exact, at a share of 0.9: the probability of the outcomes whose interval holds it."""
    share, z = 0.9, 1.959963984540054
    outcomes = np.arange(n + 1)
    weights = stats.binom.pmf(outcomes, n, share)
    reach = z * np.sqrt(outcomes / n * (1 - outcomes / n) / n)
    assert weights[np.abs(outcomes / n - share) <= reach].sum() == pytest.approx(wald, abs=6e-4)
    held = [low <= share <= high for low, high in (wilson(x, n, z) for x in outcomes.tolist())]
    assert weights[held].sum() == pytest.approx(score, abs=6e-4)
