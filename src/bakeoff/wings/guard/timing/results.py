"""Results of a comparison of times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.pair_family import Turning, WithPairs, turned_ratios

Verdict = Literal["a better", "b better", "no difference shown", "cannot tell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandTimes:
    """One command: the times of its successful runs, none left out."""

    name: str
    n: int  # successful runs
    failed: int  # rounds in which it failed or was stopped by the timeout
    median: float  # median time, in seconds
    mean: float  # mean time, in seconds
    minimum: float  # smallest time, in seconds
    maximum: float  # largest time, in seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change of times, as a factor, with a 95 % interval of Student's t."""

    factor: float  # second half of the rounds against the first
    low: float
    high: float

    @property
    def shown(self) -> bool:
        """Whether the interval excludes no change."""
        return self.low > 1.0 or self.high < 1.0

    @property
    def turned(self) -> "Change":
        """The ratio the other way round."""
        low, high = turned_ratios((self.low, self.high))
        return replace(self, factor=1.0 / self.factor, low=low, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRatio(Turning):
    """The ratio of two commands: how many times as fast as b is a?"""

    a: str
    b: str
    rounds: int  # in which both ended well; of the order "abba", pairs of such rounds
    ratio: float | None  # the time of b divided by that of a: the median over rounds
    low: float | None  # None: not bounded yet, or no constant ratio agrees with all rounds
    high: float | None
    wins: int  # rounds in which a was faster
    losses: int
    evidence: float  # the largest e-value so far against a ratio of 1, not above 1e300
    decided_after: int | None  # rounds after which it was decided; None where it was not
    verdict: Verdict  # what is shown of the ratio
    known: bool  # to ± precision
    drift: Change | None  # of the ratio, from the first half of the rounds to the second

    @property
    def turned(self) -> "TimeRatio":
        """The same pair as b against a."""
        return self._turned(
            ratio=self.ratio and 1.0 / self.ratio,
            low=self.high and 1.0 / self.high,
            high=self.low and 1.0 / self.low,
            drift=self.drift and self.drift.turned,
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Timing(WithPairs[TimeRatio], Reportable):
    """The result of :func:`bakeoff.time_ratios` and :func:`bakeoff.time_commands`."""

    kind: ClassVar[str] = "time"

    scores: Scores  # seconds: one problem, a run per round
    control: str | None  # the command that all others are compared with; None for all pairs
    alpha: float
    precision: float  # half width, on the log scale, at which a ratio is known
    design: Literal["random", "abba"]  # how the runs of a round are ordered
    order: Mapping[str, Sequence[str]] | None  # of the commands in each round
    about: Mapping[str, str]
    n_rounds: int  # finished rounds
    commands: tuple[CommandTimes, ...]  # one entry per command
    pairs: tuple[TimeRatio, ...]
    order_effect: Change | None  # of a run's place: the factor from one place to the next
    level: float | None  # median time of a round in the second half over that in the first
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()  # those of ``cautions`` that are about how it was measured

    @property
    def request(self) -> Mapping[str, Any]:
        """The arguments of the call."""
        return {name: getattr(self, name) for name in ("control", "alpha", "precision", "design", "order", "about")}
