"""Series in time and folds of one data set beside the formulas of the papers, term by term."""

from __future__ import annotations

import cmath
import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.linalg import toeplitz

import bakeoff as bo
from bakeoff.means.five_by_two import five_by_two_f, five_by_two_t
from bakeoff.means.folds import fold_table, widened_folds
from bakeoff.means.serial import averages_of_series, lag_one, n_cosines, serial_mean, spectrum


def slow_t(series: list[float], b: int, rho: float) -> float:
    """√n·x̄/ω, ω² the mean of b squared cosines of the demeaned series (Lazarus et al. 2018).

    Each square is divided by the spectrum of an AR(1) series with ρ, as a share of that at 0.
    """
    n = len(series)
    mean = math.fsum(series) / n
    squares = []
    for j in range(1, b + 1):
        terms = ((x - mean) * math.cos(math.pi * j * (t - 0.5) / n) for t, x in enumerate(series, start=1))
        there = abs((1 - rho) / (1 - rho * cmath.exp(1j * math.pi * j / n))) ** 2
        squares.append((math.sqrt(2.0 / n) * math.fsum(terms)) ** 2 / there)
    return math.sqrt(n) * mean / math.sqrt(math.fsum(squares) / b)


def whitening(estimate: float, n: int) -> float:
    """An estimated ρ plus a third of (1 + 4ρ)/n, or all of that from 0.95 on; the share is linear from 0.85."""
    bias = (1 + 4 * estimate) / n
    share = np.interp(min(0.995, estimate + bias), [0.85, 0.95], [1 / 3, 1])
    return float(min(0.995, estimate + share * bias)) if estimate > 0 else 0.0


@pytest.mark.parametrize("case", range(40))
def test_averages_have_the_t_of_the_cosines(case: int) -> None:
    rng = np.random.default_rng(case)
    n, k = int(rng.integers(11, 200)), int(rng.integers(2, 5))
    values = 10.0 ** rng.integers(-8, 8) * (rng.normal(size=(n, k)).cumsum(axis=0) + rng.normal(size=k))
    mean = serial_mean(bo.Scores(values, better="lower"))
    b = mean.averages.n_problems - 1
    assert b == n_cosines(n) == max(2, round(0.41 * n ** (2 / 3)))
    assert mean.averages.values.mean(axis=0) == pytest.approx(
        values.mean(axis=0), rel=1e-9, abs=1e-9 * abs(values).max()
    )
    found, rho = bo.paired_t(mean.averages, 0, 1), whitening(lag_one(values), n)
    assert found.df == b
    assert found.statistic == pytest.approx(slow_t((values[:, 1] - values[:, 0]).tolist(), b, rho), rel=1e-8)


