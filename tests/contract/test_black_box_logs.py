"""Folders of COCO and IOHprofiler mean the same to every command: functions are clusters, errors are no times."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from black_box_logs import coco_folder, ioh_folder

FOLDERS = {"coco": coco_folder, "ioh": ioh_folder}


@pytest.fixture(params=FOLDERS)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    make: Callable[..., Path] = FOLDERS[request.param]
    make(tmp_path / "logs", "fast", 2.0, 1)
    make(tmp_path / "logs", "slow", 0.5, 2)
    return tmp_path / "logs"


def answer(*args: str) -> dict[str, Any]:
    done = CliRunner().invoke(main, [*args, "--json"])
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def clusters(found: dict[str, Any]) -> set[str]:
    at = found["curves"] if "scores" not in found or "t" in found.get("curves", ()) else found["scores"]
    return {name.removeprefix("F").removeprefix("f") for name in at["clusters"]}


@pytest.mark.parametrize("command", ["compare", "curves", "runtimes", "profile", "leaderboard"])
def test_a_function_is_a_cluster_in_every_command(folder: Path, command: str) -> None:
    assert clusters(answer(command, str(folder))) == {"1", "2", "3"}


def test_problems_that_are_of_all_functions_have_no_clusters(folder: Path) -> None:
    assert answer("compare", str(folder), "--problem", "dimension,instance")["scores"].get("clusters") is None


def test_errors_are_never_times(folder: Path) -> None:
    found = answer("runtimes", str(folder))
    assert found["scores"]["metric"] == "evals to 1e-08"
    by_name = {entry["algorithm"]: entry for entry in found["estimates"]}
    assert by_name["slow"]["solved"] == 0
    assert by_name["fast"]["solved"] > 0
    assert not any(c["code"] == "doubtful-reading" for c in answer("compare", str(folder))["cautions"])
    found = answer("runtimes", str(folder), "--target", "50")
    assert {entry["solved"] for entry in found["estimates"]} == {found["n_problems"]}
    page = " ".join(CliRunner().invoke(main, ["runtimes", str(folder)]).stdout.split())
    assert "fewer evals to 1e-08 are better" in page
    assert "less time" not in page
    done = CliRunner().invoke(main, ["runtimes", str(folder), "--metric", "best y"])
    assert done.exit_code == 2


def test_a_profile_of_logs_is_of_evaluations(folder: Path) -> None:
    found = answer("profile", str(folder))
    assert found["scores"]["metric"] == "evals to 1e-08"
    ever = {entry["algorithm"]: entry["ever"] for entry in found["curves"]}
    assert ever["slow"] == 0 < ever["fast"]
    found = answer("profile", str(folder), "--target", "50")
    assert found["scores"]["metric"] == "evals to 50"
    metric = answer("compare", str(folder))["scores"]["metric"]
    assert answer("profile", str(folder), "--metric", metric)["scores"]["metric"] == metric
    done = CliRunner().invoke(main, ["profile", str(folder), "--kind", "data", "--target", "1"])
    assert "--kind data has its own targets" in done.stderr


def test_curves_of_logs_are_of_logarithms_down_to_the_target(folder: Path) -> None:
    found = answer("curves", str(folder))["curves"]
    assert (found["scale"], found["target"]) == ("log", 1e-8)
    assert answer("curves", str(folder), "--scale", "linear")["curves"]["scale"] == "linear"


def test_no_target_is_usual_where_functions_are_maximised(tmp_path: Path) -> None:
    for name, rate in (("a", 0.5), ("b", 0.6)):
        ioh_folder(tmp_path / "logs", name, rate, maximise=True)
    done = CliRunner().invoke(main, ["runtimes", str(tmp_path / "logs")])
    assert "--target is needed: these functions are maximised" in done.stderr
    for command in ("runtimes", "profile"):
        assert answer(command, str(tmp_path / "logs"), "--target", "1")["scores"]["metric"] == "evals to 1"
    assert answer("curves", str(tmp_path / "logs"))["curves"]["scale"] == "linear"


def test_a_table_has_no_target_of_evaluations(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("problem,a,b\nx,1,2\ny,2,3\n")
    done = CliRunner().invoke(main, ["runtimes", str(tmp_path / "t.csv"), "--target", "1"])
    assert "--target is for logs of COCO and IOHprofiler" in done.stderr
