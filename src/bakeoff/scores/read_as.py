"""What a reader understood of a table, and what it could not take: kept with the scores, so that reports can say it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

Rows = Literal["problems", "algorithms", "scores"]
ROWS = ("problems", "algorithms", "scores")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAs:
    """How the scores were read.

    ``rows``: what a row of the source was, as its names or the caller say (scores: the long layout); None if nobody
    does, and rows are problems by convention. ``numbered``: the columns of a wide table are called 0, 1, 2, …, and the
    caller did not say that they are algorithms. ``left_out``: task -> its problems that lack the metric compared.
    """

    rows: Rows | None = None
    numbered: bool = False
    left_out: tuple[tuple[str, int], ...] = ()


UNSAID = ReadAs()
LONG = ReadAs(rows="scores")

FEWEST_RUNS = 3
"""Columns 0, 1, 2 or more in sequence are rather numbers of runs than names."""


def in_sequence(names: Sequence[str]) -> bool:
    """Consecutive whole numbers."""
    if len(names) < FEWEST_RUNS or not all(name.isdecimal() and name.isascii() for name in names):
        return False
    return all(int(b) - int(a) == 1 for a, b in pairwise(names))