@pytest.mark.parametrize("case", range(20))
def test_lag_one_is_the_largest_of_all_pairs(case: int) -> None:
    rng = np.random.default_rng(case)
    values = rng.normal(size=(int(rng.integers(11, 60)), int(rng.integers(2, 6)))).cumsum(axis=0)
    largest = 0.0
    for a in range(values.shape[1]):
        for b in range(a):
            d = values[:, a] - values[:, b]
            d = d - d.mean()
            largest = max(largest, math.fsum(d[1:] * d[:-1]) / math.fsum(d**2))
    assert lag_one(values) == pytest.approx(largest, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("case", range(20))
def test_calibrated_folds_have_the_t_of_the_paper(case: int) -> None:
    """Bouckaert (2003): d̄/√(s²/(f + 1)) with f = 10 over the 100 folds of ten repeats of ten."""
    rng = np.random.default_rng(case)
    k = int(rng.integers(2, 11))
    cells = 10.0 ** rng.integers(-8, 8) * (
        rng.normal(size=(k, 100)) + rng.normal(size=(k, 1)) / 3 + rng.normal(size=100)
    )
    result = bo.compare(bo.Scores(cells[None], better="higher", folds=0.1), pairwise="calibrated-t")
    for pair, (a, b) in zip(result.pairs, itertools.combinations(range(k), 2), strict=True):
        d = cells[a] - cells[b]
        error = math.sqrt(d.var(ddof=1) / 11)
        assert pair.statistic == pytest.approx(d.mean() / error, rel=1e-9)
        assert pair.pvalue == pytest.approx(2 * stats.t.sf(abs(d.mean() / error), 10), rel=1e-8)
        reach = stats.t.isf(0.025, 10) * error
        assert pair.effect is not None
        assert (pair.effect.low, pair.effect.high) == pytest.approx((d.mean() - reach, d.mean() + reach), rel=1e-8)


def test_no_order_of_folds_or_algorithms_changes_a_bit_of_calibrated_folds() -> None:
    rng = np.random.default_rng(3)
    cells, names = rng.normal(size=(4, 100)) + rng.normal(size=100), ["a", "b", "c", "d"]
    rows, columns = rng.permutation(100), rng.permutation(4)
    one, other = (
        bo.compare(bo.Scores(x[None], of, better="higher", folds=0.1), pairwise="calibrated-t")
        for x, of in ((cells, names), (cells[columns][:, rows], [names[j] for j in columns]))
    )
    found = {frozenset((p.a, p.b)): (abs(p.statistic), p.pvalue) for p in one.pairs}
    assert found == {frozenset((p.a, p.b)): (abs(p.statistic), p.pvalue) for p in other.pairs}


@pytest.mark.parametrize(
    ("shape", "fraction", "words"),
    [((2, 10), 0.1, "has 10 folds"), ((2, 100), 0.2, "0.2 of the data"), ((11, 100), 0.1, "has 11 algorithms")],
)
def test_calibrated_degrees_of_freedom_are_of_one_scheme(shape: tuple[int, int], fraction: float, words: str) -> None:
    scores = bo.Scores(np.random.default_rng(0).normal(size=shape)[None], better="higher", folds=fraction)
    with pytest.raises(bo.errors.ScoreError, match=words):
        bo.compare(scores, pairwise="calibrated-t")
    bo.compare(scores, pairwise="repeated-t")  # as the message says


@pytest.mark.parametrize("case", range(20))
def test_equal_differences_do_not_say_how_they_vary(case: int) -> None:
    """Whatever is made of the table: rounding is not variation, and p is 1, as of independent rows."""
    rng = np.random.default_rng(case)
    cells = rng.normal(size=(4, 100)) * 10.0 ** rng.integers(-5, 5)
    cells[1] = cells[0] + rng.normal() * np.abs(cells).max()
    cells[3] = cells[0]
    folds, series = (
        bo.Scores(x, better="higher", **kind)
        for x, kind in ((cells[None], {"folds": 0.1}), (cells.T, {"serial": True}))
    )
    results = [bo.compare(folds, pairwise=test) for test in ("resampled-t", "repeated-t", "calibrated-t")]
    for result in (*results, bo.compare(series)):
        assert [pair.pvalue for pair in result.pairs if {pair.a, pair.b} <= {"A1", "A2", "A4"}] == [1.0] * 3
        assert result.pairs[1].pvalue < 1.0


@pytest.mark.parametrize("transform", [None, "log"])
def test_correlations_of_ranks_are_those_of_the_rows(transform: str | None) -> None:
    """Not of widened folds or of averages, which stand for no row."""
    rng = np.random.default_rng(7)
    cells = np.exp(rng.normal(size=(2, 100)))
    plain = bo.compare(bo.Scores(cells.T, better="higher"), transform=transform).pairs[0].rank_biserial
    for test in ("resampled-t", "repeated-t", "calibrated-t"):
        folds = bo.Scores(cells[None], better="higher", folds=0.1)
        assert bo.compare(folds, pairwise=test, transform=transform).pairs[0].rank_biserial == plain
    series = bo.Scores(cells.T, better="higher", serial=True)
    assert bo.compare(series, transform=transform).pairs[0].rank_biserial == plain


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.8, 0.97])
def test_whitened_cosines_of_an_autoregression_have_equal_variances(rho: float) -> None:
    """Exactly, by its autocovariances: n times the variance of the mean, but for terms of 1/n."""
    n, b = 2000, 8
    covariance = toeplitz(rho ** np.arange(n))
    waves = math.sqrt(2.0 / n) * np.cos(np.pi / n * np.outer(np.arange(1, b + 1), np.arange(n) + 0.5))
    whitened = np.diag(waves @ covariance @ waves.T) / spectrum(rho, n, b)
    assert whitened == pytest.approx([covariance.sum() / n] * b, rel=0.08 if rho > 0.9 else 0.02)


def test_as_many_cosines_as_rows_less_one_are_the_ordinary_t() -> None:
    values = np.random.default_rng(1).normal(size=(9, 2))
    assert averages_of_series(values, 8) == pytest.approx(values, abs=1e-12)


def test_series_without_differences_have_no_error() -> None:
    values = np.random.default_rng(1).normal(size=(40, 1)) + np.array([[0.0, 3.0]])
    found = bo.compare(bo.Scores(values, better="lower").with_design(serial=True))
    assert (found.pairs[0].pvalue, found.pairs[0].verdict) == (1.0, "no difference shown")


