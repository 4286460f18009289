"""Rows of one problem and algorithm: which other column tells them apart, and what that column may be."""

import re
from collections.abc import Sequence
from itertools import combinations

from bakeoff.errors import ReadingError
from bakeoff.reading.number_parsing import is_label
from bakeoff.reading.recognition.orientation import counts_steps
from bakeoff.reading.table import Labels, SourceTable, matching

MOST_COLUMNS = 30
MOST_SHARE = 0.5
"""Different values of a column for each row; with more, it is a measurement or the row's number."""


def told_apart(table: SourceTable, keys: Sequence[Labels], may_be_runs: bool = True) -> str:
    """A sentence on the column, or the two, by which no combination occurs twice; nothing if there are none."""
    try:
        every = table.take(list(range(len(table.names))), [])[0]
    except ReadingError:
        return ""
    rows = list(zip(*keys, strict=True))
    if any(len(column) != len(rows) for column in every):
        return ""
    if len(keys) > 1 and sum(list(column) not in keys for column in every) < 2:
        return ""  # the only other column holds the scores, which differ between repeats, too
    columns = {
        name: column
        for name, column in zip(table.names, every, strict=True)
        if name
        and list(column) not in keys
        and 1 < len(set(column)) <= max(2, MOST_SHARE * len(rows))
        and not any(re.fullmatch(r"\s*-?\d*\.\d+(e-?\d+)?\s*", text, re.IGNORECASE) for text in column[:100])
    }
    names = sorted(columns, key=lambda name: len(set(columns[name])))[:MOST_COLUMNS]
    for size in (1, 2):
        for chosen in combinations(names, size):
            if len(set(zip(rows, *(columns[name] for name in chosen), strict=True))) == len(rows):
                named = any(map(is_label, columns[chosen[0]]))
                finer = named and size == 1 and len(keys) > 1 and _names_algorithms(columns[chosen[0]], keys)
                return _advice(table, keys[0], chosen, None if finer else may_be_runs and not named, len(keys) < 3)
    return ""


def _names_algorithms(column: Labels, keys: Sequence[Labels]) -> bool:
    """Does each value belong to one algorithm (a submitter's system), and stand at several problems?"""
    own = dict(zip(column, keys[1], strict=True))
    met = len(set(zip(column, keys[0], strict=True)))
    return all(own[value] == name for value, name in zip(column, keys[1], strict=True)) and met >= 2 * len(own)


def _advice(table: SourceTable, problems: Labels, chosen: Sequence[str], runs: bool | None, unnamed: bool) -> str:
    shown = " and ".join(map(repr, chosen))
    if len(chosen) == 1 and counts_steps(chosen[0]):
        as_run = f", or say run={chosen[0]!r} for runs" if runs and unnamed else ""
        return f" They differ in {shown}: use bakeoff curves{as_run}."
    first = next((n for j, n in enumerate(table.names) if n and table.take([j], [])[0][0] == list(problems)), "PROBLEM")
    several = ",".join([first, *chosen])
    if runs is None:
        return f" The repeats differ in {shown}, of which each algorithm has its own: say algorithm={chosen[0]!r}."
    named_run = next((name for name in chosen if matching([re.sub(r"(?i)[\s_-]*id$", "", name)], "run")), None)
    if named_run and len(chosen) > 1:
        several = ",".join([first, *(name for name in chosen if name != named_run)])
        return (
            f" The repeats differ in {shown}: say run={named_run!r}, problem={several!r}; or keep the last of each run."
        )
    as_run = f", or run={chosen[0]!r} if they are runs" if len(chosen) == 1 and runs else ""
    return f" The repeats differ in {shown}: say problem={several!r} if it is part of the problem{as_run}."
