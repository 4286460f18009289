"""docs/how-to/folds.md and rows-in-time.md: their commands print what they show, their Python runs."""

from __future__ import annotations

import contextlib
import io
import shlex
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main

ROOT = Path(__file__).parents[2]
HOW_TO = ROOT / "docs" / "how-to"
PAGES = ("folds", "rows-in-time")

pytestmark = pytest.mark.skipif(not HOW_TO.exists(), reason="the pages are in the repository only")


def blocks(page: str, language: str) -> list[str]:
    parts = (HOW_TO / f"{page}.md").read_text(encoding="utf-8").split(f"\n```{language}\n")[1:]
    return [part.split("\n```")[0] for part in parts]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for file in (ROOT / "examples").glob("*.csv"):
        shutil.copy(file, tmp_path)
    rng = np.random.default_rng(1)
    rows = [
        f"{d},{m},{f},{0.8 + 0.02 * rng.normal():.3f}"
        for d in ("iris", "wine", "glass", "sonar")
        for m in ("svm", "forest", "knn")
        for f in range(10)
    ]
    (tmp_path / "folds_of_four.csv").write_text("\n".join(["dataset,model,fold,accuracy", *rows]), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_print_what_the_page_shows(page: str, folder: Path) -> None:
    commands = [line[2:] for block in blocks(page, "console") for line in block.splitlines()]
    printed = []
    for command in commands:
        done = CliRunner().invoke(main, shlex.split(command)[1:])
        assert done.exit_code == 0, (command, done.output)
        printed += done.stdout.splitlines()
    files = [line for name in folder.glob("*.csv") for line in name.read_text(encoding="utf-8").splitlines()]
    for block in blocks(page, "text"):
        for line in block.splitlines():
            assert line in (*printed, *files), line


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_the_page_runs(page: str, folder: Path) -> None:
    names: dict[str, Any] = {"bo": bo}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        for block in blocks(page, "python"):
            exec(compile(block, f"{page}.md", "exec"), names)
    assert said.getvalue()
    assert (folder / "report.html").exists()


def test_the_sentence_for_the_paper_has_the_numbers_of_the_report(folder: Path) -> None:
    found = bo.compare("breast_cancer_folds.csv", better="higher", folds="fold", repeat="repeat")
    pair = found.pair("logistic", "forest")
    assert (round(pair.pvalue, 2), round(pair.adjusted["holm"], 2)) == (0.18, 0.55)
    assert (round(pair.effect.estimate, 3), round(pair.interval.low, 3), round(pair.interval.high, 3)) == (
        0.013,
        -0.011,
        0.037,
    )
    assert [round(float(x), 3) for x in found.means] == [0.964, 0.968, 0.977]
    runs = found.scores.runs[0]  # type: ignore[index]
    assert round(bo.paired_t(runs[2], runs[0], better="higher").pvalue, 3) == 0.002


def test_the_sentence_about_months_has_the_numbers_of_the_report(folder: Path) -> None:
    found = bo.compare("elnino_errors.csv", better="lower", serial=True)
    pair, scores = found.pairs[0], found.scores
    effect = pair.effect
    assert [round(x, 2) for x in (effect.estimate, effect.low, effect.high)] == [0.29, -0.03, 0.6]
    assert [round(float(x), 2) for x in found.means] == [0.63, 0.91]
    assert (round(pair.pvalue, 3), found.omnibus.df) == (0.068, (1, 10))
    assert round(bo.paired_t(scores, 0, 1).pvalue, 4) == 0.0004
    assert round(bo.wilcoxon(scores, 0, 1).pvalue, 3) == 0.002
    assert found.cautions == ()


def test_months_are_refused_with_the_command_to_type(folder: Path) -> None:
    typed = ["compare", "elnino_errors.csv", "--better", "lower"]
    refused = CliRunner().invoke(main, typed)
    assert refused.exit_code == 2
    assert refused.output.rstrip().endswith(
        "The whole command: bakeoff compare elnino_errors.csv --better lower --serial"
    )
    assert "--cluster" in refused.output
    assert CliRunner().invoke(main, [*typed, "--serial"]).exit_code == 0


def test_folds_that_were_repeated_name_the_column_of_the_repeats(tmp_path: Path) -> None:
    """The column was refused for its whole numbers, and leaving it out was refused as well."""
    rows = [f"{fold},{repeat},{0.8 + fold / 70},{0.7 + repeat / 9}" for repeat in range(3) for fold in range(5)]
    path = tmp_path / "folds.csv"
    path.write_text("\n".join(["fold,repeat,A,B", *rows]) + "\n")
    with pytest.raises(bo.errors.ReadingError, match="Say folds='fold', repeat='repeat'"):
        bo.compare(path, better="higher", folds="fold")
    assert bo.compare(path, better="higher", folds="fold", repeat="repeat").n_rows == 15
    path.write_text("\n".join(["fold,repeat,A,B", *rows[:5]]) + "\n")  # once
    assert bo.compare(path, better="higher", folds="fold").n_rows == 5
