"""The Bayesian race of Benavoli et al. (2015), sections 5.3 and 7.1: joint statements, indistinguishable candidates.

Problem t has the weight g_t ~ Exp(1) in every draw of the posterior, the prior atom g_0 ~ Gamma(s) (unnormalised
Dirichlet weights, equation 7). "j is better than i" holds in a draw when Σ_t g_t sign(j better on t) > 0: the atom, a
tie, counts for both sides alike (Theorem 2). Statements are accepted in order of probability while each one's exact
probability and their joint probability are above 1 − γ; the joint one uses the same draws for all statements and
blocks. The loser of every accepted statement is eliminated.

**The start.** By equation 22 a statement without a loss has posterior probability exactly 1, from the first problem
on. With ``guard`` the atom counts against every statement, the lower probability of the imprecise Dirichlet
process: Beta(wins, losses + s) in place of Beta(wins, losses), so that 5 wins in 5 are 1 − 2^−5 = 0.969 and not 1.
"""

from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from bakeoff import special
from bakeoff.cautions import caution_of
from bakeoff.checks import choice, flag, integer
from bakeoff.errors import Caution, ParameterError
from bakeoff.randomness import generator
from bakeoff.scores.cells import Array
from bakeoff.wings.bayes.dirichlet.weights import check_strength
from bakeoff.wings.bayes.statements.sign_statements import failure_probability
from bakeoff.wings.run.racing.pair_evidence import PairTable
from bakeoff.wings.run.racing.rules.equivalence import Indistinguishable
from bakeoff.wings.run.racing.rules.f_race import RankedRule, Rows, block_ranks, mean_costs, peeking_caution
from bakeoff.wings.run.racing.rules.rule import MOST_IN_PAIRS, Elimination, Measure, leading, wins_in

# The Bayesian Friedman test as a gate of a race: do the posterior mean ranks exclude that all are equal?
#
# With the Dirichlet weights p = (s, 1 … 1)/(s + n) on the prior atom R_0 = (m + 1)/2 and the ranks R_1 … R_n, and
# R_l as deviations from R_0 (Benavoli et al. 2015, Theorem 1 and equation 19):
#
#     μ = Σ R_l/(s + n),   Σ = (Σ R_l R_lᵀ/(s + n) − μ μᵀ)/(s + n + 1),
#     μᵀ Σ⁻¹ μ > F⁻¹(1 − γ; m − 1, n − m + 1) (n − 1)(m − 1)/(n − m + 1),
#
# of the first m − 1 components; defined from n = m on.


class EllipsoidGate:
    """Sums over problems; they take in blocks of twice the ranks, 1 best."""

    def __init__(self, m: int, strength: float) -> None:
        self.strength = strength
        self._sum = np.zeros(m)
        self._products = np.zeros((m, m))

    def add(self, doubled: npt.NDArray[np.int64]) -> None:
        deviations = doubled.astype(float) - (doubled.shape[1] + 1.0)  # twice R − R_0; whole numbers: sums are exact
        self._sum += deviations.sum(axis=0)
        self._products += deviations.T @ deviations

    def rejects(self, n: int, gamma: float) -> bool:
        m = len(self._sum)
        limit = float(special.fdtri(m - 1.0, n - m + 1.0, 1.0 - gamma)) * (n - 1.0) * (m - 1.0) / (n - m + 1.0)
        return self.statistic(n) > limit

    def statistic(self, n: int) -> float:
        """μᵀ Σ⁻¹ μ; where Σ is singular its directions without variance have no deviation either."""
        total = self.strength + n
        mean = self._sum[:-1] / total
        covariance: Array = (self._products[:-1, :-1] / total - np.outer(mean, mean)) / (total + 1.0)
        try:
            solved = np.linalg.solve(covariance, mean)
        except np.linalg.LinAlgError:
            solved = np.linalg.pinv(covariance, hermitian=True) @ mean
        return float(mean @ solved)


GATES = ("skip", "wait", "none")
_FIRST_CHUNK = 8  # statements per chunk, doubled while all are accepted


