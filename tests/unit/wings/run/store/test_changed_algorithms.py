"""A mistake in an experiment, mended and run again: on with it if no run of it is kept, else started over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, RunFailedError, StoreError
from bakeoff.wings.run.store.contents import read_store
from bakeoff.wings.run.store.lease import set_aside
from bakeoff.wings.run.verification import verify_store

PROBLEMS = {f"p{i}": float(i) for i in range(4)}


def experiment(seed: int = 1, runs: int = 2, on_failure: Any = "raise", **algorithms: Any) -> bo.Experiment:
    return bo.Experiment(algorithms, PROBLEMS, better="lower", seed=seed, runs=runs, on_failure=on_failure, test="sign")


def failing_then(tmp_path: Path, first: Any, second: Any, **settings: Any) -> tuple[bo.Experiment, Path]:
    """The experiment as it is tried again, and the store in which ``first`` has failed."""
    store = tmp_path / "runs.sqlite"
    with pytest.raises(RunFailedError):
        bo.run(experiment(a=bo.CommandLine("echo 1"), b=first, **settings), store)
    return experiment(a=bo.CommandLine("echo 1"), b=second, **settings), store


def broken(problem: Any, rng: Any) -> float:
    raise ValueError("not yet")


def mended(problem: Any, rng: Any) -> float:
    return 2.0


@pytest.mark.few(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (bo.CommandLine("./eco 2"), bo.CommandLine("echo 2")),
        (bo.CommandLine("echo cost 2", score="json:cost"), bo.CommandLine("echo cost 2", score="regex:cost (.*)")),
        (broken, mended),
    ],
)
def test_a_mended_algorithm_without_a_kept_run_goes_on(tmp_path: Path, first: Any, second: Any) -> None:
    again, store = failing_then(tmp_path, first, second)
    kept = read_store(store).rows
    result = bo.run(again, store)
    assert result.n_runs == 16
    assert set(kept) <= set(result.contents.rows), "the runs of the other algorithm are not repeated"
    assert result.contents.changed == ()
    assert verify_store(store, again).ok
    assert bo.run(again).digest == result.digest


@pytest.mark.slow
def test_no_run_of_the_first_command_is_ever_mixed_with_the_second(tmp_path: Path) -> None:
    """One kept run of the algorithm is enough; a failed run that counts as a score is one."""
    sometimes = "case {problem} in p2) exit 1;; *) echo 2;; esac"
    again, store = failing_then(tmp_path, bo.CommandLine(sometimes, shell=True), bo.CommandLine("echo 3"), runs=1)
    n = sum(row.algorithm == 1 for row in read_store(store).rows)
    before = store.read_bytes()
    with pytest.raises(
        StoreError, match=rf"algorithm 'b': shell is .*, and {n} runs? of 'b' (is|are) kept\. .*--fresh"
    ):
        bo.run(again, store)
    assert store.read_bytes() == before
    worst = tmp_path / "worst.sqlite"
    bo.run(experiment(on_failure="worst", a=bo.CommandLine("echo 1"), b=bo.CommandLine("false")), worst)
    with pytest.raises(StoreError, match=r"and 8 runs of 'b' are kept"):
        bo.run(experiment(on_failure="worst", a=bo.CommandLine("echo 1"), b=bo.CommandLine("true")), worst)


@pytest.mark.slow
def test_what_was_mended_is_guarded_from_then_on(tmp_path: Path) -> None:
    """The fingerprint is that of the second program."""
    script = tmp_path / "solver.sh"
    script.write_text("#!/bin/sh\necho 2\n")
    script.chmod(0o755)
    again, store = failing_then(tmp_path, bo.CommandLine(f"{script}x"), bo.CommandLine(str(script)))
    bo.run(again, store)
    script.write_text("#!/bin/sh\necho 5\n")
    with pytest.raises(StoreError, match=r"changed since: algorithm 'b' \(file 'solver.sh'\)"):
        bo.run(again, store)


@pytest.mark.slow
def test_other_changes_are_refused_as_before(tmp_path: Path) -> None:
    _, store = failing_then(tmp_path, bo.CommandLine("./eco 2"), bo.CommandLine("echo 2"))
    for change in ({"seed": 2}, {"c": bo.CommandLine("echo 3")}):
        with pytest.raises(StoreError, match="belongs to another experiment"):
            bo.run(experiment(**{"a": bo.CommandLine("echo 1"), "b": bo.CommandLine("echo 2"), **change}), store)


@pytest.mark.slow
def test_a_race_goes_on_too(tmp_path: Path) -> None:
    store = tmp_path / "race.sqlite"
    names = {f"c{i}": bo.CommandLine(f"echo {i}") for i in range(3)}
    with pytest.raises(RunFailedError):
        bo.race(experiment(runs=1, **names, c3=bo.CommandLine("./eco 3")), store=store)
    again = experiment(runs=1, **names, c3=bo.CommandLine("echo 3"))
    assert bo.race(again, store=store).best == "c0"
    assert verify_store(store).ok


# --- on the command line ----------------------------------------------------------------------------------------

TOML = """
better = "lower"
seed = 1
[algorithms]
old = "echo 1"
new = "./eco 2"
[problems.values]
p1 = 1
p2 = 2
p3 = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text(TOML)
    return tmp_path


