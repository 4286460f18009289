"""The file of times: JSON lines, only ever appended to, so that a finished round is never lost.

A line with ``schema`` begins a section: one problem, its commands, how they are timed, the machine. Every other line is
a finished round of a problem. ``docs/how-to/time.md`` documents the keys. Another version of the schema is refused.
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bakeoff._version import __version__
from bakeoff.checks import flag, integer, positive
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import ReadingError, StoreError, plain
from bakeoff.files import loads_strictly
from bakeoff.wings.guard.timing.stopwatch import TimedRun, checked_cores

PATIENCE = 2.0
"""Seconds for a lock: a process that was killed while it started another one leaves it to that one for a moment."""

SCHEMA = "bakeoff.time/1"
FIXED = ("metric", "unit", "better", "run_kind", "commands", "design", "prepare", "timeout", "cores", "machine")
"""Keys of a section that must not change between two calls that add to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The run of each command, in the order in which they ran."""

    number: int
    runs: Mapping[str, TimedRun]


@dataclass(slots=True, kw_only=True)
class TimeSection:
    """One problem in a file of times."""

    header: dict[str, Any]
    rounds: dict[int, Round] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return [str(command["name"]) for command in self.header["commands"]]


def parsed_times(content: bytes, origin: str) -> list[TimeSection]:
    """The sections in the content of a file."""
    sections: dict[str, TimeSection] = {}
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        if not line.strip():
            continue
        where = f"{origin!r}, line {number}"
        try:
            entry = loads_strictly(line)
        except (ValueError, RecursionError):
            raise ReadingError(f"{where}: is no JSON; the file of times was changed or damaged") from None
        try:
            if not isinstance(entry, dict):
                raise ValueError("it must be a JSON object")
            if "schema" in entry:
                _begin_section(entry, sections)
            elif entry["problem"] not in sections:
                raise ValueError("a round stands before the section of its problem")
            else:
                _add_round(entry, sections[entry["problem"]])
        except (KeyError, TypeError, ValueError) as error:
            raise ReadingError(f"{where}: is no line of {SCHEMA}: {plain(str(error))}") from None
    if not sections:
        raise ReadingError(f"{origin!r} holds no times: no line has the schema {SCHEMA!r}")
    return list(sections.values())


def _begin_section(entry: dict[str, Any], sections: dict[str, TimeSection]) -> None:
    if entry["schema"] != SCHEMA:
        raise ValueError(f"the schema is {entry['schema']!r}")
    names = [command["name"] for command in entry["commands"]]
    if not names or not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise ValueError("commands must have different names")
    problem = entry["problem"]
    if not isinstance(problem, str):
        raise ValueError("problem must be a string")
    if problem in sections:
        raise ValueError(f"problem {problem!r} has two sections")
    sections[problem] = TimeSection(header=entry)


def _add_round(entry: dict[str, Any], section: TimeSection) -> None:
    number = entry["round"]
    if not isinstance(number, int) or isinstance(number, bool) or number < 1 or number in section.rounds:
        raise ValueError(f"round {number!r} must be a number from 1 on, each once")
    runs = {}
    for run in entry["runs"]:
        status, seconds = run["status"], run["seconds"]
        if status not in ("ok", "failed", "timeout"):
            raise ValueError(f"status {status!r} must be ok, failed or timeout")
        good = isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds > 0
        if good if status != "ok" else not good:
            raise ValueError("seconds must be a number above 0 where status is ok, else null")
        runs[run["algorithm"]] = TimedRun(
            status=status,
            seconds=None if seconds is None else float(seconds),
            **{key: run.get(key) for key in ("user", "system", "memory")},
            printed={str(key): float(value) for key, value in run.get("printed", {}).items()},
            error=str(run.get("error", "")),
        )
    if sorted(runs) != sorted(section.names) or len(entry["runs"]) != len(runs):
        raise ValueError(f"round {number} must have each command once")
    section.rounds[number] = Round(number=number, runs=runs)


def checked_settings(
    design: str, seed: int, prepare: str | None, timeout: float | None, warmup: int, cores: Sequence[int] | None
) -> dict[str, Any]:
    """The settings of a measurement, each checked, as a header holds them."""
    places = checked_cores(cores)
    return {
        "design": design,
        "seed": integer("seed", seed, 0),
        "prepare": prepare,
        "timeout": None if timeout is None else positive("timeout", timeout),
        "warmup": integer("warmup", warmup, 0),
        "cores": None if places is None else list(places),
    }


def header(
    problem: str,
    commands: Sequence[Mapping[str, object]],
    settings: Mapping[str, object],
    machine: Mapping[str, object],
) -> dict[str, Any]:
    """The line that begins a section."""
    return {
        "schema": SCHEMA,
        "version": __version__,
        "problem": problem,
        "metric": "time",
        "unit": "s",
        "better": "lower",
        "run_kind": "process",
        "commands": [dict(command) for command in commands],
        **settings,
        "machine": dict(machine),
    }


class KeptRounds:
    """Rounds in memory; ``heads``: of the problems that they are of."""

    def __init__(self, *heads: dict[str, Any]) -> None:
        self.sections = {head["problem"]: TimeSection(header=head) for head in heads}

    def add(self, problem: str, done: Round) -> None:
        """One finished round."""
        self.sections[problem].rounds[done.number] = done

    def close(self) -> None:
        """Nothing: no file is open."""


class TimeStore(KeptRounds):
    """A file that this process adds to; no other may do so at the same time."""

    def __init__(self, path: Path, *heads: dict[str, Any], fresh: bool = False) -> None:
        self.path = path
        if path.exists() and not path.is_file() and not path.is_dir():
            raise StoreError(f"cannot open {str(path)!r}: it is a pipe, socket or device; name a file")
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
        try:
            self._file = os.open(path, flags, 0o666)
        except OSError as error:
            raise StoreError(f"cannot open {str(path)!r}: {error.strerror or error}") from None
        try:
            self._lock()
            if fresh:
                os.ftruncate(self._file, 0)
            self.sections = self._begin(heads)
        except BaseException:
            os.close(self._file)
            raise

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            return
        given_up = time.monotonic() + PATIENCE
        while True:
            try:
                return fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() > given_up:
                    raise StoreError(f"{str(self.path)!r} is in use by another bakeoff time; wait for it") from None
                time.sleep(0.05)

    def _begin(self, heads: Sequence[dict[str, Any]]) -> dict[str, TimeSection]:
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):  # the last line was cut off: that round did not finish
            if content and not content.startswith(b'{"schema"'):
                raise StoreError(f"{str(self.path)!r} is no file of times; give another name")
            os.ftruncate(self._file, whole)
        sections = parsed_times(content[:whole], str(self.path)) if whole else []
        there = {section.header["problem"]: section for section in sections}
        for head in heads:
            if head["problem"] in there:
                self._compare(there[head["problem"]].header, head)
        for head in heads:
            if head["problem"] not in there:
                self._write(head)
                there[head["problem"]] = TimeSection(header=head)
        return {head["problem"]: there[head["problem"]] for head in heads}

    def _compare(self, known: Mapping[str, Any], head: Mapping[str, Any]) -> None:
        plain_head = json.loads(json.dumps(head))
        for key in FIXED:
            if known.get(key) != plain_head[key]:
                what = "the commands, or the programs that they start, are" if key == "commands" else f"{key} is"
                raise StoreError(
                    f"{str(self.path)!r} holds times of {plain(str(head['problem']))!r} that cannot be added to: "
                    f"{what} not the same. Use another file or problem, or fresh=True to begin again"
                )

    def add(self, problem: str, done: Round) -> None:
        """One finished round, on the disk when this returns."""
        ran = enumerate(done.runs.items(), start=1)
        runs = [{"algorithm": name, "place": place, **run.written()} for place, (name, run) in ran]
        self._write({"problem": problem, "round": done.number, "runs": runs})
        super().add(problem, done)

    def _write(self, entry: Mapping[str, Any]) -> None:
        line = json.dumps(entry, allow_nan=False).encode() + b"\n"
        try:
            while line:
                line = line[os.write(self._file, line) :]
            os.fsync(self._file)
        except OSError as error:
            raise StoreError(f"cannot write {str(self.path)!r}: {error.strerror or error}") from None

    def close(self) -> None:
        os.close(self._file)


def kept_rounds(file: str | os.PathLike[str] | None, heads: Sequence[dict[str, Any]], fresh: bool) -> KeptRounds:
    """The place of finished rounds: the file, if there is one."""
    return KeptRounds(*heads) if file is None else TimeStore(Path(file), *heads, fresh=flag("fresh", fresh))
