"""Misprinted formulas of the papers (F, R) and of the multiple sign test (S): printed and correct side by side.

The ids are those of docs/trust/errata.md, which names the test of each; the last tests check that it does.
"""

from __future__ import annotations

import csv
import math
import re
import subprocess
import sys
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.adjusting.step_up import critical_values
from oracles import all_tables, published
from oracles.derrac_posthoc_tables import adjusted_pvalues
from oracles.derrac_tables import CONTROL, critical_count, errors, four, is_slow
from oracles.garcia_tables import accuracies
from oracles.reproduction import expected_disagreements

ROOT = Path(__file__).parents[2]


def test_f1_iman_davenport_subtracts() -> None:
    chi2 = bo.friedman(accuracies(), ties="none").statistic
    ours = bo.iman_davenport(accuracies(), ties="none").statistic
    n, k = 24, 4
    assert ours == pytest.approx((n - 1) * chi2 / (n * (k - 1) - chi2), rel=1e-12)
    assert ours == pytest.approx(6.691, abs=5e-4)  # García, equation (4)
    assert (n - 1) * chi2 / (n * (k - 1) * chi2) == pytest.approx(23 / 72)  # as equation (2) is printed: no statistic


def test_f2_standard_error_of_aligned_ranks() -> None:
    n, k = four().values.shape
    pair = next(
        p for p in bo.compare(four(), CONTROL, pairwise="aligned", standard_error="papers").pairs if p.b == "CHC"
    )
    ranks = dict(zip(four().algorithms, bo.rank_aligned(four()).mean(axis=0), strict=True))
    gap = ranks["CHC"] - ranks[CONTROL]
    assert pair.statistic == pytest.approx(gap / math.sqrt(k * (k * n + 1) / 6), rel=1e-12)
    assert pair.statistic == pytest.approx(3.694997, abs=5e-7)  # Derrac, Table 14
    assert gap / math.sqrt(k * (n + 1) / 6) == pytest.approx(7.28, abs=0.01)  # as equation (13) is printed


def test_f2_in_garcia_table_10() -> None:
    gap = (1701.5 - 703.5) / 24  # totals of FH-GBML and PDFC, Table 7
    assert gap / math.sqrt(4 * (4 * 24 + 1) / 6) == pytest.approx(5.171, abs=1e-3)
    assert gap / math.sqrt(4 * (24 + 1) / 6) == pytest.approx(10.186, abs=1e-3)  # as equation (21) is printed


def test_f3_quade_has_no_factor_k() -> None:
    weights = np.argsort(np.argsort(errors().values.max(axis=1) - errors().values.min(axis=1))) + 1.0
    n, k = errors().values.shape
    s = (weights[:, None] * (bo.rank(errors()) - (k + 1) / 2)).sum(axis=0)
    a, b = n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72, math.fsum(s**2) / n
    assert bo.quade(errors(), ties="none").statistic == pytest.approx((n - 1) * b / (a - b), rel=1e-12)
    assert a - k * b < 0  # as equation (10) is printed F would be negative


def test_f4_ties_are_not_corrected_in_print() -> None:
    # R 4.x: t <- read.csv("garcia_table3_accuracy.csv", row.names = 1);
    # friedman.test(as.matrix(t)) gives 16.361, quade.test(as.matrix(t)) 11.767
    assert bo.friedman(accuracies(), ties="none").statistic == pytest.approx(16.225, abs=5e-4)
    assert bo.friedman(accuracies(), ties="corrected").statistic == pytest.approx(16.361, abs=5e-4)
    assert bo.quade(accuracies(), ties="none").statistic == pytest.approx(11.752, abs=5e-4)
    assert bo.quade(accuracies(), ties="corrected").statistic == pytest.approx(11.767, abs=5e-4)


