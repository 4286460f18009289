"""Sequential halving: spend a given budget, drop the worse half of the field after each round, claim nothing.

With q candidates and a budget of T evaluations there are r = ⌈log2 q⌉ rounds; in each the m candidates left get
⌊T/(m r)⌋ problems, and the ⌈m/2⌉ with the best mean rank on all problems so far, ranked among those m, go on
(Karnin, Koren & Somekh 2013, with ranks in place of means and no problem forgotten). Who drops out was "not selected":
its neighbours in rank may well be worse. Where there are fewer problems than the rounds would take, the budget is cut
to the largest one that they pay for.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.errors import Caution, ParameterError
from bakeoff.racing.rule import Elimination, Measure, Rule, whole
from bakeoff.racing.rules.field_ranks import FieldRanks, block_ranks
from bakeoff.scores.cells import Array


class HalvingRace(Rule):
    """``budget``: evaluations in all, at least one for every candidate in every round; ``n_problems``: how many there
    are, None: as many as wanted.
    """

    name: ClassVar[str] = "sequential-halving"
    guarantee: ClassVar[str] = (
        "none: the budget is spent where it promises most; a candidate that drops out was not selected, which does not "
        "show that it is worse"
    )
    measure: ClassVar[Measure] = "mean rank"
    anytime: ClassVar[bool] = False

    def __init__(self, n_candidates: int, alpha: float = 0.05, *, budget: float, n_problems: int | None = None) -> None:
        super().__init__(n_candidates, alpha)
        self.threshold = None
        self.rounds = (self.n_candidates - 1).bit_length()  # ⌈log2 q⌉
        least = self.n_candidates * self.rounds
        if isinstance(budget, bool) or not isinstance(budget, int | float | np.integer) or not least <= budget <= 1e15:
            raise ParameterError(
                f"budget must be at least {least} evaluations, one for each of {self.n_candidates} candidates in each "
                f"of {self.rounds} rounds; got {budget!r}"
            )
        self.asked = self.budget = int(budget)
        if n_problems is not None:
            self._cut(whole("n_problems", n_problems, self.rounds, 10**9))
        self._field = FieldRanks(n_candidates)
        self._left = self._round()

    def _round(self) -> int:
        """Problems of a round."""
        return self.budget // (len(self.alive) * self.rounds)

    def _cut(self, n_problems: int) -> None:
        """The largest budget whose rounds fit into so many problems, by bisection."""
        fields = [self.n_candidates]
        while fields[-1] > 2:
            fields.append((fields[-1] + 1) // 2)

        def fits(budget: int) -> bool:
            return sum(budget // (m * self.rounds) for m in fields) <= n_problems

        if fits(self.budget):
            return
        low, high = self.n_candidates * self.rounds, self.budget  # fits, does not fit
        if not fits(low):
            raise ParameterError(
                f"sequential halving of {self.n_candidates} candidates takes at least "
                f"{sum(low // (m * self.rounds) for m in fields)} problems; there are {n_problems}"
            )
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        self.budget = low

    def cautions(self) -> tuple[Caution, ...]:
        if self.budget == self.asked:
            return ()
        return (
            Caution(
                code="budget-not-spent",
                text=f"There are too few problems to spend {self.asked} evaluations by halving; the plan is made for "
                f"{self.budget}.",
                reference="",
            ),
        )

    @property
    def evidence(self) -> Array:
        """Mean ranks among those left; the highest leave."""
        m, n = len(self.alive), max(self._field.n_problems, 1)
        return np.asarray((m + 1) / 2.0 - self._field.points / n)

    def wanted(self, block: int) -> int:
        return min(block, self._left)

    def _decide(self, block: Array) -> list[Elimination]:
        if len(block) > self._left:
            raise ParameterError(
                f"a block must end with its round: {self._left} problems are left of it; got {len(block)}"
            )
        self._field.add(block, block_ranks(block))
        self._left -= len(block)
        if self._left:
            return []
        m = len(self.alive)
        order = np.argsort(-self._field.points, kind="stable")
        evidence = self.evidence
        out = np.sort(order[(m + 1) // 2 :])
        return [
            Elimination(
                candidate=int(self.alive[i]),
                n_problems=self.n_problems,
                reason="not selected",
                by=None,
                evidence=float(evidence[i]),
            )
            for i in out.tolist()
        ]

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        self._field.keep(keep)
        self._left = self.budget // (int(keep.sum()) * self.rounds)
