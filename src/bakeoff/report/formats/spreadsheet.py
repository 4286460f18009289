"""A result as a spreadsheet: ``.csv``, and ``.xlsx`` where openpyxl is installed."""

import io
import itertools
import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from bakeoff.files import csv_line
from bakeoff.packages import optional
from bakeoff.report.data import Sheets

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def write_csv(sheets: Sheets, path: Path) -> None:
    """Comma-separated UTF-8, full precision; a name that a spreadsheet would take for a formula gets an apostrophe."""
    columns = sheets.main
    with path.open("w", encoding="utf-8", newline="", errors="replace") as file:
        file.write(csv_line(columns))
        file.writelines(csv_line(row) for row in zip(*columns.values(), strict=True))


def require_openpyxl() -> Any:
    """The package, or a refusal that says what to do."""
    return optional("openpyxl", "writing .xlsx needs the package openpyxl: pip install openpyxl (or write .csv)")


def write_xlsx(sheets: Sheets, path: Path) -> None:
    """Pairs and ranking, if there are any; the grids; the cautions. Each sheet is written row by row."""
    book = require_openpyxl().Workbook(write_only=True)
    if sheets.second:
        _fill(book.create_sheet("pairs"), [list(sheets.main)], zip(*sheets.main.values(), strict=True))
        _fill(book.create_sheet("ranking"), sheets.second)
    _add_grids(book, sheets)
    rows = [(c.code, c.object, c.text, c.reference) for c in sheets.cautions]
    _fill(book.create_sheet("cautions"), [("code", "object", "text", "reference")], rows)
    content = io.BytesIO()  # zipfile reports a full disk twice, the second time with a traceback
    book.save(content)
    path.write_bytes(content.getvalue())


def _fill(sheet: Any, *rows: Iterable[Iterable[Any]]) -> None:
    cell_of = _cells(sheet)
    for row in itertools.chain(*rows):
        sheet.append(
            [value if isinstance(value, int | float) and math.isfinite(value) else cell_of(value) for value in row]
        )


def _cells(sheet: Any) -> Callable[[Any], Any]:
    """The maker of the sheet's cells."""
    made = optional("openpyxl.cell").WriteOnlyCell

    def cell_of(value: Any) -> Any:
        text = isinstance(value, str)
        if text:
            value = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", value)
        cell = made(sheet, value if value is None or text or math.isfinite(value) else str(value))
        if text:
            cell.data_type = "s"  # a name such as "=A1" is text, never a formula
        return cell

    return cell_of


def _add_grids(book: Any, sheets: Sheets) -> None:
    """Numbers as numbers, shown with the digits of the printed table; names stay in sight."""
    bold = optional("openpyxl.styles").Font(bold=True)
    for grid in sheets.grids:
        sheet = book.create_sheet(grid.title)
        sheet.freeze_panes, cell_of = "B2", _cells(sheet)
        for i, row in enumerate(grid.rows):
            cells = [cell_of(entry.value) for entry in row]
            for cell, entry in zip(cells, row, strict=True):
                if entry.number_format:
                    cell.number_format = entry.number_format
                if entry.bold or i == 0:
                    cell.font = bold
            sheet.append(cells)
