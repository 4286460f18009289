"""Every cell of docs/trust/units.md, through the public door: what the page says is what the analysis does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bakeoff.errors import BakeoffError
from bakeoff.report import document
from units.doors import BY_NAME, DOORS
from units.matrix import (
    COUNTED,
    IGNORING,
    RIGHT,
    TABLES,
    Cell,
    band,
    cells,
    comparable,
    counted,
    keeps,
    observed,
    observed_part,
    part_of,
    parts,
    stream,
    tables_of,
)
from units.tables import FEATURES, turned

STORED: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "docs" / "trust" / "units.json").read_text(encoding="utf-8")
)
ERRS = 0.3
"""The share of tables on which ignoring a feature gives a false statement, at least."""
QUICK = ("compare", "evaluate", "leaderboard", "leaderboard --over runs", "iqm", "check", "tradeoff", "curves", "race")
"""Analyses of which 300 tables take a few seconds."""
COMPARABLE = {(analysis, feature) for analysis, feature, _ in comparable(STORED)}
ALL = [pytest.param(*names, id="/".join(names)) for names in cells()]


def stored(analysis: str, feature: str) -> Cell:
    cell: Cell = STORED[analysis][feature]
    return cell


def test_the_page_has_every_cell() -> None:
    assert [*STORED] == ["about", *(door.name for door in DOORS)]
    assert all([*STORED[door.name]] == [*FEATURES] for door in DOORS)


@pytest.mark.parametrize(("analysis", "feature"), ALL)
def test_an_analysis_does_what_its_cell_says(analysis: str, feature: str) -> None:
    found, cell = observed(BY_NAME[analysis], feature), stored(analysis, feature)
    assert {name: cell[name] for name in found} == found


SECOND = [names for names in cells() if part_of(BY_NAME[names[0]], names[1])]


@pytest.mark.parametrize(("analysis", "feature"), SECOND, ids="/".join)
def test_the_second_draw_of_a_cell(analysis: str, feature: str) -> None:
    """Folds of one data set, and runs that are days."""
    door = BY_NAME[analysis]
    found, cell = observed_part(door, feature), stored(analysis, feature)[part_of(door, feature)]
    assert {name: cell[name] for name in found} == found


TOLD = [names for names in cells() if STORED[names[0]][names[1]]["is"] in ("said", "averaged")]


@pytest.mark.parametrize(("analysis", "feature"), TOLD, ids="/".join)
def test_the_second_line_says_what_counts(analysis: str, feature: str) -> None:
    """That each problem counts the same, or that runs were averaged."""
    door, cell = BY_NAME[analysis], stored(analysis, feature)
    draw, shape = tables_of(door, feature, cell)
    found = door.opened((turned if cell["is"] == "said" else draw)(stream(door, feature, "told"), shape).table)
    line = document(found).read
    said = ("each problem counts the same", "each problem counting the same")
    told = said if cell["is"] == "said" else (cell["words"],)
    assert any(words in line or words.capitalize() in line for words in told)


def refused() -> Iterator[tuple[str, str, str]]:
    """Analysis, feature, and the name of a second draw, if it is that."""
    for analysis, feature in cells():
        cell, part = stored(analysis, feature), part_of(BY_NAME[analysis], feature)
        if cell["is"] == "refused":
            yield analysis, feature, ""
        if part and cell[part]["is"] == "refused":
            yield analysis, feature, part


@pytest.mark.parametrize(("analysis", "feature", "part"), [*refused()])
def test_what_is_refused_is_refused_for_every_table(analysis: str, feature: str, part: str) -> None:
    door, cell = BY_NAME[analysis], stored(analysis, feature)
    draw, shape = tables_of(door, feature, {"part": True} if part else cell)
    rng = stream(door, feature, f"refused{part}")
    for _ in range(5):
        table = draw(rng, shape).table
        if feature != "missing scores" or table.holes.any():
            with pytest.raises(BakeoffError):
                door.opened(table)


@pytest.mark.parametrize(("analysis", "feature"), ALL)
def test_no_cell_is_silent_or_breaks_its_promise(analysis: str, feature: str) -> None:
    """By what is stored: an analysis says what it does, and its statements are false as often as promised."""
    for cell in parts(stored(analysis, feature)):
        assert cell["is"] in RIGHT
        assert keeps(cell)


def slowly(names: tuple[str, str]) -> pytest.MarkDecorator:
    quick = names[0] in QUICK and names[1] in ("tasks", "weights", "clusters", "runs")
    return pytest.mark.slow if quick else pytest.mark.exhaustive


COUNTS = [
    pytest.param(*names, id="/".join(names), marks=slowly(names))
    for names in cells()
    if STORED[names[0]][names[1]]["is"] in COUNTED
]


@pytest.mark.parametrize(("analysis", "feature"), COUNTS)
def test_statements_are_false_as_often_as_promised(analysis: str, feature: str) -> None:
    """On half as many tables as are stored, on which most statements are false if the feature is ignored."""
    door, cell = BY_NAME[analysis], stored(analysis, feature)
    wrong, of = counted(door, feature, cell, TABLES // 2)
    assert of > TABLES / 4
    assert wrong / of <= door.promise + band(door.promise, of)
    if (analysis, feature) in COMPARABLE:
        wrong, of = counted(door, feature, cell, IGNORING, ignoring=True)
        assert wrong / of >= ERRS - band(ERRS, of) / 2
