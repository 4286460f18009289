"""Typed columns (data frames, records, dicts of columns, structured arrays, spreadsheets) -> SourceTable.

The only file that knows data frames; narwhals is imported only when one comes in.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.errors import MissingPackageError, ReadingError, ScoreError, WrongTypeError, first_line, listing
from bakeoff.reading.number_parsing import MISSING, NotANumber, has_spread, is_name, number_from
from bakeoff.reading.table import MOST_LOOKED_AT, CellError, Labels, clean_names, matching, place
from bakeoff.reading.wrapped_columns import BETWEEN
from bakeoff.scores import Array, as_floats
from bakeoff.scores.cells import is_masked, label_text
from bakeoff.scores.read_as import ColumnRole
from bakeoff.words import is_called

MOST_FOR_NAMES = 50
"""Cells of a column of text that are looked at to see whether they are names."""
Values = list[Any] | npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """One column: whether it holds text, and how to get at its values when they are needed."""

    text: bool
    fetch: Callable[[], Values]


class ColumnTable:
    """Columns of typed values; rows are counted from 1 in messages."""

    def __init__(
        self,
        origin: str,
        names: Sequence[object],
        columns: Sequence[SourceColumn],
        rows: Sequence[str] = (),
        word: str = "row",
    ) -> None:
        self.origin = origin
        self.names = clean_names(origin, names)
        if not self.names:
            raise ReadingError(f"{origin}: there are no columns")
        self._columns = columns
        self._rows = rows  # where each row stands, if not simply in its turn
        self._word = word
        self.spreads = 0  # cells with a mean and its spread, of which the mean is read
        self.left_out: list[ColumnRole] = []  # columns that are not among the names
        self.unnamed_index = False  # the first column is an index without a name, called problem by default

    def is_text(self, column: int) -> bool:
        return self._columns[column].text

    def holds_names(self, column: int) -> bool:
        return self.is_text(column) and any(map(is_name, self.texts(column)[:MOST_FOR_NAMES]))

    def texts(self, column: int) -> Labels:
        return _labels(self.values(column)[:MOST_LOOKED_AT])

    def values(self, column: int) -> Values:
        """A column as it came."""
        return self._columns[column].fetch()

    def row(self, index: int) -> str:
        return self._rows[index] if self._rows else f"{self._word} {index + 1}"

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        named = [_labels(self.values(j)) for j in labels]
        numbers = [self._numbers(j) for j in scores]
        rows = len(numbers[0]) if numbers else len(named[0])
        if not rows:
            raise ReadingError(f"{self.origin}: there are columns but no rows")
        return named, np.column_stack(numbers) if numbers else np.empty((rows, 0))

    def _numbers(self, column: int) -> Array:
        values = self.values(column)
        try:
            if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
                return as_floats(values)
        except ScoreError:  # an integer too long: the loop below names its place
            pass
        numbers = np.empty(len(values))
        for i, value in enumerate(values):
            try:
                numbers[i] = number_from(value)
                self.spreads += isinstance(value, str) and has_spread(value)
            except NotANumber as error:
                raise CellError(f"{place(self, i, column)}: {error}") from None
        return numbers


def frame_table(frame: Any, origin: str = "the data frame") -> ColumnTable:
    """Any data frame that narwhals knows; pandas' index becomes columns where it means something."""
    if type(frame).__module__.split(".")[0] == "pandas" and hasattr(frame, "to_frame"):
        frame = _frame_of(frame)
    left_out: list[ColumnRole] = []
    labels, named = 0, any(name is not None for name in getattr(getattr(frame, "index", None), "names", ()))
    if type(frame).__module__.split(".")[0] == "pandas" and hasattr(frame, "columns"):
        frame, left_out = _without_spreads(frame)
        frame, labels = _with_index(frame, origin)
    try:
        import narwhals as nw
    except ImportError:
        raise MissingPackageError("reading a data frame needs the package narwhals: pip install narwhals") from None
    try:
        native = nw.from_native(frame)
    except TypeError:
        raise WrongTypeError(
            "must be a path, '-', an open file, an array, a data frame, a list of records or a dict of columns; "
            f"got {type(frame).__name__}",
            parameter="source",
        ) from None
    except Exception as error:  # of its names: two are equal, or one is not UTF-8
        raise ReadingError(f"{origin}: the columns cannot be read: {first_line(error)}") from None
    table = native.collect() if isinstance(native, nw.LazyFrame) else native
    columns = [_series_column(table[name], j < labels, origin) for j, name in enumerate(table.columns)]
    read_table = ColumnTable(origin, table.columns, columns)
    read_table.unnamed_index = labels == 1 and not named
    read_table.left_out = left_out
    return read_table


