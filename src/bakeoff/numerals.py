"""Numbers and names as a reader sees them; the same strings in every format.

Every printed number is rounded here, half away from zero on its decimal digits (2.925 is 2.93 with two decimals,
never 2.92), with a true minus sign and powers of ten as ``4.65×10⁻⁶``; the formats set these their own way, and JSON
and spreadsheets hold the numbers themselves.

A printed p-value is never kinder than the p-value: a positive one is never "0.000", one below 1 is never
"1.00", and one beside the level keeps as many digits as it takes to see on which side it lies.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Sequence

from bakeoff.errors import counted, plain as plain

SMALLEST = 1e-300
_LOG_SMALLEST = math.log(SMALLEST)
MISSING = "–"
MINUS = "−"
POWER_OF_TEN = re.compile("(?:×|(?<![\\d.])(?=10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]))10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
_TRUE_DIGITS = 15  # of a double; what lies beyond is noise of the arithmetic
_LONGEST = 7  # digits before the point; larger numbers are powers of ten
count = counted


def pvalue(p: float, log_p: float | None = None, alpha: float | None = None) -> str:
    """Three significant digits, ``< 10⁻³⁰⁰`` where it underflows.

    ``log_p`` speaks where ``p`` underflowed; ``alpha`` is the level the digits must not misplace.

    Examples
    --------
    >>> pvalue(0.30691), pvalue(0.0028), pvalue(4.2e-31)
    ('0.307', '0.00280', '4.20×10⁻³¹')
    >>> pvalue(0.0, log_p=-1500.0), pvalue(0.99999), pvalue(0.0500004, alpha=0.05)
    ('< 10⁻³⁰⁰', '> 0.999', '0.0500004')
    """
    if p < SMALLEST:
        if log_p is None or not log_p >= _LOG_SMALLEST:
            return "< 10⁻³⁰⁰"
        p = math.exp(log_p)
    if p >= 1.0:
        return "1"
    if p >= 0.9995:
        return "> 0.999"

    def write(digits: int) -> str:
        return significant(p, digits, padded=True)

    return write(3) if alpha is None else on_its_side(p, lambda x: x <= alpha, write, 3)


def as_number(text: str) -> float:
    """The number that a printed one stands for.

    Examples
    --------
    >>> as_number("−4.65×10⁻⁶")
    -4.65e-06
    """
    return float(in_ascii(text))


def in_ascii(text: str) -> str:
    """Minus signs and powers of ten in a text as a programming language writes them.

    Examples
    --------
    >>> in_ascii("p = 4.65×10⁻⁶ and −3; p < 10⁻³⁰⁰")
    'p = 4.65e-6 and -3; p < 1e-300'
    """

    def exponent(match: re.Match[str]) -> str:
        return f"{'' if match[0][0] == '×' else '1'}e{match[1].translate(_LOWERED)}"

    return POWER_OF_TEN.sub(exponent, text).replace(MINUS, "-")


def with_e(text: str) -> str:
    """Powers of ten in a text as tables of optimisers have them, equally wide.

    Examples
    --------
    >>> with_e("−9.31×10⁻⁸ ± 4.3×10⁻¹⁰")
    '−9.31e-08 ± 4.3e-10'
    """
    return POWER_OF_TEN.sub(
        lambda match: f"{'' if match[0][0] == '×' else '1'}e{int(match[1].translate(_LOWERED)):+03d}", text
    )


def significant(value: float, digits: int, padded: bool = False) -> str:
    """``value`` with so many significant digits; ``padded``: zeros at its end are kept.

    Examples
    --------
    >>> significant(0.0028, 3, padded=True), significant(-0.00028, 3), significant(2.5e-9, 3), significant(2.675, 3)
    ('0.00280', '−0.00028', '2.5×10⁻⁹', '2.68')
    """
    if not math.isfinite(value):
        return _sign(value) + ("∞" if math.isinf(value) else "nan")
    if value == 0.0:
        return "0"
    whole, exponent = _rounded(value, digits)
    if exponent < -4 or exponent >= _LONGEST:
        mantissa = _with_point(whole, digits - 1, padded)
        return f"{_sign(value)}{mantissa}×{power_of_ten(exponent)}"
    if exponent >= digits:  # all digits before the point are shown
        return decimals(value, 0)
    return _sign(value) + _with_point(whole, digits - 1 - exponent, padded)


def power_of_ten(exponent: int) -> str:
    """``10⁻⁶``."""
    return f"10{str(exponent).translate(_RAISED)}"


def decimals(value: float, places: int) -> str:
    """Fixed decimals, never ``−0.00``.

    Examples
    --------
    >>> decimals(2.925, 2), decimals(4.025, 2), decimals(-0.001, 2), decimals(-1.5, 0)
    ('2.93', '4.03', '0.00', '−2')
    """
    if not math.isfinite(value):
        return significant(value, 1)
    exponent = math.floor(math.log10(abs(value))) if value else 0
    if exponent + 1 + places > _TRUE_DIGITS:
        return _no_negative_zero(f"{value:.{places}f}".replace("-", MINUS))
    whole, _ = _scaled(value, places)
    return _no_negative_zero(_sign(value) + _with_point(whole, places, padded=True))


def equal_decimals(values: Sequence[float], digits: int = 4) -> list[str]:
    """Numbers that are read together, with equally many decimals: as many as the largest takes for ``digits`` digits.

    Up to two more where a small one would be 0; where they do not do, each is written by itself. Zeros that all of them
    end in are dropped.

    Examples
    --------
    >>> equal_decimals([-0.028, -0.0505, -0.0099]), equal_decimals([0.5, 0, 1])
    (['−0.0280', '−0.0505', '−0.0099'], ['0.5', '0', '1.0'])
    >>> equal_decimals([165.1, 5.3, 292.9]), equal_decimals([1e-9, 1.0])
    (['165.1', '5.3', '292.9'], ['1×10⁻⁹', '1'])
    >>> equal_decimals([-1.438, -0.0085], digits=3)
    ['−1.438', '−0.009']
    """
    sizes = [abs(value) for value in values if math.isfinite(value) and value]
    if not sizes:
        return [score(value) for value in values]
    places = max(0, digits - 1 - math.floor(math.log10(max(sizes))))
    if places > 300:  # of which a power of ten overflows
        return [score(value) for value in values]
    most = next((more for more in range(places, places + 3) if min(sizes) * 10.0**more >= 0.95), None)
    if most is None or places > digits + 3 or max(sizes) >= 10.0**_LONGEST:
        return [score(value) for value in values]
    places = most
    numbers = [decimals(size, places) for size in sizes]
    while places and all(text.endswith("0") for text in numbers):
        places -= 1
        numbers = [text[:-1] for text in numbers]
    return [decimals(value, places) if value and math.isfinite(value) else score(value) for value in values]


def decimals_for_step(values: Sequence[float], step: float) -> list[str]:
    """:func:`equal_decimals`, with digits enough that differences of the size of ``step`` show.

    Examples
    --------
    >>> decimals_for_step([1234.561, 1234.497], 0.02), decimals_for_step([0.81, 0.74], 0.03)
    (['1234.561', '1234.497'], ['0.81', '0.74'])
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if not (largest > 0 and 0 < step < math.inf):
        return equal_decimals(values)
    digits = min(_TRUE_DIGITS, math.floor(math.log10(largest)) - math.floor(math.log10(step)) + 2)
    if digits <= 4:
        return equal_decimals(values)
    return (
        equal_decimals(values, digits) if largest < 10.0**_LONGEST else [significant(value, digits) for value in values]
    )


