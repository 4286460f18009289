"""Nothing is skipped silently in a folder: what is no result is named, and what looks like one is an error."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ReadingError
from bakeoff.report.sections import read_line
from bakeoff.wings.formats.measurements import read_measurements
from unprivileged import unprivileged

FORMATS = Path(__file__).parents[1] / "oracles" / "data" / "formats"


def accuracies(folder: Path) -> Path:
    folder.mkdir()
    for name, gain in (("old", 0), ("new", 1)):
        rows = [f"p{i},{50 + i + gain * (i * i % 7 - 1)}" for i in range(10)]
        (folder / f"{name}_accuracy.csv").write_text("\n".join(["Resamples:,0", *rows]))
    return folder


def answers(folder: Path) -> Path:
    """Two models on MTEB."""
    folder.mkdir()
    for model, name in (("a", "T1"), ("a", "T2"), ("b", "T1"), ("b", "T2")):
        content = json.loads((FORMATS / "mteb_task.json").read_text())
        content["task_name"] = name
        (folder / model).mkdir(exist_ok=True)
        (folder / model / f"{name}.json").write_text(json.dumps(content))
    return folder


def codes(result: Any) -> list[str]:
    return [caution.code for caution in result.cautions]


@pytest.mark.parametrize("analysis", [bo.compare, bo.evaluate, bo.leaderboard, bo.score_table])
def test_files_that_hold_no_result_are_named(analysis: Any, tmp_path: Path) -> None:
    folder = accuracies(tmp_path / "results")
    assert "left-out" not in codes(analysis(bo.read_results(folder)))
    (folder / "old.log").write_text("Segmentation fault")
    (folder / "notes").mkdir()
    (folder / "notes" / "README.md").write_text("# notes")
    scores = bo.read_results(folder)
    assert (scores.read_as.n_files, scores.read_as.not_taken) == (2, ("old.log", "notes/README.md"))
    found = analysis(scores)
    [text] = [caution.text for caution in found.cautions if caution.name == "left-out (files)"]
    assert "2 files of results were read; in the same folders 2 files hold no such result: old.log" in text
    assert ", read from 2 files" in read_line(scores)
    if analysis is not bo.score_table:
        assert bo.verify(found.to_dict()).ok
        forged = found.to_dict()
        forged["scores"]["not_taken"].remove("old.log")
        assert not bo.verify(forged).ok


@pytest.mark.parametrize(
    ("name", "content"),
    [("third_accuracy.csv", ""), ("third_accuracy.csv", "Segmentation fault\n"), ("third_accuracy.csv", "   \n")],
)
def test_a_file_that_ends_as_results_do_is_no_other_file(name: str, content: str, tmp_path: Path) -> None:
    """It was skipped: the run that crashed was missing, without a word."""
    folder = accuracies(tmp_path / "results")
    (folder / name).write_text(content)
    with pytest.raises(ReadingError, match=r"third_accuracy\.csv: looks like results of aeon .* and cannot be read"):
        bo.read_results(folder)


@pytest.mark.parametrize("content", ["", "Killed\n", '{"mteb_version": "1"', "\x00"])
def test_json_that_is_broken_beside_whole_results(content: str, tmp_path: Path) -> None:
    folder = answers(tmp_path / "results")
    (folder / "b" / "T3.json").write_text(content)
    with pytest.raises(ReadingError, match=r"T3\.json"):
        read_measurements(folder)
    (folder / "b" / "T3.json").write_text('{"model": "b"}')  # whole, and another kind of file
    assert read_measurements(folder).not_taken == [str(Path("b") / "T3.json")]


@pytest.mark.parametrize("name", ["asv", "coco", "criterion", "helm", "ioh", "lm_eval"])
def test_what_a_program_writes_beside_its_results_is_not_named(name: str) -> None:
    assert read_measurements(FORMATS / name).not_taken == []


def test_curves_and_check_name_them_too(tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copytree(FORMATS / "ioh" / "RS", tmp_path / "logs" / name)
        for path in (tmp_path / "logs" / name).glob("*.json"):
            path.write_text(path.read_text().replace('"name": "RS"', f'"name": "{name}"'))
    (tmp_path / "logs" / "b" / "slurm.out").write_text("Killed")
    found = bo.curves(str(tmp_path / "logs"), better="lower")
    assert "left-out" in codes(found)
    assert bo.verify(found.to_dict()).ok
    for side in ("base", "new"):
        (tmp_path / side).mkdir()
        for i in range(6):
            timed = {"results": [{"command": "x", "times": [1 + i / 100]}]}
            (tmp_path / side / f"{i}.json").write_text(json.dumps(timed))
    (tmp_path / "new" / "3.log").write_text("Segmentation fault")
    checked = bo.check(tmp_path / "base", tmp_path / "new", "5%")
    assert checked.scores.read_as.not_taken == ("new: 3.log",)
    assert checked.scores.read_as.n_files == 12
    assert "left-out" in codes(checked)
    assert bo.verify(checked.to_dict()).ok


def tables(folder: Path) -> Path:
    folder.mkdir()
    for name in "abc":
        rows = [f"p{i},{i / 7 + ord(name)}\n" for i in range(12)]
        (folder / f"{name}.csv").write_text("".join(["problem,score\n", *rows]))
    return folder


@pytest.mark.parametrize("packed", [False, True])
def test_files_beside_tables_are_named(packed: bool, tmp_path: Path) -> None:
    """Of a folder of tables every other file was skipped without a word: ``d.txt``, in which a run says how it died."""
    folder = tables(tmp_path / "results")
    (folder / "d.txt").write_text("Segmentation fault")
    (folder / "sub").mkdir()
    (folder / "sub" / "e.json").write_text("{}")
    source = Path(shutil.make_archive(str(tmp_path / "t"), "zip", folder)) if packed else folder
    scores = bo.read_scores(source, "lower")
    assert (scores.read_as.n_files, scores.read_as.not_taken) == (3, ("d.txt", str(Path("sub") / "e.json")))
    found = bo.compare(scores)
    assert "left-out" in codes(found)
    assert bo.verify(found.to_dict(), source).ok


def test_files_given_one_by_one_leave_nothing_out(tmp_path: Path) -> None:
    folder = tables(tmp_path / "results")
    (folder / "d.txt").write_text("Segmentation fault")
    scores = bo.read_scores(sorted(folder.glob("*.csv")), "lower")
    assert (scores.read_as.n_files, scores.read_as.not_taken) == (3, ())


@pytest.mark.skipif(sys.platform == "win32", reason="neither pipes nor links in folders")
@pytest.mark.parametrize("what", ["a pipe", "a link to nothing", "a device"])
def test_what_is_no_file_but_called_as_a_result_is(what: str, tmp_path: Path) -> None:
    """It was skipped, or waited for."""

    def put(at: Path) -> None:
        if what == "a pipe":
            os.mkfifo(at)
        else:
            at.symlink_to("/dev/zero" if what == "a device" else "nothing")

    (tmp_path / "new").mkdir()
    for i in range(6):
        timed = {"results": [{"command": "x", "times": [1 + i / 100]}]}
        (tmp_path / "new" / f"{i}.json").write_text(json.dumps(timed))
    put(tmp_path / "new" / "6.json")
    with pytest.raises(ReadingError, match=r"6\.json: no result of hyperfine, as 6 other files are"):
        bo.check(tmp_path / "new", tmp_path / "new", "5%")
    folder = answers(tmp_path / "answers")
    put(folder / "b" / "T3.json")
    with pytest.raises(ReadingError, match=r"T3\.json: looks like results of MTEB and cannot be read"):
        read_measurements(folder)
    put(tables(tmp_path / "tables") / "d.csv")
    with pytest.raises(ReadingError, match=r"d\.csv' has the name of a table, but is a pipe"):
        bo.read_scores(tmp_path / "tables", "lower")
    with pytest.raises(ReadingError, match=r"d\.csv.*no such file|is a pipe|is a device"):
        read_measurements(tmp_path / "tables" / "d.csv")


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_linked_folders_are_named(tmp_path: Path) -> None:
    """They are not entered, as a link may lead anywhere; they were skipped without a word."""
    for folder in (tables(tmp_path / "results"), accuracies(tmp_path / "accuracies")):
        (folder / "latest").symlink_to(".")
    assert bo.read_scores(tmp_path / "results", "lower").read_as.not_taken == ("latest",)
    assert bo.read_results(tmp_path / "accuracies").read_as.not_taken == ("latest",)


def test_the_command_line_says_it(tmp_path: Path) -> None:
    folder = accuracies(tmp_path / "results")
    (folder / "old.log").write_text("Segmentation fault")
    found = CliRunner().invoke(main, ["compare", str(folder), "--details"])
    assert found.exit_code == 0, found.output
    assert "left-out (files): 2 files of results were read" in " ".join(found.output.split())


def test_a_folder_that_cannot_be_opened_is_named() -> None:
    """What is in it was skipped."""
    with unprivileged() as folder:
        accuracies(folder / "results")
        closed = folder / "results" / "more"
        closed.mkdir()
        closed.chmod(0)
        with pytest.raises(ReadingError, match=r"cannot read the folder '.*more': Permission denied"):
            bo.read_results(folder / "results")
        closed.chmod(0o700)
