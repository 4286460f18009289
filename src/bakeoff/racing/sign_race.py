"""e-sign: the race with a guarantee that needs no symmetry, no horizon and no independence between problems.

H_i: "i is a best": for every j, P(j beats i | past) <= P(i beats j | past) on every problem. Two stakes are put against
H_i, half each, and neither can win on average if H_i holds:

* accounts C_ij, 1/(q − 1) each at the start, multiplied by E_ij(new)/E_ij(old) after each block (``pair_evidence``);
  when j leaves, its account is split equally among i's remaining opponents;
* the leader's account F_i, multiplied by E_iL(new)/E_iL(old), L the leader before the block (the second if i leads).

E_i = F_i/2 + Σ_j C_ij/2 starts at 1 and i leaves when E_i >= 1/α: by Ville's inequality a given best one ever leaves
with probability at most α, however often one looks and whenever one stops. It wins and loses only on its own account,
so no correction for the number of pairs is due.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.racing.pair_evidence import PairTable
from bakeoff.racing.rule import Elimination, Rule, leading, wins_in
from bakeoff.scores.cells import Array

_MOST = 1e300  # evidence beyond this is not counted on: it would overflow


class SignRace(Rule):
    """``strict``: the threshold q/α instead, so that not even one of several tied bests leaves (P <= α)."""

    name: ClassVar[str] = "e-sign"
    guarantee: ClassVar[str] = (
        "a candidate that nobody beats more often than not is ever removed with probability at most {alpha:g}, "
        "however often the race was looked at and whenever it was stopped"
    )

    def __init__(self, n_candidates: int, alpha: float = 0.05, *, strict: bool = False) -> None:
        super().__init__(n_candidates, alpha)
        q = n_candidates
        self.strict = strict
        self.threshold = q / alpha if strict else 1.0 / alpha
        self.wins = np.zeros((q, q), dtype=np.int64)  # [i, j]: i beat j
        self.accounts = (np.ones((q, q)) - np.eye(q)) / (q - 1)  # C_ij: against i, by j
        self.follow = np.ones(q)  # F_i
        self._log_pairs = np.zeros((q, q))  # log E_ij
        self._table = PairTable()

    @property
    def evidence(self) -> Array:
        return np.asarray(0.5 * self.follow + 0.5 * self.accounts.sum(axis=1))

    def _decide(self, block: Array) -> list[Elimination]:
        first = not self.wins.any()
        leader, second = leading((self.wins - self.wins.T).sum(axis=1).astype(float))
        self.wins += wins_in(block)
        new = self._table(self.wins.T, self.wins)  # j's wins over i, j's losses
        gain = np.exp(new - self._log_pairs)
        self._log_pairs = new
        np.minimum(self.accounts * gain, _MOST, out=self.accounts)
        if not first:
            towards = np.full(len(self.alive), leader)
            towards[leader] = second
            self.follow = np.minimum(self.follow * gain[np.arange(len(self.alive)), towards], _MOST)
        return self._leaving()

    def _leaving(self) -> list[Elimination]:
        evidence = self.evidence
        out = evidence >= self.threshold
        if out.all():  # somebody stays: who is contradicted least
            out[int(np.argmin(evidence))] = False
        by = np.argmax(np.where(self._log_pairs > 0, self._log_pairs, -np.inf), axis=1)
        return [
            Elimination(
                candidate=int(self.alive[i]),
                n_problems=self.n_problems,
                reason="worse",
                by=int(self.alive[by[i]]) if self._log_pairs[i].max() > 0 else None,
                evidence=float(evidence[i]),
            )
            for i in np.flatnonzero(out).tolist()
        ]

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        here = np.ix_(keep, keep)
        left = int(keep.sum())
        freed = self.accounts[np.ix_(keep, ~keep)].sum(axis=1)
        self.accounts = self.accounts[here]
        if left > 1:
            self.accounts += (freed / (left - 1))[:, None] * (1.0 - np.eye(left))
        self.wins, self._log_pairs, self.follow = self.wins[here], self._log_pairs[here], self.follow[keep]
