"""A race drawn and reported: what is on the page is what is in the result, whatever the candidates are called."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.figures import diagram, save, to_svg, to_tikz
from bakeoff.figures.geometry.primitives import Mark, Polygon, Text
from bakeoff.report import render, to_dict
from bakeoff.report.references import reference
from bakeoff.wings.run.race.figure import SurvivorsPlot
from bakeoff.wings.run.race.reporting import race_keys
from pages import without_script
from racers import experiment

NASTY = ["<script>", "a & b", "_{x}%$#", "\x1b[31mred", "very " * 30 + "long", "=1+1", "名前", ""]


def table(q: int, n: int, step: float, seed: int = 0) -> bo.Scores:
    values = np.random.default_rng(seed).normal(size=(n, q)) + step * np.arange(q)
    return bo.Scores(values, better="lower")


def nasty() -> Any:
    values = np.random.default_rng(0).normal(size=(60, len(NASTY))) + 0.6 * np.arange(len(NASTY))
    names = [name or "(none)" for name in NASTY]
    return bo.race.replay(bo.Scores(values, algorithms=names, better="lower"))


RACES: dict[str, Callable[[], Any]] = {
    "e-sign": lambda: bo.race(experiment(q=8, n=60)),
    "many": lambda: bo.race.replay(table(150, 60, 0.05)),
    "one left": lambda: bo.race.replay(table(2, 60, 9.0)),
    "none left out": lambda: bo.race.replay(table(3, 2, 0.0)),
    "one problem": lambda: bo.race.replay(table(3, 1, 0.0)),
    "chosen": lambda: bo.race.replay(table(10, 1500, 1 / 9), method="e-choose"),
    "chosen of equals": lambda: bo.race.replay(table(4, 600, 0.0), method="e-choose", tolerance=0.65),
    "sign": lambda: bo.race.replay(table(8, 60, 0.5), method="f-race-sign"),
    "ranks": lambda: bo.race.replay(table(8, 60, 0.5), method="f-race-mean-ranks"),
    "bayes": lambda: bo.race.replay(table(8, 60, 0.5), method="bayes", n_draws=200),
    "equivalence": lambda: bo.race.replay(table(3, 3000, 0.0), equivalence=0.2, margin=0.2, block=100),
    "ties": lambda: bo.race.replay(bo.Scores(np.zeros((30, 4)), better="lower")),
    "failures": lambda: bo.race(experiment(q=4, n=30, fails=0.3, on_failure="worst")),
    "metrics": lambda: bo.race.replay({"a": table(5, 80, 0.9), "b": table(5, 80, 0.9, 1)}),
    "nasty names": nasty,
}


@cache
def race_of(name: str) -> Any:
    return RACES[name]()


def texts(drawing: Any, role: str) -> list[str]:
    return [item.text for item in drawing.items if isinstance(item, Text) and item.role == role]


@pytest.mark.few(5)
@pytest.mark.parametrize("name", RACES)
@pytest.mark.parametrize("width", [None, 80.0])
@pytest.mark.slow_cases("None-e-sign")
def test_a_drawing_stays_inside_its_page_and_holds_everybody(name: str, width: float | None, tmp_path: Path) -> None:
    race = race_of(name)
    drawings = [diagram(race, width_mm=width)]
    if len(race.standings) > 1:
        drawings.append(diagram(SurvivorsPlot(race=race), width_mm=width))
    for drawing in drawings:
        for item in drawing.items:
            if isinstance(item, Text):
                left, top, right, bottom = item.box
                assert min(left, top) >= -0.01
                assert right <= drawing.width + 0.01
                assert bottom <= drawing.height + 0.01
            if isinstance(item, Polygon):
                for x, y in item.points:
                    assert math.isfinite(x) and math.isfinite(y)  # noqa: PT018
                    assert 0 <= x <= drawing.width
                    assert 0 <= y <= drawing.height
        assert to_svg(drawing).startswith("<svg")
        assert "<script>" not in to_svg(drawing)
        assert to_tikz(drawing)
    lines = {item.about[0]: item for item in drawings[0].items if isinstance(item, Polygon)}
    assert set(lines) == set(race.algorithms)
    assert {n for n, line in lines.items() if line.role == "survivor"} == set(race.survivors)
    ends = [item for item in drawings[0].items if isinstance(item, Mark) and item.role == "end"]
    assert [mark.about[0] for mark in ends] == [left.algorithm for left in race.eliminated]
    assert texts(drawings[0], "survivor name")
    save(drawings[0], tmp_path / "race.svg")


def test_a_line_ends_at_the_evidence_its_candidate_left_with() -> None:
    race = race_of("e-sign")
    drawing = diagram(race)
    lines = {item.about[0]: item for item in drawing.items if isinstance(item, Polygon)}
    (limit,) = [item for item in drawing.items if item.role == "threshold"]
    right = max(x for line in lines.values() for x, _ in line.points)
    left = min(x for line in lines.values() for x, _ in line.points)
    for leaver in race.eliminated:
        x, y = lines[leaver.algorithm].points[-1]
        assert (x - left) / (right - left) == pytest.approx(leaver.evaluations / race.evaluations)
        assert y <= limit.y1  # above: y is downwards
    for name in race.survivors:
        assert lines[name].points[-1][1] > limit.y1
        assert lines[name].points[-1][0] == pytest.approx(right)


@pytest.mark.slow
def test_names_of_survivors_do_not_touch() -> None:
    for name in RACES:
        drawing = diagram(race_of(name))
        ys = sorted(item.y for item in drawing.items if isinstance(item, Text) and item.role == "survivor name")
        assert all(b - a >= 7 for a, b in pairwise(ys))
        boxes = [item.box for item in drawing.items if isinstance(item, Text) and item.role == "end name"]
        for i, a in enumerate(boxes):
            for b in boxes[:i]:
                # two names on one line are apart by more than a blank, or they read as one
                assert a[2] + 3.9 <= b[0] or b[2] + 3.9 <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@pytest.mark.few(3)
@pytest.mark.parametrize("name", RACES)
def test_every_format_says_the_same(name: str, tmp_path: Path) -> None:
    race = race_of(name)
    content = json.loads(render(race, "json"))
    assert content["survivors"] == list(race.survivors)
    assert content["saved"] == pytest.approx(race.saved)
    assert len(content["paths"]) == len(race.algorithms)
    for key in race_keys(race):
        assert reference(key)
    said = " ".join(render(race, "txt").split())
    assert f"{race.evaluations} of {race.full_evaluations} evaluations" in said
    page, latex, markdown = (render(race, format) for format in ("html", "tex", "md"))
    assert "<script" not in without_script(page)
    for text in (page, latex, markdown):
        assert "What is guaranteed" in text
        assert "nan" not in text.split()
    for suffix in (".csv", ".html", ".svg"):
        race.save(tmp_path / f"race{suffix}")
    rows = (tmp_path / "race.csv").read_text(encoding="utf-8")
    assert rows.startswith("algorithm,outcome,by,n_problems,evidence\n")
    if name == "nasty names":
        assert "\n=1+1" not in rows
        assert "\x1b" not in said


@pytest.mark.slow
def test_what_is_claimed_and_what_is_not() -> None:
    said = {name: " ".join(render(race_of(name), "txt").split()) for name in RACES}
    assert "is ever eliminated is at most 0.05" in said["e-sign"]
    assert "does not say that a survivor is good, or better than another" in said["e-sign"]
    for name in ("e-sign", "chosen"):
        assert "independent draws or in exchangeable order, without clusters" in said[name]
        assert "any of them is eliminated may exceed 0.05" in said[name]
    claim = (
        "with error at most 0.05, a given best candidate (one that no other beats more often than it is beaten) does"
    )
    assert f"{race_of('chosen').best} was chosen from 10 candidates: {claim}" in said["chosen"]
    assert "no other candidate does either" in said["chosen"]
    everybody = "no other candidate beats the chosen one with probability 0.65 or more where they differ"
    assert f"was chosen from 4 candidates: with error at most 0.05, {everybody}" in said["chosen of equals"]
    assert "covers the eliminated candidates too" in said["chosen of equals"]
    assert "does not say that a survivor is good" not in said["chosen"]
    assert race_of("e-sign").claim == ""
    for name in ("sign", "ranks", "bayes"):
        assert "What is guaranteed - Nothing: " in said[name]
        assert any("peeking" in caution.code for caution in race_of(name).cautions)
    assert "None of 4 candidates was eliminated" in said["ties"]
    assert "is the only survivor of 2 candidates" in said["one left"]
    assert "equivalent" in said["equivalence"]


def test_nothing_that_is_no_race_becomes_one() -> None:
    assert to_dict(race_of("e-sign"), "bakeoff race x.toml")["command"] == "bakeoff race x.toml"
    assert "contents" not in to_dict(race_of("e-sign"))
