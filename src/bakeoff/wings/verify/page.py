"""A page (HTML) is verified by writing it again: it holds if its bytes are equal. What is here else only names places.

No markup of others is parsed: two readers of one file may read it differently.
"""

import difflib
import re
from collections.abc import Iterator
from typing import Any

from bakeoff.errors import ReportError
from bakeoff.report.appearance import Appearance
from bakeoff.report.data import embedded
from bakeoff.report.formats import Report, html
from bakeoff.report.kinds import kind_of
from bakeoff.reportable import Reportable
from bakeoff.wings.verify.parsing import NOTHING, parsed_report
from bakeoff.wings.verify.results import Difference

MOST_ALIGNED = 3000  # tags and texts of two pages of different lengths; beyond, the first one that differs is named
SHOWN, BEFORE = 80, 30  # characters of a text in a message, and how many of them before what differs

OF_DATA = "the page: its numbers (JSON)"
_DATA, _END = '<script type="application/json" id="bakeoff-data">', "</script>"
_PIECE = re.compile(r"<[^>]*>?|[^<]+")
_CALLED = {"h1": "verdict", "p": "paragraph", "svg": "drawing", "meta": "policy or description", "style": "style sheet"}


def is_page(content: bytes) -> bool:
    """Does a file begin as HTML does?"""
    head = content[:4096].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return head.startswith((b"<!doctype html", b"<html"))


def embedded_report(content: bytes, origin: str) -> tuple[dict[str, Any], str]:
    """The JSON that a page carries, and the page, its lines ended alike."""
    try:
        page = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ReportError(f"{origin}: not UTF-8 (byte 0x{content[error.start]:02X})") from None
    _, mark, rest = page.partition(_DATA)
    if not mark:
        raise ReportError(
            f"{origin} is a page (HTML) without its numbers. Verify the JSON written with it "
            "(--report FILE.json), or write one from the scores (bakeoff compare SCORES --report FILE.json) and "
            "compare its headline"
        )
    return parsed_report(rest.partition(_END)[0].encode(), f"{origin} (its numbers)"), page


class PageWritten:
    """The page of a result: written again with the looks that the page has, and ``data`` in it."""

    def __init__(self, result: Reportable, command: str | None, look: Appearance, data: dict[str, Any]) -> None:
        report = Report(kind_of(result), result, command, look)
        self.headline = report.document.verdict
        self.text = html.render(report.document, look, embedded(data, report.kind.ascii_json))

    def differences(self, page: str) -> list[Difference]:
        """None if the page is this one, byte by byte; else what differs first, or all if that is easily told."""
        if page == self.text:
            return []
        return list(_named(_PIECE.findall(page), _PIECE.findall(self.text))) or [differ("the page", page, self.text)]


def _named(stated: list[str], written: list[str]) -> Iterator[Difference]:
    """By their places in the page that was written here."""
    where = list(_places(written))
    start, ends = 0, (len(stated), len(written))
    while start < min(ends) and stated[start] == written[start]:
        start += 1
    while start < min(ends) and stated[ends[0] - 1] == written[ends[1] - 1]:
        ends = ends[0] - 1, ends[1] - 1
    mine, theirs = stated[start : ends[0]], written[start : ends[1]]
    if len(mine) == len(theirs):
        blocks = [(i, i + 1, i, i + 1) for i, (one, other) in enumerate(zip(mine, theirs, strict=True)) if one != other]
    elif len(mine) + len(theirs) > MOST_ALIGNED:
        blocks = [(0, len(mine), 0, len(theirs))]
    else:
        matcher = difflib.SequenceMatcher(None, mine, theirs, autojunk=False)
        blocks = [tuple(block) for how, *block in matcher.get_opcodes() if how != "equal"]  # type: ignore[misc]
    for i, i_end, j, j_end in blocks:
        yield differ(where[min(start + j, len(where) - 1)], "".join(mine[i:i_end]), "".join(theirs[j:j_end]))


def _places(written: list[str]) -> Iterator[str]:
    """The place of each tag and text: its section, and its row and column in a table, or what it is."""
    section, what, in_body = "head", "", False
    row = column = 0
    for piece in written:
        if piece.startswith("<") and not piece.startswith("</"):
            name, _, rest = piece[1:].rstrip(">").partition(" ")
            if name in ("header", "main", "section"):
                section = rest.removeprefix('id="').partition('"')[0] or name
            row, column = (row + 1, 0) if name == "tr" else (row, column + (name in ("td", "th")))
            row, in_body = (0, True) if name == "tbody" else (row, in_body and name != "table")
            is_cell = in_body and name in ("td", "th")
            what = f"row {row}, column {column}" if is_cell else _CALLED.get(name, name)
            what = "title of the report" if 'class="what"' in rest else what
        yield OF_DATA if piece == _DATA or what == _DATA else f"the page: {section}, {what}"
        what = _DATA if piece == _DATA else what


def differ(where: str, stated: str, written: str) -> Difference:
    """Both shortened to where they differ."""
    pairs = enumerate(zip(stated, written, strict=False))
    at = max(next((i for i, (one, other) in pairs if one != other), min(len(stated), len(written))) - BEFORE, 0)
    mine, other = (_short(text, at) for text in (stated, written))
    return Difference(where=where, said=mine, found=other, source="in the page written again")


def _short(text: str, at: int) -> str:
    if not text:
        return NOTHING
    at = at if len(text) > SHOWN else 0
    return f"{'…' if at else ''}{text[at : at + SHOWN]!r}{'…' if len(text) > at + SHOWN else ''}"
