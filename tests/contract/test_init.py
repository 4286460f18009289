"""bakeoff init writes an experiment that runs as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bakeoff.cli import main


def called(*args: str) -> Result:
    return CliRunner().invoke(main, list(args))


@pytest.mark.slow
def test_it_runs_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written = called("init")
    assert written.exit_code == 0, written.output
    assert "bakeoff run experiment.toml" in written.stdout
    assert "bakeoff compare experiment.sqlite" in written.stdout
    ran = called("run", "experiment.toml")
    assert ran.exit_code == 0, ran.output
    compared = called("compare", "experiment.sqlite", "--json")
    assert compared.exit_code == 0, compared.output
    content = json.loads(compared.stdout)
    assert len(content["scores"]["problems"]) == 20
    assert content["cautions"] == []
    assert content["scores"]["algorithms"] == ["descend step=0.1", "descend step=0.5", "descend step=2.0"]


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert called("init", str(folder)).exit_code == 0
    (folder / "solver.py").write_text("mine")
    again = called("init", str(folder))
    assert again.exit_code == 2
    assert "already exists" in again.output
    assert (folder / "solver.py").read_text() == "mine"
    assert "say another folder, or delete its files first" in called("init", str(folder), "--force").output


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "here").write_text("")
    assert "must be a folder" in called("init", str(tmp_path / "here")).output
