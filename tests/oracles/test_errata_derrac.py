"""Errata of Derrac et al. (2011), D1 to D15: printed and correct side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.adjusting.shaffer import most_true
from bakeoff.nulls.tails import chi2_sf, f_sf
from oracles import all_tables, published
from oracles.demsar_tables import critical_wins
from oracles.derrac_posthoc_tables import pairwise_pvalues, rank_sums
from oracles.derrac_tables import CONTROL, errors, errors_with_tie, quade_from_printed_ranks, toy

RESTORED = ["F13 CHC", "F13 SSGA", "F13 SS-BLX", "F13 SS-Arit", "F13 DE-Exp", "F13 SaDE", "F1 SS-BLX"]


def test_d1_seven_exponents_are_missing() -> None:
    printed = published.scores("derrac_table1_errors", "lower")
    ratio = printed.values / np.where(errors().values == 0, 1, errors().values)
    changed = np.argwhere(printed.values != errors().values).tolist()
    assert {f"{printed.problems[i]} {printed.algorithms[j]}" for i, j in changed} == set(RESTORED)
    assert [ratio[i, j] for i, j in changed] == pytest.approx([100.0] * 7)  # 10 for 10^-1
    test = bo.friedman(printed, ties="none")
    assert test.mean_ranks.tolist() == [6.76, 4.60, 6.36, 5.64, 4.84, 5.48, 3.76, 3.56, 4.00]
    assert test.statistic == pytest.approx(34.613, abs=5e-4)
    table = np.array(
        [
            [float(published.cells("derrac_table19_contrast")[a, b]) for b in printed.algorithms]
            for a in printed.algorithms
        ]
    )
    assert abs(bo.contrast_estimation(printed).estimates - table).max() == pytest.approx(15.7, abs=0.05)
    assert abs(bo.contrast_estimation(errors()).estimates - table).max() < 5e-4  # Table 19


def test_d2_table_11_follows_from_a_tie_on_f1() -> None:
    ours, tied = bo.friedman(errors(), ties="none"), bo.friedman(errors_with_tie(), ties="none")
    names = errors().algorithms
    printed = published.column("derrac_table11", "friedman")
    for name, correct in (("DE-Exp", 3.44), ("SaDE", 3.88), ("SSGA", 5.52)):
        assert ours.mean_ranks[names.index(name)] == pytest.approx(correct, abs=1e-12)
        assert float(printed[name]) != correct
        assert tied.mean_ranks[names.index(name)] == pytest.approx(float(printed[name]), abs=1e-12)
    assert ours.statistic == pytest.approx(36.373, abs=5e-4)
    assert tied.statistic == pytest.approx(35.99733, abs=5e-6)
    assert bo.iman_davenport(errors(), ties="none").statistic == pytest.approx(5.3351, abs=5e-5)
    assert bo.iman_davenport(errors_with_tie(), ties="none").statistic == pytest.approx(5.267817, abs=5e-7)
    # Tables 5 and 6 need the untied value
    assert bo.wilcoxon(errors(), CONTROL, "DE-Exp").r_plus == 119
    assert bo.sign_test(errors(), CONTROL, "DE-Exp").losses == 16


def test_d3_average_rank_of_c() -> None:
    printed = float(published.cells("derrac_table8_toy")["Average", "C"])
    ours = bo.friedman(toy(), ties="none").mean_ranks[2]
    assert (printed, ours) == (1.25, 1.75)


def test_d4_wilcoxon_p_values_are_exact() -> None:
    # R 4.x: 2*psignrank(c(64, 86, 38, 65, 93, 82), 25)
    exact = [0.00672555, 0.03933871, 0.00037640, 0.00737095, 0.06262642, 0.02957845]
    normal = [0.00804, 0.03955, 0.00081, 0.00871, 0.06148, 0.03031]
    for name, p, z in zip(["PSO", "IPOP-CMA-ES", "CHC", "SSGA", "SS-BLX", "SS-Arit"], exact, normal, strict=True):
        assert bo.wilcoxon(errors(), CONTROL, name).pvalue == pytest.approx(p, abs=5e-9)
        assert bo.wilcoxon(errors(), CONTROL, name, method="normal").pvalue == pytest.approx(z, abs=5e-6)
        assert abs(float(published.cells("derrac_table6")[name, "p"]) - z) > 5e-6


def test_d5_aligned_ranks_of_table_11() -> None:
    ours = bo.aligned_friedman(errors_with_tie(), ties="none").mean_ranks
    expected = [138.88, 116.00, 157.16, 129.26, 108.08, 107.96, 88.36, 84.74, 86.56]
    np.testing.assert_allclose(ours, expected, atol=1e-9)
    printed = [float(published.column("derrac_table11", "aligned")[name]) for name in errors().algorithms]
    assert sum(abs(np.array(printed) - ours) < 0.005) == 1
    assert max(abs(np.array(printed) - ours)) < 0.25


def test_d6_aligned_statistic_is_impossible() -> None:
    n, k = 25, 9
    totals = [total / 2 for total in rank_sums(17).values()]
    assert sum(totals) == k * n * (k * n + 1) / 2
    numerator = (k - 1) * (math.fsum(t * t for t in totals) - k * n**2 / 4 * (k * n + 1) ** 2)
    # the denominator is largest when every problem has the same rank total (Cauchy–Schwarz)
    largest = k * n * (k * n + 1) * (2 * k * n + 1) / 6 - n * (k * (k * n + 1) / 2) ** 2 / k
    assert numerator / largest == pytest.approx(26.656, abs=5e-4)
    assert float(published.column("derrac_table11", "aligned")["Statistic"]) == 21.31479
    assert bo.aligned_friedman(errors(), ties="none").statistic == pytest.approx(33.65, abs=0.05)
    assert chi2_sf(21.31479, 8)[0] == pytest.approx(
        0.006357, abs=5e-7
    )  # the printed p belongs to the printed statistic


def test_d7_quade_in_table_11() -> None:
    ours = bo.quade(errors_with_tie(), ties="none")
    printed = published.column("derrac_table11", "quade")
    differ = [
        name
        for name, t in zip(errors().algorithms, ours.mean_ranks, strict=True)
        if abs(t - float(printed[name])) > 5e-5
    ]
    assert differ == ["DE-Exp", "SaDE"]
    assert ours.mean_ranks[-2:].tolist() == pytest.approx([3.0769, 3.3077], abs=5e-5)
    assert ours.statistic == pytest.approx(6.63756, abs=5e-6)
    f = quade_from_printed_ranks()
    assert f == pytest.approx(6.63067, abs=5e-6)  # from the weighted rank sums that the printed T_j determine
    assert f_sf(f, 8, 192)[0] == pytest.approx(1.20327e-7, abs=5e-13)


def test_d8_losses_of_table_5_contradict_table_11() -> None:
    losses = sum(int(x) for (row, _), x in published.cells("derrac_table5").items() if row == "losses")
    assert (25 + losses) / 25 == 3.88 == bo.friedman(errors(), ties="none").mean_ranks[8]
    assert float(published.column("derrac_table11", "friedman")["SaDE"]) == 3.84


def test_d9_sign_test_points_are_one_tailed() -> None:
    two: dict[float, list[int | None]] = {
        0.05: [None, 6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 17, 18, 18],
        0.10: [5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 16, 17, 18],
    }
    wrong: dict[float, dict[int, tuple[int, int]]] = {
        0.05: {23: (17, 16), 24: (18, 17)},
        0.10: {},
    }  # n: (printed, one-tailed)
    for alpha, row in two.items():
        for n, wins in zip(range(5, 26), row, strict=True):
            assert critical_wins(n, alpha, "two-sided") == wins, (n, alpha)
            printed = int(published.cells("sign_critical_wins")[f"{alpha:.2f}", str(n)])
            one = critical_wins(n, alpha, "greater")
            assert (printed, one) == wrong[alpha].get(n, (one, one)), (n, alpha)
    assert bo.sign_test(errors(), CONTROL, "SSGA").pvalue == pytest.approx(0.0433, abs=5e-5)
    assert bo.sign_test(errors(), CONTROL, "SS-Arit").pvalue == pytest.approx(0.1078, abs=5e-5)


@pytest.mark.slow
def test_d10_bergmann_hommel_is_printed_with_a_running_maximum() -> None:
    names = errors().algorithms
    p, positions = pairwise_pvalues()
    raw = bo.adjust_pairwise(p, "bergmann-hommel", positions=positions)
    monotone = bo.adjust_pairwise(p, "bergmann-hommel", positions=positions, monotone=True)
    np.testing.assert_allclose(raw, bo.adjust_pairwise(p, "bergmann-hommel"), rtol=1e-12)  # without positions
    cases = [
        ("CHC", "SS-BLX", 0.513744, 0.445123),
        ("SS-Arit", "SaDE", 0.621874, 0.572190),
        ("SS-Arit", "DE-Bin", 0.756271, 0.633690),
    ]
    for a, b, printed, correct in cases:
        u, v = names.index(a), names.index(b)
        assert raw[u, v] == pytest.approx(correct, abs=5e-7)
        assert monotone[u, v] == pytest.approx(printed, abs=5e-7)


def test_d10_ties_in_p_share_the_maximum() -> None:
    """#15 and #16 have the same p; in print the first keeps its own value, so the order of the list decided."""
    names = errors().algorithms
    p, positions = pairwise_pvalues()
    fifteen, sixteen = (names.index("SSGA"), names.index("DE-Bin")), (names.index("PSO"), names.index("SSGA"))
    assert p[fifteen] == p[sixteen]
    raw = bo.adjust_pairwise(p, "bergmann-hommel", positions=positions)
    monotone = bo.adjust_pairwise(p, "bergmann-hommel", positions=positions, monotone=True)
    assert raw[fifteen] == pytest.approx(0.633690, abs=5e-7)
    assert raw[sixteen] == monotone[sixteen] == monotone[fifteen] == pytest.approx(0.686498, abs=5e-7)


