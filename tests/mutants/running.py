"""Tests in forks of a process that has collected them all, in which one function of the package is changed."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from mutants.drawing import Mutant
from mutants.replacing import put_in_place

ROOT = Path(__file__).resolve().parents[2]
FAST, SLOW = "not slow", "slow and not exhaustive"  # markers of pytest: together, what CI runs
OPTIONS = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir=.", "-o", "pythonpath=tests . src"]
OPTIONS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what is imported before the forks


def copied(work: Path, root: Path) -> None:
    """The package and its tests; what the tests read beside them is linked to."""
    work.mkdir()
    for place in root.iterdir():
        if place.name in ("src", "tests"):
            shutil.copytree(place, work / place.name)
        elif place.name not in ("build", ".git", ".pytest_cache"):
            (work / place.name).symlink_to(place)


def in_child(work: Path, task: Callable[[], int]) -> int | None:
    """The exit code of a task that runs in the copy; what it started ends with it."""
    child = multiprocessing.get_context("fork").Process(target=_enter, args=(work, task))
    child.start()
    child.join()
    assert child.pid
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    return child.exitcode


def _enter(work: Path, task: Callable[[], int]) -> None:
    os.setsid()
    os.chdir(work)
    log = os.open(work.parent / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    sys.dont_write_bytecode = True  # Python tells versions of a file by second and size only
    os.environ |= {"PYTHONPATH": str(work / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.path[:] = [place for place in sys.path if place not in (str(ROOT / "src"), str(ROOT / "tests"))]
    os._exit(task())


def with_all_tests(work: Path, files: Sequence[str], task: Callable[[Bench], None]) -> None:
    """Run a task in a process of the copy in which every test of these files is collected."""
    in_child(work, lambda: int(pytest.main([*OPTIONS, "-m", "not exhaustive", *files], [Bench(work, task)])))


class Bench:
    """A pytest plugin: mutants face tests that are collected, and the package that is imported, once."""

    def __init__(self, work: Path, task: Callable[[Bench], None]) -> None:
        self.work, self.task, self.failed = work, task, ""
        self.items: dict[str, Any] = {}

    def pytest_runtestloop(self, session: Any) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.task(self)
        return True

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed = report.nodeid

    def face(self, mutant: Mutant, chosen: Sequence[str], limit: float) -> str:
        """What these tests say of the mutant in place of the original, which comes back."""
        path = self.work / "src" / mutant.file
        original = path.read_bytes()
        try:
            path.write_bytes(changed := original[: mutant.start] + mutant.after.encode() + original[mutant.end :])
            return self.failing(chosen, limit, lambda: put_in_place(mutant, original, changed))
        finally:
            path.write_bytes(original)

    def failing(self, chosen: Sequence[str], limit: float, first: Callable[[], None] = lambda: None) -> str:
        """The first of these tests that fails, or what stopped them; empty if all pass."""
        note = self.work.parent / "failed"
        note.unlink(missing_ok=True)
        child, end = os.fork(), time.monotonic() + limit
        if child == 0:
            self._run(chosen, first, note)
        status = None
        while status is None and time.monotonic() < end:
            done, found = os.waitpid(child, os.WNOHANG)
            status = os.waitstatus_to_exitcode(found) if done else None
            time.sleep(0.01)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        if status is None:
            os.waitpid(child, 0)
        if note.exists():
            return note.read_text(encoding="utf-8")
        return "" if status == 0 else "timeout" if status is None else f"exit code {status}"

    def _run(self, chosen: Sequence[str], first: Callable[[], None], note: Path) -> None:
        """In the fork, which ends here."""
        code = 3
        with contextlib.suppress(BaseException):
            os.setsid()
            first()
            files = list(dict.fromkeys(test.partition("::")[0] for test in chosen))  # share fixtures
            items = [self.items[test] for test in sorted(chosen, key=lambda t: files.index(t.partition("::")[0]))]
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.failed:
                    note.write_text(self.failed, encoding="utf-8")
                    break
            code = 0
        os._exit(code)
