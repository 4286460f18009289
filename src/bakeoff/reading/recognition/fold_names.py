"""Columns that are called after the folds of a cross-validation: ``fold_0_test``, ``split3_test_score``, ``cv 2``."""

import re
from collections.abc import Collection, Sequence

from bakeoff.errors import ReadingError
from bakeoff.reading.table import SourceTable
from bakeoff.scores.read_as import in_sequence
from bakeoff.words import is_fold, is_one_of, plain_name

_NUMBERED = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)
_OF_FOLDS = re.compile(r"(?i)fold|split|cv|resample")
_REPEAT = re.compile(r"(?i)rep(eat(ed)?)?\W*\d+")


def groups_of_folds(names: Sequence[str]) -> dict[tuple[str, str], list[int]]:
    """Two or more columns each, that differ by a number alone: the places of those of test scores."""
    groups: dict[tuple[str, str], list[int]] = {}
    for j, name in enumerate(names):
        if (match := _NUMBERED.fullmatch(name)) and _OF_FOLDS.search(match[1] + match[3]):
            groups.setdefault((match[1], match[3]), []).append(j)
    several = {key: columns for key, columns in groups.items() if len(columns) > 1}
    return {key: columns for key, columns in several.items() if "train" not in plain_name("".join(key))}


def number_of(name: str) -> str:
    """``3`` of ``fold_3_test``."""
    match = _NUMBERED.fullmatch(name)
    return name if match is None else match[2]


def call_of_folds(table: SourceTable, folds: str, others: Collection[str] = ()) -> str:
    """``folds='id2', repeat='id'``: the column of the repeats is called like runs, or holds Repeat1, Repeat2."""
    free = [j for j, name in enumerate(table.names) if name and name not in (folds, *others) and not is_fold(name)]
    repeats = [table.names[j] for j in free if is_one_of(table.names[j], "run") or _are_repeats(table, j)]
    return ", ".join([f"folds={folds!r}", *(f"repeat={name!r}" for name in repeats[:1])])


def _are_repeats(table: SourceTable, column: int) -> bool:
    names = set(table.texts(column))
    return plain_name(table.names[column]) == "run" or (bool(names) and all(map(_REPEAT.fullmatch, names)))


def refuse_columns_of_folds(origin: str, names: Sequence[str], turned: bool) -> None:
    """A column per fold where columns are taken for problems (``turned``), or for algorithms."""
    groups = list(groups_of_folds(names).values())
    if len(groups) != 1 or 2 * len(groups[0]) < len(names) or (in_sequence(names) and not turned):
        return
    first, last = (names[groups[0][i]] for i in (0, -1))
    raise ReadingError(
        f"{origin}: the columns {first!r} to {last!r} are called like folds, which share training data: neither "
        "problems nor algorithms. If each row is a model, say folds='columns'; if the names say something else, say "
        "what a row is, rows='problems' or rows='algorithms'"
    )
