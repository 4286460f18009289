"""What bo.compare() says of thousands of tables whose truth is known, counted.

The same tables go through every call. A chunk of tables has a stream of its own, named by scenario, sizes and number of
the chunk: the same counts on any number of workers.
"""

from __future__ import annotations

import math
import multiprocessing
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

import bakeoff as bo
from bakeoff.adjusting import CONTROL_METHODS
from calibration.scenarios import SCENARIOS, Scenario

ALPHA = 0.05
SEED = 11
CHUNK = 25
"""Tables a chunk; changing it changes the tables."""

BEYOND = 12  # algorithms up to which all pairs are corrected by Bergmann–Hommel by default

DEFAULT: dict[str, Any] = {}
"""The default call."""

PAPERS = {"standard_error": "papers"}
"""The rankings' z as printed."""

CALLS: dict[str, dict[str, Any]] = {
    "wilcoxon": DEFAULT,
    "sign": {"pairwise": "sign", "omnibus": "friedman"},
    "t": {"pairwise": "t", "omnibus": "anova"},
    "mean-ranks": {"pairwise": "mean-ranks"},
    "aligned": {"pairwise": "aligned", "omnibus": "aligned"},
    "quade": {"pairwise": "quade", "omnibus": "quade"},
}
CALLS |= {f"{ranking}, papers": {**CALLS[ranking], **PAPERS} for ranking in ("mean-ranks", "aligned", "quade")}
CALLS["t, pooled"] = {"pairwise": "t", "omnibus": "anova"}  # Tukey's and Dunnett's tests: a quarter of a second each
EVERY = tuple(name for name in CALLS if name != "t, pooled")
"""What is asked of compare(), but for the control and the correction."""


@dataclass(frozen=True)
class Cell:
    """Tables of one scenario and size, and what is asked about each: every call, for every family."""

    scenario: str
    n: int
    k: int
    calls: tuple[str, ...] = EVERY
    families: tuple[str, ...] = ("all pairs", "control")
    every_correction: bool = False

    def name(self) -> str:
        return f"{self.scenario} | n={self.n} | k={self.k}"


Counts = dict[str, Counter[str]]
"""{"call, family": {what: how often}}"""


