"""The counter and the sign of life on stderr: for a terminal only, patient, and gone before anything is printed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from functools import partial

import pytest

import bakeoff as bo
from bakeoff.cli import terminal as module
from bakeoff.cli.terminal import answer, counter, doing, hush, sign_of_life
from terminals import drawn_until, interrupt
from waiting import PATIENCE, wait_until


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_counted_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert counter("pairs tested") is None


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    show = counter("pairs tested")
    assert show is not None
    for done in range(1, 4):
        show(done, 3)
    assert terminal.getvalue() == ""


def test_long_work_is_counted_on_one_line_and_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    seconds = iter([0.0, 2.0, 2.1, 3.0, 4.0])
    monkeypatch.setattr(module.time, "monotonic", lambda: next(seconds))
    show = counter("pairs tested")
    assert show is not None
    for done in range(1, 5):
        show(done, 4)
    assert terminal.getvalue() == "\rpairs tested: 1 of 4\x1b[K\rpairs tested: 3 of 4\x1b[K\r\x1b[K"


@pytest.mark.parametrize("pairwise", ["wilcoxon", "sign", "t"])
def test_compare_tells_how_many_pairs_are_done(pairwise: str) -> None:
    scores = bo.Scores([[1.0, 2.0, 4.0], [2.0, 1.0, 5.0], [0.0, 3.0, 1.0]], better="lower")
    steps: list[tuple[int, int]] = []
    told = bo.compare(scores, pairwise=pairwise, progress=lambda *step: steps.append(step))
    assert steps[-1] == (3, 3)
    assert [p.pvalue for p in told.pairs] == [p.pvalue for p in bo.compare(scores, pairwise=pairwise).pairs]


# --- the sign of life


def impatient(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Both streams on one terminal, and no patience."""
    screen = Terminal()
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}", screen)
    for variable, value in (("TERM", "xterm"), ("CI", ""), ("COLUMNS", "40")):
        monkeypatch.setenv(variable, value)
    monkeypatch.setattr(module, "SILENCE", 0.0)
    monkeypatch.setattr(module, "TICK", 0.01)
    return screen


def drawn(screen: Terminal, text: str) -> None:
    wait_until(lambda: text in screen.getvalue())


@pytest.mark.parametrize("error", [None, ValueError, KeyboardInterrupt, SystemExit])
def test_a_long_command_says_what_it_does_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException] | None
) -> None:
    screen, before = impatient(monkeypatch), threading.active_count()

    def long_command() -> None:
        doing("reading a\x1b[2Jb\nc.csv")
        drawn(screen, "\rreading a\ufffd[2Jb c.csv, ")
        if error is not None:
            raise error

    if error is None:
        with sign_of_life():
            long_command()
    else:
        with pytest.raises(error), sign_of_life():
            long_command()
    assert screen.getvalue().endswith(" s\x1b[K\r\x1b[K")
    assert threading.active_count() == before
    assert "write" not in vars(screen)


def test_the_line_is_erased_before_anything_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = impatient(monkeypatch)
    with sign_of_life():
        doing("writing " + "x" * 100)
        drawn(screen, "\rwriting xxx")
        print("The verdict.")
        doing("reading")
        print("More.")
    *lines, answer = screen.getvalue().split("\x1b[K")
    assert answer == "The verdict.\nMore.\n"
    assert lines[-1] == "\r"
    assert {len(line) for line in lines if line.startswith("\rwriting")} == {40}  # with "\r": it is not wrapped


def test_a_counter_draws_on_the_same_line(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = impatient(monkeypatch)
    with sign_of_life():
        show = counter("pairs tested", patience=0.0)
        assert show is not None
        show(1, 4)
        drawn(screen, "\rpairs tested: 1 of 4, ")
        show(4, 4)
        drawn(screen, "\r\x1b[K\rcomputing, ")
    assert screen.getvalue().endswith("\r\x1b[K")


def test_what_goes_into_a_file_does_not_end_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = impatient(monkeypatch)
    monkeypatch.setattr("sys.stdout", file := io.StringIO())
    with sign_of_life():
        answer("{")
        doing("writing the answer")
        drawn(screen, "\rwriting the answer, ")
    assert file.getvalue() == "{\n"
    assert screen.getvalue().endswith("\r\x1b[K")


def test_another_program_may_have_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = impatient(monkeypatch)
    with sign_of_life():
        hush()
        length = len(screen.getvalue())
        assert "write" not in vars(screen)
    assert len(screen.getvalue()) == length


@pytest.mark.parametrize(("variable", "value"), [("TERM", "dumb"), ("CI", "true")])
def test_nothing_is_drawn_where_a_line_cannot_be_redrawn(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    screen, before = impatient(monkeypatch), threading.active_count()
    monkeypatch.setenv(variable, value)
    with sign_of_life():
        assert threading.active_count() == before
    assert screen.getvalue() == ""


def test_nothing_is_drawn_while_a_person_types_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = impatient(monkeypatch)
    monkeypatch.setattr("sys.stdin", Terminal())
    with sign_of_life(reads_typing=True):
        assert "write" not in vars(screen)
    assert screen.getvalue() == ""


TABLE = b"problem,a,b\n" + b"".join(b"p%d,%d,%d\n" % (i, i, i + 1 + i % 3) for i in range(12))


def compare(terminal: int, stdout: int | None) -> subprocess.Popen[bytes]:
    """That waits for its table."""
    environment = {name: value for name, value in os.environ.items() if name != "CI"} | {"TERM": "xterm"}
    command = [sys.executable, "-m", "bakeoff", "compare", "-", "--better", "lower"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=stdout or terminal, stderr=terminal, env=environment)


@pytest.mark.slow
def test_a_real_terminal_shows_the_line_and_then_the_answer_alone() -> None:
    def give_table(process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        process.stdin.write(TABLE)
        process.stdin.close()

    screen = drawn_until(b"\rreading -, ", partial(compare, stdout=None), give_table, code=0)
    line, _, answer = screen.rpartition(b"\r\x1b[K")
    assert b"reading -, " in line
    assert b"a is better than b" in answer
    assert b", 2 s" not in answer


@pytest.mark.slow
def test_an_interrupted_command_leaves_one_line() -> None:
    def stop(process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        interrupt(process)
        process.wait(PATIENCE)
        process.stdin.close()

    screen = drawn_until(b"\rreading -, ", partial(compare, stdout=subprocess.DEVNULL), stop)
    assert screen.endswith(b"\r\x1b[K\r\nbakeoff: interrupted\r\n")


@pytest.mark.slow
def test_json_in_a_pipe_has_no_line() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "bakeoff", "compare", "-", "--better", "lower", "--json"],
        input=TABLE,
        capture_output=True,
        check=True,
    )
    assert ran.stderr == b""
    assert ran.stdout.startswith(b"{")
