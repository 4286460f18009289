"""Agreement with baycomp (1.0.3) where it is right, and what it answers where it is not.

baycomp's left is its first argument scoring higher. Its signed-rank prior has strength 0.5, its sums on the edge of
the rope count half (ours are within), and its sign test adds 0.0001 to every count.
"""

from __future__ import annotations

import math
import warnings

import lazy_loader
import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.needs("baycomp")
baycomp = lazy_loader.load("baycomp")
DRAWS = 20_000


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own imports
        assert baycomp.SignTest


def table(n: int, seed: int, shift: float = 0.1) -> tuple[bo.Scores, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(0.8, 0.3, n) + shift, rng.normal(0.8, 0.3, n)
    return bo.Scores(np.column_stack([x, y]), ["x", "y"], better="higher"), x, y


def error(p: float, draws: int) -> float:
    return 4 * math.sqrt((p * (1 - p) + 1 / draws) / draws)


@pytest.mark.parametrize(("n", "seed"), [(5, 0), (20, 1), (60, 2)])
@pytest.mark.parametrize("rope", [0.0, 0.1])
def test_sign_test_agrees(n: int, seed: int, rope: float) -> None:
    scores, x, y = table(n, seed)
    ours = bo.bayes.sign_test(scores, "x", "y", rope=rope)
    theirs = baycomp.SignTest.probs(x, y, rope, prior=1, nsamples=DRAWS, random_state=seed)
    if rope:
        expected = (ours.p_better, ours.p_equivalent, ours.p_worse)
        for p, q in zip(expected, theirs, strict=True):
            assert abs(p - q) <= error(p, DRAWS) + 1e-3  # 0.0001 more of everything
    else:  # the largest of three, and then of two: θ_g > θ_l given that ties are not the largest
        assert abs(ours.p_better - theirs[0]) <= 0.05


@pytest.mark.few(2)
@pytest.mark.parametrize(("n", "seed"), [(5, 0), (20, 1), (60, 2)])
@pytest.mark.parametrize("rope", [0.0, 0.1, 0.3])
@pytest.mark.slow_cases("0.3-60-2")
def test_signed_rank_agrees(n: int, seed: int, rope: float) -> None:
    scores, x, y = table(n, seed)
    ours = bo.bayes.signed_rank(scores, "x", "y", prior_strength=0.5, rope=rope, n_draws=DRAWS, rng=seed)
    theirs = baycomp.SignedRankTest.probs(x, y, rope, nsamples=DRAWS // 5, random_state=seed)
    expected = (ours.p_better, ours.p_equivalent, ours.p_worse) if rope else (ours.p_better, ours.p_worse)
    for p, q in zip(expected, theirs, strict=True):
        assert abs(p - q) <= error(p, DRAWS) + error(p, DRAWS // 5)


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(("n", "draws", "rope"), [(100, 100_000, 0.0), (100, 100_000, 0.15), (12, 100_000, 0.3)])
def test_signed_rank_has_the_same_law(n: int, draws: int, rope: float) -> None:
    """Kolmogorov–Smirnov over 1e5 draws of each share: D·√(m/2) beyond 1.95 has probability 0.001."""
    scores, x, y = table(n, 5)
    ours = bo.bayes.signed_rank(scores, "x", "y", prior_strength=0.5, rope=rope, n_draws=draws, rng=1).draws
    theirs = baycomp.SignedRankTest.sample(x, y, rope, nsamples=draws, random_state=1)
    # without a rope baycomp shares ties (the prior with itself) between both sides
    pairs = [(0, 0), (1, 1), (2, 2)] if rope else [(0, 0), (2, 2)]
    for mine, other in pairs:
        share = ours[:, mine] if rope else ours[:, mine] + ours[:, 1] / 2
        distance = kolmogorov_smirnov(share, theirs[:, other])
        assert distance * math.sqrt(draws / 2) < 1.95, f"share {mine}: D = {distance:.5f}"


def kolmogorov_smirnov(one: np.ndarray, two: np.ndarray) -> float:
    both = np.sort(np.concatenate([one, two]))
    first = np.searchsorted(np.sort(one), both, side="right") / len(one)
    second = np.searchsorted(np.sort(two), both, side="right") / len(two)
    return float(np.max(np.abs(first - second)))


def test_where_baycomp_is_wrong() -> None:
    """Identical algorithms: rounding decides (0.7, 0.3); without decided problems 0/0; a NaN becomes a verdict."""
    x = np.full(10, 0.5)
    left, right = baycomp.SignedRankTest.probs(x, x, 0, nsamples=2000, random_state=1)
    assert left + right == pytest.approx(1)
    assert abs(left - right) > 0.1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        assert np.isnan(baycomp.SignTest.probs(x, x, 0, nsamples=100, random_state=1)).all()
        broken = x.copy()
        broken[0] = np.nan
        assert baycomp.SignedRankTest.probs(x, broken, 0, nsamples=100, random_state=1) == (1, 0)
        assert baycomp.SignedRankTest.probs(x, broken, 0.1, nsamples=100, random_state=1) == (0, 1, 0)

    scores = bo.Scores(np.column_stack([x, x]), better="higher")
    for result in (bo.bayes.signed_rank(scores, 0, 1), bo.bayes.sign_test(scores, 0, 1)):
        assert (result.p_better, result.p_equivalent, result.p_worse) == (0.5, 0, 0.5)
        assert [c.name for c in result.cautions] == ["nothing-differs (pair)"]
    with pytest.raises(bo.BakeoffError, match="missing"):
        bo.Scores(np.column_stack([x, broken]), better="higher")
