"""The formats of a report. A format is one file here and one line in ``FORMATS`` or ``TABLES``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from bakeoff.report.document import Document
from bakeoff.report.kinds import Kind
from bakeoff.report.sheets import Sheets


@dataclass(frozen=True)
class Report:
    """One result as the formats see it; each part is made when a format asks for it."""

    kind: Kind
    result: Any
    command: str | None = None

    @cached_property
    def document(self) -> Document:
        """What is said, in which order."""
        return self.kind.module().document(self.result, self.command)

    @cached_property
    def data(self) -> dict[str, Any]:
        """Plain numbers, strings and lists."""
        return self.kind.module().to_dict(self.result, self.command)

    @cached_property
    def sheets(self) -> Sheets:
        """Columns for a spreadsheet."""
        return self.kind.module().sheets(self.result)


def _html(report: Report) -> str:
    from bakeoff.report.formats import html

    return html.render(report.document)


def _markdown(report: Report) -> str:
    from bakeoff.report.formats import markdown

    return markdown.render(report.document)


def _latex(report: Report) -> str:
    from bakeoff.report.formats import latex

    return latex.render(report.document)


def _json(report: Report) -> str:
    from bakeoff.report.data import dump

    return dump(report.data, report.kind.ascii_json)


def _terminal(report: Report) -> str:
    from bakeoff.report.formats import terminal

    return terminal.render(report.document)


def _csv(report: Report, path: Path) -> None:
    from bakeoff.report.formats import spreadsheet

    spreadsheet.write_csv(report.sheets, path)


def _xlsx(report: Report, path: Path) -> None:
    from bakeoff.report.formats import spreadsheet

    spreadsheet.write_xlsx(report.sheets, path)


FORMATS: dict[str, Callable[[Report], str]] = {
    "html": _html,
    "md": _markdown,
    "tex": _latex,
    "json": _json,
    "txt": _terminal,
}
TABLES: dict[str, Callable[[Report, Path], None]] = {"csv": _csv, "xlsx": _xlsx}
PICTURES = ("svg", "png", "pdf")
