"""e-sign: the race with a guarantee that needs no symmetry, no horizon and no independence between problems.

H_i: "i is a best": for every j, P(j beats i | past) <= P(i beats j | past) on every problem. Two stakes are put against
H_i, half each, and neither can win on average if H_i holds:

* accounts C_ij, 1/(q − 1) each at the start, multiplied by E_ij(new)/E_ij(old) after each block (``pair_evidence``);
  when j leaves, its account is split equally among i's remaining opponents;
* the leader's account F_i, multiplied by E_iL(new)/E_iL(old), L the leader before the block (the second if i leads);
  it waits until somebody has won.

E_i = F_i/2 + Σ_j C_ij/2 starts at 1 and i leaves when E_i >= 1/α: by Ville's inequality a given best one ever leaves
with probability at most α, however often one looks and whenever one stops. It wins and loses only on its own account,
so no correction for the number of pairs is due.

A candidate that comes late is measured on the problems from then on. Of every C_ij with m opponents before, the share
1/(m + 1) goes to the newcomer's account against i, so Σ_j C_ij does not change, and the newcomer starts with E = 1:
the accounts are divided before the next block is seen, whatever was the reason to let it in, so every E stays an
e-process. Runs of a newcomer on earlier problems may not be used: those left were chosen by their luck there.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.errors import Caution, ParameterError
from bakeoff.racing.equivalence import EquivalenceTest, equivalence_caution
from bakeoff.racing.rule import MOST_IN_PAIRS, Elimination, Rule, crossed, flag, leading, wins_in
from bakeoff.racing.rules.pair_evidence import PAIRS
from bakeoff.scores.cells import Array

_MOST = 1e300  # evidence beyond this is not counted on: it would overflow
_MOST_LOG = 690.0


class SignRace(Rule):
    """``strict``: the threshold q/α instead, so that not even one of several tied bests leaves (P <= α).

    ``equivalence``: the level of a separate test that two candidates beat each other equally often, to within
    ``margin``; of two that do, the one with the worse rank leaves. None: no such test.
    """

    name: ClassVar[str] = "e-sign"
    most: ClassVar[int] = MOST_IN_PAIRS
    guarantee: ClassVar[str] = (
        "a candidate that nobody beats more often than not is ever removed with probability at most {alpha:g}, "
        "however often the race was looked at and whenever it was stopped"
    )

    def __init__(
        self,
        n_candidates: int,
        alpha: float = 0.05,
        *,
        strict: bool = False,
        equivalence: float | None = None,
        margin: float = 0.05,
    ) -> None:
        super().__init__(n_candidates, alpha)
        q = self.n_candidates
        self.strict = flag("strict", strict)
        self.threshold: float = q / alpha if self.strict else 1.0 / alpha
        self.equivalence = None if equivalence is None else EquivalenceTest(q, equivalence, margin)
        self.wins = np.zeros((q, q), dtype=np.int64)  # [i, j]: i beat j
        self.accounts = (np.ones((q, q)) - np.eye(q)) / (q - 1)  # C_ij: against i, by j
        self.follow = np.ones(q)  # F_i
        self._log_pairs = np.zeros((q, q))  # log E_ij
        self._unstaked = np.zeros(1)

    @property
    def evidence(self) -> Array:
        return np.asarray(0.5 * self.follow + 0.5 * self.accounts.sum(axis=1))

    @property
    def promise(self) -> str:
        who = "any of the candidates that nobody beats more often than not is ever removed with probability at most "
        said = self.guarantee.format(alpha=self.alpha)
        said = who + said.split("at most ", 1)[1] if self.strict else said
        return said if self.equivalence is None else f"{said}; {self.equivalence.promise}"

    def _decide(self, block: Array) -> list[Elimination]:
        first = not self.wins.any()  # nobody leads yet
        leader, second = leading((self.wins - self.wins.T).sum(axis=1).astype(float))
        self.wins += wins_in(block)
        new = PAIRS(self.wins.T, self.wins)  # j's wins over i, j's losses
        gain = np.exp(np.minimum(new - self._log_pairs, _MOST_LOG))
        self._log_pairs = new
        with np.errstate(over="ignore"):  # a stake beyond the largest number is cut like any above _MOST
            np.minimum(self.accounts * gain, _MOST, out=self.accounts)
            if not first:
                towards = np.full(len(self.alive), leader)
                towards[leader] = second
                self.follow = np.minimum(self.follow * gain[np.arange(len(self.alive)), towards], _MOST)
        return self._leaving()

    def _leaving(self) -> list[Elimination]:
        evidence = self.evidence
        out = crossed(evidence, self.threshold)
        leaving = []
        if out.any():
            by = np.where(self._log_pairs.max(axis=1) > 0, np.argmax(self._log_pairs, axis=1), -1)
            leaving = self._worse(np.flatnonzero(out), evidence, by)
        if self.equivalence is not None:
            leaving += self.equivalence.leaving(self.alive, ~out, self.wins, self.n_problems)
        return leaving

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        here = np.ix_(keep, keep)
        left = int(keep.sum())
        freed = self.accounts[np.ix_(keep, ~keep)].sum(axis=1)
        self.accounts = self.accounts[here]
        if left > 1:
            self.accounts += (freed / (left - 1))[:, None] * (1.0 - np.eye(left))
        else:
            self._unstaked = freed  # against nobody, until somebody comes late
        self.wins, self._log_pairs, self.follow = self.wins[here], self._log_pairs[here], self.follow[keep]

    def _welcome(self, n: int) -> None:
        refuse_fixed_number(self.name, self.strict, self.equivalence is not None)
        old = len(self.alive)
        m = old + n
        whole_field = 1.0 - np.eye(m)
        accounts = whole_field / (m - 1)  # a newcomer's: 1 in all, spread evenly
        total = self.accounts.sum(axis=1) if old > 1 else self._unstaked
        share = (old - 1) / (m - 1)  # of each account that stays where it is; the rest goes to the n newcomers
        accounts[:old, :old] = self.accounts * share
        accounts[:old, old:] = (total * (1.0 - share) / n)[:, None]
        self.accounts = accounts
        self.follow = np.append(self.follow, np.ones(n))
        self.wins = _padded(self.wins, m)
        self._log_pairs = _padded(self._log_pairs, m)

    def cautions(self) -> tuple[Caution, ...]:
        return () if self.equivalence is None else (equivalence_caution(self.equivalence),)


def _padded(square: npt.NDArray[Any], m: int) -> npt.NDArray[Any]:
    return np.pad(square, (0, m - len(square)))


def refuse_fixed_number(name: str, strict: bool, equivalence: bool) -> None:
    """Thresholds q/α and (q − 1)/α divide the error among q candidates: they must be known from the start."""
    if strict or equivalence:
        option = "strict=True" if strict else "equivalence="
        raise ParameterError(
            f"the rule {name!r} with {option} divides its error among the candidates it began with and takes no "
            "others; enter them all at the start, or race without that option"
        )
