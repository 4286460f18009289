"""Names of several columns: ``problem="space,dataset"``."""

from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff.reading.table import Labels, SourceTable, matching
from bakeoff.scores import Array

ROLES = ("problem", "algorithm", "run", "cluster")
BETWEEN = "/"


class WithColumns:
    """Some columns of a table; one of several parts joins their names."""

    def __init__(self, table: SourceTable, columns: Mapping[str, Sequence[int]]) -> None:
        self._table = table
        self._parts = list(columns.values())
        self.origin = table.origin
        self.names = tuple(columns)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)  # spreads, whether the first column is an index

    def is_text(self, column: int) -> bool:
        return len(self._parts[column]) > 1 or self._table.is_text(self._parts[column][0])

    def holds_names(self, column: int) -> bool:
        return len(self._parts[column]) > 1 or self._table.holds_names(self._parts[column][0])

    def texts(self, column: int) -> Labels:
        parts = [self._table.texts(j) for j in self._parts[column]]
        return parts[0] if len(parts) == 1 else _together(parts)

    def row(self, index: int) -> str:
        return self._table.row(index)

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        taken = [self._parts[j] for j in labels]
        places = list(dict.fromkeys(j for parts in taken for j in parts))
        named, numbers = self._table.take(places, [self._parts[j][0] for j in scores])
        own = dict(zip(places, named, strict=True))
        joined = [own[parts[0]] if len(parts) == 1 else _together([own[j] for j in parts]) for parts in taken]
        return joined, numbers


def _together(columns: Sequence[Labels]) -> Labels:
    """Nothing where a part is empty: such a row has no name."""
    return [BETWEEN.join(parts) if all(parts) else "" for parts in zip(*columns, strict=True)]


def combined_names(names: Sequence[str], named: Mapping[str, str | None]) -> dict[str, list[int]]:
    """What ``named`` has that is no column, but columns separated by commas -> their places."""
    combined: dict[str, list[int]] = {}
    for role in ROLES:
        name = named.get(role)
        if not isinstance(name, str) or name.strip() in names or "," not in name:
            continue
        parts = [part.strip() for part in name.split(",")]
        if all(part in names for part in parts):
            combined[name.strip()] = [names.index(part) for part in parts]
    return combined


def with_combined(table: SourceTable, named: Mapping[str, str | None]) -> SourceTable:
    """The table with a column for each name in ``named`` that is several columns, which go unless they have a role."""
    combined = combined_names(table.names, named)
    if not combined:
        return table
    inside = {j for parts in combined.values() for j in parts}
    others = {x: [j] for j, x in enumerate(table.names) if x and (j not in inside or x in named.values())}
    return WithColumns(table, combined | others)


def without_rivals(table: SourceTable, left_out: Sequence[str]) -> SourceTable:
    """The table without columns in ``left_out`` that could be those of the scores, if another one could be it, too."""
    rivals = [table.names[j] for j in matching(table.names, "score")]
    if len(rivals) < 2 or not any(name in left_out for name in rivals):
        return table
    return WithColumns(table, {x: [j] for j, x in enumerate(table.names) if x and not (x in rivals and x in left_out)})
