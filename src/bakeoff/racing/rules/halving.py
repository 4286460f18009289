"""Sequential halving: spend a given budget and drop the worse half of the field after each round; no error control.

With q candidates and a budget of T evaluations there are r = ⌈log2 q⌉ rounds; in each the m survivors get
⌊T/(m r)⌋ problems, and the ⌈m/2⌉ with the best mean rank on all problems so far, ranked among those m, continue
(Karnin, Koren & Somekh 2013, with ranks in place of means and all problems kept). The others are "not selected", which
does not mean shown to be worse. If there are fewer problems than the rounds would take, the budget is reduced to the
largest one that they allow.
"""

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import whole
from bakeoff.errors import Caution, ParameterError
from bakeoff.racing.rules.field_ranks import FieldRanks, block_ranks
from bakeoff.racing.rules.rule import Elimination, Measure, Rule
from bakeoff.scores.cells import Array


class HalvingRace(Rule):
    """``budget``: total evaluations, at least one per candidate and round; ``n_problems``: available; None: any."""

    name: ClassVar[str] = "sequential-halving"
    summary: ClassVar[str] = "spends a given budget, no guarantee"
    cite: ClassVar[tuple[str, ...]] = ("karnin2013",)
    guarantee: ClassVar[str] = (
        "none: the budget goes to the candidates that look best; one that is not selected has not been shown to be "
        "worse"
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
                f"must be at least {least} evaluations, one for each of {self.n_candidates} candidates in each "
                f"of {self.rounds} rounds; got {budget!r}",
                parameter="budget",
            )
        self.requested_budget = self.budget = int(budget)
        if n_problems is not None:
            self._cut(whole("n_problems", n_problems, self.rounds, 10**9))
        self._field = FieldRanks(n_candidates)
        self._left = self.budget // (self.n_candidates * self.rounds)

    def take_clusters(self) -> None:
        raise ParameterError(
            f": {self.name!r} divides single problems among its rounds, and these are in clusters. Race with "
            "'e-sign', or give one number for each cluster, the mean over its problems",
            parameter="method",
        )

    def _cut(self, n_problems: int) -> None:
        """The largest budget whose rounds fit into so many problems, by bisection."""
        fields = [self.n_candidates]
        while fields[-1] > 2:
            fields.append((fields[-1] + 1) // 2)

        def fits(budget: int) -> bool:
            return sum(budget // (m * self.rounds) for m in fields) <= n_problems

        if fits(self.budget):
            return
        low, high = self.n_candidates * self.rounds, self.budget  # low fits, high does not
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
        if self.budget == self.requested_budget:
            return ()
        return (caution_of("budget-not-spent", asked=self.requested_budget, budget=self.budget),)

    @property
    def evidence(self) -> Array:
        """Mean ranks among the survivors; the highest are eliminated."""
        m, n = len(self.alive), max(self._field.n_problems, 1)
        return np.asarray((m + 1) / 2.0 - self._field.points / n)

    def next_size(self, block: int) -> int:
        return min(block, self._left)

    def _decide(self, block: Array) -> list[Elimination]:
        if len(block) > self._left:
            raise ParameterError(
                f"a block must end with its round, which has {self._left} problems to go; got {len(block)}"
            )
        self._field.add(block, block_ranks(block))
        self._left -= len(block)
        if self._left:
            return []
        m = len(self.alive)
        order = np.argsort(-self._field.points, kind="stable")
        return self._leave(np.sort(order[(m + 1) // 2 :]), self.evidence, np.full(m, -1), "not selected")

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        self._field.keep(keep)
        self._left = self.budget // (int(keep.sum()) * self.rounds)
