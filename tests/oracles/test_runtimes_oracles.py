"""bo.runtimes against R's survival, own enumeration, and a published table."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.wings.curves.runtimes.statistics.order import logrank_scores

# Twelve problems, cap 100. Checked with R (survival::survdiff with strata, exactRankTests) and by own enumeration.
A = (3.1, 12, 100, 47, 8.2, 100, 60, 22, 5, 100, 33, 71)
B = (4, 30, 100, 100, 7.5, 88, 100, 40, 9, 100, 52, 100)
TWELVE = bo.Scores(np.column_stack([A, B]), ["A", "B"], better="lower")


def test_order_of_twelve_problems() -> None:
    pair = bo.runtimes(TWELVE, 100).pairs[0]
    assert (pair.wins, pair.losses, pair.ties) == (8, 2, 2)
    assert pair.pvalue == 0.109375
    assert pair.logrank == pytest.approx(3.6, rel=1e-14)
    assert pair.logrank_pvalue == pytest.approx(0.05777957112, abs=5e-12)
    assert (pair.only_a, pair.only_b) == (3, 1)
    assert pair.mcnemar == 0.375  # 2·P(X > 3) + P(X = 3) of Bin(4, 1/2)
    assert pair.verdict == "no difference shown"


@pytest.mark.slow
def test_penalised_means_of_twelve_problems() -> None:
    found = bo.runtimes(TWELVE, 100)
    pair = found.pairs[0]
    assert [round(pair.par_pvalues[k], 6) for k in (1, 2, 10)] == [0.026976, 0.182980, 0.311930]
    assert [pair.wilcoxon_pvalues[k] for k in (1, 2, 10)] == [0.017578125, 0.046875, 0.046875]
    assert found.par[2].round(4).tolist() == [71.775, 102.5417]
    assert found.sgm is not None
    assert found.sgm.round(5).tolist() == [33.55212, 45.79915]
    assert pair.par_verdicts == {1: "a better", 2: "no difference shown", 10: "no difference shown"}
    assert [caution.name for caution in found.cautions] == ["too-few (units)", "penalty-decides"]


def test_the_difference_of_par1_is_that_of_restricted_means() -> None:
    """The area between the curves of shares not solved, up to the cap."""
    found = bo.runtimes(TWELVE, 100)
    times = np.array([0.0, *found.curves.times, 100.0])
    widths = np.diff(times)
    areas = [float((widths * (1 - np.array([0.0, *found.curves.share[name]]))).sum()) for name in ("A", "B")]
    assert areas[1] - areas[0] == pytest.approx(found.pairs[0].par_differences[1], rel=1e-12)


def test_virtual_best_of_twelve_problems() -> None:
    best = bo.runtimes(TWELVE, 100).portfolio
    assert best.solved == 10
    assert best.par[1] == pytest.approx(np.minimum(A, B).mean(), rel=1e-14)
    assert best.single_best == {1: "A", 2: "A", 10: "A"}


def test_logrank_of_many_runs_on_one_problem_is_that_of_scipy() -> None:
    """(O − E)/√V of one stratum, V hypergeometric; ties, and runs censored at the cap."""
    rng = np.random.default_rng(11)
    x, y = (rng.integers(1, 15, size).astype(float) for size in (20, 25))
    x[x > 11], y[y > 11] = math.inf, math.inf
    variance = 0.0
    for t in np.unique(np.concatenate([x, y])[np.isfinite(np.concatenate([x, y]))]):
        n_x, n_y, d = int((x >= t).sum()), int((y >= t).sum()), int((x == t).sum() + (y == t).sum())
        n = n_x + n_y
        variance += d * n_x / n * n_y / n * (n - d) / (n - 1)

    def censored(times: npt.NDArray[np.float64]) -> stats.CensoredData:
        return stats.CensoredData.right_censored(np.minimum(times, 12), times == math.inf)

    z = float(stats.logrank(censored(x), censored(y)).statistic)
    scores, variances = logrank_scores(x[None, :], y[None, :])
    assert scores[0] == pytest.approx(z * math.sqrt(variance), rel=1e-10)
    assert variances[0] == pytest.approx(variance, rel=1e-10)


def test_logrank_of_several_runs_is_stratified_by_problem() -> None:
    """statsmodels 0.15.0, duration.survfunc.survdiff(min(t, cap), t < cap, algorithm, strata=problem): 98.739."""
    times = np.random.default_rng(0).exponential(size=(3, 2, 50)) * np.array([1, 3])[:, None]
    [pair] = bo.runtimes(bo.Scores(times, better="lower"), 100, over="runs").pairs
    assert pair.logrank == pytest.approx(98.73903299541847)


def test_logrank_of_unequal_runs_with_ties_is_stratified_by_problem() -> None:
    """The same call, with seven and five runs, times of whole seconds, and runs stopped at 12."""
    times = np.random.default_rng(3).integers(1, 15, size=(6, 2, 7)).astype(float)
    times[:, 1, 5:] = np.nan
    scores = bo.Scores.from_cells(times, ["a", "b"], [f"P{i}" for i in range(6)], better="lower")
    pair = bo.runtimes(scores, 12, over="runs").pairs[0]
    assert (pair.logrank, pair.logrank_pvalue) == pytest.approx((1.346794768588432, 0.24583924220385656))


@pytest.mark.parametrize("n", [2, 5, 6])
def test_penalised_means_whose_differences_do_not_vary(n: int) -> None:
    """Two problems on which b took a second longer were p = 0. Of 2^n choices of signs, two are as extreme."""
    level = np.arange(1.0, n + 1)
    pair = bo.runtimes(bo.Scores(np.column_stack([level, level + 1]), better="lower"), 100).pairs[0]
    assert set(pair.par_pvalues.values()) == {2.0 ** (1 - n)}
    assert set(pair.par_verdicts.values()) == {"a better" if n == 6 else "no difference shown"}
    assert set(pair.par_intervals.values()) == {None}
