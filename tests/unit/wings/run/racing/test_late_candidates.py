"""Candidates that join a race after its start: who meets whom, what is counted, and that the guarantee holds."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, ParameterError
from bakeoff.wings.run.racing.pair_evidence import horizon_grid, log_pair_evidence
from bakeoff.wings.run.racing.rules.e_sign import SignRace
from benchmarks import races

NAMES = ("a", "b", "new", "c")


def table(n: int = 60, seed: int = 0) -> bo.Scores:
    """``new`` is best, the others are equal."""
    values = np.random.default_rng(seed).normal([0.0, 0.0, -2.0, 0.0], 1.0, (n, 4))
    return bo.Scores(values, NAMES, better="lower")


def test_a_late_candidate_is_compared_from_its_first_problem_on() -> None:
    r = bo.race.replay(table(), late={"new": 23})
    assert r.algorithms == ("a", "b", "c", "new")
    paths = {p.algorithm: p for p in r.paths}
    assert paths["a"].n_problems[:6].tolist() == [5, 10, 15, 20, 23, 28]  # the block before it joins is cut
    assert paths["new"].n_problems[0] == 28
    assert r.survivors == ("new",)
    assert r.discoveries is None
    assert "late-candidates" in [c.code for c in r.cautions]
    assert r.full_evaluations == 3 * 60 + 37
    assert r.full_cost == r.full_evaluations
    assert r.evaluations == sum((p.n_problems[-1] - start) for p, start in zip(r.paths, (0, 0, 0, 23), strict=True))


def test_a_replay_is_the_rule_fed_by_hand() -> None:
    scores = table(seed=4)
    r = bo.race.replay(scores, order="given", block=10, late={"new": 10, "c": 20})
    by_hand, costs = SignRace(2, 0.05, grid=horizon_grid(60)), scores.values[:, [0, 1, 2, 3]]
    for i in range(6):
        if i in (1, 2):
            by_hand.admit()
        if len(by_hand.alive) > 1:
            by_hand.observe(costs[10 * i : 10 * i + 10][:, by_hand.alive])
    assert [(r.algorithms.index(e.algorithm), e.n_problems) for e in r.eliminated] == [
        (e.candidate, e.n_problems) for e in by_hand.eliminations
    ]
    assert [e.evidence for e in r.eliminated] == [e.evidence for e in by_hand.eliminations]


def test_a_single_survivor_waits_for_the_next_candidate() -> None:
    """One after 7 problems (block 1): then the late one joins, without problems being spent on nobody."""
    values = np.array([[1.0, 2.0, 0.0]] * 40)
    r = bo.race.replay(bo.Scores(values, better="lower"), block=1, late={"A3": 30})
    assert [(e.algorithm, e.n_problems) for e in r.eliminated] == [("A2", 7), ("A1", r.n_problems)]
    assert {p.algorithm: p.n_problems[0] for p in r.paths}["A3"] == 8
    assert r.survivors == ("A3",)


@pytest.mark.parametrize("n", [2, 3])
def test_evidence_against_a_single_survivor_is_kept_for_the_next_candidate(n: int) -> None:
    """E/2 of the accounts and E/E(2, 0)/2 of the leader's, which is idle in the first block."""
    rule = SignRace(n)
    rule.observe(np.array([[3.0, 2.0, 2.0][:n]] * 2))  # two losses of the one that then wins
    rule.observe(np.array([[0.0, 1.0, 1.0][:n]] * 20))
    assert len(rule.alive) == 1
    rule.admit()
    whole, first = np.exp(log_pair_evidence([2, 2], [20, 0], rule.grid)).tolist()
    assert rule.evidence.tolist() == pytest.approx([whole / 2 + whole / first / 2, 1.0])


def test_a_race_may_end_before_a_candidate_joins() -> None:
    r = bo.race.replay(table(), budget=30, late={"new": 50})
    assert r.stopped == "budget"
    assert r.algorithms == ("a", "b", "c")
    (caution,) = [c for c in r.cautions if c.code == "late-candidates"]
    assert "before 'new' could join" in caution.text
    assert r.discoveries is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"late": {"nwe": 5}}, "late: no candidate is called 'nwe'; did you mean 'new'"),
        ({"late": {"new": 0}}, r"late\['new'\] must be a whole number between 1 and 59"),
        ({"late": {"new": 60}}, r"late\['new'\] must be a whole number between 1 and 59"),
        ({"late": {"new": 5, "b": 5, "c": 5}}, "late must leave at least 2 candidates"),
        ({"late": ["new"]}, "late must map names"),
        ({"late": {"new": 5}, "method": "f-race-sign"}, "takes no candidates once the race has begun"),
        ({"late": {"new": 5}, "strict": True}, "at the start"),
        ({"late": {"new": 5}, "equivalence": 0.05}, "at the start"),
    ],
)
def test_late_candidates_that_cannot_be(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(BakeoffError, match=said) as caught:
        bo.race.replay(table(), **arguments)  # type: ignore[arg-type]
    assert str(caught.value.parameter).startswith("late")


def test_several_metrics_take_no_late_candidates() -> None:
    with pytest.raises(ParameterError, match="takes no candidates"):
        bo.race.replay({"error": table(), "time": table(seed=1)}, late={"new": 5})


@pytest.mark.slow
def test_no_best_one_is_eliminated_more_often_than_alpha() -> None:
    """All equal, alpha 0.2, two of five join late: of those there from the start and of the late ones alike."""
    rng = np.random.default_rng(11)
    races, alpha = 400, 0.2
    lost = np.zeros(2)
    for _ in range(races):
        scores = bo.Scores(rng.normal(size=(120, 5)), better="lower")
        r = bo.race.replay(scores, alpha=alpha, order="given", late={"A4": 30, "A5": 30})
        gone = {e.algorithm for e in r.eliminated}
        lost += ["A1" in gone, "A5" in gone]
    assert np.all(lost / races <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / races))
    assert np.all(lost > 0), "the test could not fail"


@pytest.mark.slow
def test_the_study_of_errors_knows_late_candidates() -> None:
    found = races.race_errors("e-sign", 6, n_late=2, late_after=20, n_problems=100, repetitions=200, alpha=0.2, rng=3)
    assert found.lost <= 0.2 + 3 * math.sqrt(0.2 * 0.8 / 200)
    assert (found.n_late, found.late_after) == (2, 20)
    for options, said in (({"n_late": 5}, "n_late"), ({"n_late": 1, "method": "irace"}, "late")):
        with pytest.raises(ParameterError, match=said):
            races.race_errors(**{"method": "e-sign", "n_candidates": 6, **options})
