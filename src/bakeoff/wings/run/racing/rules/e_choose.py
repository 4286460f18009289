"""e-choose: e-sign that ends with a claim about the candidate that it chooses.

e-sign never says that a survivor is good, so equal candidates race until the problems end. e-choose stops when there is
enough evidence that a survivor c is beaten by no other survivor with probability τ (the tolerance) or more. For a pair,
with w wins of j over c and l losses, ties ignored,

    U_cj = mean over p in {1/2 − δ, 1/2, 1/2 + δ/2} of (p/τ)^w ((1 − p)/(1 − τ))^l,   δ = τ − 1/2,

is an e-process under G_cj, "j beats c with probability τ or more where they differ, on every problem whatever happened
before": with P >= τ > p a factor has mean P p/τ + (1 − P)(1 − p)/(1 − τ), which decreases in P and is 1 at P = τ. (With
clusters the factors are those of ``ratio_bets``, of shares.)
Candidates are eliminated as in e-sign at α/2, E_i >= 2/α. The race ends when a survivor c has U_cj >= 2(q − 1)/α for
every other survivor j; of several such the one with the best ranks among the survivors is chosen.

Claim: with error at most α, a given best candidate b (none beats it more often than it is beaten) does not beat the
chosen one with probability τ or more. If it does, then b was eliminated (probability at most α/2, by Ville's inequality
for E_b), or it survived and U_cb reached 2(q − 1)/α under G_cb for one of the q − 1 other candidates c (at most
α/(2(q − 1)) for each, by Ville's inequality; together at most α/2).

Where U_cj, kept as it was when j left, is as large for every eliminated j as well, the claim is about everybody: no
candidate beats the chosen one with probability τ or more. For one c that is beaten so by some j, all U_cj reach the
limit with probability at most α/(2(q − 1)), since U_cj does; and there are at most q − 1 such c where there is a best
candidate, q otherwise. So the two claims together err with probability at most α; where there is no best candidate the
first says nothing, and the second errs with probability at most q α/(2(q − 1)) <= α.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.checks import number
from bakeoff.errors import ParameterError
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.pair_evidence import GRID, PairTable, log_likelihood_ratio, ratio_bets
from bakeoff.wings.run.racing.rules.e_sign import SignRace
from bakeoff.wings.run.racing.rules.rule import BOUNDED, SEVERAL, Elimination


class ChooseRace(SignRace):
    """``tolerance``: the probability τ of being beaten that the chosen candidate must be shown to stay below."""

    name: ClassVar[str] = "e-choose"
    summary: ClassVar[str] = (
        "ends with a chosen candidate that a best one does not beat with probability tolerance or more"
    )
    guarantee: ClassVar[str] = (
        "the probability that a given best candidate (one that no other beats more often than it is beaten; there may "
        "be none) is ever eliminated, or beats the chosen candidate with probability {tolerance:g} or more where they "
        f"differ, {BOUNDED}{SEVERAL}"
    )

    def __init__(
        self, n_candidates: int, alpha: float = 0.05, *, tolerance: float = 0.6, grid: Sequence[float] = GRID
    ) -> None:
        super().__init__(n_candidates, alpha, grid=grid)
        self.tolerance = number("tolerance", tolerance, least=0.51, below=1.0)
        self.evidence_on.append((log_not_beaten(self.tolerance), ratio_bets(not_beaten_points(tolerance), tolerance)))
        self.threshold = 2.0 / alpha
        self._enough = math.log(2.0 * (self.n_candidates - 1) / alpha)
        self._not_beaten: Array  # [c, j] log U_cj
        self._by_eliminated = np.full(self.n_candidates, np.inf)  # the least log U_cj of eliminated j

    @property
    def promise(self) -> str:
        return self.guarantee.format(alpha=self.alpha, tolerance=self.tolerance)

    @property
    def claim(self) -> str:
        if self.chosen is None:
            return ""
        here = self.alive == self.chosen
        others = np.append(self._not_beaten[here][:, ~here], self._by_eliminated[here])
        so = f"the chosen one with probability {self.tolerance:g} or more where they differ"
        if others.min() >= self._enough:
            return f"with error at most {self.alpha:g}, no other candidate beats {so}"
        best = "a given best candidate (one that no other beats more often than it is beaten)"
        return f"with error at most {self.alpha:g}, {best} does not beat {so}"

    def _count(self, block: Array) -> list[Array]:
        logs = super()._count(block)
        self._not_beaten = logs[1]
        return logs

    def next_size(self, block: int) -> int:
        return block if self.chosen is None else 0

    def _decide(self, block: Array) -> list[Elimination]:
        leaving = super()._decide(block)
        at = np.flatnonzero(self._staying(leaving))
        among = self._not_beaten[np.ix_(at, at)]
        np.fill_diagonal(among, np.inf)
        qualified = among.min(axis=1) >= self._enough
        if qualified.any():  # a single survivor is always chosen
            wins = self.wins[np.ix_(at, at)]
            points = np.where(qualified, (wins - wins.T).sum(axis=1).astype(float), -np.inf)
            self.chosen = int(self.alive[at[int(np.argmax(points))]])
        return leaving

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        least = self._not_beaten[np.ix_(keep, ~keep)].min(axis=1)
        self._by_eliminated = np.minimum(self._by_eliminated[keep], least)
        self._not_beaten = self._not_beaten[np.ix_(keep, keep)]
        super()._forget(keep)

    def refuse_late(self) -> None:
        raise ParameterError(
            f"is not possible with method={self.name!r}, which divides alpha among a fixed number of candidates; enter "
            "them all at the start, or race with 'e-sign'",
            parameter="late",
        )


@lru_cache(maxsize=2)
def log_not_beaten(tolerance: float) -> PairTable:
    """log U of wins of the other one and losses of it."""
    points = not_beaten_points(tolerance)
    return PairTable(lambda wins, losses: log_likelihood_ratio(wins, losses, points, tolerance))


def not_beaten_points(tolerance: float) -> tuple[float, float, float]:
    delta = tolerance - 0.5
    return 0.5 - delta, 0.5, 0.5 + delta / 2.0
