"""The result of a race: survivors, eliminated candidates, cost and guarantee."""

from typing import ClassVar, Literal

from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Array
from bakeoff.scores.cells import read_only
from bakeoff.scores.design import Estimand
from bakeoff.wings.run.racing.rules.rule import Measure, Reason

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
    reason: Reason  # "worse" or "equivalent" (to ``by``; not worse)
    by: str | None  # the candidate that beat it or is equivalent; None if the rule identifies none
    evidence: float  # in the result's ``measure``
    n_problems: int  # used by the race until then
    evaluations: int  # spent by the whole race until then


@dataclass(frozen=True, slots=True, eq=False)
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
    wins: int  # of the best over this one, in problems
    losses: int
    ties: int
    p_low: float | None
    """Low end of a confidence sequence for the probability that the best wins where they differ: valid at every look
    and for all pairs jointly; None for the best itself."""
    p_high: float | None  # high end of the same confidence sequence; None for the best itself

    @property
    def n_problems(self) -> int:
        return self.wins + self.losses + self.ties


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RaceResult(Reportable):
    """The result of :func:`bakeoff.race` and ``bo.race.replay``. Candidates are called algorithms, as everywhere.

    Attributes
    ----------
    verdict : str
        The sentence that every report begins with.
    best, claim : str
        The survivor with the lowest mean rank, or the one chosen by e-choose; the claim about it: empty except for
        e-choose, so that otherwise it is just a choice.
    survivors : tuple of str
        Lowest mean rank first.
    standings : tuple of Standing
        Of the survivors, the best first: mean rank, wins, confidence sequences.
    eliminated, equivalents : tuple of EliminatedCandidate
        In order: when, by whom and why; those among them eliminated as equivalent, not as worse.
    discoveries : tuple of str, or None
        By e-BH: the expected share of bests among these is at most alpha.
    guarantee, anytime : str, bool
        In words, beginning with "none" if there is none; whether it holds at every look.
    method, alpha, measure, threshold : str, float, str, float or None
        The rule; the scale of evidence ("e-value", "1 - p" or "posterior"), and at which evidence a
        candidate is eliminated, if the rule has such a number.
    paths : tuple of EvidencePath
        The evidence against every candidate, in the order of ``algorithms``.
    algorithms, problems : tuple of str
        All candidates; problems in racing order.
    metric : str or None
        What the scores are, if a table said so.
    n_problems, n_available, n_dropped : int
        Problems used, available, and left out when the scores were read.
    n_clusters, n_available_clusters : int or None
        Clusters used and available, if problems are in clusters; a whole cluster then counts as one problem.
    n_ties, n_failed : int
        Pairs of candidates with equal scores on a problem; infinitely bad scores of failed runs.
    block, budget, order, stopped : int, float or None, str, str
        Problems between two looks; the most that may be spent; how problems were ordered; why the race ended.
    evaluations, full_evaluations : int
        Cells used; cells of the full design: every candidate on every problem available to it.
    cost, full_cost, saved : float
        The same in the unit of the problems' costs, and the share that was not spent.
    cautions : tuple of Caution
        What a reader must know before quoting the result.
    """

    kind: ClassVar[str] = "race"

    method: str  # the racing rule
    alpha: float  # its level
    guarantee: str
    anytime: bool
    measure: Measure  # the scale of evidence: e-value, 1 - p, posterior or mean rank
    threshold: float | None  # at which evidence a candidate is eliminated; None if the rule has no such number
    algorithms: tuple[str, ...]  # all candidates
    survivors: tuple[str, ...]
    best: str
    claim: str
    eliminated: tuple[EliminatedCandidate, ...]
    equivalents: tuple[EliminatedCandidate, ...]
    discoveries: tuple[str, ...] | None
    standings: tuple[Standing, ...]
    paths: tuple[EvidencePath, ...]
    problems: tuple[str, ...]  # in racing order
    n_problems: int  # problems used
    n_available: int  # problems available
    n_dropped: int  # problems left out when the scores were read
    n_ties: int
    n_failed: int
    block: int  # problems between two looks
    evaluations: int
    full_evaluations: int
    cost: float  # what was spent, in the unit of the problems' costs
    full_cost: float  # what the full design costs
    budget: float | None  # the most that may be spent; None: no limit
    order: str  # how problems were ordered
    stopped: Stopped  # why the race ended
    cautions: tuple[Caution, ...]
    metric: str | None = None
    n_clusters: int | None = None
    """Clusters used, if problems are in clusters: a whole one then counts as one problem; else None."""
    n_available_clusters: int | None = None  # clusters available, if problems are in clusters; else None

    @property
    def decision(self) -> str:
        """ "difference" if a candidate was eliminated as worse, with a guarantee; or "none"."""
        worse = any(candidate.reason == "worse" for candidate in self.eliminated)
        return "difference" if worse and not self.guarantee.startswith("none") else "none"

    @property
    def saved(self) -> float:
        """The share of the full design's cost that was not spent."""
        return 1.0 - self.cost / self.full_cost if self.full_cost else 0.0


def estimand_of_race(result: RaceResult) -> Estimand:
    """Problems won and lost, each of which counts the same; or clusters."""
    return Estimand(weights="problems" if result.n_clusters is None else "clusters")