class BayesRace(RankedRule):
    """``gate``: the Bayesian Friedman test (19) must reject first. It needs as many problems as candidates; before that
    "skip" tests without it and "wait" eliminates none. ``indistinguishable``: posterior probability of
    |P(better) + P(tie)/2 − 1/2| < ``margin`` above which the one with the worse mean is eliminated; None: never.
    """

    name: ClassVar[str] = "bayes"
    summary: ClassVar[str] = "joint posterior statements at every look, no guarantee"
    cite: ClassVar[tuple[str, ...]] = ("benavoli2015",)
    measure: ClassVar[Measure] = "posterior"
    most: ClassVar[int] = MOST_IN_PAIRS

    def __init__(
        self,
        n_candidates: int,
        alpha: float = 0.05,
        *,
        gate: Literal["skip", "wait", "none"] = "skip",
        guard: bool = True,
        indistinguishable: float | None = 0.95,
        margin: float = 0.05,
        prior_strength: float = 1.0,
        n_draws: int = 1000,
        rng: int | np.random.Generator | None = None,
    ) -> None:
        super().__init__(n_candidates, alpha)
        self.gate = choice("gate", gate, GATES)
        self.guard = flag("guard", guard)
        self.strength = _strength(prior_strength)
        self.takes_differences = indistinguishable is not None
        self.wins = np.zeros((n_candidates, n_candidates), dtype=np.int64)
        self._ellipsoid = EllipsoidGate(n_candidates, self.strength)
        self._same = None if indistinguishable is None else Indistinguishable(indistinguishable, margin, self.strength)
        self._errors = statement_errors(self.strength if self.guard else 0.0)
        self._stream = generator(rng)
        draws = integer("n_draws", n_draws, 100, 1_000_000)
        self._prior = self._stream.standard_gamma(self.strength, draws) if self.guard else np.zeros(draws)
        self._weights = Rows(draws)  # (problems, draws)

    def cautions(self) -> tuple[Caution, ...]:
        all_cautions = [peeking_caution(MEASURED)]
        if not self.guard:
            all_cautions.append(caution_of("certain-at-once"))
        if self._same is not None:
            all_cautions.append(caution_of("indistinguishable"))
        return tuple(all_cautions)

    def _decide(self, block: Array) -> list[Elimination]:
        doubled = block_ranks(block)
        self.field.add(block, doubled)
        self.wins += wins_in(block)
        self._ellipsoid.add(doubled)
        self._weights.add(self._stream.standard_exponential((len(block), len(self._prior))))
        errors = self._errors(self.wins, self.wins.T)  # [j, i]: of "j is better than i"
        self._evidence = 1.0 - errors.min(axis=0)  # the largest probability that another one is better
        leaving = self._losers(errors) if self._open() else []
        if self._same is None:
            return leaving
        stay, means = self._staying(leaving), mean_costs(self.field.costs)
        return leaving + self._same.leaving(self.alive, stay, self.wins, self.n_problems, means)

    def _open(self) -> bool:
        if self.gate == "none":
            return True
        if self.n_problems < len(self.alive):
            return self.gate == "skip"
        return self._ellipsoid.rejects(self.n_problems, self.alpha)

    def _losers(self, errors: Array) -> list[Elimination]:
        """Losers of the accepted statements, each by the first statement against it."""
        better, worse = np.nonzero((errors < self.alpha) & (self.wins > self.wins.T))
        lead = (self.wins - self.wins.T)[better, worse]
        order = np.lexsort((worse, better, -lead, errors[better, worse]))
        better, worse = better[order], worse[order]
        accepted = self._accepted(better, worse)
        by = np.full(len(self.alive), -1)
        by[worse[:accepted][::-1]] = better[:accepted][::-1]  # the first one is written last
        if (by >= 0).all():  # a cycle: the one with the best ranks stays
            by[leading(self.field.points)[0]] = -1
        return self._leave(np.flatnonzero(by >= 0), 1.0 - errors[by, np.arange(len(by))], by)

    def _accepted(self, better: npt.NDArray[np.intp], worse: npt.NDArray[np.intp]) -> int:
        """Number of leading statements whose joint probability is above 1 − γ."""
        costs, weights = self.field.costs, self._weights.all
        alive = np.ones(len(self._prior), dtype=bool)
        done, size = 0, _FIRST_CHUNK
        while done < len(better):
            j, i = better[done : done + size], worse[done : done + size]
            signs = (costs[:, j] < costs[:, i]).astype(float) - (costs[:, j] > costs[:, i])
            holds = signs.T @ weights > self._prior
            together = np.logical_and.accumulate(np.vstack([alive[None, :], holds]), axis=0)[1:]
            short = np.flatnonzero(together.mean(axis=1) <= 1.0 - self.alpha)
            if len(short):
                return done + int(short[0])
            alive = together[-1]
            done += len(j)
            size *= 2
        return done

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        super()._forget(keep)
        self.wins = self.wins[np.ix_(keep, keep)]
        self._ellipsoid = EllipsoidGate(int(keep.sum()), self.strength)
        self._ellipsoid.add(block_ranks(self.field.costs))


@lru_cache(maxsize=8)
def statement_errors(against: float) -> PairTable:
    """Probability that "better" is false, by (wins, losses + ``against``): Theorem 2; 1 without a win."""

    def error(wins: npt.ArrayLike, losses: npt.ArrayLike) -> Array:
        won = np.asarray(wins)
        return np.where(won > 0, failure_probability(won, np.asarray(losses) + against), 1.0)

    return PairTable(error)


def _strength(prior_strength: object) -> float:
    """Above 0: the gate's ellipsoid and the guard both need the atom."""
    strength = check_strength(prior_strength)
    if strength == 0:
        raise ParameterError(f"must be above 0 in a race; got {prior_strength!r}", parameter="prior_strength")
    return strength


MEASURED = "20 % (2 candidates), 30 % (10) and 54 % (30)"  # docs/trust/racing.md, 300 races each
