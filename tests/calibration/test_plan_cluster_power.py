"""The power that a plan for clusters promises, simulated: t-tests on the means of clusters."""

import numpy as np
import pytest
from scipy.special import stdtrit

import bakeoff as bo

pytestmark = pytest.mark.slow

TABLES = 20_000


def simulated(sizes: np.ndarray, effect: float, icc: float, rng: np.random.Generator) -> float:
    """Share of tables rejected at .05; of a problem's variance 1 the share icc is common to its cluster."""
    groups = len(sizes)
    means = effect + rng.normal(size=(TABLES, groups)) * np.sqrt(icc + (1 - icc) / sizes)
    t = means.mean(axis=1) / (means.std(axis=1, ddof=1) / groups**0.5)
    return float(np.mean(np.abs(t) > -stdtrit(groups - 1, 0.025)))


@pytest.mark.parametrize(("size", "icc"), [(2, 0.1), (10, 0.5), (10, 0.05), (5, 0.9)])
def test_equal_sizes(size: int, icc: float) -> None:
    plan = bo.plan.instances(0.5, cluster_size=size, icc=icc)
    found = simulated(np.full(plan.n, size), 0.5, icc, np.random.default_rng(1))
    assert found == pytest.approx(plan.power, abs=4 * (0.25 / TABLES) ** 0.5)


@pytest.mark.parametrize("icc", [0.05, 0.3, 0.7])
def test_unequal_sizes_have_at_least_that_power(icc: float) -> None:
    """Half of the clusters have 4 problems, half 16: cv = .6."""
    plan = bo.plan.instances(0.4, cluster_size=10, icc=icc, cluster_cv=0.6)
    sizes = np.where(np.arange(plan.n) % 2, 4, 16)
    assert simulated(sizes, 0.4, icc, np.random.default_rng(2)) >= plan.power - 4 * (0.25 / TABLES) ** 0.5 - 0.02
