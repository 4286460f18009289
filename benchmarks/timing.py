"""Medians of interleaved samples: ours, the first peer, the second …, and again.

Interleaving spreads other load on the machine evenly. The package's caches are cleared before each sample, so that a
second call on the same table does not profit from the first.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Literal

from bakeoff.errors import TooLargeError
from benchmarks.model import Case, Figure, Peer, PeerFigure, Run, Sample

BUDGET = 4.0
"""Seconds for the counted rounds of one figure; at least one round is run."""

SWITCH = "BAKEOFF_ACCELERATOR"


def measured(case: Case, with_peers: bool = True, budget: float = BUDGET) -> Figure:
    """The figure of one case; a refusal or a failure becomes a note, not an exception."""
    if case.needs and not installed(case.needs):
        return Figure(case=case, value=None, note=f"needs {case.needs}, which is not installed")
    try:
        with environment(**({} if case.accelerator else {SWITCH: "off"})):
            if case.loads and installed("numba"):
                load("numba")
            if case.measure is not None:
                return _found(case, case.measure())
            return _timed(case, case.peers if with_peers else (), budget)
    except TooLargeError as error:
        return Figure(case=case, value=None, note=f"refused: {error}")
    except Exception as error:  # one broken case must not stop the run
        return Figure(case=case, value=None, note=f"failed: {type(error).__name__}: {error}", broken=True)


def _found(case: Case, found: float | Sample | None) -> Figure:
    if found is None:
        return Figure(case=case, value=None, note="cannot be measured on this system")
    value, cpu = (found.wall, found.cpu) if isinstance(found, Sample) else (found, None)
    return Figure(case=case, value=value, least=value, most=value, cpu=cpu)


def _timed(case: Case, peers: tuple[Peer, ...], budget: float) -> Figure:
    assert case.make is not None
    run = case.make()
    others: dict[str, Run] = {}
    skipped: dict[str, str] = {}
    for peer in peers:
        if peer.recorded is None:
            try:
                others[peer.name] = _prepared(peer)
            except Exception as error:  # an absent or broken peer is reported, not fatal
                skipped[peer.name] = _reason(peer, error)
    samples = _rounds(case, run, others, skipped, budget)
    mine = samples.pop("")
    ours = [case.scale * sample.wall for sample in mine]
    figures = []
    for peer in peers:
        times = samples.get(peer.name)
        value = peer.recorded if not times else peer.scale * statistics.median(t.wall for t in times)
        cpu = None if not times else peer.scale * statistics.median(t.cpu for t in times)
        note = "; ".join(filter(None, (skipped.get(peer.name, ""), peer.note)))
        recorded = peer.recorded is not None
        figures.append(PeerFigure(name=peer.name, value=value, cpu=cpu, recorded=recorded, note=note))
    return Figure(
        case=case,
        value=statistics.median(ours),
        least=min(ours),
        most=max(ours),
        cpu=case.scale * statistics.median(sample.cpu for sample in mine),
        rounds=len(ours),
        peers=tuple(figures),
    )


def _rounds(
    case: Case, run: Run, others: dict[str, Run], skipped: dict[str, str], budget: float
) -> dict[str, list[Sample]]:
    """Samples by name, ours under ""; of several rounds the first is a warm-up and not counted."""
    samples: dict[str, list[Sample]] = {"": [], **{name: [] for name in others}}
    start = time.perf_counter()
    for number in range(case.rounds + 1):
        if number == 1 and case.rounds > 1:
            samples = {name: [] for name in samples}  # warm-up: imports, compilation, first use of memory
            start = time.perf_counter()
        samples[""].append(sample(run, case.before, warn="error"))
        for name in list(others):
            try:
                samples[name].append(sample(others[name], warn="ignore"))
            except Exception as error:
                skipped[name] = f"failed: {type(error).__name__}: {error}"
                del others[name], samples[name]
        spent = time.perf_counter() - start
        if case.rounds == 1 or (number > 0 and spent * (number + 1) / number > budget):
            break
    return samples


def sample(run: Run, before: Callable[[], None] | None = None, warn: Literal["error", "ignore"] = "error") -> Sample:
    """One sample. A numerical warning is an error in our code and ignored in a peer's."""
    clear_caches()
    if before is not None:
        before()
    with warnings.catch_warnings():
        warnings.simplefilter(warn, RuntimeWarning if warn == "error" else Warning)
        busy, start = _busy(), time.perf_counter()
        run()
        return Sample(time.perf_counter() - start, _busy() - busy)


def _busy() -> float:
    """Processor time of this process and of its children that have ended."""
    spent = os.times()
    return time.process_time() + spent.children_user + spent.children_system


def clear_caches() -> None:
    """Clear every ``lru_cache`` in the loaded modules of the package."""
    for name, module in list(sys.modules.items()):
        if name.startswith("bakeoff."):
            for thing in list(vars(module).values()):
                if callable(clear := getattr(thing, "cache_clear", None)):
                    clear()


@contextlib.contextmanager
def environment(**settings: str) -> Iterator[None]:
    """Set environment variables, and restore them afterwards."""
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def installed(package: str) -> bool:
    return not package or importlib.util.find_spec(package) is not None


def load(module: str) -> Any:
    """Import a peer's module by name: none of them is a dependency."""
    return importlib.import_module(module)


def _prepared(peer: Peer) -> Run:
    if not installed(peer.package):
        raise ModuleNotFoundError(peer.package)
    assert peer.make is not None
    return peer.make()


def _reason(peer: Peer, error: Exception) -> str:
    absent = isinstance(error, ModuleNotFoundError)
    return "not installed: skipped" if absent else f"skipped: {type(error).__name__}: {error}"
