"""Two-sided: the size of the signed-rank test without ties, and intervals at their achieved confidence.

The pass band is four standard errors of the simulated share about what theory promises.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow

N_TABLES = 1400


def draw(rng: np.random.Generator, law: str, size: int) -> np.ndarray:
    """Symmetric about 0: differences of two equally good algorithms."""
    if law == "cauchy":
        return rng.standard_cauchy(size=size)
    if law == "rounded":
        return np.round(rng.normal(size=size), 1)  # ties and zeros
    if law == "coarse":
        return rng.integers(-2, 3, size=size).astype(float)  # mostly ties, a fifth zeros
    return rng.normal(size=size)


def as_scores(d: np.ndarray) -> bo.Scores:
    return bo.Scores(np.column_stack([d, np.zeros_like(d)]), better="higher")


def pvalues(test, law: str, n: int, **options) -> np.ndarray:
    rng = np.random.default_rng([n, len(law)])
    return np.array([test(as_scores(draw(rng, law, n)), 0, 1, **options).pvalue for _ in range(N_TABLES)])


def band(share: float) -> float:
    return 4 * math.sqrt(share * (1 - share) / N_TABLES)


def test_size_attained_without_ties() -> None:
    """n = 13: P(T ≤ 17) = 0.0479 is the largest two-sided size below 0.05 (R: 2*psignrank(17, 13) = 0.0478515625)."""
    share = float(np.mean(pvalues(bo.wilcoxon, "normal", 13) <= 0.05))
    assert abs(share - 0.0478515625) <= band(0.0478515625), f"{share:.4f}"


@pytest.mark.few(1)
@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("n", [4, 8, 25])
@pytest.mark.parametrize("law", ["normal", "cauchy", "rounded", "coarse"])
def test_coverage_of_hodges_lehmann(law: str, n: int, level: float) -> None:
    rng = np.random.default_rng([n, len(law), int(100 * level)])
    results = [bo.hodges_lehmann(as_scores(draw(rng, law, n)), 0, 1, confidence_level=level) for _ in range(N_TABLES)]
    covered = float(np.mean([r.low <= 0 <= r.high for r in results]))
    promised = results[0].achieved_confidence
    assert covered >= promised - band(promised), f"{covered:.4f} < {promised:.4f} - {band(promised):.4f}"
    if law in ("normal", "cauchy"):  # continuous: the achieved confidence is the coverage
        assert covered <= promised + band(promised), f"{covered:.4f} > {promised:.4f} + {band(promised):.4f}"


@pytest.mark.few(1)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_coverage_of_paired_t(level: float) -> None:
    rng = np.random.default_rng(9)
    results = [bo.paired_t(as_scores(rng.normal(1, 2, size=9)), 0, 1, confidence_level=level) for _ in range(N_TABLES)]
    covered = float(np.mean([r.low <= 1 <= r.high for r in results]))
    assert abs(covered - level) <= band(level), f"{covered:.4f} not within {band(level):.4f} of {level}"
