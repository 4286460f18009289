"""Large offsets, large tolerances and ties, against exact arithmetic and 50 digits."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

import bakeoff as bo


def lower(table: object) -> bo.Scores:
    return bo.Scores(np.asarray(table, dtype=float), better="lower")


def offset_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    base = np.random.default_rng(0).integers(0, 10, (8, 3)) + np.array([0, 3, 6.0])
    level = base.copy()
    level[0] += 2.0**50  # whole numbers, all exactly representable
    return base, np.vstack([np.full(3, 1e15), base / 10]), level


def exact_fit(table: np.ndarray) -> tuple[list[Fraction], Fraction]:
    """Means less the grand mean, and MSE, in exact rational arithmetic."""
    cells = [[Fraction(x) for x in row] for row in table.tolist()]
    n, k = len(cells), len(cells[0])
    rows = [sum(row, Fraction(0)) / k for row in cells]
    effects = [sum((cells[i][j] - rows[i] for i in range(n)), Fraction(0)) / n for j in range(k)]
    squares = sum((cells[i][j] - rows[i] - effects[j]) ** 2 for i in range(n) for j in range(k))
    return effects, squares / ((n - 1) * (k - 1))


def t_two_sided(t: mpmath.mpf, df: int) -> mpmath.mpf:
    return mpmath.betainc(mpmath.mpf(df) / 2, 0.5, 0, df / (df + t * t), regularized=True)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_means_and_error_do_not_lose_the_table_to_one_problem_s_level(which: int) -> None:
    table = offset_tables()[which]
    effects, error = exact_fit(table)
    s = lower(table)
    tukey, dunnett, anova = bo.tukey(s), bo.dunnett(s, 0), bo.anova(s)
    for found in (tukey.mean_square_error, dunnett.mean_square_error, anova.mean_square_error):
        assert found == pytest.approx(float(error), rel=1e-13)
    for i, j in product(range(3), repeat=2):
        assert tukey.estimates[i, j] == pytest.approx(float(effects[j] - effects[i]), rel=1e-13, abs=0)
    n, k = table.shape
    between = n * sum(e * e for e in effects) / (k - 1)
    with mpmath.workdps(50):
        f = mpmath.mpf(float(between / error))
        d1, d2 = k - 1, (n - 1) * (k - 1)
        p = mpmath.betainc(mpmath.mpf(d2) / 2, mpmath.mpf(d1) / 2, 0, d2 / (d2 + d1 * f), regularized=True)
    assert anova.pvalue == pytest.approx(float(p), rel=1e-12)


def test_tukey_and_dunnett_with_a_large_level() -> None:
    """The review's tables: without the level, the same p; expected values from exact fits and mpmath."""
    base, tenths, level = offset_tables()
    assert bo.tukey(lower(tenths)).pvalue[0] == pytest.approx([1.0, 0.0727, 0.0049], abs=5e-5)
    assert bo.tukey(lower(level)).pvalue == pytest.approx(bo.tukey(lower(base)).pvalue, rel=1e-13)
    assert bo.dunnett(lower(level), 0).pvalue == pytest.approx(bo.dunnett(lower(base), 0).pvalue, rel=1e-13)
    assert bo.tukey(lower(level)).pvalue[0] == pytest.approx([1.0, 0.0611, 0.00407], abs=5e-5)
    assert bo.dunnett(lower(level), 0).pvalue == pytest.approx([0.0454, 0.00288], abs=5e-5)
    assert bo.anova(lower(level)).pvalue == pytest.approx(bo.anova(lower(base)).pvalue, rel=1e-13)


@pytest.mark.parametrize(("power", "tables"), [(40, 1), (46, 1), (48, 2), pytest.param(48, 60, marks=pytest.mark.slow)])
def test_any_problem_may_have_the_large_level(power: int, tables: int) -> None:
    """Whole numbers: every level up to 2^48 leaves the exact answer."""
    rng = np.random.default_rng(power)
    for _ in range(tables):
        base = rng.integers(0, 10, (6, 4)).astype(float)
        table = base.copy()
        table[rng.integers(6)] += rng.choice([-1.0, 1.0]) * 2.0**power
        for test in (bo.tukey, bo.anova):
            assert test(lower(table)).pvalue == pytest.approx(test(lower(base)).pvalue, rel=1e-12)


