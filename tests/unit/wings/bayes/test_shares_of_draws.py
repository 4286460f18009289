"""No share of draws is reported as 0 or 1, and everything drawn has a Monte Carlo error."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.nulls.tails import drawn_share

CLEAR = bo.Scores([[1, 2, 3]] * 38 + [[3, 2, 1]] * 2, ["best", "second", "third"], better="lower")
RUNS = bo.Scores(
    np.random.default_rng(0).normal(size=(8, 2, 6)) + np.array([0.0, 4.0])[:, None], ["a", "b"], better="lower"
)


def inside(values: object) -> bool:
    found = np.asarray(values, dtype=float)
    return bool(np.all((found > 0) & (found < 1)))


def test_the_estimate() -> None:
    assert drawn_share(0, 100) == 0.5 / 101
    assert drawn_share([0, 0, 100], 100, 3).tolist() == pytest.approx([1 / 303, 1 / 303, 301 / 303])
    assert drawn_share([[7, 0, 3], [3, 0, 7], [0, 10, 0]], 10, 3).sum(axis=0) == pytest.approx([1, 1, 1])


def test_signed_ranks() -> None:
    """38 wins of 40 were reported as 1.0."""
    for rope in (0.0, 0.5):
        found = bo.bayes.signed_rank(CLEAR, "best", "second", rope=rope, n_draws=1000)
        assert found.method == "monte-carlo"
        assert inside(found.p_better)
        assert found.p_better > 0.999
        assert found.p_better + found.p_equivalent + found.p_worse == pytest.approx(1)
    assert bo.bayes.signed_rank(bo.Scores([[1, 2]] * 9, better="lower"), 0, 1).p_better == 1  # known without drawing
    # beyond the rope on one side only: the other side is impossible
    one_side = bo.Scores([[0, 0.01 * i] for i in range(20)], better="lower")
    assert bo.bayes.signed_rank(one_side, 0, 1, rope=0.05, n_draws=500).p_worse == 0


def test_places_and_losses() -> None:
    found = bo.bayes.rank_probabilities(CLEAR, n_draws=1000)
    assert inside(found.p_best)
    assert inside(found.p_rank)
    assert found.p_rank.sum(axis=0) == pytest.approx(np.ones(3))
    assert found.p_rank.sum(axis=1) == pytest.approx(np.ones(3))
    assert (found.standard_error > 0).all()
    assert (found.loss_standard_error > 0).all()


def test_joint_statements_and_runs() -> None:
    rng = np.random.default_rng(3)
    many = bo.Scores(rng.normal(size=(10, 8)), better="lower")
    assert inside([s.joint for s in bo.bayes.compare(many, n_draws=200).statements])
    table = bo.Scores(rng.normal(size=(1, 3, 20)) + 2.0 * np.arange(3)[:, None], better="lower")
    found = bo.bayes.kruskal_wallis(table, n_draws=200)
    drawn = found.p_better_standard_error > 0
    assert inside(found.p_better[drawn])
    over = bo.bayes.repeated_runs(RUNS, n_draws=200)
    assert inside(over.p_better[over.p_better_standard_error > 0])


@pytest.mark.slow
def test_the_region() -> None:
    found = bo.bayes.friedman(CLEAR, region="exact", n_draws=1000)
    assert inside(found.probability)
    assert found.rejected
    for gamma in (0.01, 0.033, 0.4, 0.999):
        for seed in range(20):
            s = bo.Scores(np.random.default_rng(seed).normal(size=(30, 3)), better="lower")
            one = bo.bayes.friedman(s, gamma=gamma, region="exact", n_draws=100 + seed)
            assert one.rejected == (one.statistic > one.critical_value) == (one.probability > 1 - gamma)


@pytest.mark.slow
def test_the_hierarchical_model() -> None:
    found = bo.bayes.hierarchical(RUNS, "a", "b", rope=0.1, correlation=0, n_draws=320)
    assert inside([found.p_better, found.p_equivalent, found.p_worse])
    assert inside(found.average)
    assert inside(found.problem_shares)
    assert found.problem_shares.sum(axis=1) == pytest.approx(np.ones(8))
    assert found.standard_error > 0
    assert min(found.average_standard_error) > 0
    assert min(found.next_problem_standard_error) > 0
    plain = bo.bayes.hierarchical(RUNS, "a", "b", correlation=0, n_draws=320)
    assert (plain.average[1], plain.average_standard_error[1]) == (0.0, 0.0)
    point = bo.bayes.hierarchical(bo.Scores(np.ones((3, 2, 4)), better="lower"), 0, 1, correlation=0)
    assert (point.average, point.average_standard_error) == ((0.5, 0.0, 0.5), (0.0, 0.0, 0.0))


@pytest.mark.exhaustive
def test_errors_of_the_hierarchical_model_are_those_of_repetition() -> None:
    """Over seeds the averages scatter as their standard errors say."""
    near = bo.Scores(np.random.default_rng(1).normal(size=(6, 2, 5)), better="lower")
    found = [bo.bayes.hierarchical(near, 0, 1, rope=0.2, correlation=0, n_draws=800, rng=seed) for seed in range(12)]
    for name in ("average", "next_problem"):
        p, errors = (np.array([getattr(f, name + end) for f in found]) for end in ("", "_standard_error"))
        ratio = p.std(axis=0, ddof=1) / errors.mean(axis=0)
        assert ((ratio > 0.45) & (ratio < 1.8)).all(), (name, ratio)


def test_json_and_csv(tmp_path: Path) -> None:
    overview = bo.bayes.overview(CLEAR, n_draws=1000)
    overview.save(tmp_path / "o.json")
    content = json.loads((tmp_path / "o.json").read_text())
    assert inside(list(content["ranks"]["p_best"].values()))
    assert inside([p["signed_rank"]["p_better"] for p in content["pairs"]])
    overview.save(tmp_path / "o.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "o.csv").read_text())))
    assert inside([float(row["signed_rank_p_better"]) for row in rows])
