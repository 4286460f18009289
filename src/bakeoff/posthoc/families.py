"""Tests of a whole family of pairs at once, as compare() uses them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bakeoff.adjusting import AdjustmentMethod
from bakeoff.posthoc._dunnett import dunnett
from bakeoff.posthoc._tukey import tukey
from bakeoff.posthoc.pairs import Pairs, PairTests
from bakeoff.scores import Array, Scores


def _unbounded(smallest_raw: float, k: int) -> float:
    """Pooled t statistics have no bound."""
    return 0.0 if smallest_raw == 0.0 else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyTest(AdjustmentMethod):
    """``function(scores, family, tests, control)``: the adjusted p-values of the family, in its order."""

    function: Callable[[Scores, Pairs, PairTests, int | None], Array]
    control: bool  # for comparisons with a control; else for all pairs
    pairwise: str  # the raw test of a pair that it belongs to
    omnibus: str | None = None  # the omnibus test that it belongs to, if to one
    advice: str  # what an error says where it does not fit
    smallest: Callable[[float, int], float] = _unbounded  # of the smallest raw p and k: the smallest adjusted p

    def fits(self, control: bool, omnibus: str, pairwise: str) -> bool:
        """Whether it can be asked for beside these choices."""
        return self.control == control and self.pairwise == pairwise and self.omnibus in (None, omnibus)


def adjusted_by_dunnett(scores: Scores, family: Pairs, tests: PairTests, control: int | None) -> Array:
    """Of each algorithm against the control."""
    return dunnett(scores, 0 if control is None else control).pvalue


def adjusted_by_tukey(scores: Scores, family: Pairs, tests: PairTests, control: int | None) -> Array:
    """Of all pairs."""
    a, b = np.array(family, dtype=np.intp).T
    chosen: Array = tukey(scores).pvalue[a, b]
    return chosen
