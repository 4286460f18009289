"""Do experiments of the planned size find what the plan promises? Simulated with the real tests and the real Holm.

Pass bands are four standard errors of the simulated share.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import bdtr, chdtri, stdtr

import bakeoff as bo

pytestmark = pytest.mark.slow

REPEATS = 20_000
plan = bo.plan


def band(share: float, repeats: int = REPEATS) -> float:
    return 4 * math.sqrt(max(share * (1 - share), 1e-4) / repeats)


def holm_rejections(p: np.ndarray, alpha: float) -> np.ndarray:
    """(repeats, K): Holm, row by row."""
    count = p.shape[1]
    order = np.argsort(p, axis=1)
    passed = np.take_along_axis(p, order, 1) <= alpha / np.arange(count, 0, -1)
    kept = np.logical_and.accumulate(passed, axis=1)
    rejected = np.zeros_like(kept)
    np.put_along_axis(rejected, order, kept, axis=1)
    return rejected


def t_pvalues(differences: np.ndarray) -> np.ndarray:
    """(repeats, n, K) -> (repeats, K), two-sided."""
    n = differences.shape[1]
    t = differences.mean(axis=1) / (differences.std(axis=1, ddof=1) / math.sqrt(n))
    return 2 * stdtr(n - 1, -np.abs(t))


def simulate(n: int, effects: np.ndarray, correlated: bool, seed: int) -> np.ndarray:
    """Rejections; differences with a common control have correlation 1/2, else they are independent."""
    rng = np.random.default_rng([seed, n, len(effects), correlated])
    found = []
    for _ in range(20):
        size = (REPEATS // 20, n, len(effects))
        z = rng.standard_normal(size)
        if correlated:
            z = (z + rng.standard_normal((*size[:2], 1))) / math.sqrt(2)
        found.append(t_pvalues(z + effects))
    return holm_rejections(np.concatenate(found), 0.05)


# n of the plan (K comparisons, d = .5); average, any and all found; with a common control, and independent.
# An independent simulation of 20 000 gave these; docs/guides/planning.md shows them.
HOLM = [
    (3, "mean", 40, (0.818, 0.92, 0.70), (0.836, 0.98, 0.64)),
    (3, "worst", 45, (0.872, 0.95, 0.78), (0.888, 0.99, 0.73)),
    (5, "mean", 44, (0.831, 0.96, 0.68), (0.858, 1.0, 0.57)),
    (10, "mean", 50, (0.842, 0.98, 0.65), (0.879, 1.0, 0.45)),
    (10, "worst", 58, (0.907, 0.99, 0.76), (0.941, 1.0, 0.65)),
]


@pytest.mark.few(3)
@pytest.mark.parametrize(("count", "target", "n", "control", "independent"), HOLM)
def test_what_the_targets_deliver_if_every_effect_is_there(
    count: int, target: str, n: int, control: tuple[float, ...], independent: tuple[float, ...]
) -> None:
    found = plan.instances(0.5, n_algorithms=count + 1, comparisons="control", target=target)
    assert found.n == n
    for correlated, known in ((True, control), (False, independent)):
        rejected = simulate(n, np.full(count, 0.5), correlated, 1)
        shares = [rejected.mean(), rejected.any(axis=1).mean(), rejected.all(axis=1).mean()]
        for share, expected in zip(shares, known, strict=True):
            # two simulations, and a printed figure of two or three digits
            assert abs(share - expected) <= math.sqrt(2) * band(expected) + 0.006, (shares, known)
        assert shares[0] >= found.power - band(found.power), "on average at least as promised"


@pytest.mark.parametrize("count", [3, 10])
def test_the_worst_target_holds_for_one_effect_among_nulls(count: int) -> None:
    worst = plan.instances(0.5, n_algorithms=count + 1, comparisons="control")
    effects = np.zeros(count)
    effects[0] = 0.5
    for correlated in (True, False):
        share = simulate(worst.n, effects, correlated, 2)[:, 0].mean()
        assert share >= worst.power - band(worst.power), f"{share:.4f} < {worst.power:.4f}"
    mean = plan.instances(0.5, n_algorithms=count + 1, comparisons="control", target="mean")
    share = simulate(mean.n, effects, False, 3)[:, 0].mean()
    assert share < 0.8 - band(0.8), "the mean target does not cover this, as its promise says"
    assert share == pytest.approx(mean.profile[0], abs=0.03)


@pytest.mark.parametrize("tied", [0.1, 0.25, 0.5])
def test_ties_cost_the_sign_test_at_most_the_square_of_their_share(tied: float) -> None:
    """The caution of a sign plan: n over the square of the share of problems without a tie, ties split evenly."""
    found = plan.instances(0.5, test="sign")
    n = math.ceil(found.n / (1 - tied) ** 2)
    rng = np.random.default_rng([11, n])
    ties = rng.binomial(n, tied, size=REPEATS)
    wins = rng.binomial(n - ties, 0.691462461274013)
    split, size = wins + ties // 2, n - ties % 2
    low = np.minimum(split, size - split)
    share = float(np.mean(2 * bdtr(low, size, 0.5) <= 0.05))
    assert share >= 0.8, f"{share:.4f}"


# Means in residual standard deviations, planned n at power .8; the chi-squared test without ties
@pytest.mark.parametrize(
    ("means", "n"), [((0, 0, 0.5), 85), ((0, 0, 0, 0, 0.5), 79), ((0, 0, 0, 0, 1.0), 23), ((0, 0, 1.5), None)]
)
def test_friedman_plans_are_slightly_conservative(means: tuple[float, ...], n: int | None) -> None:
    found = plan.instances(list(means), test="friedman")
    assert n in (None, found.n)
    k = len(means)
    rng = np.random.default_rng([7, found.n, k])
    hits = 0
    for _ in range(20):
        x = rng.standard_normal((REPEATS // 20, found.n, k)) + np.array(means)
        ranks = x.argsort(axis=2).argsort(axis=2) + 1
        sums = ranks.sum(axis=1)
        chi2 = 12 / (found.n * k * (k + 1)) * (sums**2).sum(axis=1) - 3 * found.n * (k + 1)
        hits += int(np.sum(chi2 >= chdtri(k - 1, 0.05)))
    share = hits / REPEATS
    assert share >= 0.8 - band(0.8), f"{share:.4f}"
    assert share <= (0.84 if max(means) < 1 else 0.91), f"{share:.4f}"


@pytest.mark.parametrize(("law", "n", "power"), [("laplace", 36, 0.904), ("t3", 36, 0.963)])
def test_heavy_tails_need_fewer_problems_than_the_plan(law: str, n: int, power: float) -> None:
    """d = .5 of unit-variance differences; normal .814."""
    rng = np.random.default_rng([8, n])
    draw = rng.laplace(size=(REPEATS, n)) / math.sqrt(2)
    if law == "t3":
        draw = rng.standard_t(3, size=(REPEATS, n)) / math.sqrt(3)
    x = draw + 0.5
    order = np.argsort(np.abs(x), axis=1)
    w = np.take_along_axis(x > 0, order, 1) @ np.arange(1, n + 1)
    low = 208  # R 4.2.2: qsignrank(.025, 36) - 1
    share = float(np.mean((w <= low) | (w >= n * (n + 1) // 2 - low)))
    assert abs(share - power) <= math.sqrt(2) * band(power) + 0.0005, f"{share:.4f}"
    assert share > plan.power(n, 0.5, test="wilcoxon")


# Differences of percent: sd of phi-hat over 20 000 experiments, m1 = 10, s = (2, 1), n = 60; known .0183 and .0408
@pytest.mark.parametrize(("phi", "known"), [(-0.5, 0.0183), (0.5, 0.0408)])
def test_the_corrected_percent_error_is_the_true_one(phi: float, known: float) -> None:
    rng = np.random.default_rng([9, int(10 * phi + 10)])
    a = rng.normal(10, 2, size=(REPEATS, 60)).mean(axis=1)
    b = rng.normal(10 * (1 + phi), 1, size=(REPEATS, 60)).mean(axis=1)
    sd = float(np.std(b / a - 1, ddof=1))
    assert sd == pytest.approx(known, rel=4 / math.sqrt(2 * REPEATS) + 0.003)
    from bakeoff.plan.pilots import error_terms

    corrected, paper = (
        float(error_terms([10, 10 * (1 + phi)], [2, 1], "all-pairs", "percent", form).standard_errors([60, 60])[0])
        for form in ("corrected", "paper")
    )
    assert corrected == pytest.approx(sd, rel=0.03)
    assert abs(paper / sd - 1) > 0.2, "errata F15"


def test_all_pairs_percent_errors_count_the_grand_mean() -> None:
    """Known: sd .04269, correct .04265, without the covariance .03640. Means 8, 10, 12; s = 1, 2, 4; n = 30 here."""
    rng = np.random.default_rng(10)
    means, sds = np.array([8.0, 10.0, 12.0]), np.array([1.0, 2.0, 4.0])
    x = means + sds / math.sqrt(30) * rng.standard_normal((REPEATS, 3))
    from bakeoff.plan.pilots import error_terms

    terms = error_terms(means, sds, "all-pairs", "percent")
    errors = terms.standard_errors([30, 30, 30])
    for place, (i, j) in enumerate(terms.pairs):
        sd = float(np.std((x[:, j] - x[:, i]) / x.mean(axis=1), ddof=1))
        assert errors[place] == pytest.approx(sd, rel=4 / math.sqrt(2 * REPEATS) + 0.01)
