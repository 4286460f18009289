"""What a race returns: survivors, eliminated candidates, cost and guarantee."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from bakeoff.errors import Caution
from bakeoff.racing.rules.rule import Measure, Reason
from bakeoff.reportable import Reportable
from bakeoff.scores import Array
from bakeoff.scores.cells import read_only

Stopped = Literal["one left", "no problems left", "budget", "rule", "chosen", "interrupted"]
STOPPED: dict[str, str] = {
    "one left": "one candidate survives",
    "no problems left": "all problems were used",
    "budget": "the next block would have exceeded the budget",
    "rule": "the rule's plan is complete",
    "chosen": "one candidate was chosen",
    "interrupted": "the race was stopped before its end",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EliminatedCandidate:
    """A candidate that was eliminated, when and why."""

    algorithm: str
    reason: Reason  # "worse", "equivalent" (to ``by``; not worse) or "not selected" (nothing is claimed)
    by: str | None  # the candidate that beat it or is equivalent; None if the rule identifies none
    evidence: float  # in the result's ``measure``
    n_problems: int  # used by the race until then
    evaluations: int  # spent by the whole race until then


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvidencePath:
    """The evidence against one candidate after every block it took part in."""

    algorithm: str
    n_problems: Array  # (looks,)
    evaluations: Array  # (looks,) spent by the whole race
    evidence: Array  # (looks,) ending, if it was eliminated, with the evidence that did it

    def __post_init__(self) -> None:
        for array in (self.n_problems, self.evaluations, self.evidence):
            read_only(array)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A survivor beside the best one, on the problems that all survivors ran on; a win is one in all metrics."""

    algorithm: str
    mean_rank: float  # among the survivors; 1 is best
    wins: int  # of the best over this one
    losses: int
    ties: int
    p_low: float | None  # confidence sequence for the probability that the best wins where they differ: valid at
    p_high: float | None  # every look and for all pairs jointly, with probability 1 − alpha; None: the best itself

    @property
    def n_problems(self) -> int:
        return self.wins + self.losses + self.ties


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RaceResult(Reportable):
    """What :func:`bakeoff.race` and ``bo.race.replay`` return. Candidates are called algorithms, as everywhere."""

    kind: ClassVar[str] = "race"

    method: str
    alpha: float
    guarantee: str  # in words; begins with "none" if there is no guarantee
    anytime: bool  # whether a guarantee holds at every look
    measure: Measure  # the scale of ``evidence``: "e-value", "1 - p", "posterior" or "mean rank"
    threshold: float | None  # evidence at which a candidate is eliminated; None: the rule has no such number
    algorithms: tuple[str, ...]
    survivors: tuple[str, ...]  # lowest mean rank first
    best: str  # the survivor with the lowest mean rank, or the one chosen by e-choose: without ``claim`` just a choice
    claim: str  # what is claimed about it; empty but for e-choose
    eliminated: tuple[EliminatedCandidate, ...]  # in order
    equivalents: tuple[EliminatedCandidate, ...]  # those eliminated as equivalent, not as worse
    discoveries: tuple[str, ...] | None  # e-BH: expected share of bests among these is at most alpha
    standings: tuple[Standing, ...]  # of the survivors, the best first
    paths: tuple[EvidencePath, ...]  # of every candidate, in the order of ``algorithms``
    problems: tuple[str, ...]  # in racing order
    n_problems: int
    n_available: int  # problems available
    n_dropped: int  # problems left out when the scores were read
    n_ties: int  # pairs of candidates with equal scores on a problem
    n_failed: int  # infinitely bad scores: runs that failed
    block: int
    evaluations: int  # cells used by the race
    full_evaluations: int  # cells of the full design: every candidate on every problem available to it
    cost: float  # of the evaluations, in the unit of the problems' costs (1 each if none were given)
    full_cost: float
    budget: float | None
    order: str  # how the problems were ordered, in words
    stopped: Stopped
    cautions: tuple[Caution, ...]

    @property
    def saved(self) -> float:
        """The share of the full design's cost that was not spent."""
        return 1.0 - self.cost / self.full_cost if self.full_cost else 0.0