def test_d11_shaffer_numbers_for_nine_algorithms() -> None:
    t = [36, *[28] * 8, *[22] * 6, 21, *[18] * 3, 16, 16, 15, 13, 13, *range(12, 0, -1)]
    assert most_true(9).tolist() == t
    names = errors().algorithms
    p, _ = pairwise_pvalues()
    adjusted = bo.adjust_pairwise(p, "shaffer")
    u, v = names.index("CHC"), names.index("DE-Exp")
    assert adjusted[u, v] == pytest.approx(28 * p[u, v], rel=1e-12)  # the fourth smallest


def closed_simes(p: Sequence[float]) -> list[float]:
    """Reject H_i at level a when every intersection with i is rejected by Simes: adjusted p by enumeration."""
    adjusted = list(p)
    for size in range(1, len(p) + 1):
        for subset in combinations(range(len(p)), size):
            ordered = sorted(p[i] for i in subset)
            simes = min(size * value / rank for rank, value in enumerate(ordered, 1))
            for i in subset:
                adjusted[i] = max(adjusted[i], min(1.0, simes))
    return adjusted


def figure_1(p: Sequence[float]) -> list[float]:
    """Derrac's Fig. 1 line by line, for p in increasing order and m = k − 1 hypotheses."""
    m, adjusted = len(p), list(p)
    for j in range(m, 1, -1):
        smallest = min(j * p[i - 1] / (j + i - m) for i in range(m - j + 1, m + 1))
        for i in range(m - j + 1, m + 1):
            adjusted[i - 1] = max(adjusted[i - 1], smallest)
        for i in range(1, m - j + 1):
            adjusted[i - 1] = max(adjusted[i - 1], min(smallest, j * p[i - 1]))
    return adjusted


