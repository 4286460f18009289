"""Curves of tables with tasks, weights, clusters, runs inside runs, and unequal numbers of runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.wings.curves.curves.statistics.results import curve_estimand

BUDGETS = (1, 2, 4)


def rows(
    sizes: tuple[int, ...] = (8, 4), runs: int = 2, inner: int = 1, lead: tuple[float, ...] = (1.0, -1.0), seed: int = 0
) -> list[dict[str, Any]]:
    """B is ahead by ``lead`` on the problems of each task."""
    rng = np.random.default_rng(seed)
    return [
        {
            "suite": f"t{t}",
            "problem": str(i),
            "algorithm": a,
            "seed": r,
            "episode": e,
            "budget": b,
            "score": 5 - (a == "B") * lead[t] + rng.normal(scale=0.3),
        }
        for t, size in enumerate(sizes)
        for i in range(size)
        for a in "AB"
        for r in range(runs)
        for e in range(inner)
        for b in BUDGETS
    ]


def curves(table: list[dict[str, Any]], **more: Any) -> bo.Curves:
    return bo.curves(table, **({"better": "lower", "run": "seed", "task": "suite", "best_so_far": False} | more))


@pytest.mark.parametrize("over", ["problems", "runs"])
def test_tasks_count_equally_and_problems_if_they_are_asked_for(over: str) -> None:
    by_task, by_problem = curves(rows(), over=over), curves(rows(), over=over, weights="problems")
    each = by_task.table.values
    tasks = np.stack([each[:8].mean(axis=0), each[8:].mean(axis=0)]).mean(axis=0)
    assert by_task.means == pytest.approx(tasks, rel=1e-12)
    assert by_task.pairs[0].difference == pytest.approx(tasks[1] - tasks[0], rel=1e-9)
    assert by_problem.pairs[0].difference == pytest.approx((each[:, 1] - each[:, 0]).mean(axis=0), rel=1e-9)
    assert "t0/3" in by_task.table.problems
    assert "over 2 tasks (8 and 4 problems), each task counting the same" in curve_estimand(by_task).sentence
    assert "over 12 problems, each problem counting the same" in curve_estimand(by_problem).sentence


@pytest.mark.parametrize("more", [{}, {"weights": "problems"}, {"over": "runs"}, {"run": "seed,episode"}])
def test_its_report_is_computed_again(more: dict[str, Any]) -> None:
    found = curves(rows(inner=2 if "run" in more else 1), **more)
    again = bo.verify(found.to_dict())
    assert again.ok, again.differences


def test_errors_over_runs_are_those_of_the_weights() -> None:
    """Σ w² s²/r, literally, at the last budget."""
    table = rows(runs=4)
    statistic = curves(table, over="runs").pairs[0].statistic[-1]
    cells: dict[tuple[str, str, str], list[float]] = {}
    for r in table:
        if r["budget"] == BUDGETS[-1]:
            cells.setdefault((r["suite"], r["problem"], r["algorithm"]), []).append(r["score"])
    weights = {"t0": 1 / 16, "t1": 1 / 8}
    variance = sum(weights[key[0]] ** 2 * np.var(x, ddof=1) / len(x) for key, x in cells.items())
    lead = sum(weights[key[0]] * (1 if key[2] == "B" else -1) * np.mean(x) for key, x in cells.items())
    assert statistic == pytest.approx(lead / np.sqrt(variance), rel=1e-9)


def test_a_task_of_one_problem_cannot_tell() -> None:
    found = curves(rows((8, 1), lead=(1.0, 1.0)))
    assert found.pairs[0].verdict == "cannot tell"
    assert "out-of-reach (one-of-a-task)" in [c.name for c in found.cautions]
    assert curves(rows((8, 1), lead=(1.0, 1.0)), weights="problems").decision == "difference"


def test_clusters_do_not_cross_tasks_and_decide_nothing_alone() -> None:
    table = [r | {"family": r["problem"]} for r in rows((6, 6))]
    with pytest.raises(ScoreError, match="several tasks"):
        curves(table, cluster="family")
    table = [r | {"family": "big" if int(r["problem"]) < 40 else r["problem"]} for r in rows((48,), lead=(1.0,))]
    found = curves(table, cluster="family", task=None)
    assert found.pairs[0].verdict == "cannot tell"
    assert "unequal (clusters)" in [c.name for c in found.cautions]


def test_weights_that_decide_are_said() -> None:
    found = curves(rows((12, 4), lead=(1.0, -1.5)))
    assert "weights-decide" in [c.code for c in found.cautions]


def test_weights_of_groups_that_are_not_there() -> None:
    with pytest.raises(ParameterError, match="cluster"):
        curves(rows(), weights="clusters")


@pytest.mark.parametrize("weights", [None, "tasks", "problems", "clusters"])
def test_interquartile_means_along_the_budget_have_the_weights(weights: str | None) -> None:
    """Those of ``interquartile_mean`` at a budget."""
    table = [r | {"family": f"{r['suite']}{int(r['problem']) // 3}"} for r in rows(runs=4)]
    found = curves(table, over="runs", interquartile=True, weights=weights, cluster="family")
    assert found.table.design.weights == (weights or "tasks")
    for at, budget in enumerate(BUDGETS):
        scores = found.fixed_budget(budget).with_design(weights=weights)
        alone = bo.interquartile_mean(scores, over="runs")
        for one in found.interquartile:
            estimate = next(each for each in alone.estimates if each.algorithm == one.algorithm)
            assert one.mean[at] == pytest.approx(estimate.iqm, rel=1e-12)
            assert (one.low[at], one.high[at]) == pytest.approx(estimate.interval, rel=1e-9)
    assert bo.verify(found.to_dict()).ok


def test_runs_inside_runs_are_averaged_first() -> None:
    table = rows(inner=3)
    found = curves(table, run="seed,episode")
    assert found.table.n_runs == (2, 2)
    means: dict[tuple[Any, ...], list[float]] = {}
    for r in table:
        means.setdefault(tuple(r[k] for k in ("suite", "problem", "algorithm", "seed", "budget")), []).append(
            r["score"]
        )
    flat = [
        dict(zip(("suite", "problem", "algorithm", "seed", "budget"), key, strict=True)) | {"score": np.mean(x)}
        for key, x in means.items()
    ]
    by_hand = curves(flat)
    assert found.table.values == pytest.approx(by_hand.table.values, rel=1e-12)
    assert found.pairs[0].adjusted.tolist() == by_hand.pairs[0].adjusted.tolist()
    assert found.fixed_budget(2).n_runs.max() == 2
    assert "each score is the mean of 2 runs, each the mean over episode" in curve_estimand(found).sentence
    over_runs = curves(table, run="seed,episode", over="runs")
    assert over_runs.n_units == 24
    assert over_runs.pairs[0].pvalue == pytest.approx(curves(flat, over="runs").pairs[0].pvalue, rel=1e-9)


def test_inner_runs_with_budgets_of_their_own_are_steps() -> None:
    inner = {0: ((1, 9.0), (4, 3.0)), 1: ((2, 7.0), (5, 1.0))}
    table = [
        {"problem": p, "algorithm": a, "seed": 0, "episode": e, "budget": b, "score": y + (a == "B")}
        for p in "pqr"
        for a in "AB"
        for e, steps in inner.items()
        for b, y in steps
    ]
    found = bo.curves(table, run="seed,episode", better="lower")
    assert found.t.tolist() == [2, 4]  # from the latest start to the first end
    assert found.means[0].tolist() == [8.0, 5.0]


def test_as_many_runs_of_each_are_drawn_over_problems() -> None:
    table = rows((12,), runs=6, lead=(1.0,))
    few = [r for r in table if r["algorithm"] == "A" or r["seed"] < 2]
    found = curves(few, task=None)
    assert "unequal (drawn-runs)" in [c.name for c in found.cautions]
    assert found.table.n_runs == (2, 2)
    whole = curves(table, task=None)
    assert found.table.values[:, 1] == pytest.approx(
        curves([r for r in table if r["seed"] < 2], task=None).table.values[:, 1]
    )
    assert "unequal (drawn-runs)" not in [c.name for c in whole.cautions]
    shuffled = [few[i] for i in np.random.default_rng(1).permutation(len(few))]
    assert curves(shuffled, task=None).pairs[0].adjusted.tolist() == found.pairs[0].adjusted.tolist()
    assert curves(few, task=None, over="runs").table.n_runs == (2, 6)
    assert found.fixed_budget(2).n_runs.max() == 6
    assert bo.verify(found.to_dict()).ok
