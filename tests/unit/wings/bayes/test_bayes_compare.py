"""What ``bo.bayes.compare`` promises beside its numbers: symmetry, bounds, decisions, cautions, errors."""

from __future__ import annotations

import dataclasses
import itertools
import os

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, TooLargeError, WrongTypeError
from bakeoff.wings.bayes.dirichlet import weights
from bakeoff.wings.bayes.statements import sign_statements
from bakeoff.wings.bayes.statements.joint_probability import joint_probabilities


def table(seed: int = 0, n: int = 12, k: int = 5, step: float = 0.6) -> bo.Scores:
    rng = np.random.default_rng(seed)
    return bo.Scores(np.round(rng.normal(size=(n, k)) + step * np.arange(k), 1), better="lower")


def key(found: bo.bayes.JointComparison) -> list[tuple[object, ...]]:
    return [dataclasses.astuple(x) for x in found.statements]


def test_rows_and_columns_may_come_in_any_order() -> None:
    s = table()
    found = bo.bayes.compare(s, n_draws=3000, prior="flat")
    turned = s.select(algorithms=s.algorithms[::-1], problems=np.random.default_rng(1).permutation(s.problems).tolist())
    again = bo.bayes.compare(turned, n_draws=3000, prior="flat")
    assert key(found) == key(again)
    assert set(found.order) == set(again.order)
    assert found.joint == again.joint


def test_direction_is_data() -> None:
    s = table(1)
    other = bo.Scores(-s.values, s.algorithms, s.problems, better="higher")
    assert key(bo.bayes.compare(s, n_draws=1000)) == key(bo.bayes.compare(other, n_draws=1000))


def test_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    s = table(2)
    found = []
    for n in (1, 3, 7):
        monkeypatch.setattr(os, "cpu_count", lambda n=n: n)
        found.append(key(bo.bayes.compare(s, n_draws=30_000)))
    assert found[0] == found[1] == found[2]


def test_the_prior_at_equality_drops_out() -> None:
    """Theorem 2: s does not matter, neither for one statement nor for several."""
    found = [key(bo.bayes.compare(table(3), p, n_draws=5000, prior="flat")) for p in (0.0, 1.0, 50.0)]
    assert found[0] == found[1] == found[2]  # even the draws: problems' weights come before the prior's


@pytest.mark.parametrize("prior", ["equal", "ignorance"])
@pytest.mark.parametrize("seed", range(12))
def test_probabilities_are_coherent(seed: int, prior: str) -> None:
    s = table(seed, n=3 + seed, k=4, step=0.3 * (seed % 4))
    found = bo.bayes.compare(s, n_draws=700, rng=seed, prior=prior)  # type: ignore[arg-type]
    joints = [x.joint for x in found.statements]
    assert all(a >= b for a, b in itertools.pairwise(joints))
    assert all(a.probability >= b.probability for a, b in itertools.pairwise(found.statements))
    error = 0.0
    for x in found.statements:
        error += 1 - x.probability
        assert max(0.0, 1 - error) - 1e-12 <= x.joint <= x.probability  # Bonferroni, Fréchet
        assert x.probability >= 0.5
        assert x.joint_standard_error >= 0
        if x.probability_bounds and x.joint_bounds:
            assert x.probability_bounds[0] <= x.probability <= x.probability_bounds[1]
            assert x.joint_bounds[0] <= x.joint <= x.joint_bounds[1]
    flags = [x.accepted for x in found.statements]
    few = [prior == "equal" and x.losses == 0 and 0.5**x.wins >= 0.05 and x.wins > 0 for x in found.statements]
    assert all(x.verdict == "indeterminate" for x, from_few in zip(found.statements, few, strict=True) if from_few)
    deciding = [x.joint if prior == "equal" else (x.joint_bounds or (0, 0))[0] for x in found.statements]
    assert flags == [d > 0.95 and not from_few for d, from_few in zip(deciding, few, strict=True)]
    assert sum(flags) == found.n_accepted
    assert len(found.statements) == 6


def test_first_joint_is_exact() -> None:
    for seed in range(5):
        x = bo.bayes.compare(table(seed, step=0.1), n_draws=200).statements[0]
        assert (x.joint, x.joint_standard_error) == (x.probability, 0.0)


def test_two_algorithms_need_no_draw() -> None:
    found = bo.bayes.compare(table(k=2))
    assert (found.method, found.n_draws) == ("exact", 0)
    assert found.statements[0].joint == found.statements[0].probability


def test_equal_columns_are_never_accepted() -> None:
    s = bo.Scores([[1, 1, 2]] * 30, algorithms=["b", "a", "c"], better="lower")
    found = bo.bayes.compare(s, gamma=0.9, prior="flat")
    last = found.statements[-1]
    assert (last.better, last.worse, last.probability, last.accepted) == ("a", "b", 0.5, False)
    assert found.n_accepted == 2
    assert last.joint == 0.5  # the others are certain, this is a coin
    assert found.maximal == ("b", "a")
    assert "nothing-differs (statements)" in [c.name for c in found.cautions]


