"""``bakeoff serve``: the first page, a change of option, and what loads after it."""

from __future__ import annotations

import atexit
import itertools
import re
import statistics
import subprocess
import sys
import time
from functools import cache, partial
from http.client import HTTPConnection
from urllib.parse import urlsplit

from benchmarks.model import Benchmark, Case, at_most

_SERVERS = 3
_LEVELS = itertools.count(1)
_TABLE = re.compile(r"/table/[0-9a-f]+")


class _Visitor:
    """A server of its own, and a connection to it."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "bakeoff", "serve", "--port", "0", "--no-open"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        found = re.search(r"http://\S+", self._process.stdout.readline())
        assert found is not None, "bakeoff serve printed no address"
        where = urlsplit(found[0])
        self._first = f"{where.path}?{where.query}"
        self._line = HTTPConnection(where.hostname or "", where.port or 0, timeout=120)
        self._cookie = ""

    def first_page(self) -> str:
        """As a browser that was given the printed address."""
        self._line.request("GET", self._first)
        answer = self._line.getresponse()
        answer.read()
        self._cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
        return self.get("/")

    def get(self, path: str) -> str:
        self._line.request("GET", path, headers={"cookie": self._cookie, "hx-request": "true"})
        answer = self._line.getresponse()
        text = answer.read().decode()
        if answer.status != 200 or "refusal" in text:
            raise RuntimeError(f"{path}: {answer.status}")
        return text

    def close(self) -> None:
        self._line.close()
        self._process.terminate()
        self._process.wait(20)


def _first_page() -> float:
    """The median over several servers, as each has only one first page."""
    times = []
    for _ in range(_SERVERS):
        visitor = _Visitor()
        try:
            begun = time.perf_counter()
            visitor.first_page()
            times.append(time.perf_counter() - begun)
        finally:
            visitor.close()
    return statistics.median(times)


@cache
def _shared() -> tuple[_Visitor, str]:
    """One server for all other figures, and the address of its table."""
    visitor = _Visitor()
    atexit.register(visitor.close)
    found = _TABLE.search(visitor.first_page())
    assert found is not None, "the first page has no table"
    return visitor, found[0]


def _answer(address: str, times: int) -> float:
    """The median; every call chooses a level that was not chosen before, as an answer that is kept costs nothing.

    The processor time is the server's, so that only the clock can tell.
    """
    visitor, table = _shared()
    found = []
    for _ in range(times):
        path = f"{table}/{address}alpha={0.04 + 1e-6 * next(_LEVELS):.6f}"
        begun = time.perf_counter()
        visitor.get(path)
        found.append(time.perf_counter() - begun)
    return statistics.median(found)


def _case(name: str, address: str, limit: float | None = None, short: bool = False, times: int = 9) -> Case:
    goals = () if limit is None else (at_most(limit),)
    return Case(name=name, measure=partial(_answer, address, times), goals=goals, needs="starlette", short=short)


CASES = (
    Case(name="first page", measure=_first_page, goals=(at_most(0.3),), needs="starlette", short=True),
    _case("another level, all pairs, 25 × 9", "compare?better=lower&", 0.15, short=True),
    _case("another level, one control, 25 × 9", "compare?better=lower&control=SaDE&", 0.15),
    _case("the part on sensitivity", "sensitivity/part?better=lower&", times=1),
    _case("the Bayesian part", "bayes/part?better=lower&", times=1),
)

BENCHMARK = Benchmark(
    name="serve",
    item=25,
    title="The local page",
    about="`bakeoff serve` on this machine. *First page* is the time from the printed address to the last byte of the "
    "page with the verdict on CEC'2005 (25 × 9). *Another level* is the time for a new value of an option. Sensitivity "
    "and the Bayesian view load after the page.",
    cases=CASES,
)
