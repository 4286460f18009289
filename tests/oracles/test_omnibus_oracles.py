"""The omnibus tests against the papers' tables and R.

Where a print is wrong (docs/trust/errata.md) the printed and the correct number stand side by side. R is version 4.2.2;
the commands are above the constants.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.omnibus._aligned_friedman import aligned_fraction
from bakeoff.omnibus._quade import quade_fraction
from friedman_null import friedman_null
from oracles import published

DEMSAR = bo.datasets.load("demsar_2006")
GARCIA = bo.datasets.load("garcia_2010")
DERRAC = bo.datasets.load("derrac_cec2005")
# Derrac et al. (2011), Tables 7–10
TOY = bo.Scores(
    [
        [2.711, 3.147, 2.515, 2.612],
        [7.832, 9.828, 7.832, 7.921],
        [0.012, 0.532, 0.122, 0.005],
        [3.431, 4.111, 3.401, 3.401],
    ],
    ["A", "B", "C", "D"],
    better="lower",
)


def half_unit(decimals: int) -> float:
    return 0.5 * 10.0**-decimals * (1 + 1e-9)


def check_r(result, statistic, pvalue):
    assert result.statistic == pytest.approx(statistic, rel=1e-12)
    assert result.pvalue == pytest.approx(pvalue, rel=1e-11)
    assert result.log_pvalue == pytest.approx(math.log(pvalue), rel=1e-11)


# --- Demšar (2006), section 3.2.2 and Table 6 -----------------------------------------------------------------------


def test_demsar_from_the_printed_ranks():
    """χ² = 9.28, F = 3.69 and mean ranks 3.143, 2.000, 2.893, 1.964 follow from the printed ranks (M1)."""
    ranks = published.scores("demsar_table6_ranks", "lower", skip=("Average",))
    r, f = bo.friedman(ranks), bo.iman_davenport(ranks)
    assert r.statistic == f.chi2 == pytest.approx(9.2786, abs=half_unit(4))
    assert f.statistic == pytest.approx(3.6863, abs=half_unit(4))
    assert f.df == (3, 39)
    np.testing.assert_allclose(r.mean_ranks, [3.143, 2.000, 2.893, 1.964], rtol=0, atol=half_unit(3))
    assert (r.n_problems, r.n_algorithms, r.n_tied) == (14, 4, 4)


def test_demsar_from_the_printed_scores():
    """M1: .975 and .975 on voting print alike but rank 2 and 3; from the print χ² = 9.857, F = 3.987.

    R: friedman.test(-d), d the table as matrix: 10.952380952380953, p = 0.011986176325417815.
    """
    r = bo.friedman(DEMSAR)
    assert r.statistic == pytest.approx(9.857, abs=half_unit(3))
    assert bo.iman_davenport(DEMSAR).statistic == pytest.approx(3.987, abs=half_unit(3))
    np.testing.assert_allclose(r.mean_ranks, [3.143, 2.000, 2.929, 1.929], rtol=0, atol=half_unit(3))
    check_r(bo.friedman(DEMSAR, ties="corrected"), 10.952380952380953, 0.011986176325417815)


# --- García et al. (2010), Table 3 ----------------------------------------------------------------------------------


def test_garcia_friedman_and_iman_davenport():
    """Eqs. 3 and 4. F1: the printed eq. 2 multiplies n(k−1) by χ², and would give less than 1."""
    r, f = bo.friedman(GARCIA), bo.iman_davenport(GARCIA)
    assert r.statistic == f.chi2 == pytest.approx(16.225, abs=half_unit(3))
    assert f.statistic == pytest.approx(6.691, abs=half_unit(3))
    assert f.pvalue == pytest.approx(4.97e-4, abs=half_unit(6))
    np.testing.assert_allclose(r.mean_ranks, [1.771, 2.479, 2.479, 3.271], rtol=0, atol=half_unit(3))


def test_garcia_tie_corrected():
    """F4. R: friedman.test(-g), quade.test(-g), g Table 3 as matrix."""
    check_r(bo.friedman(GARCIA, ties="corrected"), 16.361344537815125, 0.00095605117222132897)
    check_r(bo.quade(GARCIA, ties="corrected"), 11.767101928445534, 2.5798378431451751e-06)
    assert bo.quade(GARCIA).statistic == pytest.approx(11.752, abs=half_unit(3))
    assert bo.quade(GARCIA).pvalue == pytest.approx(2.62e-6, abs=half_unit(8))


def test_garcia_aligned_ranks_from_table_7():
    """G1, G2: printed T = 18.837 (p = 2.96e-4) with 1121² for 1121.5²; the printed sums give 22.2899, p = 5.68e-5."""
    cells = published.cells("garcia_table7_aligned")
    names = GARCIA.algorithms
    rows = published.rows("garcia_table7_aligned")
    table = [[2 * float(cells[row, f"{name}_rank"]) for name in names] for row in rows]
    doubled = np.array(table, dtype=np.int64)
    assert (doubled.sum(axis=0) / 2).tolist() == [703.5, 1121.5, 1129.5, 1701.5]
    numerator, denominator = aligned_fraction(doubled, "none")
    assert numerator / denominator == pytest.approx(22.2899, abs=half_unit(4))
    assert abs(numerator / denominator - 18.837) > 3
    # from Table 3 itself (G11: the authors ranked unrounded accuracies)
    r = bo.aligned_friedman(GARCIA)
    assert r.statistic == pytest.approx(22.267, abs=half_unit(3))
    assert r.pvalue == pytest.approx(5.74e-5, abs=half_unit(7))
    assert (r.mean_ranks * 24).tolist() == [704.5, 1122.5, 1127.0, 1702.0]


def test_garcia_quade_from_table_8():
    """G3, G4: printed B = 4068.479 and T₃ = 21.967 (p = 4.28e-10); correct B = 8218.479, T₃ = 11.6098, p = 3.00e-6."""
    s = np.array([-332, 11, 27.5, 293.5])  # Table 8, totals
    b = float((s**2).sum() / 24)
    assert b == pytest.approx(8218.479, abs=half_unit(3))
    assert abs(b - 4068.479) > 4000
    # the rows cancel out of F but for A, which is 24500 without ties
    assert 24 * 25 * 49 * 4 * 5 * 3 / 72 == 24500
    numerator, denominator = quade_fraction(np.vstack([4 * s, np.zeros((23, 4))]).astype(np.int64), "none")
    assert numerator / denominator == pytest.approx(11.6098, abs=half_unit(4))
    assert abs(numerator / denominator - 21.967) > 10
    np.testing.assert_allclose(bo.quade(GARCIA).mean_ranks, [1.393, 2.537, 2.592, 3.478], rtol=0, atol=0.006)


# --- Derrac et al. (2011) -------------------------------------------------------------------------------------------


def test_derrac_toy_tables():
    """Tables 8–10. D3: the printed average of C in Table 8 is 1.250, correct 1.75."""
    assert bo.friedman(TOY).mean_ranks.tolist() == [2.375, 4.0, 1.75, 1.875]
    assert bo.aligned_friedman(TOY).mean_ranks.tolist() == [7.625, 14.5, 5.5, 6.375]
    np.testing.assert_allclose(bo.quade(TOY).mean_ranks, [2.3, 4.0, 1.55, 2.15], rtol=1e-15)
    assert bo.quade(TOY).problem_ranks.tolist() == [2.0, 4.0, 1.0, 3.0]


def test_derrac_table_11_friedman():
    """D2: chi² 35.99733, F 5.267817 follow if F1 of DE-Exp ties with SSGA; from Table 1 they are 36.373 and 5.3351."""
    values = DERRAC.values.copy()
    values[0, DERRAC.index("DE-Exp")] = 8.420e-9
    tied = bo.Scores(values, DERRAC.algorithms, better="lower")
    r, f = bo.friedman(tied), bo.iman_davenport(tied)
    assert r.statistic == pytest.approx(35.99733, abs=half_unit(5))
    assert r.pvalue == pytest.approx(0.000018, abs=half_unit(6))
    assert f.statistic == pytest.approx(5.267817, abs=half_unit(6))
    printed = published.column("derrac_table11", "friedman", skip=("Statistic", "p-value", "p -value"))
    np.testing.assert_allclose(r.mean_ranks, [float(x) for x in printed.values()], rtol=1e-12)
    # R: friedman.test(c), c Table 1 as matrix
    check_r(bo.friedman(DERRAC), 36.373333333333335, 1.5001172164499011e-05)
    assert bo.iman_davenport(DERRAC).statistic == pytest.approx(5.3351, abs=half_unit(4))
    assert bo.friedman(DERRAC).mean_ranks[[3, 7, 8]].tolist() == [5.52, 3.44, 3.88]


def test_derrac_table_11_aligned_cannot_be():
    """D5, D6: with the printed rank totals the statistic is at least 26.656, whatever the rows; printed 21.31479."""
    printed = published.column("derrac_table11", "aligned", skip=("Statistic", "p-value", "p -value"))
    totals = np.array([25 * float(x) for x in printed.values()])
    n, k = 25, 9
    spread = float((totals**2).sum()) - k * n * n / 4 * (k * n + 1) ** 2
    # Σ R̂_i² is least when all rows have the same total
    widest = k * n * (k * n + 1) * (2 * k * n + 1) / 6 - n * (k * (k * n + 1) / 2) ** 2 / k
    assert (k - 1) * spread / widest == pytest.approx(26.656, abs=half_unit(3))
    r = bo.aligned_friedman(DERRAC)
    assert r.statistic == pytest.approx(33.67, abs=half_unit(2))
    np.testing.assert_allclose(r.mean_ranks, totals / 25, rtol=0, atol=0.25)


def test_derrac_table_11_quade():
    """D7: F = 6.63077 from the printed T_j (printed 6.63067); 6.63756 from Table 1 with D2. F3: no factor k in B."""
    printed = published.column("derrac_table11", "quade", skip=("Statistic", "p-value", "p -value"))
    n, k = 25, 9
    s = np.array([(float(t) - (k + 1) / 2) * n * (n + 1) / 2 for t in printed.values()])
    a, b = n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72, float((s**2).sum()) / n
    assert (n - 1) * b / (a - b) == pytest.approx(6.63077, abs=2e-4)
    values = DERRAC.values.copy()
    values[0, DERRAC.index("DE-Exp")] = 8.420e-9
    tied = bo.quade(bo.Scores(values, DERRAC.algorithms, better="lower"))
    assert tied.statistic == pytest.approx(6.63756, abs=half_unit(5))
    others = [j for j, name in enumerate(DERRAC.algorithms) if name not in ("DE-Exp", "SaDE")]
    expected = np.array([float(t) for t in printed.values()])
    np.testing.assert_allclose(tied.mean_ranks[others], expected[others], rtol=0, atol=half_unit(4))
    # R: quade.test(c)
    check_r(bo.quade(DERRAC, ties="corrected"), 6.657844277264056, 1.1152070734893111e-07)


@pytest.mark.parametrize(
    ("test", "column"), [(bo.friedman, "friedman"), (bo.aligned_friedman, "aligned"), (bo.quade, "quade")]
)
def test_derrac_table_12(test, column):
    printed = published.column("derrac_table12", column)
    found = test(DERRAC.select(list(printed))).mean_ranks
    np.testing.assert_allclose(found, [float(x) for x in printed.values()], rtol=0, atol=half_unit(4))


# --- R --------------------------------------------------------------------------------------------------------------

# RoundingTimes, the example of R's friedman.test (Hollander & Wolfe 1973, p. 140): 22 players, three methods
ROUNDING_TIMES = bo.Scores(
    np.array(
        [
            [5.40, 5.50, 5.55], [5.85, 5.70, 5.75], [5.20, 5.60, 5.50], [5.55, 5.50, 5.40], [5.90, 5.85, 5.70],
            [5.45, 5.55, 5.60], [5.40, 5.40, 5.35], [5.45, 5.50, 5.35], [5.25, 5.15, 5.00], [5.85, 5.80, 5.70],
            [5.25, 5.20, 5.10], [5.65, 5.55, 5.45], [5.60, 5.35, 5.45], [5.05, 5.00, 4.95], [5.50, 5.50, 5.40],
            [5.45, 5.55, 5.50], [5.55, 5.55, 5.35], [5.45, 5.50, 5.55], [5.50, 5.45, 5.25], [5.65, 5.60, 5.40],
            [5.70, 5.65, 5.55], [6.30, 6.30, 6.25],
        ]
    ),
    better="lower",
)  # fmt: skip


def test_rounding_times():
    """Hollander & Wolfe: 11.143. M8: R ranks the ranges of decimals in binary (quade.test(rt): 7.0422651149297435);
    ties among decimals are ties, as quade.test(round(rt*100)) finds: 6.3704137498978568, p = 0.0038343925821350856.
    """
    check_r(bo.friedman(ROUNDING_TIMES, ties="corrected"), 11.142857142857142, 0.003805040775511363)
    check_r(bo.quade(ROUNDING_TIMES, ties="corrected"), 6.3704137498978568, 0.0038343925821350856)


def test_quade_of_hundredths():
    """R: quade.test(-round(d*1000)), d Demšar's Table 6: 4.6279051622404506, p = 0.0073026805148933846."""
    check_r(bo.quade(DEMSAR, ties="corrected"), 4.6279051622404506, 0.0073026805148933846)


