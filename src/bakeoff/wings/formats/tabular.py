"""Rows of a CSV file or data frame whose columns say which problem, algorithm and run a score is of."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bakeoff.checks import nearest_or_all
from bakeoff.errors import ParameterError, ReadingError
from bakeoff.reading.number_parsing import NotANumber, number_from
from bakeoff.wings.formats.measurement import Choices, part_name
from bakeoff.wings.formats.source_file import SourceFile

ABSENT = frozenset({"", "none", "null", "nan", "nat", "<na>"})
"""What a program writes where it has no value, in any case of letters."""


class TableRow(NamedTuple):
    """One row by column name."""

    values: Mapping[str, Any]
    origin: str
    number: int  # from 1, without the header

    @property
    def place(self) -> str:
        """As messages name it."""
        return f"{self.origin}, row {self.number}"

    def text(self, column: str) -> str:
        """As text, "" where there is none."""
        return cell_text(self.values.get(column))

    def name(self, columns: Sequence[str]) -> str:
        """One name of several columns."""
        return self.text(columns[0]) if len(columns) == 1 else part_name(*map(self.text, columns))

    def required(self, columns: Sequence[str], of: str) -> str:
        """The name of a problem or an algorithm, which no row may lack."""
        if name := self.name(columns):
            return name
        raise ReadingError(
            f"{self.place}: {' and '.join(columns)} {'is' if len(columns) == 1 else 'are'} empty, and with it the "
            f"{of}; name another column ({of}=), or leave such rows out of the file"
        )

    def score(self, column: str) -> float:
        """NaN where there is none."""
        value = self.values.get(column)
        if isinstance(value, str):
            value = value.strip().removeprefix("'")  # MLflow's page puts it before a minus sign, for spreadsheets
        if cell_text(value) == "":
            return float("nan")
        return number_at(value, f"{self.place}, column {column!r}")


def number_at(value: Any, place: str) -> float:
    """A number, or NaN for a missing one; what is neither ends in an error that names the place."""
    try:
        return number_from(value)
    except NotANumber as error:
        raise ReadingError(f"{place}: {error}") from None


def table_rows(file: SourceFile) -> Iterator[TableRow]:
    """The rows in their order, counted from 1 without the header."""
    origin = file.path or "the data frame"
    for number, record in enumerate(file.records(), 1):
        row = TableRow(record, origin, number)
        if None in record:  # as csv.DictReader keeps what has no header
            raise ReadingError(f"{row.place}: has more fields than the header")
        yield row


def cell_text(value: Any) -> str:
    """A value as a name: whole floats (an integer column with gaps) without '.0', "" where there is none."""
    if value is None:
        return ""
    if isinstance(value, float):
        return "" if value != value else str(int(value)) if value.is_integer() else str(value)
    word = str(value).strip()
    return "" if len(word) <= 4 and word.lower() in ABSENT else word


class ScoreColumns(NamedTuple):
    """The columns of one file that say what a score is of."""

    problem: Sequence[str]
    algorithm: Sequence[str]
    run: Sequence[str]
    cluster: Sequence[str]


def columns_of_scores(
    file: SourceFile, choices: Choices, defaults: Mapping[str, Sequence[str]], prefixes: Sequence[str] = ()
) -> ScoreColumns:
    """The columns that the user names, else the defaults."""
    return ScoreColumns(
        *(
            chosen_columns(file, name, getattr(choices, name), defaults.get(name, ()), prefixes)
            for name in ScoreColumns._fields
        )
    )


def chosen_columns(
    file: SourceFile, parameter: str, choice: str | None, default: Sequence[str] = (), prefixes: Sequence[str] = ()
) -> list[str]:
    """The columns that the user names, several joined by commas, with or without their prefix; else the default."""
    if choice is None:
        return list(default)
    whole = _column(file, choice, prefixes)
    if whole is not None:
        return [whole]
    columns = {part: _column(file, part.strip(), prefixes) for part in choice.split(",")}
    for part, column in columns.items():
        if column is None:
            raise ParameterError(
                f"must be a column, or several joined by commas; got {part!r}{nearest_or_all(part, file.columns)}",
                parameter=parameter,
            )
    return [column for column in columns.values() if column is not None]


def _column(file: SourceFile, name: str, prefixes: Sequence[str]) -> str | None:
    return next((full for prefix in ("", *prefixes) if (full := prefix + name) in file.columns), None)
