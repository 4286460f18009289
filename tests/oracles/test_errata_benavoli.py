"""Misprints of Benavoli et al. (2015) and its supplement: printed and correct side by side (docs/trust/errata.md)."""

from __future__ import annotations

from math import gamma

import mpmath
import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes.dirichlet.shares import above_half
from oracles.benavoli_tables import MEAN_RANKS, WINS, N
from oracles.garcia_tables import accuracies
from oracles.published import cells


def votes(wins: int, ties: int, losses: int) -> bo.Scores:
    return bo.Scores([[0, 1]] * wins + [[1, 1]] * ties + [[1, 0]] * losses, ["a", "b"], better="lower")


def test_f10_sums_over_algorithms() -> None:
    ranks = bo.rank(accuracies())
    n, m = ranks.shape
    factor = 12 / (n * m * (m + 1))
    by_algorithm = factor * np.sum((ranks.sum(axis=0) - n * (m + 1) / 2) ** 2)
    assert bo.friedman(accuracies(), ties="none").statistic == pytest.approx(by_algorithm, rel=1e-12)
    assert by_algorithm == pytest.approx(16.225, abs=5e-4)  # García, section 4
    # over the n problems, as printed: their rank sums are m(m + 1)/2, whatever the scores
    assert factor * np.sum((ranks.sum(axis=1) - n * (m + 1) / 2) ** 2) == pytest.approx(factor * n * (10 - 60) ** 2)


def test_f10_z_takes_mean_ranks() -> None:
    sums = dict(zip(accuracies().algorithms, bo.rank(accuracies()).sum(axis=0), strict=True))
    n, m = accuracies().values.shape
    for pair in bo.compare(accuracies(), pairwise="mean-ranks", standard_error="papers").pairs:
        as_printed = (sums[pair.b] - sums[pair.a]) / np.sqrt(m * (m + 1) / (6 * n))
        assert pair.statistic == pytest.approx(as_printed / n, rel=1e-12)


def test_f11_covariance_of_a_mean() -> None:
    ranks = bo.rank(accuracies())
    n = len(ranks)
    found = bo.bayes.friedman(accuracies(), prior_strength=0).covariance
    assert found == pytest.approx(np.cov(ranks.T, ddof=0) / (n + 1), rel=1e-12)
    assert n * found == pytest.approx(np.cov(ranks.T), rel=0.1)  # "tends to" the sample covariance, as printed


@pytest.mark.slow
@pytest.mark.parametrize(("wins", "ties", "losses", "s"), [(3, 2, 2, 1.0), (2, 3, 4, 0.5)])
def test_f12_constants_of_the_proof(wins: int, ties: int, losses: int, s: float) -> None:
    n = wins + ties + losses
    k1 = gamma(n + s) / (gamma(s + ties) * gamma(wins) * gamma(losses))
    k2 = gamma(n - ties) * gamma(s + ties) / gamma(s + n)
    k3 = gamma(wins) * gamma(losses)
    assert k1 * k2 * k3 / gamma(n - ties) == pytest.approx(1, rel=1e-12)
    assert k1 * k2 * k3 / gamma(n) < 0.1  # as printed

    def inner(t: mpmath.mpf, end: mpmath.mpf) -> mpmath.mpf:
        part = mpmath.quad(lambda g: g ** (wins - 1) * (1 - t - g) ** (losses - 1), [(1 - t) / 2, end])
        return t ** (s + ties - 1) * part

    ours = bo.bayes.sign_test(votes(wins, ties, losses), "a", "b", s).p_better
    assert float(k1 * mpmath.quad(lambda t: inner(t, 1 - t), [0, 1])) == pytest.approx(ours, rel=1e-9)
    assert abs(float(k1 * mpmath.quad(lambda t: inner(t, mpmath.mpf(1)), [0, 1])) - ours) > 0.1  # as printed


def test_f12_where_the_theorem_divides_by_nothing() -> None:
    found = [bo.bayes.sign_test(votes(*counts), "a", "b").p_better for counts in ((4, 1, 0), (0, 1, 4), (0, 3, 0))]
    assert found == [1.0, 0.0, 0.5]


def test_b1_the_p_value_is_the_larger() -> None:
    printed = cells("benavoli_table1")
    for row in WINS:  # the text says always lower
        assert float(printed[row, "p_sign"]) > float(printed[row, "one_minus_p"])


def test_b2_friedman_p_of_example_1() -> None:
    q = 12 * N / 20 * sum((r - 2.5) ** 2 for r in MEAN_RANKS)
    assert q == pytest.approx(40.32)
    assert float(mpmath.gammainc(1.5, q / 2, mpmath.inf, regularized=True)) == pytest.approx(9.1e-9, rel=5e-3)


def test_b3_mean_ranks_belong_to_other_data() -> None:
    """The rank sum of X_i is 30 + how often X_i exceeds another (14); 20, 20 and 15 leave its wins against X1."""
    total = [round(N * r) - N for r in MEAN_RANKS]
    against_first = [
        total[1] - (N - WINS["X2<X3"]) - (N - WINS["X2<X4"]),
        total[2] - WINS["X2<X3"] - (N - WINS["X3<X4"]),
        total[3] - WINS["X2<X4"] - WINS["X3<X4"],
    ]
    assert against_first == [25, 22, 34]  # X4 exceeds X1 on 34 problems of 30


def test_b4_table_1_is_one_sided() -> None:
    assert bo.sign_test(votes(20, 0, 10), "a", "b", alternative="greater").pvalue == pytest.approx(0.0494, abs=5e-5)
    assert bo.sign_test(votes(20, 0, 10), "a", "b").pvalue == pytest.approx(0.0987, abs=5e-5)
    assert above_half(10, 20) == pytest.approx(0.0307, abs=5e-5)


def test_b5_two_hundred_candidates_cost_more_than_half() -> None:
    candidates, most, printed = 200, 300, 0.50
    assert candidates / most > printed  # each must be assessed once before any can be dropped


def test_b6_direction_of_ranks() -> None:
    scores = bo.Scores([[0.9, 0.7, 0.8]], better="higher")
    row = scores.values[0]
    as_printed = (row[:, None] > row[None, :]).sum(axis=1) + 1  # equation (14): m for the best
    assert bo.rank(scores)[0].tolist() == (4 - as_printed).tolist() == [1, 3, 2]


def test_b7_joint_statements_are_among_the_uncorrected_ones() -> None:
    rng = np.random.default_rng(7)
    joint, uncorrected = 0, 0
    for _ in range(12):
        table = bo.Scores(rng.normal(size=(30, 5)) + 0.2 * np.arange(5), better="lower")
        found = bo.bayes.compare(table, prior="flat", gamma=0.05, rng=rng)
        marginal = {(s.better, s.worse) for s in found.statements if s.probability > 0.95}
        assert {(s.better, s.worse) for s in found.statements if s.accepted} <= marginal
        joint += sum(s.accepted for s in found.statements)
        uncorrected += len(marginal)
    assert 0 < joint < uncorrected  # fewer statements, true ones among them: more Type II errors, not fewer