def measure(cells: Iterable[Cell], tables: int, workers: int = 1) -> Iterator[tuple[Cell, Counts]]:
    """Counts of each cell over ``tables`` tables (rounded up to whole chunks)."""
    cells = list(cells)
    chunks = range(-(-tables // CHUNK))
    jobs = [(cell, chunk) for cell in cells for chunk in chunks]
    if workers == 1:
        found = map(chunk_counts, jobs)
        for cell in cells:
            yield cell, total(next(found) for _ in chunks)
        return
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        results = pool.map(chunk_counts, jobs)
        for cell in cells:
            yield cell, total(next(results) for _ in chunks)


def total(parts: Iterable[Counts]) -> Counts:
    found: Counts = {}
    for part in parts:
        for name, counts in part.items():
            found.setdefault(name, Counter()).update(counts)
    return found


def tables_of(cell: Cell, chunk: int) -> Iterator[bo.Scores]:
    key = [SEED, zlib.crc32(cell.scenario.encode()), cell.n, cell.k, chunk]
    rng = np.random.default_rng(np.random.SeedSequence(key))
    for _ in range(CHUNK):
        yield bo.Scores(SCENARIOS[cell.scenario].draw(rng, cell.n, cell.k), better="lower")


def chunk_counts(job: tuple[Cell, int]) -> Counts:
    """Counts over the tables of one chunk."""
    cell, chunk = job
    scenario = SCENARIOS[cell.scenario]
    found: Counts = {}
    for scores in tables_of(cell, chunk):
        for call in cell.calls:
            for family in cell.families:
                control = 0 if family == "control" else None
                posthoc = every(control) if cell.every_correction else correction(call, cell.k, control)
                result = bo.compare(scores, control=control, alpha=ALPHA, **CALLS[call], **posthoc)
                found.setdefault(f"{call}, {family}", Counter()).update(counts_of(result, scenario))
    return found


def every(control: int | None) -> dict[str, Any]:
    """All corrections of the family that work with any pair test; the default decides."""
    return {"posthoc": "all" if control is None else list(dict.fromkeys(["holm", *CONTROL_METHODS]))}


def correction(call: str, k: int, control: int | None) -> dict[str, Any]:
    """The default correction by name, and Nemenyi's range beside it where that is defined."""
    if CALLS[call] == {} or k == 2:
        return {}
    if call == "t, pooled":
        return {"posthoc": "tukey" if control is None else "dunnett"}
    if control is not None:
        return {"posthoc": "holm"}
    if call == "sign":
        return {"posthoc": "holm"}
    beside = ["nemenyi"] if call.startswith("mean-ranks") else []
    return {"posthoc": ["bergmann-hommel" if k <= BEYOND else "shaffer", *beside]}


def counts_of(result: Any, scenario: Scenario) -> Counter[str]:
    """Of one table: 1 for everything that happened, and numbers of pairs.

    ``alike`` pairs are those that do not differ, ``apart`` the others. "false" is any of the former declared different.
    """
    n, k = result.scores.values.shape
    alike, differences = scenario.alike(k), scenario.differences(n, k)
    place = {name: j for j, name in enumerate(result.scores.algorithms)}
    pairs = [(pair, place[pair.a], place[pair.b]) for pair in result.pairs]
    counts = Counter[str](tables=1)
    counts["omnibus"] += result.omnibus.pvalue <= ALPHA
    counts["companion"] += result.companion is not None and result.companion.pvalue <= ALPHA
    counts["cannot tell"] += any(pair.verdict == "cannot tell" for pair in result.pairs)
    counts["false"] += any(alike[a, b] and pair.verdict in BETTER for pair, a, b in pairs)
    for method in result.posthoc:
        counts[f"false, {method}"] += any(alike[a, b] and pair.adjusted[method] <= ALPHA for pair, a, b in pairs)
        counts[f"found, {method}"] += sum(not alike[a, b] and pair.adjusted[method] <= ALPHA for pair, a, b in pairs)
    wrong = 0
    for pair, a, b in pairs:
        if alike[a, b]:
            counts["alike"] += 1
            counts["alike, p"] += pair.pvalue <= ALPHA
            continue
        counts["apart"] += 1
        truth = differences[a, b]
        right = pair.verdict in BETTER and (math.isnan(truth) or (pair.verdict == "a better") == bool(truth > 0))
        counts["found"] += right
        wrong += pair.verdict in BETTER and not right
    counts["wrong"] += wrong > 0
    counts.update(coverage(pairs, differences))
    return counts


BETTER = ("a better", "b better")


def coverage(pairs: list[Any], differences: Any) -> Counter[str]:
    """Of pairs whose difference is known: how many intervals hold it, and whether all simultaneous ones do at once."""
    counts = Counter[str]()
    for attribute in ("effect", "interval"):
        held = []
        for pair, a, b in pairs:
            interval, truth = getattr(pair, attribute, None), differences[a, b]
            if interval is not None and math.isfinite(truth):
                slack = 1e-9 * abs(truth)  # the rounding of scores; no difference is 0 exactly
                held.append(bool(interval.low - slack <= truth <= interval.high + slack))
                counts[f"{attribute}, empty"] += interval.low == interval.high
        counts[f"{attribute}, known"] += len(held)
        counts[f"{attribute}, held"] += sum(held)
        counts[f"{attribute}, tables"] += bool(held)
        counts[f"{attribute}, all held"] += bool(held) and all(held)
    return counts


def share(counts: Mapping[str, int], what: str, of: str = "tables") -> float:
    return counts[what] / counts[of] if counts[of] else math.nan


def band(tables: int, level: float = ALPHA) -> float:
    """Four standard errors of a share around ``level``."""
    return 4 * math.sqrt(level * (1 - level) / tables)
