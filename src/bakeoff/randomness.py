"""Where random numbers come from: one Generator per question, one stream per piece of work.

The same seed gives the same answer on any number of threads or workers, because a piece of work draws from a stream
of its own, numbered by the piece, not by the thread that computes it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from bakeoff.errors import ParameterError

DEFAULT_SEED = 0
"""Seed when ``rng`` is None: the same table gives the same answer every time."""

_DEFAULT_ROOT = 3653403231, 2735729615, 2195314465, 1158725112

CHUNK_NUMBERS = 1 << 18  # weights held at a time (2 MB): memory is bounded, and they stay in the cache
SMALL_PRODUCT = 1 << 19
"""Multiplications in one matrix product: few enough that BLAS starts no threads of its own, which would compete with
the threads of ``in_chunks``."""
ROWS = 64  # least number of draws in one product, to amortise the call

Array = npt.NDArray[np.float64]
J = TypeVar("J")
T = TypeVar("T")


def generator(rng: object) -> np.random.Generator:
    """None (a fixed seed), a seed or a Generator -> a Generator."""
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None:
        return np.random.default_rng(DEFAULT_SEED)
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return np.random.default_rng(int(rng))
    if isinstance(rng, np.random.SeedSequence | np.random.BitGenerator):
        return np.random.default_rng(rng)
    raise ParameterError(
        f"must be None (seed {DEFAULT_SEED}), a whole number from 0 on, or a numpy.random.Generator; got {rng!r}",
        parameter="rng",
    )


def integer_seed(rng: object) -> int | None:
    """None or a seed as it is; of a Generator a seed drawn from it: what a report must hold to be repeated."""
    if rng is None:
        return None
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)
    return int(generator(rng).integers(2**63))


def root(rng: object) -> list[int]:
    """As :func:`root_of`, of what a user passes; that of None is known, so that numpy.random need not be loaded."""
    return [*_DEFAULT_ROOT] if rng is None else root_of(generator(rng))


def root_of(rng: np.random.Generator) -> list[int]:
    """The root of generators of their own; ``rng`` moves on by one draw."""
    return [*rng.integers(0, 2**32, size=4, dtype=np.uint64).tolist()]


def stream_of(root: list[int], content: bytes) -> np.random.Generator:
    """The generator that belongs to this content, wherever it stands in a table."""
    return np.random.default_rng([*root, *np.frombuffer(hashlib.sha256(content).digest(), dtype="<u4").tolist()])


def streams(rng: np.random.Generator) -> Iterator[np.random.Generator]:
    """Independent generators without end; they depend on the state of ``rng``, which moves on by one draw."""
    root = np.random.SeedSequence(root_of(rng))
    while True:
        yield np.random.Generator(np.random.SFC64(root.spawn(1)[0]))


def in_chunks(
    work: Callable[[np.random.Generator, int], T],
    n_draws: int,
    chunk: int,
    rng: np.random.Generator,
    threads: int | None = None,
) -> Iterator[T]:
    """``work(stream, size)`` for chunks of at most ``chunk`` draws, in order, each with its own stream.

    ``chunk`` must follow from the problem alone (its size), never from the machine: then neither the number of
    threads nor their order changes a bit of the answer. At most ``2 * threads`` chunks are held at a time.
    """
    sizes = [min(chunk, n_draws - first) for first in range(0, n_draws, chunk)]
    jobs = zip(streams(rng), sizes, strict=False)
    return in_threads(lambda job: work(*job), jobs, min(threads or os.cpu_count() or 1, len(sizes)))


def in_threads(work: Callable[[J], T], jobs: Iterable[J], threads: int) -> Iterator[T]:
    """``work`` of each job, in order; at most ``2 * threads`` are held at a time."""
    if threads <= 1:
        yield from map(work, jobs)
        return
    from concurrent.futures import ThreadPoolExecutor  # loads logging and queues

    pool = ThreadPoolExecutor(threads)
    try:
        waiting = []
        for job in jobs:
            waiting.append(pool.submit(work, job))
            if len(waiting) >= 2 * threads:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()
    finally:  # who interrupts waits for the jobs begun, not for those submitted
        pool.shutdown(cancel_futures=True)


def chunk_size(n_numbers: int) -> int:
    """Number of draws of ``n_numbers`` weights per chunk; depends only on the size of the problem."""
    return max(1, CHUNK_NUMBERS // max(1, n_numbers))


def product(weights: Array, table: Array) -> Array:
    """``weights @ table`` in pieces whose sizes depend only on the shape of the table."""
    n, c = table.shape
    rows = max(ROWS, SMALL_PRODUCT // (n * c))
    depth = max(1, SMALL_PRODUCT // (rows * c))
    sums = np.zeros((len(weights), c))
    for first in range(0, len(weights), rows):
        part = slice(first, first + rows)
        for start in range(0, n, depth):
            sums[part] += weights[part, start : start + depth] @ table[start : start + depth]
    return sums
