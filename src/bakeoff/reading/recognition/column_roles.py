"""The columns of a wide table that are no scores: what their names say, checked against their values.

A name and the values that agree with it leave the column out, and the reading says so; a name alone, or values that
are like no neighbour's, refuse the table until its user says what the column is.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from bakeoff.errors import ReadingError, listing
from bakeoff.reading.number_parsing import numbers_or_nan
from bakeoff.reading.recognition import evidence
from bakeoff.reading.recognition.column_names import spreads
from bakeoff.reading.recognition.first_rows import FirstRows
from bakeoff.reading.recognition.orientation import counts_steps
from bakeoff.reading.table import SourceTable
from bakeoff.scores import Array
from bakeoff.scores.read_as import ColumnRole
from bakeoff.words import is_called, is_counter, is_one_of, named_direction, pattern, word_set

FEWEST_LOOKED_AT, MOST_CELLS = 50, 200_000
"""Rows that are looked at, of however many columns; and cells in all."""
MOST_LEVELS = 12
"""Different values of all columns together, where these are classes or ratings."""
WHY = {
    "description": "describes the {row}",
    "average": "averages the others",
    "statistic": "a statistic of {of}",
    "time": "a time",
    "row number": "counts the rows",
}
"""What is said of a column that is left out."""
_COUNT = re.compile(r"(?i)(n|num|number)[\s_.]")
"""How a description is called that is hardly an algorithm: ``n_features``, and not ``size``."""


def named_role(name: str) -> str | None:
    """The role that a name gives to a column beside scores; None where it may be an algorithm."""
    if is_one_of(name, "average", "columns") or is_one_of(name, "average", "ranks"):
        return "average"
    part = is_one_of(name, "part") and name.islower()  # LR is an algorithm
    if (
        name in word_set("description", "letters")
        or part
        or is_called(name, "description")
        or pattern("description", "raw").fullmatch(name)
    ):
        return "description"
    if is_one_of(name, "time"):
        return "time"
    return "row number" if is_counter(name) else None


def refuse_predictions(table: SourceTable, label: int | None, columns: Sequence[int], kept: Collection[str]) -> None:
    """A column of the truth: the others are predictions, and nothing is better than what was to be predicted."""
    beside = [j for j in columns if table.names[j] not in kept and _has_predictions(table, j, columns)]
    letters = sum(len(table.names[j]) == 1 for j in columns) > 1  # x and y are algorithms
    truth = next((j for j in beside if _is_truth(table.names[j]) and not (letters and len(table.names[j]) == 1)), None)
    if truth is None and label is not None and _is_truth(table.names[label]):
        truth = label if not FirstRows(table).are_unique([label]) else None
    if truth is None:
        perhaps = (j for j in beside if is_one_of(table.names[j], "truth", "perhaps"))
        truth = next((j for j in perhaps if _is_nearest(table, j, columns)), None)
    if truth is not None and len(columns) > 1:
        raise ReadingError(_predictions(table, truth, [j for j in columns if j != truth]))


def refuse_long_predictions(table: SourceTable, by_role: Mapping[str, Sequence[int]]) -> None:
    """A row per item and model, with the truth and the prediction: no score."""
    keys = {j for role in ("problem", "algorithm", "run", "cluster", "metric") for j in by_role[role]}
    free = [j for j in range(len(table.names)) if j not in keys]
    truth = next((j for j in free if _is_truth(table.names[j])), None)
    predicted = [j for j in free if j != truth and is_one_of(table.names[j], "prediction")]
    if truth is None or not predicted:
        return
    real = [j for j in by_role["score"] if j not in predicted and j != truth]
    if not real and not any(named_direction(table.names[j]) for j in free):
        prediction = table.names[predicted[0]]
        raise ReadingError(
            f"{table.origin}: {table.names[truth]!r} holds the truth, and {prediction!r} predictions, and a comparison "
            "is of scores. Judge them by a metric, which says what is better: "
            f"{judging(table, truth, predicted[:1])}, in place of better=. If there is a column of scores, name it "
            "with score="
        )


def left_out_of_long(table: SourceTable, used: Collection[int], roles: Mapping[str, int]) -> list[ColumnRole]:
    """The columns of a long table that are not read, each with what it is."""
    rows = FirstRows(table)
    beside = spreads(table.names)
    left = []
    for j, name in enumerate(table.names):
        if not name or j in used:
            continue
        role = "statistic" if name in beside or is_called(name, "statistic") else named_role(name)
        described = [side for side in ("problem", "algorithm") if rows.determines([roles[side]], j)]
        if role in ("time", "statistic", "row number"):
            why = _why(role, name, table.names)
        elif described and rows.different(j) > 0:
            role, why = "description", f"describes the {described[0]}"
        else:
            role, why = role or "other", "not a score"
        left.append(ColumnRole(name, role, why))
    return left


def _has_predictions(table: SourceTable, column: int, columns: Sequence[int]) -> bool:
    """Classes in words are predicted by words: does another column have some of them?"""
    if not table.holds_names(column):
        return True
    words = set(table.texts(column))
    return any(j != column and table.holds_names(j) and words & set(table.texts(j)) for j in columns)


def _is_truth(name: str) -> bool:
    return is_one_of(name, "truth", "certain")


def _predictions(table: SourceTable, truth: int, columns: Sequence[int]) -> str:
    name = table.names[truth]
    return (
        f"{table.origin}: {name!r} is called like what was to be predicted, so the other columns are predictions, and "
        "a comparison is of scores. Judge them by a metric, which says what is better: "
        f"{judging(table, truth, columns)}, in place of better=. If they are scores, leave it out with drop={name!r}; "
        f"if it is an algorithm, say keep={name!r}"
    )


def judging(table: SourceTable, truth: int, columns: Sequence[int]) -> str:
    """The arguments that judge predictions, by the first rows: of classes, probabilities, or numbers."""
    rows = FirstRows(table)
    truths, others = rows.texts(truth), [text for j in columns if not table.holds_names(j) for text in rows.texts(j)]
    levels, numbers = set(truths) - {""}, numbers_or_nan(others) if others else None
    words = table.holds_names(truth)
    shares = numbers is not None and bool(np.nanmin(numbers) >= 0 and np.nanmax(numbers) <= 1)
    if numbers is not None and shares and len(levels) == 2 and (numbers[~np.isnan(numbers)] % 1 != 0).any():
        positive = "" if levels in ({"0", "1"}, {"0.0", "1.0"}) else f":{truths[0]}"
        return f"truth={table.names[truth]!r}, metric='brier{positive}'"
    whole = numbers is not None and bool((numbers[~np.isnan(numbers)] % 1 == 0).all())
    metric = "accuracy" if words or (whole and len(levels) <= MOST_LEVELS) else "abs-error"
    return f"truth={table.names[truth]!r}, metric={metric!r}"


def _is_nearest(table: SourceTable, truth: int, columns: Sequence[int]) -> bool:
    """Is each column nearer to this one than to any other?"""
    rows = FirstRows(table)
    levels = {text for j in columns for text in rows.texts(j)}
    few = len(rows.texts(truth)) < evidence.FEWEST_FOR_DIFFICULTY[0]
    if len(columns) < 3 or (few and len(levels) > MOST_LEVELS):
        return False
    if few:
        return True  # nobody can tell
    values = np.array([_numbers_of(rows.texts(j)) for j in columns])
    apart = np.abs(values[:, None] - values[None]).mean(axis=2)
    at = list(columns).index(truth)
    others = np.delete(np.delete(apart, at, axis=0), at, axis=1) + np.diag(np.full(len(columns) - 1, np.inf))
    return bool((np.delete(apart[at], at) < others.min(axis=1)).all())


def _without_texts(
    table: SourceTable, columns: Sequence[int], kept: Collection[str]
) -> tuple[list[int], list[ColumnRole]]:
    """The columns without those of words that describe a row: a licence, a date, a version."""
    described = [
        j
        for j in columns
        if table.names[j] not in kept
        and table.holds_names(j)
        and (is_called(table.names[j], "description") or is_called(table.names[j], "question", "about"))
    ]
    if len(described) >= len(columns) - 1:
        return list(columns), []
    left = [ColumnRole(table.names[j], "description", WHY["description"]) for j in described]
    return [j for j in columns if j not in described], left


def sorted_out(table: SourceTable, columns: Sequence[int], kept: Collection[str]) -> tuple[list[int], list[ColumnRole]]:
    """Which of the columns hold scores, by the first rows; and what the others are."""
    columns, texts = _without_texts(table, columns, kept)
    looked_at = _first_numbers(table, columns)
    numeric = [j for i, j in enumerate(columns) if not np.isnan(looked_at[:, i]).all()]
    if len(numeric) < 2:
        return columns, texts
    looked_at = looked_at[:, [columns.index(j) for j in numeric]]
    names = [table.names[j] for j in numeric]
    roles = _of_few({i: role for i, name in enumerate(names) if name not in kept and (role := named_role(name))}, names)
    left = {i: role for i, role in roles.items() if _agrees(role, looked_at, i, roles)}
    disputed = {names[i] for i, role in roles.items() if i not in left and _disputed(role, names[i])}
    spread = [name for name in spreads(names) if name not in kept]
    left |= {names.index(name): "statistic" for name in spread if len(spread) < len(names) - 1}
    if len(columns) - len(left) < 2:
        return columns, texts
    rest = [i for i in range(len(names)) if i not in left]
    _refuse_strangers(table.origin, [names[i] for i in rest], looked_at[:, rest], kept, disputed)
    others = [ColumnRole(names[i], role, _why(role, names[i], names)) for i, role in sorted(left.items())]
    gone = {numeric[i] for i in left}
    return [j for j in columns if j not in gone], [*texts, *others]


def _disputed(role: str, name: str) -> bool:
    """Is it called like an average or a count, which its values are not? Beside a median, a mean is another matter."""
    of_rows = role == "average" or (role == "description" and _COUNT.match(name) is not None)
    return of_rows and not is_called(name, "statistic")


def _first_numbers(table: SourceTable, columns: Sequence[int]) -> Array:
    """The first rows of some columns; NaN throughout of one that holds a word."""
    rows = FirstRows(table)
    most = max(FEWEST_LOOKED_AT, MOST_CELLS // max(1, len(columns)))
    return np.column_stack([_numbers_of(rows.texts(j)[:most]) for j in columns])


def _numbers_of(texts: Sequence[str]) -> Array:
    return np.full(len(texts), np.nan) if (numbers := numbers_or_nan(texts)) is None else numbers


def refuse_settings(origin: str, names: Sequence[str], kept: Collection[str]) -> None:
    """Columns of a table with a row per algorithm that are called like its settings: k, learning_rate."""
    letters = sum(len(name) == 1 for name in names) > 1  # functions a, b, c
    settings = [x for x in names if x not in kept and x.islower() and is_one_of(x, "part")]
    settings = [name for name in settings if not (letters and len(name) == 1)]
    if settings:
        raise ReadingError(
            f"{origin}: each row is an algorithm, and {settings[0]!r} is called like one of its settings, not like a "
            f"problem. Leave it out with drop={settings[0]!r}, or compare it with keep={settings[0]!r}"
        )


def _why(role: str, name: str, names: Sequence[str]) -> str:
    of = max((other for other in names if other != name and name.startswith(other)), key=len, default="another column")
    return WHY[role].replace("{of}", of)


def _of_few(roles: dict[int, str], names: Sequence[str]) -> dict[int, str]:
    """The roles that at most half of the columns have: where all are called ``…_size``, sizes are compared."""
    return {i: role for i, role in roles.items() if 2 * list(roles.values()).count(role) <= len(names)}


_AGREE: dict[str, Callable[[Array, int], bool]] = {
    "row number": lambda scores, i: evidence.counts_from_one(scores[:, i]),
    "average": evidence.is_average,
    "time": lambda scores, i: bool((scores[:, i] > 0).all()) and _is_other(scores, i),
    "description": lambda scores, i: evidence.is_constant(scores[:, i]) or _is_other(scores, i),
}


def _is_other(scores: Array, column: int) -> bool:
    return (
        bool(evidence.are_whole_among_fractions(scores)[column])
        or evidence.is_apart(scores, column)
        or bool(evidence.without_difficulty(scores)[column])
    )


def _agrees(role: str, scores: Array, column: int, roles: Collection[int]) -> bool:
    """Do the values say what the name says, beside the columns whose names say nothing?"""
    beside = [i for i in range(scores.shape[1]) if i == column or i not in roles]
    part = scores[:, beside]
    return role in _AGREE and part.shape[1] > 1 and _AGREE[role](part, beside.index(column))


def _refuse_strangers(
    origin: str, names: Sequence[str], scores: Array, kept: Collection[str], disputed: Collection[str]
) -> None:
    """Columns that do not behave like their neighbours, without a known name; or not as their name says."""
    if len(scores) < evidence.FEWEST_ROWS or len(names) < 3:
        return
    alone = evidence.without_difficulty(scores)
    whole = evidence.are_whole_among_fractions(scores)
    fractions = np.flatnonzero(~whole).tolist()
    reasons = {}
    for i, name in enumerate(names):
        if name in disputed:
            reasons[name] = "is called like what describes the rows, or averages the others, and its values disagree"
        elif name in kept or counts_steps(name) or any(is_called(name, of) for of in ("statistic", "description")):
            continue  # what its name says is asked later
        if whole[i] and not evidence.is_near_the_others(scores[:, [*fractions, i]], len(fractions)):
            reasons[name] = "holds whole numbers, where most of the others have fractions"
        elif alone[i]:
            reasons[name] = "does not share the difficulty of the rows, which the others do"
    if not reasons or 2 * len(reasons) >= len(names):
        return
    one = len(reasons) == 1
    who = repr(next(iter(reasons))) if one else listing(map(repr, reasons), 4)
    what = next(iter(reasons.values())) if one else "do not behave like the other columns"
    out, it, them = (who, "it", "it") if one else (repr(list(reasons)), "they", "them")
    raise ReadingError(
        f"{origin}: {who} {what}, so {it} may describe the rows. Leave {them} out with drop={out}, or compare {them} "
        f"with keep={out}"
    )
