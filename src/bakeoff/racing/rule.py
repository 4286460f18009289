"""What every racing rule is: it sees committed blocks of problems, one after the other, and says who leaves.

A rule keeps what it needs to decide and nothing else: no clock, no randomness of its own making, no store. Shown the
same blocks again it makes the same decisions, which is how an interrupted race goes on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from bakeoff.checks import probability
from bakeoff.errors import Caution, ParameterError, TooLargeError
from bakeoff.scores.cells import Array

Reason = Literal["worse", "equivalent", "not selected"]
Measure = Literal["e-value", "1 - p", "posterior", "mean rank"]
MOST_CANDIDATES, MOST_IN_PAIRS = 100_000, 3000
"""By memory: rules on ranks keep a few numbers for every candidate, others for every pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elimination:
    """Candidate number ``candidate`` leaves after ``n_problems`` problems."""

    candidate: int
    n_problems: int
    reason: Reason
    by: int | None  # who beat it, where the rule can say
    evidence: float  # in the rule's measure; of an equivalence the smaller of its two e-values or its posterior


class Rule(ABC):
    """A field of candidates 0 … q − 1 that gets smaller."""

    name: ClassVar[str]
    guarantee: ClassVar[str]  # in words, with {alpha}
    measure: ClassVar[Measure] = "e-value"  # what ``evidence`` is
    anytime: ClassVar[bool] = True  # whether the error holds at every look
    takes_differences: bool = False  # infinite scores cannot be used
    most: ClassVar[int] = MOST_CANDIDATES
    threshold: float | None  # who has this much evidence against them leaves; None: no such number

    def __init__(self, n_candidates: int, alpha: float = 0.05) -> None:
        self.n_candidates = whole("n_candidates (a race needs at least 2)", n_candidates, 2, MOST_CANDIDATES)
        self._refuse_too_many(self.n_candidates)
        self.alpha = probability("alpha", alpha)
        self.alive = np.arange(n_candidates)  # who is left, by number
        self.n_problems = 0
        self.eliminations: list[Elimination] = []
        self.last_evidence: Array = np.zeros(0)  # after the last block, of those who took part in it

    def _refuse_too_many(self, n: int) -> None:
        if n > self.most:
            raise TooLargeError(
                f"the rule {self.name!r} keeps numbers for every pair and takes at most {self.most} candidates; "
                f"got {n}. 'e-rank' takes up to {MOST_CANDIDATES}"
            )

    @property
    @abstractmethod
    def evidence(self) -> Array:
        """How strongly each of those alive is contradicted as a best one, in the rule's own measure."""

    @property
    def promise(self) -> str:
        """The guarantee in words, with its numbers."""
        return self.guarantee.format(alpha=self.alpha)

    def wanted(self, block: int) -> int:
        """How many problems to run next, when blocks of ``block`` are asked for."""
        return block

    def observe(self, costs: Array) -> list[Elimination]:
        """A block of problems, lower is better: (block, candidates alive) in the order of ``alive``.

        A failed run is +inf: it loses against every run that did not fail and ties with those that did.
        """
        block = np.atleast_2d(np.asarray(costs, dtype=float))
        if block.ndim != 2 or block.shape[1] != len(self.alive) or np.any(np.isnan(block)):
            raise ParameterError(
                f"costs must have shape (block, {len(self.alive)}), a column for each candidate left and no NaN; "
                f"got {block.shape}"
            )
        if not len(block):
            return []
        if self.takes_differences and not np.all(np.isfinite(block)):
            raise ParameterError(f"the rule {self.name!r} takes differences of scores and cannot use an infinite one")
        return self._take(block)

    def _take(self, block: Array) -> list[Elimination]:
        self.n_problems += len(block)
        leaving = self._decide(block) if len(self.alive) > 1 else []
        self.last_evidence = self.evidence
        if leaving:
            gone = {elimination.candidate for elimination in leaving}
            keep = np.array([candidate not in gone for candidate in self.alive.tolist()])
            self._forget(keep)
            self.alive = self.alive[keep]
            self.eliminations += leaving
        return leaving

    def admit(self, n: int = 1) -> list[int]:
        """Take ``n`` new candidates into the running race, measured on the problems from now on; their numbers."""
        whole("n", n, 1, MOST_CANDIDATES)
        self._refuse_too_many(self.n_candidates + n)
        new = np.arange(self.n_candidates, self.n_candidates + n)
        self._welcome(n)
        self.n_candidates += n
        self.alive = np.append(self.alive, new)
        return new.tolist()

    def _welcome(self, n: int) -> None:
        """Make room for newcomers, where a rule can."""
        raise ParameterError(f"the rule {self.name!r} takes no candidates once the race has begun")

    @abstractmethod
    def _decide(self, block: Array) -> list[Elimination]:
        """Take the block in and say who leaves; at least one must stay."""

    @abstractmethod
    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        """Drop what is kept about those who leave."""

    def cautions(self) -> tuple[Caution, ...]:
        """What a reader of the result must know."""
        return ()

    def _worse(self, places: npt.NDArray[np.intp], evidence: Array, by: npt.NDArray[np.intp]) -> list[Elimination]:
        """Those at ``places`` leave as worse; ``by`` is the place of who beat each of those alive, −1: nobody."""
        return [
            Elimination(
                candidate=int(self.alive[i]),
                n_problems=self.n_problems,
                reason="worse",
                by=int(self.alive[by[i]]) if by[i] >= 0 else None,
                evidence=float(evidence[i]),
            )
            for i in places.tolist()
        ]


def wins_in(block: Array) -> npt.NDArray[np.int64]:
    """(m, m) how often the row's candidate beats the column's in a block of costs."""
    wins = np.zeros((block.shape[1],) * 2, dtype=np.int64)
    for row in block:
        wins += row[:, None] < row
    return wins


def leading(points: Array) -> tuple[int, int]:
    """The place of the best and of the second best; the earlier one in case of a tie."""
    best = int(np.argmax(points))
    others = points.copy()
    others[best] = -np.inf
    return best, int(np.argmax(others))


def crossed(evidence: Array, threshold: float) -> npt.NDArray[np.bool_]:
    """Who leaves: everybody with that much evidence against them, but the one with the least if that were all."""
    out = np.asarray(evidence >= threshold)
    if out.all():
        out[int(np.argmin(evidence))] = False
    return out


def flag(parameter: str, value: object) -> bool:
    """``value`` if it is True or False: any text, "no" too, would otherwise count as yes."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise ParameterError(f"{parameter} must be True or False; got {value!r}")


def whole(parameter: str, value: object, least: int, most: int) -> int:
    """``value`` if it is a whole number between the two."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and least <= value <= most:
        return int(value)
    raise ParameterError(f"{parameter} must be a whole number between {least} and {most}; got {value!r}")
