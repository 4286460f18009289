"""``verdict`` is a sentence and ``decision`` a word, in Python and in JSON, of every kind of result."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses import by_schema
from bakeoff.report import render
from bakeoff.scores.pair_family import decision_of_pairs
from every_kind import DECISIONS, RESULTS


@cache
def result(kind: str) -> Any:
    return RESULTS[kind]()


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", RESULTS)
def test_a_sentence_and_a_word(kind: str) -> None:
    found = result(kind)
    content = json.loads(render(found, "json"))
    assert list(content)[:3] == ["schema", "verdict", "decision"]
    assert content["verdict"] == found.verdict
    assert " " in content["verdict"]
    assert content["verdict"].endswith(".")
    assert content["decision"] == found.decision == DECISIONS[kind]


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", [record.kind for record in by_schema().values()])
@pytest.mark.slow_cases("history")
def test_another_decision_or_sentence_does_not_pass_verification(kind: str) -> None:
    content = result(kind).to_dict()
    for key in ("verdict", "decision"):
        found = bo.verify(content | {key: "equal"})
        assert key in [difference.where for difference in found.differences]


@pytest.mark.parametrize(
    ("verdicts", "word"),
    [
        (["no difference shown", "b better", "cannot tell"], "difference"),
        (["practically equal", "practically equal"], "equal"),
        (["practically equal", "a not worse"], "not worse"),
        (["practically equal", "no difference shown"], "none"),
        (["no difference shown", "cannot tell"], "none"),
        (["cannot tell", "depends on the missing scores"], "cannot tell"),
        ([], "cannot tell"),
    ],
)
def test_the_word_of_several_pairs(verdicts: list[str], word: str) -> None:
    assert decision_of_pairs(verdicts) == word


def test_two_algorithms_within_a_margin() -> None:
    rng = np.random.default_rng(1)
    level = rng.normal(size=(40, 1))
    scores = bo.Scores(level + rng.normal(0, 0.01, (40, 2)), better="lower")
    assert bo.compare(scores).decision == "none"
    assert bo.compare(scores, margin=0.1).decision == "equal"
    assert bo.bayes.overview(scores, rope=0.1, n_draws=200).decision == "equal"


def test_a_control_about_which_nothing_is_accepted() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(20, 3)) + np.array([0.0, -1.5, 1.5])
    scores = bo.Scores(values, ["control", "good", "bad"], better="lower").select(["good", "bad", "control"])
    assert bo.bayes.overview(scores, n_draws=500).decision == "difference"
    noise = bo.Scores(rng.normal(size=(6, 3)), better="lower")
    assert bo.bayes.overview(noise, "A1", n_draws=500).decision == "none"


def test_a_check_in_all_three_ways() -> None:
    old = {"P": [1.0, 1.01, 0.99, 1.0, 1.0]}
    worse = {"P": [value * 1.2 for value in old["P"]]}
    assert bo.check(old, old, "5%", better="lower").decision == "ok"
    assert bo.check(old, worse, "5%", better="lower").decision == "regressed"
    assert bo.check({"P": [1.0, 1.1]}, {"P": [1.0, 1.2]}, "5%", better="lower").decision == "inconclusive"
