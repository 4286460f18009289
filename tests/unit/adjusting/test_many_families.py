"""Many families at once are adjusted as each of them is by itself."""

from collections.abc import Callable

import numpy as np
import pytest

from bakeoff.adjusting import CONTROL_METHODS, adjust, adjust_pairwise
from bakeoff.adjusting.many_families import (
    adjusted_columns,
    bergmann_hommel_columns,
    shaffer_columns,
    shaffer_dynamic_columns,
)
from bakeoff.adjusting.shaffer import possible_counts


def families(m: int) -> np.ndarray:
    """Columns of small p-values, of equal ones, of large ones, of 0 and 1."""
    rng = np.random.default_rng(m)
    ordinary = rng.uniform(0, 0.1, (m, 4))
    return np.column_stack(
        [ordinary, rng.integers(1, 4, (m, 4)) / 50, rng.uniform(0, 1, (m, 4)), np.ones(m), np.zeros(m)]
    )


@pytest.mark.parametrize("m", [1, 2, 5])
@pytest.mark.parametrize("method", sorted(CONTROL_METHODS.keys() - {"fdr-by", "rom-printed"}))  # of one family only
def test_columns_are_families(method: str, m: int) -> None:
    p = families(m)
    expected = np.column_stack([adjust(column, method) for column in p.T])
    np.testing.assert_allclose(adjusted_columns(p, method), expected, rtol=1e-12)


@pytest.mark.parametrize("k", [2, 3, 4, 5])
@pytest.mark.parametrize(
    ("method", "columns"),
    [
        ("shaffer", shaffer_columns),
        ("shaffer-dynamic", shaffer_dynamic_columns),
        ("bergmann-hommel", bergmann_hommel_columns),
    ],
)
def test_columns_are_tables_of_pairs(method: str, columns: Callable[..., np.ndarray], k: int) -> None:
    pairs = np.triu_indices(k, 1)
    p = families(len(pairs[0]))
    expected = np.empty_like(p)
    for i, column in enumerate(p.T):
        table = np.ones((k, k))
        table[pairs] = table[pairs[::-1]] = column
        expected[:, i] = adjust_pairwise(table, method)[pairs]
    np.testing.assert_allclose(columns(p, k), expected, rtol=1e-12)


@pytest.mark.parametrize("k", [2, 5, 9])
def test_what_is_kept_cannot_be_changed(k: int) -> None:
    for counts in (possible_counts(k), possible_counts(k)):
        with pytest.raises(ValueError, match="read-only"):
            counts[0] = False
