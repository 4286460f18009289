"""``bakeoff run``, ``verify`` and ``export``: what they print, where, and with which exit code."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.cli.terminal import bar
from bakeoff.wings.run.progress import Progress
from bakeoff.wings.run.run.reporting.progress import done as share_done, duration, footline, headline
from terminals import drawn_until
from waiting import PATIENCE, wait_until

SOLVER = """#!/bin/sh
# a stranger's solver: instance file, seed, offset; prints some chatter and then its cost
read base < "$1"
echo "solving $1 with seed $2"
echo $(( base * 100 + ($2 * 7919) % 83 + $3 ))
"""
TOML = """
better = "lower"
seed = 1
runs = 2
[algorithms]
fast = "./solver.sh {instance} {seed} 0"
slow = "./solver.sh {instance} {seed} 40"
[problems]
files = "instances/*.txt"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "solver.sh").write_text(SOLVER)
    (tmp_path / "solver.sh").chmod(0o755)
    (tmp_path / "experiment.toml").write_text(TOML)
    (tmp_path / "instances").mkdir()
    for i in range(6):
        (tmp_path / "instances" / f"i{i}.txt").write_text(f"{i + 1}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bakeoff(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def done(result: Result) -> str:
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def refused(result: Result) -> str:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert re.fullmatch(r"bakeoff: [^\n]+\n", result.stderr)
    return result.stderr


@pytest.mark.slow
def test_the_next_command_is_one_that_a_shell_takes(folder: Path) -> None:
    """R-A, unclear: "next: bakeoff compare sp ace.sqlite"."""
    shown = done(bakeoff("run", "experiment.toml", "--store", "sp ace's.sqlite"))
    (line,) = re.findall(r"Also: (.*)", " ".join(shown.split()))
    words = shlex.split(line)
    assert words[:3] == ["bakeoff", "compare", "sp ace's.sqlite"]
    assert "fast is better than slow" in done(bakeoff(*words[1:3]))


@pytest.mark.slow
def test_a_strangers_solver_from_toml_to_verdict(folder: Path) -> None:
    shown = done(bakeoff("run", "experiment.toml"))
    assert "2 algorithms, 6 problems, 24 runs" in shown
    assert "positive where fast is better than slow" in shown
    assert "\nAlso: bakeoff compare experiment.sqlite\n" in shown
    assert "Nothing was left" not in shown
    again = done(bakeoff("run", "experiment.toml"))  # U-A36: the same is said, and that nothing was run again
    assert again == shown.replace("\nStored in", "\nNothing was left to run. Stored in")
    verdict = done(bakeoff("compare", "experiment.sqlite"))
    assert "fast is better than slow" in verdict
    assert "24 runs and 12 decisions on 6 problems, 6 of them finished" in done(bakeoff("verify", "experiment.sqlite"))
    assert done(bakeoff("export", "experiment.sqlite", "-o", "runs.csv")) == "24 runs written to runs.csv\n"
    of_file = done(bakeoff("compare", "runs.csv", "--better", "lower"))
    of_file = re.sub(r",\s+left\s+out:[^.]*", "", of_file)  # what a run measures beside its score
    named = of_file.replace(" (“problem”)", "").replace(" (“algorithm”)", "").replace(" (“run”)", "")
    assert named.split() == verdict.split()  # lines break elsewhere


@pytest.mark.slow
def test_json_and_report(folder: Path) -> None:
    shown = json.loads(done(bakeoff("run", "experiment.toml", "--json", "--report", "r.html", "--report", "r.json")))
    assert shown["schema"] == "bakeoff.run/1"
    assert (shown["n_runs"], shown["n_problems"], shown["reasons"]) == (24, 6, {"fixed": 6})
    assert [e["n_runs"] for e in shown["estimates"]] == [[2, 2]] * 6
    assert (folder / "r.html").stat().st_size > 1000
    assert json.loads((folder / "r.json").read_text())["pairs"]
    checked = json.loads(done(bakeoff("verify", "experiment.sqlite", "--json")))
    assert (checked["ok"], checked["digest"], checked["findings"]) == (True, shown["digest"], [])


@pytest.mark.slow
def test_the_store_goes_beside_the_experiment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    done(bakeoff("run", "../experiment.toml"))
    assert (folder / "experiment.sqlite").exists()
    done(bakeoff("run", "../experiment.toml", "--store", "here.sqlite"))
    assert (folder / "elsewhere" / "here.sqlite").exists()


@pytest.mark.slow
def test_what_is_wrong_is_one_line(folder: Path) -> None:
    assert "cannot read" in refused(bakeoff("run", "none.toml"))
    assert "no such option" in refused(bakeoff("run", "experiment.toml", "--worker", "3")).lower()
    assert "workers" in refused(bakeoff("run", "experiment.toml", "--workers", "0", "--executor", "processes"))
    assert "executor" in refused(bakeoff("run", "experiment.toml", "--executor", "slurm"))
    assert "must end in" in refused(bakeoff("run", "experiment.toml", "--report", "r.docx"))
    assert "there is no store" in refused(bakeoff("verify", "none.sqlite"))
    assert "there is no store 'experiment.sqlite'" in refused(bakeoff("status", "experiment.toml"))
    assert "there is no store" in refused(bakeoff("export", "none.sqlite", "-o", "x.csv"))
    assert "there is no store" in refused(bakeoff("compare", "none.sqlite"))
    done(bakeoff("run", "experiment.toml"))
    assert "overwritten" in refused(bakeoff("export", "experiment.sqlite", "-o", "experiment.sqlite"))
    assert "contradicts" in refused(bakeoff("compare", "experiment.sqlite", "--better", "higher"))
    assert "--layout" in refused(bakeoff("compare", "experiment.sqlite", "--read", "layout=long"))
    (folder / "experiment.toml").write_text(TOML.replace("runs = 2", "runs = 3"))
    assert "runs is 2 in the store and 3 now" in refused(bakeoff("run", "experiment.toml"))
    assert not (folder / "r.docx").exists()


@pytest.mark.slow
def test_a_failing_solver_is_named(folder: Path) -> None:
    (folder / "solver.sh").write_text("#!/bin/sh\necho broken >&2; exit 3\n")
    message = refused(bakeoff("run", "experiment.toml"))
    assert re.search(r"run 1 of '(fast|slow)' on 'i\d.txt':", message)
    assert "3" in message


@pytest.mark.slow
def test_a_store_that_does_not_hold_together(folder: Path) -> None:
    import sqlite3

    done(bakeoff("run", "experiment.toml"))
    connection = sqlite3.connect("experiment.sqlite")
    connection.execute("UPDATE run SET value = 0")
    connection.commit()
    connection.close()
    assert "is inconsistent" in refused(bakeoff("verify", "experiment.sqlite"))


ENDLESS = """
better = "lower"
seed = 1
runs = 400
[algorithms]
one = { python = "slow_for_tests:one" }
two = { python = "slow_for_tests:two" }
[problems.values]
p = 1
"""


def _started(folder: Path, *options: str, pause: float = 0.02, **streams: Any) -> subprocess.Popen[bytes]:
    (folder / "slow_for_tests.py").write_text(
        f"import time\ndef one(p, rng):\n    open('begun', 'w')\n    time.sleep({pause})\n    return 1.0\ntwo = one\n"
    )
    (folder / "endless.toml").write_text(ENDLESS)
    command = [sys.executable, "-m", "bakeoff", "run", "endless.toml", *options]
    paths = [str(Path(bo.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "TERM": "xterm", "CI": ""}
    return subprocess.Popen(command, cwd=folder, env=environment, **streams)


def _until_runs(store: Path, number: int) -> None:
    from bakeoff.errors import StoreError
    from bakeoff.wings.run.store.contents import read_store

    def begun() -> bool:
        try:
            return len(read_store(store).rows) >= number
        except (StoreError, TypeError):
            return False

    wait_until(begun)


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_keeps_what_it_has_and_says_how_to_go_on(folder: Path, number: signal.Signals) -> None:
    process = _started(folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _until_runs(folder / "endless.sqlite", 3)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out == b""
    assert err.decode() == (
        "bakeoff: stopped; finished runs are stored in endless.sqlite. To resume: bakeoff run endless.toml\n"
    )
    assert "0 of them finished. OK: every decision reproduced" in done(bakeoff("verify", "endless.sqlite"))


@pytest.mark.slow
def test_a_stop_need_not_wait_for_long_runs(folder: Path) -> None:
    """As a scheduler of jobs sends it: one SIGTERM, and SIGKILL some time later."""
    process = _started(folder, "--stop-within", "0.3", pause=600, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until((folder / "begun").exists)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"To resume: bakeoff run endless.toml" in err
    assert "0 of 800 runs" in done(bakeoff("status", "endless.sqlite"))


@pytest.mark.slow
def test_a_terminal_sees_a_live_table_and_a_pipe_nothing(folder: Path) -> None:
    seen = drawn_until(b"p  ", lambda stderr: _started(folder, stdout=subprocess.DEVNULL, stderr=stderr))
    assert b"0 of 1 problems" in seen
    assert b"waiting" in seen


PICTURE = Progress(
    n_problems=40,
    problems_done=12,
    runs_done=810,
    runs_expected=2500.5,
    runs_here=10,
    failed=1,
    retried=2,
    reasons={"accuracy": 11, "budget": 1},
    active=(),
    seconds=3.0,
    seconds_left=80.0,
    stopping=True,
    finished=False,
)


def test_the_lines_of_the_live_table() -> None:
    assert headline(PICTURE) == "12 of 40 problems · 810 of about 2500 runs · 1 min 20 s left"
    assert footline(PICTURE).startswith("11 accuracy · 1 budget · 1 run failed · 2 tried again · stopping")
    assert bar(share_done(PICTURE), 10) == "━━━┄┄┄┄┄┄┄"
    assert [duration(s) for s in (0, 59.4, 59.6, 3599.4, 3600, 90000)] == [
        "0 s",
        "59 s",
        "1 min 0 s",
        "59 min 59 s",
        "1 h 0 min",
        "1 d 1 h",
    ]


@pytest.mark.slow
def test_a_store_is_a_side_of_a_check(folder: Path) -> None:
    done(bakeoff("run", "experiment.toml", "--store", "experiment.sqlite"))
    sides = ("experiment.sqlite", "experiment.sqlite")
    found = bo.check(*sides, margin="50%", label=("fast", "slow"))
    assert len(found.rows) == 6
    answer = bakeoff("check", *sides, "--label", "fast", "--label", "slow", "--margin", "50%")
    assert "has 2 algorithms" in refused(bakeoff("check", *sides, "--margin", "50%"))
    assert answer.exit_code in (0, 1, 3), answer.stderr


def test_parts_are_run_and_merged(folder: Path) -> None:
    """The jobs of an array, in words that a shell sees."""
    for i in (1, 2):
        done = CliRunner().invoke(main, ["run", "experiment.toml", "--part", f"{i}/2"])
        assert done.exit_code == 0, done.output
        assert f"experiment.part-{i}-of-2.sqlite: 12 of 12 runs; 3 of 3 problems finished (part {i} of 2" in done.output
    status = CliRunner().invoke(main, ["status", "experiment.part-1-of-2.sqlite"])
    assert "Next: bakeoff merge, with all 2 parts" in status.output
    first = CliRunner().invoke(main, ["merge", "experiment.part-1-of-2.sqlite"])
    assert "Unfinished: 3 of 6 problems" in first.output
    both = CliRunner().invoke(main, ["merge", "experiment.part-1-of-2.sqlite", "experiment.part-2-of-2.sqlite"])
    assert both.output.splitlines() == [
        "2 stores merged into experiment.sqlite: 24 runs, 12 of them new",
        "Next: bakeoff run experiment.toml",
    ]
    assert "Nothing was left to run." in CliRunner().invoke(main, ["run", "experiment.toml"]).output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["run", "experiment.toml", "--part", "7/7"],
            "7 parts are more than the experiment has problems; with 6 parts",
        ),
        (["run", "experiment.toml", "--part", "0/2"], "number the jobs of an array from 1 (--array=1-N)"),
        (["run", "experiment.toml", "--part", "1/2", "--report", "r.html"], "--report needs the result of all parts"),
        (["run", "experiment.toml", "--part", "1/2", "--json"], "--json needs the result of all parts"),
        (["merge", "experiment.toml", "-o", "new.sqlite"], "is no SQLite database"),
        (["merge", "a.sqlite"], "--output is required, because the names of the files are not those of parts"),
        (["merge", "a.part-1-of-2.sqlite"], "there is no store 'a.part-1-of-2.sqlite'"),
    ],
)
def test_parts_that_are_not_there(folder: Path, words: list[str], says: str) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert says in " ".join(done.output.split())
    assert not [*folder.glob("*.sqlite")]
