"""What a comparison on several metrics returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from bakeoff.dataclass import dataclass
from bakeoff.designed import of_means
from bakeoff.errors import Caution, UnknownNameError
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.design import Estimand
from bakeoff.scores.pair_family import Adjusted

State = Literal["frontier", "dominated", "cannot tell"]


Verdict = Literal["a better trade-off", "not shown", "cannot tell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricMean:
    """Mean of one metric, geometric where its margin is a percentage, with its own t interval at 1 − alpha."""

    metric: str  # its name
    mean: float  # of the metric, in its unit
    interval: tuple[float, float]  # of this mean by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeoffPair(Adjusted):
    """a against b; b against a is another pair.

    Attributes
    ----------
    a, b : str
    difference : {metric: float}
        Mean over problems, positive where a is better; of logarithms where the margin is a percentage.
    p_not_worse, p_better : {metric: float}
        One-sided: of "a is worse by the margin or more", and of "a is not better".
    p_better_tradeoff, adjusted : float
        max(largest p_not_worse, number of metrics × smallest p_better); by Holm over all ordered pairs.
    p_better_in_one : float
        Number of metrics × smallest p_better.
    verdict : {"a better trade-off", "not shown", "cannot tell"}
    """

    a: str
    b: str
    difference: Mapping[str, float]
    p_not_worse: Mapping[str, float]  # one-sided: of "a is worse by the margin or more"
    p_better: Mapping[str, float]  # one-sided: of "a is not better"
    p_better_tradeoff: float
    adjusted: float
    p_better_in_one: float
    verdict: Verdict  # of a against b, in that order


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where one algorithm stands.

    Attributes
    ----------
    algorithm, state : str, {"frontier", "dominated", "cannot tell"}
    means : tuple of MetricMean
    dominated_by : tuple of str
        Those shown to be a better trade-off, to which it is not one in turn.
    p_frontier, adjusted : float
        Largest p_better_in_one against any other; by Holm over the algorithms.
    p_pareto, monte_carlo_error : float
        Posterior probability that no other is as good in all metrics and better in one, whatever the margins.
    """

    algorithm: str
    state: State  # on the frontier, dominated, or open
    means: tuple[MetricMean, ...]  # one entry per metric
    dominated_by: tuple[str, ...]
    p_frontier: float
    adjusted: float
    p_pareto: float
    """Posterior probability that no other is as good in all metrics and better in one, whatever the margins."""
    monte_carlo_error: float  # of that probability


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Tradeoff(Reportable):
    """The result of :func:`bakeoff.tradeoff`."""

    kind: ClassVar[str] = "tradeoff"

    metrics: Mapping[str, Scores]  # aligned: the same problems and algorithms in the same order
    margins: Mapping[str, str]  # as a reader writes them: "0.01" or "5%"
    requested_margins: Mapping[str, float | str]
    alpha: float
    unit: Literal["cluster", "problem"]
    n_draws: int
    rng: int | None
    n_clusters: int
    pairs: tuple[TradeoffPair, ...]
    positions: tuple[Position, ...]  # in column order
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()

    @property
    def scores(self) -> Scores:
        """The scores of the first metric."""
        return next(iter(self.metrics.values()))

    @property
    def request(self) -> Mapping[str, object]:
        """The arguments of the call, but for the tables."""
        arguments = {name: getattr(self, name) for name in ("alpha", "rng", "unit", "n_draws")}
        return {"margins": dict(self.requested_margins)} | arguments

    @property
    def decision(self) -> str:
        """ "difference" if a trade-off is shown to be better, or an algorithm to be on the frontier; or "none"."""
        shown = any(pair.verdict == "a better trade-off" for pair in self.pairs)
        return "difference" if shown or self.frontier else "none"

    def _named(self, state: State) -> tuple[str, ...]:
        return tuple(position.algorithm for position in self.positions if position.state == state)

    @property
    def frontier(self) -> tuple[str, ...]:
        """Shown to be better than each other one in at least one metric, and not dominated."""
        return self._named("frontier")

    @property
    def dominated(self) -> tuple[str, ...]:
        """Those to which another one was shown to be a better trade-off."""
        return self._named("dominated")

    @property
    def cannot_tell(self) -> tuple[str, ...]:
        """Neither was shown."""
        return self._named("cannot tell")

    def pair(self, a: str | int, b: str | int) -> TradeoffPair:
        """a against b, in this order."""
        i, j = self.scores.pair(a, b)
        names = self.scores.algorithms[i], self.scores.algorithms[j]
        return next(pair for pair in self.pairs if (pair.a, pair.b) == names)

    def position(self, algorithm: str | int) -> Position:
        """The position of one algorithm."""
        return self.positions[self.scores.index(algorithm)]

    def margin(self, metric: str) -> str:
        """As given."""
        if metric not in self.margins:
            raise UnknownNameError(f"there is no metric {metric!r}; there are {', '.join(self.margins)}")
        return self.margins[metric]


def estimand(result: Tradeoff) -> Estimand:
    """The mean of each metric, by the weights that all of them have."""
    return of_means(result.scores, "mean of each metric")
