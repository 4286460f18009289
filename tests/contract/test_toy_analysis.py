"""The analysis of CONTRIBUTING.md, made in a temporary folder, is found wherever analyses are."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import analyses
from bakeoff.analysis import Analysis
from bakeoff.cli import main
from bakeoff.designed import FEATURES, MOST_NAMED
from bakeoff.errors import ParameterError, ReportError, ScoreError, listing
from bakeoff.places import load
from bakeoff.wings.page.views.fields import view_of

RECIPE = Path(__file__).parents[2].joinpath("CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = re.findall(r"^`(analyses/spread/\w+\.py)`.*?^```python\n(.*?)^```", RECIPE, re.MULTILINE | re.DOTALL)
HOOK = re.search(r"`analyses/reach/options.py`.*?^```python\n(.*?)^```", RECIPE, re.MULTILINE | re.DOTALL)
CACHES = (
    analyses.folders,
    analyses.all_analyses,
    analyses.by_kind,
    analyses.by_schema,
    analyses.by_command,
    analyses.by_function,
    analyses._records,
)


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
    assert [Path(name).stem for name, _ in FILES] == ["__init__", "statistics", "reporting"]


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


# --- a record that names no feature: each is refused, without a line of its own ---------------------------------------

CELLS = np.random.default_rng(0).normal(size=(8, 2, 3))
HALVES = ["a"] * 4 + ["b"] * 4
WITH: dict[str, bo.Scores] = {
    "tasks": bo.Scores(CELLS[:, :, 0], tasks=HALVES, better="lower"),
    "clusters": bo.Scores(CELLS[:, :, 0], clusters=HALVES, better="lower"),
    "runs": bo.Scores(CELLS, better="lower"),
    "unequal runs": bo.Scores.from_cells(
        np.where(np.arange(48).reshape(8, 2, 3) == 2, np.nan, CELLS),
        ["new", "old"],
        [f"p{i}" for i in range(8)],
        better="lower",
    ),
    "folds": bo.Scores(CELLS, run_kind="split", better="lower"),
    "sized folds": bo.Scores(CELLS, folds=0.1, better="lower"),
    "runs in time": bo.read_scores(
        {
            "problem": (["ash"] * 60 + ["elm"] * 60) * 2,
            "run": np.tile(np.datetime64("2026-01-01") + np.arange(60), 4).astype(str).tolist(),
            "algorithm": ["new"] * 120 + ["old"] * 120,
            "score": np.random.default_rng(0).normal(size=240).cumsum().tolist(),
        },
        better="lower",
    ),
    "one data set": bo.Scores(CELLS[:1], folds=0.5, better="lower"),
    "series": bo.Scores(CELLS[:, :, 0], order=range(8), serial=True, better="lower"),
    "order": bo.Scores(CELLS[:, :, 0].cumsum(axis=0).repeat(2, axis=0), order=range(16), better="lower"),
    "missing": bo.Scores(np.where(np.arange(16) == 3, np.nan, 1.0).reshape(8, 2), missing="keep", better="lower"),
    "metric": bo.read_predictions({"y": [0, 1, 0], "a": [0.2, 0.7, 0.6], "b": [0.1, 0.8, 0.5]}, "y", "auc"),
}
NAMED = {
    "tasks": "2 tasks",
    "clusters": "problems in clusters",
    "runs": "several runs per cell",
    "unequal runs": "unequal numbers of runs",
    "folds": "runs that are folds",
    "sized folds": "folds with test sets of a known size",
    "runs in time": "runs in time that resemble the run before (lag-1 correlation 0.86)",
    "one data set": "folds of one data set",
    "series": "rows in time, judged as one series",
    "order": "rows in time whose differences resemble those of the row before (lag-1 correlation 0.54)",
    "missing": "missing scores",
    "metric": "contributions of items to the AUC",
}


def recorded(patch: pytest.MonkeyPatch, record: Analysis) -> None:
    """``bo.spread`` has this record."""
    patch.setattr(analyses, "of_function", lambda name, in_wings=True: record if name == "bo.spread" else None)


@pytest.fixture
def careless(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """``bo.spread``, as the record of the recipe would have it with ``function="bo.spread"``."""
    record = replace(analyses.by_kind()["spread"], function="bo.spread")
    assert not record.respects
    recorded(monkeypatch, record)
    spread: Callable[..., Any] = load("analyses.spread.statistics:spread")
    return spread


def respecting(feature: str) -> str:
    """Other functions that respect the feature, as an error names them: the first ones, and how many there are."""
    found = [r.function for r in analyses.all_analyses() if feature in r.respects and r.function and r.computes]
    return listing(list(dict.fromkeys(found)), MOST_NAMED) if found else "another program"


def test_every_feature_has_a_table() -> None:
    assert [*WITH] == [*NAMED] == [*FEATURES]


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_that_no_record_names_is_refused(careless: Callable[..., Any], feature: str) -> None:
    """With its name, what gives it up, and who respects it."""
    scores = WITH[feature]
    of_runs = ("unequal runs", "folds", "sized folds", "runs in time", "one data set")
    features = ["runs", feature] if feature in of_runs else [feature]
    with pytest.raises(ScoreError) as refused:
        careless(scores)
    text = str(refused.value)
    assert any(NAMED[name] in text and f"({FEATURES[name][1]})" in text for name in features)
    others = ["series" if name == "order" else name for name in features]
    assert any(text.removesuffix(" with serial=True").endswith(respecting(name)) for name in others)
    assert text.endswith(" with serial=True") == (feature == "order")


@pytest.mark.parametrize("feature", FEATURES)
def test_a_feature_is_refused_for_itself(careless: Callable[..., Any], feature: str) -> None:
    """Where the record names all others."""
    record = analyses.of_function("bo.spread")
    assert record is not None
    others = frozenset(FEATURES) - {feature}
    with pytest.MonkeyPatch.context() as patch:
        recorded(patch, replace(record, respects=others))
        for name, scores in WITH.items():
            if FEATURES[feature][0](scores):
                with pytest.raises(ScoreError, match=re.escape(f"has {NAMED[feature]}, which bo.spread does not")):
                    careless(scores)
            elif name not in ("missing", "one data set"):  # which it refuses, or has no spread of
                assert careless(scores).spreads


@pytest.mark.parametrize(("weights", "usual"), [("tasks", "problems"), ("clusters", "problems")])
def test_weights_that_no_record_names_are_refused(careless: Callable[..., Any], weights: str, usual: str) -> None:
    record = analyses.of_function("bo.spread")
    assert record is not None
    scores = bo.Scores(CELLS[:, :, 0], tasks=HALVES, clusters=HALVES, weights=weights, better="lower")  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        recorded(patch, replace(record, respects=frozenset(FEATURES)))
        with pytest.raises(ParameterError) as refused:
            careless(scores)
    text = str(refused.value)
    assert f"weights cannot be '{weights}' in bo.spread, where {usual} count equally. Leave it out, or use " in text
    assert text.endswith(respecting("weights"))


@pytest.mark.xfail(strict=True, reason="only a record with function= is found by what is called")
@pytest.mark.parametrize("feature", ["tasks", "clusters", "runs", "folds"])
def test_the_recipe_itself_refuses_a_feature(feature: str) -> None:
    with pytest.raises(ScoreError):
        load("analyses.spread.statistics:spread")(WITH[feature])


def test_what_gives_a_feature_up_is_taken(careless: Callable[..., Any]) -> None:
    """A careless analysis of tasks runs if problems were asked to count equally; of runs, on one score per cell."""
    bare = WITH["tasks"].with_design(tasks=None)
    assert careless(WITH["tasks"].with_design(weights="problems")).spreads == careless(bare).spreads
    assert careless(WITH["runs"].summarised("median")).spreads
    with pytest.raises(ScoreError, match=r"2 tasks, which bo\.spread does not respect"):
        careless(WITH["tasks"])


def test_the_tab_of_the_local_page() -> None:
    view = view_of(analyses.of_command("spread"))
    assert [(choice.name, choice.flag) for choice in view.choices] == [("measure", "--measure")]
    assert list(view.choices[0].offered({})) == [("", "sd (default)"), ("range", "range")]
    assert view.shell("t.csv", {"measure": ("range",)}, {}) == "bakeoff spread t.csv --measure range"


# --- an analysis of files in the core, and one of commands in a wing of its own ---------------------------------------

COMMANDS = """
import subprocess

