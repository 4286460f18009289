"""e-sign: a race whose guarantee needs no symmetry, no horizon and no block size.

H_i: "i is a best": for every j, P(j beats i | past) <= P(i beats j | past) on every problem. Two bets of half a unit
each are placed against H_i; under H_i neither gains on average:

* accounts C_ij, 1/(q − 1) each at the start, multiplied by E_ij(new)/E_ij(old) after each block (``pair_evidence``);
  when j is eliminated, its account is split equally among i's remaining opponents;
* the leader's account F_i, multiplied by E_iL(new)/E_iL(old), L the leader before the block (the second if i leads);
  it is idle until the first win.

E_i = F_i/2 + Σ_j C_ij/2 starts at 1, and i is eliminated when E_i >= 1/α: by Ville's inequality a given best candidate
is ever eliminated with probability at most α, at any number of looks and any stopping time. Each H_i has a process of
its own, so no correction for the number of pairs is needed. With clusters a whole cluster is one problem, H_i is about
the shares of its problems won and lost, and E_ij is that of ``ShareEvidence``.

A late candidate is compared on later problems only. Of each C_ij with m opponents before, the share 1/(m + 1) moves to
the late candidate's account against i, so Σ_j C_ij does not change, and the late candidate starts with E = 1. The
accounts are divided before the next block is seen, so every E remains an e-process whatever the reason for admitting
it. Its runs on earlier problems must not be used: the survivors were selected by their results there.
"""

import math
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import flag
from bakeoff.errors import Caution, ParameterError
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.pair_evidence import GRID, checked_grid, even_bets, log_pair_evidence, pair_table
from bakeoff.wings.run.racing.rules.equivalence import EquivalenceTest
from bakeoff.wings.run.racing.rules.rule import BOUND, SEVERAL, Elimination, PairRule, crossed, leading

_MOST = 1e300  # cap on evidence, below overflow
_MOST_LOG = 690.0


class SignRace(PairRule):
    """``strict``: threshold q/α, so that with probability 1 − α none of several tied bests is eliminated.

    ``equivalence``: level of a separate test that two candidates beat each other equally often, to within ``margin``;
    of an equivalent pair the one with the worse rank is eliminated. None: no such test. ``grid``: the steps of E,
    fixed before the race; where the number of problems is known, ``horizon_grid`` of it.
    """

    name: ClassVar[str] = "e-sign"
    summary: ClassVar[str] = "eliminates a given best candidate with probability at most alpha, at any look"
    guarantee: ClassVar[str] = (
        "the probability that a given best candidate (one that no other beats more often than it is beaten; there may "
        f"be none) {BOUND}{SEVERAL}"
    )

    def __init__(
        self,
        n_candidates: int,
        alpha: float = 0.05,
        *,
        strict: bool = False,
        equivalence: float | None = None,
        margin: float = 0.05,
        grid: Sequence[float] = GRID,
    ) -> None:
        super().__init__(n_candidates, alpha)
        q = self.n_candidates
        self.grid = checked_grid(grid)
        self.evidence_on.append((pair_table(self.grid), even_bets(self.grid)))
        self.strict = flag("strict", strict)
        if self.strict:
            self.threshold = q / alpha
        self.equivalence = None if equivalence is None else EquivalenceTest(q, equivalence, margin)
        self.accounts = (np.ones((q, q)) - np.eye(q)) / (q - 1)  # C_ij: against i, by j
        self.follow = np.ones(q)  # F_i
        self._log_pairs = np.zeros((q, q))  # log E_ij
        self._unstaked = np.zeros(1)

    @property
    def evidence(self) -> Array:
        return np.asarray(0.5 * self.follow + 0.5 * self.accounts.sum(axis=1))

    @property
    def promise(self) -> str:
        text = strictly(self.guarantee) if self.strict else self.guarantee
        text = text.format(alpha=self.alpha)
        return text if self.equivalence is None else f"{text}; {self.equivalence.promise}"

    def _decide(self, block: Array) -> list[Elimination]:
        first = not self.wins.any()  # no leader yet
        points = (self.wins - self.wins.T).sum(axis=1).astype(float)
        leader, second = leading(np.round(points, 9))  # of clusters: shares tie except for rounding
        new = self._count(block)[0]
        gain = np.exp(np.minimum(new - self._log_pairs, _MOST_LOG))
        self._log_pairs = new
        with np.errstate(over="ignore"):  # overflow is capped like anything above _MOST
            np.minimum(self.accounts * gain, _MOST, out=self.accounts)
            if not first:
                towards = np.full(len(self.alive), leader)
                towards[leader] = second
                self.follow = np.minimum(self.follow * gain[np.arange(len(self.alive)), towards], _MOST)
        evidence = self.evidence
        out = crossed(evidence, self.threshold)
        leaving = []
        if out.any():
            by = np.where(new.max(axis=1) > 0, np.argmax(new, axis=1), -1)
            leaving = self._leave(np.flatnonzero(out), evidence, by)
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
            self._unstaked = freed  # kept for a late candidate
        self._log_pairs, self.follow = self._log_pairs[here], self.follow[keep]
        super()._forget(keep)

    def refuse_late(self) -> None:
        refuse_fixed_number(self.name, self.strict, self.equivalence is not None)

    def _widen(self, n: int) -> None:
        old = len(self.alive)
        m = old + n
        whole_field = 1.0 - np.eye(m)
        accounts = whole_field / (m - 1)  # of a late candidate: 1 in all, spread evenly
        total = self.accounts.sum(axis=1) if old > 1 else self._unstaked
        share = (old - 1) / (m - 1)  # of each account that stays; the rest goes to the n late candidates
        accounts[:old, :old] = self.accounts * share
        accounts[:old, old:] = (total * (1.0 - share) / n)[:, None]
        self.accounts = accounts
        self.follow = np.append(self.follow, np.ones(n))
        self.wins = np.pad(self.wins, (0, n))  # type: ignore[assignment]
        for shares in self._shares:
            shares.widen(n)
        self._log_pairs = np.pad(self._log_pairs, (0, n))

    def log_most(self, n_problems: int, block: int) -> float:
        """All problems lost to all: the leader's account is idle in the first block."""
        if self.equivalence is not None:  # a separate test that may need fewer
            return math.inf
        lost, idle = log_pair_evidence([n_problems, min(n_problems, block)], 0, self.grid).tolist()
        return float(lost + math.log(0.5 + 0.5 * math.exp(-idle)))

    def cautions(self) -> tuple[Caution, ...]:
        return () if self.equivalence is None else (caution_of("equivalence-is-dear", margin=self.equivalence.margin),)


def strictly(guarantee: str) -> str:
    """The guarantee with the threshold q/α, which covers all best candidates at once."""
    text = guarantee.removesuffix(SEVERAL)
    return text.replace("that a given best candidate (one that", "that any of the best candidates (each is one that")


def refuse_fixed_number(name: str, strict: bool, equivalence: bool) -> None:
    """The thresholds q/α and (q − 1)/α divide the error among q candidates, so q must be fixed."""
    if strict or equivalence:
        option = "strict=True" if strict else "equivalence="
        raise ParameterError(
            f"is not possible with method={name!r} and {option}, which divides alpha among a fixed number of "
            "candidates; enter them all at the start, or race without that option",
            parameter="late",
        )
