"""One run of a foreign program: its arguments and folder, and its score."""

import contextlib
import os
import signal
import tempfile
from collections.abc import Mapping
from typing import Any

from bakeoff.processes.command_line import CommandLine, as_argument
from bakeoff.processes.placeholders import fill_placeholders
from bakeoff.processes.process import STDERR_KEPT, STDOUT_KEPT, ProgramResult, run_program
from bakeoff.processes.score_output import SECONDS, NoScoreError, excerpt

RUN_FOLDERS = "BAKEOFF_RUN_FOLDERS"
"""The environment variable for the parent of private folders, where a supervisor removes those of killed runs."""


class RunTimeoutError(Exception):
    """A foreign program did not end within the limit."""


def run_command(
    command: CommandLine, problem: Any, *, values: Mapping[str, str], timeout: float | None, memory: int | None
) -> dict[str, float]:
    """Start the program, in a private folder if it needs one, and read its metrics.

    ``values``: of the placeholders other than the instance and the output file. NoScoreError: it could not be started,
    ended with a failing exit code, or produced no score.
    """
    needs_folder = command.fresh_folder or "output" in command.places
    with _private_folder() if needs_folder else contextlib.nullcontext("") as private:
        values = {**values, "instance": _instance(command, problem), "output": os.path.join(private, "output")}
        words = command.words(values)
        folder = private if command.fresh_folder else command.folder
        if command.fresh_folder and not command.shell and os.path.dirname(words[0]):
            words[0] = os.path.abspath(words[0])
        reader = command.reader
        file = os.path.join(folder, fill_placeholders(reader.path, values)) if reader.path else ""
        before = _stamp(file)
        try:
            ended = run_program(
                words, environment=command.environment, folder=folder or None, timeout=timeout, memory=memory
            )
        except (OSError, ValueError) as error:
            raise NoScoreError(f"the program cannot be started: {error}") from None
        if ended.timed_out:
            raise RunTimeoutError
        if ended.exit_code not in command.exit_codes:
            raise NoScoreError(f"the program {exit_status_text(ended.exit_code)}{_last_line_of_stderr(ended)}")
        if reader.stream == "clock":
            return {SECONDS: ended.seconds}
        if reader.stream == "file":
            content, most = _written(file, before), STDOUT_KEPT
        else:
            content, most = (ended.stdout, STDOUT_KEPT) if reader.stream == "stdout" else (ended.stderr, STDERR_KEPT)
        try:
            return reader.scores(content.decode(errors="replace"))
        except NoScoreError as error:
            if len(content) < most:
                raise
            raise NoScoreError(
                f"{error}; only the last {most >> 10} kB were kept: write the score at the end, in a short line of its "
                "own, or to a file"
            ) from None


def _private_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="bakeoff-", dir=os.environ.get(RUN_FOLDERS), ignore_cleanup_errors=True)


def _instance(command: CommandLine, problem: Any) -> str:
    text = as_argument(problem) or ""
    started_elsewhere = command.fresh_folder or command.folder
    return os.path.abspath(text) if started_elsewhere and text and os.path.exists(text) else text


def _stamp(file: str) -> tuple[int, int, int] | None:
    """Metadata that changes when a file is written."""
    try:
        facts = os.stat(file)
    except (OSError, ValueError):
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def _written(file: str, before: tuple[int, int, int] | None) -> bytes:
    """The end of a file written by the run."""
    now = _stamp(file)
    if now is None:
        raise NoScoreError(f"the program has not written the file {file!r} where its score should be")
    if now == before:
        raise NoScoreError(f"the file {file!r} is older than the run; its score would be another run's")
    try:
        with open(file, "rb") as stream:
            stream.seek(max(0, now[1] - STDOUT_KEPT))
            return stream.read(STDOUT_KEPT)
    except OSError as error:
        raise NoScoreError(f"the file of the score cannot be read: {error}") from None


def _last_line_of_stderr(ended: ProgramResult) -> str:
    lines = [line for line in ended.stderr.decode(errors="replace").splitlines() if line.strip()]
    return f"; its last words: {excerpt(lines[-1])!r}" if lines else ""


def exit_status_text(code: int) -> str:
    """An exit code, or the signal that a process died of."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
        meaning = signal.strsignal(-code) or ""
    except ValueError:
        name, meaning = f"signal {-code}", ""
    return f"was killed by {name}" + (f" ({meaning.lower()})" if meaning else "")
