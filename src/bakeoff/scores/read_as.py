"""A reader's view of a table: what it understood and could not take, kept with the scores for reports to say."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from bakeoff.dataclass import dataclass

Rows = Literal["problems", "algorithms", "scores", "targets"]
ROWS = ("problems", "algorithms", "scores", "targets")


class ColumnRole(NamedTuple):
    """A column that holds no scores and names nothing that is compared: what it is, and why that is believed."""

    column: str
    role: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAs:
    """The way in which the scores were read.

    ``rows``: what a row of the source was, as its names or the caller say (scores: the long layout; targets: of
    each run); None if nobody does, and rows are problems by convention. ``numbered``: the columns of a wide table
    are called like runs (0, 1, 2, …, fold1, fold2, …), and the caller did not say that they are algorithms.
    ``left_out``: task -> its problems that lack the metric compared. ``columns``: role (problem, algorithm, run,
    score, cluster) -> the column of the source that it was read from. ``roles``: columns that were left out, each with
    what it is. ``unused``: columns of a long table that group its problems. ``source``: the program that wrote it.
    ``n_files``: result files that were read, ``not_taken``: the other files of the folders that were given.
    """

    rows: Rows | None = None
    numbered: bool = False
    left_out: tuple[tuple[str, int], ...] = ()
    n_files: int = 0
    not_taken: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    unused: tuple[str, ...] = ()
    roles: tuple[ColumnRole, ...] = ()
    source: str = ""
    closest_to: float | None = None  # the scores are distances from it
    written: str = ""  # the form of the cells, where it is not that of plain numbers: percentages
    averaged: tuple[str, ...] = ()  # columns of runs inside runs, whose mean is the score of a run
    commits: tuple[tuple[str, str], ...] = ()  # of algorithms that are versions
    weighted_as: tuple[str, ...] = ()  # the group whose value in the files shows what counts equally in it, and that
    spreads: int = 0  # cells that hold a mean and its spread, of which the mean was read


UNSAID = ReadAs()
LONG = ReadAs(rows="scores")

FEWEST_RUNS = 3
"""Columns 0, 1, 2 or more in sequence are rather numbers of runs than names."""
_RUN = re.compile(
    r"(cv|fold|iteration|iter|rep|repeat|repetition|replicate|replication|resample|run|sample|seed|split|trial)?"
    r"[\s_.#-]*(\d+)",
    re.ASCII | re.IGNORECASE,
)


def in_sequence(names: Sequence[str]) -> bool:
    """Are these consecutive whole numbers, alone or after a word for runs: ``0, 1, 2``; ``fold 1, fold 2, fold 3``?"""
    matches = [_RUN.fullmatch(name) for name in names] if len(names) >= FEWEST_RUNS else [None]
    runs = [(match[1] or "", int(match[2])) for match in matches if match]
    if len(runs) < len(matches) or len({word.lower() for word, _ in runs}) > 1:
        return False
    return all(b - a == 1 for (_, a), (_, b) in pairwise(runs))