def test_f5_holm_levels_grow() -> None:
    p, alpha = [0.010, 0.020, 0.030], 0.05
    assert (bo.adjust(p, "holm") <= alpha).tolist() == [True, True, True]
    assert [value <= alpha / 3 for value in p] == [True, False, False]  # α/(k−1) at every step, as printed


@pytest.mark.parametrize("method", ["holland", "finner"])
def test_f6_exponents_of_holland_and_finner(method: str) -> None:
    p, alpha, m = [0.020, 0.5, 0.9], 0.05, 3
    smallest = bo.adjust(p, method)[0]
    assert smallest == pytest.approx(1 - (1 - p[0]) ** m, rel=1e-12)
    assert smallest > alpha
    assert p[0] > 1 - (1 - alpha) ** (1 / m)  # the level this adjusted value is the inverse of
    assert p[0] < 1 - (1 - alpha) ** m  # as printed, H_1 would be rejected at p = 0.02, above α/m


def test_f7_contrasts_are_antisymmetric() -> None:
    result = bo.contrast_estimation(errors())
    np.testing.assert_array_equal(result.medians, -result.medians.T)
    upper = np.triu(result.medians)
    wrong = (upper + upper.T).mean(axis=1)  # Z_vu = Z_uv, as printed
    right = float(published.cells("derrac_table19_contrast")["PSO", "SaDE"])
    assert result.estimates[0, 8] == pytest.approx(right, abs=5e-4)
    assert abs(wrong[0] - wrong[8] - right) > 1


def rom_recursion(m: int, alpha: float, early: int = 0) -> list[float]:
    """c_1 … c_m; i·c_i = Σ_{j=1}^{i−1} α^j − Σ_{j=1}^{i−2} C(i,j)·c_{j+1}^{i−j}. ``early``: terms left out (R1)."""
    c = [0.0, alpha, alpha / 2]
    for i in range(3, m + 1):
        powers = sum(alpha**j for j in range(1, i - early))
        c.append((powers - sum(comb(i, j) * c[j + 1] ** (i - j) for j in range(1, i - 1 - early))) / i)
    return c[1 : m + 1]


def no_rejection(c: list[float]) -> float:
    """P(p_(i) > c_{m−i+1} for all i) for m independent uniform p: Bolshev's recursion, not Rom's formula."""
    f = [1.0]
    for m in range(1, len(c) + 1):
        f.append(1.0 - math.fsum(comb(m, j) * f[j] * c[j] ** (m - j) for j in range(m)))
    return f[-1]


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_f8_rom_binomial(alpha: float) -> None:
    ours = critical_values(np.array([alpha]), 10)[0]
    np.testing.assert_allclose(ours, rom_recursion(10, alpha), rtol=1e-12)
    for m in range(1, 11):
        assert no_rejection(ours[:m].tolist()) == pytest.approx(1 - alpha, abs=1e-13)


def test_f9_rom_levels() -> None:
    exact = [0.05, 0.025, 0.016875, 0.0127135, 0.0101930, 0.0085051, 0.0072964, 0.0063882, 0.0056810, 0.0051147]
    ours = critical_values(np.array([0.05]), 10)[0]
    np.testing.assert_allclose(ours, exact, atol=5.1e-8)
    assert ours[2] == pytest.approx(0.05 * (1 + 0.05 / 4) / 3, rel=1e-14)
    assert round(ours[2], 5) != 0.01690  # usually quoted
    assert bo.adjust([ours[7], *[1.0] * 7], "rom")[0] == pytest.approx(0.05, rel=1e-12)


def test_r1_printed_ratios_stop_one_term_early() -> None:
    printed = [1, 2, 3, 3.814, 4.755, 5.705, 6.655, 7.606]
    early = rom_recursion(8, 0.05, early=1)
    np.testing.assert_allclose([0.05 / c for c in early], printed, atol=5e-4)
    for i, ratio in enumerate(printed, 1):
        by_method = float(bo.adjust([1e-9] + [1.0] * (i - 1), "rom-printed")[0]) / 1e-9
        assert by_method == pytest.approx(ratio, abs=5e-4)
    assert no_rejection(early) < 0.95  # liberal even for independent tests
    assert no_rejection(rom_recursion(8, 0.05)) == pytest.approx(0.95, abs=1e-13)


