"""Which algorithms and problems of a table are compared: those asked for, and none that sums up the others."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, ReadingError, UnknownNameError, WrongTypeError, listing
from bakeoff.reading.missing import Cells
from bakeoff.reading.number_parsing import is_name
from bakeoff.reading.recognition.column_names import (
    SPLITS,
    compared_columns,
    measures_in,
    measures_of_each,
    metrics_in,
    runs_of,
    spreads,
)
from bakeoff.reading.recognition.orientation import WHOLE_RUNS, counts_steps
from bakeoff.scores import Array
from bakeoff.words import is_called, named_direction

_ID = re.compile(r"^#|(^|[\s_.-])ids?$", re.IGNORECASE)
_TELLING = re.compile(
    r"(?:^|[\s_.(-])(mean|avg|average|best|worst|median|std|sd|stddev|min|max)\)?(?:$|[\s_.-])", re.IGNORECASE
)
"""A statistic in the name of a row."""
_DIGIT = re.compile(r"\d")  # in no such name, and in most names of a long list
_COINCIDENCE = 1e-4  # most that a row of random scores may agree with the means, to rounding, for it to count
MOST_DROPPED = 20
"""Rows that a message names to be left out."""

Names = Sequence[str] | None


def names_of(requested: Names) -> tuple[str, ...]:
    """One name, several, or none."""
    return (requested,) if isinstance(requested, str) else tuple(requested or ())


def selected(cells: Cells, only: Names, drop: Names, keep: Names, origin: str | None) -> Cells:
    """The cells that are compared; refuses rows and columns that look like summaries, but for those in ``keep``.

    ``origin`` is what messages call the table; None for an array, which has no names of its own.
    """
    rows, columns = chosen(cells.algorithms, cells.problems, only, drop)
    part = cells.part(rows, columns)
    kept = _names(keep, "keep", [*cells.algorithms, *cells.problems])
    if origin is not None:
        _refuse_metrics(part, kept, origin)
        _refuse_statistics(part, kept, origin)
        _refuse_summary_rows(part, kept, origin)
    return part


def chosen(algorithms: Sequence[str], problems: Sequence[str], only: Names, drop: Names) -> tuple[list[int], list[int]]:
    """The rows and columns that ``only`` and ``drop`` leave."""
    names = _names(only, "only", algorithms)
    if len(names) == 1:
        rule = f"must name two algorithms or more; got {names[0]!r} alone. To compare one with the others: "
        raise ParameterError(f"{rule}control={names[0]!r}", parameter="only")
    left_out = _names(drop, "drop", [*algorithms, *problems])
    both = next((name for name in left_out if name in algorithms and name in problems), None)
    if both is not None:
        raise ParameterError(f": {both!r} is an algorithm and a problem; rename one of them", parameter="drop")
    rows = [i for i, name in enumerate(problems) if name not in left_out]
    if left_out and not rows:
        raise ParameterError(f"leaves no problem of {len(problems)}", parameter="drop")
    return rows, [j for j, name in enumerate(algorithms) if name not in left_out and (not names or name in names)]


def _names(requested: Names, parameter: str, known: Collection[str]) -> tuple[str, ...]:
    names = names_of(requested)
    for name in names:
        if not isinstance(name, str):
            raise WrongTypeError(f"must be names; got {requested!r}", parameter=parameter)
        if name not in known:
            what = "algorithm" if parameter == "only" else "algorithm or problem"
            raise UnknownNameError(
                f": no {what} is called {name!r}{did_you_mean(name, known)}; there are {listing(known, 10)}",
                parameter=parameter,
            )
    return names


def _refuse_metrics(cells: Cells, kept: Collection[str], origin: str) -> None:
    """A column per metric: neither are they algorithms, nor is one algorithm better over them."""
    what = "problems" if cells.read_as.rows == "algorithms" else "algorithms"
    columns = cells.problems if what == "problems" else cells.algorithms
    if cells.read_as.rows == "scores" or len(columns) < 2 or not set(columns).isdisjoint(kept):
        return
    if len(columns) > 3 and (runs := runs_of(columns)):
        raise ReadingError(
            f"{origin}: the columns are called like runs of {listing(runs, 4)} ({listing(columns, 4)}). A run is a row "
            "of the long layout: give a table with the columns problem, algorithm, run and score. If they are "
            f"{what}, compare them with keep={columns[0]!r}"
        )
    if len(several := metrics_in(columns)) > 1:
        other = [name for metric, names in list(several.items())[1:] for name in names]
        raise ReadingError(
            f"{origin}: the columns are of several {'splits' if set(several) & SPLITS else 'metrics'} "
            f"({listing(several, 4)}), and a comparison is of one. Leave "
            f"the others out with drop={other!r}, or compare all with keep={columns[0]!r}"
        )
    named = columns if all(map(named_direction, columns)) else measures_in(columns)
    if len(named) > 1:
        raise ReadingError(
            f"{origin}: the columns are called like metrics ({listing(named, 2)}), not like {what}. A comparison "
            "is of one metric: give a table with the columns problem, algorithm and score. If "
            f"they are {what}, say keep={columns[0]!r}"
        )


def _refuse_statistics(cells: Cells, kept: Collection[str], origin: str) -> None:
    turned = cells.read_as.rows == "algorithms"
    named = [name for name in (*cells.algorithms, *(cells.problems if turned else ())) if name not in kept]
    wide = cells.read_as.rows != "scores"
    statistics = [
        name
        for name in named
        if is_called(name, "statistic")
        or (wide and (is_called(name, "description") or _ID.search(name) or counts_steps(name)))
    ]
    statistics = statistics or spreads(named) or compared_columns(named)
    if wide and not turned:
        statistics = statistics or _unlike(named)
    if not statistics:
        return
    if len(statistics) > 1:
        statistics = [name for name in named if name in statistics or is_called(name, "statistic", "timing")]
    shown = " and ".join(map(repr, statistics)) if len(statistics) < 3 else listing(map(repr, statistics))
    if steps := next(filter(counts_steps, statistics), None):
        out = (
            f"; if the column describes the rows, leave it out with drop={steps!r}"
            if is_name(cells.problems[0])
            else ""
        )
        raise ReadingError(f"{origin}: each row is a step of a run, by the column {steps!r}. {WHOLE_RUNS}{out}")
    if len(statistics) == len(cells.problems if turned else cells.algorithms):
        raise ReadingError(
            f"{origin}: the columns {shown} are statistics of one measurement, not algorithms. If each row is an "
            "algorithm, use the long layout and name the columns: layout='long', problem=, algorithm=, score="
        )
    one = len(statistics) == 1
    which = "a problem" if turned else "an algorithm"
    verb, it = (f"looks like a statistic, not like {which}", "it") if one else ("look like statistics", "them")
    names = repr(statistics[0] if one else statistics)
    kept_names = names if len(statistics) < 4 else ""
    raise ReadingError(
        f"{origin}: {shown} {verb}. Leave {it} out with drop={names}, or compare {it} with keep={kept_names}"
    )


def _unlike(names: Sequence[str]) -> list[str]:
    """Those that lack the measure in which most others end: ``ref_words`` beside ``A_errors`` and ``B_errors``."""
    ends = [match[1] if (match := re.fullmatch(r".+[\s_](\w+)", name)) else "" for name in names]
    end, count = Counter(ends).most_common(1)[0] if ends else ("", 0)
    if not named_direction(end) or not len(names) > count > max(1, len(names) // 2):
        return []
    return [name for name, own in zip(names, ends, strict=True) if own != end]


def _refuse_summary_rows(cells: Cells, kept: Collection[str], origin: str) -> None:
    """By name; and a first or last row that is the mean or the median of the others."""
    if rows := measures_of_each(cells.problems) if _TELLING.search(cells.problems[0]) else {}:
        (first, *_), *rest = rows.values()
        other = [name for names in rest for name in names]
        if first not in kept:
            out = f"the others out with drop={other!r}" if len(other) <= MOST_DROPPED else "out those of the others"
            raise ReadingError(
                f"{origin}: the rows are of several statistics ({listing(rows, 4)}), by their names ({first!r}). Leave "
                f"{out}, or count all as problems with keep={first!r}"
            )
    ends = (0, len(cells.problems) - 1)
    for i, name in enumerate(cells.problems):
        numbered = not name.endswith(")") and _DIGIT.search(name)
        if (numbered and i not in ends) or name in kept:
            continue
        short = name.partition("(")[0] if name.endswith(")") else name  # Avg. rank (lower is better)
        named = not numbered and not _DIGIT.search(short) and is_called(short, "average", "rows")
        what = "its name" if named else _summary_of_others(cells.scores, i) if i in ends else ""
        if what:
            raise ReadingError(
                f"{origin}: the row {name!r} looks like a summary of the other problems ({what}). Leave it out with "
                f"drop={name!r}, or count it as a problem with keep={name!r}"
            )


def _summary_of_others(scores: Array, i: int) -> str:
    n, k, runs = scores.shape
    if n < 4 or k < 2 or runs > 1 or not np.isfinite(scores).all() or not scores.any():
        return ""
    others, row = np.delete(scores[:, :, 0], i, axis=0), scores[i, :, 0]
    size = np.abs(others).max()
    if not size:
        return ""
    others, row = others / size, row / size  # no overflow
    for what, summarised in (("the mean", np.mean), ("the median", np.median)):
        for columns in (slice(2), slice(8), slice(k)):  # the first ones say no at once, of most tables
            half_digit = 0.5 * 10.0 ** -max(_decimals(value) for value in scores[i, columns, 0].tolist()) / size
            summary = summarised(others[:, columns], axis=0)
            near = half_digit * (1 + 1e-9) + 1e-12 * np.abs(summary)
            if not (np.abs(row[columns] - summary) <= near).all():
                break
        else:
            return "" if _is_coincidence(others, row, half_digit) else f"it is {what} of each column"
    return ""


def _is_coincidence(others: Array, row: Array, half_digit: float) -> bool:
    """Are there so few digits, or columns, that a row of random scores may agree with the means to rounding?"""
    spread = np.ptp(others, axis=0)
    if not (spread > 0).all():
        return True
    share = np.clip(2 * half_digit / spread, np.finfo(float).tiny, 1.0)  # of digits beyond the 300th nothing is left
    alike = (others == row).sum(axis=0)  # a value that several rows have, such as a time limit, says nothing
    return bool(np.log(np.where(alike > 1, 1.0, share)).sum() > np.log(_COINCIDENCE))


def _decimals(value: float) -> int:
    """Digits after the point of the shortest decimal."""
    digits, _, exponent = repr(value).partition("e")
    return max(0, len(digits.partition(".")[2].rstrip("0")) - int(exponent or 0))
