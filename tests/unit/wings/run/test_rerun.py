"""One run made again by hand: the number the program got, and whether the score is the same (U-A37)."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bakeoff.cli import main

TOML = """
better = "lower"
seed = 1
runs = 2
[algorithms]
old = "echo {seed}"
"my new" = { command = "expr {seed} % 7 + {instance}", score = "stdout" }
twice = { python = "MODULE:twice" }
[problems.values]
p1 = 1
"p 2" = 2
"""
MINE = "def twice(problem, rng):\n    return float(2 * problem + rng.integers(100))\n"


def in_folder(folder: Path) -> str:
    """The experiment; a module's name is known to Python for good, so each test has its own."""
    return TOML.replace("MODULE", folder.name)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The experiment and its store: read by all tests, changed in copies."""
    place = tmp_path_factory.mktemp("rerun_finished")
    (place / "e.toml").write_text(in_folder(place))
    (place / f"{place.name}.py").write_text(MINE)
    done = bakeoff("run", str(place / "e.toml"), "--executor", "serial")
    assert done.exit_code == 0, done.stderr
    return place


@pytest.fixture
def folder(finished: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(finished)
    return finished


def bakeoff(*args: str) -> Any:
    return CliRunner().invoke(main, [*args])


@pytest.mark.slow
def test_the_export_has_the_number_that_the_program_got(folder: Path) -> None:
    assert bakeoff("export", "e.sqlite", "-o", "runs.csv").exit_code == 0
    rows = list(csv.DictReader((folder / "runs.csv").read_text().splitlines()))
    assert all(float(row["score"]) == int(row["program_seed"]) for row in rows if row["algorithm"] == "old")
    assert {row["program_seed"] for row in rows if row["algorithm"] == "twice"} == {""}, "a function gets a generator"
    assert bakeoff("compare", "runs.csv", "--better", "lower").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["old", "my new", "twice"])
@pytest.mark.parametrize("run", ["1", "2"])
def test_a_run_gives_the_stored_score_again(folder: Path, algorithm: str, run: str) -> None:
    before = (folder / "e.sqlite").read_bytes()
    done = bakeoff("rerun", "e.sqlite", "p 2", algorithm, run)
    assert done.exit_code == 0, done.stderr
    stored, now, last = done.stdout.splitlines()[-3:]
    assert stored.split()[1] == now.split()[1]
    assert last == "OK: the same."
    assert (folder / "e.sqlite").read_bytes() == before


def test_the_command_shown_can_be_pasted(folder: Path) -> None:
    done = bakeoff("rerun", "e.sqlite", "p 2", "my new", "1")
    command = done.stdout.splitlines()[0].removeprefix("command: ")
    printed = subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout
    assert float(printed) == float(done.stdout.splitlines()[1].split()[1])


@pytest.mark.slow
def test_another_score_is_another_exit_code_and_what_changed_is_named(finished: Path, tmp_path: Path) -> None:
    shutil.copytree(finished, tmp_path / "copy", ignore=shutil.ignore_patterns("__pycache__"))  # of the same second
    (tmp_path / "copy" / f"{finished.name}.py").write_text(MINE.replace("2 *", "3 *"))
    command = [sys.executable, "-m", "bakeoff", "rerun", "e.sqlite", "p 2", "twice", "1"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path / "copy")
    assert done.returncode == 1, done.stderr
    assert "changed since the first start: algorithm 'twice' (function 'twice')" in done.stdout
    assert done.stdout.splitlines()[-1] == "Not the same."


def test_a_run_that_is_not_kept(folder: Path) -> None:
    done = bakeoff("rerun", "e.sqlite", "p1", "old", "7")
    assert done.exit_code == 0
    assert "stored:  no run\n" in done.stdout
    assert "nothing to compare with" in done.stdout


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("p2", "old", "1"), "no problem is called 'p2'; did you mean 'p 2'?; there are p1, p 2"),
        (("p1", "My new", "1"), "no algorithm is called 'My new'; did you mean 'my new'?"),
        (("p1", "old", "0"), "run must be a whole number of at least 1; got 0"),
        (("p1", "old", "1", "--experiment", "f.toml"), "seed is 1 in the store and 2 now. Name the file that made it"),
        (("p1", "old", "1", "--experiment", "g.toml"), 'template is "echo {seed}" in the store and "echo 3" now'),
    ],
)
def test_what_does_not_fit_is_refused(folder: Path, args: tuple[str, ...], said: str) -> None:
    (folder / "f.toml").write_text(in_folder(folder).replace("seed = 1", "seed = 2"))
    (folder / "g.toml").write_text(in_folder(folder).replace('"echo {seed}"', '"echo 3"'))
    done = bakeoff("rerun", "e.sqlite", *args)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.slow
def test_an_experiment_of_another_name_must_be_named(folder: Path) -> None:
    shutil.copy("e.sqlite", "kept.sqlite")
    done = bakeoff("rerun", "kept.sqlite", "p1", "old", "1")
    assert done.exit_code == 2
    assert "There is no 'kept.toml' beside it; name it: --experiment EXPERIMENT.toml" in done.stderr
    assert bakeoff("rerun", "kept.sqlite", "p1", "old", "1", "--experiment", "e.toml").exit_code == 0
    shutil.copy("e.sqlite", "e-1.sqlite")
    assert bakeoff("rerun", "e-1.sqlite", "p1", "old", "1").exit_code == 0, "as --fresh calls it"
