"""What is a number, what is a missing score, and what is neither.

One rule for every source: text from a file, strings in a data frame or in JSON, and Python objects.
"""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from bakeoff.files import vanishes
from bakeoff.scores import Array

MISSING = frozenset({"", "na", "nan", "+nan", "-nan", "n/a", "null", "none", "-", "?", "–", "—"})
"""What stands for a missing score, in any case of letters."""

LARGEST_INTEGER = 2**53
"""Beyond it neighbouring integers are the same floating-point number."""

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"  # one way to match: linear time
_NUMBER = re.compile(NUMBER, re.ASCII)
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_SMALL = re.compile(rb"[eE]-\d*\d{3}")
_SPREAD = re.compile(rf"({_NUMBER.pattern})\s*(?:±|\+/?-)\s*{_NUMBER.pattern}", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.ASCII | re.IGNORECASE)

_OTHERWISE = re.compile(r"[*$]*[+\-−–]?[\d.,]++(\s*%|\s*±|\s*\(|\s*\+/?-|\s*\\pm|[eE']|\s*[*†‡§¶$]+$|\s*$)")

# the first pattern found in what is not a number decides the advice; the order matters
_ADVICE = (
    (r"×\s*10\^", "write 1.5e-3"),
    (r"^\d+:\d\d(:\d\d)?", "write times in seconds"),
    (r"^\d+/\d+/\d+$", "a row of wins, ties and losses is no problem: take it out"),
    (r"\d,\d{3}(?:\D|$)", "no thousands separators: 1234.5; or, if this is a decimal comma, pass decimal=','"),
    (r"\d,\d", "the decimal sign is a point, 1.5; or pass decimal=','"),
    (r"\d_\d", "no underscores in numbers: 1000"),
    (r"^[+-]?0[xXbBoO]", "numbers are decimal"),
    (r"\d[dD][+-]?\d", "the exponent sign is e: 1e-5"),
    (r"^[–—]\d", "the minus sign is a hyphen, -1"),
    (r"\d", "a mark, a unit, a spread or a percent sign is read where all cells of the column are written so"),
)


class NotANumber(ValueError):
    """Carries the reason; the caller, which knows the place, raises a ReadingError."""


def is_name(text: str) -> bool:
    """Whether a cell can only be a name: neither a number, nor one written otherwise (1,5, 12 %, 3.2±0.1, **91.2**)."""
    return is_label(text) and not _OTHERWISE.match(text.strip())


def parsed_number(text: str) -> float:
    """The score that ``text`` stands for; NaN if it stands for a missing one; of ``91.7±10.3`` the mean."""
    word = text.strip().replace("\N{MINUS SIGN}", "-")
    if word.lower() in MISSING:
        return math.nan
    if _INFINITE.fullmatch(word):
        return float(word)
    if spread := _SPREAD.fullmatch(word):
        return parsed_number(spread[1])
    if not _NUMBER.fullmatch(word):
        advice = next((f"; {advice}" for pattern, advice in _ADVICE if re.search(pattern, word)), "")
        raise NotANumber(f"{_shown(text)} is not a number{advice}")
    value = float(word)
    if math.isinf(value):
        raise NotANumber(f"{_shown(text)} is beyond the largest floating-point number; rescale, or write inf")
    if value == 0 and vanishes(word):
        raise NotANumber(f"{_shown(text)} is nearer to 0 than any floating-point number; rescale, or write 0")
    if abs(value) >= LARGEST_INTEGER and _INTEGER.fullmatch(word) and int(word.lstrip("+-0")) != int(abs(value)):
        raise NotANumber(_too_long(word))
    return value


def has_spread(text: str) -> bool:
    """Is it a mean with its spread: ``91.7±10.3``?"""
    return _SPREAD.fullmatch(text.strip()) is not None


def parsed_numbers(texts: Sequence[str]) -> Array | None:
    """All of ``texts`` at once if every one is plainly a number or NaN, else None: then use ``parsed_number``."""
    joined = "".join(texts)
    if "_" in joined or not joined.isascii():  # float() takes 1_000 and the digits of every script
        return None
    try:
        block = np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
    except ValueError:
        return None
    if (np.abs(block) >= LARGEST_INTEGER).any():
        return None
    return None if any(map(vanishes, {texts[i] for i in np.flatnonzero(block == 0).tolist()})) else block


def numbers_or_nan(texts: Sequence[str]) -> Array | None:
    """All of ``texts`` as numbers, NaN where one is missing; None if there is a word."""
    if (plain := parsed_numbers(texts)) is not None:
        return plain
    try:
        return np.array([math.nan if text.lower() in MISSING else parsed_number(text) for text in texts], dtype=float)
    except NotANumber:
        return None


def may_vanish(text: bytes) -> bool:
    """Whether numbers so small may be among those in a text, so that each has to be looked at."""
    if b"e-" not in text and b"E-" not in text:
        return b"0" * 100 in text
    return _SMALL.search(text) is not None


def number_from(cell: Any) -> float:
    """The score that a Python object stands for; strings follow the rules of text."""
    if isinstance(cell, str):
        return parsed_number(cell)
    if cell is None or type(cell).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return math.nan
    if isinstance(cell, bool | np.bool_):
        raise NotANumber(f"{cell!s} is a truth value, not a score; write 1 or 0 if that is what it means")
    if isinstance(cell, int | np.integer):
        if abs(int(cell)) > LARGEST_INTEGER:
            raise NotANumber(_too_long(str(cell)))
        return float(cell)
    if isinstance(cell, np.generic) and cell.dtype.kind == "f":
        return parsed_number(str(cell))  # the decimal that a float32 shows, not its binary tail
    if isinstance(cell, bytes | complex | np.ndarray) or hasattr(cell, "isoformat") or not hasattr(cell, "__float__"):
        raise NotANumber(f"{_shown(cell)} ({type(cell).__name__}) is not a number")
    try:
        value = float(cell)  # floats, Decimals, Fractions
    except (OverflowError, TypeError, ValueError):
        value = math.inf
    if math.isinf(value) and not isinstance(cell, float) and not _INFINITE.fullmatch(str(cell)):
        raise NotANumber(f"{_shown(cell)} is not a floating-point number")
    return value


def is_label(text: str) -> bool:
    """Whether ``text`` could only be a name: neither a number nor a missing score."""
    word = text.strip().replace("\N{MINUS SIGN}", "-")
    if not (_NUMBER.match(word) or word.lower() in MISSING or _INFINITE.fullmatch(word)):
        return True  # known without the advice of an error
    try:
        parsed_number(text)
    except NotANumber:
        return True
    return False


def _too_long(digits: str) -> str:
    return f"the integer {digits} is beyond 2**53 and cannot be told apart from its neighbours; rescale"


def _shown(cell: object) -> str:
    text = repr(str(cell) if isinstance(cell, np.str_) else cell)
    return text if len(text) <= 60 else f"{text[:56]}…{text[0]}"