def test_additive_decimals_still_leave_no_error() -> None:
    """0.3 − 0.2 is 0.2 − 0.1, and a level of 100 more changes nothing."""
    for level in (0.0, 100.0):
        table = np.array([[0.1, 0.2, 0.3], [0.3, 0.4, 0.5], [level + 0.7, level + 0.8, level + 0.9]])
        assert bo.anova(lower(table)).statistic == math.inf
        assert bo.tukey(lower(table)).statistic[0, 1] == math.inf
        assert bo.paired_t(lower(table), 0, 1).standard_error == 0.0


def test_different_differences_are_not_equal_because_one_score_is_large() -> None:
    """The review's table: differences −34 −33 −25 −20 −10 −7; p from exact mean and variance, mpmath."""
    s = lower([[1e16 + 34, 1e16], [43, 10], [35, 10], [30, 10], [20, 10], [15, 8]])
    d = [Fraction(-x) for x in (34, 33, 25, 20, 10, 7)]
    mean = sum(d) / 6
    variance = sum((x - mean) ** 2 for x in d) / 5
    with mpmath.workdps(50):
        t = mpmath.mpf(mean.numerator) / mean.denominator / mpmath.sqrt(mpmath.mpf(float(variance)) / 6)
        p = float(t_two_sided(t, 5))
    found = bo.paired_t(s, 0, 1)
    assert found.pvalue == pytest.approx(p, rel=1e-12)
    assert round(p, 5) == 0.00566
    assert found.cautions == ()


def test_nor_are_they_if_all_but_one_agree() -> None:
    """Five differences of −7 and one of −34: within the tolerance of the largest score, but whole numbers."""
    found = bo.paired_t(lower([[1e16 + 34, 1e16], *([[17.0, 10.0]] * 5)]), 0, 1)
    assert found.standard_error == pytest.approx(4.5, rel=1e-13)  # sd = 27/√6, over √6
    assert 0.0 < found.pvalue < 1.0


def test_one_counting_of_wins_ties_and_losses() -> None:
    """The review's table: the third score ties with the second, not with the first."""
    u = np.spacing(0.3)
    three = np.tile([[0.3, 0.3], [0.3 + 10 * u] * 2, [0.3 + 20 * u] * 2], (8, 1, 1))
    pair = bo.compare(lower(three), pairwise="sign").pairs[2]
    alone = bo.compare(lower(three[:, 1:]), pairwise="sign").pairs[0]
    for p in (pair, alone):
        assert (p.wins, p.ties, p.losses, p.statistic, p.pvalue) == (0, 8, 0, 4.0, 1.0)


@pytest.mark.slow
def test_a_pair_counts_as_the_sign_test_does() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        table = 0.3 + rng.integers(0, 40, (7, 4, 2)) * np.spacing(0.3)
        table[rng.random(table.shape) < 0.05] = np.inf
        s = lower(table)
        for p in bo.compare(s, pairwise="sign").pairs:
            test = bo.sign_test(s, p.a, p.b)
            assert (p.wins, p.ties, p.losses) == (test.wins, test.ties, test.losses)


# --- right and wrong ----------------------------------------------------------------------------------------------


def solved(both: int, only_a: int, only_b: int, neither: int) -> bo.Scores:
    rows = [[1, 1]] * both + [[1, 0]] * only_a + [[0, 1]] * only_b + [[0, 0]] * neither
    return bo.Scores(rows, ["a", "b"], better="higher")


