"""Simulated races: what is counted, what is refused, and that a seed settles everything."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest

from bakeoff.errors import BakeoffError
from bakeoff.wings.run.racing.rules.rule import Elimination
from benchmarks import races
from benchmarks.races.errors import _truly_equivalent


@pytest.mark.parametrize("name", ["race", "race_errors"])
def test_docstrings_have_the_sections_of_the_house(name: str) -> None:
    function = getattr(races, name)
    doc = inspect.getdoc(function)
    assert doc
    sections = re.findall(r"^([A-Z]\w+)\n-{3,}$", doc, flags=re.M)
    assert sections == ["Parameters", "Returns", "Raises", "Notes", "Examples"]
    for parameter in inspect.signature(function).parameters:
        assert parameter in doc


@pytest.mark.slow
def test_a_seed_settles_everything() -> None:
    kept = races.race("e-rank", 5, 0.5, rounds=30, repetitions=6, rng=3)
    assert kept == races.race("e-rank", 5, 0.5, rounds=30, repetitions=6, rng=np.random.default_rng(3))
    assert kept != races.race("e-rank", 5, 0.5, rounds=30, repetitions=6, rng=4)
    bayes = [races.race_errors("bayes", 4, n_problems=60, repetitions=8, rng=1) for _ in range(2)]
    assert bayes[0] == bayes[1]


def test_races_are_counted_as_they_go() -> None:
    seen: list[tuple[int, int]] = []
    races.race_errors("irace", 3, n_problems=20, repetitions=4, progress=lambda done, all_: seen.append((done, all_)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_what_the_numbers_mean() -> None:
    """Far apart: nobody needs more than two rounds, nobody is wrong."""
    found = races.race("f-race-sign", 3, 1e-6, rounds=300, repetitions=10, gate=False)
    assert found.iterations == pytest.approx(1 / 300)
    assert found.mae == found.best_lost == 0.0
    assert found.n_survivors == 1.0
    assert found.evaluations == 5.0
    assert found.cautions[0].code == "error-under-peeking"


def test_a_true_call_of_equivalence_loses_nobody() -> None:
    def left(by: int, reason: Any = "equivalent") -> Elimination:
        return Elimination(candidate=0, n_problems=5, reason=reason, by=by, evidence=1.0)

    assert _truly_equivalent(left(1), 2, 0.75, {})
    assert not _truly_equivalent(left(2), 2, 0.75, {})
    assert _truly_equivalent(left(2), 2, 0.52, {})
    assert not _truly_equivalent(left(2), 2, 0.52, {"margin": 0.01})
    assert not _truly_equivalent(left(1, "worse"), 2, 0.5, {})


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"method": "e-sing"}, "did you mean"),
        ({"n_candidates": 1}, "n_candidates"),
        ({"rho": 0.0}, "rho"),
        ({"rho": "1"}, "rho"),
        ({"rounds": 0}, "rounds"),
        ({"repetitions": 0}, "repetitions"),
        ({"gate": True}, "no option 'gate'"),
    ],
)
def test_mistakes_are_named(options: dict[str, Any], match: str) -> None:
    with pytest.raises(BakeoffError, match=match):
        races.race(**{"rounds": 2, "repetitions": 2, **options})


def test_mistakes_are_named_there_too() -> None:
    for options, match in (
        ({"chance": 0.4}, "chance"),
        ({"chance": 1.0}, "chance"),
        ({"noise": "cauchy"}, "noise"),
        ({"n_best": 11}, "n_best"),
    ):
        with pytest.raises(BakeoffError, match=match):
            races.race_errors(**{"repetitions": 1, "n_problems": 5, **options})
