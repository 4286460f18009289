"""A sheet of an .xlsx workbook -> SourceTable, by openpyxl."""

import io
import re
import warnings
import zipfile
from itertools import islice
from typing import Any

from bakeoff.checks import did_you_mean
from bakeoff.errors import BakeoffError, ReadingError, UnknownNameError, listing
from bakeoff.packages import optional
from bakeoff.reading.columns import ColumnTable, list_column
from bakeoff.reading.recognition.written import has_decimal_commas
from bakeoff.reading.table import SourceTable, clean_names, refuse_headerless

MOST_UNPACKED = 256 << 20  # bytes of a workbook's parts
MOST_OF_A_TREE = 8 << 20  # bytes of a part that openpyxl reads as a whole, such as its styles
MOST_ROWS = 1 << 20  # Excel's own limit
MOST_CELLS = 20_000_000  # of a sheet: the longest row times the number of rows
_IN_PIECES = re.compile(
    r"xl/(worksheets|media|drawings|charts|embeddings|pivotCache|pivotTables)/|xl/sharedStrings\.xml$"
)
"""Parts that are read bit by bit, or not at all."""
_LOOKED_AT = 30  # rows, to see whether a sheet has scores
_WITH_COMMA = re.compile(r"\s*[+-]?(\d+,\d*|,\d+)([eE][+-]?\d+)?\s*")
_WITH_POINT = re.compile(r"\s*[+-]?(\d+\.\d*|\.\d+)([eE][+-]?\d+)?\s*")


def workbook_table(
    content: bytes, origin: str, sheet: str | None = None, decimal: str = "auto", no_header: bool = False
) -> SourceTable:
    """A sheet of an .xlsx workbook, the one named or the only one with scores; its first filled row is the header."""
    advice = "reading .xlsx needs the package openpyxl: pip install openpyxl (or save the sheet as CSV)"
    openpyxl = optional("openpyxl", advice)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
            trees = (entry for entry in archive.infolist() if not _IN_PIECES.match(entry.filename))
            of_part = max((entry.file_size for entry in trees), default=0)
        for size, most, what in ((unpacked, MOST_UNPACKED, "it"), (of_part, MOST_OF_A_TREE, "a part of it")):
            if size > most:
                raise ReadingError(
                    f"{origin} is a workbook: {what} has {size >> 20} MiB unpacked, and at most {most >> 20} are read; "
                    "save the sheet as CSV"
                )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # openpyxl's remarks on styles
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
            try:
                chosen = _chosen(book, origin, sheet)
                filled = _filled_rows(chosen, f"{origin}, sheet {chosen.title!r}")
            finally:
                book.close()
    except BakeoffError:
        raise
    except Exception as error:  # openpyxl raises anything on a damaged archive
        raise ReadingError(f"{origin}: cannot be read as an .xlsx workbook: {error}") from None
    filled = without_titles(filled)
    texts = (cell for _, row in filled[1:] for cell in row[1:] if isinstance(cell, str))
    if decimal == "," or (decimal == "auto" and has_decimal_commas(texts)):
        filled = _with_points(filled, origin)
    return _sheet_table(filled, origin, no_header)


