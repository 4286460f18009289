"""Sign test, signed ranks and paired t against printed tables, R, and exact integers.

R lines: R 4.2.2 (stats), ``options(digits=17)``; the call stands above the numbers.
"""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.nulls.signed_rank import signed_rank_null, signed_rank_tail
from bakeoff.nulls.tails import binomial_sf

DATA = Path(__file__).parent / "data"
# differences, positive where a is better, used in the R calls as x
X = [0.41, 1.73, -0.62, 2.24, 0.95, -0.13, 3.07, 1.36, -1.88, 0.54, 2.71, 1.12]


def table(name: str, better: str) -> bo.Scores:
    with (DATA / name).open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    values = [[float(x) for x in row[1:]] for row in rows]
    return bo.Scores(values, algorithms=head[1:], problems=[row[0] for row in rows], better=better)


def of_differences(d: list[float]) -> bo.Scores:
    """Scores with a − b = d exactly, higher better."""
    return bo.Scores([[x, 0.0] for x in d], algorithms=["a", "b"], better="higher")


@pytest.fixture(scope="module")
def derrac() -> bo.Scores:
    return table("derrac_table1_reconstructed.csv", "lower")  # Table 1 with seven exponents restored


@pytest.fixture(scope="module")
def demsar() -> bo.Scores:
    with (DATA / "demsar_table2.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return bo.Scores([[float(r["C4.5"]), float(r["C4.5+m"])] for r in rows], ["C4.5", "C4.5+m"], better="higher")


# Derrac et al. (2011), Tables 5 and 6: wins and losses of SaDE; its R+, R− and p
SADE = {
    "PSO": (20, 5, 261, 64, 0.00673),
    "IPOP-CMA-ES": (15, 10, 239, 86, 0.03934),
    "CHC": (20, 5, 287, 38, 0.00038),
    "SSGA": (18, 7, 260, 65, 0.00737),
    "SS-BLX": (16, 9, 232, 93, 0.06262),
    "SS-Arit": (17, 8, 243, 82, 0.02958),
    "DE-Bin": (13, 12, 176, 149, None),  # printed >0.2
    "DE-Exp": (9, 16, 119, 206, None),
}


@pytest.mark.parametrize("name", SADE)
def test_derrac_table_5(derrac: bo.Scores, name: str) -> None:
    result = bo.sign_test(derrac, "SaDE", name)
    assert (result.wins, result.losses, result.ties) == (*SADE[name][:2], 0)
    assert result.statistic == result.wins


# The p-values are exact although said to come from a normal approximation; .0626264 (R: 2*psignrank(93, 25)) is printed
# .06262, cut instead of rounded
@pytest.mark.parametrize("name", SADE)
def test_derrac_table_6(derrac: bo.Scores, name: str) -> None:
    r_plus, r_minus, p = SADE[name][2:]
    result = bo.wilcoxon(derrac, "SaDE", name)
    assert (result.r_plus, result.r_minus, result.method) == (r_plus, r_minus, "exact")
    if p is None:
        assert result.pvalue > 0.2
    elif name == "SS-BLX":
        assert result.pvalue == pytest.approx(0.0626264214515686, rel=1e-13)
    else:
        assert result.pvalue == pytest.approx(p, abs=0.5e-5)


# Derrac et al. (2011), Table 5, last column, with R's binom.test(18, 25) and binom.test(17, 25): the table's
# critical values are one-tailed, so "SS-Arit at 0.1" is not significant with two tails
def test_derrac_table_5_levels(derrac: bo.Scores) -> None:
    assert bo.sign_test(derrac, "SaDE", "SSGA").pvalue == pytest.approx(0.043285250663757366, rel=1e-12)
    assert bo.sign_test(derrac, "SaDE", "SS-Arit").pvalue == pytest.approx(0.10775214433670058, rel=1e-12)


# Demšar's equation (3) on the same data (recomputed for our list of misprints)
@pytest.mark.parametrize(
    ("name", "p"),
    [
        ("PSO", 0.00804),
        ("IPOP-CMA-ES", 0.03955),
        ("CHC", 0.00081),
        ("SSGA", 0.00871),
        ("SS-BLX", 0.06148),
        ("SS-Arit", 0.03031),
    ],
)
def test_derrac_table_6_normal(derrac: bo.Scores, name: str, p: float) -> None:
    result = bo.wilcoxon(derrac, "SaDE", name, method="normal")
    assert result.pvalue == pytest.approx(p, abs=0.5e-5)
    n = 25
    z = (result.statistic - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    assert -abs(result.zstatistic) == pytest.approx(z, rel=1e-12)


# Demšar (2006), section 3.1.3: R+ = 93 (the second algorithm's there, the first one's here), R− = 12, two zeros
def test_demsar_signed_ranks(demsar: bo.Scores) -> None:
    result = bo.wilcoxon(demsar, "C4.5+m", "C4.5")
    assert (result.r_plus, result.r_minus, result.statistic) == (93, 12, 12)
    assert (result.n, result.zeros, result.ties) == (14, 2, 2)
    assert result.pvalue < 0.05  # 12 ≤ 21, the printed critical value
    turned = bo.wilcoxon(demsar, "C4.5", "C4.5+m")
    assert (turned.r_plus, turned.r_minus, turned.pvalue) == (12, 93, result.pvalue)


# Demšar's critical value for N = 14 at 0.05 is 21: P(T ≤ 21) ≤ 0.05 < P(T ≤ 22), tie-free exact null
def test_demsar_critical_value() -> None:
    null = signed_rank_null(2 * np.arange(1, 15))
    assert null.largest_sum(0.025) == 2 * 21


# Demšar (2006), section 3.1.4: 11 of 14; the exact two-tailed p is .0574, not below .05 (one-tailed .0287)
def test_demsar_sign_test(demsar: bo.Scores) -> None:
    result = bo.sign_test(demsar, "C4.5+m", "C4.5")
    assert (result.statistic, result.n, result.wins, result.losses, result.ties) == (11, 14, 10, 2, 2)
    assert result.pvalue == 940 / 2**14  # 2·(364 + 91 + 14 + 1)
    assert bo.sign_test(demsar, "C4.5+m", "C4.5", alternative="greater").pvalue == 470 / 2**14
    # z = (11 − 7)/(√14/2); R: 2*pnorm(-4/(sqrt(14)/2))
    normal = bo.sign_test(demsar, "C4.5+m", "C4.5", method="normal")
    assert normal.zstatistic == pytest.approx(8 / math.sqrt(14), rel=1e-15)
    assert normal.pvalue == pytest.approx(math.erfc(8 / math.sqrt(28)), rel=1e-12)


# Derrac et al. (2011), Table 4 = Demšar (2006), Table 3, n = 5..25: headed two-tailed, but the entries are one-tailed
# points; at 0.05, n = 23 and 24 are printed 17 and 18 for 16 and 17. True two-tailed rows: from binomial sums.
PRINTED = {
    0.05: [5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 18, 18],
    0.10: [5, 6, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 14, 15, 16, 16, 17],
}
TWO_TAILED = {
    0.05: [None, 6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 17, 18, 18],
    0.10: [5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 16, 17, 18],
}


def critical_wins(n: int, alpha: float, tails: int) -> int | None:
    """The fewest wins in n that are significant at alpha."""
    for w in range(n // 2 + 1, n + 1):
        s = of_differences([1.0] * w + [-1.0] * (n - w))
        if bo.sign_test(s, "a", "b", alternative="greater" if tails == 1 else "two-sided").pvalue <= alpha:
            return w
    return None


@pytest.mark.parametrize("alpha", [0.05, 0.10])
def test_critical_values(alpha: float) -> None:
    misprints = {(0.05, 23): 16, (0.05, 24): 17}
    for n, printed, two_tailed in zip(range(5, 26), PRINTED[alpha], TWO_TAILED[alpha], strict=True):
        assert critical_wins(n, alpha, tails=1) == misprints.get((alpha, n), printed)
        assert critical_wins(n, alpha, tails=2) == two_tailed


# Benavoli et al. (2015), Table 1: one-sided, 20 and 15 wins of 30
def test_benavoli_table_1() -> None:
    for wins, p in [(20, 0.0494), (15, 0.5722)]:
        s = of_differences([1.0] * wins + [-1.0] * (30 - wins))
        assert bo.sign_test(s, "a", "b", alternative="greater").pvalue == pytest.approx(p, abs=0.5e-4)


# R: binom.test(w, n)$p.value, alternative="greater", "less"
@pytest.mark.parametrize(
    ("w", "n", "two", "greater", "less"),
    [
        (11, 14, 0.057373046875000042, 0.028686523437500021, 0.9935302734375),
        (18, 25, 0.043285250663757366, 0.021642625331878683, 0.99268335103988647),
        (3, 9, 0.50781250000000022, 0.91015625, 0.25390625000000011),
        (60, 60, 1.7347234759768052e-18, 8.6736173798840258e-19, 1.0),
        (520, 1000, 0.21744829320414144, 0.10872414660207072, 0.90261683576911711),
        (700, 1000, 1.7665678007949247e-37, 8.8328390039746235e-38, 1.0),
    ],
)
def test_sign_test_against_r(w: int, n: int, two: float, greater: float, less: float) -> None:
    s = of_differences([1.0] * w + [-1.0] * (n - w))
    for alternative, p in [("two-sided", two), ("greater", greater), ("less", less)]:
        result = bo.sign_test(s, "a", "b", alternative=alternative)
        assert result.pvalue == pytest.approx(p, rel=1e-12)
        assert result.log_pvalue == pytest.approx(math.log(result.pvalue), rel=1e-12, abs=1e-15)


# R: pbinom(w-1, n, .5, lower.tail=FALSE, log.p=TRUE)
@pytest.mark.parametrize(
    ("w", "n", "log_p"),
    [
        (52_000, 100_000, -83.443761879555083),
        (503_000, 1_000_000, -20.73071865839308),
        (1900, 2001, -990.11289166380084),
        (1100, 2001, -12.264300968829467),
    ],
)
def test_large_binomial_tails(w: int, n: int, log_p: float) -> None:
    p, got = binomial_sf(w, n)
    assert got == pytest.approx(log_p, rel=1e-11)
    assert p == pytest.approx(math.exp(log_p), rel=1e-9)


@pytest.mark.slow
def test_large_binomial_tails_against_integers() -> None:
    for n, w in [(1001, 501), (1001, 560), (2500, 1251), (3000, 1700), (4000, 3999), (5001, 2600)]:
        exact = Fraction(sum(math.comb(n, i) for i in range(w, n + 1)), 2**n)
        p, log_p = binomial_sf(w, n)
        log_exact = math.log(exact.numerator) - math.log(exact.denominator)
        assert log_p == pytest.approx(log_exact, rel=1e-13, abs=1e-12)
        assert p == pytest.approx(float(exact), rel=1e-11)


# R: wilcox.test(x, exact=TRUE, alternative=...), wilcox.test(x, exact=FALSE, correct=FALSE)
def test_signed_ranks_against_r() -> None:
    s = of_differences(X)
    r = {"two-sided": 0.052246093750000035, "greater": 0.026123046875000017, "less": 0.978759765625}
    for alternative, p in r.items():
        result = bo.wilcoxon(s, "a", "b", alternative=alternative)
        assert result.r_plus == 64
        assert result.pvalue == pytest.approx(p, rel=1e-13)
    assert bo.wilcoxon(s, "a", "b", method="normal").pvalue == pytest.approx(0.049860203756906959, rel=1e-12)


# R: wilcox.test(y, exact=FALSE, correct=FALSE): zeros dropped, variance corrected for ties
def test_signed_ranks_with_ties_against_r() -> None:
    y = [1, -2, 3, 3, 0, -1, 4, 5, 0, 2, 2, -6, 7]
    result = bo.wilcoxon(of_differences(y), "a", "b", zeros="drop", method="normal")
    assert result.r_plus == 50.5
    assert result.pvalue == pytest.approx(0.11862456478399588, rel=1e-12)
    assert (result.n, result.zeros, result.ties) == (11, 2, 7)  # 1 1, 2 2 2, 3 3


# R: psignrank(q, n, log.p=TRUE)
@pytest.mark.parametrize(
    ("n", "q", "log_p"),
    [
        (10, 2, -5.8328595169313431),
        (10, 22, -1.1631508098056809),
        (25, 16, -12.198780799075559),
        (50, 63, -22.7936781047244),
        (100, 252, -43.456378546417326),
        (100, 2020, -3.184449899354457),
        (400, 4010, -166.22427911979977),
        (400, 32080, -8.2835814031804542),
    ],
)
def test_null_against_r(n: int, q: int, log_p: float) -> None:
    p, got = signed_rank_tail(2 * np.arange(1, n + 1), 2 * q)
    assert got == pytest.approx(log_p, rel=1e-12)
    assert p == pytest.approx(math.exp(log_p), rel=1e-11)


# all n differences of one sign: p = 2·2^−n whatever the ranks
@pytest.mark.few(3)
@pytest.mark.parametrize("n", [1, 2, 13, 60, 537, 1000, 1500])
def test_all_of_one_sign(n: int) -> None:
    result = bo.wilcoxon(of_differences([float(1 + i // 2) for i in range(n)]), "a", "b", method="exact")
    assert result.pvalue == math.ldexp(1.0, 1 - n)
    assert result.log_pvalue == pytest.approx((1 - n) * math.log(2), rel=1e-14, abs=1e-15)
    assert result.statistic == 0


# R: t.test(x, alternative=...); log: pt(t, 11, lower.tail=, log.p=TRUE)
@pytest.mark.parametrize(
    ("alternative", "p", "low", "high"),
    [
        ("two-sided", 0.039247808758221134, 0.056511844579584546, 1.860154822087082),
        ("greater", 0.019623904379110567, 0.22249578649294233, math.inf),
        ("less", 0.98037609562088945, -math.inf, 1.6941708801737241),
    ],
)
def test_paired_t_against_r(alternative: str, p: float, low: float, high: float) -> None:
    result = bo.paired_t(of_differences(X), "a", "b", alternative=alternative)
    assert result.statistic == pytest.approx(2.3389079450775645, rel=1e-13)
    assert (result.df, result.n_problems) == (11, 12)
    assert result.pvalue == pytest.approx(p, rel=1e-11)
    assert (result.low, result.high) == (pytest.approx(low, rel=1e-11), pytest.approx(high, rel=1e-11))
    assert result.log_pvalue == pytest.approx(math.log(p), rel=1e-11)


# R: t.test(tuned, plain, paired=TRUE); t.test((tuned-plain)/((tuned+plain)/2)), the scores of Demšar's Table 2
def test_paired_t_on_demsar(demsar: bo.Scores) -> None:
    result = bo.paired_t(demsar, "C4.5+m", "C4.5")
    assert (result.statistic, result.pvalue) == (
        pytest.approx(2.8462370435388853, rel=1e-12),
        pytest.approx(0.013755830847342582, rel=1e-11),
    )
    relative = bo.paired_t(demsar, "C4.5+m", "C4.5", relative=True)
    assert (relative.statistic, relative.pvalue) == (
        pytest.approx(2.6489749320106304, rel=1e-12),
        pytest.approx(0.020050814217767825, rel=1e-11),
    )
    assert relative.low == pytest.approx(0.0036788958798905126, rel=1e-10)


# "a is better than b" and "b is worse than a" are the same sentence
def test_alternatives_mirror() -> None:
    s = of_differences(X)
    for test in (bo.sign_test, bo.wilcoxon, bo.paired_t):
        up = test(s, "a", "b", alternative="greater")
        down = test(s, "b", "a", alternative="less")
        assert (up.pvalue, up.log_pvalue) == (down.pvalue, down.log_pvalue)


@pytest.mark.parametrize("function", [bo.wilcoxon, bo.sign_test])
def test_what_is_said_of_few_problems_is_true_of_the_p_beside_it(function) -> None:
    """F-B4: "no result could be significant at 0.05" stood beside p = .043 and .025 by the normal approximation."""
    five = bo.Scores([[float(i), 2.0 * i + 1] for i in range(5)], better="lower")
    by_normal = function(five, 0, 1, method="normal")
    assert by_normal.pvalue < 0.05
    assert [caution.code for caution in by_normal.cautions] == ["rough"]
    exact = function(five, 0, 1)
    assert exact.pvalue > 0.05
    assert exact.cautions[0].code == "out-of-reach"


def test_kendalls_w_of_one_problem_is_one_without_ties() -> None:
    """F-B12."""
    assert bo.kendall_w(bo.Scores([[1.0, 2.0, 3.0]], better="lower")).statistic == 1.0
    assert bo.kendall_w(bo.Scores([[1.0, 1.0, 2.0]], better="lower")).statistic == 0.75