def bakeoff(*args: str) -> Any:
    return CliRunner().invoke(main, [*args, *(["--executor", "serial"] if args[0] in ("run", "race") else [])])


@pytest.mark.slow
def test_a_mistyped_command_mended_in_the_file(folder: Path) -> None:
    first = bakeoff("run", "bad.toml")
    assert (first.exit_code, "Fix the cause, then run again" in first.stderr) == (2, True)
    (folder / "bad.toml").write_text(TOML.replace("./eco", "echo"))
    second = bakeoff("run", "bad.toml")
    assert (second.exit_code, second.stderr) == (0, "")
    assert second.stdout.startswith("No difference") or "old" in second.stdout


@pytest.mark.slow
@pytest.mark.parametrize("program", ["run", "race"])
def test_fresh_keeps_the_old_store_under_another_name(folder: Path, program: str) -> None:
    suffix = {"run": "", "race": ".race"}[program]
    (folder / "bad.toml").write_text(TOML.replace("./eco", "echo"))
    assert bakeoff(program, "bad.toml", "--fresh").exit_code == 0, "without a store it changes nothing"
    old = (folder / f"bad{suffix}.sqlite").read_bytes()
    (folder / "bad.toml").write_text(TOML.replace("./eco", "echo").replace("seed = 1", "seed = 2"))
    refused = bakeoff(program, "bad.toml")
    assert refused.exit_code == 2
    assert "seed is 1 in the store and 2 now" in refused.stderr
    assert "start over with --fresh" in refused.stderr
    done = bakeoff(program, "bad.toml", "--fresh")
    assert done.exit_code == 0
    assert done.stderr == f"bakeoff: the runs of bad{suffix}.sqlite are kept in bad{suffix}-1.sqlite\n"
    assert (folder / f"bad{suffix}-1.sqlite").read_bytes() == old
    assert bakeoff(program, "bad.toml", "--fresh").exit_code == 0
    assert (folder / f"bad{suffix}-2.sqlite").is_file()


def test_only_a_store_is_set_aside(folder: Path) -> None:
    (folder / "notes.sqlite").write_text("not a database, but somebody's")
    with pytest.raises(StoreError):
        set_aside(folder / "notes.sqlite")
    assert (folder / "notes.sqlite").read_text() == "not a database, but somebody's"
    assert set_aside(folder / "nothing.sqlite") is None


@pytest.mark.slow
def test_code_changed_after_runs_names_the_option(folder: Path) -> None:
    script = folder / "solver.sh"
    script.write_text("#!/bin/sh\necho 2\n")
    script.chmod(0o755)
    (folder / "bad.toml").write_text(TOML.replace("./eco 2", "./solver.sh"))
    assert bakeoff("run", "bad.toml").exit_code == 0
    script.write_text("#!/bin/sh\necho 5\n")
    said = bakeoff("run", "bad.toml").stderr
    assert "--accept-changed resumes, and every report says so" in said


# --- what a stranger writes first ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    ["./s {instance}|tail -c 4", "./s {seed};true", "./s {seed} >out.txt", "./s 2>&1", "./s &", "./s<{instance}"],
)
def test_shell_syntax_is_found_inside_of_words_too(command: str) -> None:
    """The program got ``123|tail`` as its seed, and nobody noticed."""
    with pytest.raises(ParameterError, match=r"means something to a shell only.*shell = true"):
        bo.CommandLine(command)
    assert bo.CommandLine(command.replace("{instance}", "p"), shell=True)


@pytest.mark.parametrize(
    "command", ["./s 'a|b;c'", './s "x > y"', r"./s a\|b", "./s http://h/?a=1&b=2", ["./s", "a|b"]]
)
def test_what_is_quoted_is_passed_on(command: Any) -> None:
    assert bo.CommandLine(command)


@pytest.mark.parametrize(
    ("problems", "said"),
    [
        ('problems = ["p1", "p2"]', 'problems must be a table with exactly one of files = "instances/*.txt"'),
        ("[problems]\np1 = 1\np2 = 2", "a table [problems.values] with a line name = value for each; got 'p1', 'p2'"),
        ("[problems]", "got nothing"),
    ],
)
def test_problems_written_otherwise(folder: Path, problems: str, said: str) -> None:
    lines = 'better = "lower"\nseed = 1\n'
    table = '[algorithms]\na = "echo 1"\nb = "echo 2"\n'
    (folder / "e.toml").write_text(lines + (problems + "\n" + table if "=" in problems[:12] else table + problems))
    done = bakeoff("run", "e.toml")
    assert done.exit_code == 2
    assert said in done.stderr
