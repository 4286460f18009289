"""What a race returns: who is left, who left and why, what it cost, and what is promised."""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from typing import Any, Literal

from bakeoff.errors import Caution, counted, listing
from bakeoff.racing.rule import Measure, Reason
from bakeoff.scores import Array
from bakeoff.scores.cells import read_only

Stopped = Literal["one left", "no problems left", "budget", "rule", "interrupted"]
STOPPED: dict[str, str] = {
    "one left": "one candidate is left",
    "no problems left": "all problems were used",
    "budget": "the next block would have exceeded the budget",
    "rule": "the rule's plan is complete",
    "interrupted": "the race was stopped before its end",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaver:
    """A candidate that left, and when."""

    algorithm: str
    reason: Reason  # "worse", "equivalent" (to ``by``; not worse) or "not selected" (nothing is claimed)
    by: str | None  # who beat it, or is equivalent; None where the rule cannot say
    evidence: float  # in the result's ``measure``
    n_problems: int  # that the race had seen
    evaluations: int  # that the race had spent


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvidencePath:
    """The evidence against one candidate after every block it took part in."""

    algorithm: str
    n_problems: Array  # (looks,)
    evaluations: Array  # (looks,) spent by the whole race
    evidence: Array  # (looks,) the last one is what it left with

    def __post_init__(self) -> None:
        for array in (self.n_problems, self.evaluations, self.evidence):
            read_only(array)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A survivor beside the best one, on the problems that all survivors ran on; a win is one in all metrics."""

    algorithm: str
    mean_rank: float  # among the survivors; 1 is best
    wins: int  # of the best one over this one
    losses: int
    ties: int
    p_low: float | None  # confidence sequence for the chance that the best one wins where they differ: valid at
    p_high: float | None  # every look and for all pairs at once, with probability 1 − alpha; None: the best one itself

    @property
    def n_problems(self) -> int:
        return self.wins + self.losses + self.ties


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RaceResult:
    """What :func:`bakeoff.race` and ``bo.race.replay`` return. Candidates are called algorithms, as everywhere."""

    method: str
    alpha: float
    guarantee: str  # in words: what the rule promises, or that it promises nothing
    anytime: bool  # whether a promise holds however often one looks
    measure: Measure  # what ``evidence`` is: "e-value", "1 - p", "posterior" or "mean rank"
    threshold: float | None  # who has this much evidence against them leaves; None: the rule has no such number
    algorithms: tuple[str, ...]
    survivors: tuple[str, ...]  # lowest mean rank first
    best: str  # the first of the survivors: whom to choose, no claim that it beats the others
    eliminated: tuple[Leaver, ...]  # every one that left, in order
    equivalents: tuple[Leaver, ...]  # those of them that left as equivalent, not as worse
    discoveries: tuple[str, ...] | None  # e-BH: of this list of worse ones at most a share alpha are bests, on average
    standings: tuple[Standing, ...]  # of the survivors, the best one first
    paths: tuple[EvidencePath, ...]  # of every candidate, in the order of ``algorithms``
    problems: tuple[str, ...]  # in the order they were raced on
    n_problems: int
    n_available: int  # problems there were to race on
    n_dropped: int  # problems left out when the scores were read
    n_ties: int  # pairs of candidates with equal scores on a problem
    n_failed: int  # infinitely bad scores: runs that failed
    block: int
    evaluations: int  # cells that the race needed
    full_evaluations: int  # cells of the full design: all candidates on all available problems
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

    def to_dict(self) -> dict[str, Any]:
        """Names, numbers and lists; infinite evidence is None."""
        found: dict[str, Any] = _plain(self)
        return found

    def to_frame(self) -> Any:
        """A row for each candidate, best first, as a data frame (pandas if installed, else polars)."""
        return importlib.import_module("bakeoff.reading").make_frame(self._columns())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report (.html .md .tex .json), the race as a figure (.svg .png .pdf) or as a table (.csv .xlsx)."""
        importlib.import_module("bakeoff.report").save(self, path)

    def _columns(self) -> dict[str, list[Any]]:
        gone = {leaver.algorithm: leaver for leaver in self.eliminated}
        order = [*self.survivors, *(leaver.algorithm for leaver in reversed(self.eliminated))]
        paths = {path.algorithm: path for path in self.paths}
        return {
            "algorithm": order,
            "outcome": [gone[name].reason if name in gone else "survived" for name in order],
            "by": [(gone[name].by if name in gone else None) or "" for name in order],
            "n_problems": [gone[name].n_problems if name in gone else self.n_problems for name in order],
            "evidence": [float(paths[n].evidence[-1]) if len(paths[n].evidence) else 0.0 for n in order],
        }

    def __str__(self) -> str:
        left = f"{len(self.survivors)} of {len(self.algorithms)} left after {counted(self.n_problems, 'problem')}"
        share = f"{self.evaluations} of {self.full_evaluations} evaluations"
        return f"{self.method}: {left}: {listing(self.survivors)}; {share}; {STOPPED[self.stopped]}"


def _plain(value: Any) -> Any:
    """Dataclasses, tuples and arrays as what JSON knows."""
    import dataclasses
    import math

    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
