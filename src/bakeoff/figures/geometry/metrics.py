"""Text width without a drawing library: Adobe's published metrics of Helvetica.

Arial, Liberation Sans and Nimbus Sans have the same widths. Characters without an entry get a generous estimate: too
wide costs white space, too narrow makes labels overlap.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, groupby

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

    The end is kept because long names of algorithms usually differ there (``…-v2``, ``… lr=0.1``). A text that has an
    ellipsis is shortened around that one.
    """
    limit += 0.01  # rounding, where the limit is the width of this text
    if text_width(text, size, bold) <= limit:
        return text
    before = [0, *accumulate(_advance(character, bold) for character in text)]  # sums: names may have 10 000 characters
    between = _advance(ELLIPSIS, bold) + before[-1]
    gap = text.find(ELLIPSIS)
    first, last = (len(text), 0) if gap < 0 else (gap, gap + 1)  # the head ends and the tail begins there at the latest
    longest = first + len(text) - last if gap >= 0 else len(text) - 1
    for kept in range(longest, 1, -1):
        ending = max(min(kept // 2, len(text) - last), kept - first)
        head, tail = text[: kept - ending].rstrip(" ."), text[len(text) - ending :].lstrip()
        if (before[len(head)] + between - before[len(text) - len(tail)]) * size / 1000 <= limit:
            return head + ELLIPSIS + tail
    return text[:1] + ELLIPSIS if gap else ELLIPSIS + text[-1:]


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


# Names cut to the room they have, in one figure never two names to one label.


def short_labels(names: Sequence[str], limit: float, size: float, bold: bool = False) -> tuple[list[str], str]:
    """Labels of at most ``limit`` points, and what a caption adds to them: the key, where they are numbers.

    A name keeps its beginning and end. Where two would have one label, parts that all names share go; where that is
    not enough either, numbers stand for the names. A label has one ellipsis at most.

    Examples
    --------
    >>> short_labels(["net-of-resnets-lr0.1-cosine", "net-of-resnets-lr0.2-cosine"], 50, 7)
    (['…lr0.1', '…lr0.2'], '')
    >>> short_labels(["configuration1ofmine", "configuration2ofmine"], 30, 7)
    (['[1]', '[2]'], ' [1] configuration1ofmine, [2] configuration2ofmine.')
    """
    whole = [printable(name) for name in names]
    apart = len(set(whole))

    def cut(texts: Sequence[str]) -> list[str]:
        return [shorten(text, limit, size, bold) for text in texts]

    if len(set(shown := cut(whole))) == apart:
        return shown, ""
    for texts in (_differing(whole), _by_group(whole, shown)):
        if len(set(shown := cut(texts))) == apart:
            return shown, ""
    number = {text: f"[{i}]" for i, text in enumerate(dict.fromkeys(whole), start=1)}
    key = ", ".join(f"{short} {text}" for text, short in number.items())
    return [number[text] for text in whole], f" {key}."


def pair_labels(
    pairs: Sequence[tuple[str, str]], limit: float, size: float, bold: bool = False, between: str = " – "
) -> tuple[list[str], str]:
    """:func:`short_labels` of two names with a dash, or something else, ``between`` them; each name is cut by itself.

    Examples
    --------
    >>> pair_labels([("org/model-with-a-name-7b", "x"), ("org/model-with-a-name-8b", "x")], 60, 7)[0]
    ['org…7b – x', 'org…8b – x']
    """
    joined = [between.join(map(printable, pair)) for pair in pairs]
    if all(text_width(text, size, bold) <= limit for text in joined):
        return joined, ""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    shown, key = short_labels(names, (limit - text_width(between, size, bold)) / 2, size, bold)
    short = dict(zip(names, shown, strict=True))
    return [f"{short[a]}{between}{short[b]}" for a, b in pairs], key


def _differing(names: Sequence[str]) -> list[str]:
    """With one ellipsis in place of what is the same in all of them between separators.

    It stands for the longest stretch between parts that differ, else for the beginning, else for the end; a common
    beginning and end go in any case.
    """
    parts = [re.findall(r"[^-_/, ]+[-_/, ]*|[-_/, ]+", name) for name in names]
    least = min(map(len, parts))
    head = next((i for i in range(least) if len({each[i] for each in parts}) > 1), least)
    tail = next((i for i in range(least - head) if len({each[-1 - i] for each in parts}) > 1), least - head)
    in_step = len({len(each) for each in parts}) == 1
    ends = len(parts[0]) - tail
    common = [i for i in range(head, ends) if in_step and len({each[i] for each in parts}) == 1]
    stretches = [[i for _, i in run] for _, run in groupby(enumerate(common), lambda pair: pair[1] - pair[0])]
    dropped = max(stretches, key=lambda run: sum(len(parts[0][i]) for i in run), default=[])

    def bare(each: list[str]) -> str:
        kept = each[head : len(each) - tail]
        if dropped:
            kept[dropped[0] - head : dropped[-1] + 1 - head] = [ELLIPSIS]
        text = re.sub(rf"[-_/, ]*{ELLIPSIS}", ELLIPSIS, "".join(kept)) if dropped else "".join(kept)
        text = text.rstrip("-_/, ") if tail else text
        return text if dropped else ELLIPSIS + text if head else text + ELLIPSIS

    return [bare(each) for each in parts]


def _by_group(names: Sequence[str], cut: Sequence[str]) -> list[str]:
    """Shorten those with one label to the beginning and what differs among them."""
    groups: dict[str, list[str]] = {}
    for name, label in zip(names, cut, strict=True):
        groups.setdefault(label, []).append(name)
    several = {label: dict(zip(same, _differing(same), strict=True)) for label, same in groups.items() if len(same) > 1}
    texts = []
    for name, label in zip(names, cut, strict=True):
        bare = several.get(label, {}).get(name, name)
        texts.append(re.split(r"[-_/, ]", name, maxsplit=1)[0] + bare if bare.startswith(ELLIPSIS) else bare)
    return texts
