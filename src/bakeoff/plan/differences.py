"""The kinds of differences between two algorithms on one problem: a record each, from which all else follows.

With θ the statistic of an algorithm's runs (their mean, mostly), the difference of b and a is

simple:     φ = θ_b − θ_a                      (7) of Campelo & Takahashi (2019)
percent:    φ = (θ_b − θ_a)/θ_r, r a reference  (13)
log-ratio:  φ = log θ_b − log θ_a, where the mean is that of log-transformed runs (their sections 4.4 and 4.6):
            φ = mean(log x_b) − mean(log x_a), so exp φ is the ratio of geometric means

Standard errors and optimal ratios of runs follow from two facts: of what moments are taken (``logs``), and whether φ is
linear in them or is divided by a reference (:func:`bakeoff.plan.pilots.error_terms`).
"""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff import numerals
from bakeoff.dataclass import dataclass
from bakeoff.errors import ScoreError
from bakeoff.scores import Array

DifferenceKind = Literal["simple", "percent", "log-ratio"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """How differences of this kind are taken, and what reports write of them: effects."""

    name: DifferenceKind
    logs: bool  # of logarithms
    relative: bool  # divided by a reference, whose mean must be positive
    noun: str  # of one effect
    plural: str
    equal: float  # the effect where neither is better

    def measured(self, values: npt.ArrayLike) -> Array:
        """What moments are taken of: scores, or their logarithms; NaN (no run) stays."""
        scores = np.asarray(values, dtype=np.float64)
        if not self.logs:
            return scores
        if (scores <= 0).any():
            raise ScoreError(
                f"the kind 'log-ratio' needs scores above 0; one is {float(np.nanmin(scores)):g}. Leaving such "
                "problems out would favour one algorithm. Take 'simple' differences (by the sign test if sizes say "
                "nothing), or statistic='median' if most runs of every algorithm are above 0"
            )
        return np.asarray(np.log(scores))

    def effect(self, difference: float) -> float:
        """The effect that reports write: a ratio in place of its logarithm."""
        if not self.logs:
            return difference
        return math.exp(difference) if difference < 709.0 else math.inf

    def difference(self, effect: float) -> float:
        """The inverse of :meth:`effect`."""
        if not self.logs:
            return effect
        return math.log(effect) if effect > 0.0 else -math.inf

    def written(self, effect: float) -> str:
        """An effect in words: a score, ``12.30 %`` of the reference, or ``× 1.23``."""
        if self.logs:
            return f"× {numerals.significant(effect, 4)}"
        return f"{numerals.decimals(100 * effect, 2)} %" if self.relative else numerals.score(effect)

    def exactly(self, effect: float) -> str:
        """The same of an effect that a user gave: no digit is rounded away."""
        if self.logs:
            return f"× {effect:.12g}"
        digits = f"{100 * effect if self.relative else effect:.12g}".replace("-", "−")
        return f"{digits} %" if self.relative else digits

    def of(self, statistic: str) -> str:
        """Which differences of a statistic, in words: ``percent differences of means``."""
        return f"{self.plural} of {'geometric ' if self.logs and statistic == 'mean' else ''}{statistic}s"


_EACH = (
    Kind(name="simple", logs=False, relative=False, noun="difference", plural="simple differences", equal=0.0),
    Kind(name="percent", logs=False, relative=True, noun="difference", plural="percent differences", equal=0.0),
    Kind(name="log-ratio", logs=True, relative=False, noun="ratio", plural="log ratios", equal=1.0),
)
KINDS: dict[str, Kind] = {kind.name: kind for kind in _EACH}
DIFFERENCES = tuple(KINDS)
