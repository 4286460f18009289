"""Numbers and names as a reader sees them; the same strings in every format.

A printed p-value is never kinder than the p-value: a positive one is never "0.000", one below 1 is never
"1.0000", and one beside the level keeps as many digits as it takes to see on which side it lies.
"""

import math
import unicodedata
from collections.abc import Callable

from bakeoff.errors import counted, plain as plain

SMALLEST = 1e-300
_LOG_SMALLEST = math.log(SMALLEST)
MISSING = "–"
count = counted


def pvalue(p: float, log_p: float | None = None, alpha: float | None = None) -> str:
    """Four decimals from 0.01 up, three significant digits below, ``< 1e-300`` where it underflows.

    ``log_p`` speaks where ``p`` underflowed; ``alpha`` is the level the digits must not misplace.

    Examples
    --------
    >>> pvalue(0.30691), pvalue(0.000230914), pvalue(4.2e-31)
    ('0.3069', '0.000231', '4.2e-31')
    >>> pvalue(0.0, log_p=-1500.0), pvalue(0.99999), pvalue(0.0500004, alpha=0.05)
    ('< 1e-300', '> 0.9999', '0.0500004')
    """
    if p < SMALLEST:
        if log_p is None or not log_p >= _LOG_SMALLEST:
            return "< 1e-300"
        p = math.exp(log_p)
    if p >= 1.0:
        return "1"
    if p > 0.99995:
        return "> 0.9999"

    def write(digits: int) -> str:
        return f"{p:.4f}" if digits == 3 and p >= 0.01 else _tidy(f"{p:.{digits}g}")

    return write(3) if alpha is None else on_its_side(p, lambda x: x <= alpha, write, 3)


def on_its_side(value: float, side: Callable[[float], object], write: Callable[[int], str], digits: int) -> str:
    """``write(digits)``, with as many more digits as it takes for the text to be on the same side as ``value``.

    Examples
    --------
    >>> on_its_side(0.0500004, lambda p: p <= 0.05, lambda digits: f"{0.0500004:.{digits}f}", 3)
    '0.0500004'
    """
    text = write(digits)
    while side(float(text)) != side(value) and digits < 17:
        digits += 1
        text = write(digits)
    return text


def p_phrase(p: float, log_p: float | None = None, alpha: float | None = None, name: str = "p") -> str:
    """``p = 0.0123``, ``p < 1e-300`` or ``p > 0.9999``."""
    text = pvalue(p, log_p, alpha)
    return f"{name} {text}" if text[0] in "<>" else f"{name} = {text}"


def as_rank(value: float) -> str:
    """A mean rank: three decimals as in the papers, two for aligned ranks in the hundreds."""
    return f"{value:.3f}" if abs(value) < 100.0 else f"{value:.2f}"


def statistic(value: float) -> str:
    """A test statistic: up to five significant digits, ``inf`` where it is infinite."""
    return _significant(value, 5)


def score(value: float) -> str:
    """A score or a difference of scores: four significant digits, ``inf`` where it is infinite."""
    return _significant(value, 4)


def decimals(value: float, places: int) -> str:
    """Fixed decimals, never ``-0.00``."""
    return _no_negative_zero(f"{value:.{places}f}")


def degrees(df: tuple[float, ...]) -> str:
    """``8 and 192``; fractions (a corrected ANOVA) to two decimals."""
    return " and ".join(str(int(x)) if float(x).is_integer() else f"{x:.2f}" for x in df)


def percent(level: float) -> str:
    """A confidence level: ``95 %``, ``99.9 %``."""
    return f"{100.0 * level:.6g} %"


def name_list(items: list[str] | tuple[str, ...], limit: int = 5) -> str:
    """``A``, ``A and B``, ``A, B and C``, ``A, B, C, D and 5 more``."""
    shown = [plain(item) for item in items]
    if len(shown) > limit:
        shown = [*shown[: limit - 1], f"{len(shown) - limit + 1} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def width(text: str) -> int:
    """Columns a terminal needs: wide (East Asian, emoji) characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character) or character in "\u200b\u200c\u200d\ufe0e\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _significant(value: float, digits: int) -> str:
    return _no_negative_zero(_tidy(f"{value:.{digits}g}"))


def _tidy(text: str) -> str:
    """``2.31e-05`` as ``2.31e-5``."""
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if mark else text


def _no_negative_zero(text: str) -> str:
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text
