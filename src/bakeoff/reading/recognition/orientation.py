"""Which way round a wide table is: are its rows problems, or algorithms? Names decide; contradictions are refused."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal

from bakeoff.checks import choice
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.reading.recognition.column_names import known_side
from bakeoff.scores.read_as import ReadAs, in_sequence
from bakeoff.words import bare, is_called, tiers, word_set

Side = Literal["problems", "algorithms"]

WHOLE_RUNS = "bakeoff curves (bo.curves) compares whole runs: columns problem, algorithm, run, budget and score"
SIDES: dict[str, Side] = {"problem": "problems", "algorithm": "algorithms"}
OTHER: dict[Side, Side] = {"problems": "algorithms", "algorithms": "problems"}


_BETWEEN, _MARKS, _ENDS = re.compile(r"\s*[\\/|]\s*"), re.compile(r"[\s_.-]+"), re.compile(r"(names?|ids?|s)$")


def as_wide(rows: Side | None, layout: str) -> str:
    """The layout of a table of which the caller says what its rows are."""
    if rows is None:
        return layout
    choice("rows", rows, ("problems", "algorithms"))
    if layout == "long":
        raise ParameterError("is of wide tables; in the long layout a row is a score: leave it out", parameter="rows")
    return "wide"


def orientation(
    origin: str, header: str, labels: Sequence[str], columns: Sequence[str], requested: Side | None, named: bool
) -> ReadAs:
    """What the rows of a wide table are, from the header and the labels of its rows and the names of its columns.

    ``requested``: what the caller says; ``named``: the caller named the column of the problems.
    """
    if requested is not None:
        return ReadAs(rows=requested)
    if counts_steps(header) and not named and all(map(str.isdecimal, labels)):
        raise ReadingError(
            f"{origin}: the rows are steps of a run, by the name of their column ({header!r}), not problems. "
            f"{WHOLE_RUNS}. If each row is a problem, say rows='problems'"
        )
    numbered = bool(labels) and in_sequence(columns)
    if named or header.lower() == "problem":
        return ReadAs(rows=None if numbered else "problems", numbered=numbered)
    by_header, by_columns = side_of(header), _common_side(columns)
    side = by_header or (OTHER[by_columns] if by_columns else None)
    by_labels = _common_side(labels) if by_header != "problems" else known_side(labels)  # it may be called solver_1
    if side is not None and (by_columns == side or by_labels == OTHER[side]):
        reasons = [f"the first column, {header!r}, names {by_header}"] if by_header else []
        reasons += [f"columns are called like {by_columns} ({listing(columns, 2)})"] if by_columns else []
        reason = " and ".join(reasons + ([f"rows like {by_labels} ({listing(labels, 2)})"] if by_labels else []))
        raise ReadingError(_both_readings(origin, labels, columns, f"the names contradict each other: {reason}"))
    if side is None and by_labels == "problems":
        side = "problems"
    if side is None and by_labels == "algorithms":
        reason = f"the rows are called like algorithms ({listing(labels, 2)})"
        raise ReadingError(_both_readings(origin, labels, columns, reason))
    if side == "algorithms" and numbered:
        reason = f"the column {header!r} names algorithms, and the columns are called like runs ({columns[0]}, …)"
        more = ". For runs, make a table with the columns problem, algorithm, run and score"
        raise ReadingError(_both_readings(origin, labels, columns, reason) + more)
    return ReadAs(rows=None if numbered else side, numbered=numbered)


def counts_steps(name: str) -> bool:
    """Is a column of this name one of what a run has spent so far?"""
    return is_called(name, "counter", "budget")


@cache
def _sides() -> Mapping[str, Side]:
    """What a name of a column says of what it holds."""
    listed = {side: word_set("rows", side).union(*tiers(role)) for role, side in SIDES.items()}
    return {word: side for side, names in listed.items() for word in names}


@lru_cache(maxsize=1 << 14)
def side_of(name: str) -> Side | None:
    """What a column of this name holds: ``model``, ``Model name``, ``datasets``; of ``Dataset \\ Model`` the rows."""
    rows, *columns = _BETWEEN.split(name := bare(name.strip()))
    if len(columns) == 1 and side_of(rows) and side_of(columns[0]) not in (None, side_of(rows)):
        return side_of(rows)
    plain = _MARKS.sub("", name.lower())
    return _sides().get(plain) or _sides().get(_ENDS.sub("", plain))


def _common_side(names: Sequence[str]) -> Side | None:
    """What the names are: all ``dataset_1, dataset_2``, ``solver A, solver B``, or some that everybody knows."""
    if len(names) < 2:
        return None
    first = _numbered_side(names[0])
    if first is not None and all(_numbered_side(name) == first for name in names[1:1000]):
        return first
    return known_side(names)  # type: ignore[return-value]


def _numbered_side(name: str) -> Side | None:
    word = re.match(r"([A-Za-z]+)(?=[\s_.-]*\d|[\s_-]+\S)", name)
    return None if word is None else side_of(word[1])


def _both_readings(origin: str, labels: Sequence[str], columns: Sequence[str], reason: str) -> str:
    beside = ", ".join([*columns[:2], *(["…"] if len(columns) > 2 else [])])
    return (
        f"{origin}: {reason}. Say rows='problems' if the {len(labels)} rows are problems, or rows='algorithms' if the "
        f"{len(columns)} columns ({beside}) are"
    )
