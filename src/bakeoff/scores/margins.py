"""Reading a margin, the smallest difference that matters: a number in score units, or a ratio such as ``5%``."""

import math
import re
from typing import Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import flag, number
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, NotANumberError, ParameterError, Severity
from bakeoff.scores._scores import Scores

_PERCENT = re.compile(r"\s*((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*%\s*")
_RULE = 'must be a number above 0 in score units, or a percentage such as "5%"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """Two algorithms are equal if their difference is strictly between −value and value."""

    value: float  # in the unit of the differences: score units, or a logarithm of a ratio of scores
    scale: Literal["difference", "log-ratio"]
    given: str  # as a reader writes it: 0.01 or 5%
    tests: tuple[str, ...] = ()  # that were used against it: "wilcoxon", "t", "share"

    @property
    def relative(self) -> bool:
        return self.scale == "log-ratio"


def margin_of(margin: object, relative: object = False) -> Margin:
    """``margin`` with its unit: a number, in score units or (``relative``) as a fraction; or text such as ``5%``."""
    as_fraction = flag("relative", relative)
    value, percent = read_margin(margin, _RULE, "the smallest difference that matters")
    if percent or as_fraction:
        return Margin(value=math.log1p(value), scale="log-ratio", given=f"{100.0 * value:.12g}%")
    return Margin(value=value, scale="difference", given=f"{value:.12g}")


def read_margin(
    margin: object, rule: str, meaning: str, *, zero: bool = False, parameter: str = "margin"
) -> tuple[float, bool]:
    """The number, and whether it is a ratio: ``5%`` is 0.05. ``zero``: 0 is a margin, too."""
    if margin is None:
        text = f"{rule}: {meaning}, fixed before the scores were seen; it is missing"
        raise NotANumberError(text, parameter=parameter)
    if not isinstance(margin, str):
        least = 0.0 if zero else math.ulp(0.0)
        return number(parameter, margin, least=least, what=rule.removeprefix("must be ")), False
    match = _PERCENT.fullmatch(margin)
    value = math.nan if match is None else float(match[1]) / 100.0
    if not (math.isfinite(value) and (value > 0.0 or (zero and value == 0.0))):
        bare = ": give it without quotes if it is in score units" if _is_bare(margin) else ""
        raise ParameterError(f"{rule}; got {margin!r}{bare}", parameter=parameter)
    return value, True


FEWEST = 5
"""Problems from which the range of the scores says something of their scale."""


def beyond_scores(scores: Scores, margin: float, parameter: str = "margin") -> list[Caution]:
    """Warn of a margin wider than any difference of scores; "stop" where no score is as large: 5 for 5 %, say."""
    values = scores.values[np.isfinite(scores.values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    grave = margin >= max(-low, high)
    if low == high or margin <= high - low or not (grave or scores.n_problems >= FEWEST):
        return []
    severity: Severity | None = "stop" if grave else None
    code = "margin-beyond-scores"
    return [caution_of(code, severity=severity, called=parameter, margin=margin, low=low, high=high)]


def _is_bare(text: str) -> bool:
    """A number as text, which has no unit."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def require_ratio(margin: float, where: str, otherwise: str) -> None:
    """Refuse a number without a unit where scores are compared by their ratios, with both of its readings."""
    percent = margin if margin >= 1.0 else 100.0 * margin
    rule = f'must be a percentage {where}: "{percent:.12g}%" for a ratio; or {margin:.12g} in score units {otherwise}'
    raise ParameterError(f"{rule}; got {margin:.12g}", parameter="margin")
