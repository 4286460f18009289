"""What bo.curves promises: the family-wise error over the whole curve, under a full and a partial null."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bakeoff.wings.curves.curves.statistics.curve_tests import step_down

pytestmark = pytest.mark.slow

ALPHA, BUDGETS = 0.05, 25


def curves_of_noise(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> NDArray[np.float64]:
    """Random walks: neighbouring budgets are strongly correlated."""
    steps = rng.standard_t(2, (*shape, BUDGETS)) if kind == "heavy" else rng.normal(size=(*shape, BUDGETS))
    walks: NDArray[np.float64] = np.cumsum(steps, axis=-1)
    return walks


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", ["normal", "heavy"])
@pytest.mark.parametrize("units", [8, 25])
def test_size_over_the_whole_curve(kind: str, units: int) -> None:
    """One pair without a difference: the test is exact, so its size is alpha (less what is discrete)."""
    rng = np.random.default_rng([units, len(kind)])
    tables, rejected, n_resamples = 2000, 0, 399
    for _ in range(tables):
        found = step_down(curves_of_noise(rng, (units, 1), kind), rng, n_resamples)
        rejected += bool((found.adjusted <= ALPHA).any())
    size = 2.0 ** (units - 1)
    level = np.floor(ALPHA * size) / size if size <= n_resamples + 1 else ALPHA
    error = np.sqrt(level * (1 - level) / tables)
    assert abs(rejected / tables - level) <= 4 * error, f"{rejected / tables:.4f}, not {level:.4f} ± {4 * error:.4f}"


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["normal", "heavy"])
def test_error_under_a_partial_null(kind: str) -> None:
    """Three algorithms: two are equal, the third differs from half of the budgets on."""
    rng = np.random.default_rng(17)
    tables, wrong, found_some = 2000, 0, 0
    for _ in range(tables):
        scores = curves_of_noise(rng, (15, 3), kind)
        scores[:, 2, BUDGETS // 2 :] += 12.0
        pairs = np.stack([scores[:, a] - scores[:, b] for a, b in ((0, 1), (0, 2), (1, 2))], axis=1)
        adjusted = step_down(pairs, rng, 399).adjusted
        null = np.concatenate([adjusted[0], *adjusted[1:, : BUDGETS // 2]])
        wrong += bool((null <= ALPHA).any())
        found_some += bool((adjusted[1:, BUDGETS // 2 :] <= ALPHA).any())
    assert wrong / tables <= ALPHA + 4 * np.sqrt(ALPHA * (1 - ALPHA) / tables), f"{wrong / tables:.4f}"
    assert found_some > tables / 4


def test_tests_budget_by_budget_do_not_keep_it() -> None:
    """The reason for all of this: how often raw p-values find something somewhere on curves without a difference."""
    rng = np.random.default_rng(5)
    raw = sum(
        bool((step_down(curves_of_noise(rng, (15, 1), "normal"), rng, 399).pvalue <= ALPHA).any()) for _ in range(600)
    )
    assert raw / 600 > 0.15
