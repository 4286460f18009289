"""Large delimited files through polars, where it is installed; whatever is unusual is read by ``TextTable``.

A long table of 10^7 rows has few different names: polars gives them as codes, and correctly rounded numbers. The result
is that of ``TextTable``, cell for cell; where that is not certain there is none, and ``TextTable`` reads the file
again, with messages that name the line.
"""

import csv
import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from bakeoff.errors import BakeoffError, ReadingError
from bakeoff.packages import installed, optional
from bakeoff.reading.number_parsing import LARGEST_INTEGER, may_vanish
from bakeoff.reading.table import EMPTY, NO_HEADER, Coded, Labels, SourceTable, Wrapped
from bakeoff.reading.text import TextTable
from bakeoff.scores import Array

LARGE = 1 << 23
"""Bytes from which the import of polars is worth its time."""
_HEAD = 1 << 22  # bytes in which the header and the first rows are looked at
_MARKS = (b'"', b"\0")


class _Unusual(Exception):
    """Something that polars may read otherwise."""


def text_table(
    content: bytes, origin: str, prefer: str = "", decimal: str = "auto", no_header: bool = False
) -> SourceTable:
    """The table in a delimited file, large or not."""
    if len(content) >= LARGE and decimal != "," and not no_header:
        at = max(content.rfind(mark, 0, _HEAD) for mark in (b"\n", b"\r")) + 1
        try:
            head = TextTable(content[:at], origin, prefer, decimal)
        except BakeoffError as error:
            if EMPTY in str(error):
                rule = f"{NO_HEADER}: its first {_HEAD >> 20} MiB are one line, or empty lines and comments"
                raise ReadingError(f"{origin}: {rule}") from None
            if NO_HEADER in str(error):  # and nothing below can help
                raise
            head = None
        if head is not None and head.header_is_first_line and head.decimal == "." and installed("polars"):
            return LargeCsv(content, origin, prefer, head)
    return TextTable(content, origin, prefer, decimal, no_header)


class LargeCsv(Wrapped):
    """A large delimited file: its header read, the rest read once it is known which columns hold what."""

    def __init__(self, content: bytes, origin: str, prefer: str, head: TextTable) -> None:
        super().__init__(head)
        self._content = content
        self._prefer = prefer
        self._head = head
        self._plain: TextTable | None = None

    def row(self, index: int) -> str:
        return f"line {index + 2}" if self._plain is None else self._plain.row(index)

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        self._plain = TextTable(self._content, self.origin, self._prefer)
        return self._plain.take(labels, scores)

    def coded(self, labels: Sequence[int], score: int) -> tuple[list[Coded], Array] | None:
        """Some columns as codes, and one as numbers, (n_rows, 1); None if anything is unusual."""
        from concurrent.futures import ThreadPoolExecutor

        try:
            frame = self._frame(labels, score)
            with ThreadPoolExecutor(2) as pool:
                named = pool.map(_codes, [frame[str(column)] for column in labels])
                numbers, columns = _numbers(frame[str(score)]), list(named)
            if (numbers == 0).any() and may_vanish(self._content):
                return None
        except _Unusual:
            return None
        self._content = b""
        return columns, numbers[:, None]

    def _frame(self, labels: Sequence[int], score: int) -> Any:
        """Every column: a row that is too short has nothing in the last one, one that is too long is an error."""
        content, width = self._content, len(self.names)
        unused = [str(column) for column in range(width) if column not in (*labels, score)]
        if b"\r" in content or (unused and any(content.find(mark, len(self._head.header)) >= 0 for mark in _MARKS)):
            raise _Unusual
        try:
            if not content.isascii():
                content.decode("utf-8")
            polars = optional("polars")
            types = {str(column): polars.String for column in range(width)}
            types |= {str(column): polars.Categorical for column in labels} | {str(score): polars.Float64}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                frame = polars.read_csv(
                    content,
                    has_header=False,
                    skip_rows=1,
                    schema=types,
                    separator=self._head.delimiter,
                    quote_char=None,
                )
            long = [frame[column].str.len_bytes().max() or 0 for column in unused]
        except Exception as error:  # of any kind, by version of polars; the other reader says what is wrong
            raise _Unusual from error
        if frame.height == 0 or frame.width != width or frame[str(width - 1)].null_count():
            raise _Unusual
        if max(long, default=0) > csv.field_size_limit():
            raise _Unusual
        return frame


def _numbers(column: Any) -> Array:
    """Scores, NaN where there is none; beyond LARGEST_INTEGER, integers are to be checked as text."""
    numbers: Array = column.to_numpy(writable=True)
    most = max(float(numbers.max()), -float(numbers.min()))
    if math.isnan(most):
        missing = np.isnan(numbers)
        numbers[missing] = np.nan  # of one sign
        most = float(np.abs(numbers).max(where=~missing, initial=0.0))
    if not most < LARGEST_INTEGER:
        raise _Unusual
    return numbers


def _codes(column: Any) -> Coded:
    """polars' codes, which depend on threads and on what was read before, by first appearance."""
    if column.null_count():
        raise _Unusual
    different = column.unique(maintain_order=True)
    names: Labels = different.cast(optional("polars").String).to_list()
    if len(set(names)) < len(names) or any(map(_is_unusual, names)):
        raise _Unusual
    text_codes, codes = different.to_physical().to_numpy(), column.to_physical().to_numpy()
    if (text_codes == np.arange(len(text_codes))).all():
        return Coded(names, codes.astype(np.int64))
    places = np.zeros(int(text_codes.max()) + 1, dtype=np.int64)
    places[text_codes] = np.arange(len(text_codes))
    return Coded(names, places[codes])


def _is_unusual(name: str) -> bool:
    return not name or name != name.strip() or '"' in name or "\0" in name or len(name) > csv.field_size_limit()
