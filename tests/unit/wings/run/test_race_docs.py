"""docs/guides/race.md: what it measures is what comes out, and what it names exists."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from bakeoff.report import to_dict
from racers import experiment

DOCS = Path(__file__).parents[4] / "docs"

pytestmark = pytest.mark.skipif(
    not (DOCS / "guides" / "race.md").exists(), reason="the pages are in the repository only"
)


SCRIPT = DOCS / "generate" / "race_replays.py"
QUICK = ("e-sign", "e-choose")


@pytest.mark.slow
def test_the_cec_2005_table_is_what_the_page_says() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.exhaustive
def test_the_leaderboards_are_what_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    script = runpy.run_path(str(SCRIPT))
    stored = json.loads((DOCS / "guides" / "race.json").read_text(encoding="utf-8"))
    assert stored["boards"] == script["BOARDS"]
    for method, options in script["METHODS"]:
        if method in QUICK:
            assert script["measured"](method, options) == stored["rules"][method]


@pytest.mark.exhaustive
def test_the_example_races_as_the_readme_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = DOCS.parent
    readme = (root / "README.md").read_text(encoding="utf-8").split("## Race, when runs are expensive\n")[1]
    (block,) = re.findall(r"^```console$(.*?)^```$", readme.split("\n## ")[0], flags=re.M | re.S)
    shutil.copytree(root / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("*.sqlite*"))
    shutil.copytree(root / "src/bakeoff/datasets", tmp_path / "src/bakeoff/datasets")
    monkeypatch.chdir(tmp_path)
    # of examples/, if another test has run them there
    monkeypatch.delitem(sys.modules, "tuning", raising=False)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if Path(folder).name != "examples"])
    said = []
    finished = "$ bakeoff race src/bakeoff/datasets/derrac_cec2005.csv --better lower"  # README: a finished table
    for line in (*block.strip().splitlines(), finished):
        done = CliRunner().invoke(main, [*shlex.split(line[2:], comments=True)[1:], "--json"])
        assert done.exit_code == 0, done.output
        said.append(json.loads(done.stdout))
    assert 0.5 < said[0]["saved"] < 0.65
    assert len(said[0]["survivors"]) == 6
    assert [left["algorithm"] for left in said[1]["eliminated"]] == ["PSO"]
    assert (tmp_path / "race.html").exists()


def test_options_and_keys_are_those_of_the_page() -> None:
    page = (DOCS / "guides" / "race.md").read_text(encoding="utf-8")
    help_text = CliRunner().invoke(main, ["race", "--help"]).stdout
    for option in re.findall(r"^\| (`--.*?) \|", page, flags=re.M):
        for name in re.findall(r"`(--\w+)", option):
            assert name in help_text
    import bakeoff as bo

    for key in to_dict(bo.race(experiment(n=5)), "bakeoff race x.toml"):
        assert f'"{key}"' in page, key


def test_the_readme_says_what_the_page_has() -> None:
    """B-B6: how often a given one of equal candidates is lost by the rules without a guarantee."""
    stored = json.loads((DOCS / "trust" / "racing.json").read_text(encoding="utf-8"))
    lost = [
        100 * cell["lost"]
        for name, cell in stored.items()
        if name.startswith("errors") and "equal" in name and not name.endswith(("e-sign", "e-rank", "e-choose"))
    ]
    readme = " ".join((DOCS.parent / "README.md").read_text(encoding="utf-8").split())
    assert f"one in {min(lost):.0f} to {max(lost):.0f} % of races" in readme
    for phrase in (
        "A given best candidate, one that no other beats more often than it is beaten",
        "the problems, or the clusters that you name, are independent draws",
    ):
        assert phrase in readme


def test_the_exact_number_of_e_choose_is_that_of_its_twin() -> None:
    assert "the claim is wrong in 0.89 % of the races, exact" in " ".join(
        (DOCS / "trust" / "racing.md").read_text().split()
    )
    # tests/twins/test_e_choose_twin.py: .00012 eliminated and .0088 chosen wrongly