def test_all_ties_and_one_problem() -> None:
    s = bo.Scores(np.ones((4, 3)), better="lower")
    found = bo.bayes.compare(s, gamma=0.99)
    assert [x.joint for x in found.statements] == [0.5, 0.25, 0.125]
    assert found.order == ()
    assert found.joint == 1.0
    ignorant = bo.bayes.compare(s, prior="ignorance")
    assert all(x.joint_bounds == (0.0, 1.0) == x.probability_bounds for x in ignorant.statements)
    assert {x.verdict for x in ignorant.statements} == {"indeterminate"}
    one = bo.bayes.compare(bo.Scores([[1, 2, 3]], better="lower"))
    assert (one.n_accepted, one.joint, one.order) == (0, 1.0, ())
    assert [x.verdict for x in one.statements] == ["indeterminate"] * 3
    assert [c.code for c in one.cautions] == ["certainty"]
    careful = bo.bayes.compare(bo.Scores([[1, 2, 3]], better="lower"), prior="ignorance")
    assert [x.verdict for x in careful.statements] == ["indeterminate"] * 3
    assert careful.statements[0].probability_bounds == (0.5, 1.0)  # gamma(1) > gamma(1)


def test_balanced_pairs_are_never_accepted() -> None:
    s = bo.Scores([[0, 1], [1, 0]], better="lower")
    found = bo.bayes.compare(s, gamma=0.9)
    assert (found.statements[0].probability, found.statements[0].accepted) == (0.5, False)
    assert found.statements[0].better == "A1"


def test_infinite_scores_are_ordered() -> None:
    found = bo.bayes.compare(bo.Scores([[1, np.inf, np.inf]] * 9, better="lower"))
    assert [(x.wins, x.losses, x.ties) for x in found.statements] == [(9, 0, 0), (9, 0, 0), (0, 0, 9)]


def test_means_over_runs_tie_on_decimals() -> None:
    runs = [[[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.2, 0.2]]] * 3
    found = bo.bayes.compare(bo.Scores(runs, better="lower"))
    assert all(x.ties == 3 for x in found.statements)


@pytest.mark.slow
def test_draws_until_decided_and_a_caution_otherwise() -> None:
    s = bo.Scores([[0, 1, 2]] * 20 + [[2, 1, 0]] * 10, better="lower")
    joint = bo.bayes.compare(s, n_draws=400_000).statements[1].joint  # the two statements are one event with a third
    found = bo.bayes.compare(s, gamma=1 - joint)
    assert found.n_draws >= 20_000
    exact = bo.bayes.compare(s, n_draws=777)
    assert exact.n_draws == 777
    rng = np.random.default_rng(5)
    crowded = bo.Scores(rng.normal(size=(30, 8)) + 0.4 * np.arange(8), better="lower")
    joints = [x.joint for x in bo.bayes.compare(crowded, n_draws=200).statements]
    near = next(j for j in joints if 0.3 < j < 0.8)
    few = bo.bayes.compare(crowded, gamma=1 - near, n_draws=200)
    assert "sampled (statements)" in [c.name for c in few.cautions]


def test_large_tables_draw_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_statements, "MOST_WORK", 1)
    assert bo.bayes.compare(table(4, n=7, k=6, step=0.2)).n_draws == sign_statements.FEWEST_DRAWS


@pytest.mark.slow
def test_equal_problems_share_one_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same law by fewer random numbers: within the Monte Carlo error of weighing every problem."""
    rng = np.random.default_rng(6)
    s = bo.Scores(rng.integers(0, 3, size=(400, 3)) + 0.12 * np.arange(3), better="lower")
    for prior in ("equal", "ignorance"):
        found = bo.bayes.compare(s, 3.0, n_draws=20_000, prior=prior)  # type: ignore[arg-type]
        with monkeypatch.context() as patch:
            patch.setattr(weights, "MANY_PROBLEMS", 10**9)
            slow = bo.bayes.compare(s, 3.0, n_draws=20_000, prior=prior)  # type: ignore[arg-type]
        for x, y in zip(found.statements, slow.statements, strict=True):
            assert x.probability == y.probability
            assert abs(x.joint - y.joint) <= 5 * (x.joint_standard_error + y.joint_standard_error)
            for p, q in zip(x.joint_bounds or (), y.joint_bounds or (), strict=True):
                assert abs(p - q) <= 0.03
    turned = s.select(algorithms=[2, 0, 1], problems=rng.permutation(s.problems).tolist())
    assert key(bo.bayes.compare(turned, 3.0, n_draws=20_000, prior="ignorance")) == key(found)


def test_errors() -> None:
    s = table()
    for bad in (-1, np.inf):
        with pytest.raises(ParameterError, match="prior_strength"):
            bo.bayes.compare(s, prior_strength=bad)
    for level in (0, 1, 2):
        with pytest.raises(ParameterError, match="gamma"):
            bo.bayes.compare(s, gamma=level)
    with pytest.raises(ParameterError, match="n_draws"):
        bo.bayes.compare(s, n_draws=5)
    with pytest.raises(ParameterError, match="prior must be"):
        bo.bayes.compare(s, prior="shrunk")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="rng"):
        bo.bayes.compare(s, rng=-1)
    with pytest.raises(WrongTypeError):
        bo.bayes.compare(s.values)  # type: ignore[arg-type]
    with pytest.raises(TooLargeError, match="at most 1000"):
        bo.bayes.compare(bo.Scores(np.zeros((1, 1001)), better="lower"))


def test_estimates_keep_within_their_bounds() -> None:
    failures = np.array([30, 0, 70])  # 70 of 100 draws hold both
    found = joint_probabilities(failures, np.zeros(2, dtype=bool), np.array([0.2, 0.1]))
    assert found.probability.tolist() == [0.8, pytest.approx(0.7)]
    assert found.standard_error[0] == 0
    assert found.high.tolist() == [0.8, 0.8]