@pytest.mark.parametrize("n", [0, 1, 2, 3, 6, 9])
def test_mcnemar_by_enumeration(n: int) -> None:
    """All 2^n ways in which the n problems with a difference could have gone."""
    ways = [sum(signs) for signs in product((0, 1), repeat=n)]
    for wins in range(n + 1):
        s = solved(2, wins, n - wins, 3)
        most = max(wins, n - wins)
        exact = min(1.0, 2 * sum(w >= most for w in ways) / len(ways))
        mid = min(1.0, (sum(w >= most for w in ways) + sum(w > most for w in ways)) / len(ways))
        for method, p in (("exact", exact), ("mid-p", 1.0 if 2 * wins == n else mid)):
            found = bo.mcnemar(s, "a", "b", method=method)
            assert found.pvalue == pytest.approx(p, rel=1e-14)
            assert math.exp(found.log_pvalue) == pytest.approx(p, rel=1e-13)
            assert (found.statistic, found.wins, found.losses, found.ties) == (wins, wins, n - wins, 5)
            assert found.estimate == (wins - (n - wins)) / (n + 5)
        assert bo.sign_test(s, "a", "b", ties="drop").pvalue == bo.mcnemar(s, "a", "b").pvalue
        # given the ranks, which are all equal, the signed-rank test is the same one
        assert bo.wilcoxon(s, "a", "b").pvalue == pytest.approx(exact, rel=1e-13)


def test_mcnemar_as_printed() -> None:
    """Fagerland et al. (2013), Table 1 and section 'Examples': 1, 1, 7, 12; exact 0.070, mid-p 0.039.

    The review's 0/1 table (300 problems, .703 against .615) is of the size at which it matters.
    """
    s = solved(1, 1, 7, 12)
    assert bo.mcnemar(s, "a", "b").pvalue == pytest.approx(0.0703, abs=5e-5)
    assert bo.mcnemar(s, "a", "b", method="mid-p").pvalue == pytest.approx(0.0391, abs=5e-5)
    with mpmath.workdps(60):
        tail = sum(mpmath.binomial(1500, i) for i in range(1400, 1501)) / mpmath.mpf(2) ** 1500
        log_p = float(mpmath.log(2 * tail))
    assert bo.mcnemar(solved(0, 1400, 100, 0), "a", "b").log_pvalue == pytest.approx(log_p, rel=1e-13)


def test_mcnemar_refuses_other_scores() -> None:
    with pytest.raises(bo.BakeoffError, match=r"needs scores of 0 or 1: problem 'P2', algorithm 'A1' is 0\.5 \(1 such"):
        bo.mcnemar(bo.Scores([[1, 0], [0.5, 1]], better="higher"), 0, 1)
    with pytest.raises(bo.BakeoffError, match=r"a mean over runs.*bo\.sign_test"):
        bo.mcnemar(bo.Scores([[[1, 0], [1, 1]]], better="higher"), 0, 1)
    with pytest.raises(bo.BakeoffError, match="method must be one of"):
        bo.mcnemar(solved(1, 1, 1, 1), 0, 1, method="chi2")  # type: ignore[arg-type]


def test_ties_dropped_find_what_split_ties_hide() -> None:
    """300 answers, 10 lost and 36 won: 254 ties split hide it, dropped they do not."""
    s = solved(180, 36, 10, 74)
    assert bo.sign_test(s, "a", "b").pvalue > 0.1
    dropped = bo.sign_test(s, "a", "b", ties="drop")
    assert (dropped.statistic, dropped.n, dropped.ties) == (36.0, 46, 254)
    assert dropped.pvalue == bo.mcnemar(s, "a", "b").pvalue < 2e-4
    with pytest.raises(bo.BakeoffError, match="ties must be one of 'split', 'drop'"):
        bo.sign_test(s, "a", "b", ties="pratt")  # type: ignore[arg-type]


@pytest.mark.parametrize("pairwise", ["mcnemar", "sign-without-ties"])
def test_compare_knows_tests_without_ties(pairwise: str) -> None:
    rng = np.random.default_rng(11)
    right = (rng.random((60, 3)) < [0.9, 0.5, 0.5]).astype(float)
    s = bo.Scores(right, ["a", "b", "c"], better="higher")
    result = bo.compare(s, control="a", pairwise=pairwise)
    for p in result.pairs:
        test = bo.mcnemar(s, p.a, p.b)
        assert (p.statistic, p.pvalue, p.verdict) == (test.statistic, test.pvalue, "a better")
    turned = bo.compare(s, control="b", pairwise=pairwise)
    assert next(p for p in turned.pairs if p.b == "a").verdict == "b better"
