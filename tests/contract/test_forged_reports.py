"""2000 random changes of reports: each is found or refused, unless it leaves every number, decision and sentence."""

from __future__ import annotations

import functools
import json
import random
from typing import Any

import pytest

import bakeoff as bo
import forging
from analysis_examples import examples
from bakeoff.errors import ReportError
from bakeoff.report.reading_back import rebuilt_scores
from bakeoff.wings.verify import origin
from forging import Json
from ordinary_tables import described

BLOCKS, IN_A_BLOCK = 20, 100
QUICK = [name for each in examples().values() for name in each.quick_to_forge]
EVERY = [*forging.KINDS, *forging.MORE]


@functools.cache
def original(name: str) -> tuple[Json, bo.Scores | None]:
    """A report, and the table that it is about, if it can be given."""
    content = json.loads(forging.report(name))
    return content, rebuilt_scores(content["scores"]) if "scores" in content else None


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(origin, "RELEASED", (forging.EARLIER,))


def passes(content: Json, scores: bo.Scores | None) -> bool:
    try:
        return bo.verify(content, scores).ok
    except ReportError as error:
        assert len(str(error)) < 2000  # noqa: PT017
        return False


def passed(names: list[str], numbers: range) -> list[tuple[int, str, str]]:
    """The changes that verify lets pass although they change what the report says."""
    found = []
    for number in numbers:
        name = names[number % len(names)]
        rng = random.Random(f"{number} {name}")
        content, scores = original(name)
        what, changed = forging.forged(content, rng)
        given = scores if rng.random() < 0.5 else None
        if passes(changed, given) and not forging.true_still(content, changed, given is not None):
            found.append((number, name, what))
    return found


@pytest.mark.slow
def test_a_hundred_changes_of_quick_reports(released: None) -> None:
    assert passed(QUICK, range(100)) == []


@pytest.mark.slow
@pytest.mark.few(1)
@pytest.mark.parametrize("block", range(BLOCKS))
def test_changes_of_every_kind_of_report(block: int, released: None) -> None:
    assert passed(EVERY, range(block * IN_A_BLOCK, (block + 1) * IN_A_BLOCK)) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("metric", "accuracy"),
        ("unit", "ms"),
        ("unit", None),
        ("run_kind", "split"),
        ("run_ids", ["s1", "s9"]),
        ("status", [[["ok", "ok"], ["ok", "ok"]]] * 8),
        ("problems", [f"other{i}" for i in range(8)]),
        ("clusters", ["c0"] * 4 + ["c1"] * 4),
        ("hosts", ["x", "y"]),
        ("differing", ["task1"]),
        ("rows", "algorithms"),
        ("numbered", True),
        ("left_out", [["t", 3]]),
    ],
)
def test_names_and_metadata_count_where_the_table_is_given(key: str, value: Any) -> None:
    """Another unit, other names of runs or hosts were agreed to."""
    content, _ = original("compare of runs")
    scores = described()
    assert bo.verify(content, scores).ok
    table = {**content["scores"], key: value}
    if value is None:
        del table[key]
    assert not passes({**content, "scores": table}, scores)


@pytest.mark.parametrize(("key", "value"), [("unit", "ms"), ("metric", "time"), ("run_kind", "split")])
def test_what_the_table_does_not_say_is_found_or_named(key: str, value: str) -> None:
    """A unit added to a report was agreed to without a word; a table from another file may say less."""
    content, scores = original("compare")
    added = {**content, "scores": {**content["scores"], key: value}}
    assert not bo.verify(added, scores).ok
    found = bo.verify(added, rebuilt_scores({**content["scores"], "file_sha256": "0" * 64}))
    assert not found.ok or f"Not checked, as the scores given do not say it: {key} {value!r}." in found.notes


@pytest.mark.parametrize("number", [10**400, -(10**400), 10**309])
@pytest.mark.parametrize("place", ["alpha", "n_problems", "request"])
def test_numbers_beyond_floating_point(place: str, number: int) -> None:
    """An OverflowError ended the verification."""
    content = json.loads(forging.report("compare"))
    if place == "request":
        content["request"]["alpha"] = number
    else:
        content[place] = number
    content["versions"]["numpy"] = "0.1"
    assert not passes(content, None)


def test_what_leaves_a_report_true_is_told_from_what_does_not() -> None:
    """The measure of the tests above."""
    content, _ = original("compare of runs")
    turned = dict(reversed(content.items()))
    assert forging.true_still(content, turned, True)
    assert forging.true_still(content, {**content, "command": "x", "alpha": 0.05 * (1 + 1e-12)}, True)
    for changed in ({"alpha": 0.05 * (1 + 1e-8)}, {"verdict": ""}, {"decision": None}, {"cautions": []}):
        assert not forging.true_still(content, content | changed, False)
    renamed = {**content, "scores": {**content["scores"], "unit": "ms"}}
    assert forging.true_still(content, renamed, False)
    assert not forging.true_still(content, renamed, True)
    reversed_ = {**content, "scores": {**content["scores"], "better": "higher"}}
    assert not forging.true_still(content, reversed_, False)
