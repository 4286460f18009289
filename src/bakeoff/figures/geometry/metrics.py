"""Text width without a drawing library: Adobe's published metrics of Helvetica.

Arial, Liberation Sans and Nimbus Sans have the same widths. Characters without an entry get a generous estimate: too
wide costs white space, too narrow makes labels overlap.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import accumulate

# thousandths of an em for the characters 32..126 (Adobe Core 14 AFM files, Helvetica and Helvetica-Bold)
_REGULAR = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_BOLD = (
    *(278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611),
    *(975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556),
    *(333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611),
    *(611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584),
)
_OTHERS = {
    **dict.fromkeys("\u00a0·", 278),
    **dict.fromkeys("—…", 1000),
    **dict.fromkeys("±×−≤≥", 584),
    **dict.fromkeys("ßø", 611),
    **dict.fromkeys("ÌÍÎÏìíîï", 278),
    "Ø": 778,
    "Æ": 1000,
    "æ": 889,
    **dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹", 401),
    "⁻": 528,
    "–": 556,
    "α": 600,
    "τ": 440,
}
ELLIPSIS = "…"


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of ``text`` in points at ``size`` points."""
    return sum(_advance(character, bold) for character in text) * size / 1000


def is_exact(text: str) -> bool:
    """Whether every width is known rather than estimated."""
    return all(32 <= ord(character) <= 126 or character in _OTHERS or _accented(character) for character in text)


def _accented(character: str) -> bool:
    """A letter of Latin-1 with an accent, as wide as without it."""
    return 0xC0 <= ord(character) <= 0xFF and len(unicodedata.normalize("NFD", character)) == 2


@lru_cache(maxsize=4096)
def _advance(character: str, bold: bool) -> int:
    code = ord(character)
    if 32 <= code <= 126:
        return (_BOLD if bold else _REGULAR)[code - 32]
    if character in _OTHERS:
        return _OTHERS[character]
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0  # combining marks, joiners
    base = unicodedata.normalize("NFD", character)[0]
    if base != character:
        return max(_advance(base, bold), 334)
    if unicodedata.east_asian_width(character) in "WF":
        return 1300 if code >= 0x1F000 else 1000  # emoji are wider than an em in several fonts
    if 0x370 <= code < 0x530:  # Greek and Cyrillic; the widest letters (Ж, Щ, Ю) take about an em
        return 1000 if unicodedata.category(character) == "Lu" else 850
    return 1050


# Bidirectional controls, which would reorder the text around them
_BIDI = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(name: str) -> str:
    """``name`` on one line, with control characters replaced, so that it can be drawn anywhere."""
    kept = []
    for character in name:
        code = ord(character)
        if character.isspace():
            kept.append(" ")
        elif unicodedata.category(character) in ("Cc", "Cs") or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code < 0xFDF0:
            kept.append("\ufffd")
        elif character not in _BIDI:
            kept.append(character)
    return " ".join("".join(kept).split()) or "(no name)"


def shorten(text: str, limit: float, size: float, bold: bool = False) -> str:
    """``text`` if it fits ``limit`` points, else its beginning and end around an ellipsis.

    The end is kept because long names of algorithms usually differ there (``…-v2``, ``… lr=0.1``).
    """
    limit += 0.01  # rounding, where the limit is the width of this text
    if text_width(text, size, bold) <= limit:
        return text
    before = [0, *accumulate(_advance(character, bold) for character in text)]  # sums: names may have 10 000 characters
    between = _advance(ELLIPSIS, bold) + before[-1]
    for kept in range(len(text) - 1, 1, -1):
        head, tail = text[: kept - kept // 2].rstrip(), text[len(text) - kept // 2 :].lstrip()
        if (before[len(head)] + between - before[len(text) - len(tail)]) * size / 1000 <= limit:
            return head + ELLIPSIS + tail
    return text[:1] + ELLIPSIS


def wrap(text: str, limit: float, size: float) -> list[str]:
    """``text`` in lines no wider than ``limit`` points, broken at spaces but before %; a longer word is shortened."""
    lines: list[str] = []
    for word in re.split(" (?!%)", text):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= limit:
            lines[-1] = longer
        else:
            lines.append(shorten(word, limit, size))
    return lines


def broken(text: str, limit: float, size: float, bold: bool = False) -> list[str]:
    """``text`` in lines no wider than ``limit`` points, broken at spaces and after ``-``, ``_``, ``/`` and ``,``.

    Nothing is left out: a piece that is wider than ``limit`` is a line of its own.
    """
    if text_width(text, size, bold) <= limit:
        return [text]
    lines: list[str] = []
    for piece in re.findall(r"[^-_/, ]*[-_/, ]+|[^-_/, ]+", text):
        if lines and text_width((lines[-1] + piece).rstrip(), size, bold) <= limit:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.strip() for line in lines if line.strip()]
