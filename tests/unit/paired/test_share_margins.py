"""Paired shares against a margin: exact against an enumeration, Tango's score beyond, never 0."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from scipy import stats

from bakeoff.paired.shares import EXACT, _exact, share_pvalues, tango, tango_score


def enumerated(wins: int, losses: int, n: int, delta: Fraction, lost: Fraction) -> Fraction:
    """P(a score at least as large) where the second alone solves ``lost`` of the problems, the first ``lost`` − δ."""
    seen, total = tango_score(wins, losses, n, -float(delta)), Fraction(0)
    for b, c in product(range(n + 1), repeat=2):
        if b + c <= n and tango_score(b, c, n, -float(delta)) >= seen - 1e-9:
            ways = math.comb(n, b) * math.comb(n - b, c)
            total += ways * (lost - delta) ** b * lost**c * (1 + delta - 2 * lost) ** (n - b - c)
    return total


@pytest.mark.few(3)
@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (1, 0), (0, 1), (3, 1), (2, 5), (9, 0), (0, 9)])
def test_it_is_the_largest_of_an_enumeration(wins: int, losses: int) -> None:
    n, delta = 9, Fraction(1, 10)
    shares = [delta + (1 - delta) / 2 * Fraction(i, 60) for i in range(61)]
    largest = max(enumerated(wins, losses, n, delta, lost) for lost in shares)
    p, log_p = share_pvalues([(wins, losses)], n, 0.1)[0]
    assert p == pytest.approx(float(largest), rel=2e-3)
    assert p >= float(largest) * (1 - 2e-3)
    assert log_p == pytest.approx(math.log(p))


@pytest.mark.parametrize(("n", "delta"), [(20, 0.05), (30, 0.1), (60, 0.05)])
def test_agreement_alone_is_what_a_binomial_says(n: int, delta: float) -> None:
    """Tango's own p of 20 agreements at 5 points is .15, where 36 % of such tables agree everywhere."""
    assert share_pvalues([(0, 0)], n, delta)[0][0] >= (1 - delta) ** n * (1 - 1e-9)


@pytest.mark.parametrize(("n", "delta"), [(20, 0.05), (40, 0.1)])
def test_the_size_is_kept(n: int, delta: float) -> None:
    table = _exact(n, delta)
    cells = [(b, c) for b in range(n + 1) for c in range(n + 1 - b) if table[b, c] <= 0.05]
    for lost in (delta, delta + 0.01, delta + 0.07, 0.3, (1 + delta) / 2):
        law = stats.multinomial(n, [lost - delta, lost, 1 + delta - 2 * lost])
        assert sum(law.pmf([b, c, n - b - c]) for b, c in cells) <= 0.05


def test_many_problems_are_tangos() -> None:
    n = EXACT + 1
    p = share_pvalues([(10, 9)], n, 0.05)[0][0]
    assert p == pytest.approx(stats.norm.sf(tango_score(10, 9, n, -0.05)))
    assert tango(10, 9, n, float(stats.norm.isf(p)))[0] == pytest.approx(-0.05)


@pytest.mark.slow
def test_p_is_never_0() -> None:
    assert share_pvalues([(200, 0)], 200, 0.999)[0][0] > 0.0


def test_without_a_level_every_difference_is_possible() -> None:
    assert tango(3, 1, 10, math.inf) == (-1.0, 1.0)
    assert tango(10, 0, 10, 1.96)[1] == 1.0
    assert tango(0, 10, 10, 1.96)[0] == -1.0


@pytest.mark.parametrize(
    ("wins", "losses", "score"), [(1, 1, 0.0), (1, 0, 1.0), (0, 1, -1.0), (9, 0, 3.0), (2, 6, -(2**0.5))]
)
def test_without_a_shift_the_score_is_mcnemars(wins: int, losses: int, score: float) -> None:
    assert tango_score(wins, losses, 12, 0.0) == pytest.approx(score, rel=1e-12)
