"""The analysis of CONTRIBUTING.md, made in a temporary folder, is found wherever analyses are."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import analyses
from bakeoff.cli import main
from bakeoff.errors import ReportError
from bakeoff.places import load
from bakeoff.wings.page.views.fields import view_of

RECIPE = Path(__file__).parents[2].joinpath("CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = re.findall(r"^`(analyses/spread/\w+\.py)`.*?^```python\n(.*?)^```", RECIPE, re.MULTILINE | re.DOTALL)
CACHES = (analyses.folders, analyses.all_analyses, analyses.by_kind, analyses.by_schema, analyses.by_command)


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    from bakeoff.cli import _main

    made = tmp_path_factory.mktemp("toy")
    for name, text in FILES:
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    lines = ["problem,new,old", *(f"p{i},{i},{i % 3}" for i in range(9))]
    (made / "scores.csv").write_text("\n".join(lines), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analyses, "__path__", [*analyses.__path__, str(made / "analyses")])
        patch.setattr(analyses, "FOLDERS", (*analyses.FOLDERS, "analyses.spread"))
        for kept in (*CACHES, _main.headings, _main.commands):
            kept.cache_clear()
        yield made
    for kept in (*CACHES, _main.headings, _main.commands):
        kept.cache_clear()


def ran(*words: str, **environment: str) -> str:
    done = CliRunner().invoke(main, list(words), env=environment or None)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_recipe_has_a_record_statistics_and_sentences() -> None:
    assert [Path(name).stem for name, _ in FILES] == ["__init__", "statistics", "telling"]


def test_the_command_and_its_help(folder: Path) -> None:
    assert "spread" in ran("--help")
    assert "Measured by: sd (default; standard deviation), range." in " ".join(ran("spread", "--help").split())
    scores = str(folder / "scores.csv")
    assert "The scores of new are furthest apart." in ran("spread", scores, "--better", "lower", "--measure", "range")
    wrong = CliRunner().invoke(main, ["spread", scores, "--better", "lower", "--measure", "iqr"])
    assert wrong.exit_code == 2
    assert "--measure must be one of 'sd', 'range'; got 'iqr'" in wrong.stderr


def test_a_shell_completes_it() -> None:
    asked = {"COMP_WORDS": "bakeoff spread x.csv --measure ", "COMP_CWORD": "4", "_BAKEOFF_COMPLETE": "bash_complete"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in asked.items():
            patch.setenv(name, value)
        assert os.environ["COMP_CWORD"] == "4"
        done = CliRunner().invoke(main, [], prog_name="bakeoff", complete_var="_BAKEOFF_COMPLETE")
    assert [line.partition(",")[2] for line in done.stdout.split()] == ["sd", "range"]


def test_reports_json_and_verify(folder: Path) -> None:
    scores, report = str(folder / "scores.csv"), folder / "spread.json"
    ran("spread", scores, "--better", "lower", "--report", str(report), "--report", str(folder / "spread.html"))
    assert "furthest apart" in (folder / "spread.html").read_text(encoding="utf-8")
    assert bo.verify(report, scores).ok
    content = json.loads(report.read_text(encoding="utf-8"))
    content["spreads"]["old"] += 1
    assert [difference.where for difference in bo.verify(content).differences] == ["spreads.old"]
    content["request"]["measure"] = 3
    with pytest.raises(ReportError, match=r"request\.measure must be a string or null; it is 3"):
        bo.verify(content)


def test_python_reads_the_table(folder: Path) -> None:
    found = load("analyses.spread.statistics:spread")(folder / "scores.csv", better="lower")
    assert found.verdict == "The scores of new are furthest apart."
    assert found.to_frame().shape == (2, 2)


def test_the_tab_of_the_local_page() -> None:
    view = view_of(analyses.of_command("spread"))
    assert [(choice.name, choice.flag) for choice in view.choices] == [("measure", "--measure")]
    assert list(view.choices[0].offered({})) == [("", "sd (default)"), ("range", "range")]
    assert view.shell("t.csv", {"measure": ("range",)}, {}) == "bakeoff spread t.csv --measure range"
