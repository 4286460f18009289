"""What holds for every test: profiles of Hypothesis (``HYPOTHESIS_PROFILE=deep``), which process runs it, and whether
it runs.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import re
import signal
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

_SLOW = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.slow\b", re.MULTILINE)
_HOUSE = Path(__file__).with_name("repository")
_SLOWER = Path(__file__).with_name("slower.txt")  # written by slower.py
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
        from bakeoff.wings.run.design.references import resolved

        resolved.cache_clear()


@pytest.hookimpl(optionalhook=True)  # pytest also starts without xdist
def pytest_xdist_auto_num_workers() -> int:
    """``-n auto``: at most four processes, because many tests start processes of their own."""
    return min(os.cpu_count() or 1, 4)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-packages", action="store_true", help="a test fails if a package that it needs is missing")


_ABSENT = pytest.StashKey[Counter[str]]()  # package that is missing: how many tests are left out


def pytest_configure(config: pytest.Config) -> None:
    """Each process collects and runs files of its own: of many fast tests, collecting is a third of the work. Elsewhere
    it has a part of the tests and takes of the others' at the end.
    """
    config.stash[_ABSENT] = Counter()
    if getattr(config.option, "dist", "no") == "load":
        whole = config.option.markexpr == "not slow" and all(map(os.path.isdir, config.args))
        config.option.dist = "each" if whole else "worksteal"
        if whole:
            config.option.maxworkerrestart = "0"  # whatever replaces a process that crashed has other files
    gc.disable()  # thousands of modules and tests are made now, and none of them goes


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    if node.config.option.dist == "each":
        node.workerinput["share"] = int(node.gateway.id.removeprefix("gw")), len(node.config.option.tx)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config) -> Any:
    """The tests of all processes are the whole, of which the line of progress shows a share."""
    if config.option.dist != "each":
        return None
    from xdist.scheduler import EachScheduling

    class Shares(EachScheduling):
        def schedule(self) -> None:
            super().schedule()
            session: Any = config.pluginmanager.getplugin("session")
            session.testscollected = sum(map(len, self.node2collection.values()))

    return Shares(config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """What each process left out: of its files, or of all."""
    absent, its = node.config.stash[_ABSENT], Counter(getattr(node, "workeroutput", {}).get("absent", {}))
    node.config.stash[_ABSENT] = absent + its if node.config.option.dist == "each" else absent | its


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Without slow tests, a file of nothing else is not read: to rewrite its assertions takes time."""
    if config.option.markexpr != "not slow" or collection_path.suffix != ".py" or _asked_for(_HOUSE, config):
        return None
    if collection_path.is_relative_to(_HOUSE):
        return True
    share, n = getattr(config, "workerinput", {}).get("share", (0, 1))
    if zlib.crc32(os.path.relpath(collection_path, config.rootpath).replace(os.sep, "/").encode(), 2426) % n != share:
        return True
    return True if _SLOW.search(collection_path.read_text(encoding="utf-8")) else None


def _asked_for(folder: Path, config: pytest.Config) -> bool:
    return any(Path(arg.partition("::")[0]).resolve().is_relative_to(folder) for arg in config.args)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["absent"] = dict(session.config.stash[_ABSENT])
    gc.unfreeze()  # extensions look at their objects as Python ends, and complain of those that are left


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The last line counts what was left out."""
    if absent := config.stash[_ABSENT]:
        named = ", ".join(f"{package} ({n})" for package, n in absent.most_common())
        terminalreporter.stats[f"not selected (install .[ci]), which need {named}"] = [
            SimpleNamespace()
        ] * absent.total()


@cache
def _missing(package: str) -> bool:
    return importlib.util.find_spec(package) is None


def _needed(item: pytest.Item) -> list[str]:
    """Packages that are missing."""
    return [package for marker in item.iter_markers("needs") for package in marker.args if _missing(package)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A process reports what its tests say, but not that they were set up and torn down: reports take their time."""
    if not hasattr(item.config, "workerinput") or item.config.option.xmlpath or item.config.option.durations:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_runtest_setup(item: pytest.Item) -> None:
    if packages := _needed(item):  # it is left out, but for --all-packages
        pytest.fail(f"{', '.join(packages)} is missing: pip install -e '.[ci]'")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    _choose_cases(items)
    house_too = _asked_for(_HOUSE, config)
    listed = set(_SLOWER.read_text(encoding="utf-8").splitlines())
    for item in items:
        cases = [case for marker in item.iter_markers("slow_cases") for case in marker.args]
        slow = item.nodeid in listed or (cases and item.callspec.id in cases)
        if slow or (not house_too and item.path.is_relative_to(_HOUSE)):
            item.add_marker("slow")
    yield  # slow tests are left out
    absent = {item: packages[0] for item in items if (packages := _needed(item))}
    if absent and not config.option.all_packages:
        config.stash[_ABSENT].update(absent.values())
        config.hook.pytest_deselected(items=list(absent))
        items[:] = [item for item in items if item not in absent]


def _choose_cases(items: list[pytest.Item]) -> None:
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
