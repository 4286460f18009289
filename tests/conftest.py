"""Hypothesis profiles: quick and reproducible for developers, deeper with ``HYPOTHESIS_PROFILE=deep``."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_SLOW = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.slow\b", re.MULTILINE)
_QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
settings.register_profile(
    "quick", max_examples=10, derandomize=True, deadline=None, database=None, suppress_health_check=_QUIET
)
settings.register_profile(
    "deep", max_examples=500, derandomize=False, deadline=None, print_blob=True, suppress_health_check=_QUIET
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# tests neither read nor write the laws that their user has kept
os.environ["BAKEOFF_CACHE"] = "off"
# the tests of the compiled twins switch it on: compiling costs more than it saves here
os.environ["BAKEOFF_ACCELERATOR"] = "off"

# a shell without job control starts background jobs that ignore it, and so would everything that the tests interrupt
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _experiments_leave_no_modules() -> Iterator[None]:
    """Code beside an experiment is found by its folder in sys.path, and Python keeps a module under its bare name."""
    before = list(sys.path)
    yield
    if sys.path != before:
        folders = tuple(os.path.join(folder, "") for folder in set(sys.path) - set(before))
        sys.path[:] = before
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(folders):
                del sys.modules[name]
        from bakeoff.running.design.references import resolved

        resolved.cache_clear()


@pytest.hookimpl(optionalhook=True)  # pytest also starts without xdist
def pytest_xdist_auto_num_workers() -> int:
    """``-n auto``: at most four processes, because many tests start processes of their own."""
    return min(os.cpu_count() or 1, 4)


def pytest_configure(config: pytest.Config) -> None:
    """Each process has its own half of the tests, where they share fixtures, and takes of the other's at the end."""
    if getattr(config.option, "dist", "no") == "load":
        config.option.dist = "worksteal"
    gc.disable()  # thousands of modules and tests are made now, and none of them goes


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Without slow tests, a file of nothing else is not read: to rewrite its assertions takes time."""
    if config.option.markexpr != "not slow" or collection_path.suffix != ".py":
        return None
    return True if _SLOW.search(collection_path.read_text(encoding="utf-8")) else None


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_sessionfinish() -> None:
    gc.unfreeze()  # extensions look at their objects as Python ends, and complain of those that are left


@pytest.hookimpl(tryfirst=True)  # before slow tests are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """``few(n)``: of a test's cases n, from the first to the last at equal steps, are run as they are marked, and a
    quarter of the others one level later: slow, or exhaustive if the test is slow. ``few(n, m)``: m of them. The rest
    is exhaustive.
    """
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("exhaustive"):
            item.add_marker("slow")
        elif item.get_closest_marker("few"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for found in cases.values():
        marker = found[0].get_closest_marker("few")
        assert marker is not None
        n, m = (*marker.args, (len(found) - marker.args[0] + 3) // 4)[:2]
        others = _without(found, n)
        last = _without(others, m)
        for item in others:
            if item.get_closest_marker("slow") or item in last:
                item.add_marker("exhaustive")
            item.add_marker("slow")


def _without(items: list[pytest.Item], n: int) -> list[pytest.Item]:
    """All but n at equal steps."""
    steps = max(n - 1, 1)
    chosen = {step * (len(items) - 1) // steps for step in range(n)}
    return [item for place, item in enumerate(items) if place not in chosen]