_RECORDS = 'give a list of records, one per score: [{"problem": "p1", "algorithm": "new", "score": 1.5}, …]'


def records_table(origin: str, records: Sequence[Mapping[Any, Any]], rows: Sequence[str] = ()) -> ColumnTable:
    """A list of dicts; a key that a record lacks is a missing value."""
    names: dict[Any, None] = {}
    if any(
        isinstance(value, Mapping) for record in records[:1] if isinstance(record, Mapping) for value in record.values()
    ):
        records = [_flat(record) for record in records]
    for i, record in enumerate(records):
        if not isinstance(record, Mapping):
            where = rows[i] if rows else f"record {i + 1}"
            raise ReadingError(f"{origin}, {where}: expected a record, got {type(record).__name__}; {_RECORDS}")
        names.update(dict.fromkeys(record))
    if not names:
        raise ReadingError(f"{origin}: there are no records with scores")
    columns = [list_column([record.get(name) for record in records]) for name in names]
    return ColumnTable(origin, list(names), columns, rows, "record")


def _flat(record: Any) -> Any:
    """``{"metrics": {"acc": 0.9}}`` has the column ``metrics.acc``."""
    if not isinstance(record, Mapping):
        return record
    deep = {name: value for name, value in record.items() if isinstance(value, Mapping)}
    inner = {f"{name}.{key}": x for name, value in deep.items() for key, x in value.items()}
    return {name: value for name, value in record.items() if name not in deep} | inner


def dict_table(origin: str, mapping: Mapping[Any, Any]) -> ColumnTable:
    """A dict of columns of one length."""
    lists: list[Values] = []
    for name, values in mapping.items():
        if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__iter__"):
            raise ReadingError(
                f"{origin}: column {name!r} must be a sequence of values, got {type(values).__name__}; "
                f"give {{column: [values]}}, or {_RECORDS.removeprefix('give ')}"
            )
        if isinstance(values, list) and values and isinstance(values[0], Mapping):
            keys = listing(map(str, values[0]), 6)
            raise ReadingError(f"{origin}: {name!r} holds records of {keys}, not scores; {_RECORDS}")
        lists.append(values if isinstance(values, np.ndarray) and values.ndim == 1 else list(values))
    lengths = {str(name): len(values) for name, values in zip(mapping, lists, strict=True)}
    if len(set(lengths.values())) > 1:
        raise ReadingError(f"{origin}: columns must have the same length; got {lengths}")
    return ColumnTable(origin, list(mapping), [list_column(values) for values in lists])


def structured_table(array: npt.NDArray[Any]) -> ColumnTable:
    """A one-dimensional NumPy array with named fields."""
    names = array.dtype.names or ()
    if array.ndim != 1:
        raise ReadingError(f"the array: a structured array must have one dimension, got shape {array.shape}")
    nested = next((name for name in names if array.dtype[name].shape), None)
    if nested is not None:
        raise ReadingError(f"the array: field {nested!r} has several values per row; give it one")
    masked = is_masked(array)
    columns = [list_column(array[name].tolist() if masked else np.asarray(array[name])) for name in names]
    return ColumnTable("the array", names, columns)


def list_column(values: Values) -> SourceColumn:
    """A column that is already in memory."""
    looked_at = values if isinstance(values, list) or values.dtype.kind in "USO" else []
    return SourceColumn(_has_text(looked_at), lambda: values)


