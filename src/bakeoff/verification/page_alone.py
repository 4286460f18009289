"""A page of a kind that is not computed again, such as a study or a race: held against the JSON that it carries.

Its frame (policy, style sheet, script) must be the one that is written here, its body of the elements that reports
have, its headline and cautions those of its JSON. Whether its numbers are right is not known, nor said.
"""

import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bakeoff.errors import listing, plain
from bakeoff.report.document import Document
from bakeoff.report.formats import html
from bakeoff.verification.markup import Piece, pieces
from bakeoff.verification.page import NOTHING, differ, headline_differences, without_data
from bakeoff.verification.results import Difference

_ELEMENTS = re.compile(
    "html|head|meta|title|style|body|header|main|aside|section|script|p|h1|h2|ul|li|b|span|cite|div|table|caption|thead|"
    "tbody|tr|th|td|details|summary|pre|code|a|figure|svg|g|text|tspan|path|line|rect|circle|polygon|polyline|ellipse|desc"
)
_FRAME = ("<meta", "<script", "</script", "<body", "<html", "<!doctype")
_TAG = re.compile(r"</?([a-z0-9:-]+)")
_RUNS = re.compile(r" (on\w+|href|src|srcdoc|action)='(?!data:text/(?:csv|plain)|#)")
_PAINTS = re.compile(r" style='(?!max-width: \d+mm')")
_LABEL = r"#t\d+ td:nth-child\(\d+\)::before \{ content: '((?:[A-Za-z0-9]|\\[0-9a-f]+ )*)' \}"
_LABELS = re.compile(rf"@media screen \{{ @container \(max-width: \d+rem\) \{{ (?:{_LABEL} ?)* ?\}} \}}")


def alone_differences(page: list[Piece], headline: str, content: Mapping[str, Any]) -> tuple[list[Difference], int]:
    """Where the page is not what its JSON says, or has what no report has; and how many places were looked at."""
    frame = [piece for piece in pieces(_empty_page(page, headline)) if _is_frame(piece)]
    mine = [piece for piece in without_data(page) if _is_frame(piece)]
    differences = headline_differences(page, headline)
    theirs = without_data(frame)
    if [piece[:2] for piece in mine] != [piece[:2] for piece in theirs]:
        unlike = next((p for p, q in zip(mine, theirs, strict=False) if p[:2] != q[:2]), (mine or theirs)[-1])
        known = {piece.text for piece in theirs}
        differences.append(
            differ(unlike.where, unlike.text, "what this version writes" if unlike.text not in known else NOTHING)
        )
    differences += _foreign(page)
    words = " ".join(piece.text for piece in page if piece.kind == "text")
    cautions = [caution for caution in content.get("cautions", []) if isinstance(caution, dict)]
    for caution in cautions:
        text = plain(str(caution.get("text")))
        if " ".join(text.split()) not in " ".join(words.split()):
            differences.append(differ(f"the page: cautions, {plain(str(caution.get('code')))}", NOTHING, text))
    return differences, 1 + len(frame) + len(cautions)


def numbers_elsewhere(page: list[Piece], content: Mapping[str, Any]) -> str:
    """A note on numbers printed in tables that are no rounded ones of the JSON; they may be derived, or changed."""
    known = sorted({size * scale for size in _sizes(content) for scale in (1.0, 100.0)})
    names = set(_texts(content))
    numbers = [
        f"{numeral[0]} ({piece.where})"
        for piece in page
        if piece.kind == "text" and ", row " in piece.where and piece.text not in names
        for numeral in re.finditer(r"\d+(?:\.(\d+))?", piece.text)
        if not _is_among(known, float(numeral[0]), 0.5001 * 10.0 ** -len(numeral[1] or ""))
    ]
    if not numbers:
        return ""
    return f"Printed in tables, but not in the JSON: {listing(numbers, 3)}; derived from other numbers, or changed."


def _is_among(known: list[float], number: float, half: float) -> bool:
    at = bisect_left(known, number - half)
    return at < len(known) and known[at] <= number + half


def _sizes(value: object) -> Iterator[float]:
    """Every number, without its sign."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < sys.float_info.max:
        yield abs(float(value))
    for each in _members(value):
        yield from _sizes(each)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield plain(value)
    for each in _members(value):
        yield from _texts(each)


def _members(value: object) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _empty_page(page: list[Piece], headline: str) -> str:
    what = next((piece.text for piece in page if piece.where == "the page: header, title of the report"), "")
    return html.render(Document(title=what, verdict=headline, basis="", sections=(), on_screen=()), data="{}")


def _is_frame(piece: Piece) -> bool:
    """What every page has alike: its head, and what it ends with."""
    if piece.kind in ("raw", "data"):
        return not _LABELS.fullmatch(piece.text)
    return piece.kind == "tag" and piece.text.startswith(_FRAME)


def _foreign(page: list[Piece]) -> Iterator[Difference]:
    """Elements and attributes that no report has; words that style sheets would add to those of the page."""
    heads = {piece.text for piece in page if piece.kind == "text"} | {"–"}
    for piece in page:
        if piece.kind == "stray":
            yield differ(piece.where, piece.text, NOTHING)
        elif piece.kind == "tag" and (name := _TAG.match(piece.text)):
            if not _ELEMENTS.fullmatch(name[1]) or _RUNS.search(piece.text) or _PAINTS.search(piece.text):
                yield differ(piece.where, piece.text, NOTHING)
        elif piece.kind == "raw" and _LABELS.fullmatch(piece.text):
            for label in re.findall(_LABEL, piece.text):
                text = re.sub(r"\\([0-9a-f]+) ", lambda code: chr(int(code[1], 16)), label).strip()
                if text not in heads:
                    yield differ(piece.where, text, NOTHING)
