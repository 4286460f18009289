"""Pairs of a large family are written block by block: the text is that of the whole content at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.analyses.compare.statistics import limits
from bakeoff.report import json_rows
from bakeoff.report.data import dump
from bakeoff.report.json_rows import JsonRows, all_listed

CASES: dict[str, tuple[int, int, dict[str, Any]]] = {
    "plain": (12, 6, {}),
    "margin": (12, 6, {"margin": 0.5}),
    "all corrections": (12, 5, {"posthoc": "all"}),
    "no bounded interval": (4, 5, {}),
    "a12": (15, 4, {"effect": "a12"}),
    "undefined differences": (12, 6, {"infinite": True}),
    "whole numbers": (30, 5, {"whole": True}),
}


def scores(n: int, k: int, infinite: bool, whole: bool) -> bo.Scores:
    values = np.round(np.random.default_rng(n + k).normal(size=(n, k)), 2)
    values = np.round(values) if whole else values
    if infinite:
        values[0, :2] = np.inf
    return bo.Scores(values, better="lower", algorithms=[f"a{j}\u202e%s" for j in range(k)])


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("block", [1, 4, 500])
@pytest.mark.slow_cases("1-undefined differences", "500-undefined differences")
def test_the_text_is_that_of_the_whole_content(
    name: str, block: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(limits, "READ_LATER", 0)
    monkeypatch.setattr(json_rows, "BLOCK", block)
    n, k, options = CASES[name]
    options = dict(options)
    found = bo.compare(scores(n, k, options.pop("infinite", False), options.pop("whole", False)), **options)
    rows = report.Report(report.kind_of(found), found).content["pairs"]
    assert isinstance(rows, JsonRows)
    whole = found.to_dict()
    assert len(whole["pairs"]) == len(found.pairs)
    text = report.render(found, "json")
    assert text == "".join(dump(whole))
    found.save(tmp_path / "pairs.json")
    assert (tmp_path / "pairs.json").read_bytes() == text.encode()


@pytest.mark.parametrize("name", CASES)
def test_pairs_read_later_are_those_computed_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    n, k, options = CASES[name]
    options = dict(options)
    table = scores(n, k, options.pop("infinite", False), options.pop("whole", False))
    at_once = bo.compare(table, **options).to_dict()["pairs"]
    monkeypatch.setattr(limits, "READ_LATER", 0)
    later = bo.compare(table, **options)
    assert later.to_dict()["pairs"] == at_once
    assert [pair.adjusted for pair in later.pairs] == [pair["adjusted"] for pair in at_once]
    assert [pair.pvalue for pair in later.pairs] == [pair["pvalue"] for pair in at_once]


def test_infinite_numbers_of_rows_are_named_in_the_cautions_that_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READ_LATER", 0)
    content = bo.compare(scores(4, 5, False, False)).to_dict()
    [caution] = [caution for caution in content["cautions"] if caution["code"] == "not-finite"]
    assert "pairs[0].interval.low (-inf)" in caution["text"]
    assert content["pairs"][0]["interval"]["low"] is None


def test_what_is_known_later_is_listed_in_its_place() -> None:
    assert all_listed({"a": 1, "b": lambda: [2]}) == {"a": 1, "b": [2]}
    assert list(all_listed({"b": lambda: [2], "a": 1})) == ["b", "a"]
