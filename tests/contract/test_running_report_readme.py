"""The second example of the README does what it says, in a copy of the repository's examples."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"

pytestmark = pytest.mark.skipif(not README.exists(), reason="the README is in the repository only")


def section() -> str:
    text = README.read_text(encoding="utf-8")
    return text.split("## Plan an experiment, and run it\n")[1].split("\n## ")[0]


def commands() -> list[list[str]]:
    (block,) = re.findall(r"^```console$(.*?)^```$", section(), flags=re.M | re.S)
    return [shlex.split(line[2:], comments=True) for line in block.strip().splitlines()]


@pytest.mark.slow
def test_the_commands_run(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("*.sqlite*", "__pycache__"))
    said = []
    for command in commands():
        assert command[0] == "bakeoff"
        arguments = [sys.executable, "-m", "bakeoff", *command[1:]]  # another process: it imports the copy
        done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    plan, run, verified = said
    assert "34" in plan
    assert "(1+1)-ES is better than DE" in run
    assert "40 of them finished. OK: every decision reproduced" in verified
    page = (tmp_path / "optimisers.html").read_text(encoding="utf-8")
    for words in ("Was the experiment large enough?", "Do the assumptions hold?", "Problem by problem", "<svg"):
        assert words in page


def test_the_experiment_in_the_readme_can_be_read(tmp_path: Path) -> None:
    (toml,) = re.findall(r"^```toml$(.*?)^```$", section(), flags=re.M | re.S)
    (tmp_path / "instances").mkdir()
    (tmp_path / "instances" / "a.txt").write_text("1")
    (tmp_path / "experiment.toml").write_text(toml)
    found = bo.Experiment.from_toml(tmp_path / "experiment.toml")
    assert found.question.test == "t"
    assert found.question.differences == "percent"


@pytest.mark.slow
def test_compare_knows_that_a_store_stopped_early_or_is_not_finished(tmp_path: Path) -> None:
    import sqlite3

    def zero(problem: float, rng: object) -> float:
        return 0.0

    def worse(problem: float, rng: object) -> float:
        return problem

    problems = {f"p{i}": 1.0 + i / 10 for i in range(20)}
    e = bo.Experiment({"zero": zero, "worse": worse}, problems, better="lower", seed=1, sequential="group")
    bo.run(e, tmp_path / "s.sqlite")
    shown = CliRunner().invoke(main, ["compare", str(tmp_path / "s.sqlite")])
    assert shown.exit_code == 0, shown.output
    assert "stopped-early" in shown.stdout
    fixed = bo.Experiment({"zero": zero, "worse": worse}, problems, better="lower", seed=1)
    bo.run(fixed, tmp_path / "f.sqlite")
    assert "unfinished" not in CliRunner().invoke(main, ["compare", str(tmp_path / "f.sqlite")]).stdout
    connection = sqlite3.connect(tmp_path / "f.sqlite")
    connection.execute("UPDATE instance SET status = 'active', reason = '' WHERE pos > 14")
    connection.commit()
    connection.close()
    assert "unfinished-experiment" in CliRunner().invoke(main, ["compare", str(tmp_path / "f.sqlite")]).stdout
