"""What a check could detect with few degrees of freedom, by an integral; and of clusters that are hardly any."""

import numpy as np
import pytest
from scipy import integrate, stats

import bakeoff as bo
from bakeoff.wings.guard.check.statistics.contrasts import detectable_noncentrality


def power(delta: float, df: float, level: float) -> float:
    """P(T' > t) = ∫ φ(z) P(χ² < df·((z + δ)/t)²) dz, by quadrature."""
    t = stats.t.isf(level, df)
    return float(
        integrate.quad(
            lambda z: stats.norm.pdf(z) * stats.chi2.cdf(df * max((z + delta) / t, 0.0) ** 2, df), -9, 9, limit=200
        )[0]
    )


@pytest.mark.parametrize("df", [1.0, 1.3, 2.0, 5.0, 40.0])
@pytest.mark.parametrize("level", [0.05, 1e-4, 1e-6, 1e-9])
def test_power_is_what_was_promised(df: float, level: float) -> None:
    """SciPy's nctdtrinc does not come back from df 1 and a level of 1e-6."""
    (delta,) = detectable_noncentrality(np.array([df]), level).tolist()
    assert power(delta, df, level) == pytest.approx(0.8, abs=1e-4)


def test_below_one_degree_of_freedom_nothing_is_detected() -> None:
    assert detectable_noncentrality(np.array([0.2, 0.999]), 0.01).tolist() == [np.inf, np.inf]


@pytest.mark.parametrize("sizes", [(90, 10), (99, 1), (50, 3, 2), (60, 1, 1, 1, 1, 1, 1)])
@pytest.mark.parametrize("shares", [False, True])
def test_a_check_over_hardly_any_clusters_cannot_tell(sizes: tuple[int, ...], shares: bool) -> None:
    codes = np.repeat(np.arange(len(sizes)), sizes)
    x = np.random.default_rng(0).normal((0.0, 3.0), size=(len(codes), 2))
    scores = bo.Scores((x > 1.0) * 1.0 if shares else x, ["a", "b"], better="higher", clusters=codes)
    found = bo.check(scores, scores, 0.05, label=("b", "a"), level="suite", scale="difference")
    assert found.decision == "inconclusive"
    assert (found.rows[0].pvalue, found.rows[0].p_ok, found.rows[0].detectable) == (1.0, 1.0, np.inf)
    assert "clusters" in found.rows[0].reason
    assert {"too-few"} <= {caution.code for caution in found.cautions}
