"""What the one who asks for a report may choose of its looks: title, width, an algorithm to emphasise."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bakeoff.checks import did_you_mean
from bakeoff.errors import UnknownNameError, listing, plain
from bakeoff.report.document import Document, Section, Table

NAMES = ("a", "b", "algorithm", "name")  # columns of names


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """``width_mm`` of the figures; ``highlight`` names an algorithm; ``caption``: inside the pictures.

    ``script``: in HTML, to check its numbers. ``nouns``: what algorithms and problems are called.
    """

    title: str | None = None
    width_mm: float | None = None
    highlight: str | None = None
    caption: bool = True
    script: bool = True
    nouns: Mapping[str, str] = field(default_factory=dict)

    def check(self, result: Any) -> None:
        """Before the work of writing: the algorithm must be one of the result's."""
        names = _algorithms(result)
        if self.highlight is not None and self.highlight not in names:
            hint = did_you_mean(self.highlight, names)
            there = f"; there are {listing(names, 10)}" if names else "; this result has no algorithms by name"
            raise UnknownNameError(f": no algorithm is called {self.highlight!r}{hint}{there}", parameter="highlight")

    def on(self, document: Document) -> Document:
        """The document with this title, and the name of the highlighted algorithm in bold in every table."""
        titled = document if self.title is None else replace(document, title=plain(self.title))
        if self.highlight is None:
            return titled
        shown = plain(self.highlight)
        return replace(titled, sections=tuple(_with_bold(section, shown) for section in titled.sections))


def _with_bold(section: Section, name: str) -> Section:
    blocks = tuple(_bold_names(block, name) if isinstance(block, Table) else block for block in section.blocks)
    return replace(section, blocks=blocks)


def _bold_names(table: Table, name: str) -> Table:
    columns = [i for i, column in enumerate(table.columns) if column.key in NAMES]
    rows = [replace(row, bold=row.bold | {i for i in columns if row.cells[i] == name}) for row in table.rows]
    return replace(table, rows=rows)


def _algorithms(result: Any) -> list[str]:
    scores = getattr(result, "scores", None)
    names: Iterable[str] = getattr(result, "algorithms", ()) if scores is None else scores.algorithms
    return list(names)


APPEARANCE = Appearance()
"""As it is if nothing is asked for."""
