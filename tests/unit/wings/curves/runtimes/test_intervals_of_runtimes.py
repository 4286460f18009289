"""Penalised means of runtimes: intervals at their level, why runs ended, and several runs of a cell."""

import numpy as np
import pytest
from scipy.stats import chi2

import bakeoff as bo
from bakeoff.means.strata import drawn_units
from bakeoff.randomness import generator
from bakeoff.wings.curves.runtimes.statistics.order import faster_share, logrank
from bakeoff.wings.curves.runtimes.statistics.resampling import studentised_half_widths
from bakeoff.wings.curves.runtimes.statistics.times import run_times

CAP = 12.0


def times() -> bo.Scores:
    values = np.random.default_rng(3).lognormal(2, 1, size=(20, 3)) * [1, 1.5, 2]
    return bo.Scores(np.minimum(values, CAP), better="lower")


@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("penalty", [1.0, 10.0])
def test_intervals_of_penalised_means_have_their_level(alpha: float, penalty: float) -> None:
    """In the order of the content, by which the resamples are drawn: of the smallest first row of times."""
    table = times()
    found = bo.runtimes(table, CAP, k=penalty, alpha=alpha, n_resamples=200)
    runs = run_times(table, CAP)
    order = np.argsort(runs.content(table.algorithms), kind="stable")
    cells = np.where(table.values < CAP, table.values, penalty * CAP)[order]
    weights = drawn_units(20, 200, generator(found.rng))
    halves = studentised_half_widths(cells, np.arange(20), weights, alpha)
    for j, (estimate, half) in enumerate(zip(found.estimates, halves, strict=True)):
        mean = cells[:, j].mean()
        low, high = max(0.0, mean - half), min(penalty * CAP, mean + half)
        assert estimate.par[penalty] == pytest.approx(mean)
        assert estimate.par_intervals[penalty] == pytest.approx((low, high), rel=1e-8)
    pair = found.pairs[0]
    (half,) = studentised_half_widths(cells[:, [1]] - cells[:, [0]], np.arange(20), weights, alpha)
    assert np.diff(pair.par_intervals[penalty]) / 2 == pytest.approx(half, rel=1e-8)


def test_only_runs_that_ended_otherwise_are_named() -> None:
    values = [[1.0, 2.0], [np.nan, 3.0], [np.nan, 1.0], [np.nan, np.nan], [4.0, 5.0]]
    status = [["ok", "ok"], ["timeout", "ok"], ["crash", "ok"], ["crash", "memout"], ["ok", "ok"]]
    scores = bo.Scores(values, ["A", "B"], better="lower", status=status, missing="keep")
    (caution,) = (each for each in bo.runtimes(scores, CAP).cautions if each.name == "counted-as-unsolved (crashes)")
    assert caution.text.startswith("3 runs ended without a solution for a reason other than time (2 crash, 1 memout).")
    status[2][0] = status[3][0] = status[3][1] = "timeout"
    stopped = bo.Scores(values, ["A", "B"], better="lower", status=status, missing="keep")
    assert "counted-as-unsolved (crashes)" not in {caution.name for caution in bo.runtimes(stopped, CAP).cautions}


@pytest.mark.parametrize(
    ("x", "y", "share"),
    [
        ([1.0], [2.0], 1.0),
        ([2.0], [2.0], 0.0),
        ([1.0, 4.0], [2.0, 3.0], 0.0),
        ([1.0, 2.5], [2.0, 3.0], 0.5),
        ([1.0, np.nan], [2.0, 0.5], 0.0),
        ([1.0, np.inf, 5.0], [2.0, np.inf], 1 / 6),
        ([1.0, 4.0, 5.0], [2.0], -1 / 3),
    ],
)
def test_the_share_of_pairs_of_runs_in_which_one_is_faster(x: list[float], y: list[float], share: float) -> None:
    assert faster_share(np.array([x]), np.array([y])) == pytest.approx([share])


def test_the_fastest_run_of_a_cell_comes_first() -> None:
    values = [[[3.0, 1.0, 2.0], [5.0, 9.0, 4.0]], [[7.0, 6.0, 8.0], [20.0, 30.0, 0.5]]]
    runs = run_times(bo.Scores(values, better="lower"), CAP).rows(np.array([1, 0]))
    assert runs.times.tolist() == [[[6.0, 7.0, 8.0], [0.5, np.inf, np.inf]], [[1.0, 2.0, 3.0], [4.0, 5.0, 9.0]]]
    assert runs.ends[0, 1].tolist() == ["ok", "timeout", "timeout"]


def test_how_runs_ended_without_a_word_about_it() -> None:
    scores = bo.Scores([[1.0, np.inf], [2.0, 3.0], [np.inf, 15.0], [4.0, CAP]], ["A", "B"], better="lower")
    assert [dict(one.ends) for one in bo.runtimes(scores).estimates] == [{"ok": 3, "no score": 1}] * 2
    capped = bo.runtimes(scores, CAP).estimates
    assert [dict(one.ends) for one in capped] == [{"ok": 3, "no score": 1}, {"ok": 1, "timeout": 2, "no score": 1}]


@pytest.mark.parametrize("clustered", [False, True])
def test_the_shifted_geometric_mean_and_its_interval(clustered: bool) -> None:
    """The mean of log(time + shift), with the shift taken off; the ends of its interval likewise."""
    table = times()
    labels = [f"c{i // 2}" for i in range(20)] if clustered else None
    found = bo.runtimes(
        bo.Scores(table.values, better="lower", clusters=labels), CAP, shift=2.5, alpha=0.1, n_resamples=200
    )
    logs = np.log(table.values + 2.5)
    for j, estimate in enumerate(found.estimates):
        low, high = estimate.sgm_interval
        assert estimate.sgm == pytest.approx(np.exp(logs[:, j].mean()) - 2.5)
        middle = (np.log(low + 2.5) + np.log(high + 2.5)) / 2
        assert middle == pytest.approx(logs[:, j].mean(), rel=1e-6)
    first, second, _ = (estimate.sgm for estimate in found.estimates)
    ratio, interval = found.pairs[0].sgm_ratio, found.pairs[0].sgm_interval
    assert ratio == pytest.approx(first / second, rel=1e-12)
    assert interval is not None
    assert interval[0] < ratio < interval[1]
    assert np.log(interval).mean() == pytest.approx(np.log(ratio), rel=1e-6)


def test_pairs_that_nothing_tells_apart_have_no_evidence() -> None:
    scores, variances = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, -1.0]]), np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    statistics, p = logrank(scores, variances, np.arange(3))
    assert statistics.tolist() == [0.0, pytest.approx(1 / 3)]
    assert p.tolist() == [1.0, pytest.approx(chi2.sf(1 / 3, 1))]
    clustered = logrank(scores, variances, np.array([0, 0, 1]))  # sums 2 and −1
    assert clustered[0].tolist() == [0.0, pytest.approx(1 / 5)]
    assert clustered[1][0] == 1.0
