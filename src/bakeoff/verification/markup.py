"""The markup of a page as pieces that can be compared: its tags, its texts, its styles and scripts, in order.

Only what a browser would read otherwise makes two pages different: the order of attributes, the kind of quotation
marks, entities and white space between blocks do not. What no report has (comments, tags that are not well-formed)
becomes a piece of its own, so that a page with it equals none without.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

DATA = "bakeoff-data"
"""The id of the element that holds the report as JSON."""

_TAG = re.compile(
    r"<(/?)([A-Za-z][A-Za-z0-9:-]*+)"
    r"((?:\s++[^\s\"'<>/=]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'=<>`]++))?+)*+)\s*+(/?)>"
)
_ATTRIBUTE = re.compile(r"([^\s\"'<>/=]++)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'=<>`]++)))?+")
_DOCTYPE = re.compile(r"<!doctype\s+html\s*>", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\n\r\f]+")
_RAW = ("script", "style")
_VOID = ("meta", "br", "hr", "img", "link", "input")
_INLINE = ("a", "b", "span", "cite", "code", "i", "em", "strong", "sub", "sup", "text", "tspan")
_CALLED = {
    "h1": "verdict",
    "h2": "heading",
    "p": "paragraph",
    "li": "list",
    "b": "list",
    "span": "list",
    "cite": "list",
    "a": "attached file",
    "svg": "drawing",
    "text": "drawing",
    "meta": "policy or description",
    "style": "style sheet",
}


class Piece(NamedTuple):
    """``kind``: "tag", "text", "raw" (a script or style sheet), "data" (the JSON), or "stray", which no report has."""

    kind: str
    text: str
    where: str


def pieces(page: str) -> list[Piece]:
    """All of a page, in its order."""
    return [piece for piece in _Reader(page).read() if piece.text or piece.kind == "data"]


class _Reader:
    """Where it stands: the section, and in a table the row and the column."""

    def __init__(self, page: str) -> None:
        self.page = page.removeprefix("\ufeff").replace("\r\n", "\n")  # as browsers read it
        self.section = "head"
        self.what = ""
        self.row = self.column = 0
        self.in_body_of_table = self.verbatim = False

    def read(self) -> Iterator[Piece]:
        at, inline = 0, False
        while at < len(self.page):
            if self.page[at] != "<":
                end = self.page.find("<", at)
                end = len(self.page) if end < 0 else end
                yield self._piece("text", self._text(self.page[at:end], inline, _is_inline(self.page, end)))
                at = end
                continue
            match = _TAG.match(self.page, at)
            if match is None:
                kind, end = self._stray(at)
                yield self._piece(
                    kind, _SPACE.sub(" ", self.page[at:end]).lower() if kind == "tag" else self.page[at:end]
                )
                at, inline = end, False
                continue
            closing, name = match[1], match[2].lower()
            attributes = _attributes(match[3])
            self._enter(name, bool(closing), dict(attributes))
            yield self._piece("tag", _written(closing, name, attributes, match[4]))
            at, inline = match.end(), name in _INLINE
            if name in _RAW and not closing:
                ending = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(self.page, at)
                end = ending.start() if ending else len(self.page)
                is_data = name == "script" and dict(attributes).get("id") == DATA
                yield self._piece("data" if is_data else "raw", self.page[at:end])
                at = end

    def _stray(self, at: int) -> tuple[str, int]:
        """What begins here and is no tag: the document type, or what ends with the next bracket."""
        if kind := _DOCTYPE.match(self.page, at):
            return "tag", kind.end()
        end = self.page.find("-->" if self.page.startswith("<!--", at) else ">", at)
        return "stray", len(self.page) if end < 0 else self.page.index(">", end) + 1

    def _text(self, text: str, after_inline: bool, before_inline: bool) -> str:
        if self.verbatim:
            return html.unescape(text)
        text = _SPACE.sub(" ", text)
        text = text if after_inline else text.lstrip(" ")
        return html.unescape(text if before_inline else text.rstrip(" "))

    def _enter(self, name: str, closing: bool, attributes: dict[str, str]) -> None:
        if closing:
            self.in_body_of_table &= name != "tbody"
            self.verbatim &= name != "pre"
            return
        if name in ("header", "section", "main"):
            self.section, self.row = attributes.get("id", name), 0
        if name == "tr":
            self.row, self.column = self.row + 1, 0
        if name in ("td", "th"):
            self.column += 1
        self.in_body_of_table |= name == "tbody"
        self.row = 0 if name == "tbody" else self.row
        self.verbatim |= name == "pre"
        in_cell = name in ("td", "th") and self.in_body_of_table
        called = "title of the report" if attributes.get("class") == "what" else _CALLED.get(name, name)
        self.what = f"row {self.row}, column {self.column}" if in_cell else called

    def _piece(self, kind: str, text: str) -> Piece:
        return Piece(kind, text, f"the page: {self.section}, {self.what}" if self.what else "the page: head")


def _is_inline(page: str, at: int) -> bool:
    match = _TAG.match(page, at)
    return match is not None and match[2].lower() in _INLINE


def _attributes(text: str) -> list[tuple[str, str]]:
    pairs = [(m[1].lower(), html.unescape(m[2] or m[3] or m[4] or "")) for m in _ATTRIBUTE.finditer(text)]
    return sorted(pairs) if len({name for name, _ in pairs}) == len(pairs) else pairs  # of two, a browser takes one


def _written(closing: str, name: str, attributes: list[tuple[str, str]], slash: str) -> str:
    inner = "".join(f" {key}={value!r}" for key, value in attributes)
    return f"<{closing}{name}{inner}{'' if name in _VOID else slash}>"
