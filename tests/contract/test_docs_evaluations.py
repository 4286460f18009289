"""docs/how-to/evaluations.md: its commands run on folders as lm-eval writes them, and print what the page shows."""

import csv
import json
import re
import shlex
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from lm_eval_folder import line, model

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "evaluations.md"
FORMATS = ROOT / "tests" / "oracles" / "data" / "formats"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the repository only")


def text_of_page() -> str:
    """Without the section on a CSV, which test_docs_pages.py runs."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition("## You have a CSV of answers")
    return before + "## " + rest.partition("\n## ")[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """OUT: the 60 questions on 15 passages, asked four times of three models; logs: of Inspect."""
    monkeypatch.chdir(tmp_path)
    tables: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    with (FORMATS / "eval_ref_60q_15c_3m_4k.csv").open() as file:
        for row in csv.DictReader(file):
            number = int(row["question"][1:])
            sample = line(number, acc=float(row["score"]))
            sample["doc"] = {"question": f"Q{number}?", "passage": row["passage"]}
            tables[row["model"], row["run"]].append(sample)
    for (name, run), lines in tables.items():
        time = f"2026-11-2{run}T12-00-00.000000"
        model(
            tmp_path / "OUT", f"org/{name}".replace("/", "__"), {"reading": lines}, time=time, model_name=f"org/{name}"
        )
    shutil.copytree(FORMATS / "inspect", tmp_path / "logs")
    return tmp_path


@pytest.mark.slow
def test_the_commands_print_what_the_page_shows(folder: Path) -> None:
    page = text_of_page()
    commands = re.findall(r"^\$ (bakeoff .*)$", page, re.MULTILINE)
    assert len(commands) >= 5
    printed = ""
    for command in commands:
        done = CliRunner().invoke(main, shlex.split(command)[1:])
        assert done.exit_code == 0, (command, done.output)
        printed += done.stdout
    shown = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert shown
    words = " ".join(printed.split())
    for block in shown:
        for part in block.split("…\n"):
            assert " ".join(part.split()) in words, part
    assert (folder / "report.html").exists()
    [gate] = re.findall(r"^(bakeoff check .*)$", page, re.MULTILINE)
    assert "exit code 3" in page
    assert CliRunner().invoke(main, shlex.split(gate)[1:]).exit_code == 3


def test_the_python_of_the_page_runs(folder: Path) -> None:
    [*blocks] = re.findall(r"^```python\n(.*?)^```$", text_of_page(), re.MULTILINE | re.DOTALL)
    assert blocks
    names: dict[str, Any] = {"bo": bo}
    for block in blocks:
        exec(compile(block, "evaluations.md", "exec"), names)
    found = names["result"]
    # statsmodels, clustered by passage, G/(G − 1), t with 14 degrees of freedom
    pair = found.pair("org/A", "org/B")
    assert pair.difference == pytest.approx(0.05, abs=1e-12)
    assert pair.standard_error == pytest.approx(0.06770032003863301, abs=1e-9)
    low, high = (f"{100 * end:.1f}".replace("-", "−") for end in pair.simultaneous)
    assert f"over three pairs {low} to {high}" in " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"below {100 * found.detectable:.0f} points" in PAGE.read_text(encoding="utf-8")
    assert json.loads(json.dumps(found.to_dict()))["scores"]["metric"] == "acc"
