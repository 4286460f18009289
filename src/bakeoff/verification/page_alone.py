"""A page of a kind that is not computed again, such as a study or a race: held against the JSON that it carries.

Its frame (policy, style sheet, script) must be the one that is written here, its body of the elements that reports
have, its headline and cautions those of its JSON. Whether its numbers are right is not known, nor said.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bakeoff.errors import plain
from bakeoff.report.document import Document
from bakeoff.report.formats import html
from bakeoff.verification.markup import Piece, pieces
from bakeoff.verification.page import NOTHING, differ, headline_differences, without_data
from bakeoff.verification.results import Difference

_ELEMENTS = (
    "html head meta title style body header main aside section script p h1 h2 ul li b span cite div table caption thead "
    "tbody tr th td details summary pre code a figure svg g text tspan path line rect circle polygon polyline ellipse "
    "title desc defs clippath br"
).split()
_TAG = re.compile(r"</?([a-z0-9:-]+)")
_RUNS = re.compile(r" (on\w+|href|src|srcdoc|action)='(?!data:text/(?:csv|plain)|#)")
_PAINTS = re.compile(r" style='(?!max-width: \d+mm')")
_LABEL = r"#t\d+ td:nth-child\(\d+\)::before \{ content: '((?:[A-Za-z0-9]|\\[0-9a-f]+ )*)' \}"
_LABELS = re.compile(rf"@media screen and \(max-width: \d+rem\) \{{ (?:{_LABEL} ?)* ?\}}")


def alone_differences(
    page: list[Piece], headline: str, content: Mapping[str, Any]
) -> tuple[list[Difference], int]:
    """Where the page is not what its JSON says, or has what no report has; and how many places were looked at."""
    frame = [piece for piece in pieces(_empty_page(page, headline)) if _is_frame(piece)]
    mine = [piece for piece in without_data(page) if _is_frame(piece)]
    found = headline_differences(page, headline)
    theirs = without_data(frame)
    if [piece[:2] for piece in mine] != [piece[:2] for piece in theirs]:
        said = next((p for p, q in zip(mine, theirs, strict=False) if p[:2] != q[:2]), (mine or theirs)[-1])
        known = {piece.text for piece in theirs}
        found.append(differ(said.where, said.text, "what this version writes" if said.text not in known else NOTHING))
    found += _foreign(page)
    words = " ".join(piece.text for piece in page if piece.kind == "text")
    cautions = [caution for caution in content.get("cautions", []) if isinstance(caution, dict)]
    for caution in cautions:
        text = plain(str(caution.get("text")))
        if " ".join(text.split()) not in " ".join(words.split()):
            found.append(differ(f"the page: cautions, {plain(str(caution.get('code')))}", NOTHING, text))
    return found, 1 + len(frame) + len(cautions)


def _empty_page(page: list[Piece], headline: str) -> str:
    what = next((piece.text for piece in page if piece.where == "the page: header, title of the report"), "")
    return html.render(Document(title=what, verdict=headline, basis="", sections=(), on_screen=()), data="{}")


def _is_frame(piece: Piece) -> bool:
    """What every page has alike: its head, and what it ends with."""
    if piece.kind in ("raw", "data"):
        return not _LABELS.fullmatch(piece.text)
    return piece.kind == "tag" and piece.text.startswith(("<meta", "<script", "</script", "<body", "<html", "<!doctype"))


def _foreign(page: list[Piece]) -> Iterator[Difference]:
    """Elements and attributes that no report has; words that style sheets would add to those of the page."""
    heads = {piece.text for piece in page if piece.kind == "text"} | {"–"}
    for piece in page:
        if piece.kind == "stray":
            yield differ(piece.where, piece.text, NOTHING)
        elif piece.kind == "tag" and (name := _TAG.match(piece.text)):
            if name[1] not in _ELEMENTS or _RUNS.search(piece.text) or _PAINTS.search(piece.text):
                yield differ(piece.where, piece.text, NOTHING)
        elif piece.kind == "raw" and _LABELS.fullmatch(piece.text):
            for label in re.findall(_LABEL, piece.text):
                said = re.sub(r"\\([0-9a-f]+) ", lambda code: chr(int(code[1], 16)), label).strip()
                if said not in heads:
                    yield differ(piece.where, said, NOTHING)
