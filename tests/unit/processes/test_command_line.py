"""Foreign programs: how the command is made, and where its score is found."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.processes.command_line import LARGEST_COMMAND_SEED, CommandLine, command_seed
from bakeoff.processes.placeholders import fill_placeholders
from bakeoff.processes.score_output import NoScoreError, reader_of
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors.perform import perform
from faults.survival import survivors
from waiting import wait_until

TASK = Task(problem=0, algorithm=0, repetition=4, seed=2**100 + 17)


def once(command: CommandLine, problem: Any = "p", task: Task = TASK, **more: Any) -> Outcome:
    return perform(
        Work(algorithms=(command,), problems=(problem,), algorithm_names=("a",), problem_names=("prob",), **more), task
    )


def shell(script: str, **more: Any) -> CommandLine:
    return CommandLine(["sh", "-c", script.replace("{", "{{").replace("}", "}}")], **more)


def echo(text: str, **more: Any) -> CommandLine:
    return CommandLine(["printf", "%s", text.replace("{", "{{").replace("}", "}}")], **more)


# --- the command


def test_a_string_is_split_before_it_is_filled_in() -> None:
    command = CommandLine("solver --file {instance} --seed={seed} 'two words'")
    words = command.words({"instance": "a b; rm -rf ~ $(x) {seed}", "seed": "7"})
    assert words == ["solver", "--file", "a b; rm -rf ~ $(x) {seed}", "--seed=7", "two words"]


def test_braces_that_are_no_places_stay() -> None:
    assert fill_placeholders("awk '{print $1}' {{seed}} {} {0} {a b}", {}) == "awk '{print $1}' {seed} {} {0} {a b}"
    with pytest.raises(ParameterError, match=r"got {sed} in 'solver {sed}'; did you mean 'seed'\?; write {{sed}}"):
        CommandLine("solver {sed}")


@pytest.mark.slow
def test_a_shell_only_when_asked_for_and_everything_quoted(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    nasty = f"x'; touch {canary}; echo $(touch {canary}) `touch {canary}` #"
    for command in (
        CommandLine("echo {instance} 1", score=r"regex:(\d+)$"),
        CommandLine("echo {instance} 1 | cat", score=r"regex:(\d+)$", shell=True),
    ):
        assert once(command, nasty).value == 1.0
        assert not canary.exists()
    # without a shell the pipe is a word like any other
    assert "| cat" in once(CommandLine("echo 1 '|' cat")).error
    assert once(CommandLine("echo 1 | cat", shell=True)).value == 1.0


def test_seeds_fit_into_an_int_and_are_never_zero() -> None:
    for seed in (0, 1, LARGEST_COMMAND_SEED - 1, LARGEST_COMMAND_SEED, 2**31, 2**128 - 1):
        assert 1 <= command_seed(seed) <= 2**31 - 1
    assert once(CommandLine("echo {seed}")).value == TASK.seed % (2**31 - 1) + 1


def test_every_place_is_filled_in() -> None:
    command = CommandLine(
        "echo '{instance}|{problem}|{algorithm}|{run}|{budget}|'", score=r"regex:^3.5\|prob\|a\|4\|(.*)\|"
    )
    assert once(command, 3.5, budget=1e6).value == 1e6
    assert once(command, 3.5, budget=0.25).value == 0.25


@pytest.mark.slow
def test_a_file_name_is_no_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-n").write_text("12")
    assert once(CommandLine("cat {instance}"), Path("-n")).value == 12
    assert once(CommandLine("cat {instance}"), "-n").value == 12
    assert once(CommandLine("echo {instance}"), -4).value == -4


@pytest.mark.parametrize(
    ("given", "more", "says"),
    [
        ("", {}, "at least the program's name"),
        ("solver 'open", {}, "cannot be split"),
        ([], {}, "at least the program's name"),
        (["a", "b\0"], {}, "zero byte"),
        (["a"], {"shell": True}, "one string"),
        ("a", {"score": "stout"}, "score must be"),
        ("a", {"score": "json:"}, "score must be"),
        ("a", {"score": "regex:("}, "no regular expression"),
        ("a", {"score": "regex:abc"}, "needs a group"),
        ("a", {"score": "file:result.txt"}, "another one for every run"),
        ("a", {"score": "file:{output}", "read": "stderr"}, "give one of them"),
        ("a", {"read": "{nonsense}"}, "nonsense"),
        ("a", {"exit_codes": (256,)}, "0 to 255"),
        ("a", {"exit_codes": ()}, "exit_codes"),
        ("a", {"environment": {"A=B": "c"}}, "no variable"),
        ("a", {"folder": "x", "fresh_folder": True}, "exclude each other"),
    ],
)
def test_what_cannot_work_is_refused_at_once(given: Any, more: dict[str, Any], says: str) -> None:
    with pytest.raises((ParameterError, WrongTypeError), match=says):
        CommandLine(given, **more)


@pytest.mark.parametrize("more", [{"score": 3}, {"read": 3}, {"shell": 1}, {"folder": 1}, {"environment": 1}])
def test_wrong_types(more: dict[str, Any]) -> None:
    with pytest.raises(WrongTypeError):
        CommandLine("a", **more)
    with pytest.raises(WrongTypeError):
        CommandLine(3)  # type: ignore[arg-type]


def test_a_command_is_a_value() -> None:
    one, other = (CommandLine(["a", "{seed}"], environment={"X": "1"}) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != CommandLine(["a", "{seed}"])
    assert one.places == {"seed"}


# --- the score


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("text", "score", "metrics"),
    [
        ("3.5", "stdout", {"score": 3.5}),
        ("log\n\n -1e-3 \n\n", "stdout", {"score": -0.001}),
        ('{"a": 1, "b": {"c": 2}, "d": "x", "e": true}', "json:b.c", {"b.c": 2.0, "a": 1.0}),
        ('log\n{"a.b": 4}', "json:a.b", {"a.b": 4.0}),
        ('{"x": 1e999, "y": 2}', "json:y", {"y": 2.0}),
        ("cost=1\ncost=2\n", "regex:cost=(.*)", {"score": 2.0}),
        ("t=9 cost=2", r"regex:t=(?P<time>\d) cost=(?P<score>\d)", {"score": 2.0, "time": 9.0}),
    ],
)
def test_scores_are_found(text: str, score: str, metrics: dict[str, float]) -> None:
    outcome = once(echo(text, score=score))
    assert (outcome.status, outcome.metrics, outcome.error) == ("ok", metrics, "")
    assert outcome.value == next(iter(metrics.values()))


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("text", "score", "says"),
    [
        ("", "stdout", "stdout: it is empty"),
        ("best cost: 3", "stdout", "in the line 'best cost: 3'"),
        ("1,5", "stdout", "the decimal sign is a point"),
        ("nan", "stdout", "the line 'nan' stands for no number"),
        ("inf", "stdout", "returned inf as 'score'"),
        ("x" * 10_000, "stdout", "…"),
        ('{"a": 1}', "json:b", "has no 'b'; at 'b' there is 'a'"),
        ('{"a": {"b": "3"}}', "json:a.b", "'a.b' in the JSON object is \"3\", not a number"),
        ('{"a": true}', "json:a", "not a number"),
        ('{"a": NaN}', "json:a", "returned nan as 'a'"),
        ("{'a': 1}", "json:a", "neither all of it nor its last line is JSON: \"{'a': 1}\""),
        ("[" * 100_000, "json:a", "JSON"),
        ("cost=x", "regex:cost=(.)", "'x' is not a number, in the line 'cost=x'"),
        ("nothing here", r"regex:cost=(\d)", "the last line is 'nothing here'"),
        ("ab", "regex:a(c)?b", "took no part"),
    ],
)
def test_no_score_is_a_failed_run_that_quotes_the_line(text: str, score: str, says: str) -> None:
    outcome = once(echo(text, score=score))
    assert outcome.status == "failed"
    assert says in outcome.error
    assert len(outcome.error) <= 500


@pytest.mark.slow
def test_what_the_experiment_calls_the_score() -> None:
    assert once(echo("3"), score="cost").metrics == {"cost": 3.0}
    both = echo('{"cost": 1, "time": 2}', score="json:cost")
    assert once(both, score="time").value == 2.0
    assert once(both, score="other").value == 1.0


@pytest.mark.slow
def test_scores_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert once(CommandLine(["sh", "-c", "echo 7 > $1", "x", "{output}"], score="file:{output}")).value == 7
    private = once(CommandLine(["sh", "-c", "stat -c %a $(dirname $1)", "x", "{output}"])).value
    assert private == 700
    assert "has not written the file" in once(CommandLine("true {output}", score="file:{output}")).error
    monkeypatch.chdir(tmp_path)
    Path("old-4").write_text("9")
    stale = once(CommandLine("true", score="file:old-{run}"))
    assert "older than the run" in stale.error
    assert once(CommandLine("sh -c 'echo 8 > old-4'", score="file:old-{run}")).value == 8
    there = CommandLine('sh -c \'echo "{{\\"a\\": 5}}" > out\'', score="json:a", read="out", fresh_folder=True)
    assert once(there).value == 5
    assert sorted(p.name for p in tmp_path.iterdir()) == ["old-4"]


def test_a_fresh_folder_still_finds_program_and_instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("solver.sh").write_text("#!/bin/sh\nls | wc -l\ncat $1\n")
    Path("solver.sh").chmod(0o755)
    Path("in.txt").write_text("6")
    assert once(CommandLine("./solver.sh {instance}", fresh_folder=True), "in.txt").value == 6
    (tmp_path / "elsewhere").mkdir()
    assert once(CommandLine("cat {instance}", folder="elsewhere"), Path("in.txt")).value == 6


def test_environment_and_stdin() -> None:
    assert once(shell("echo $X", environment={"X": "3"})).value == 3
    assert once(shell("cat; echo 1")).value == 1  # nothing to read, and no terminal to wait for


# --- how it ends


@pytest.mark.slow
def test_exit_codes() -> None:
    assert "ended with exit code 1; its last words: 'no licence'" in once(shell("echo no licence >&2; exit 1")).error
    assert once(shell("echo 4; exit 10", exit_codes=(0, 10))).value == 4
    assert "was killed by SIGSEGV" in once(shell("kill -11 $$")).error
    assert "cannot be started" in once(CommandLine("no-such-program-anywhere")).error
    assert "cannot be started" in once(CommandLine("{instance}"), "a\0b").error


def test_output_is_bounded() -> None:
    code = (
        "import sys\nfor _ in range(40): sys.stdout.write('x' * 100_000)\nsys.stderr.write('y' * 10**6)\nprint('\\n5')"
    )
    assert once(CommandLine([sys.executable, "-c", code])).value == 5


def test_json_of_more_than_is_kept_is_said_to_be_too_long() -> None:
    code = "import json; print(json.dumps({'cost': 1, 'path': 'x' * 2_000_000}))"
    outcome = once(CommandLine([sys.executable, "-c", code], score="json:cost"))
    assert "only the last 1024 kB were kept: write the score at the end" in outcome.error


@pytest.mark.slow
def test_a_program_is_stopped_at_its_limit(tmp_path: Path) -> None:
    note = tmp_path / "pids"
    stubborn = shell(f"trap '' TERM; echo $$ >> {note}; sleep 600 & echo $! >> {note}; while :; do sleep 1; done")
    for timeout in (0.2, 2, 20):  # a loaded machine takes longer to start it
        note.write_text("")
        outcome = once(stubborn, timeout=timeout)
        assert outcome.status == "timeout"
        assert f"longer than the timeout of {timeout} seconds" in outcome.error
        if len(note.read_text().split()) == 2:
            break
    else:
        pytest.fail("it was never started")
    wait_until(lambda: not survivors(note))


def test_a_program_leaves_nothing_of_its_group_behind(tmp_path: Path) -> None:
    note, late = tmp_path / "pids", tmp_path / "late"
    assert once(shell(f"(sleep 600; touch {late}) & echo $! > {note}; echo 2")).value == 2
    assert not late.exists(), "waited for the child, which holds the pipe"
    wait_until(lambda: not survivors(note))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_DATA counts all of a program's memory on Linux only")
def test_a_program_is_held_within_its_memory() -> None:
    greedy = CommandLine([sys.executable, "-c", "x = bytearray(400_000_000); print(len(x))"])
    assert once(greedy).value == 4e8
    assert "MemoryError" in once(greedy, memory=200_000_000).error


def test_readers_say_where_they_looked() -> None:
    reader = reader_of("json:a", "stderr")
    assert (reader.stream, reader.path) == ("stderr", "")
    with pytest.raises(NoScoreError, match="stderr: it is empty"):
        reader.scores("")
    with pytest.raises(NoScoreError, match=r"\{output\}: it is empty"):
        reader_of("file:{output}", "stdout").scores("\n")
    assert json.loads("1") == 1
