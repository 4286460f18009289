"""Folders, files and settings as strangers have them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.running.naming import matching_files
from bakeoff.running.store.contents import read_store
from bakeoff.running.store.verifying import verify_store


def test_a_folder_may_be_called_like_a_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "try[1]*"
    (folder / "data" / "deep").mkdir(parents=True)
    for name in ("one.txt", "deep/two.txt"):
        (folder / "data" / name).write_text("1")
    assert sorted(matching_files("data/**/*.txt", folder)) == ["deep/two.txt", "one.txt"]
    assert list(matching_files("data/one.*", folder)) == ["one.txt"]
    assert list(matching_files(str(tmp_path / "try*" / "data" / "one.txt"), folder)) == ["try[1]*/data/one.txt"]
    with pytest.raises(bo.errors.ParameterError, match="no file matches"):
        matching_files("none/*.txt", folder)


PROGRAMS = """
better = "lower"
seed = 1
[algorithms]
talks = "echo hello"
counts = "echo 1"
[problems.values]
one = 1
"""


def experiment(folder: Path, text: str = PROGRAMS) -> bo.Experiment:
    (folder / "experiment.toml").write_text(text)
    return bo.Experiment.from_toml(folder / "experiment.toml")


def test_a_failed_run_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(bo.errors.RunFailedError) as caught:
        bo.run(experiment(tmp_path))
    assert str(caught.value).count("'talks' on 'one'") == 1
    assert "stdout: 'hello' is not a number" in str(caught.value)


def test_an_absent_store_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(bo.errors.StoreError, match=r"^there is no store '/"):
        read_store(tmp_path / "none.sqlite")


def test_an_option_of_another_executor_is_refused_in_our_words(tmp_path: Path) -> None:
    with pytest.raises(bo.errors.ParameterError) as caught:
        bo.run(experiment(tmp_path), address="tcp://localhost:1")
    assert "no such option: address" in str(caught.value)
    assert 'executor="dask"' in str(caught.value)
    assert "__init__" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE instance SET draw_order = draw_order + 100",
        "UPDATE instance SET draw_order = NULL WHERE draw_order = 2",
        "UPDATE instance SET draw_order = -1 - draw_order",
        "UPDATE algorithm SET name = 'other' WHERE pos = 1",
    ],
)
def test_verify_knows_names_and_the_order_of_drawing(tmp_path: Path, change: str) -> None:
    """Which problems a look sees is up to the seed, not to whoever edits the store."""
    text = PROGRAMS.replace("one = 1", "one = 1\ntwo = 2\nthree = 3").replace("echo hello", "echo 2")
    bo.run(experiment(tmp_path, text), tmp_path / "runs.sqlite")
    assert verify_store(tmp_path / "runs.sqlite").ok
    with closing(sqlite3.connect(tmp_path / "runs.sqlite")) as connection:
        connection.execute(change)
        connection.commit()
    assert not verify_store(tmp_path / "runs.sqlite").ok
