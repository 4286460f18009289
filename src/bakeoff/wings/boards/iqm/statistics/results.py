"""What the interquartile mean and its pairs are returned as."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from bakeoff.dataclass import dataclass
from bakeoff.designed import averaged_runs, of_means
from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.design import Estimand
from bakeoff.scores.pair_family import Adjusted, WithPairs

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregateEstimate:
    """One algorithm over all problems and runs, in the unit of the scores."""

    algorithm: str
    iqm: float  # interquartile mean: of all runs of all problems without the lowest and the highest quarter
    interval: Interval  # of the interquartile mean
    standard_error: float
    df: float  # of Student's t
    mean: float
    mean_interval: Interval  # of the mean
    median: float  # of the means of problems, each of which counts the same
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
    p_improvement: float  # a run of a beats one of b on a problem, ties one half
    p_improvement_interval: Interval  # of the probability of improvement

    @property
    def turned(self) -> AggregatePair:
        """The same pair as b against a."""
        low, high = self.p_improvement_interval
        return self._turned(p_improvement=1.0 - self.p_improvement, p_improvement_interval=(1.0 - high, 1.0 - low))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class InterquartileMean(WithPairs[AggregatePair], Reportable):
    """The result of :func:`bakeoff.interquartile_mean`."""

    kind: ClassVar[str] = "iqm"

    scores: Scores
    control: str | None
    over: str  # "problems" (formerly "tasks") or "runs"
    interval: str  # "t" or "percentile"
    alpha: float
    goal: float | None  # score of a solved task, for the optimality gap; None: none
    n_resamples: int  # 0: none were drawn
    estimates: tuple[AggregateEstimate, ...]
    pairs: tuple[AggregatePair, ...]
    request: Mapping[str, object]
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()


def estimand(result: InterquartileMean) -> Estimand:
    """The interquartile mean, by the weights of the design, and for which runs it speaks."""
    scores = result.scores
    runs = averaged_runs(scores).replace("each score is the mean of", "each with", 1)
    if result.over == "runs":
        runs = f"for other runs of these problems; {runs}"
    return of_means(scores, f"interquartile mean of {scores.metric or 'scores'}", runs)
