"""``bakeoff status``: progress, failures by algorithm, the coordinator, the files, and what to do next."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.wings.run.store.lease import PATIENCE
from waiting import wait_until

MODULE = """
import os, time
calls = []
def slow(problem, rng):
    calls.append(1)
    while len(calls) > 20 and not os.path.exists("go"):
        time.sleep(0.02)
    return 1.0
def fails(problem, rng):
    raise ArithmeticError("diverged")
"""
TOML = """
better = "lower"
seed = 1
runs = 100
on_failure = 5.0
retries = 1
[algorithms]
slow = { python = "status_for_tests:slow" }
fails = { python = "status_for_tests:fails" }
[problems.values]
p = 1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "status_for_tests.py").write_text(MODULE)
    (tmp_path / "e.toml").write_text(TOML)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def status(*more: str) -> str:
    done = CliRunner().invoke(main, ["status", "e.sqlite", *more])
    assert done.exit_code == 0, done.stderr
    return done.stdout


def content() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(status("--json"))
    return found


@pytest.mark.slow
def test_while_it_runs_when_it_was_killed_and_when_it_is_done(folder: Path) -> None:
    paths = [str(Path(bo.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-m", "bakeoff", "run", "e.toml"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    store = Path("e.sqlite")
    wait_until(lambda: store.exists() and store.stat().st_size > 4096 and content()["n_runs"] > 5)
    found = content()
    assert (found["state"], found["coordinator"]["pid"]) == ("running", process.pid)
    assert found["n_runs_planned"] == 200
    assert f"running, process {process.pid} on " in status()
    refused = CliRunner().invoke(main, ["run", "e.toml"])
    assert refused.exit_code == 2
    assert "another coordinator (process" in refused.stderr
    process.send_signal(signal.SIGKILL)
    process.wait()
    Path("go").touch()
    found = content()
    assert found["state"] == "killed"
    assert found["next"] == "bakeoff run e.toml (resumes)"
    assert "or could not record that it stopped" in status()
    assert CliRunner().invoke(main, ["run", "e.toml"]).exit_code == 0
    found = content()
    assert (found["state"], found["n_runs"], found["n_failed"]) == ("finished", 200, 100)
    assert found["algorithms"][1]["n_attempts"] >= 100
    assert "fails: 100 of 100 runs failed and" in status()
    assert "raised ArithmeticError: diverged" in status()
    assert found["files"] == ["e.sqlite"]
    done = CliRunner().invoke(main, ["export", "e.sqlite", "attempts", "-o", "attempts.csv"])
    assert done.exit_code == 0, done.stderr
    lines = Path("attempts.csv").read_text().splitlines()
    assert lines[0] == "problem,algorithm,run,attempt,status,started,worker,error"
    assert len(lines) == 1 + found["algorithms"][1]["n_attempts"]
    assert "diverged" in lines[1]


def test_a_coordinator_of_another_machine_and_none(folder: Path) -> None:
    experiment = bo.Experiment({"a": abs_of, "b": abs_of}, {"p": 1.0, "q": -2.0}, better="lower", seed=1)
    bo.run(experiment, "e.sqlite")
    assert content()["next"] == "bakeoff compare e.sqlite"
    connection = sqlite3.connect("e.sqlite")
    connection.execute("UPDATE coordinator SET ended = 0, machine = 'x', host = 'far', seen = ?", (time.time(),))
    connection.commit()
    assert content()["state"] == "running"
    connection.execute("UPDATE coordinator SET seen = ?", (time.time() - PATIENCE - 1,))
    connection.execute("DELETE FROM run WHERE inst = 1")
    connection.execute("UPDATE instance SET status = 'active' WHERE pos = 1")
    connection.commit()
    assert content()["state"] == "killed"
    connection.execute("DROP TABLE coordinator")
    connection.commit()
    connection.close()
    assert content()["state"] == "unknown"
    assert "none is recorded" in status()


def abs_of(problem: float, rng: object) -> float:
    return abs(problem)


def test_commits_beside_the_store_are_named(folder: Path) -> None:
    """A viewer that keeps a snapshot prevents them from being moved into the store."""
    experiment = bo.Experiment({"a": abs_of, "b": viewed}, {"p": 1.0}, better="lower", seed=1, runs=20)
    bo.run(experiment, "e.sqlite")
    found = content()
    viewers.pop().close()
    assert found["files"] == ["e.sqlite", "e.sqlite-wal"]


viewers: list[sqlite3.Connection] = []


def viewed(problem: float, rng: object) -> float:
    if not viewers:
        viewers.append(sqlite3.connect("e.sqlite"))
        viewers[0].execute("BEGIN")
        viewers[0].execute("SELECT count(*) FROM run").fetchone()
    return 2.0
