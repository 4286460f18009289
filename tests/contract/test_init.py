"""bakeoff init writes an experiment that runs as it is."""

from __future__ import annotations

import json
import tomllib
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


@pytest.mark.slow
def test_the_recipe_of_campelo_and_takahashi_runs_as_it_is(tmp_path: Path) -> None:
    """Algorithm 2 with the parameters of section 5.1: 34 problems, at most 200 runs on each, at least 15 of each."""
    written = called("init", str(tmp_path), "--recipe", "campelo-2019")
    assert written.exit_code == 0, written.output
    experiment = tmp_path / "experiment.toml"
    settings = tomllib.loads(experiment.read_text(encoding="utf-8"))["repetitions"]
    assert (settings["se"], settings["n0"], settings["nmax"], settings["resamples"]) == (0.05, 15, 200, 999)
    ran = called("run", str(experiment), "--json")
    assert ran.exit_code == 0, ran.output
    content = json.loads(ran.stdout)
    assert content["n_problems"] == 34
    assert 34 * 30 <= content["n_runs"] <= 34 * 200
    assert sum(content["reasons"].values()) == 34
    assert (content["differences"], content["method"]) == ("percent", "bootstrap")


def test_an_unknown_recipe_names_those_there_are(tmp_path: Path) -> None:
    assert "campelo-2019" in called("init", str(tmp_path), "--recipe", "campelo").output


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
