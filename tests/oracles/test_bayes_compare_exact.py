"""Joint statements against exact numbers: areas of polygons in the simplex, Theorem 2, the paper's Table 1.

Under Dirichlet(1, 1, 1) the weights are uniform on a triangle, and "all statements hold" is a polygon in it: its share
of the area is an exact fraction. With three problems that is ``prior="equal"`` (the prior atom drops out); with two
problems and s = 1 the third weight is the prior atom's, which gives the bounds of ``prior="ignorance"``.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes.statements.sign_statements import failure_probability

Point = tuple[Fraction, Fraction, Fraction]


def clipped(polygon: list[Point], normal: tuple[int, int, int]) -> list[Point]:
    """The part of a convex polygon where normal·w > 0 (Sutherland–Hodgman, in fractions)."""
    kept: list[Point] = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        here = sum(c * x for c, x in zip(normal, p, strict=True))
        there = sum(c * x for c, x in zip(normal, q, strict=True))
        if here >= 0:
            kept.append(p)
        if here * there < 0:
            t = Fraction(here) / (here - there)
            kept.append(tuple(x + t * (y - x) for x, y in zip(p, q, strict=True)))  # type: ignore[arg-type]
    return kept


def area(polygon: list[Point]) -> Fraction:
    """As a share of the whole triangle: twice the area in the first two coordinates."""
    total = Fraction(0)
    for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        total += p[0] * q[1] - p[1] * q[0]
    return abs(total)


def share(normals: list[tuple[int, int, int]]) -> Fraction:
    one, nil = Fraction(1), Fraction(0)
    polygon: list[Point] = [(one, nil, nil), (nil, one, nil), (nil, nil, one)]
    for normal in normals:
        if any(normal):
            polygon = clipped(polygon, normal) if polygon else []
    return area(polygon) if polygon else nil


def signs_of(values: np.ndarray, better: int, worse: int) -> list[int]:
    return [int(np.sign(row[worse] - row[better])) for row in values]


def near(found: float, truth: Fraction, error: float) -> bool:
    return abs(found - float(truth)) <= 5 * error + 1e-12  # several hundred comparisons, fixed seeds


@pytest.mark.few(14)
@pytest.mark.parametrize("seed", range(40))
def test_three_problems_are_polygons(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, size=(3, int(rng.integers(3, 6)))).astype(float)
    found = bo.bayes.compare(bo.Scores(values, better="lower"), n_draws=4000, rng=seed, prior="flat")
    normals: list[tuple[int, int, int]] = []
    coins = Fraction(1)
    for x in found.statements:
        i, j = found.algorithms.index(x.better), found.algorithms.index(x.worse)
        d = signs_of(values, i, j)
        assert (x.wins, x.losses, x.ties) == (d.count(1), d.count(-1), d.count(0))
        if any(d):
            normals.append((d[0], d[1], d[2]))
            assert x.probability == pytest.approx(float(share([normals[-1]])), abs=1e-14)
        else:
            coins /= 2
            assert x.probability == 0.5
        assert near(x.joint, share(normals) * coins, x.joint_standard_error)


@pytest.mark.few(14)
@pytest.mark.parametrize("seed", range(40))
def test_two_problems_and_a_prior_ranking_are_polygons(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, size=(2, int(rng.integers(2, 5)))).astype(float)
    found = bo.bayes.compare(bo.Scores(values, better="lower"), n_draws=4000, rng=seed, prior="ignorance")
    lower: list[tuple[int, int, int]] = []
    upper: list[tuple[int, int, int]] = []
    for x in found.statements:
        i, j = found.algorithms.index(x.better), found.algorithms.index(x.worse)
        d = signs_of(values, i, j)
        lower.append((d[0], d[1], -1))
        upper.append((d[0], d[1], 1))
        assert x.probability_bounds == pytest.approx((float(share(lower[-1:])), float(share(upper[-1:]))), abs=1e-14)
        assert x.joint_bounds is not None
        band = 5 * max(x.joint_standard_error, 1 / 4000) + 5 * 0.5 / 4000**0.5
        assert abs(x.joint_bounds[0] - float(share(lower))) <= band
        assert abs(x.joint_bounds[1] - float(share(upper))) <= band


def test_a_cycle_of_three() -> None:
    """Orders abc, bca, cab: each statement holds unless one weight exceeds ½ (¾), all three with ¼, two with ½."""
    table = bo.Scores([[1, 2, 3], [3, 1, 2], [2, 3, 1]], algorithms=["a", "b", "c"], better="lower")
    found = bo.bayes.compare(table, n_draws=200_000, prior="flat")
    assert [x.probability for x in found.statements] == [0.75] * 3
    assert [(x.better, x.worse) for x in found.statements] == [("a", "b"), ("b", "c"), ("c", "a")]
    for x, truth in zip(found.statements, (0.75, 0.5, 0.25), strict=True):
        assert abs(x.joint - truth) <= 4 * x.joint_standard_error
    loose = bo.bayes.compare(table, gamma=0.8, prior="flat")
    assert loose.cycles == (("a", "b", "c"),)
    assert loose.order == ()
    assert [c.code for c in loose.cautions] == ["cycle"]


def test_table_1() -> None:
    """Benavoli et al. (2015), Table 1, column "Bayesian test" (1 − probability): wins 20, 20, 15 of 30 (ERRATA B4)."""
    printed = {20: 0.0307, 15: 0.5000}
    for wins, value in printed.items():
        assert failure_probability(wins, 30 - wins) == pytest.approx(value, abs=0.00005)


def test_probability_of_error_is_theorem_2() -> None:
    """I_½(wins, losses) by mpmath 50 digits; degenerate cases as ERRATA F12."""
    for wins in range(0, 40, 3):
        for losses in range(0, 40, 4):
            if wins and losses:
                truth = float(mpmath.betainc(wins, losses, 0, mpmath.mpf(1) / 2, regularized=True))
            else:
                truth = 0.5 if wins == losses else float(wins < losses)
            assert failure_probability(wins, losses) == pytest.approx(truth, rel=1e-12, abs=1e-300)


def test_against_r() -> None:
    """R 4.2.2, ``options(digits=17)``. The signs are those of García et al.'s Table 3."""
    # pbeta(.5, 20, 10); pbeta(.5, 17, 7); pbeta(.5, 13, 11)
    numbers = {(20, 10): 0.030714172869920703, (17, 7): 0.017344832420349142, (13, 11): 0.33881974220275884}
    for (wins, losses), value in numbers.items():
        assert failure_probability(wins, losses) == pytest.approx(value, rel=1e-13)
    found = {(x.better, x.worse): x for x in bo.bayes.compare(bo.datasets.load("garcia_2010"), prior="flat").statements}
    x = found["NNEP", "FH-GBML"]
    assert (x.wins, x.losses, x.probability) == (17, 7, pytest.approx(1 - numbers[17, 7], rel=1e-13))


def test_relative_effect_is_mann_whitney() -> None:
    """For s → 0 the posterior mean is W/(n m) (Benavoli et al. 2015, section 7, on Ferguson 1973).

    R 4.2.2: wilcox.test(c(1.1,2.2,3.3,4.4,2.5), c(2.5,0.5,3.9))$statistic is 8.5, a tie counting half.
    """
    nan = float("nan")
    runs = np.array([[[1.1, 2.2, 3.3, 4.4, 2.5], [2.5, 0.5, 3.9, nan, nan]]])
    s = bo.Scores.from_cells(runs, ["x", "y"], ["p"], better="higher")
    found = bo.bayes.kruskal_wallis(s, prior_strength=0, n_draws=100)
    assert found.pair_effects[0, 1] == pytest.approx(8.5 / 15, rel=1e-14)
    assert bo.bayes.repeated_runs(s, 0, n_draws=100).shares[0, 1] == pytest.approx(8.5 / 15, rel=1e-14)