def aligned(values: Sequence[float]) -> list[str]:
    """Numbers that stand below each other in one style: equally many decimals, or powers of ten if sizes differ much.

    Examples
    --------
    >>> aligned([0.8865, 0.863]), aligned([285.84, 7723, 67850.2]), aligned([4e-4, 0.0, 21.0])
    (['0.8865', '0.8630'], ['286', '7723', '67850'], ['4.00×10⁻⁴', '0', '2.10×10¹'])
    """
    sizes = [abs(value) for value in values if math.isfinite(value) and value]
    if not sizes:
        return [score(value) for value in values]
    low, high = (math.floor(math.log10(find(sizes))) for find in (min, max))
    if high - low > 4 or high >= _LONGEST or low < -4:
        return [scientific(value, 3) for value in values]
    places = max(0, (3 if high > low + 1 else 4) - 1 - low)
    exact = (p for p in range(places) if all(round(size, p) == size for size in sizes))
    places = next(exact, places)
    return [decimals(value, places) for value in values]


def scientific(value: float, digits: int) -> str:
    """A power of ten, whatever the size.

    Examples
    --------
    >>> scientific(4.06e-4, 3), scientific(21, 3), scientific(0, 3)
    ('4.06×10⁻⁴', '2.10×10¹', '0')
    """
    if not value or not math.isfinite(value):
        return score(value)
    whole, exponent = _rounded(value, digits)
    return f"{_sign(value)}{_with_point(whole, digits - 1, padded=True)}×{power_of_ten(exponent)}"


