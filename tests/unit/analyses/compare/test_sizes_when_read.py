"""Large families: effects and intervals are computed when they are read, and are those of small families."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.analyses.compare.statistics import limits, sizes
from bakeoff.report import json_rows


def table(kind: str) -> bo.Scores:
    rng = np.random.default_rng(20261122)
    values = rng.normal(1.0, 1.0, size=(14, 7))
    if kind == "tied":
        values = np.round(values, 1)
    elif kind == "infinite":
        values[3, :2], values[4, 2] = np.inf, np.inf
    elif kind == "few":
        values = values[:4]
    elif kind == "right":
        values = (values > 1.0).astype(float)
    elif kind == "runs":
        values = np.round(rng.normal(size=(9, 7, 3)), 1)
    return bo.Scores(values, better="lower")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Families of more than 5 pairs are large; the blocks that were computed."""
    computed: list[tuple[int, int]] = []
    block = sizes.SizesLater.block

    def counted(self: sizes.SizesLater, start: int, stop: int) -> Any:
        computed.append((start, stop))
        return block(self, start, stop)

    monkeypatch.setattr(limits, "READ_LATER", 5)
    monkeypatch.setattr(sizes, "BLOCK", 4)
    monkeypatch.setattr(sizes.SizesLater, "block", counted)
    return computed


@pytest.mark.few(3, 17)
@pytest.mark.parametrize("kind", ["plain", "tied", "infinite", "few", "right", "runs"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"intervals": "single"},
        {"effect": "a12"},
        {"pairwise": "sign"},
        {"posthoc": "tukey", "omnibus": "anova"},
        {"pairwise": "quade"},
    ],
    ids=str,
)
@pytest.mark.slow_cases("{'pairwise': 'quade'}-runs")
def test_what_is_read_later_is_what_is_computed_at_once(
    kind: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = table(kind)
    try:
        at_once = bo.compare(scores, **options)
    except bo.errors.BakeoffError:
        assert kind == "infinite"  # which not all tests take
        return
    monkeypatch.setattr(limits, "READ_LATER", 5)
    monkeypatch.setattr(sizes, "BLOCK", 4)
    monkeypatch.setattr(json_rows, "BLOCK", 4)  # of 21 pairs the last is alone
    later = bo.compare(scores, **options)
    written = [json.loads(report.render(each, "json"))["pairs"] for each in (bo.compare(scores, **options), at_once)]
    assert written[0] == written[1]
    assert later.pairs == at_once.pairs
    codes = [caution.code for caution in later.cautions]
    assert "not-computed" in codes
    of_means = ("too-few", "skew") if options == {"effect": "a12"} else ()  # need the effects
    at_once_codes = [caution.code for caution in at_once.cautions]
    assert [code for code in codes if code != "not-computed"] == [c for c in at_once_codes if c not in of_means]


def test_nothing_is_computed_before_it_is_read(large: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bakeoff.report.formats.LARGEST", 1000)  # a page that is too large to carry its numbers
    monkeypatch.setattr(json_rows, "BLOCK", 4)
    result = bo.compare(table("plain"))
    assert (str(result), repr(result), report.render(result, "html"), report.render(result, "md")) != ()
    assert large == []
    assert result.pairs[9].effect is not None
    assert large == [(8, 12)]
    assert [pair.interval is None for pair in result.pairs[8:12]] == [False] * 4
    assert large == [(8, 12)]
    assert json.loads(report.render(result, "json"))["pairs"][0]["effect"]["kind"] == "hodges-lehmann"
    assert large[1:] == [(0, 4), (4, 8), (8, 12), (12, 16), (16, 20), (20, 21)]  # each once, and none is kept


def test_the_page_says_what_it_leaves_out(large: list[tuple[int, int]]) -> None:
    page = report.render(bo.compare(table("plain")), "txt")
    assert "Pages leave out the effects, intervals" in " ".join(page.split())
    assert "[interval]" not in page
    small = report.render(bo.compare(bo.Scores(table("plain").values[:, :3], better="lower")), "txt")
    assert "[interval]" in small


def test_a_pair_read_later_is_a_record_like_others(large: list[tuple[int, int]]) -> None:
    first, second, third, fourth, fifth = bo.compare(table("plain")).pairs[:5]
    for copied in (copy.copy(first), copy.deepcopy(second), pickle.loads(pickle.dumps(third)), replace(fourth)):
        assert copied.effect is not None
    assert copied == fourth
    assert asdict(fifth)["interval"]["low"] == fifth.interval.low  # type: ignore[union-attr]
    assert hash(fifth.effect) == hash(replace(fifth).effect)
    with pytest.raises(AttributeError, match="no attribute 'effekt'"):
        fifth.effekt  # noqa: B018
    with pytest.raises(AttributeError):
        fifth.effect = None  # type: ignore[misc]


@pytest.mark.slow
def test_a_pair_of_a_large_family_takes_less_than_a_kilobyte() -> None:
    """What is kept of 5,151 pairs until effects are read."""
    import tracemalloc

    scores = bo.Scores(np.random.default_rng(3).normal(size=(10, 102)), better="lower")
    bo.compare(scores)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    result = bo.compare(scores)
    held = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert held / len(result.pairs) < 1000