def sheet_names(path: str) -> list[str]:
    """Those of a workbook that can be chosen; none where it cannot be read."""
    try:
        openpyxl = optional("openpyxl", "reading .xlsx needs the package openpyxl")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(path, read_only=True)
            try:
                return [sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible"]
            finally:
                book.close()
    except Exception:  # openpyxl raises anything on a damaged archive; the reader says what is wrong
        return []


def _filled_rows(sheet: Any, origin: str) -> list[tuple[int, list[Any]]]:
    """The rows that are not empty, with their numbers. The size that the sheet itself gives is not believed.

    Rows are counted and measured as they come: one cell in the last corner of a sheet would otherwise make a table of
    17 thousand million cells.
    """
    sheet.reset_dimensions()
    filled: list[tuple[int, list[Any]]] = []
    width = 0
    for i, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
        row = list(cells)
        while row and row[-1] in (None, ""):
            row.pop()
        if row:
            filled.append((i, row))
            width = max(width, len(row))
        if i > MOST_ROWS or width * len(filled) > MOST_CELLS:
            raise ReadingError(
                f"{origin}: it has at least {len(filled)} rows of up to {width} cells down to row {i}; a "
                f"sheet of at most {MOST_ROWS} rows and {MOST_CELLS} cells is read. Delete stray "
                "cells, or save it as CSV"
            )
    return filled


def without_titles(filled: list[tuple[int, list[Any]]]) -> list[tuple[int, list[Any]]]:
    """The rows from the first one on with more than one cell: what stands alone above a table is its title."""
    at = next((i for i, (_, row) in enumerate(filled) if sum(cell not in (None, "") for cell in row) > 1), 0)
    return filled[at:]


def _sheet_table(filled: list[tuple[int, list[Any]]], origin: str, no_header: bool) -> SourceTable:
    width = max((len(row) for _, row in filled), default=0)
    if no_header and filled:
        named = isinstance(filled[0][1][0], str) and not _is_number(filled[0][1][0])
        names: list[Any] = [*(["problem"] if named else []), *(f"A{j + 1}" for j in range(width - named))]
        filled = [(filled[0][0] - 1, names), *filled]
    if len(filled) < 2:
        raise ReadingError(f"{origin}: the sheet has no scores: a header and at least one row are needed")
    at = filled[0][0]
    rows = [row + [None] * (width - len(row)) for _, row in filled]
    if not no_header:
        refuse_headerless(origin, f"row {at}", clean_names(origin, rows[0]))
    columns = [list_column([row[j] for row in rows[1:]]) for j in range(width)]
    return ColumnTable(origin, rows[0], columns, [f"row {i}" for i, _ in filled[1:]])


def _chosen(book: Any, origin: str, name: str | None) -> Any:
    """The sheet called ``name``; else the first, if it is the only one that looks like a table of scores."""
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    if name is not None:
        if name in sheets:
            return sheets[name]
        hint = did_you_mean(name, sheets)
        raise UnknownNameError(
            f": {origin} has no sheet {name!r}{hint}; there are {listing(sheets, 10)}", parameter="sheet"
        )
    first = book.worksheets[0]
    shown = [sheet for sheet in book.worksheets if sheet is first or sheet.sheet_state == "visible"]
    with_scores = [sheet.title for sheet in shown if len(shown) > 1 and _looks_like_scores(sheet)]
    if not with_scores or with_scores == [first.title]:
        return first
    what = "the first has no scores" if first.title not in with_scores else f"{len(with_scores)} of them hold numbers"
    raise ReadingError(
        f"{origin} has {len(shown)} sheets ({listing(sheet.title for sheet in shown)}), and {what}. Choose one: "
        f"sheet={with_scores[0]!r}"
    )


def _looks_like_scores(sheet: Any) -> bool:
    """A header of two or more names, and a number below it that is not in the first column."""
    sheet.reset_dimensions()
    rows = islice(sheet.iter_rows(values_only=True), _LOOKED_AT)
    titled = without_titles([(0, list(row)) for row in rows if any(cell not in (None, "") for cell in row)])
    header, *below = [row for _, row in titled] or [[]]
    named = sum(isinstance(cell, str) and bool(cell.strip()) for cell in header)
    return named > 1 and any(_is_number(cell) for row in below for cell in row[1:])


def _is_number(cell: Any) -> bool:
    if isinstance(cell, str):
        return bool(_WITH_COMMA.fullmatch(cell) or _WITH_POINT.fullmatch(cell))
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _with_points(filled: list[tuple[int, list[Any]]], origin: str) -> list[tuple[int, list[Any]]]:
    """Numbers in text with decimal commas as with points; the header and the first column are names."""
    for i, row in filled[1:]:
        for j, cell in enumerate(row):
            if j and isinstance(cell, str) and _WITH_COMMA.fullmatch(cell):
                row[j] = cell.replace(",", ".")
            elif j and isinstance(cell, str) and _WITH_POINT.fullmatch(cell):
                raise ReadingError(
                    f"{origin}, row {i}, column {j + 1}: {cell!r} has a point, but decimal=',' says that the "
                    "decimal sign of text is a comma: 1,5"
                )
    return filled