def test_d12_hommel_is_closed_simes_testing() -> None:
    rng = np.random.default_rng(12)
    for _ in range(40):
        p = np.sort(np.round(rng.uniform(size=int(rng.integers(1, 8))) ** 2, 2))
        np.testing.assert_allclose(bo.adjust(p, "hommel"), closed_simes(p.tolist()), rtol=1e-12)
        np.testing.assert_allclose(figure_1(p.tolist()), closed_simes(p.tolist()), rtol=1e-12)


def test_d13_holm_in_table_20_row_13() -> None:
    names = errors().algorithms
    p, _ = pairwise_pvalues()
    u, v = names.index("PSO"), names.index("SS-Arit")
    assert (p < p[u, v]).sum() // 2 == 12  # thirteenth of 36: (36 − 13 + 1)·p
    assert bo.adjust_pairwise(p, "holm")[u, v] == pytest.approx(24 * p[u, v], rel=1e-12)
    assert 24 * p[u, v] == pytest.approx(0.932810, abs=5e-7)
    assert published.cells("derrac_table20_apv")["13", "holm"] == "1.0"


def test_d14_last_digit_of_ss_blx_in_table_6() -> None:
    assert published.cells("derrac_table6")["SS-BLX", "p"] == "0.06262"
    # R 4.x: 2*psignrank(93, 25)
    assert bo.wilcoxon(errors(), CONTROL, "SS-BLX").pvalue == pytest.approx(0.0626264, abs=5e-8)


def test_d15_family_wise_error_of_eight_tests() -> None:
    assert published.text("derrac")["Example 6", "family-wise error of 8 tests"] == "0.33"
    assert f"{1 - (1 - 0.05) ** 8:.2f}" == "0.34"


def test_table_18_needs_no_unprinted_digits() -> None:
    """Quade's printed mean ranks determine the weighted rank sums, which are halves; then Table 18 is exact."""
    assert all(r.agrees for r in all_tables.table("Derrac T18").records if r.column != "rom")
    printed = published.column("derrac_table11", "quade", skip=("Statistic", "p-value"))
    for name, total in rank_sums(18).items():
        assert f"{total / 650:.4f}".rstrip("0") == printed[name].rstrip("0")