@pytest.mark.parametrize("test", ["resampled-t", "repeated-t"])
@pytest.mark.parametrize("case", range(40))
def test_widened_folds_have_the_corrected_resampled_t(case: int, test: str) -> None:
    rng = np.random.default_rng(case)
    j, fraction = int(rng.integers(2, 40)), float(rng.uniform(0.05, 0.5))
    scores = bo.Scores(10.0 ** rng.integers(-8, 8) * rng.normal(size=(1, 3, j)), better="higher", folds=fraction)
    d = scores.runs[0, 0] - scores.runs[0, 1]  # type: ignore[index]
    share = 1 / j if test == "resampled-t" else max(1 / j, fraction)
    error = math.sqrt((share + fraction / (1 - fraction)) * d.var(ddof=1))
    t = d.mean() / error
    p = 2 * stats.t.sf(abs(t), j - 1)
    found = bo.compare(scores, pairwise=test).pair("A1", "A2")
    assert (found.statistic, found.pvalue) == pytest.approx((t, p), rel=1e-9)
    repeats: Any = "each" if test == "resampled-t" else "once"
    assert bo.resampled_t(scores, 0, 1, fraction, repeats=repeats).pvalue == pytest.approx(p, rel=1e-9)
    usual = bo.compare(scores)
    assert usual.pairwise == ("repeated-t" if j * fraction > 1.5 else "resampled-t")
    if usual.pairwise == test:
        assert usual.pair("A1", "A2").pvalue == found.pvalue
        assert bo.per_problem(scores).cells[0].pvalue == pytest.approx(found.pvalue, rel=1e-9)
    table = widened_folds(fold_table(scores), fraction, test)
    assert bo.anova(table.select([0, 1])).pvalue == pytest.approx(p, rel=1e-9)
    assert found.effect.estimate == pytest.approx(d.mean(), rel=1e-9)
    half = stats.t.isf(0.025, j - 1) * error
    assert (found.effect.low, found.effect.high) == pytest.approx((d.mean() - half, d.mean() + half), rel=1e-6)


@pytest.mark.parametrize("case", range(20))
def test_five_by_two(case: int) -> None:
    d = np.random.default_rng(case).normal(size=(5, 2)) + 0.5
    variances = [(a - (a + b) / 2) ** 2 + (b - (a + b) / 2) ** 2 for a, b in d.tolist()]
    t = d[0, 0] / math.sqrt(sum(variances) / 5)
    f = sum(x**2 for x in d.ravel().tolist()) / (2 * sum(variances))
    assert five_by_two_t(d)[:2] == pytest.approx((t, 2 * stats.t.sf(abs(t), 5)), rel=1e-9)
    assert five_by_two_f(d)[:2] == pytest.approx((f, stats.f.sf(f, 10, 5)), rel=1e-9)
    scores = bo.Scores(np.stack([d.ravel(), np.zeros(10)])[None], better="higher", folds=0.5)
    for name, statistic in (("5x2cv-t", t), ("5x2cv-f", f)):
        assert bo.compare(scores, pairwise=name).pairs[0].statistic == pytest.approx(statistic, rel=1e-9)


def test_repeats_are_told_by_the_names_of_folds() -> None:
    d = np.random.default_rng(5).normal(size=(5, 2))
    names = [f"{r}/{f}" for f in (1, 2) for r in "abcde"]
    scores = bo.Scores(np.stack([d.T.ravel(), np.zeros(10)])[None], better="higher", folds=0.5, run_ids=names)
    assert bo.compare(scores, pairwise="5x2cv-t").pairs[0].statistic == pytest.approx(five_by_two_t(d)[0], rel=1e-9)


def test_folds_in_another_order_are_the_same_folds() -> None:
    rng = np.random.default_rng(2)
    cells = rng.normal(size=(1, 2, 6))
    ids = np.array([["a", "b", "c", "d", "e", "f"]] * 2, dtype=object)[None]
    turned, order = cells.copy(), [3, 1, 0, 5, 4, 2]
    turned[0, 1], other = cells[0, 1, order], ids.copy()
    other[0, 1] = ids[0, 1, order]
    found = [bo.compare(bo.Scores(c, better="lower", folds=0.2, run_ids=i)) for c, i in ((cells, ids), (turned, other))]
    assert found[0].pairs[0].pvalue == pytest.approx(found[1].pairs[0].pvalue, rel=1e-12)