def pvalue_column(values: Sequence[float], alpha: float) -> list[str]:
    """P-values below each other: three or four decimals, more only beside ``alpha``, and never 0 or a rounded 1.

    Examples
    --------
    >>> pvalue_column([0.00427, 0.0041, 1.0], 0.05), pvalue_column([3e-9, 0.0500004, 0.99999], 0.05)
    (['0.0043', '0.0041', '1.0000'], ['<0.0001', '0.0500004', '>0.9999'])
    """
    smallest = min((p for p in values if p > 0.0), default=1.0)
    places = min(4, max(3, 1 - math.floor(math.log10(smallest))))
    least = 10.0**-places

    def written(p: float) -> str:
        if p < least:
            return f"<{decimals(least, places)}"
        if 1.0 - least / 2 <= p < 1.0:
            return f">{decimals(1.0 - least, places)}"
        return on_its_side(p, lambda x: x <= alpha, lambda digits: decimals(p, digits), places)

    return [written(p) for p in values]


def _rounded(value: float, digits: int) -> tuple[int, int]:
    """The first digits of ``value``, rounded half up, as a whole number; and the exponent of the first one."""
    kept = max(digits, _TRUE_DIGITS)
    mantissa, exponent = f"{abs(value):.{kept - 1}e}".split("e")
    whole = _half_up(int(mantissa.replace(".", "")), kept - digits)
    if whole == 10**digits:
        return whole // 10, int(exponent) + 1
    return whole, int(exponent)


def _scaled(value: float, places: int) -> tuple[int, int]:
    """``value`` times 10 to the power of ``places``, rounded half up; and its exponent."""
    mantissa, exponent = f"{abs(value):.{_TRUE_DIGITS - 1}e}".split("e")
    return _half_up(int(mantissa.replace(".", "")), _TRUE_DIGITS - 1 - int(exponent) - places), int(exponent)


def _half_up(whole: int, dropped: int) -> int:
    """Without the last digits."""
    unit: int = 10 ** abs(dropped)
    return (2 * whole + unit) // (2 * unit) if dropped > 0 else whole * unit


def _with_point(whole: int, places: int, padded: bool) -> str:
    if places <= 0:
        return str(whole)
    text = str(whole).zfill(places + 1)
    text = f"{text[:-places]}.{text[-places:]}"
    return text if padded else text.rstrip("0").rstrip(".")


def _sign(value: float) -> str:
    return MINUS if value < 0 else ""


def on_its_side(value: float, side: Callable[[float], object], write: Callable[[int], str], digits: int) -> str:
    """``write(digits)``, with as many more digits as it takes for the text to be on the same side as ``value``.

    Examples
    --------
    >>> on_its_side(0.0500004, lambda p: p <= 0.05, lambda digits: f"{0.0500004:.{digits}f}", 3)
    '0.0500004'
    """
    text = write(digits)
    while side(as_number(text)) != side(value) and digits < 17:
        digits += 1
        text = write(digits)
    return text


def p_phrase(p: float, log_p: float | None = None, alpha: float | None = None, name: str = "p") -> str:
    """``p = 0.0123``, ``p < 10⁻³⁰⁰`` or ``p > 0.999``."""
    text = pvalue(p, log_p, alpha)
    return f"{name} {text}" if text[0] in "<>" else f"{name} = {text}"


def as_rank(value: float) -> str:
    """A mean rank: three decimals as in the papers, two for aligned ranks in the hundreds."""
    return decimals(value, 3 if abs(value) < 100.0 else 2)


def statistic(value: float) -> str:
    """A test statistic: up to five significant digits, ``∞`` where it is infinite."""
    return significant(value, 5)


def score(value: float) -> str:
    """A score or a difference of scores: up to four significant digits, ``∞`` where it is infinite."""
    return significant(value, 4)


def degrees(df: tuple[float, ...]) -> str:
    """``8 and 192``; fractions (a corrected ANOVA) to two decimals."""
    return " and ".join(str(int(x)) if float(x).is_integer() else decimals(x, 2) for x in df)


def percent(level: float) -> str:
    """A confidence level: ``95 %``, ``99.9 %``."""
    return f"{100.0 * level:.6g} %"


def in_percent(share: float, places: int = 0) -> str:
    """A share with a fixed number of decimals: ``12 %``, ``4.7 %``."""
    return f"{100.0 * share:.{places}f} %"


def with_noun(number: str, noun: str) -> str:
    """``1 standard deviation``, ``0.8 standard deviations``: of a number as it is printed."""
    return f"{number} {noun}{'' if number == '1' else 's'}"


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


def _no_negative_zero(text: str) -> str:
    return text[1:] if text.startswith(MINUS) and not text.strip("0.−") else text


def interval_words(interval: tuple[float, float] | None) -> str:
    """``−0.095 to 0.195``."""
    return MISSING if interval is None else " to ".join(equal_decimals(list(interval)))


def duration(seconds: float) -> str:
    """``45 s``, ``12 min 5 s``, ``3 h 20 min``, ``2 d 4 h``"""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"