@pytest.mark.parametrize(
    ("number", "exact"),  # solved from c_{m−j+1}(α) = p_(j) with mpmath at 30 digits
    [
        (16, [0.000050, 0.002322, 0.057567, 0.068999, 0.300328, 0.386025, 0.660706, 0.660706]),
        (17, [0.000635, 0.022879, 0.091764, 0.375487, 0.554385, 0.554385, 0.912638, 0.912638]),
        (18, [0.161348, 0.317815, 0.541166, 0.599802, 0.774654, 0.879765, 0.928037, 0.928037]),
    ],
)
def test_r2_rom_adjusted_values_solve_for_the_level(number: int, exact: list[float]) -> None:
    _, columns = adjusted_pvalues(number)
    np.testing.assert_allclose(sorted(columns["rom"].values()), exact, atol=5.1e-7)
    printed = published.column(f"derrac_table{number}_apv", "rom")
    assert sum(abs(columns["rom"][name] - float(cell)) > 5e-7 for name, cell in printed.items()) == 6
    for name, cell in printed.items():
        assert columns["rom-printed"][name] == pytest.approx(float(cell), abs=5e-7)


def test_r3_rom_is_step_up_without_a_running_maximum() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        m = int(rng.integers(2, 9))
        p = np.sort(rng.uniform(size=m) ** 2)
        alpha = float(rng.uniform(0.01, 0.5))
        c = rom_recursion(m, alpha)
        passed = [i for i in range(m) if p[i] <= c[m - 1 - i]]  # step-up: the largest i whose p is small enough
        assert (bo.adjust(p, "rom") <= alpha).sum() == (passed[-1] + 1 if passed else 0)


def test_s1_few_wins_against_the_control_reject() -> None:
    cost = bo.multiple_sign_test(errors(), CONTROL, law="table")
    gain = bo.multiple_sign_test(
        bo.Scores(-errors().values, errors().algorithms, better="higher"), CONTROL, law="table"
    )
    assert cost.counts.tolist() == gain.counts.tolist()
    assert cost.counts.tolist() == [
        int(x) for (row, _), x in published.cells("derrac_table5").items() if row == "losses"
    ]
    beaten = [name for name, r in zip(errors().algorithms, cost.rejected, strict=False) if r]
    assert beaten == ["PSO", "CHC"]  # Example 3, though step 4 as printed would reject for few *losses* of the control


