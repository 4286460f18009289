"""A promise, the data that it is about, and how one simulated table keeps it."""

from __future__ import annotations

import math
import multiprocessing
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np

SEED = 11
CHUNK = 25
"""Tables a chunk; changing it changes the tables."""

Outcome = tuple[float, ...]
"""Of one table: how many statements are false, of how many, and whether the row's caution is there; of a "stated" row
how many events happened, of how many, and the sum of the probabilities that were stated."""


@dataclass(frozen=True)
class Row:
    """``level`` bounds the share of false statements from above ("error") or of true ones from below ("coverage"); of
    "stated" probabilities it is how far the share of events may be from their mean.

    ``ends``: nothing is promised for these data; its value is the caution that says so, or a place in the docs.
    """

    name: str
    door: str
    data: str
    kind: Literal["error", "coverage", "stated"]
    level: float
    count: Callable[[np.random.Generator], Outcome]
    tables: int = 2000  # for the page
    short: int = 50  # for the slow test; 0: exhaustive only
    ends: str = ""

    def most(self) -> float:
        """The share of false statements that is promised."""
        return self.level if self.kind == "error" else 1 - self.level


Counts = Mapping[str, float]


def wrong(counts: Counts) -> float:
    """The share of false statements (of events); 0 where nothing was said at all."""
    return counts.get("wrong", 0) / counts["of"] if counts.get("of") else 0.0


def band(row: Row, counts: Counts) -> float:
    """Four standard errors of a share at the level, of as many tables as said something."""
    return 4 * math.sqrt(row.most() * (1 - row.most()) / max(1, counts.get("said", 0)))


def stated(counts: Counts) -> float:
    return counts.get("stated", 0) / counts["of"] if counts.get("of") else 0.0


def keeps(row: Row, counts: Counts) -> bool:
    if row.kind == "stated":
        p = stated(counts)
        return abs(wrong(counts) - p) <= row.level + 4 * math.sqrt(p * (1 - p) / max(1, counts.get("said", 0))) + 1e-12
    return wrong(counts) <= row.most() + band(row, counts)


def count_chunk(row: Row, chunk: int, tables: int = CHUNK) -> Counter[str]:
    """Over the tables of one chunk, which has a stream of its own: the same counts on any number of workers."""
    rng = np.random.default_rng(np.random.SeedSequence([SEED, zlib.crc32(row.name.encode()), chunk]))
    found = Counter[str]()
    for _ in range(tables):
        false, of, *more = row.count(rng)
        found.update(tables=1, said=int(of > 0), wrong=int(false), of=int(of))
        found.update({"stated" if row.kind == "stated" else "cautioned": float(sum(more))})  # type: ignore[dict-item]
        if row.ends and more:
            found.update(erring=int(false > 0), caught=int(false > 0 and sum(more) > 0))
    return found


def _job(job: tuple[str, int]) -> Counter[str]:
    from calibration.rows import BY_NAME

    return count_chunk(BY_NAME[job[0]], job[1])


def measure(rows: Sequence[Row], part: float = 1.0, workers: int = 1) -> Iterator[tuple[Row, Counter[str]]]:
    """Counts of each row over this share of its tables (rounded up to whole chunks)."""
    chunks = {row.name: range(math.ceil(row.tables * part / CHUNK)) for row in rows}
    jobs = [(row.name, chunk) for row in rows for chunk in chunks[row.name]]
    if workers == 1:
        found = map(_job, jobs)
        for row in rows:
            yield row, _total(found, len(chunks[row.name]))
        return
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.map(_job, jobs)
        for row in rows:
            yield row, _total(found, len(chunks[row.name]))


def _total(found: Iterator[Counter[str]], chunks: int) -> Counter[str]:
    total = Counter[str]()
    for _ in range(chunks):
        total.update(next(found))
    return total


def cautioned(result: object, *names: str) -> bool:
    """Does the result have a caution with one of these names, or codes?"""
    cautions = result.cautions  # type: ignore[attr-defined]
    return any(name in names for caution in cautions for name in (caution.code, caution.name))
