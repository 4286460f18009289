"""docs/race.md: what it measures is what comes out, and what it names exists."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from bakeoff.report import to_dict
from racers import experiment

DOCS = Path(__file__).parents[3] / "docs"

pytestmark = pytest.mark.skipif(not (DOCS / "race.md").exists(), reason="the pages are in the repository only")


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "generate" / "race_replays.py"))


def test_the_cec_2005_table_is_what_the_page_says(script: dict[str, Any]) -> None:
    assert script["main"](["--check"]) == 0


@pytest.mark.slow
def test_the_leaderboards_are_what_the_page_says(script: dict[str, Any]) -> None:
    page = (DOCS / "race.md").read_text(encoding="utf-8")
    for method, options in script["METHODS"]:
        if method in script["QUICK"]:
            assert script["board_row"](method, options, script["BOARDS"]) in page


@pytest.mark.slow
def test_the_example_races_as_the_readme_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = DOCS.parent
    readme = (root / "README.md").read_text(encoding="utf-8").split("## Race, when runs are dear\n")[1]
    (block,) = re.findall(r"^```console$(.*?)^```$", readme.split("\n## ")[0], flags=re.M | re.S)
    shutil.copytree(root / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("*.sqlite*"))
    shutil.copytree(root / "src/bakeoff/datasets", tmp_path / "src/bakeoff/datasets")
    monkeypatch.chdir(tmp_path)
    said = []
    for line in block.strip().splitlines():
        done = CliRunner().invoke(main, [*shlex.split(line[2:], comments=True)[1:], "--json"])
        assert done.exit_code == 0, done.output
        said.append(json.loads(done.stdout))
    assert 0.45 < said[0]["saved"] < 0.55
    assert len(said[0]["survivors"]) == 6
    assert [left["algorithm"] for left in said[1]["eliminated"]] == ["PSO"]
    assert (tmp_path / "race.html").exists()


def test_options_and_keys_are_those_of_the_page() -> None:
    page = (DOCS / "race.md").read_text(encoding="utf-8")
    help_text = CliRunner().invoke(main, ["race", "--help"]).stdout
    for option in re.findall(r"^\| (`--.*?) \|", page, flags=re.M):
        for name in re.findall(r"`(--\w+)", option):
            assert name in help_text
    import bakeoff as bo

    for key in to_dict(bo.race(experiment(n=5)), "bakeoff race x.toml"):
        assert f'"{key}"' in page, key
