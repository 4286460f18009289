"""Family-wise error of every correction under full and partial null hypotheses; coverage of simultaneous intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr

import bakeoff as bo
from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS, adjust, adjust_pairwise
from bakeoff.nulls import dunnett as many_one, studentized_range
from bakeoff.nulls.multiple_sign import cdf_of_smallest

pytestmark = pytest.mark.slow

ALPHA = 0.05
WEAK = ("finner", "li")  # these control the family-wise error only in the weak sense


def check_share(name: str, hits: int, runs: int, goal: float, exact: bool = False) -> None:
    """At most (or, if exact, about) the goal: within four standard errors."""
    band = 4 * math.sqrt(goal * (1 - goal) / runs)
    share = hits / runs
    assert share <= goal + band, f"{name}: {share:.4f} > {goal} + {band:.4f}"
    if exact:
        assert share >= goal - band, f"{name}: {share:.4f} < {goal} - {band:.4f}"


def against_control(rng: np.random.Generator, means: np.ndarray, runs: int) -> np.ndarray:
    """(runs, m) two-sided p of normal statistics that share a control (correlation 1/2)."""
    x = rng.normal(size=(runs, len(means) + 1))
    z = (x[:, 1:] + means - x[:, :1]) / math.sqrt(2)
    return 2 * ndtr(-np.abs(z))


@pytest.mark.few(4)
@pytest.mark.parametrize("means", [[0, 0, 0, 0, 0], [9, 0, 0, 0, 0], [2.5, 0, 0, 2.5, 0], [9, 9, 9, 0, 0]])
@pytest.mark.parametrize("method", [m for m, known in CONTROL_METHODS.items() if known.in_all and m not in WEAK])
def test_against_a_control(method, means):
    rng = np.random.default_rng(1)
    runs, true = 1500 if method == "rom" else 4000, np.array(means) == 0
    p = against_control(rng, np.array(means, dtype=float), runs)
    hits = sum(bool((adjust(row, method)[true] <= ALPHA).any()) for row in p)
    check_share(method, hits, runs, ALPHA)


@pytest.mark.parametrize("method", WEAK)
def test_weak_control_only(method):
    """What the docstring says of Finner and Li: the level is kept if all hypotheses are true, not otherwise."""
    rng = np.random.default_rng(1)
    runs = 4000
    hits = sum(bool((adjust(row, method) <= ALPHA).any()) for row in rng.random((runs, 5)))
    check_share(method, hits, runs, ALPHA)
    if method == "finner":
        p = np.column_stack((np.zeros((runs, 3)), rng.random((runs, 2))))
        hits = sum(bool((adjust(row, method)[3:] <= ALPHA).any()) for row in p)
        check_share(method, hits, runs, 1 - (1 - ALPHA) ** 1.6, exact=True)  # 0.0788


@pytest.mark.exhaustive
@pytest.mark.parametrize("method", ["sidak", "holland", "rom"])
def test_independent_p_values_use_the_level_up(method):
    rng = np.random.default_rng(2)
    runs = 2000 if method == "rom" else 6000
    hits = sum(bool((adjust(row, method) <= ALPHA).any()) for row in rng.random((runs, 6)))
    check_share(method, hits, runs, ALPHA, exact=True)


def test_false_discovery_rate():
    rng = np.random.default_rng(3)
    runs, true = 4000, np.array([False] * 4 + [True] * 6)
    z = rng.normal(size=(runs, 10)) + np.where(true, 0.0, 3.0)
    p = 2 * ndtr(-np.abs(z))
    for method, goal in (("fdr-bh", 0.6 * ALPHA), ("fdr-by", ALPHA)):
        shares = []
        for row in p:
            rejected = adjust(row, method) <= ALPHA
            shares.append((rejected & true).sum() / max(1, rejected.sum()))
        assert np.mean(shares) <= goal + 4 * np.std(shares) / math.sqrt(runs)


@pytest.mark.few(1)
@pytest.mark.parametrize("means", [[0, 0, 0, 0, 0], [9, 0, 0, 0, 0], [0, 0, 7, 7, 7], [0, 0, 3, 3, 0]])
@pytest.mark.parametrize("method", PAIRWISE_METHODS)
def test_all_pairs(method, means):
    """One bad and the rest equal; two clusters, far and near."""
    rng = np.random.default_rng(4)
    runs, centre = 1500, np.array(means, dtype=float)
    true = centre[:, None] == centre[None, :]
    np.fill_diagonal(true, False)
    hits = 0
    for x in rng.normal(size=(runs, 5)) + centre:
        p = 2 * ndtr(-np.abs(x[:, None] - x[None, :]) / math.sqrt(2))
        hits += bool((adjust_pairwise(p, method, positions=x)[true] <= ALPHA).any())
    check_share(method, hits, runs, ALPHA)


def test_multiple_sign_law():
    rng = np.random.default_rng(5)
    runs, n, m = 60_000, 14, 5
    control, others = rng.random((runs, n, 1)), rng.random((runs, n, m))
    smallest = (others < control).sum(axis=1).min(axis=1)
    law = cdf_of_smallest(n, m)
    for c in range(5):
        check_share(f"min <= {c}", int((smallest <= c).sum()), runs, float(law[c]), exact=True)


def test_tukey_and_dunnett_cover_all_differences_at_once():
    rng = np.random.default_rng(6)
    runs, n, k = 1500, 6, 4
    effects = np.array([0.0, 1.0, 1.0, 3.0])
    truth = effects[:, None] - effects[None, :]  # higher is better
    # the critical values do not depend on the data: computed once
    df = (n - 1) * (k - 1)
    q, t = studentized_range.isf(ALPHA, k, df), many_one.isf(ALPHA, k - 1, df)
    covered = {"tukey": 0, "dunnett": 0}
    for y in rng.normal(size=(runs, n, k)) + effects + rng.normal(size=(runs, n, 1)):
        means = y.mean(axis=0)
        residuals = y - y.mean(axis=1, keepdims=True) - means + y.mean()
        se = math.sqrt((residuals**2).sum() / df / n)
        away = np.abs(means[:, None] - means[None, :] - truth)
        covered["tukey"] += bool((away <= q * se).all())
        covered["dunnett"] += bool((away[0] <= t * math.sqrt(2) * se).all())
    for name, hits in covered.items():
        check_share(name, runs - hits, runs, ALPHA, exact=True)
    table = bo.Scores(y, better="higher")
    assert (bo.tukey(table).high[0, 1] - bo.tukey(table).low[0, 1]) / 2 == pytest.approx(q * se, rel=1e-12)
    assert bo.dunnett(table, 0).high[0] - bo.dunnett(table, 0).estimates[0] == pytest.approx(t * math.sqrt(2) * se)
