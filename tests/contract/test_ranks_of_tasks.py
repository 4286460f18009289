"""Rank procedures on a file of two tasks: line 2 says that problems count, a stop that tasks would turn the order."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from bakeoff.cli import main

RIGHT = {"big": (400, 300, 240), "small": (12, 3, 11)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A is ahead over all questions, B over tasks."""
    rows = [
        f"{task},{i},{model},{int(i < right)}"
        for task, (n, *shares) in RIGHT.items()
        for model, right in zip("AB", shares, strict=True)
        for i in range(n)
    ]
    path = tmp_path / "contra.csv"
    path.write_text("\n".join(["task,question,model,acc", *rows]))
    return path


@pytest.mark.parametrize("command", ["compare", "bayes", "sensitivity", "race"])
def test_line_two_says_what_counts_and_the_stop_stands_above_the_verdict(command: str, file: Path) -> None:
    told = " ".join(CliRunner().invoke(main, [command, str(file), "--better", "higher"]).output.split())
    said, stop = told.find("Each problem counts the same"), told.find("weights-decide")
    assert 0 <= stop < said
    assert told.startswith("Check this first")
    assert "Where tasks count equally, B is ahead" in told


@pytest.mark.parametrize("command", ["compare", "bayes", "sensitivity", "race", "per-problem"])
def test_tasks_that_are_to_count_equally_are_refused(command: str, file: Path) -> None:
    found = CliRunner().invoke(main, [command, str(file), "--better", "higher", "--weights", "tasks"])
    assert found.exit_code == 2
    assert "cannot be 'tasks'" in found.output
    assert "bakeoff evaluate" in found.output
