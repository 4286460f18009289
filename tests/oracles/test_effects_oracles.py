"""Contrast estimation, Hodges–Lehmann, rank-biserial, A12 and Kendall's W against printed tables and R.

R lines: R 4.2.2 (stats), ``options(digits=17)``; the call stands above the numbers.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.effects._hodges_lehmann import EXACT_LIMIT, interval_cut

DATA = Path(__file__).parent / "data"


def numbers(name: str) -> tuple[list[str], np.ndarray]:
    with (DATA / name).open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    return head[1:], np.array([[float(x) for x in row[1:]] for row in rows])


def of_differences(d: list[float]) -> bo.Scores:
    return bo.Scores([[x, 0.0] for x in d], algorithms=["a", "b"], better="higher")


# Derrac et al. (2011), Table 19, all 81 entries, from Table 1 with seven exponents restored
def test_derrac_table_19() -> None:
    names, errors = numbers("derrac_table1_reconstructed.csv")
    printed_names, printed = numbers("derrac_table19_contrast.csv")
    assert names == printed_names
    result = bo.contrast_estimation(bo.Scores(errors, names, better="lower"))
    np.testing.assert_allclose(result.estimates, printed, rtol=0, atol=0.5e-3 + 1e-9)


# García et al. (2010), Table 6 was made from unrounded accuracies; from the three decimals of Table 3 it is
# .02250 .01975 .05925 −.00275 .03675 .03950 (recomputed for our list of misprints), within .0003 of the print
def test_garcia_table_6() -> None:
    names, accuracy = numbers("garcia_table3_accuracy.csv")
    estimates = bo.contrast_estimation(bo.Scores(accuracy, names, better="higher")).estimates
    upper = estimates[np.triu_indices(4, 1)]
    np.testing.assert_allclose(upper, [0.02250, 0.01975, 0.05925, -0.00275, 0.03675, 0.03950], atol=0.5e-5)
    np.testing.assert_allclose(estimates, numbers("garcia_table6_contrast.csv")[1], atol=3.1e-4)


# direction does not turn the signs: raw units
def test_contrasts_are_raw() -> None:
    values = [[1.0, 2.0], [1.0, 4.0], [2.0, 3.0]]
    low = bo.contrast_estimation(bo.Scores(values, better="lower")).estimates
    high = bo.contrast_estimation(bo.Scores(values, better="higher")).estimates
    assert low[0, 1] == high[0, 1] == -1.0


X = [0.41, 1.73, -0.62, 2.24, 0.95, -0.13, 3.07, 1.36, -1.88, 0.54, 2.71, 1.12]
Y = [0.8, -0.3, 1.9, 2.4, 0.1, -1.1, 3.3, 0.7, 2.0, 1.4, -0.6, 0.9, 1.7, 2.9, -2.2, 0.4]


# R: wilcox.test(x, exact=TRUE, conf.int=TRUE, conf.level=level): estimate, conf.int
@pytest.mark.parametrize(
    ("d", "level", "estimate", "low", "high"),
    [
        (X, 0.8, 1.04, 0.41, 1.595),
        (X, 0.9, 1.04, 0.205, 1.74),
        (X, 0.95, 1.04, -0.04, 1.915),
        (X, 0.99, 1.04, -0.38, 2.22),
        (Y, 0.9, 0.9, 0.25, 1.65),
        (Y, 0.95, 0.9, 0.1, 1.8),
        (Y, 0.99, 0.9, -0.25, 2.0),
    ],
)
def test_hodges_lehmann_against_r(d: list[float], level: float, estimate: float, low: float, high: float) -> None:
    result = bo.hodges_lehmann(of_differences(d), "a", "b", confidence_level=level)
    assert (result.estimate, result.low, result.high) == pytest.approx((estimate, low, high), abs=1e-14)
    assert result.method == "exact"
    assert result.achieved_confidence >= level
    assert not result.cautions


# R: q <- qsignrank((1-level)/2, n) (at least 1); q - 1 and 1 - 2*psignrank(q-1, n)
@pytest.mark.parametrize(
    ("n", "level", "cut", "achieved"),
    [
        (6, 0.9, 2, 0.90625),
        (6, 0.95, 0, 0.96875),
        (10, 0.95, 8, 0.951171875),
        (16, 0.99, 19, 0.990814208984375),
        (25, 0.95, 89, 0.95173758268356323),
        (100, 0.9, 2045, 0.90064067457381691),
        (100, 0.99, 1779, 0.99004726906043661),
    ],
)
def test_interval_cut_against_r(n: int, level: float, cut: int, achieved: float) -> None:
    assert interval_cut(n, level) == (cut, pytest.approx(achieved, rel=1e-13), "exact")


def test_interval_that_cannot_reach_its_level() -> None:
    result = bo.hodges_lehmann(of_differences([1.0, 2.0, 3.0, 4.0, 6.0]), "a", "b")
    assert (result.low, result.high) == (1.0, 6.0)
    assert result.achieved_confidence == 1 - 2 / 32
    (caution,) = result.cautions
    assert caution.code == "interval-below-level"
    assert caution.text.startswith(
        "With 5 problems no interval of Walsh averages reaches 0.95 confidence. The interval shown"
    )
    assert caution.text.endswith("at level 0.9375.")
    one = bo.hodges_lehmann(of_differences([1.5]), "a", "b")
    assert (one.estimate, one.low, one.high, one.achieved_confidence) == (1.5, 1.5, 1.5, 0.0)


# Demšar (2006), Table 2: (93 − 12)/105
def test_rank_biserial_of_demsar() -> None:
    with (DATA / "demsar_table2.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    s = bo.Scores([[float(r["C4.5"]), float(r["C4.5+m"])] for r in rows], ["C4.5", "C4.5+m"], better="higher")
    assert bo.rank_biserial(s, "C4.5+m", "C4.5").statistic == 81 / 105
    assert bo.rank_biserial(s, "C4.5", "C4.5+m").statistic == -81 / 105


# R: wilcox.test(b, a, exact=FALSE)$statistic = 18.5, the pairs in which b is larger, ties one half; of 30
def test_a12_against_r() -> None:
    a, b = [1, 3, 5, 7, 7], [2, 3, 4, 7, 9, 10]
    cells = np.full((1, 2, 6), np.nan)
    cells[0, 0, :5], cells[0, 1] = a, b
    s = bo.Scores.from_cells(cells, ["a", "b"], ["P"], better="lower")
    assert bo.a12(s, "a", "b").estimate == 18.5 / 30
    assert bo.a12(s, "b", "a").estimate == 11.5 / 30


# R: friedman.test(rbind(c(1,2,3,4), c(2,1,3,4), c(1,3,2,4), c(1,1,2,3), c(2,2,2,5)))$statistic/(5*3), tie-corrected;
# friedman.test(matrix(c(3.1,2.2,5.1,4, 2,1.5,3,3.5, 1,4,2,3, 9,7,8,6, 1.1,1.2,1.4,1.3), 5, 4, byrow=TRUE))$statistic/15
def test_kendall_w_against_r() -> None:
    tied = bo.Scores([[1, 2, 3, 4], [2, 1, 3, 4], [1, 3, 2, 4], [1, 1, 2, 3], [2, 2, 2, 5]], better="lower")
    assert bo.kendall_w(tied, ties="corrected").statistic == pytest.approx(0.80444444444444441, rel=1e-15)
    assert bo.kendall_w(tied).ties == 2
    plain = bo.Scores(
        [[3.1, 2.2, 5.1, 4], [2, 1.5, 3, 3.5], [1, 4, 2, 3], [9, 7, 8, 6], [1.1, 1.2, 1.4, 1.3]], better="lower"
    )
    for ties in ("none", "corrected"):
        assert bo.kendall_w(plain, ties=ties).statistic == pytest.approx(0.216, rel=1e-15)


# García et al. (2010), section 3.1: chi-squared 16.225 with n = 24, k = 4, so W = 16.225/72
def test_kendall_w_of_garcia() -> None:
    names, accuracy = numbers("garcia_table3_accuracy.csv")
    assert bo.kendall_w(bo.Scores(accuracy, names, better="higher")).statistic == pytest.approx(16.225 / 72, abs=1e-9)


def test_the_largest_table_with_an_exact_interval() -> None:
    assert [interval_cut(n, 0.95)[2] for n in (EXACT_LIMIT, EXACT_LIMIT + 1)] == ["exact", "normal"]
