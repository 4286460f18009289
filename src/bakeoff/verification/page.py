"""Is a page (HTML) what its numbers give? Its JSON taken out, and the page held against the one written again."""

import difflib
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from bakeoff.errors import ParameterError, ReportError
from bakeoff.report import render
from bakeoff.report.appearance import Appearance
from bakeoff.report.methods import software, versions
from bakeoff.report.nouns import parsed
from bakeoff.reportable import Reportable
from bakeoff.verification.markup import DATA, Piece, pieces
from bakeoff.verification.parsing import parsed_report
from bakeoff.verification.results import Difference

NOTHING = "nothing"
MOST_ALIGNED = 3000  # pieces of two pages of different lengths; beyond, the first one that differs is named
LONGEST = 80  # characters of a piece in a message

_NUMERAL = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_VERSION = re.compile(r"\d[\w.+-]{0,30}", re.ASCII)
_LOOKS = {"--title": "title", "--highlight": "highlight", "--width-mm": "width_mm", "--call": "nouns"}


def is_page(content: bytes) -> bool:
    """Does a file begin as HTML does?"""
    head = content[:4096].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return head.startswith((b"<!doctype html", b"<html"))


def embedded_report(content: bytes, origin: str) -> tuple[dict[str, Any], list[Piece]]:
    """The JSON that a page carries, and the page."""
    try:
        page = pieces(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ReportError(f"{origin}: not UTF-8 (byte 0x{content[error.start]:02X})") from None
    carried = [piece.text for piece in page if piece.kind == "data"]
    if not carried:
        raise ReportError(
            f"{origin} is a page (HTML) without its numbers. Verify the JSON written with it "
            "(--report FILE.json), or write one from the scores (bakeoff compare SCORES --report FILE.json) and "
            "compare its headline"
        )
    if len(carried) > 1:
        raise ReportError(f"{origin} holds {len(carried)} elements with the id {DATA!r}; a report has one")
    if "<" in carried[0]:
        raise ReportError(f"{origin}: its numbers contain '<', which a report writes as \\u003c")
    return parsed_report(carried[0].encode(), f"{origin} (its numbers)"), page


def page_differences(
    page: list[Piece], computed: Reportable, content: Mapping[str, Any], tolerance: float
) -> tuple[list[Difference], int]:
    """Where a page is not the one that is written of ``computed``; and how many of its texts were compared."""
    command = content.get("command")
    command = command if isinstance(command, str) else None
    again = _with_versions(render(computed, "html", command, look_of(command)), content)
    recomputed = pieces(again)
    texts = sum(piece.kind == "text" for piece in recomputed)
    return list(_differences(without_data(page), without_data(recomputed), tolerance)), texts


def headline_differences(page: list[Piece], headline: str) -> list[Difference]:
    """Another headline than that of the JSON."""
    place = "the page: header, verdict"
    text = " ".join(piece.text for piece in page if piece.kind == "text" and piece.where == place)
    return [] if text == headline else [differ(place, text or NOTHING, headline)]


def look_of(command: str | None) -> Appearance:
    """What the command line asked of the looks of its reports."""
    try:
        words = iter(shlex.split(command or ""))
    except ValueError:
        return Appearance()
    look: dict[str, Any] = {}
    for word in words:
        option, equals, value = word.partition("=")
        if option == "--no-caption":
            look["caption"] = False
        elif option in _LOOKS:
            look[_LOOKS[option]] = value if equals else next(words, "")
    try:
        width = float(look.pop("width_mm")) if "width_mm" in look else None
    except ValueError:
        width = None
    try:
        nouns = parsed(look.pop("nouns")) if "nouns" in look else {}
    except ParameterError:
        nouns = {}
    return Appearance(**look, width_mm=width, nouns=nouns)


def _with_versions(page: str, content: Mapping[str, Any]) -> str:
    """The page as it would name what computed the report, where that was something else."""
    here, stated = versions(), content["versions"]
    if here == stated:
        return page
    if not all(_VERSION.fullmatch(version) for version in stated.values()):
        return page  # text in the place of a version would be agreed to
    listed, told_list = (", ".join(f"{name} {version}" for name, version in each.items()) for each in (here, stated))
    sentence = software()[0]
    assert isinstance(sentence, str)
    text = sentence
    for name in ("Python", "NumPy", "SciPy"):
        text = text.replace(f"{name} {here[name.lower()]}", f"{name} {stated[name.lower()]}")
    return page.replace(listed, told_list).replace(sentence, text)


def _differences(stated: list[Piece], computed: list[Piece], tolerance: float) -> Iterator[Difference]:
    """What one page has and the other has not."""
    start, ends = 0, (len(stated), len(computed))
    while start < min(ends) and _alike(stated[start], computed[start], tolerance):
        start += 1
    while start < min(ends) and _alike(stated[ends[0] - 1], computed[ends[1] - 1], tolerance):
        ends = ends[0] - 1, ends[1] - 1
    mine, theirs = stated[start : ends[0]], computed[start : ends[1]]
    if len(mine) == len(theirs):
        for one, other in zip(mine, theirs, strict=True):
            if not _alike(one, other, tolerance):
                yield differ(other.where, one.text, other.text)
        return
    if len(mine) + len(theirs) > MOST_ALIGNED:
        yield differ((mine or theirs)[0].where, _shown(mine), _shown(theirs))
        return
    matcher = difflib.SequenceMatcher(None, [p.text for p in mine], [p.text for p in theirs], autojunk=False)
    for how, i, i_end, j, j_end in matcher.get_opcodes():
        if how != "equal":
            yield differ((mine[i:i_end] or theirs[j:j_end])[0].where, _shown(mine[i:i_end]), _shown(theirs[j:j_end]))


def without_data(page: list[Piece]) -> list[Piece]:
    """The JSON is compared value by value elsewhere; where it stands counts here."""
    return [piece._replace(text="") if piece.kind == "data" else piece for piece in page]


def _shown(some: list[Piece]) -> str:
    return " ".join(piece.text for piece in some[:20]) or NOTHING


def _alike(stated: Piece, computed: Piece, tolerance: float) -> bool:
    if stated.kind != computed.kind:
        return False
    if stated.text == computed.text:
        return True
    if not tolerance or stated.kind == "raw" or _NUMERAL.sub("#", stated.text) != _NUMERAL.sub("#", computed.text):
        return False
    numerals = zip(_NUMERAL.findall(stated.text), _NUMERAL.findall(computed.text), strict=True)
    return all(a == b or _near(a, b, tolerance) for a, b in numerals)


def _near(stated: str, computed: str, tolerance: float) -> bool:
    """Rounded from numbers that other versions computed: no more than one unit of the last digit apart."""
    digits, _, exponent = computed.partition("e")
    if not ("." in digits or exponent) or "." not in stated + "e":
        return False
    unit = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
    return abs(float(stated) - float(computed)) <= 1.001 * unit + tolerance * abs(float(computed))


def differ(where: str, stated: str, computed: str) -> Difference:
    """Both shortened."""
    return Difference(where=where, said=_short(stated), found=_short(computed), source="in the page written again")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if text == NOTHING else repr(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