def test_freezer():
    """The example of R's quade.test (Conover 1999, p. 375): F = 3.8293; also friedman.test of the same table."""
    table = [
        [5, 4, 7, 10, 12],
        [1, 3, 1, 0, 2],
        [16, 12, 22, 22, 35],
        [5, 4, 3, 5, 4],
        [10, 9, 7, 13, 10],
        [19, 18, 28, 37, 58],
        [10, 7, 6, 8, 7],
    ]
    s = bo.Scores(table, better="lower")
    check_r(bo.quade(s, ties="corrected"), 3.8292515841753727, 0.015189020073274592)
    check_r(bo.friedman(s, ties="corrected"), 8.3283582089552244, 0.080264090581825515)


@pytest.mark.parametrize(
    ("scores", "f", "p", "error", "epsilon", "p_epsilon"),
    [
        (GARCIA, 5.8271455605286251, 0.0013114044510936025, 0.0062507084842995109, 0.7648, 0.0036185439248000873),
        (DEMSAR, 4.447180332319224, 0.0088177171911336585, 0.00033395558608058558, 0.7628, 0.016764812117565996),
        (
            ROUNDING_TIMES,
            6.2883079157588746,
            0.0040841007221974028,
            0.0074512987012987164,
            0.7735,
            0.0084397990318937303,
        ),
        (
            bo.Scores([[2, 3, 7], [1, 4, 5], [3, 3, 6], [2, 5, 8]], better="lower"),
            *(22.454545454545446, 0.0016370717930029182, 0.91666666666666696, 0.9503, 0.0020663378733318596),
        ),
    ],
    ids=["garcia", "demsar", "rounding-times", "small"],
)
def test_anova(scores, f, p, error, epsilon, p_epsilon):
    """R: summary(aov(y ~ a + Error(p))); anova(lm(m ~ 1), X = ~1, test = "Spherical") for ε (4 digits) and its p."""
    r = bo.anova(scores)
    assert r.statistic == pytest.approx(f, rel=1e-12)
    assert r.pvalue == pytest.approx(p, rel=1e-11)
    assert r.mean_square_error == pytest.approx(error, rel=1e-12)
    assert r.greenhouse_geisser == pytest.approx(epsilon, abs=half_unit(4))
    assert r.greenhouse_geisser_pvalue == pytest.approx(p_epsilon, rel=1e-8)


