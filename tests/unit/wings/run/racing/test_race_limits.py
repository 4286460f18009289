"""Races at the edge of what can be asked: very large blocks, words in place of yes and no, options that are not one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError
from bakeoff.wings.run.racing.record import RaceRecord
from bakeoff.wings.run.racing.results import EliminatedCandidate
from bakeoff.wings.run.racing.rules.e_sign import SignRace
from bakeoff.wings.run.racing.rules.rule import make_rule
from benchmarks import races
from benchmarks.races.rules.irace import IteratedRace

CEC = bo.datasets.load("derrac_cec2005")
replay = bo.race.replay


@pytest.mark.parametrize("options", [{}, {"strict": True}, {"equivalence": 0.05}])
def test_a_block_of_thousands_of_wins_overflows_nothing(options: dict[str, object]) -> None:
    """1.9^3000 is beyond the largest number: such evidence counts as 1e300 or less, and is never NaN."""
    costs = np.column_stack([np.zeros(3000), np.ones(3000), np.full(3000, 2.0)])
    rule = SignRace(3, 1e-290, **options)  # type: ignore[arg-type]
    left = rule.observe(costs) + (rule.observe(costs[:, rule.alive]) if len(rule.alive) > 1 else [])
    assert rule.alive.tolist() == [0]
    assert all(np.isfinite(leaver.evidence) for leaver in left)
    table = bo.Scores(np.tile(costs[:1], (3000, 1)), better="lower")
    assert replay(table, block=3000, **options).survivors == ("A1",)


@pytest.mark.parametrize(
    ("method", "option"),
    [("e-sign", "strict"), ("f-race-sign", "gate"), ("f-race-mean-ranks", "gate"), ("bayes", "guard")],
)
def test_no_is_not_taken_for_yes(method: str, option: str) -> None:
    """``bakeoff race --option strict=no`` passes the text on."""
    for value in ("no", "false", 0, 1, None):
        with pytest.raises(ParameterError, match=rf"{option} must be True or False; got {value!r}"):
            replay(CEC, method, **{option: value})
    assert replay(CEC, method, **{option: np.bool_(True)}).survivors == replay(CEC, method, **{option: True}).survivors


def test_weakly_is_yes_or_no() -> None:
    with pytest.raises(ParameterError, match="weak must be True or False; got 'no'"):
        replay({"error": CEC}, weak="no")


@pytest.mark.parametrize("order", [-1, 2.5, True, "name", [1]])
def test_a_wrong_order_is_called_by_its_name(order: object) -> None:
    with pytest.raises(ParameterError, match=r"^order must be None, 'given', a seed"):
        replay(CEC, order=order)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["e-sign", "bayes"])
def test_what_follows_from_the_scores_is_no_option(method: str) -> None:
    with pytest.raises(ParameterError, match=f"method '{method}' has no option 'n_candidates'"):
        replay(CEC, method, n_candidates=3)
    with pytest.raises(ParameterError, match="n_metrics is the number of tables"):
        replay({"error": CEC}, n_metrics=3)


@pytest.mark.parametrize("study", [races.race, races.race_errors])
def test_studies_of_several_metrics_are_refused_at_once(study: Any) -> None:
    with pytest.raises(ParameterError, match=r"method must be one of .*; got 'e-dominance'"):
        study("e-dominance", n_metrics=2, repetitions=2)


def test_candidates_that_differ_are_not_said_to_be_level() -> None:
    """One wins 9 of 9, which shows that it is better, but among 30 candidates that is not enough to remove anybody."""
    scores = bo.Scores(np.tile([0.0] + [1.0] * 29, (9, 1)), better="lower")
    result = replay(scores, block=3, alpha=0.001)
    (caution,) = (c for c in result.cautions if c.code == "not-decided")
    assert "nothing separates" not in caution.text
    assert "the evidence eliminates none of them" in caution.text


def test_few_problems_may_be_enough_for_a_wide_equivalence() -> None:
    """(.5/.95 · .5/.05)^2 = 27.7 after two wins each: more than 20, of four problems."""
    scores = bo.Scores([[0.0, 1.0], [1.0, 0.0]] * 2, better="lower")
    result = replay(scores, block=2, order="given", equivalence=0.05, margin=0.45)
    assert [left.reason for left in result.eliminated] == ["equivalent"]
    assert "out-of-reach" not in [caution.code for caution in result.cautions]


def test_discoveries_are_chosen_among_those_that_left_as_worse() -> None:
    """Nobody else's evidence may lower the bar: the last one stays whatever speaks against it."""
    rule = make_rule("e-sign", 3)
    record = RaceRecord(rule, ["a", "b", "c"])
    record.observe(["p"], np.zeros((1, 3)))
    for path, evidence in zip(record._paths, (25.0, 25.0, 25.0), strict=True):
        path[-1] = (*path[-1][:2], evidence)
    record._eliminated = [
        EliminatedCandidate(algorithm="b", reason="worse", by="a", evidence=25.0, n_problems=1, evaluations=3)
    ]
    assert record._discoveries() == ()  # 1 · 25 < 3/0.05; with all three it would be 3 · 25 >= 60


def test_one_race_has_no_standard_error() -> None:
    """It was said to be 0."""
    with pytest.raises(ParameterError, match="repetitions must be a whole number between 2"):
        races.race("e-sign", 3, rounds=2, repetitions=1)


def test_irace_without_its_gate_is_not_said_to_err_like_irace_with_it() -> None:
    """races.race_errors("irace", q, gate=False, repetitions=300, rng=11).lost: 0.603 (q = 10), 0.790 (q = 30)."""
    (caution,) = IteratedRace(10, gate=False).cautions()
    assert "in 16 % (2 candidates), 60 % (10) and 79 % (30) of the races" in caution.text


def test_an_order_that_is_not_random_carries_a_caution() -> None:
    """The better one, with 90 wins in 100, is lost when its 10 losses come first."""
    scores = bo.Scores([[1.0, 0.0]] * 10 + [[0.0, 1.0]] * 90, better="lower")
    sorted_ones = replay(scores, order="given")
    assert sorted_ones.survivors == ("A2",)
    assert {c.code for c in sorted_ones.cautions} == {"given-order", "mean-rank-conflict"}
    drawn = replay(scores)
    assert drawn.survivors == ("A1",)
    assert drawn.cautions == ()
    assert "given-order" not in [c.code for c in replay(scores, "f-race-sign", order="given").cautions]
