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

from bakeoff.errors import Caution, ParameterError, probability
from bakeoff.scores.cells import Array

Reason = Literal["worse", "equivalent", "not selected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Elimination:
    """Candidate number ``candidate`` leaves after ``n_problems`` problems."""

    candidate: int
    n_problems: int
    reason: Reason
    by: int | None  # who beat it, where the rule can say
    evidence: float  # an e-value, or one minus a p-value or posterior probability: see the rule


class Rule(ABC):
    """A field of candidates 0 … q − 1 that gets smaller."""

    name: ClassVar[str]
    guarantee: ClassVar[str]  # in words, with {alpha}

    def __init__(self, n_candidates: int, alpha: float = 0.05) -> None:
        if n_candidates < 2:
            raise ParameterError(f"a race needs at least 2 candidates; got {n_candidates}")
        probability("alpha", alpha)
        self.alpha = alpha
        self.alive = np.arange(n_candidates)  # who is left, by number
        self.n_problems = 0
        self.eliminations: list[Elimination] = []

    @property
    @abstractmethod
    def evidence(self) -> Array:
        """How strongly each of those alive is contradicted as a best one, in the rule's own measure."""

    def observe(self, costs: Array) -> list[Elimination]:
        """A block of problems, lower is better: (block, candidates alive) in the order of ``alive``.

        A failed run is +inf: it loses against every run that did not fail and ties with those that did.
        """
        block = np.atleast_2d(np.asarray(costs, dtype=float))
        if block.shape[1] != len(self.alive) or np.any(np.isnan(block)):
            raise ParameterError(
                f"costs must have shape (block, {len(self.alive)}), a column for each candidate left and no NaN; "
                f"got {block.shape}"
            )
        self.n_problems += len(block)
        leaving = self._decide(block) if len(self.alive) > 1 else []
        if leaving:
            gone = {elimination.candidate for elimination in leaving}
            keep = np.array([candidate not in gone for candidate in self.alive.tolist()])
            self._forget(keep)
            self.alive = self.alive[keep]
            self.eliminations += leaving
        return leaving

    @abstractmethod
    def _decide(self, block: Array) -> list[Elimination]:
        """Take the block in and say who leaves; at least one must stay."""

    @abstractmethod
    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        """Drop what is kept about those who leave."""

    def cautions(self) -> tuple[Caution, ...]:
        """What a reader of the result must know."""
        return ()


def wins_in(block: Array) -> npt.NDArray[np.int64]:
    """(m, m) how often the row's candidate beats the column's in a block of costs."""
    return np.asarray((block[:, :, None] < block[:, None, :]).sum(axis=0, dtype=np.int64))


def leading(points: Array) -> tuple[int, int]:
    """The place of the best and of the second best; the earlier one in case of a tie."""
    order = np.argsort(-points, kind="stable")
    return int(order[0]), int(order[1])
