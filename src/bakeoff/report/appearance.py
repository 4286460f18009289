"""Choices about looks for whoever asks for a report: title, width, an algorithm to emphasise."""

from collections.abc import Iterable, Mapping
from typing import Any

from bakeoff.checks import did_you_mean, number
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ParameterError, UnknownNameError, listing, plain
from bakeoff.report.document import Document, Section, Table

KEYS = ("highlight", "width", "width-mm", "caption", "script")
NARROWEST, WIDEST = 40, 1000
NARROWEST_MM, WIDEST_MM = 60, 2000
NAMES = ("a", "b", "algorithm", "name")  # columns of names


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """``width`` of text, in characters; ``width_mm`` of the figures; ``highlight`` names an algorithm; ``caption``:
    inside the pictures.

    ``script``: in HTML, to check its numbers.
    """

    title: str | None = None
    width: int | None = None
    width_mm: float | None = None
    highlight: str | None = None
    caption: bool = True
    script: bool = True

    @classmethod
    def of(cls, title: str | None, settings: Mapping[str, object]) -> "Appearance":
        """From the keys of ``--look``, whose values are text or as TOML has them."""
        for key in settings:
            if key not in KEYS:
                near = did_you_mean(key, KEYS) or "."
                raise ParameterError(f"has no key {key!r}{near} The keys are {', '.join(KEYS)}", parameter="look")
        width, width_mm, highlight = (settings.get(key) for key in ("width", "width-mm", "highlight"))
        if highlight is not None and (not isinstance(highlight, str) or not highlight):
            raise ParameterError(f"highlight must be the name of an algorithm; got {highlight!r}", parameter="look")
        return cls(
            title=title,
            width=None if width is None else int(_number("width", width, NARROWEST, WIDEST)),
            width_mm=None if width_mm is None else _number("width-mm", width_mm, NARROWEST_MM, WIDEST_MM),
            highlight=highlight,
            caption=_switch("caption", settings.get("caption", True)),
            script=_switch("script", settings.get("script", True)),
        )

    @property
    def words(self) -> tuple[str, ...]:
        """The keys and values that ask for it, without the title."""
        named = [] if self.highlight is None else [f"highlight={self.highlight}"]
        widths = {"width": self.width, "width-mm": self.width_mm}
        sized = [f"{key}={repr(width).removesuffix('.0')}" for key, width in widths.items() if width is not None]
        off = [f"{key}=no" for key, on in (("caption", self.caption), ("script", self.script)) if not on]
        return (*named, *sized, *off)

    def check(self, result: Any) -> None:
        """Before the work of writing: the algorithm must be one of the result's."""
        names = _algorithms(result)
        if self.highlight is not None and self.highlight not in names:
            hint = did_you_mean(self.highlight, names)
            there = f"; there are {listing(names, 10)}" if names else "; this result has no algorithms by name"
            rule = f"highlight={self.highlight}: no algorithm has this name{hint}{there}"
            raise UnknownNameError(rule, parameter="look")

    def on(self, document: Document) -> Document:
        """The document with this title, and the name of the highlighted algorithm in bold in every table."""
        titled = document if self.title is None else replace(document, title=plain(self.title))
        if self.highlight is None:
            return titled
        shown = plain(self.highlight)
        return replace(titled, sections=tuple(_with_bold(section, shown) for section in titled.sections))


def _number(key: str, value: object, least: int, most: int) -> float:
    try:
        typed = float(value) if isinstance(value, str) else value
        return number(key, typed, least=least, most=most)
    except ValueError:  # a ParameterError is one
        raise ParameterError(
            f"{key} must be a number from {least} to {most}; got {value!r}", parameter="look"
        ) from None


def _switch(key: str, value: object) -> bool:
    if not isinstance(value, bool) and value not in ("yes", "no"):
        raise ParameterError(f"{key} must be yes or no; got {value!r}", parameter="look")
    return value in (True, "yes")


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
