"""Cautions where mean ranks and majorities disagree, on the tables that showed that they may."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from racers import experiment

BORDA = bo.Scores(([[1, 2, 3, 4, 5]] * 14 + [[5, 1, 2, 3, 4]] * 6) * 10, ["C", "B", "x", "y", "z"], better="lower")


def codes(result: bo.race.replay) -> set[str]:  # type: ignore[valid-type]
    return {caution.code for caution in result.cautions}  # type: ignore[attr-defined]


def test_the_better_mean_rank_was_eliminated() -> None:
    """C wins 70 % of the problems against everybody, B has the better mean rank (1.7 against 2.2)."""
    for order in range(10):
        result = bo.race.replay(BORDA, order=order)
        assert (result.survivors, result.best) == (("C",), "C")
        (caution,) = [c for c in result.cautions if c.code == "mean-rank-conflict"]
        assert "'B' (1.70 against 2.20 on 200 problems)" in caution.text
        assert "'x'" not in caution.text


@pytest.mark.slow
def test_a_race_that_makes_its_runs_knows_only_those() -> None:
    values = {name: BORDA.values[:, i] for i, name in enumerate(BORDA.algorithms)}
    problems = {f"p{i}": i for i in range(200)}
    found = 0
    for seed in range(5):
        asked = bo.Experiment(
            {name: lambda p, rng, v=v: float(v[p]) for name, v in values.items()}, problems, better="lower", seed=seed
        )
        found += "mean-rank-conflict" in codes(bo.race(asked))
    assert found >= 2


@pytest.mark.slow
def test_no_conflict_where_everything_agrees() -> None:
    for seed in range(5):
        assert not codes(bo.race(experiment(seed=seed, n=60))) & {"mean-rank-conflict", "cycle"}


@pytest.mark.slow
def test_majorities_in_a_circle() -> None:
    """A beats B, B beats C and C beats A with probability 2/3: no best candidate, and one is left all the same."""
    rows = np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2]])
    for seed in range(20):
        draws = np.random.default_rng(seed).integers(0, 3, 500)
        result = bo.race.replay(bo.Scores(rows[draws], ["A", "B", "C"], better="lower"), order="given")
        (caution,) = [c for c in result.cautions if c.code == "cycle"]
        for i, j in ("AB", "BC", "CA"):
            a, b = rows[draws].T["ABC".index(i)], rows[draws].T["ABC".index(j)]
            assert f"'{i}' beats '{j}' ({(a < b).sum()}–{(b < a).sum()})" in caution.text
    assert len(result.survivors) == 1


@pytest.mark.slow
@pytest.mark.parametrize("more", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_circles_by_chance_are_rare(more: int) -> None:
    """Equal candidates have majorities in circles by chance, which are not reported."""
    found = 0
    for q, races in ((3, 10 * more), (10, 8 * more), (40, 3 * more)):
        for seed in range(races):
            scores = bo.Scores(np.random.default_rng(seed).normal(size=(200, q)), better="lower")
            found += "cycle" in codes(bo.race.replay(scores))
    assert found <= more // 2


def test_several_metrics_have_no_circle() -> None:
    rows = np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2]] * 50)
    scores = bo.Scores(rows, better="lower")
    assert "cycle" not in codes(bo.race.replay({"one": scores, "two": scores}))


def test_many_circles_are_counted() -> None:
    n = 5
    base = np.arange(n)
    rows = np.array([np.roll(base, k) for k in range(n)] * 60)
    result = bo.race.replay(bo.Scores(rows, better="lower"))
    (caution,) = [c for c in result.cautions if c.code == "cycle"]
    wins = (rows[:, :, None] < rows[:, None, :]).sum(axis=0)
    assert (wins[0, 1], wins[1, 0]) in ((240, 60), (60, 240))
    assert "such cycles" in caution.text
