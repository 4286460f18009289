"""Probabilities as text: the same digits in sentences, tables and figures."""

import math
from collections.abc import Callable

from bakeoff.numerals import decimals, on_its_side


def chance(p: float, level: float | None = None, *, exact: bool = True) -> str:
    """Three decimals, "0" or "1" only if exact; near ``level`` as many as show on which side of it ``p`` lies.

    ``exact=False``: a share of draws, which is never shown as 0 or 1.

    Examples
    --------
    >>> chance(0.96144), chance(1e-9), chance(1 - 1e-9), chance(1.0)
    ('0.961', '< 0.001', '> 0.999', '1')
    >>> chance(0.94996, level=0.95), chance(0.95003, level=0.95), chance(1.0, exact=False)
    ('0.94996', '0.95003', '> 0.999')
    """
    if exact and (p <= 0.0 or p >= 1.0):
        return "0" if p <= 0.0 else "1"
    text = decimals(p, 3) if level is None else on_its_side(p, _side_of(level), lambda digits: decimals(p, digits), 3)
    if float(text) in (0.0, 1.0):
        return "< 0.001" if p < 0.5 else "> 0.999"
    return text


def _side_of(level: float) -> Callable[[float], int]:
    """Above, at or below ``level``: 1, 0, −1."""
    return lambda p: (p > level) - (p < level)


def chance_phrase(p: float, level: float | None = None, *, exact: bool = True) -> str:
    """``P = 0.961``, ``P > 0.999``: where there is no room for words."""
    text = chance(p, level, exact=exact)
    return f"P {text}" if text[0] in "<>" else f"P = {text}"


def spoken(p: float, level: float | None = None, *, exact: bool = True) -> str:
    """``0.961``, ``above 0.999``: within a sentence."""
    return chance(p, level, exact=exact).replace("< ", "below ").replace("> ", "above ")


def with_chance(p: float, level: float | None = None, *, exact: bool = True) -> str:
    """``with probability 0.961``, ``with probability above 0.999``.

    Examples
    --------
    >>> with_chance(0.5), with_chance(0.99999)
    ('with probability 0.500', 'with probability above 0.999')
    """
    return f"with probability {spoken(p, level, exact=exact)}"


def at_least(p: float, level: float | None = None, *, exact: bool = True) -> str:
    """``at least 0.979``: a lower bound, rounded down.

    Examples
    --------
    >>> at_least(0.9799), at_least(0.99999), at_least(0.00001), at_least(1.0)
    ('at least 0.979', 'at least 0.999', 'at least 0', 'at least 1')
    """
    return f"at least {_outwards(p, level, math.floor, exact)}"


def between(low: float, high: float, level: float | None = None, *, exact: bool = True) -> str:
    """``between 0.981 and 0.998``: bounds are rounded outwards.

    Examples
    --------
    >>> between(0.98149, 0.99701), between(0.9999, 1.0), between(0.0, 0.5)
    ('between 0.981 and 0.998', 'between 0.999 and 1', 'between 0 and 0.500')
    """
    return f"between {_outwards(low, level, math.floor, exact)} and {_outwards(high, level, math.ceil, exact)}"


def span(low: float, high: float, level: float | None = None, *, exact: bool = True) -> str:
    """``0.981 – 0.998``: the same in a table.

    Examples
    --------
    >>> span(0.98149, 0.99701), span(0.00001, 0.99999)
    ('0.981 – 0.998', '0 – 1')
    """
    return f"{_outwards(low, level, math.floor, exact)} – {_outwards(high, level, math.ceil, exact)}"


def loss_text(loss: float) -> str:
    """``0.268``, ``< 0.001``: an expected loss in ranks, never printed as 0.

    Examples
    --------
    >>> loss_text(0.26789), loss_text(0.0)
    ('0.268', '< 0.001')
    """
    return decimals(loss, 3) if loss >= 0.0005 else "< 0.001"


def _outwards(p: float, level: float | None, turn: Callable[[float], int], exact: bool) -> str:
    """``p`` rounded up or down, with as many decimals as ``chance`` shows; digits beyond the twelfth are rounding."""
    if level is not None and abs(p - level) < 1e-9:
        return chance(p, level, exact=exact)

    def write(digits: int) -> str:
        whole = turn(round(p * 10**digits, 12 - digits))
        return "01"[whole > 0] if whole in (0, 10**digits) else f"{whole / 10**digits:.{digits}f}"

    text = write(3) if level is None else on_its_side(p, _side_of(level), write, 3)
    if text == "1" and turn is math.floor and not exact:
        return "0.999"  # a share of draws is not 1 for sure
    return text
