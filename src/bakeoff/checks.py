"""Checks of parameters: a value within its rule, or an error that names the parameter, the rule and what was given."""

import math
import operator
from collections.abc import Callable, Iterable
from types import UnionType
from typing import Any

from bakeoff.errors import NotANumberError, ParameterError, WrongTypeError, fitting


def integer(parameter: str, value: object, least: int, most: int | None = None) -> int:
    """``value`` as an int between ``least`` and ``most``; True and 3.0 are no whole numbers."""
    limits = f"between {least} and {most}" if most is not None else f"of at least {least}"
    rule = f"must be a whole number {limits}; got {shown(value)}"
    if not _is_number(value, "__index__"):
        raise NotANumberError(rule, parameter=parameter)
    number = operator.index(value)  # type: ignore[arg-type]
    if number < least or (most is not None and number > most):
        raise ParameterError(rule, parameter=parameter)
    return number


N_RESAMPLES = 9999
"""The number of sign flips, permutations or bootstrap samples if nobody says otherwise."""
FEWER_RESAMPLES = {
    "profile": 4999,  # each gives the curves of all algorithms again, for the bands
    "interquartile-mean": 2000,  # each sorts all runs again
    "runtimes": 2000,  # bootstrap-t: each has a standard error of its own
    "ratings": 1000,  # each fits the model again
    "repetitions": 999,  # drawn again before each run of an experiment
    "sensitivity": 400,  # each is a second experiment, with a test of every pair
}
"""Numbers for what takes too long with that many. Another number would change recorded results."""


def draw_count(parameter: str, value: object, least: int, most: int = 10_000_000) -> int:
    """``value`` as a number of draws or resamples: at most as many as take reasonable time and memory."""
    count = integer(parameter, value, least)
    return count if count <= most else integer(parameter, value, least, max(least, most))


def shown(value: object) -> str:
    """Python refuses to print whole numbers of thousands of digits, and nobody would read them."""
    if isinstance(value, int) and value.bit_length() > 100:
        return f"a whole number of about {round(value.bit_length() * math.log10(2))} digits"
    return repr(value)


def _is_number(value: object, method: str) -> bool:
    """Whether Python or NumPy counts ``value`` as a number with this method; flags, text and arrays are none."""
    return hasattr(value, method) and getattr(value, "ndim", 0) == 0 and not _is_flag(value)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool) or type(value).__name__ == "bool"  # numpy.bool, without importing NumPy


def number(
    parameter: str,
    value: object,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    above: float = -math.inf,
    below: float = math.inf,
    what: str = "",
) -> float:
    """``value`` as a finite float within its limits; ``what`` describes them in better words."""
    rule = f"must be {what or _described(least, most, above, below)}; got {shown(value)}"
    if not _is_number(value, "__float__"):
        raise NotANumberError(rule, parameter=parameter)
    try:
        value_as_float = float(value)  # type: ignore[arg-type]
    except OverflowError:
        value_as_float = math.inf
    if not (math.isfinite(value_as_float) and least <= value_as_float <= most and above < value_as_float < below):
        raise ParameterError(rule, parameter=parameter)
    return value_as_float


def positive(parameter: str, value: object, what: str = "") -> float:
    """``value`` as a finite float above 0."""
    return number(parameter, value, above=0.0, what=what)


def probability(parameter: str, value: object) -> float:
    """``value`` as a float strictly between 0 and 1 (levels: alpha, confidence)."""
    return number(parameter, value, above=0.0, below=1.0)


def _described(least: float, most: float, above: float, below: float) -> str:
    if (above, below) == (0.0, 1.0):
        return "a number strictly between 0 and 1"
    low = f"above {above:g}" if above > -math.inf else f"of at least {least:g}" if least > -math.inf else ""
    high = f"below {below:g}" if below < math.inf else f"at most {most:g}" if most < math.inf else ""
    limits = " and ".join(limit for limit in (low, high) if limit)
    return f"a finite number {limits}".rstrip()


def flag(parameter: str, value: object) -> bool:
    """``value`` if it is True or False: any text, "no" too, would otherwise count as yes."""
    if not _is_flag(value):
        raise ParameterError(f"must be True or False; got {value!r}", parameter=parameter)
    return bool(value)


def choice(parameter: str, value: object, allowed: Iterable[str]) -> str:
    """``value`` if it is one of ``allowed``; the error names the nearest one."""
    options = tuple(allowed)
    if isinstance(value, str) and value in options:
        return value
    near, names = did_you_mean(value, options), list(map(repr, options))
    listed = fitting(names, 60) if near else ", ".join(names)
    raise ParameterError(f"must be one of {listed}; got {shown(value)}{near}", parameter=parameter)


def closest_to(better: object) -> float | None:
    """The target of ``closest-to=0``; None where it names a direction."""
    if not isinstance(better, str) or not better.startswith("closest"):
        return None
    try:
        target = float(better.partition("=")[2])
    except ValueError:
        target = math.nan
    if not math.isfinite(target):
        raise ParameterError(
            f"must be closest-to=X with a number, such as closest-to=0; got {better!r}", parameter="better"
        )
    return target


def of_type(parameter: str, value: object, kinds: type | UnionType, what: str) -> Any:
    """``value`` if it is of one of these types; ``what`` describes them."""
    if isinstance(value, kinds):
        return value
    raise WrongTypeError(f"must be {what}; got {value!r}", parameter=parameter)


_MEANT = {
    **dict.fromkeys(("max", "maximum", "maximize", "maximise", "desc", "descending", "greater", "up"), "higher"),
    **dict.fromkeys(("min", "minimum", "minimize", "minimise", "asc", "ascending", "less", "smaller", "down"), "lower"),
}
"""What other programs call a direction."""


def did_you_mean(value: object, options: Iterable[str]) -> str:
    """``; did you mean 'x'?`` or nothing; capitals do not count, but where two names differ by them alone."""
    import difflib  # only on the way to an error: start-up is part of the interface

    names, text = list(options), value if isinstance(value, str) else shown(value)
    folded = {name.casefold(): name for name in reversed(names)}
    meant = _MEANT.get(text.casefold())
    near = (
        [meant]
        if meant in names
        else difflib.get_close_matches(text, names, n=1, cutoff=0.8)
        or [folded[key] for key in difflib.get_close_matches(text.casefold(), folded, n=1)]
    )
    return f"; did you mean {near[0]!r}?" if near else ""


def nearest_or_all(value: object, options: Iterable[str]) -> str:
    """``; did you mean 'x'?``, or if none is near ``; there are x, y and z``."""
    names = list(options)
    return did_you_mean(value, names) or f"; there are {fitting(names, 110)}"


def names_suggested(load: Callable[[str], object], module: str, names: list[str]) -> Callable[[str], object]:
    """A module's ``__getattr__``: as ``load``; of a name that it does not have, the nearest one is named."""

    def getattr_(name: str) -> object:
        try:
            return load(name)
        except AttributeError:
            if name in names or name.startswith("_"):
                raise
            rule = f"module {module!r} has no attribute {name!r}{did_you_mean(name, names)}"
            raise AttributeError(rule, name=name) from None

    return getattr_
