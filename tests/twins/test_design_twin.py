"""What a design makes of means, against literal versions: loops over problems, tasks and runs, in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.means.moments import suite_moments
from bakeoff.means.run_means import run_means
from bakeoff.means.strata import design_strata
from bakeoff.means.trimmed_means import trimmed_mean
from bakeoff.scores import Array
from bakeoff.scores.clusters import cluster_codes
from bakeoff.scores.design import shares
from bakeoff.wings.curves.even_runs import drawn_evenly

TASKS = ["x"] * 7 + ["y"] * 3 + ["z"] * 5
CLUSTERS = ["a", "a", "b", "c", "d", "d", "d", "e", "f", "g", "h", "h", "i", "j", "k"]


def table(seed: int, **design: object) -> bo.Scores:
    values = np.random.default_rng(seed).integers(-9, 10, size=(15, 3)).astype(float)
    return bo.Scores(values, better="lower", tasks=TASKS, clusters=CLUSTERS, **design)  # type: ignore[arg-type]


@pytest.mark.parametrize("weights", ["tasks", "problems", "clusters"])
def test_shares(weights: str) -> None:
    labels = {"tasks": TASKS, "clusters": CLUSTERS, "problems": range(15)}[weights]
    units = [list(labels).count(label) for label in labels]
    expected = [Fraction(1, len(set(labels)) * size) for size in units]
    assert sum(expected) == 1
    found = shares(table(0).design, weights, 15)
    assert found.tolist() == pytest.approx([float(share) for share in expected], rel=1e-15)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weights", ["tasks", "problems"])
def test_mean_and_jackknife_variance_over_tasks(weights: str, seed: int) -> None:
    """V = Σ_b w_b² (G_b − 1)/G_b Σ_g (w_g r_g/(1 − w_g))²: MacKinnon, Nielsen & Webb (2023), in each task."""
    scores = table(seed, weights=weights)
    strata = design_strata(scores.design, cluster_codes(scores), np.arange(15))
    found = suite_moments(scores.values, scores.scales, strata)
    for j in range(3):
        column = [Fraction(int(x)) for x in scores.values[:, j]]
        mean = variance = Fraction(0)
        for task in "xyz":
            rows = [i for i in range(15) if TASKS[i] == task]
            weight = Fraction(1, 3) if weights == "tasks" else Fraction(len(rows), 15)
            own = sum(column[i] for i in rows) / len(rows)
            groups = [[i for i in rows if CLUSTERS[i] == g] for g in dict.fromkeys(CLUSTERS[i] for i in rows)]
            squares = Fraction(0)
            for group in groups:
                share = Fraction(len(group), len(rows))
                residual = sum(column[i] - own for i in group) / len(group)
                squares += (share * residual / (1 - share)) ** 2
            mean += weight * own
            variance += weight**2 * Fraction(len(groups) - 1, len(groups)) * squares
        assert found.means[j] == pytest.approx(float(mean), rel=1e-13, abs=1e-15)
        assert found.errors[j] ** 2 == pytest.approx(float(variance), rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_means_over_runs_with_shares(seed: int) -> None:
    """V = Σ_i w_i² s²_i/r_i, with (Σ V_i)²/Σ V_i²/(r_i − 1) degrees of freedom (Satterthwaite 1946)."""
    rng = np.random.default_rng(seed)
    runs = rng.integers(0, 30, size=(15, 2, 5)).astype(float)
    runs[rng.random(runs.shape) < 0.3] = np.nan
    runs[:, :, :2] = rng.integers(0, 30, size=(15, 2, 2))
    of = shares(table(0).design, "tasks", 15)
    found = run_means(np.sort(runs, axis=2), of)
    for j in range(2):
        mean, parts = Fraction(0), []
        for i in range(15):
            cell = [Fraction(int(x)) for x in runs[i, j] if x == x]
            weight = Fraction(1, 3 * TASKS.count(TASKS[i]))
            centre = sum(cell) / len(cell)
            mean += weight * centre
            parts.append(
                (weight**2 * sum((x - centre) ** 2 for x in cell) / (len(cell) - 1) / len(cell), len(cell) - 1)
            )
        total = sum(part for part, _ in parts)
        df = total**2 / sum(part**2 / degrees for part, degrees in parts)
        assert found.means[j] == pytest.approx(float(mean), rel=1e-12)
        assert found.variances[j] == pytest.approx(float(total), rel=1e-12)
        assert found.df[j] == pytest.approx(float(df), rel=1e-12)


def slow_interquartile_mean(runs: Array, of: list[Fraction]) -> float:
    """Of N runs floor(N/4)/N of all shares are cut at each end, of the last run in part."""
    values = [
        (float(x), share / int((row == row).sum())) for row, share in zip(runs, of, strict=True) for x in row if x == x
    ]
    values.sort(key=lambda each: each[0])
    cut = Fraction(len(values) // 4, len(values))
    total = mass = before = Fraction(0)
    for value, share in values:
        after = before + share
        kept = max(Fraction(0), min(after, 1 - cut) - max(before, cut))
        total, mass, before = total + kept * Fraction(value), mass + kept, after
    assert mass == 1 - 2 * cut
    return float(total / mass)


@pytest.mark.parametrize("seed", range(6))
def test_interquartile_mean_with_shares(seed: int) -> None:
    rng = np.random.default_rng(seed)
    runs = rng.permutation(np.arange(15 * 6)).reshape(15, 6).astype(float)
    runs[rng.random(runs.shape) < 0.4] = np.nan
    runs[:, 0] = np.arange(15) * 7 + 0.5
    equal, of_tasks = [Fraction(1, 15)] * 15, [Fraction(1, 3 * TASKS.count(task)) for task in TASKS]
    assert trimmed_mean(runs, True).value == pytest.approx(slow_interquartile_mean(runs, equal), rel=1e-12)
    found = trimmed_mean(runs, True, np.array([float(share) for share in of_tasks]))
    assert found.value == pytest.approx(slow_interquartile_mean(runs, of_tasks), rel=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_as_many_runs_of_each_are_drawn_whatever_the_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    runs = rng.normal(size=(6, 3, 5))
    runs[rng.random(runs.shape) < 0.3] = np.nan
    runs[:, :, 0] = rng.normal(size=(6, 3))
    names, groups = ["A", "B", "C"], np.arange(6)
    drawn = drawn_evenly(runs, names, groups, 1)
    least = (~np.isnan(runs)).sum(axis=2).min(axis=1)
    assert (drawn.sum(axis=2) == least[:, None]).all()
    assert not np.isnan(runs[drawn]).any()
    rows, columns = rng.permutation(6), rng.permutation(3)
    turned = drawn_evenly(runs[rows][:, columns], [names[j] for j in columns], groups, 1)
    assert (turned == drawn[rows][:, columns]).all()
    kept, again = (
        np.sort(np.where(d, r, np.inf), axis=2) for d, r in ((drawn, runs), (turned, runs[rows][:, columns]))
    )
    assert (again == kept[rows][:, columns]).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_lag_1_correlation_of_rows_in_time(seed: int) -> None:
    """r = Σ e_t e_{t+1}/Σ e_t² of an algorithm's scores less the mean of all; the rows may stand in any order."""
    rng = np.random.default_rng(seed)
    values = np.column_stack([np.cumsum(rng.normal(size=40)), rng.normal(size=40)])
    rows = rng.permutation(40)
    scores = bo.Scores(values[rows], better="lower", order=rows.tolist())
    away = [x - (x + y) / 2 for x, y in values.tolist()]
    centre = sum(away) / 40
    r = sum((away[t] - centre) * (away[t + 1] - centre) for t in range(39)) / sum((x - centre) ** 2 for x in away)
    with pytest.raises(bo.BakeoffError, match=rf"lag-1 correlation {r:.2f}\)"):
        bo.compare(scores)


@pytest.mark.slow
def test_independent_rows_in_time_are_hardly_refused() -> None:
    """One-sided at .023: at most .023 + 4 standard errors of 300 tables; of a random walk, nearly all are."""
    refused, tables = {False: 0, True: 0}, {False: 300, True: 100}
    rng = np.random.default_rng(0)
    for walk in (False, True):
        for _ in range(tables[walk]):
            noise = rng.normal(size=(60, 3))
            values = np.cumsum(noise, axis=0) if walk else noise
            try:
                bo.evaluate(bo.Scores(values, better="lower", order=range(60)), n_resamples=99)
            except bo.BakeoffError:
                refused[walk] += 1
    assert refused[False] <= 300 * (0.023 + 4 * (0.023 * 0.977 / 300) ** 0.5)
    assert refused[True] >= 98