# --- exact probabilities --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "n", "chi2", "printed"),
    [
        *((3, 3, 6.0, 0.028), (3, 4, 6.5, 0.042), (3, 5, 6.4, 0.039), (3, 6, 7.0, 0.029), (3, 7, 7.143, 0.027)),
        *((3, 8, 6.25, 0.047), (3, 9, 6.222, 0.048), (4, 3, 7.4, 0.033), (4, 4, 7.8, 0.036)),
    ],
)
def test_published_exact_probabilities(k, n, chi2, printed):
    """P(χ² ≥ x) as in the usual tables of exact probabilities (such as Siegel 1956, Table N), three decimals."""
    values, p = friedman_null(k, n)
    statistic = 12 * values / (n * k * (k + 1)) - 3 * n * (k + 1)
    assert p[statistic >= chi2 - 5e-4].sum() == pytest.approx(printed, abs=half_unit(3))


# --- degenerate tables ----------------------------------------------------------------------------------------------


def codes(result):
    return {c.code for c in result.cautions}


@pytest.mark.parametrize("ties", ["none", "corrected"])
@pytest.mark.parametrize(("n", "k"), [(1, 2), (1, 5), (7, 2), (7, 5)])
def test_nothing_differs(n, k, ties):
    s = bo.Scores(np.full((n, k), 0.1), better="lower")
    for r in (
        bo.friedman(s, ties=ties),
        bo.iman_davenport(s, ties),
        bo.aligned_friedman(s, ties),
        bo.quade(s, ties=ties),
    ):
        assert (r.statistic, r.pvalue, r.log_pvalue) == (0.0, 1.0, 0.0)
        assert "nothing-differs" in codes(r)
        assert len(set(r.mean_ranks.tolist())) == 1
    r = bo.anova(s)
    assert (r.statistic, r.pvalue, r.log_pvalue, r.mean_square_error) == (0.0, 1.0, 0.0, 0.0)
    for test in (bo.friedman, bo.aligned_friedman, bo.quade):
        for method in ("exact", "permutation", "auto"):
            assert test(s, method=method, n_resamples=9).pvalue == 1.0