from bakeoff.cli.call import Call
from bakeoff.scores import Scores
from bakeoff.wings.toys.repeat.statistics import Repeat, repeat


def answered(call: Call) -> Repeat:
    rows = [[float(subprocess.check_output(words.split())) * i for words in call.source] for i in range(1, 4)]
    return repeat(Scores(rows, algorithms=list(call.source), better="lower"), **call.arguments)
"""
HEADER = """
from bakeoff.wing import Wing

WING = Wing(about="toys", analyses=("wings.toys.repeat",))
"""


def make(package: Path, place: str, name: str, reads: str, hook: str) -> None:
    """The analysis of the recipe under another name, with a hook."""
    folder = package / place / name
    folder.mkdir(parents=True)
    dotted = f"{place.replace('/', '.')}.{name}"
    own = f'        reads="{reads}",\n        hook="{dotted}.options:answered",\n'
    for file, text in FILES:
        renamed = text.replace("analyses.spread", dotted).replace("spread", name).replace("Spread", name.capitalize())
        renamed = re.sub(r" +tab=.*\n", own, renamed)
        (folder / Path(file).name).write_text(renamed, encoding="utf-8")
    (folder / "options.py").write_text(hook, encoding="utf-8")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with both: one folder and one line for the first, a wing for the second."""
    made = tmp_path_factory.mktemp("house")
    package = made / "bakeoff"
    shutil.copytree(Path(bo.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    assert HOOK is not None
    make(package, "analyses", "reach", "files", HOOK[1])
    listed = package / "analyses" / "__init__.py"
    text = listed.read_text(encoding="utf-8")
    listed.write_text(text.replace("FOLDERS = (", 'FOLDERS = ("analyses.reach", ', 1), encoding="utf-8")
    make(package, "wings/toys", "repeat", "commands", COMMANDS)
    (package / "wings" / "toys" / "__init__.py").touch()
    (package / "wings" / "toys" / "wing.py").write_text(HEADER, encoding="utf-8")
    for name, numbers in (("new", "1 2 9"), ("old", "3 4 5")):
        (made / f"{name}.txt").write_text(numbers, encoding="utf-8")
    return made


def called(house: Path, *words: str, code: int = 0) -> str:
    """What the copy prints."""
    environment = {**os.environ, "PYTHONPATH": str(house)}
    program = [sys.executable, "-m", "bakeoff", *words]
    done = subprocess.run(program, capture_output=True, text=True, cwd=house, env=environment)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_both_are_commands_with_help(house: Path) -> None:
    text = called(house, "--help")
    assert "  reach" in text
    assert "  repeat" in text
    assert "Usage: bakeoff reach [OPTIONS] FILE..." in called(house, "reach", "--help")
    assert "'COMMAND' 'COMMAND' …" in called(house, "repeat", "--help")


def test_the_hook_reads_files(house: Path) -> None:
    text = called(house, "reach", "new.txt", "old.txt", "--measure", "range", "--report", "reach.json")
    assert "The scores of new are furthest apart." in text
    assert json.loads((house / "reach.json").read_text(encoding="utf-8"))["request"] == {"measure": "range"}
    called(house, "verify", "reach.json")
    assert "Missing argument 'FILE...'" in called(house, "reach", code=2)


def test_the_hook_of_a_wing_runs_commands(house: Path) -> None:
    assert "The scores of echo 5 are furthest apart." in called(house, "repeat", "echo 1", "echo 5")
    assert "--measure must be one of" in called(house, "repeat", "echo 1", "echo 5", "--measure", "iqr", code=2)
