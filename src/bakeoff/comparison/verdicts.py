"""The verdicts about a pair, and the margin that adds three of them: the smallest difference that matters."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

from bakeoff.checks import flag, positive
from bakeoff.errors import NotANumberError, ParameterError

_PERCENT = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*%\s*")
_RULE = 'must be a number above 0 in score units, or a percentage such as "5%"'


Verdict = (
    Literal["a better", "b better", "no difference shown", "cannot tell", "depends on the missing scores"]
    | Literal["practically equal", "a not worse", "b not worse"]
)

OF_MARGIN = (
    *("p_equal", "p_a_not_worse", "p_b_not_worse"),
    *("adjusted_equal", "adjusted_a_not_worse", "adjusted_b_not_worse"),
)
"""What a pair has if there is a margin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """Two algorithms are equal if their difference is strictly between −value and value."""

    value: float  # in the unit of the differences: score units, or a logarithm of a ratio of scores
    scale: Literal["difference", "log-ratio"]
    given: str  # as a reader writes it: 0.01 or 5%

    @property
    def relative(self) -> bool:
        return self.scale == "log-ratio"


def margin_of(given: object, relative: object = False) -> Margin:
    """``given`` with its unit: a number, in score units or (``relative``) as a fraction; or text such as ``5%``."""
    as_fraction = flag("relative", relative)
    if isinstance(given, str):
        found = _PERCENT.fullmatch(given)
        if found is None or not 0.0 < float(found[1]) < math.inf:
            raise ParameterError(f"{_RULE}; got {given!r}", parameter="margin")
        return _percentage(float(found[1]))
    if given is None:
        rule = f"{_RULE}: the smallest difference that matters, fixed before the scores were seen; it is missing"
        raise NotANumberError(rule, parameter="margin")
    value = positive("margin", given, what=_RULE.removeprefix("must be "))
    return _percentage(100.0 * value) if as_fraction else Margin(value=value, scale="difference", given=f"{value:.12g}")


def _percentage(percent: float) -> Margin:
    """Neither score exceeds the other by so many percent: |ln(x_a/x_b)| < ln(1 + percent/100)."""
    return Margin(value=math.log1p(percent / 100.0), scale="log-ratio", given=f"{percent:.12g}%")
