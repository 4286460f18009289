"""docs/race.md: what it measures is what comes out, and what it names exists."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from bakeoff.report import to_dict
from racers import experiment

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.skipif(not (DOCS / "race.md").exists(), reason="the pages are in the repository only")


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "race_replays.py"))


def test_the_cec_2005_table_is_what_the_page_says(script: dict[str, Any]) -> None:
    assert script["main"](["--check"]) == 0


@pytest.mark.slow
def test_the_leaderboards_are_what_the_page_says(script: dict[str, Any]) -> None:
    page = (DOCS / "race.md").read_text(encoding="utf-8")
    for method, options in script["METHODS"]:
        if method in script["QUICK"]:
            assert script["board_row"](method, options, script["BOARDS"]) in page


def test_options_and_keys_are_those_of_the_page() -> None:
    page = (DOCS / "race.md").read_text(encoding="utf-8")
    help_text = CliRunner().invoke(main, ["race", "--help"]).stdout
    for option in re.findall(r"^\| (`--.*?) \|", page, flags=re.M):
        for name in re.findall(r"`(--\w+)", option):
            assert name in help_text
    import bakeoff as bo

    for key in to_dict(bo.race(experiment(n=5)), "bakeoff race x.toml"):
        assert f'"{key}"' in page, key
