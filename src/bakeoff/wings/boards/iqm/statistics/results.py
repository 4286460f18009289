"""What interquartile_mean() returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.pair_family import Adjusted, WithPairs

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregateEstimate:
    """One algorithm over all tasks and runs, in the unit of the scores."""

    algorithm: str
    iqm: float  # interquartile mean: of all runs of all tasks without the lowest and the highest quarter
    interval: Interval  # of the interquartile mean
    standard_error: float
    df: float  # of Student's t
    mean: float
    mean_interval: Interval  # of the mean
    median: float  # of the means of tasks
    median_interval: Interval | None  # by percentiles alone
    optimality_gap: float | None  # mean shortfall from the goal; None without one
    optimality_gap_interval: Interval | None  # of the optimality gap; None without a goal


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregatePair(Adjusted):
    """One pair."""

    a: str
    b: str
    difference: float  # of the interquartile means, positive where a is better
    interval: Interval  # of this pair by itself
    standard_error: float
    df: float
    pvalue: float
    adjusted: float  # Holm's correction over the pairs
    verdict: str  # "a better", "b better", "no difference shown" or "cannot tell"
    p_improvement: float  # a run of a beats one of b on a random task, ties one half
    p_improvement_interval: Interval  # of the probability of improvement

    @property
    def turned(self) -> AggregatePair:
        """The same pair as b against a."""
        low, high = self.p_improvement_interval
        return self._turned(p_improvement=1.0 - self.p_improvement, p_improvement_interval=(1.0 - high, 1.0 - low))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class InterquartileMean(WithPairs[AggregatePair], Reportable):
    """What :func:`bakeoff.interquartile_mean` returns."""

    kind: ClassVar[str] = "iqm"

    scores: Scores
    control: str | None
    over: str  # "tasks" or "runs"
    interval: str  # "t" or "percentile"
    alpha: float
    goal: float | None  # score of a solved task, for the optimality gap; None: none
    n_resamples: int  # 0: none were drawn
    estimates: tuple[AggregateEstimate, ...]
    pairs: tuple[AggregatePair, ...]
    request: Mapping[str, object]
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()
