"""Errata of García et al. (2010), G1 to G11, and of Demšar (2006), M1 to M10: printed and correct side by side."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.nulls.tails import chi2_sf, f_sf
from bakeoff.ranks import doubled_tied_ranks
from oracles import all_tables, published
from oracles.demsar_tables import critical_rank_sum, hommel_index, printed_ranks
from oracles.garcia_tables import accuracies, printed_columns
from oracles.reproduction import Record


def record(table: str, row: str, column: str) -> Record:
    (found,) = [r for r in all_tables.table(table).records if (r.row, r.column) == (row, column)]
    return found


def side_by_side(table: str, row: str, column: str, printed: str, correct: float, tolerance: float) -> None:
    """The paper prints one thing, we compute the other, and they are not the same."""
    found = record(table, row, column)
    assert found.printed == printed
    assert found.computed == pytest.approx(correct, abs=tolerance)
    assert not found.agrees


def test_g1_addend_of_equation_8() -> None:
    side_by_side("García text", "eq. 8", "addend NNEP", "1121", 1121.5, 0)
    assert 703.5**2 + 1121.5**2 + 1129.5**2 + 1701.5**2 == 5923547  # the printed sum
    assert 703.5**2 + 1121**2 + 1129.5**2 + 1701.5**2 == 5922425.75


def test_g2_aligned_statistic() -> None:
    side_by_side("García text", "eq. 10", "T aligned", "18.837", 22.2899, 5e-5)
    side_by_side("García text", "4.1", "p aligned", "2.96e-4", 5.68e-5, 5e-8)
    assert chi2_sf(18.837, 3)[0] == pytest.approx(2.955e-4, abs=5e-8)  # the printed p nearly belongs to the printed T
    ours = bo.aligned_friedman(accuracies(), ties="none")
    assert ours.statistic == pytest.approx(22.267, abs=5e-4)
    assert ours.pvalue == pytest.approx(5.74e-5, abs=5e-8)


def test_g3_quade_b() -> None:
    side_by_side("García text", "eq. 18", "B", "4068.479", 8218.479, 5e-4)


def test_g4_quade_statistic() -> None:
    side_by_side("García text", "eq. 19", "T3 Quade", "21.967", 11.6098, 5e-5)
    side_by_side("García text", "4.2", "p Quade", "4.28e-10", 3.00e-6, 5e-9)
    assert f_sf(21.967, 3, 69)[0] == pytest.approx(4.28e-10, abs=5e-13)
    from_printed_b = 23 * 4068.479 / (24500 - 4068.479)
    assert from_printed_b == pytest.approx(4.580, abs=5e-4)
    ours = bo.quade(accuracies(), ties="none")
    assert ours.statistic == pytest.approx(11.752, abs=5e-4)
    assert ours.pvalue == pytest.approx(2.62e-6, abs=5e-9)


def test_g5_exponent_in_table_11() -> None:
    side_by_side("García T11", "Unadjusted p", "FH-GBML", "6.43747e-4", 6.43747e-5, 5e-11)
    assert record("García T11", "Bonf", "FH-GBML").computed == pytest.approx(3 * 6.43747e-5, rel=1e-5)


def test_g6_li_in_table_11() -> None:
    side_by_side("García T11", "Li", "FH-GBML", "6.62538e-4", 6.62538e-5, 5e-11)


def test_g7_li_in_table_9() -> None:
    side_by_side("García T9", "Li", "FH-GBML", "6.04577e-4", 6.04577e-5, 5e-11)


def test_g8_finner_in_tables_9_and_11() -> None:
    side_by_side("García T9", "Finn", "FH-GBML", "1.70982e-4", 1.70973e-4, 5e-10)
    side_by_side("García T11", "Finn", "FH-GBML", "1.93124e-4", 1.93112e-4, 5e-10)
    for table in ("García T9", "García T11"):  # the smallest of three: 1 − (1−p)^3 for Holland and for Finner
        assert record(table, "Finn", "FH-GBML").computed == record(table, "Holl", "FH-GBML").computed
        assert record(table, "Holl", "FH-GBML").agrees


def test_g9_mean_rank_in_the_text() -> None:
    side_by_side("García text", "4.2", "T of FH-GBML", "3.487", 3.478, 5e-4)
    assert published.cells("garcia_table8_totals")["T", "FH-GBML"] == "3.478"


def test_g10_points_to_the_formulas() -> None:
    """García (2), (21), (23): F1, F2, F8/R1."""
    chi2 = bo.friedman(accuracies(), ties="none").statistic
    assert bo.iman_davenport(accuracies(), ties="none").statistic == pytest.approx(23 * chi2 / (72 - chi2), rel=1e-12)


def test_g11_unrounded_accuracies() -> None:
    labels = ("García T5", "García T6", "García T7", "García T8")
    listed = {label: [r for r in all_tables.table(label).records if r.erratum == "G11"] for label in labels}
    for r in [*listed["García T5"], *listed["García T6"], *(r for r in listed["García T7"] if "obs" in r.column)]:
        assert isinstance(r.computed, float)
        assert abs(r.computed - float(r.printed)) < 1.05e-3  # the last digit of three decimals
    counts = {label: len(records) for label, records in listed.items()}
    assert counts == {"García T5": 34, "García T6": 12, "García T7": 26, "García T8": 22}
    contrast = bo.contrast_estimation(accuracies()).estimates[np.triu_indices(4, 1)]
    np.testing.assert_allclose(contrast, [0.0225, 0.01975, 0.05925, -0.00275, 0.03675, 0.0395], atol=1e-12)
    assert bo.rank_aligned(accuracies()).sum(axis=0).tolist() == [704.5, 1122.5, 1127, 1702]
    weighted = bo.rank_weighted(accuracies()).sum(axis=0) - 2.5 * 300
    assert weighted.tolist() == [-333.5, 11.5, 27.5, 294.5]
    for pairwise, expected in (
        ("aligned", [0.030324, 0.028586, 2.36027e-7]),
        ("quade", [0.027516, 0.021091, 6.017e-5]),
    ):
        result = bo.compare(accuracies(), control="PDFC", pairwise=pairwise, standard_error="papers")
        ours = {pair.b: pair.pvalue for pair in result.pairs}
        np.testing.assert_allclose([ours[a] for a in ("NNEP", "IS-CHC+1NN", "FH-GBML")], expected, rtol=5e-5)


def test_m1_voting_is_ranked_by_unprinted_digits() -> None:
    scores = published.scores("demsar_table6", "higher")
    ours = bo.friedman(scores, ties="none")
    np.testing.assert_allclose(ours.mean_ranks, [3.143, 2.000, 2.929, 1.929], atol=5e-4)
    assert ours.statistic == pytest.approx(9.857, abs=5e-4)
    assert bo.iman_davenport(scores, ties="none").statistic == pytest.approx(3.987, abs=5e-4)
    assert bo.friedman(scores, ties="corrected").statistic == pytest.approx(10.952, abs=5e-4)
    from_ranks = bo.friedman(printed_ranks(), ties="none")
    np.testing.assert_allclose(from_ranks.mean_ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    assert from_ranks.statistic == pytest.approx(9.2786, abs=5e-5)
    assert bo.iman_davenport(printed_ranks(), ties="none").statistic == pytest.approx(3.6863, abs=5e-5)


def test_m2_bonferroni_dunn_point_for_nine() -> None:
    side_by_side("Demšar T5", "Bonferroni-Dunn 0.05", "9", "2.724", 2.734, 5e-4)


@pytest.mark.parametrize(
    ("row", "k", "printed", "correct"),
    # R 4.x: qtukey(c(.95, .95, .90), c(3, 7, 5), Inf)/sqrt(2)
    [
        ("Nemenyi 0.05", "3", "2.343", 2.343701),
        ("Nemenyi 0.05", "7", "2.949", 2.948320),
        ("Nemenyi 0.10", "5", "2.459", 2.459516),
    ],
)
def test_m3_nemenyi_points(row: str, k: str, printed: str, correct: float) -> None:
    side_by_side("Demšar T5", row, k, printed, correct, 1e-6)


def test_m4_critical_difference_bonferroni_dunn() -> None:
    side_by_side("Demšar text", "3.2.2", "CD Bonferroni-Dunn 0.05", "1.16", 1.1681, 5e-5)
    distances = [record("Demšar text", "3.2.2", f"distance {a}").computed for a in ("C4.5+m+cf", "C4.5+m")]
    assert distances[0] > 1.1681 > distances[1]  # type: ignore[operator]  # the conclusion stands


def test_m5_z_and_p_in_the_table_of_section_322() -> None:
    side_by_side("Demšar text", "3.2.2", "z C4.5+m+cf", "2.416", 2.41535, 5e-6)
    side_by_side("Demšar text", "3.2.2", "p C4.5+cf", "0.607", 0.608408, 5e-7)


def test_m6_hommel_by_hand() -> None:
    p = [0.0157, 0.0192, 0.608]
    pairs = bo.compare(
        printed_ranks(), control="C4.5", posthoc="hommel", pairwise="mean-ranks", standard_error="papers"
    ).pairs
    adjusted = sorted(pair.adjusted["hommel"] for pair in pairs)
    np.testing.assert_allclose(adjusted, [0.0314, 0.0383, 0.608], atol=6e-4)
    assert sum(value <= 0.05 for value in adjusted) == 2
    assert p[0] <= 1 * 0.05 / 3  # j = 3 fails at i = 1, not 2
    assert p[1] <= 1 * 0.05 / 2  # and so does j = 2
    assert hommel_index(p, 0.05) == 1  # printed: 2


def test_m7_eleven_wins_of_fourteen() -> None:
    pair = published.scores("demsar_table6", "higher").select(["C4.5", "C4.5+m"])
    assert bo.sign_test(pair, "C4.5+m", "C4.5").pvalue == pytest.approx(0.0574, abs=5e-5)  # printed: p < 0.05
    assert bo.sign_test(pair, "C4.5+m", "C4.5", alternative="greater").pvalue == pytest.approx(0.0287, abs=5e-5)


def test_m8_ties_are_decided_on_decimals() -> None:
    scores = accuracies()
    aligned = scores.values - scores.values.mean(axis=1, keepdims=True)
    in_floats = doubled_tied_ranks(-aligned.ravel(), np.zeros(aligned.size)).reshape(aligned.shape) / 2
    assert (in_floats != bo.rank_aligned(scores)).sum() == 4
    thousandths = np.rint(scores.values * 1000).astype(int)
    exact = 4 * thousandths - thousandths.sum(axis=1, keepdims=True)  # whole numbers
    from_integers = doubled_tied_ranks(-exact.ravel().astype(float), np.zeros(exact.size)).reshape(exact.shape) / 2
    np.testing.assert_array_equal(bo.rank_aligned(scores), from_integers)


def test_m9_an_odd_zero_is_dropped_before_ranking() -> None:
    scores = bo.Scores([[0, 0], [0, 0], [0, 0], [3, 1], [1, 2], [5, 1]], better="higher")
    test = bo.wilcoxon(scores, 0, 1)
    assert test.r_plus + test.r_minus == 5 * 6 / 2
    assert (test.r_plus, test.r_minus) == (4 + 5 + 1.5, 3 + 1.5)


def test_m10_r_plus_belongs_to_the_first_algorithm() -> None:
    pair = published.scores("demsar_table6", "higher").select(["C4.5", "C4.5+m"])
    assert bo.wilcoxon(pair, "C4.5+m", "C4.5").r_plus == 93 == bo.wilcoxon(pair, "C4.5", "C4.5+m").r_minus
    assert critical_rank_sum(14, 0.05) == 21
    assert math.isclose(printed_columns("garcia_table7_aligned", "_rank").sum(), 96 * 97 / 2)


def test_g12_quade_does_not_have_the_lowest_p_of_fh_gbml() -> None:
    friedman, aligned, quade = (published.cells(f"garcia_table{table}_apv") for table in (9, 10, 11))
    for algorithm in ("IS-CHC+1NN", "NNEP"):
        ours, *others = (float(part["Unadjusted p", algorithm]) for part in (quade, friedman, aligned))
        assert ours < min(others)
    first = float(quade["Unadjusted p", "FH-GBML"]) / 10  # G5
    assert first > float(friedman["Unadjusted p", "FH-GBML"]) > 100 * float(aligned["Unadjusted p", "FH-GBML"])


def test_m11_replicability_of_evenly_split_decisions() -> None:
    for n in (4, 10, 1000):
        half = n // 2
        replicability = 2 * half * (half - 1) / (n * (n - 1))
        assert replicability == pytest.approx((n - 2) / (2 * (n - 1)), rel=1e-12)
        assert replicability < 0.5
