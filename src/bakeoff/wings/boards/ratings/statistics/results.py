"""The result of ratings()."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores
from bakeoff.scores.pair_family import Adjusted, WithPairs
from bakeoff.wings.boards.ratings.statistics.battles import Battles

ELO = 400.0 / math.log(10.0)
"""Points of a log strength of 1: at 400 points more, the odds of winning are 10 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPair(Adjusted):
    """One pair."""

    a: str
    b: str
    difference: float  # of log strengths, positive where a is stronger
    standard_error: float
    interval: tuple[float, float]  # simultaneous over all pairs
    pvalue: float
    adjusted: float  # single-step max-|t| over all pairs
    verdict: str  # "a better", "b better", "no difference shown" or "cannot tell"
    p_beats: float  # P(a beats b | one of them wins), as estimated
    battles: float  # in which the two met

    @property
    def turned(self) -> RatedPair:
        """The same pair as b against a."""
        return self._turned(p_beats=1.0 - self.p_beats)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedCovariate:
    """The effect of a covariate: how much a difference between the two sides moves the odds of winning."""

    covariate: str  # its name; of words, with the word
    scale: float  # effects are of this difference: the root mean square over battles, 1 of indicators
    effect: float  # on the log odds
    standard_error: float
    interval: tuple[float, float]  # of this one by itself
    pvalue: float  # that it does nothing, by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedChange:
    """One pair in the two categories between which its distance differs most surely."""

    a: str
    b: str
    first: str  # a category
    second: str  # another one
    difference_first: float  # of log strengths in the first category, positive where a is stronger
    difference_second: float  # in the second
    change: float  # the first of these less the second
    standard_error: float  # of the change
    pvalue: float  # that both categories have one distance: Welch's t
    adjusted: float  # by Holm over all pairs and all pairs of categories
    verdict: str  # "order changes", "distance changes" or "no change shown"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RatedBoard(WithPairs[RatedPair]):
    """Strengths by some battles; arrays are in the order of ``algorithms``."""

    category: str | None  # None: all battles
    battles: Battles
    algorithms: tuple[str, ...]
    reference: str | None  # None also where it has no battle in the category
    strengths: Array  # (k,) log strengths; they sum to 0, or are relative to the reference
    standard_errors: Array  # (k,) of these
    intervals: Array  # (k, 2) of these, each by itself
    covariance: Array  # (k, k) of log strengths that sum to 0: var(θ_i − θ_j) = C_ii + C_jj − 2·C_ij
    pairs: tuple[RatedPair, ...]
    rank_intervals: npt.NDArray[np.int64]  # (k, 2) simultaneous: 1 + surely better ones, k − surely worse ones
    covariates: tuple[RatedCovariate, ...]  # strengths are those of sides that do not differ in them
    tie_parameter: float | None  # Davidson's ν; None where ties are not modelled
    deviance: float | None  # None where ties count as half wins, or with covariates
    deviance_df: int | None  # degrees of freedom of the deviance
    deviance_pvalue: float | None  # of the fit
    log_likelihood: float  # at the estimate
    method: str  # "bradley-terry" or "davidson"
    penalty: str  # "none" or "firth"
    errors: str  # "information", "bootstrap", or "jackknife" of clusters beside covariates
    df: float | None  # of Student's t, G − 1; None: normal distribution
    critical: float  # simultaneous intervals reach so many standard errors
    n_resamples: int
    resamples_left_out: int
    cautions: tuple[Caution, ...]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.category!r}: {self.battles!r}>"

    @property
    def elo(self) -> Array:
        """(k,) strengths on Elo's scale, 400/ln 10 points each: of the fitted model, not updated battle by battle."""
        return np.asarray(self.strengths * ELO)

    @property
    def leaders(self) -> tuple[str, ...]:
        """Those that may be the strongest."""
        return tuple(n for n, low in zip(self.algorithms, self.rank_intervals[:, 0], strict=True) if low == 1)

    def _algorithms(self) -> tuple[str, ...]:
        return self.algorithms


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ratings(RatedBoard, Reportable):
    """The result of :func:`bakeoff.ratings`: of all battles, and of each category in ``boards``."""

    kind: ClassVar[str] = "ratings"

    scores: Scores | None  # that the battles were made from
    boards: tuple[RatedBoard, ...]  # of the categories, if battles have any
    n_boards: int  # judged at once, with the one of all battles
    unrated: tuple[tuple[str, str], ...]  # categories without a board, and why
    changes: tuple[RatedChange, ...]  # of each pair that two categories have, the surest first
    n_changes: int  # pairs of algorithms and of categories that were compared
    alpha: float
    request: Mapping[str, object]
    added: tuple[Caution, ...] = ()

    __repr__ = Reportable.__repr__
