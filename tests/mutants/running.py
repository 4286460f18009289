"""Tests in a child process, in a copy of the package of which one place is changed."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mutants.drawing import Mutant

ROOT = Path(__file__).resolve().parents[2]
FAST, SLOW = "not slow", "slow and not exhaustive"  # markers of pytest: together, what CI runs
OPTIONS = [
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
    "--rootdir=.",
    "-o",
    "pythonpath=tests . src",
]


def copied(work: Path, root: Path) -> None:
    """The package and its tests; what the tests read beside them is linked to."""
    work.mkdir()
    for place in root.iterdir():
        if place.name in ("src", "tests"):
            shutil.copytree(place, work / place.name)
        elif place.name not in ("build", ".git", ".pytest_cache"):
            (work / place.name).symlink_to(place)


def in_child(work: Path, task: Callable[[], int], limit: float | None = None) -> int | None:
    """The exit code of a task that runs in the copy, or None if it took too long; what it started ends with it."""
    child = multiprocessing.get_context("fork").Process(target=_enter, args=(work, task))
    child.start()
    child.join(limit)
    code = child.exitcode
    assert child.pid
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.join()
    return code


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


class Chosen:
    """A pytest plugin: only some tests of the files given; the first that fails is written to ``failed``."""

    def __init__(self, tests: list[str]) -> None:
        self.tests, self.failed = set(tests), Path("failed").absolute()  # a test may go elsewhere

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if item.nodeid in self.tests]

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed.write_text(report.nodeid, encoding="utf-8")


def failing(work: Path, chosen: list[str], limit: float) -> str:
    """The first of these tests that fails, or what stopped them; empty if all pass."""
    (work / "failed").unlink(missing_ok=True)
    files = list(dict.fromkeys(test.partition("::")[0] for test in chosen))
    code = in_child(
        work, lambda: int(pytest.main([*OPTIONS, "-m", "not exhaustive", "-x", *files], [Chosen(chosen)])), limit
    )
    if (work / "failed").exists():
        return (work / "failed").read_text(encoding="utf-8")
    return "" if code == 0 else "timeout" if code is None else f"exit code {code}"


def face(work: Path, mutant: Mutant, chosen: list[str], limit: float) -> str:
    """What the tests say of the mutant in place of the original, which comes back."""
    path = work / "src" / mutant.file
    original = path.read_bytes()
    try:
        path.write_bytes(original[: mutant.start] + mutant.after.encode() + original[mutant.end :])
        return failing(work, chosen, limit)
    finally:
        path.write_bytes(original)