@pytest.mark.parametrize(("n", "k"), [(2, 2), (3, 4), (14, 4), (60, 3), (1000, 10)])
def test_perfect_agreement(n, k):
    """Iman–Davenport: F = ∞, p = (1/k!)^(n−1). Quade: only with A = B; otherwise F = 3(n + 1) without ties."""
    s = bo.Scores(np.arange(k) * np.linspace(1, 2, n)[:, None], better="lower")
    same = bo.Scores(np.arange(k) + 100.0 * np.arange(n)[:, None], better="lower")
    log_p = -(n - 1) * math.lgamma(k + 1)
    results = [bo.iman_davenport(s), bo.iman_davenport(s, "corrected"), bo.quade(same, ties="corrected")]
    for r in results:
        assert r.statistic == math.inf
        assert r.log_pvalue == pytest.approx(log_p, rel=1e-13)
        assert r.pvalue == pytest.approx(math.exp(log_p), rel=1e-11, abs=1e-307)
        assert r.method == "exact"
        assert "perfect-agreement" in codes(r)
    assert bo.quade(s).statistic == bo.quade(same).statistic == 3 * (n + 1)
    if log_p > -400 and k < 5:
        assert bo.friedman(s, method="exact").log_pvalue == pytest.approx(log_p, rel=1e-12)


