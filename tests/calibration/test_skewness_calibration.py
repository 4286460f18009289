"""How often tables are cautioned for skewed differences: seldom without cause, and nearly always where t errs.

t at 5 % rejects a true mean of 30 standard lognormal or χ²(1) differences in 12 and 10 %, of 60 lognormal in 10 %.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow

TABLES = 400
SYMMETRIC: dict[str, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {  # type: ignore[type-arg]
    "normal": lambda rng, size: rng.normal(size=size),
    "uniform": lambda rng, size: rng.uniform(-1, 1, size=size),
}
SKEWED: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {  # type: ignore[type-arg]
    "lognormal": lambda rng, n: rng.lognormal(size=n) - np.exp(0.5),
    "chi-squared": lambda rng, n: rng.chisquare(1, size=n) - 1,
}


def is_cautioned(result: object) -> bool:
    return "skewed-differences" in {c.code for c in result.cautions}  # type: ignore[attr-defined]


@pytest.mark.few(1)
@pytest.mark.parametrize("law", SYMMETRIC)
@pytest.mark.parametrize("n", [12, 30, 100])
def test_symmetric_tables_are_seldom_cautioned(law: str, n: int) -> None:
    rng = np.random.default_rng(n)
    tables = [bo.Scores(SYMMETRIC[law](rng, (n, 4)), better="higher") for _ in range(TABLES // 4)]
    share = np.mean([is_cautioned(bo.evaluate(table, n_resamples=99)) for table in tables])
    assert share <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / len(tables))


@pytest.mark.few(1)
@pytest.mark.parametrize("law", SYMMETRIC)
@pytest.mark.parametrize("n", [12, 30, 100])
def test_normal_tables_compared_by_t_are_seldom_cautioned(law: str, n: int) -> None:
    rng = np.random.default_rng(n)
    tables = [bo.Scores(SYMMETRIC[law](rng, (n, 6)), better="higher") for _ in range(TABLES // 4)]
    share = np.mean([is_cautioned(bo.compare(table, pairwise="t", omnibus="friedman")) for table in tables])
    assert share <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / len(tables))


@pytest.mark.few(1)
@pytest.mark.parametrize("law", SKEWED)
@pytest.mark.parametrize(("n", "k"), [(30, 2), (30, 6), (100, 4)])
def test_where_compare_by_t_errs_nine_of_ten_tables_are_cautioned(law: str, n: int, k: int) -> None:
    """Equal means against a control; family-wise error at 5 %: .10 of two, .18 to .27 of six algorithms."""
    rng, tables = np.random.default_rng(n + k), TABLES // 2
    seen = 0
    for _ in range(tables):
        base = rng.normal(size=n)
        values = np.column_stack([base, *(base + SKEWED[law](rng, n) for _ in range(k - 1))])
        table = bo.Scores(values, better="higher")
        seen += is_cautioned(bo.compare(table, control=0, pairwise="t", omnibus="friedman"))
    assert seen >= 0.9 * tables - 4 * np.sqrt(0.09 * tables)


@pytest.mark.few(2)
@pytest.mark.parametrize("law", SKEWED)
@pytest.mark.parametrize("n", [30, 60])
def test_where_t_errs_nine_of_ten_tables_are_cautioned(law: str, n: int) -> None:
    rng = np.random.default_rng(n)
    seen = rejected = 0
    for _ in range(TABLES):
        base = rng.normal(size=n)
        found = bo.cluster_t(bo.Scores(np.column_stack([base + SKEWED[law](rng, n), base]), better="higher"), 0, 1)
        rejected += found.pvalue <= 0.05
        seen += is_cautioned(found)
    assert seen >= 0.9 * TABLES
    assert rejected / TABLES > 0.05, "t errs here, or this is no test"
