"""Probabilities as a reader sees them: the same digits in sentences, tables and figures."""

from __future__ import annotations


def chance(p: float, level: float | None = None, *, exact: bool = True) -> str:
    """Three decimals; never 0 or 1 unless it is; beside a level as many as show on which side of it ``p`` lies.

    ``exact=False``: a share of draws, which is neither 0 nor 1 for sure.

    Examples
    --------
    >>> chance(0.96144), chance(1e-9), chance(1 - 1e-9), chance(1.0)
    ('0.961', '< 0.001', '> 0.999', '1')
    >>> chance(0.94996, level=0.95), chance(0.95003, level=0.95), chance(1.0, exact=False)
    ('0.94996', '0.95003', '> 0.999')
    """
    if exact and (p <= 0.0 or p >= 1.0):
        return "0" if p <= 0.0 else "1"
    digits = 3
    text = f"{p:.{digits}f}"
    while level is not None and _side(float(text), level) != _side(p, level) and digits < 17:
        digits += 1
        text = f"{p:.{digits}f}"
    if float(text) in (0.0, 1.0):
        return "< 0.001" if p < 0.5 else "> 0.999"
    return text


def _side(p: float, level: float) -> int:
    return (p > level) - (p < level)


def chance_phrase(p: float, level: float | None = None, *, exact: bool = True) -> str:
    """``P = 0.961``, ``P > 0.999``: for where there is no word to say it with."""
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
    """``at least 0.979``: of a lower bound.

    Examples
    --------
    >>> at_least(0.9791), at_least(0.99999), at_least(0.00001)
    ('at least 0.979', 'at least 0.999', 'at least 0')
    """
    text = chance(p, level, exact=exact)
    return "at least 0" if text[0] == "<" else f"at least {text.removeprefix('> ')}"
