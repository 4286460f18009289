"""Draws in chunks: the same answer on any number of threads, and soon at an end when interrupted."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from bakeoff.randomness import generator, in_chunks, root, root_of


def test_the_root_of_the_default_seed_is_that_of_its_generator() -> None:
    assert root(None) == root_of(generator(None))
    assert root(7) == root_of(generator(7)) != root(None)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads: int) -> None:
    def work(stream: np.random.Generator, size: int) -> list[object]:
        return list(stream.random(size))

    parts = list(in_chunks(work, 25, 4, np.random.default_rng(3), threads))
    assert [len(part) for part in parts] == [4, 4, 4, 4, 4, 4, 1]
    assert parts == list(in_chunks(work, 25, 4, np.random.default_rng(3), 1))


@pytest.mark.slow
def test_an_interrupt_waits_only_for_what_was_begun() -> None:
    begun, gate = [], threading.Event()

    def work(stream: np.random.Generator, size: int) -> int:
        begun.append(size)
        if len(begun) > 1:
            gate.wait(0.3)
        return size

    chunks = in_chunks(work, 100, 10, np.random.default_rng(0), 2)
    assert next(chunks) == 10
    with pytest.raises(KeyboardInterrupt):
        chunks.throw(KeyboardInterrupt())  # type: ignore[attr-defined]
    assert len(begun) <= 3  # the fourth had been submitted
