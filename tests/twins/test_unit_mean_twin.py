"""The mean over clusters of unequal size beside its definitions: leave-one-out errors, and every choice of signs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from bakeoff.means.moments import suite_moments
from bakeoff.means.strata import one_stratum
from bakeoff.means.unit_mean import unit_mean

Groups = list[list[float]]


def leave_one_out(groups: Groups) -> tuple[float, float, float]:
    """Mean, error and G*, by leaving out one cluster after the other (MacKinnon, Nielsen & Webb 2023, eq. 17)."""
    pooled = [x for group in groups for x in group]
    mean = math.fsum(pooled) / len(pooled)
    squares = []
    for left in range(len(groups)):
        rest = [x for g, group in enumerate(groups) if g != left for x in group]
        squares.append((math.fsum(rest) / len(rest) - mean) ** 2)
    error = math.sqrt((len(groups) - 1) / len(groups) * math.fsum(squares))
    return mean, error, 1 / sum((len(group) / len(pooled)) ** 2 for group in groups)


def one_sided(groups: Groups, null: float) -> float:
    """The share of choices of signs whose Σ ±(S_g − n_g θ₀) is at least the observed one."""
    sums = [math.fsum(group) - len(group) * null for group in groups]
    as_large = 0
    for signs in itertools.product((1, -1), repeat=len(sums)):
        as_large += math.fsum(s * x for s, x in zip(signs, sums, strict=True)) >= math.fsum(sums) - 1e-9
    return as_large / 2 ** len(sums)


def clusters(case: int) -> Groups:
    """Whole numbers, so that many sums are tied; one cluster that dominates in two of three cases."""
    rng = np.random.default_rng(case)
    sizes = rng.integers(1, 4, size=rng.integers(3, 8))
    if case % 3:
        sizes[0] = 12
    return [rng.integers(-3, 6, size=size).astype(float).tolist() for size in sizes]


def measured(groups: Groups):  # type: ignore[no-untyped-def]
    values = np.array([x for group in groups for x in group])
    codes = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    return unit_mean(values, np.full(len(values), 8.0), codes), values, codes


@pytest.mark.parametrize("case", range(60))
def test_moments(case: int) -> None:
    groups = clusters(case)
    found, values, codes = measured(groups)
    mean, error, effective = leave_one_out(groups)
    assert (found.estimate, found.error, found.df + 1) == pytest.approx((mean, error, effective), rel=1e-12, abs=1e-12)
    column = suite_moments(values[:, None], np.full((len(values), 1), 8.0), [one_stratum(codes)])
    ours = (column.means[0], column.errors[0], column.df[0] + 1)
    assert ours == pytest.approx((mean, error, effective), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("case", range(60))
def test_sign_flips(case: int) -> None:
    groups = clusters(case)
    found, values, _ = measured(groups)
    if found.subsets is None:
        assert max(map(len, groups)) * len(groups) <= 2 * len(values) or found.error == 0
        return
    for null in (0.0, -1.0, 0.75):
        greater = one_sided(groups, null)
        less = one_sided([[-x for x in group] for group in groups], -null)
        assert found.subsets.pvalue("greater", null) == pytest.approx(greater)
        assert found.subsets.pvalue("less", null) == pytest.approx(less)
        assert found.subsets.pvalue("two-sided", null) == pytest.approx(min(1.0, 2 * min(greater, less)))


@pytest.mark.parametrize("case", range(30))
def test_the_interval_holds_what_is_not_rejected(case: int) -> None:
    found, _, _ = measured(clusters(case))
    level = (0.5, 0.8, 0.95)[case % 3]
    low, high = found.interval(level)
    for null in np.linspace(-4, 7, 45).tolist():
        inside = low - 1e-9 <= null <= high + 1e-9
        assert (found.pvalue("two-sided", null)[0] > 1 - level - 1e-12) == inside or null in (low, high)
