"""The margin, and the scale on which it is meant: a ratio of scores, or their difference."""

import math
import re
from dataclasses import dataclass

import numpy as np

from bakeoff.checks import choice, number
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.scores import Array, Scores

SCALES = ("auto", "ratio", "difference")
_PERCENT = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*%\s*")
_RULE = 'must be 0 or more: a fraction such as 0.05, or "5%" (of the baseline, or percentage points of a share)'


@dataclass(frozen=True, slots=True)
class Scale:
    """From scores to costs whose differences are analysed, and back to the unit of the margin."""

    ratio: bool
    lower: bool  # lower scores are better

    def costs(self, scores: Array) -> Array:
        """Logarithms on the scale of ratios; turned so that more is worse."""
        values = np.log(scores) if self.ratio else scores
        return values if self.lower else -values

    def effect(self, theta: Array | float) -> Array:
        """As the margin is given: by what fraction, or how much, new is worse."""
        x = np.asarray(theta, dtype=np.float64)
        if not self.ratio:
            return x + 0.0
        return np.expm1(x) if self.lower else -np.expm1(-x) + 0.0

    def theta(self, margin: float, percent: bool = False) -> float:
        """The margin as a difference of costs."""
        if not self.ratio:
            return margin
        if margin >= 1.0 and not percent:
            rule = f'is a fraction of the baseline: {margin:g} is {100 * margin:g} %. Give "{margin:g}%" or, if that is'
            raise ParameterError(f'{rule} meant, "{100 * margin:g}%"', parameter="margin")
        if self.lower:
            return math.log1p(margin)
        if margin >= 1.0:
            raise ParameterError(
                f"must be below 100 % where higher is better: nothing falls by more; got {margin:g}", parameter="margin"
            )
        return -math.log1p(-margin)

    def back(self, cost: Array) -> Array:
        """A mean of costs as a score."""
        values = cost if self.lower else -cost
        return np.exp(values) if self.ratio else values + 0.0


def margin_value(given: object) -> tuple[float, bool]:
    """The margin, and whether it is given in per cent."""
    if isinstance(given, str):
        found = _PERCENT.fullmatch(given)
        if found is None:
            try:
                return number("margin", float(given), least=0.0, what=_RULE.removeprefix("must be ")), False
            except ValueError:
                raise ParameterError(f"{_RULE}; got {given!r}", parameter="margin") from None
        return float(found[1]) / 100.0, True
    if given is None:
        raise ParameterError(
            f"{_RULE}: the worsening that may pass, fixed beforehand; it is missing", parameter="margin"
        )
    return number("margin", given, least=0.0, what=_RULE.removeprefix("must be ")), False


def scale_of(scores: Scores, asked: str, percent: bool, of_processes: bool) -> Scale:
    """ "auto": shares (all scores in [0, 1], higher is better) by their difference, else positive scores by ratios."""
    choice("scale", asked, SCALES)
    cells = scores.values if scores.runs is None else scores.runs
    there = cells[~np.isnan(cells)]
    positive, share = bool((there > 0).all()), bool(((there >= 0) & (there <= 1)).all())
    if not np.isfinite(there).all():
        raise ScoreError("has infinite scores, which have no difference; a failed run needs a status", parameter="new")
    wanted = asked
    if asked == "auto":
        doubtful = share and not of_processes and (scores.better == "higher" or not percent)
        rates = share and not positive and scores.better == "higher"  # such as 0 and 1: they have no ratio
        wanted = "difference" if doubtful or rates else "ratio"
    if wanted == "ratio" and not positive:
        raise ScoreError(
            f"has scores of 0 or less, {there.min():g} the least, which have no ratio; give scale='difference' and the "
            "margin in score units",
            parameter="new",
        )
    if wanted == "difference" and percent and not share:
        raise ParameterError(
            "must be a number in score units with scale='difference': the scores are no shares between 0 and 1, of "
            "which per cent would be percentage points",
            parameter="margin",
        )
    return Scale(wanted == "ratio", scores.better == "lower")
