"""docs/how-to/predictions.md: its commands print what the page shows, its Python runs."""

import contextlib
import io
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "predictions.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the repository only")


def blocks(language: str) -> list[str]:
    parts = PAGE.read_text(encoding="utf-8").split(f"\n```{language}\n")[1:]
    return [part.split("\n```")[0] for part in parts]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples" / "predictions.csv", tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_commands_print_what_the_page_shows(folder: Path) -> None:
    commands = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]
    printed = []
    for command in commands:
        done = CliRunner().invoke(main, shlex.split(command)[1:])
        assert done.exit_code == 0, (command, done.output)
        printed.append(done.stdout)
    assert len(commands) == 7
    of_file, shown = blocks("text")
    assert (folder / "predictions.csv").read_text().startswith(of_file)
    for line in shown.splitlines():
        assert line in printed[0].splitlines()
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert "DeLong" in report
    assert "ROC curves with bands" in report
    assert "in bins of the predicted probability" in (folder / "calibration.html").read_text(encoding="utf-8")


def test_the_sentence_of_the_page(folder: Path) -> None:
    """Its numbers, rounded."""
    found = bo.evaluate("predictions.csv", truth="diagnosis", metric="auc:malignant")
    best, pair = found.estimate("logistic"), found.pair("logistic", "neighbours")
    assert pair.simultaneous is not None
    numbers = [best.mean, *best.interval, pair.difference, *pair.simultaneous, pair.adjusted]
    other = found.pair("logistic", "forest")
    assert other.simultaneous is not None
    numbers += [other.difference, *other.simultaneous]
    [sentence] = re.findall(r"You may write: \*(.*?)\*", " ".join(PAGE.read_text(encoding="utf-8").split()))
    said = [float(x.replace("−", "-")) for x in re.findall(r"−?0\.\d+", sentence)]
    assert said == [round(x, 3) for x in numbers]


def test_the_python_of_the_page_runs(folder: Path) -> None:
    names: dict[str, Any] = {"bo": bo}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for block in blocks("python"):
            exec(compile(block, "predictions.md", "exec"), names)
    assert said.getvalue()