def test_perfect_agreement_with_ties():
    """Three distinct orders of (1, 2.5, 2.5): p = 3^−(n−1); the papers' uncorrected denominator is not 0 then."""
    s = bo.Scores(np.tile([1.0, 2.0, 2.0], (5, 1)), better="lower")
    for r in (bo.iman_davenport(s, "corrected"), bo.quade(s, ties="corrected")):
        assert r.statistic == math.inf
        assert r.pvalue == pytest.approx(3.0**-4, rel=1e-14)
    assert bo.iman_davenport(s).statistic < math.inf
    assert bo.friedman(s, method="exact").pvalue == pytest.approx(3.0**-4, rel=1e-14)


@pytest.mark.parametrize("ties", ["none", "corrected"])
@pytest.mark.parametrize("row", [[1.0, 2.0, 3.0], [1.0, 1.0, 3.0], [2.0, 1.0]])
def test_one_problem(row, ties):
    s = bo.Scores([row], better="higher")
    for r in (bo.iman_davenport(s, ties), bo.quade(s, ties=ties), bo.anova(s)):
        assert r.pvalue == 1.0
        assert "one-problem" in codes(r)
        assert not math.isnan(r.statistic)
    for test in (bo.friedman, bo.aligned_friedman, bo.quade):
        assert test(s, method="exact", ties=ties).pvalue == 1.0
    assert "one-problem" in codes(bo.friedman(s))


