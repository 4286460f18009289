"""check() against one problem after the other: SciPy's t-tests, and every subset or sign pattern counted."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import optimize, stats

import bakeoff as bo
from bakeoff.paired.shares import tango, tango_score


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("better", ["lower", "higher"])
def test_t_of_log_ratios(paired: bool, better: str) -> None:
    rng = np.random.default_rng(7 + paired)
    old, new = np.exp(rng.normal(0, 0.05, (6, 7))), np.exp(rng.normal(0.05, 0.08, (6, 7)))
    new[0] *= 1.5
    new[1] /= 1.5
    found = bo.check(old, new, "5%", 0.05, better=better, paired=paired)  # type: ignore[arg-type]
    sign = 1 if better == "lower" else -1
    margin = math.log(1.05) if better == "lower" else -math.log(0.95)
    raw = []
    for row, x, y in zip(found.rows, sign * np.log(old), sign * np.log(new), strict=True):
        options = {"equal_var": False}
        if paired:
            test = stats.ttest_1samp(y - x, margin, alternative="greater")
            ok = stats.ttest_1samp(y - x, margin, alternative="less")
            interval = stats.ttest_1samp(y - x, 0).confidence_interval(0.90)
        else:
            test = stats.ttest_ind(y, x + margin, alternative="greater", **options)
            ok = stats.ttest_ind(y, x + margin, alternative="less", **options)
            interval = stats.ttest_ind(y, x, **options).confidence_interval(0.90)
        raw.append(test.pvalue)
        assert row.pvalue == pytest.approx(test.pvalue, rel=1e-9)
        assert row.p_ok == pytest.approx(ok.pvalue, rel=1e-9)
        effects = [math.expm1(end) if better == "lower" else -math.expm1(-end) for end in interval]
        assert row.interval == pytest.approx(tuple(effects), rel=1e-9)
    np.testing.assert_allclose([row.adjusted for row in found.rows], bo.adjust(raw, "holm"), rtol=1e-9)
    assert found.rows[0].verdict == ("regressed" if better == "lower" else "ok")
    assert found.rows[1].verdict == ("ok" if better == "lower" else "regressed")
    assert found.rows[1].improved is (better == "lower")


@pytest.mark.parametrize(("n", "correction", "steps"), [(1, "holm", 1), (3, "holm", 3), (3, "bh", 3), (3, "none", 1)])
def test_detectable_is_the_effect_of_power_four_fifths(n: int, correction: str, steps: int) -> None:
    rng = np.random.default_rng(2)
    old, new = np.exp(rng.normal(0, 0.05, (n, 6))), np.exp(rng.normal(0, 0.05, (n, 6)))
    found = bo.check(old, new, "5%", 0.05, better="lower", paired=True, correction=correction)  # type: ignore[arg-type]
    for row, x, y in zip(found.rows, np.log(old), np.log(new), strict=True):
        d = y - x
        error = d.std(ddof=1) / math.sqrt(6)
        assert row.detectable is not None
        shift = (math.log1p(row.detectable) - math.log(1.05)) / error
        critical = stats.t.isf(0.05 / steps, 5)  # the first step of the correction
        assert stats.nct.sf(critical, 5, shift) == pytest.approx(0.8, abs=1e-5)


def _moved(x: list[float], bound: float) -> list[float]:
    return [round(value * (1 + bound), 12) for value in x]


@pytest.mark.parametrize("seed", range(5))
def test_rank_sums_by_counting(seed: int) -> None:
    rng = np.random.default_rng(seed)
    old, new = (np.round(1 + rng.normal(0, 0.05, 5), 2).tolist() for _ in range(2))
    (row,) = bo.check({"p": old}, {"p": new}, "5%", 0.05, better="lower", test="rank").rows
    pool = [*new, *_moved(old, 0.05)]
    ranks = stats.rankdata(np.round(pool, 9))
    sums = [sum(ranks[list(chosen)]) for chosen in itertools.combinations(range(10), 5)]
    assert row.pvalue == pytest.approx(np.mean([s >= ranks[:5].sum() - 1e-9 for s in sums]), abs=1e-12)
    assert row.p_ok == pytest.approx(np.mean([s <= ranks[:5].sum() + 1e-9 for s in sums]), abs=1e-12)


@pytest.mark.parametrize("paired", [True, False])
def test_rank_bounds_are_where_the_test_turns(paired: bool) -> None:
    """Just outside of a bound the shifted test rejects at alpha, just inside it does not."""
    rng = np.random.default_rng(11)
    old, new = rng.normal(10, 1, 7), rng.normal(10.5, 1, 7)

    def p(bound: float) -> tuple[float, float]:
        options = {"scale": "difference", "test": "rank", "better": "lower", "paired": paired}
        if bound < 0:
            (row,) = bo.check([old + bound], [new], 0, 0.05, **options).rows  # type: ignore[arg-type]
        else:
            (row,) = bo.check([old], [new - bound], 0, 0.05, **options).rows  # type: ignore[arg-type]
        assert row.pvalue is not None
        assert row.p_ok is not None
        return row.pvalue, row.p_ok

    (row,) = bo.check([old], [new], 0, 0.05, better="lower", scale="difference", test="rank", paired=paired).rows
    assert row.interval is not None
    low, high = row.interval
    assert p(low - 1e-6)[0] <= 0.05 < p(low + 1e-6)[0]
    assert p(high + 1e-6)[1] <= 0.05 < p(high - 1e-6)[1]


@pytest.mark.parametrize(("b", "c", "n"), [(12, 5, 100), (0, 0, 40), (3, 0, 50), (0, 4, 30), (20, 20, 60)])
@pytest.mark.parametrize("delta", [-0.2, -0.01, 0.02, 0.3])
def test_score_test_by_maximising_the_likelihood(b: int, c: int, n: int, delta: float) -> None:
    """Tango (1998): the variance under Δ from the constrained maximum likelihood estimate, here found by search."""

    def loss(q: float) -> float:
        cells = ((b, q + delta), (c, q), (n - b - c, 1 - 2 * q - delta))
        return -sum(count * math.log(max(p, 1e-300)) for count, p in cells if count)

    low, high = max(0.0, -delta), (1 - delta) / 2
    q = optimize.minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    q = min((q, low, high), key=loss)
    variance = n * (2 * q + delta - delta**2)
    assert tango_score(b, c, n, delta) == pytest.approx((b - c - n * delta) / math.sqrt(variance), abs=2e-4)


def test_score_interval_of_tango() -> None:
    """Without a change of any answer the upper bound solves nΔ/(1 − Δ) = z²."""
    low, high = tango(0, 0, 100, float(stats.norm.isf(0.05)))
    z2 = stats.norm.isf(0.05) ** 2
    assert high == pytest.approx(z2 / (100 + z2), abs=1e-9)
    assert low == pytest.approx(-high, abs=1e-9)
    low, high = tango(9, 2, 60, float(stats.norm.isf(0.025)))
    for end, sign in ((low, 1), (high, -1)):
        assert sign * tango_score(9, 2, 60, end) == pytest.approx(stats.norm.isf(0.025), abs=1e-6)
