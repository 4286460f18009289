"""The Bayesian sign test and signed-rank test beside printed numbers, R and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes.dirichlet.shares import above_half, beta_interval, heaviside_interval, largest_shares
from heaviside import heaviside_cdf
from oracles.published import cells, rows


def votes(wins: int, ties: int, losses: int) -> bo.Scores:
    """a wins, ties and loses so often."""
    return bo.Scores([[0, 1]] * wins + [[1, 1]] * ties + [[1, 0]] * losses, ["a", "b"], better="lower")


# --- Benavoli et al. (2015), Table 1 ------------------------------------------------------------------------------

# The wins of 30 behind the printed probabilities: .0494 = P(Bin(30, ½) ≥ 20), .0307 = I_½(20, 10), .5 = I_½(15, 15).
# The mean ranks printed beside the table contradict it (they would need 25, 22 and 34 wins of 30 for X1), and the
# joint column needs the matrix of ranks, which is not in print. The first three rows print 0.0000: 26 wins or more.
WINS = {"X2<X3": 20, "X2<X4": 20, "X3<X4": 15}


@pytest.mark.parametrize("statement", WINS)
def test_table_1_one_sided(statement: str) -> None:
    printed = cells("benavoli_table1")
    wins = WINS[statement]
    posterior = bo.bayes.sign_test(votes(wins, 0, 30 - wins), "a", "b")
    classical = bo.sign_test(votes(wins, 0, 30 - wins), "a", "b", alternative="greater")
    assert abs(posterior.p_worse - float(printed[statement, "one_minus_p"])) <= 0.5e-4
    assert abs(classical.pvalue - float(printed[statement, "p_sign"])) <= 0.5e-4
    # the text says that the p-value is always lower; the table shows that it is always higher
    assert classical.pvalue > posterior.p_worse


def test_table_1_rows_that_print_zero() -> None:
    printed = cells("benavoli_table1")
    assert {printed[row, "one_minus_p"] for row in rows("benavoli_table1")[:3]} == {"0.0000"}
    assert above_half(5, 25) >= 0.5e-4 > above_half(4, 26)
    assert bo.sign_test(votes(26, 0, 4), "a", "b", alternative="greater").pvalue < 0.5e-4


def test_table_1_joint_column_keeps_the_union_bound() -> None:
    """0.0595 ≤ 2 · 0.0307: all that can be checked without the matrix."""
    printed = cells("benavoli_table1")
    assert rows("benavoli_table1")[4] == "X2<X4"
    assert float(printed["X2<X4", "one_minus_joint"]) <= 2 * above_half(10, 20)


@pytest.mark.parametrize("wins", range(16, 30))
def test_the_p_value_is_higher_than_the_posterior(wins: int) -> None:
    """P(Bin(n, ½) ≥ w) − I_½(w, n − w) = P(Bin(n, ½) ≥ w) − P(Bin(n − 1, ½) ≥ w): always."""
    p = bo.sign_test(votes(wins, 0, 30 - wins), "a", "b", alternative="greater").pvalue
    assert p > bo.bayes.sign_test(votes(wins, 0, 30 - wins), "a", "b").p_worse


# --- Theorem 2 ----------------------------------------------------------------------------------------------------

# R 4.2.2: pbeta(.5, g, l) and qbeta(c(.025, .975), g, l)
FROM_R = [
    (20, 10, 0.030714172869920703, 0.49167664619000984, 0.82061635076488815),
    (15, 15, 0.5, 0.32531499636145633, 0.67468500363854367),
    (1, 1, 0.5, 0.025000000000000001, 0.97499999999999998),
    (25, 3, 2.8237700462341351e-06, 0.75710165315437283, 0.97647254561914598),
    (40, 2, 1.9099388737231548e-11, 0.87144597961585368, 0.99403688175895721),
    (300, 200, 3.5434802643925456e-06, 0.55674270196626308, 0.64249950754623675),
]


@pytest.mark.parametrize(("wins", "losses", "p_worse", "low", "high"), FROM_R)
def test_theorem_2_and_beta_quantiles_from_r(wins: int, losses: int, p_worse: float, low: float, high: float) -> None:
    result = bo.bayes.sign_test(votes(wins, 0, losses), "a", "b", prior_strength=0)
    assert result.p_worse == pytest.approx(p_worse, rel=1e-12)
    assert result.p_better == pytest.approx(1 - p_worse, rel=1e-12)
    assert result.p_equivalent == 0
    # no ties and s = 0: θ_g itself is Beta(g, l)
    assert result.interval == pytest.approx((low, high), rel=1e-10)
    assert result.interval_decided == pytest.approx((low, high), rel=1e-12)


def test_a_tail_of_a_thousand_wins_is_not_lost() -> None:
    """I_½(1000, 1) = P(Bin(1000, ½) ≥ 1000) = 2^−1000, I_½(1000, 2) = P(Bin(1001, ½) ≥ 1000) = 1002·2^−1001."""
    assert above_half(1, 1000) == pytest.approx(2.0**-1000, rel=1e-12)
    assert above_half(2, 1000) == pytest.approx(1002 * 2.0**-1001, rel=1e-12)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [((5, 0, 0), (1, 0, 0)), ((0, 3, 2), (0, 0, 1)), ((0, 4, 0), (0.5, 0, 0.5)), ((1, 9, 0), (1, 0, 0))],
)
def test_degenerate_cases_of_theorem_2(counts: tuple[int, int, int], expected: tuple[float, float, float]) -> None:
    """What the paper leaves open: no wins 0, no losses 1, neither: E[H] = 1/2 almost surely."""
    result = bo.bayes.sign_test(votes(*counts), "a", "b")
    assert (result.p_better, result.p_equivalent, result.p_worse) == expected
    assert [c.code for c in result.cautions] == ["nothing-differs" if counts[1] == 4 else "certainty"]


# --- the largest share --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((1, 1, 1), (1 / 3, 1 / 3, 1 / 3)),
        # two independent exponentials beside the constant 0
        ((1, 1, 0), (1 / 2, 1 / 2, 0)),
        ((3, 0, 0), (1, 0, 0)),
        # G(2) largest of G(2), G(1), G(1): ∫ x e^−x (1 − e^−x)² dx = 1 − 2/4 + 1/9; the others by symmetry
        ((2, 1, 1), (11 / 18, 7 / 36, 7 / 36)),
        # G(1) largest of G(1), G(2), G(2): ∫ e^−x (1 − (1 + x)e^−x)² dx = 1 − 2(1/2 + 1/4) + (1/3 + 2/9 + 2/27)
        ((1, 2, 2), (7 / 54, 47 / 108, 47 / 108)),
    ],
)
def test_largest_share_in_closed_form(counts: tuple[int, int, int], expected: tuple[float, float, float]) -> None:
    assert largest_shares(*map(float, counts)) == pytest.approx(expected, rel=1e-12)


def test_largest_share_of_a_hundred_thousand_problems() -> None:
    """Equal counts: 1/3 each; and two equal ones far above the third: 1/2."""
    assert largest_shares(1e5, 1e5, 1e5) == pytest.approx((1 / 3, 1 / 3, 1 / 3), rel=1e-12)
    assert largest_shares(5e4, 1.0, 5e4) == pytest.approx((0.5, 0, 0.5), rel=1e-12, abs=1e-300)


# --- the interval of E[H] -----------------------------------------------------------------------------------------


def test_interval_where_one_share_is_missing() -> None:
    """No wins: θ_t/2 with θ_t ~ Beta(t, l); by R 4.2.2: qbeta(c(.025, .975), 3, 4)/2 =
    0.0590586243785, 0.3886109522482."""
    low, high = heaviside_interval(0, 3, 4, 0.05)
    assert (low, high) == pytest.approx((0.0590586243785, 0.3886109522482), rel=1e-11)
    assert heaviside_interval(4, 3, 0, 0.05) == pytest.approx((1 - high, 1 - low), abs=1e-14)
    assert heaviside_interval(0, 3, 0, 0.05) == (0.5, 0.5)
    assert heaviside_interval(2.0, 1.0, 2.0, 1.0) == (0.5, 0.5)  # the median of a symmetric distribution
    assert heaviside_interval(0, 0, 3, 0.05) == (0, 0)
    assert heaviside_interval(3, 0, 0, 0.05) == (1, 1)
    assert beta_interval(0, 3, 0.05) == (0, 0)
    assert beta_interval(3, 0, 0.05) == (1, 1)


def test_law_without_ties_is_a_beta_law() -> None:
    """Of Beta(2, 3): 6x² − 8x³ + 3x⁴."""
    for x in (0.1, 0.5, 0.8):
        assert heaviside_cdf(x, 2, 0, 3) == pytest.approx(6 * x**2 - 8 * x**3 + 3 * x**4, rel=1e-12)


def test_law_of_one_win_one_tie_one_loss() -> None:
    """Dirichlet(1, 1, 1) is uniform on the triangle: P(θ_g + θ_t/2 ≤ x) = 2x² up to 1/2; its 2.5 % point is √0.0125."""
    for x in (0.01, 0.2, 0.45, 0.5):
        assert heaviside_cdf(x, 1, 1, 1) == pytest.approx(2 * x * x, rel=1e-12)
        assert heaviside_cdf(1 - x, 1, 1, 1) == pytest.approx(1 - 2 * x * x, rel=1e-12)
    point = math.sqrt(0.0125)
    assert heaviside_interval(1, 1, 1, 0.05) == pytest.approx((point, 1 - point), rel=1e-12)


@pytest.mark.parametrize("wins", [100.0, 1e4, 1e6])
def test_of_many_wins_and_losses_with_hardly_a_tie_the_share_above_half_is_the_largest(wins: float) -> None:
    losses = wins - math.sqrt(wins)
    found = largest_shares(wins, 1e-3 * math.sqrt(wins), losses)
    assert found == pytest.approx((above_half(wins, losses), 0.0, above_half(losses, wins)), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("wins", [0.5, 5.0])
def test_a_tail_below_every_number_is_zero(wins: float) -> None:
    """θ_t/2 ≤ .01 alone has the probability I_.02(5000, 5 + wins) < 1e-8000."""
    assert heaviside_cdf(0.01, wins, 5000.0, 5.0) == 0.0
    assert heaviside_cdf(0.99, 5.0, 5000.0, wins) == 1.0


# --- signed ranks -------------------------------------------------------------------------------------------------


def signed(differences: list[float]) -> bo.Scores:
    return bo.Scores([[d, 0.0] for d in differences], ["a", "b"], better="higher")


@pytest.mark.parametrize("n", [2, 3, 6])
def test_one_large_loss_against_small_wins(n: int) -> None:
    """s = 0 and only the largest difference is negative: the worse share is 1 − (1 − w)², w ~ Beta(1, n − 1),

    so that P(better) = P(1 − w > 1/√2) = 1 − 2^(−(n − 1)/2).
    """
    result = bo.bayes.signed_rank(signed([*range(1, n), -n]), "a", "b", prior_strength=0, n_draws=100_000, rng=n)
    exact = 1 - 2 ** (-(n - 1) / 2)
    assert abs(result.p_better - exact) <= 4 * result.standard_error
    assert result.mean_shares[0] == pytest.approx((n - 1) / (n + 1), rel=1e-12)  # E(1 − w)² = (n − 1)n/(n(n + 1))


def test_rope_of_two_problems() -> None:
    """z = 0 and 3, rope 1, s = 0, w uniform: only (0 + 0)/2 is within, so that P(equivalent) = P(w² > ½)."""
    result = bo.bayes.signed_rank(signed([0, 3]), "a", "b", prior_strength=0, rope=1, n_draws=100_000, rng=1)
    assert abs(result.p_equivalent - (1 - math.sqrt(0.5))) <= 4 * result.standard_error
    assert result.p_worse == 0
    assert result.mean_shares == pytest.approx((2 / 3, 1 / 3, 0), rel=1e-12)


def test_edges_of_the_rope_are_within_on_decimals() -> None:
    """0.83 − 0.82 is 0.01 though not in binary; so is (0.03 − 0.01)/2."""
    scores = bo.Scores([[0.83, 0.82], [0.45, 0.46], [0.3, 0.3]], ["a", "b"], better="higher")
    assert bo.bayes.sign_test(scores, "a", "b", rope=0.01).ties == 3
    assert bo.bayes.signed_rank(scores, "a", "b", rope=0.01).p_equivalent == 1
    scores = bo.Scores([[0.73, 0.70], [0.60, 0.61]], ["a", "b"], better="higher")
    mean = bo.bayes.signed_rank(scores, "a", "b", prior_strength=0, rope=0.01).mean_shares
    assert mean == pytest.approx((1 / 3, 2 / 3, 0), rel=1e-12)  # 0.03 above; (0.03 − 0.01)/2 and −0.01 on the edge


def test_infinite_scores() -> None:
    inf = np.inf
    scores = bo.Scores([[1, inf], [inf, inf], [inf, 2], [-inf, 0], [1.0, 1.05]], ["a", "b"], better="lower")
    result = bo.bayes.sign_test(scores, "a", "b", rope=0.1)
    assert (result.wins, result.ties, result.losses) == (2, 2, 1)
    result = bo.bayes.sign_test(scores, "a", "b")
    assert (result.wins, result.ties, result.losses) == (3, 1, 1)
    with pytest.raises(bo.BakeoffError, match="infinite"):
        bo.bayes.signed_rank(scores, "a", "b")


def test_the_law_without_wins_is_that_of_half_the_ties() -> None:
    """θ_t/2 with θ_t ~ Beta(ties, losses): of one loss (2x)^ties, of none the point 1/2."""
    assert heaviside_cdf(0.2, 0, 2, 1) == pytest.approx(0.4**2, rel=1e-12)
    assert heaviside_cdf(0.2, 0, 1, 0.5) == pytest.approx(1 - 0.6**0.5, rel=1e-12)
    assert heaviside_cdf(0.8, 1, 2, 0) == pytest.approx(1 - 0.4**2, rel=1e-12)
    assert [heaviside_cdf(x, 0, 3, 0) for x in (0.4, 0.5)] == [0.0, 1.0]
