"""Profiles against numbers computed by other means: the CEC'2005 table of Derrac et al. (2011), counts by hand."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.effects.curve_bands import dkw
from bakeoff.wings.curves.profile.statistics import Profile
from bakeoff.wings.curves.profile.statistics.curves import swap_test

CEC = bo.datasets.load("derrac_cec2005")


def at(found: Profile, tau: float) -> dict[str, float]:
    return dict(zip(found.scores.algorithms, found.at(tau).tolist(), strict=True))


def test_cec2005_with_its_four_zeros() -> None:
    """Shares as an independent script counted them; naive division gives IPOP-CMA-ES 0.16 at τ = 1."""
    found = bo.profile(CEC)
    assert at(found, 1) == {
        "PSO": 0.08, "IPOP-CMA-ES": 0.32, "CHC": 0.16, "SSGA": 0.04, "SS-BLX": 0.12, "SS-Arit": 0.0, "DE-Bin": 0.04,
        "DE-Exp": 0.12, "SaDE": 0.12,
    }  # fmt: skip
    two = at(found, 2)
    assert (two["DE-Exp"], two["IPOP-CMA-ES"], two["DE-Bin"], two["SaDE"]) == (0.68, 0.6, 0.6, 0.6)
    zeros = CEC.values.min(axis=1) == 0
    assert zeros.sum() == 4
    naive = (CEC.values[~zeros] / CEC.values[~zeros].min(axis=1, keepdims=True) <= 1).sum(axis=0) / 25
    assert naive[CEC.index("IPOP-CMA-ES")] == 0.16
    (caution,) = (c for c in found.cautions if c.code == "best-is-zero")
    assert "On 4 problems (F1, F2, F3, F6)" in caution.text


def test_cec2005_order_without_a_third() -> None:
    found = bo.profile(CEC)
    ten = at(found, 10)
    assert (ten["DE-Bin"], ten["SaDE"]) == (0.72, 0.76)
    rest = bo.profile(CEC.select([name for name in CEC.algorithms if name != "IPOP-CMA-ES"]))
    assert (at(rest, 10)["DE-Bin"], at(rest, 10)["SaDE"]) == (0.92, 0.88)
    flipped = {(f.a, f.b) for f in found.flips if f.without == "IPOP-CMA-ES"}
    assert ("DE-Bin", "SaDE") in flipped
    assert any(c.name == "pool-dependent (profiles)" and "Of 36 pairs, 22 have" in c.text for c in found.cautions)


@pytest.mark.slow
def test_cec2005_two_in_the_pool() -> None:
    """sup 0.40; p ≈ 0.0153 of 20 000 exchanges in another program (standard error 0.0009)."""
    found = bo.profile(CEC, n_resamples=20_000, rng=5)
    swap = found.swap_test("SaDE", "PSO")
    assert swap.statistic == pytest.approx(0.4)
    assert swap.pvalue == pytest.approx(0.0153, abs=5 * math.sqrt(2) * 0.00087)
    assert not swap.exact
    again = found.swap_test("PSO", "SaDE")
    assert again.statistic == swap.statistic
    assert again.pvalue == pytest.approx(swap.pvalue, abs=5 * math.sqrt(2) * 0.00087)


@pytest.mark.slow
def test_cec2005_all_exchanges() -> None:
    """Four of the 25 problems never tell SaDE and PSO apart: 16 960 of 2²⁰ exchanges, by sums of two halves of them."""
    found = bo.profile(CEC, n_resamples=20)
    i, j = found.scores.pair("SaDE", "PSO")
    swap = swap_test(found.distances[:, [i, j]], None, np.arange(25), 2**20, np.random.default_rng(0))
    assert swap.exact
    assert swap.pvalue == 16960 / 2**20
    assert swap.tau == pytest.approx(1.3272727, abs=1e-7)


@pytest.mark.slow
def test_cec2005_quantile_of_the_difference() -> None:
    """0.32 over all steps: a gap of more than 0.28 has probability 0.054 in the bootstrap.

    0.28, which some have, comes from 200 values of τ up to 1000 instead of all steps.
    """
    found = bo.profile(CEC, n_resamples=20)
    i, j = found.scores.pair("SaDE", "PSO")
    drawn = np.random.default_rng(1).multinomial(25, np.full(25, 1 / 25), 20_000) / 25
    quantiles = []
    for taus in (found.tau, np.geomspace(1, 1000, 200)):
        gaps = (found.distances[:, [i]] <= taus).astype(float) - (found.distances[:, [j]] <= taus)
        largest = np.abs(drawn @ gaps - gaps.mean(axis=0)).max(axis=1)
        assert np.mean(largest > 0.281) == pytest.approx(0.054 if taus is found.tau else 0.048, abs=0.008)
        quantiles.append(float(np.quantile(largest, 0.95)))
    assert quantiles[0] == pytest.approx(0.32)
    assert quantiles[1] == pytest.approx(0.28, abs=0.04)


def test_massart() -> None:
    assert dkw(25, 0.95) == pytest.approx(0.2716203031, abs=5e-11)
    assert bo.profile(CEC).half_widths.tolist() == pytest.approx([0.2716203031] * 9, abs=5e-11)


def by_hand() -> bo.Scores:
    """Four problems: plain, a tie for the best, a best of 0, and a failed run (5)."""
    status = [["ok"] * 3] * 3 + [["ok", "timeout", "ok"]]
    values = [[1.0, 2.0, 4.0], [3.0, 3.0, 6.0], [0.0, 5.0, 0.0], [8.0, np.nan, 2.0]]
    return bo.Scores(values, ["a", "b", "c"], better="lower", status=status, missing="keep")


def test_ratios_by_hand() -> None:
    found = bo.profile(by_hand())
    assert found.tau.tolist() == [1.0, 2.0, 4.0]
    assert found.share.tolist() == [[0.75, 0.75, 1.0], [0.25, 0.5, 0.5], [0.5, 0.75, 1.0]]
    assert found.at([1, 1.999, 2, 3, math.inf]).tolist() == [
        [0.75, 0.75, 0.75, 0.75, 1.0],
        [0.25, 0.25, 0.5, 0.5, 0.5],
        [0.5, 0.5, 0.75, 0.75, 1.0],
    ]
    assert found.at(0.5).tolist() == [0.0, 0.0, 0.0]
    half = math.sqrt(math.log(40) / 8)
    assert (found.upper - found.lower <= 2 * half + 1e-12).all()
    assert np.allclose(found.lower, np.maximum(found.share - half, 0), atol=1e-12)


def test_differences_by_hand() -> None:
    found = bo.profile(by_hand(), "difference")
    assert found.tau.tolist() == [0.0, 1.0, 3.0, 5.0, 6.0]
    assert found.share.tolist() == [[0.75, 0.75, 0.75, 0.75, 1.0], [0.25, 0.5, 0.5, 0.75, 0.75], [0.5, 0.5, 1, 1, 1]]
    negative = bo.Scores([[-3.0, -1.0], [2.0, -5.0]], better="lower")
    assert bo.profile(negative, "difference").distances.tolist() == [[0.0, 2.0], [7.0, 0.0]]


def test_budgets_by_hand() -> None:
    found = bo.profile(by_hand(), "data")
    assert found.at([0, 2, 4]).tolist() == [[0.25, 0.5, 0.75], [0.0, 0.25, 0.5], [0.25, 0.5, 0.75]]
    assert found.flips == ()


def test_higher_is_better() -> None:
    found = bo.profile(bo.Scores([[1.0, 2.0, 4.0], [0.0, 0.0, 0.0], [0.0, 3.0, 6.0]], better="higher"))
    assert found.distances.tolist() == [[4.0, 2.0, 1.0], [1.0, 1.0, 1.0], [math.inf, 2.0, 1.0]]


def test_ties_are_decided_on_decimals() -> None:
    values = [[0.1 + 0.2, 0.3, 0.9], [0.2, 0.6, 0.6], [0.1, 0.7, 0.3]]
    found = bo.profile(bo.Scores(values, better="lower"))
    assert found.distances[0].tolist() == pytest.approx([1, 1, 3])
    assert found.distances[0, :2].tolist() == [1.0, 1.0]
    assert len({found.distances[0, 2], found.distances[1, 1], found.distances[2, 2]}) == 1
    assert found.at(3).tolist() == [1.0, 2 / 3, 1.0]
    assert found.at(7).tolist() == [1.0, 1.0, 1.0]
    rational = [Fraction(x).limit_denominator(100) for x in (0.3, 0.3, 0.9, 0.2, 0.6, 0.6, 0.1, 0.7, 0.3)]
    wanted = [float(x / min(rational[3 * (i // 3) : 3 * (i // 3) + 3])) for i, x in enumerate(rational)]
    assert found.distances.ravel().tolist() == pytest.approx(wanted, rel=1e-14)


@pytest.mark.slow
def test_the_swap_test_by_enumeration() -> None:
    """Eight problems in five clusters: all 2^5 exchanges, each profile built anew."""
    rng = np.random.default_rng(8)
    values = rng.lognormal(size=(8, 2)).round(1) + 0.1
    clusters = ["u", "u", "v", "w", "w", "w", "x", "y"]
    found = bo.profile(bo.Scores(values, better="lower", clusters=clusters))
    gaps = []
    for flips in itertools.product([False, True], repeat=5):
        turned = dict(zip("uvwxy", flips, strict=True))
        swapped = np.array([row[::-1] if turned[c] else row for row, c in zip(values, clusters, strict=True)])
        other = bo.profile(bo.Scores(swapped, better="lower"))
        gaps.append(float(np.abs(other.share[0] - other.share[1]).max()))
    assert found.swap is not None
    assert found.swap.exact
    assert found.swap.statistic == pytest.approx(gaps[0])
    assert found.swap.pvalue == np.mean(np.array(gaps) >= gaps[0] - 1e-12)
