"""The minimum versions of pyproject.toml: all of them are installed and tested by .ci/lowest."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
NEEDED = {
    "click": (8, 2, 1),  # click.exceptions.NoArgsIsHelpError (8.2.0), the completion of files in groups (8.2.1)
    "narwhals": (1, 25),  # is_float() of a column's type
}


def test_every_dependency_is_tested_at_its_minimum() -> None:
    found = importlib.util.spec_from_file_location("lowest", ROOT / ".ci" / "lowest.py")
    assert found is not None
    assert found.loader is not None
    lowest = importlib.util.module_from_spec(found)
    found.loader.exec_module(lowest)
    pins = lowest.pins()
    assert {f"{name}>={version}" for name, version in pins.items()} >= set(DECLARED)
    assert set(lowest.FRAMES) < set(pins)


@pytest.mark.parametrize("name", NEEDED)
def test_a_minimum_has_what_the_package_names(name: str) -> None:
    (declared,) = (each for each in DECLARED if re.match(rf"{name}\W", each))
    assert tuple(map(int, declared.partition(">=")[2].split("."))) >= NEEDED[name]