def _frame_of(series: Any) -> Any:
    """pandas' Series as one column of scores; the levels of its index name the problem, the algorithm and the run."""
    levels = list(getattr(series.index, "names", ()))
    if len(levels) < 2 or None in levels:
        names = ["problem", "algorithm", "run"][: len(levels)]
        advice = f"name them: series.rename_axis({names})" if len(levels) in (2, 3) else "give a data frame"
        rule = f"is a Series, whose scores are told apart by the names of the levels of its index; {advice}"
        raise WrongTypeError(rule, parameter="source")
    return series.to_frame("score" if series.name is None else series.name)


def _without_spreads(frame: Any) -> tuple[Any, list[ColumnRole]]:
    """Keep the columns of the mean, where one of several levels says statistics (``agg(["mean", "std"])``)."""
    columns = list(frame.columns)
    for level in range(frame.columns.nlevels if frame.columns.nlevels > 1 else 0):
        words = {str(name[level]) for name in columns} - {""}
        centres = words & {"mean", "median"}
        if len(centres) != 1 or len(words) == 1 or not all(is_called(word, "statistic") for word in words):
            continue
        [centre] = centres
        kept = [name for name in columns if name[level] in ("", centre)]
        names = [_joined(name[:level] + name[level + 1 :]) for name in kept]
        others = [(_joined(name), name[level]) for name in columns if name not in kept]
        left = [ColumnRole(name, "statistic", f"the {word} beside the {centre}") for name, word in others]
        return frame[kept].set_axis(names, axis=1), left
    return frame, []


def _with_index(frame: Any, origin: str) -> tuple[Any, int]:
    """pandas' index as leading columns, and how many: it names rows if it has a name or is text, else numbers them."""
    columns = clean_names(origin, list(map(_joined, frame.columns)))
    frame = frame.set_axis(list(columns), axis=1)
    names = [str(name).strip() for name in frame.index.names if name is not None]
    keep = [i for i, name in enumerate(frame.index.names) if name is not None and str(name).strip() not in columns]
    if keep:
        return frame.reset_index(level=keep), len(keep)
    if not names and frame.index.nlevels > 1 and not matching(columns, "algorithm"):
        frame = frame.set_axis(list(map(_joined, frame.index)), axis=0)
    if not names and _has_text(frame.index):
        return frame.reset_index(names="" if "problem" in columns else "problem"), 1
    return frame, 0


def _joined(name: Any) -> Any:
    """The parts of a name of several levels, such as (data set, fold)."""
    return BETWEEN.join(filter(None, map(label_text, name))) if isinstance(name, tuple) else name


def _series_column(series: Any, is_label: bool, origin: str) -> SourceColumn:
    """A narwhals series; numbers come as an array where nothing is lost."""
    dtype = series.dtype
    plain = dtype.is_float() or (dtype.is_integer() and not series.null_count())
    text = is_label or str(dtype).split("(")[0] in ("String", "Categorical", "Enum")
    if not text and str(dtype) == "Object":
        text = _has_text(series.to_list())
    return SourceColumn(text, series.to_numpy if plain else lambda: column_values(series, origin))


def column_values(series: Any, origin: str, above: int = 0) -> list[Any]:
    """The values of a narwhals series, ``above`` rows of which are left out: an engine may find a fault only here."""
    try:
        return list(series.to_list())
    except Exception as error:  # each engine has its own
        if half := len(series) // 2:  # the first row that fails, by halves
            return column_values(series[:half], origin, above) + column_values(series[half:], origin, above + half)
        what = f"column {series.name!r}, row {above + 1},"
        if isinstance(error, UnicodeDecodeError):
            raise ReadingError(f"{origin}: the text of {what} is not UTF-8") from None
        raise ReadingError(f"{origin}: {what} cannot be read: {first_line(error)}") from None


def _labels(values: Values) -> Labels:
    return list(map(label_text, values.tolist() if isinstance(values, np.ndarray) else values))


def _has_text(values: Any) -> bool:
    """Strings are text, even "1": the names in a column of identifiers. Marks of missing scores are not."""
    return any(
        isinstance(value, bytes) or (isinstance(value, str) and value.strip().lower() not in MISSING)
        for value in values
    )
