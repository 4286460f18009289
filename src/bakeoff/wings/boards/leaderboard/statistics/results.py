"""What a leaderboard returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from bakeoff.dataclass import dataclass
from bakeoff.designed import averaged_runs, of_means
from bakeoff.errors import Caution
from bakeoff.means.run_means import Over as Over
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.design import Estimand
from bakeoff.scores.pair_family import WithPairs
from bakeoff.wings.boards.evaluate.statistics import Evaluation, EvaluationPair, Unit

Interval = tuple[float, float]


By = Literal["mean", "mean-rank"]


Correction = Literal["hybrid", "simultaneous", "wilson", "unvaried", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """The algorithm with the best value, and what it is worth once it is remembered that it was chosen for it.

    Attributes
    ----------
    algorithm, value, standard_error : str, float, float
        Observed mean (or mean rank), with its error over problems or clusters.
    estimate : float or None
        Median-unbiased given that it won, and within ``interval``; if that is simultaneous, less the median of the
        largest error.
    interval : (float, float) or None
        At 1 − alpha, given the choice (``method`` "hybrid", β = α/10; just behind it a rival, with the next). Of all
        algorithms at once with a tie or units worth fewer than five of equal size ("simultaneous") and of right and
        wrong answers ("wilson"). The same value throughout, while others vary: what rare other scores within the range
        of the table allow ("unvaried"). None with units worth fewer than three, or without any variation ("none").
    naive_interval : (float, float)
        As if it had been the only one.
    tied : tuple of str
        Others with the same value.
    """

    algorithm: str  # its name
    value: float  # observed mean (or mean rank)
    standard_error: float  # of the value, over problems or clusters
    estimate: float | None
    interval: Interval | None
    naive_interval: Interval
    tied: tuple[str, ...]
    method: Correction  # of the correction

    @property
    def correction(self) -> float | None:
        """The estimate of what the choice added."""
        return None if self.estimate is None else self.value - self.estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardRow:
    """One row: ``rank`` (best, worst) has simultaneous confidence over all rows."""

    algorithm: str
    value: float
    standard_error: float
    rank: tuple[int, int]
    candidate: bool  # not shown to be worse than any
    leading: bool  # not shown to differ from the winner


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Leaderboard(WithPairs[EvaluationPair], Reportable):
    """The result of :func:`bakeoff.leaderboard`."""

    kind: ClassVar[str] = "leaderboard"

    scores: Scores
    alpha: float
    by: By  # what algorithms are ordered by
    unit: Unit  # what counts as independent
    over: Over  # what else could have come out
    n_resamples: int
    rng: int | None
    evaluation: Evaluation  # of the scores, or of their ranks: means, pairs, tied sets
    winner: Winner  # the first of the list, its value corrected for having been chosen
    standings: tuple[LeaderboardRow, ...]  # the best value first
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()

    @property
    def request(self) -> Mapping[str, object]:
        """The arguments of the call."""
        named = {name: getattr(self, name) for name in ("alpha", "rng", "by", "unit", "over", "n_resamples")}
        return named | ({"unit": None} if self.unit == "run" else {})

    @property
    def candidates(self) -> tuple[str, ...]:
        """Those not shown to be worse than any other: with confidence 1 − alpha the truly best is among them."""
        return tuple(row.algorithm for row in self.standings if row.candidate)

    @property
    def leading(self) -> tuple[str, ...]:
        """The winner, and those not shown to differ from it."""
        return tuple(row.algorithm for row in self.standings if row.leading)

    @property
    def rank_intervals(self) -> dict[str, tuple[int, int]]:
        """{name: (best, worst)}, of all at once."""
        return dict(self.evaluation.rank_intervals)

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Maximal sets of which no two were shown to differ, best first."""
        return self.evaluation.groups

    @property
    def pairs(self) -> tuple[EvaluationPair, ...]:
        return self.evaluation.pairs

    @property
    def n_clusters(self) -> int:
        """Independent units."""
        return self.evaluation.n_clusters


def estimand(result: Leaderboard) -> Estimand:
    """The mean that orders the algorithms, and for which runs it speaks."""
    runs = averaged_runs(result.scores)
    return of_means(
        result.scores,
        "mean rank" if result.by == "mean-rank" else "",
        f"for other runs of these problems; {runs}" if result.over == "runs" else runs,
    )
