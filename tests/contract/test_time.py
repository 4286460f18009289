"""``bakeoff time`` with real processes: kept short, without sleeping."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from waiting import PATIENCE, wait_until

QUICK = f"{sys.executable} -S -E -c pass"
HEAVY = f"{sys.executable} -S -E -c 'sum(range(6000000))'"
NAMED = ("--name", "heavy", "--name", "quick")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes as of POSIX")


@pytest.mark.slow
def test_two_commands_are_told_apart_kept_and_verified(tmp_path: Path) -> None:
    store, report = tmp_path / "times.jsonl", tmp_path / "r.json"
    call = ["time", HEAVY, QUICK, *NAMED, "--store", str(store), "--report", str(report)]
    done = CliRunner().invoke(main, call)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("quick is ")
    assert " times as fast as heavy (95 % " in done.stdout
    content = json.loads(report.read_text())
    assert content["schema"] == "bakeoff.time/1"
    assert content["pairs"][0]["verdict"] == "b better"
    assert bo.verify(content).ok
    content["pairs"][0]["ratio"] *= 2
    content["request"]["alpha"] = 0.5
    assert {"alpha", "pairs[0].ratio"} <= {difference.where for difference in bo.verify(content).differences}
    before = store.read_bytes()
    again = CliRunner().invoke(main, call)
    assert again.stdout.splitlines()[0] == done.stdout.splitlines()[0]  # nothing is measured again
    assert store.read_bytes() == before


@pytest.mark.slow
def test_every_format(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    times = np.exp(0.1 * rng.normal(size=(1, 3, 40)) + np.array([0.0, 0.02, 1.0])[:, None])
    found = bo.time_ratios(bo.Scores(times, ["A & <b>", "new", "old"], better="lower"))
    for suffix in ("html", "md", "tex", "txt", "json", "csv", "xlsx", "svg", "png", "pdf", "tikz"):
        found.save(tmp_path / f"times.{suffix}")
        assert (tmp_path / f"times.{suffix}").stat().st_size > 100
    assert "A & <b>" not in (tmp_path / "times.html").read_text()
    assert "No time was left out as an outlier" in (tmp_path / "times.md").read_text()
    assert found.verdict.startswith("Not shown to be slower than another: ")
    assert bo.time_ratios(found.scores, control="old").verdict.startswith("old is slower than A & <b> (2.")


@pytest.mark.slow
def test_failing_commands_have_a_status_and_no_time(tmp_path: Path) -> None:
    store = tmp_path / "times.jsonl"
    failing = f"{sys.executable} -S -E -c 'raise SystemExit(3)'"
    done = CliRunner().invoke(main, ["time", failing, QUICK, *NAMED, "--store", str(store)])
    assert done.exit_code == 2
    assert "'heavy' ended with exit code 3 (round 1); say --on-failure keep" in done.stderr
    run = next(run for run in json.loads(store.read_text().splitlines()[1])["runs"] if run["algorithm"] == "heavy")
    assert (run["status"], run["seconds"]) == ("failed", None)
    with pytest.raises(bo.BakeoffError, match=r"took longer than 0\.2 s"):
        bo.time_commands({"endless": [sys.executable, "-S", "-c", "while True: pass"], "quick": QUICK}, timeout=0.2)
    with pytest.raises(bo.BakeoffError, match="cannot be started"):
        bo.time_commands(["no-such-program-here", QUICK])


def test_no_shell_unless_asked(tmp_path: Path) -> None:
    target = tmp_path / "made"
    done = CliRunner().invoke(main, ["time", f"true; touch {target}", "true"])
    assert done.exit_code == 2
    assert "means something to a shell only" in done.stderr
    assert "--shell" in done.stderr
    bo.time_commands([["true", f"; touch {target}"], "true"], rounds=1)
    assert not target.exists()
    found = bo.time_commands({"a": f"true; touch {target}", "b": "true"}, rounds=1, shell=True)
    assert target.exists()
    assert found.cautions[0].code == "shell-time"


def test_prepare_runs_before_each_run_and_is_not_timed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    bo.time_commands(
        [f"echo a >> {log}", f"echo b >> {log}"], rounds=2, shell=True, prepare=f"echo ready >> {log}", warmup=1
    )
    lines = log.read_text().split()
    assert lines[::2] == ["ready"] * 6
    assert sorted(lines[1::2]) == ["a"] * 3 + ["b"] * 3


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="Linux alone pins processes")
def test_cores(tmp_path: Path) -> None:
    core = min(os.sched_getaffinity(0))
    before = os.sched_getaffinity(0)
    seen = tmp_path / "seen"
    say = f'{sys.executable} -S -c \'import os; open("{seen}", "w").write(str(os.sched_getaffinity(0)))\''
    done = CliRunner().invoke(main, ["time", say, "true", "--cores", str(core), "--rounds", "1"])
    assert done.exit_code == 0, done.stderr
    assert seen.read_text() == f"{{{core}}}"
    assert os.sched_getaffinity(0) == before
    assert CliRunner().invoke(main, ["time", "true", "false", "--cores", "9999"]).exit_code == 2


def test_its_file_is_read_as_any_tools_file_is(tmp_path: Path) -> None:
    store = tmp_path / "times.jsonl"
    for problem in ("one", "two"):
        bo.time_commands({"a": "true", "b": ["true"]}, file=store, problem=problem, rounds=3)
    scores = bo.read_results(store)
    assert (scores.problems, scores.algorithms, scores.better) == (("one", "two"), ("a", "b"), "lower")
    assert (scores.metric, scores.run_kind) == ("time", "process")
    assert scores.run_ids is not None
    assert scores.run_ids[1, 0].tolist() == ["1", "2", "3"]
    kept = [json.loads(line) for line in store.read_text().splitlines()]
    seconds = [run["seconds"] for line in kept[1:4] for run in line["runs"] if run["algorithm"] == "b"]
    assert scores.runs is not None
    assert scores.runs[0, 1].tolist() == seconds
    assert bo.time_ratios(scores.select(problems=["two"])).pairs[0].rounds == 3
    content = store.read_bytes()
    store.write_bytes(content + content.splitlines()[1][:40])  # a line cut off
    assert bo.read_results(store).runs is not None
    failed = content.replace(b'"status": "ok"', b'"status": "timeout"', 1)
    store.write_bytes(failed)
    with pytest.raises(bo.BakeoffError, match=r"\(timeout\)"):
        bo.read_results(store)
    assert bo.read_results(store, missing="available").n_runs.tolist() == [[2, 3], [3, 3]]
    builds = bo.read_results({"old": store, "new": store}, missing="available")
    assert (builds.algorithms, builds.problems[0]) == (("old", "new"), "one/a")
    store.write_bytes(content + b'{"round": 9}\n')
    with pytest.raises(bo.BakeoffError, match="line 9: is no line"):
        bo.read_results(store)


def measuring(store: Path) -> subprocess.Popen[bytes]:
    """A measurement that does not end by itself soon, after two rounds and one of its own."""
    words = [sys.executable, "-m", "bakeoff", "time", QUICK, f"{QUICK} again", "--store", str(store)]
    words += ["--rounds", "1000", "--until", "known", "--precision", "1e-9"]
    before = store.read_bytes().count(b"\n") if store.exists() else 0
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: store.exists() and store.read_bytes().count(b"\n") >= max(3, before + 1))
    return process


@pytest.mark.slow
def test_an_interrupt_and_a_kill_keep_finished_rounds(tmp_path: Path) -> None:
    store = tmp_path / "times.jsonl"
    process = measuring(store)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert b"There is no verdict" in out or b"as fast" in out or b"No difference" in out
    finished = store.read_bytes()
    assert finished.endswith(b"\n")
    process = measuring(store)
    process.kill()
    process.communicate()
    assert store.read_bytes().startswith(finished)
    rounds = store.read_bytes().count(b"\n") - 1
    call = ["time", QUICK, f"{QUICK} again", "--store", str(store), "--rounds", str(rounds + 1), "--until", "known"]
    done = CliRunner().invoke(main, [*call, "--precision", "1e-9", "--json"])
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["n_rounds"] in (rounds, rounds + 1)  # of a cut line, one is made again


@pytest.mark.slow
def test_seconds_as_the_score_of_an_experiment(tmp_path: Path) -> None:
    toml = tmp_path / "e.toml"
    lines = [f'{n} = {{ command = "{c}", score = "seconds" }}' for n, c in (("quick", "true"), ("failing", "false"))]
    head = f'better = "lower"\nseed = 1\nruns = 2\non_failure = "{{policy}}"\n[algorithms]\n{chr(10).join(lines)}\n'
    toml.write_text((head + "[problems]\nvalues = { a = 1, b = 2 }\n").replace("{policy}", "worst"))
    with pytest.raises(bo.BakeoffError, match="workers must be 1 where the score of a command"):
        bo.run(bo.Experiment.from_toml(toml), executor="command", workers=2)
    result = bo.run(bo.Experiment.from_toml(toml))
    assert result.n_failed == 4  # the time of a failure is no score
    assert 0 < float(result.scores.values[0, 0]) < 10
    with pytest.raises(bo.BakeoffError, match="read from the clock"):
        bo.CommandLine("true", score="seconds", read="stderr")


@pytest.mark.slow
def test_a_gate_reads_it_in_pairs(tmp_path: Path) -> None:
    store = tmp_path / "times.jsonl"
    bo.time_commands({"old": HEAVY, "new": QUICK}, file=store, rounds=8)
    for labels, code in ((("new", "old"), 1), (("old", "new"), 0)):
        names = [word for label in labels for word in ("--label", label)]
        done = CliRunner().invoke(main, ["check", str(store), *names, "--margin", "5%"])
        assert done.exit_code == code, done.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("time", "true"), "at least two"),
        (("time", "true", "true"), "different names"),
        (("time", "true", "false", "--name", "a"), "--name must be given for each"),
        (("time", "true", "false", "--design", "abab"), "--design must be one of"),
        (("time", "true", "false", "--rounds", "0"), "--rounds must be a whole number"),
        (("time", "true", "'", "--rounds", "1"), "cannot be split"),
        (("time", "true", "false", "--control", "x"), "--control must be one of"),
        (("time", "true", "false", "--cores", "a"), "--cores must be numbers"),
    ],
)
def test_refusals(arguments: tuple[str, ...], said: str) -> None:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == 2
    assert said in done.stderr


def test_times_that_are_none_are_refused() -> None:
    for times, better, said in [
        ([[[1.0, 2.0], [0.0, 1.0]]], "lower", "above 0"),
        ([[[1.0, 2.0], [1.0, 1.0]]], "higher", "lower is better"),
        ([[1.0, 2.0], [1.0, 1.0]], "lower", "one problem"),
    ]:
        with pytest.raises(bo.BakeoffError, match=said):
            bo.time_ratios(bo.Scores(times, better=better))  # type: ignore[arg-type]


def test_a_difference_not_shown_is_not_said_as_a_fact() -> None:
    times = [[[2.0, 2.0, 1.0], [1.0, 3.0, 1.5]]]
    found = bo.time_ratios(bo.Scores(times, ["old", "new"], better="lower"))
    assert found.pairs[0].verdict in ("no difference shown", "cannot tell")
    several = np.exp(np.random.default_rng(3).normal(scale=0.5, size=(1, 2, 40)))
    found = bo.time_ratios(bo.Scores(several, ["old", "new"], better="lower"))
    assert found.pairs[0].verdict == "no difference shown"
    assert found.verdict.startswith("No difference shown between old and new: in these rounds ")
    assert " times as fast, with a 95 % interval of " in found.verdict