def test_infinite_scores():
    s = bo.Scores([[1.0, math.inf, 2.0], [0.5, 1.0, math.inf], [-math.inf, 2.0, 3.0]], better="lower")
    ranked = bo.Scores([[1, 3, 2], [1, 2, 3], [1, 2, 3]], better="lower")
    assert bo.friedman(s).statistic == bo.friedman(ranked).statistic
    assert bo.iman_davenport(s).pvalue == bo.iman_davenport(ranked).pvalue
    assert bo.quade(s, weights=[1, 2, 3]).statistic == bo.quade(ranked, weights=[1, 2, 3]).statistic
    for refused in (bo.aligned_friedman, bo.quade, bo.anova):
        with pytest.raises(bo.BakeoffError, match="'P1', algorithm 'A2' is inf"):
            refused(s)


def test_anova_without_error_variance():
    """0.3 − 0.2 and 0.2 − 0.1 are the same difference on decimals: the residuals are exactly zero."""
    s = bo.Scores([[0.1, 0.2, 0.4], [0.2, 0.3, 0.5], [0.7, 0.8, 1.0]], better="lower")
    r = bo.anova(s)
    assert (r.statistic, r.pvalue, r.log_pvalue) == (math.inf, 1.0, 0.0)
    assert (r.mean_square_error, r.greenhouse_geisser) == (0.0, 1.0)
    assert "no-variation" in codes(r)
    big = bo.anova(bo.Scores(np.array([[1, 2, 4], [2, 3, 5.5], [7, 8, 9]]) * 1e150, better="lower"))
    small = bo.anova(bo.Scores(np.array([[1, 2, 4], [2, 3, 5.5], [7, 8, 9]]) * 1e-150, better="lower"))
    assert big.statistic == pytest.approx(small.statistic, rel=1e-12)


def test_anova_keeps_small_differences_beside_a_large_constant_row():
    table = np.array([[1.0, 2.0, 4.0], [2.0, 3.5, 5.0], [7.0, 8.0, 9.5]])
    plain = bo.anova(bo.Scores(np.vstack([table, np.zeros(3)]), better="lower"))
    beside = bo.anova(bo.Scores(np.vstack([table, np.full(3, 1e17)]), better="lower"))
    assert (plain.statistic, plain.pvalue) == (beside.statistic, beside.pvalue)


@pytest.mark.slow
def test_cautions_come_when_they_must():
    assert "rough" in codes(bo.friedman(GARCIA))
    assert codes(bo.friedman(DERRAC)) == set()
    assert "ties" in codes(bo.iman_davenport(GARCIA))
    assert "ties" not in codes(bo.iman_davenport(GARCIA, ties="corrected"))
    assert codes(bo.friedman(GARCIA, method="exact")) == set()
    assert codes(bo.quade(DERRAC)) == codes(bo.aligned_friedman(DERRAC)) == set()


@pytest.mark.parametrize(
    ("n", "k", "said", "instead"),
    [
        (11, 6, False, False),
        (10, 6, True, True),
        (11, 5, True, True),
        (4, 5, True, True),
        (3, 5, True, False),
        (4, 4, True, False),
    ],
)
def test_where_chi_squared_is_rough_and_f_is_nearer(n: int, k: int, said: bool, instead: bool) -> None:
    scores = bo.Scores(np.random.default_rng(n).normal(size=(n, k)), better="lower")
    texts = [c.text for c in bo.friedman(scores, method="chi2").cautions if c.name == "rough (chi2)"]
    assert [instead] * said == ["bo.iman_davenport is more accurate" in text for text in texts]
