"""A result as a spreadsheet: ``.csv``, and ``.xlsx`` where openpyxl is installed."""

import io
import math
import re
from pathlib import Path
from typing import Any

from bakeoff.files import csv_line
from bakeoff.packages import optional
from bakeoff.report.sheets import Sheets

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
    """Pairs and ranking, if there are any; the grids; the cautions."""
    book = require_openpyxl().Workbook()
    book.remove(book.active)
    if sheets.second:
        _fill(book.create_sheet(), "pairs", [list(sheets.main), *zip(*sheets.main.values(), strict=True)])
        _fill(book.create_sheet(), "ranking", sheets.second)
    _add_grids(book, sheets)
    rows = [(c.code, c.text, c.reference) for c in sheets.cautions]
    _fill(book.create_sheet(), "cautions", [("code", "text", "reference"), *rows])
    content = io.BytesIO()  # zipfile reports a full disk twice, the second time with a traceback
    book.save(content)
    path.write_bytes(content.getvalue())


def _fill(sheet: Any, title: str, rows: list[Any]) -> None:
    sheet.title = title
    for i, row in enumerate(rows, start=1):
        for j, value in enumerate(row, start=1):
            _put(sheet.cell(row=i, column=j), value)


def _put(cell: Any, value: Any) -> None:
    if isinstance(value, str):
        cell.value = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", value)
        cell.data_type = "s"  # a name such as "=A1" is text, never a formula
    elif value is not None:
        cell.value = value if math.isfinite(value) else str(value)


def _add_grids(book: Any, sheets: Sheets) -> None:
    """Numbers as numbers, shown with the digits of the printed table; names stay in sight."""
    bold = optional("openpyxl.styles").Font(bold=True)
    for grid in sheets.grids:
        sheet = book.create_sheet(grid.title)
        sheet.freeze_panes = "B2"
        for i, row in enumerate(grid.rows, start=1):
            for j, entry in enumerate(row, start=1):
                cell = sheet.cell(row=i, column=j)
                _put(cell, entry.value)
                if entry.number_format:
                    cell.number_format = entry.number_format
                if entry.bold or i == 1:
                    cell.font = bold
