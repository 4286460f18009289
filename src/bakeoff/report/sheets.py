"""A result as columns and cells, for data frames and spreadsheets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff.errors import Caution


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheets:
    """A result as columns, for data frames and spreadsheets; ``second`` are the rows of another sheet, head first."""

    main: dict[str, list[Any]]
    second: list[tuple[Any, ...]]
    cautions: Sequence[Caution]
    grids: tuple["Grid", ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell of a spreadsheet: the number itself, and how it is shown."""

    value: float | str | None
    number_format: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A sheet of a workbook, cell by cell; the first row and the first column are headings."""

    title: str
    rows: Sequence[Sequence[Entry]]
