"""The page for those who tuned: its commands print what it shows, its Python runs."""

import contextlib
import io
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "tuning.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the repository only")


def blocks(language: str) -> list[str]:
    parts = PAGE.read_text(encoding="utf-8").split(f"\n```{language}\n")[1:]
    return [part.split("\n```")[0] for part in parts]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples" / "mlflow_runs.csv", tmp_path / "runs.csv")
    shutil.copy(ROOT / "tests" / "oracles" / "data" / "formats" / "optuna.db", tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_commands_print_what_the_page_shows(folder: Path) -> None:
    commands = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]
    printed = []
    for command in commands:
        done = CliRunner().invoke(main, shlex.split(command)[1:])
        assert done.exit_code == 0, (command, done.output)
        printed.append(done.stdout)
    assert len(commands) == 4
    [shown] = blocks("text")
    for line in shown.splitlines():
        assert line in printed[0].splitlines()
    assert "Bergmann" in (folder / "report.html").read_text(encoding="utf-8")
    long = bo.read_scores("long.csv", better="higher", metric="accuracy")
    assert long.algorithms == ("forest", "logistic", "tree")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")
@pytest.mark.needs("sklearn", "optuna")
def test_the_python_of_the_page_runs(folder: Path) -> None:
    names: dict[str, Any] = {"bo": bo}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for block in blocks("python"):
            exec(compile(block, "tuning.md", "exec"), names)
    assert "TPE" in said.getvalue()
