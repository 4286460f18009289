"""Histories whose neighbours resemble each other, beside the formulas written out."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ScoreError
from bakeoff.means.serial import averages_of_series, n_cosines
from bakeoff.wings.guard.history.statistics.prewhitening import autocorrelation, step_of_means
from bakeoff.wings.guard.history.statistics.segmentation import largest_split

Floats = np.ndarray[tuple[int], np.dtype[np.float64]]


def wandering(n: int, rho: float, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=n)
    for t in range(1, n):
        noise[t] = rho * noise[t - 1] + math.sqrt(1 - rho**2) * noise[t]
    return 100.0 + noise


def rho_of(values: list[float], place: int) -> float:
    """Of ranks around the medians of both sides of ``place``, as a correlation of normal values, without its bias."""
    n = len(values)
    noise = [x - np.median(side) for side in (values[:place], values[place:]) for x in side]
    ranks = [rank - (n + 1) / 2 for rank in stats.rankdata(noise)]
    r = sum(a * b for a, b in zip(ranks[1:], ranks, strict=False)) / sum(a * a for a in ranks)
    rho = 2 * math.sin(math.pi * r / 6)
    return min(0.98, max(0.0, rho + 4 * (1 + 4 * max(rho, 0.0)) / n))


@pytest.mark.parametrize("case", range(20))
def test_the_history_is_searched_less_rho_times_the_version_before(case: int) -> None:
    n = 20 + 3 * case
    values = wandering(n, 0.6, case) + 4.0 * (np.arange(n) >= n // 2)
    found = bo.change_points(bo.Scores(values[None], better="lower"), serial=True, scale="difference", n_resamples=199)
    one = found.series[0]
    rho = rho_of(values.tolist(), largest_split(values, 3)[1])
    assert one.autocorrelation == pytest.approx(rho, rel=1e-9) == autocorrelation(values, 3)
    left = [b - rho * a for a, b in zip(values[:-1].tolist(), values[1:].tolist(), strict=True)]
    ranks = stats.rankdata(left) - n / 2  # n − 1 values
    sums = {t: abs(ranks[:t].sum()) / math.sqrt(t * (n - 1 - t) * n / 12) for t in range(3, n - 3)}
    place = max(sums, key=lambda t: (round(sums[t], 9), -t))
    assert (one.statistic, one.split) == (pytest.approx(sums[place], rel=1e-9), place + 1)
    for step in found.steps:
        assert step.version == f"A{step.place + 1}"


@pytest.mark.parametrize("case", range(10))
def test_steps_are_differences_of_means_with_welch_over_averages(case: int) -> None:
    rng = np.random.default_rng(case)
    before, after = rng.normal(size=12 + case), 2.0 + rng.normal(size=30 - case)
    averages = [averages_of_series(x[:, None], n_cosines(len(x)), 0.4)[:, 0] for x in (before, after)]
    welch = stats.ttest_ind(averages[1], averages[0], equal_var=False).confidence_interval(0.9)
    expected = (after.mean() - before.mean(), welch.low, welch.high)
    assert step_of_means(before, after, 0.4, 0.9) == pytest.approx(expected, rel=1e-9)
    assert step_of_means(before[:10], after, 0.4, 0.9)[1:] == (None, None)


def test_among_many_benchmarks_rho_is_at_least_their_median() -> None:
    values = np.stack([wandering(60, rho, seed) for seed, rho in enumerate((0.0, 0.5, 0.5, 0.9))])
    own = [autocorrelation(np.log(row), 3) for row in values]
    found = bo.change_points(bo.Scores(values, better="lower"), serial=True, n_resamples=199)
    assert [one.autocorrelation for one in found.series] == pytest.approx([max(x, np.median(own)) for x in own])


def test_versions_that_lack_a_benchmark_are_left_out() -> None:
    values = wandering(40, 0.6, 3) + 5.0 * (np.arange(40) >= 20)
    gaps = np.full((2, 50), np.nan)
    gaps[0, np.arange(50) % 5 != 0] = values
    gaps[1] = wandering(50, 0.0, 4)
    names = [f"v{i}" for i in range(50)]
    found = bo.change_points(bo.Scores(gaps, names, better="lower", missing="keep"), serial=True, n_resamples=999)
    whole = bo.change_points(bo.Scores(values[None], better="lower"), serial=True, n_resamples=999)
    assert found.series[0].autocorrelation == whole.series[0].autocorrelation
    assert found.series[0].statistic == pytest.approx(whole.series[0].statistic, rel=1e-12)
    assert [step.change for step in found.steps if step.problem == "P1"] == pytest.approx(
        [step.change for step in whole.steps]
    )


def test_one_version_more_is_needed() -> None:
    with pytest.raises(ScoreError, match=r"at least 7 versions .* and one before them"):
        bo.change_points(bo.Scores([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]], better="lower"), serial=True)


def test_the_command_says_how_it_searched(tmp_path: Path) -> None:
    """A machine that is slow for days: five steps in what is nothing but noise, and none with --serial."""
    values = wandering(120, 0.8, 5)
    names = [f"v{i}" for i in range(120)]
    table = ",".join(["benchmark", *names]) + "\n" + ",".join(["sort", *(f"{x:.6f}" for x in values)])
    (tmp_path / "nights.csv").write_text(table, encoding="utf-8")
    typed = ["history", str(tmp_path / "nights.csv"), "--better", "lower"]
    plain, serial = (CliRunner().invoke(main, [*typed, *more]) for more in ([], ["--serial"]))
    assert "of level" in plain.stdout
    assert "dependence (history)" in plain.stdout
    assert "--serial" in plain.stdout
    assert serial.stdout.startswith("No change of level shown in 1 benchmark over 120 versions.")
    assert "ρ" in serial.stdout
    assert "dependence" not in serial.stdout