def test_s2_the_table_is_one_sided_over_exchangeable_algorithms() -> None:
    places = published.cells("multiple_sign_critical")
    exact = published.cells("multiple_sign_exact")
    assert sum(places[key] == exact[key] for key in places) == 386
    assert sum(expected_disagreements().get(("Derrac A.21", *key)) == "S3" for key in places) == 30
    scores = bo.Scores([[0.0, 1.0, 2.0]] * 5, better="lower")  # n = 5, m = 2, both counts 0
    test = bo.multiple_sign_test(scores, 0, alpha=0.1)
    # P(min = 0) = 2·P(the control beats j everywhere) − P(it beats both everywhere)
    assert test.pvalues[0] == pytest.approx(2 * 0.5**5 - (1 / 3) ** 5, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("m", range(2, 10))
def test_s3_printed_points_are_never_too_large(m: int) -> None:
    printed, exact = published.cells("multiple_sign_critical"), published.cells("multiple_sign_exact")
    ours = {(r.row, r.column): r.computed for r in all_tables.table("Derrac A.21").records}
    for (row, column), cell in printed.items():
        if column != f"m={m}":
            continue
        allowed = exact[row, column]
        assert ours[row, column] == (int(allowed) if allowed else None), (row, column)
        difference = (int(allowed) if allowed else -1) - (int(cell) if cell else -1)
        assert difference in (0, 1), (row, column)


@pytest.mark.slow
def test_s3_recorded_points_are_what_we_compute() -> None:
    for (row, column), value in published.cells("multiple_sign_exact").items():
        if is_slow(row, column):
            assert critical_count(row, column, law="exact") == int(value), (row, column)


def test_s4_critical_value_of_example_3() -> None:
    table = bo.multiple_sign_test(errors(), CONTROL, alpha=0.05, law="table")
    exact = bo.multiple_sign_test(errors(), CONTROL, alpha=0.05, law="exact")
    assert (table.critical_value, exact.critical_value) == (5, 6)
    six = bo.Scores([[0.0, *[1.0] * 8]] * 19 + [[0.0, -1.0, *[1.0] * 7]] * 6, better="lower")
    assert bo.multiple_sign_test(six, 0).pvalues[0] == pytest.approx(0.049646, abs=5e-7)


def test_s5_sign_of_cleveland() -> None:
    cleveland = accuracies().select(problems=["Cleveland"])
    assert published.cells("garcia_table4_signs")["Cleveland", "NNEP"] == "-"
    assert bo.sign_test(cleveland, "NNEP", "PDFC").wins == 1  # 0.553 > 0.508
    test = bo.sign_test(accuracies(), "NNEP", "PDFC")
    assert (test.losses, test.wins, test.ties) == (15, 8, 1)  # printed 16, 7 and the tie


def test_s6_rejected_at_the_critical_value_itself() -> None:
    test = bo.multiple_sign_test(accuracies(), "PDFC", alpha=0.05, law="table")
    assert test.critical_value == 6
    assert test.counts.tolist() == [9, 6, 4]  # the tie counts for NNEP
    assert test.rejected.tolist() == [False, True, True]  # "less than 6" would not reject IS-CHC+1NN


def test_s7_ties_count_for_the_other_algorithm() -> None:
    test = bo.multiple_sign_test(accuracies(), "PDFC")
    assert test.wins.tolist() == [8, 6, 4]
    assert test.ties.tolist() == [1, 0, 0]
    assert test.counts.tolist() == [9, 6, 4]
    (caution,) = [caution for caution in test.cautions if caution.code == "ties"]
    assert caution.text.startswith("1 tie counts for")
    nothing = bo.Scores(np.ones((30, 3)), better="lower")
    assert not bo.multiple_sign_test(nothing, 0).rejected.any()


def documented() -> dict[str, str]:
    """{erratum: the test docs/trust/errata.md names}."""
    page = (ROOT / "docs" / "trust" / "errata.md").read_text(encoding="utf-8")
    entries = re.split(r"^### ", page, flags=re.MULTILINE)[1:]
    return {entry.split(".", 1)[0]: "\n".join(re.findall(r"`(test_\w+)`", entry)) for entry in entries}


def test_every_documented_erratum_has_its_test() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    defined = set(re.findall(r"^def (test_\w+)\(", sources, flags=re.MULTILINE))
    for erratum, tests in documented().items():
        assert tests, f"{erratum} names no test"
        assert set(tests.split()) <= defined, f"{erratum} names tests that do not exist: {tests}"


@pytest.mark.slow
def test_every_expected_disagreement_is_documented_and_real() -> None:
    places = {(r.table, r.row, r.column) for label in all_tables.labels() for r in all_tables.table(label).records}
    assert set(expected_disagreements()) <= places
    assert set(expected_disagreements().values()) <= set(documented())


@pytest.mark.slow
def test_reproduction_page_is_current() -> None:
    command = [sys.executable, ROOT / "docs" / "generate" / "reproduce.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_data_files_are_rectangular() -> None:
    for path in published.DATA.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            widths = {len(line) for line in csv.reader(file)}
        assert len(widths) == 1, path.name
    assert len(list(combinations(errors().algorithms, 2))) == len(published.rows("derrac_table20_apv"))
