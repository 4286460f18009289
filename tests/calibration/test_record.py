"""The record keeps for each section where its numbers come from, and throws no other section away."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

GENERATE = Path(__file__).parents[2] / "docs" / "generate"


@pytest.fixture
def generator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """docs/generate/calibration.py with a record of its own, and no git."""
    monkeypatch.setattr(sys, "path", [str(GENERATE), *sys.path])
    spec = importlib.util.spec_from_file_location("calibration_generator", GENERATE / "calibration.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "STORED", tmp_path / "record.json")
    monkeypatch.setattr(module, "commit", lambda section: "now")
    (tmp_path / "record.json").write_text("{}")
    return module


def stored(generator: Any, section: str, share: float = 1.0, commit: str = "then", drop: int = 0) -> None:
    cells = {name: {"tables": 25} for name in generator.names(section)}
    for name in generator.names(section)[:drop]:
        del cells[name]
    part = {**generator.head(section, share), "commit": commit, "date": "2026-01-01", "cells": cells}
    generator.write(section, part)


def test_a_complete_section_stays_whatever_became_of_the_package(generator: Any) -> None:
    stored(generator, "means")
    kept = generator.begun("means", generator.head("means", 1.0), anew=False)
    assert (kept["commit"], len(kept["cells"])) == ("then", len(generator.names("means")))


@pytest.mark.parametrize(("anew", "drop", "share"), [(True, 0, 1.0), (False, 1, 1.0), (False, 0, 0.5)])
def test_named_interrupted_at_another_commit_or_smaller_it_begins_anew(
    generator: Any, anew: bool, drop: int, share: float
) -> None:
    stored(generator, "means", drop=drop, share=share)
    assert generator.begun("means", generator.head("means", 1.0), anew)["cells"] == {}


def test_interrupted_at_this_commit_it_goes_on(generator: Any) -> None:
    stored(generator, "means", commit="now", drop=2)
    found = generator.begun("means", generator.head("means", 1.0), anew=True)
    assert len(found["cells"]) == len(generator.names("means")) - 2


def test_another_section_keeps_its_numbers_and_its_commit(generator: Any) -> None:
    stored(generator, "means", commit="a")
    stored(generator, "default", commit="b", share=0.1)
    found = json.loads(generator.STORED.read_text(encoding="utf-8"))
    assert {name: (part["commit"], part["share"]) for name, part in found.items()} == {
        "default": ("b", 0.1),
        "means": ("a", 1.0),
    }


def test_a_section_is_measured_and_every_table_says_of_how_many(
    generator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = generator.FAMILIES["pairs"][:2]
    monkeypatch.setitem(generator.FAMILIES, "pairs", rows)
    monkeypatch.setenv("CALIBRATION_SHARE", "0.003")
    monkeypatch.setenv("CALIBRATION_WORKERS", "1")
    generator.measure_sections(["pairs"])
    page = "\n".join(generator.calibration_page.parts(generator.read()).values())
    assert "preliminary, 0.3 % of the tables" in page
    assert page.count("| 25 |") == 2
    assert "± " in page
