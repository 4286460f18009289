"""P(Σ a_i Γ_i > 0): against the incomplete beta function, partial fractions in mpmath, and symmetry."""

import mpmath
import numpy as np
import pytest
from scipy.special import betainc

from bakeoff.wings.bayes.dirichlet.gamma_sums import positive_probability


@pytest.mark.parametrize(("wins", "losses"), [(1, 1), (3, 1), (20, 10), (1, 30), (200, 100), (5, 100), (30, 300)])
def test_with_all_weights_alike_it_is_theorem_2(wins: int, losses: int) -> None:
    found = positive_probability(np.array([[1.0] * wins + [-1.0] * losses]))[0]
    assert found == pytest.approx(float(betainc(losses, wins, 0.5)), rel=1e-8, abs=0)


def test_shapes_are_numbers_of_equal_weights() -> None:
    many = positive_probability(np.array([[0.7] * 5 + [-0.4] * 8 + [0.1]]))[0]
    few = positive_probability(np.array([[0.7, -0.4, 0.1]]), [5.0, 8.0, 1.0])[0]
    assert few == pytest.approx(many, abs=1e-13)


def test_different_weights_by_partial_fractions() -> None:
    """P = Σ over a_i > 0 of Π_{j≠i} a_i/(a_i − a_j): hypoexponential tails at 0, in 50 digits."""
    rng = np.random.default_rng(1)
    with mpmath.workdps(50):
        for v in (2, 3, 7, 12):
            tenths = rng.choice([*range(-40, 0), *range(1, 41)], v, replace=False)
            a = [mpmath.mpf(int(x)) / 40 for x in tenths]
            terms = [mpmath.fprod(x / (x - y) for y in a if y != x) for x in a if x > 0]
            found = positive_probability((tenths / 40.0)[None, :])[0]
            assert found == pytest.approx(float(mpmath.fsum(terms)), abs=1e-12)


def test_both_sides_sum_to_one_and_no_side_is_certain() -> None:
    a = np.random.default_rng(2).normal(size=(200, 9))
    assert positive_probability(a) + positive_probability(-a) == pytest.approx(np.ones(200), abs=1e-13)
    assert positive_probability(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0], [1.0, -1.0]])).tolist() == [
        1,
        0,
        0.5,
        0.5,
    ]
