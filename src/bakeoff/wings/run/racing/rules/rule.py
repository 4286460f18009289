"""The base class of the racing rules, and a rule by its name: it sees blocks of problems and decides who leaves.

A rule holds only what its decisions need: no clock, no unseeded randomness, no store. Given the same blocks it makes
the same decisions, so an interrupted race resumes by replaying them.
"""

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice, did_you_mean, integer, probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError, TooLargeError
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.pair_evidence import Bets, Counts, PairTable, ShareEvidence, horizon_grid
from bakeoff.wings.run.racing.rules import METRIC_RULES, RULES

Reason = Literal["worse", "equivalent"]
Measure = Literal["e-value", "1 - p", "posterior"]
MOST_CANDIDATES, MOST_IN_PAIRS = 100_000, 3000
"""Memory limits: rank-based rules keep a few numbers per candidate, the others a few per pair."""

BOUNDED = (
    "is at most {alpha:g}, however often you look and whenever you stop. This holds if the problems are "
    "independent draws or in exchangeable order, without clusters"
)
BOUND = f"is ever eliminated {BOUNDED}"
ALONE = "the problems are independent draws or in exchangeable order, without clusters"
IN_CLUSTERS = (
    "the clusters are independent draws or in exchangeable order, where one beats another more often than it is beaten "
    "if it wins the larger share of a cluster's problems on average over clusters"
)
SEVERAL = ". With several such candidates, the probability that any of them is eliminated may exceed {alpha:g}"
"""The end of a guarantee, which bounds the error for one candidate at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elimination:
    """A rule's decision: candidate number ``candidate`` is eliminated after ``n_problems`` problems."""

    candidate: int
    n_problems: int
    reason: Reason
    by: int | None  # the candidate that beat it, if the rule identifies one
    evidence: float  # in the rule's measure; for an equivalence the smaller of its two e-values, or its posterior


class Rule(ABC):
    """A field of candidates 0 … q − 1 from which candidates are eliminated.

    A rule is registered by one line in ``racing.rules``; the class variables below are what the command line,
    the reports and the documentation say about it.
    """

    name: ClassVar[str]
    summary: ClassVar[str]  # half a line
    guarantee: ClassVar[str]  # in words, with {alpha}
    cite: ClassVar[tuple[str, ...]]  # keys of the bibliography
    measure: ClassVar[Measure] = "e-value"  # the scale of ``evidence``
    anytime: ClassVar[bool] = True  # whether the error bound holds at every look
    takes_differences: bool = False  # then infinite scores are refused
    most: ClassVar[int] = MOST_CANDIDATES
    takes_shares: ClassVar[bool] = False  # of clusters: bets on shares of them won; otherwise races on their means
    threshold: float | None  # evidence at which a candidate is eliminated; None if the rule has no such number

    def __init__(self, n_candidates: int, alpha: float = 0.05) -> None:
        self.n_candidates = integer("n_candidates", n_candidates, 2, MOST_CANDIDATES)
        self._refuse_too_many(self.n_candidates)
        self.alpha = probability("alpha", alpha)
        self.alive = np.arange(n_candidates)  # numbers of the candidates still in the race
        self.n_problems = 0  # independent ones: clusters where there are any
        self.clustered = False
        self.sizes: Sequence[int] = ()  # of the clusters of the current block
        self.eliminations: list[Elimination] = []
        self.chosen: int | None = None  # of a rule that ends with a claim about one candidate
        self.last_evidence: Array = np.zeros(0)  # after the last block, of its candidates

    def _refuse_too_many(self, n: int) -> None:
        if n > self.most:
            raise TooLargeError(
                f"the rule {self.name!r} keeps numbers for every pair and takes at most {self.most} candidates; got {n}"
            )

    @property
    @abstractmethod
    def evidence(self) -> Array:
        """(alive,) evidence against each candidate being a best one, in the rule's measure."""

    @property
    def promise(self) -> str:
        """The guarantee in words, with its numbers."""
        return self.guarantee.format(alpha=self.alpha)

    @property
    def claim(self) -> str:
        """The claim about the chosen candidate, in words; empty if there is none."""
        return ""

    def next_size(self, block: int) -> int:
        """Number of problems to run next, given the requested block size."""
        return block

    def take_clusters(self) -> None:
        """Before the first block: problems come in clusters."""
        self.clustered = True

    def observe(self, costs: Array, sizes: Sequence[int] | None = None) -> list[Elimination]:
        """Take in a block of costs (block, candidates alive), columns in the order of ``alive``.

        A failed run is +inf: it loses to every finite cost and ties with other failures. ``sizes``: how many of the
        rows, one after the other, belong to each cluster; a whole cluster is one problem.
        """
        block = np.atleast_2d(np.asarray(costs, dtype=float))
        if block.ndim != 2 or block.shape[1] != len(self.alive) or np.any(np.isnan(block)):
            raise ParameterError(
                f"must have shape (block, {len(self.alive)}), one column per surviving candidate, and no NaN; "
                f"got {block.shape}",
                parameter="costs",
            )
        if not len(block):
            return []
        if self.takes_differences and not np.all(np.isfinite(block)):
            raise ParameterError(f"the rule {self.name!r} cannot use infinite scores")
        return self._take(block, sizes)

    def _take(self, block: Array, sizes: Sequence[int] | None) -> list[Elimination]:
        if self.clustered:
            self.sizes = [1] * len(block) if sizes is None else sizes
            if not self.takes_shares:
                block = means_of_clusters(block, self.sizes)
        self.n_problems += len(self.sizes) if self.clustered else len(block)
        leaving = self._decide(block) if len(self.alive) > 1 else []
        self.last_evidence = self.evidence
        if leaving:
            keep = self._staying(leaving)
            self._forget(keep)
            self.alive = self.alive[keep]
            self.eliminations += leaving
        return leaving

    def _staying(self, leaving: list[Elimination]) -> npt.NDArray[np.bool_]:
        return np.isin(self.alive, [elimination.candidate for elimination in leaving], invert=True)

    def admit(self, n: int = 1) -> list[int]:
        """Add ``n`` candidates to the running race, compared on later problems only; returns their numbers."""
        integer("n", n, 1, MOST_CANDIDATES)
        self.refuse_late()
        self._refuse_too_many(self.n_candidates + n)
        new = np.arange(self.n_candidates, self.n_candidates + n)
        self._widen(n)
        self.n_candidates += n
        self.alive = np.append(self.alive, new)
        return new.tolist()

    def refuse_late(self) -> None:
        """Raise unless candidates may join after the start."""
        raise ParameterError(
            f"is not possible: the rule {self.name!r} takes no candidates once the race has begun; 'e-sign' does",
            parameter="late",
        )

    def _widen(self, n: int) -> None:
        """Make room for ``n`` late candidates; called only if ``refuse_late`` did not raise."""
        raise NotImplementedError

    @abstractmethod
    def _decide(self, block: Array) -> list[Elimination]:
        """Update from the block and return the eliminations; at least one candidate must remain."""

    @abstractmethod
    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        """Drop the state of eliminated candidates."""

    def log_most(self, n_problems: int, block: int) -> float:
        """log of the most evidence against a candidate that any scores can give; infinite if there is none."""
        return math.inf

    def cautions(self) -> tuple[Caution, ...]:
        """Cautions for the result."""
        return ()

    def parts(self, block: Array) -> list[Array]:
        """The rows of each cluster of the current block."""
        return np.split(block, np.cumsum(self.sizes)[:-1])

    def _leave(self, places: npt.NDArray[np.intp], evidence: Array, by: npt.NDArray[np.intp]) -> list[Elimination]:
        """Eliminate ``places``; ``by`` (alive,) is the place of the candidate that beat each, −1 for none."""
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


class PairRule(Rule):
    """A rule that bets on pairs. ``evidence_on``: functions of wins and losses, each with its bets on shares.

    ``wins`` […, i, j]: problems on which i beat j; with clusters, the sums of their shares.
    """

    cite: ClassVar[tuple[str, ...]] = ("ville1939", "wangramdas2022")
    most: ClassVar[int] = MOST_IN_PAIRS
    takes_shares: ClassVar[bool] = True
    wins: Counts

    def __init__(self, n_candidates: int, alpha: float, layers: tuple[int, ...] = ()) -> None:
        super().__init__(n_candidates, alpha)
        self.threshold: float = 1.0 / alpha
        self.wins = np.zeros((*layers, n_candidates, n_candidates), dtype=np.int64)
        self.evidence_on: list[tuple[PairTable, Bets]] = []
        self._shares: list[ShareEvidence] = []

    def take_clusters(self) -> None:
        super().take_clusters()
        self.wins = self.wins.astype(np.float64)
        self._shares = [ShareEvidence(bets, self.wins.shape) for _, bets in self.evidence_on]

    def _won(self, block: Array) -> Array | npt.NDArray[np.int64]:
        return wins_in(block)

    def _count(self, block: Array) -> list[Array]:
        """[…, i, j] logarithms of each kind of evidence for j over i, after the block."""
        if not self.clustered:
            self.wins += self._won(block)
            over = self.wins.swapaxes(-1, -2)
            return [table(over, self.wins) for table, _ in self.evidence_on]
        for part in self.parts(block):
            won = self._won(part) / len(part)
            self.wins += won
            for shares in self._shares:
                shares.add(won.swapaxes(-1, -2), won)
        return [shares.log for shares in self._shares]

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        self.wins = self.wins[..., keep, :][..., keep]
        for shares in self._shares:
            shares.keep(keep)


def without_equivalents(
    alive: npt.NDArray[np.int64], pairs: list[tuple[float, int, int]], points: Array, n_problems: int
) -> list[Elimination]:
    """``pairs``: evidence and two places; strongest first, the one with fewer points leaves while both are there."""
    gone: dict[int, Elimination] = {}
    for evidence, i, j in sorted(pairs, key=lambda pair: -pair[0]):
        stays, goes = (i, j) if points[i] >= points[j] else (j, i)
        if stays not in gone and goes not in gone:
            gone[goes] = Elimination(
                candidate=int(alive[goes]),
                n_problems=n_problems,
                reason="equivalent",
                by=int(alive[stays]),
                evidence=evidence,
            )
    return list(gone.values())


def means_of_clusters(block: Array, sizes: Sequence[int]) -> Array:
    """(clusters, m) mean costs."""
    with np.errstate(invalid="ignore", over="ignore"):
        means = np.array([part.mean(axis=0) for part in np.split(block, np.cumsum(sizes)[:-1])])
    if np.any(np.isnan(means)):
        raise ParameterError("the mean of infinitely good and bad scores of one cluster does not exist; use 'e-sign'")
    return means


def wins_in(block: Array) -> npt.NDArray[np.int64]:
    """(m, m) number of problems in a block of costs on which the row's candidate beats the column's."""
    wins = np.zeros((block.shape[1],) * 2, dtype=np.int64)
    for row in block:
        wins += row[:, None] < row
    return wins


def leading(points: Array) -> tuple[int, int]:
    """Places of the best and of the second best; ties go to the earlier one."""
    best = int(np.argmax(points))
    others = points.copy()
    others[best] = -np.inf
    return best, int(np.argmax(others))


def crossed(evidence: Array, threshold: float) -> npt.NDArray[np.bool_]:
    """Mask of candidates at or above the threshold; if that is all of them, the one with least evidence stays."""
    out = np.asarray(evidence >= threshold)
    if out.all():
        out[int(np.argmin(evidence))] = False
    return out


# A rule by its name, with its options.


def rule_of(method: str | type[Rule]) -> type[Rule]:
    """The class of a rule, for one metric or several; a class is itself."""
    if not isinstance(method, str):
        return method
    choice("method", method, (*RULES, *METRIC_RULES))
    return (RULES if method in RULES else METRIC_RULES)[method]


def make_rule(method: str | type[Rule], n_candidates: int, alpha: float = 0.05, /, **options: Any) -> Rule:
    """A rule at its start; ``options`` are those of the method (see ``bo.race.replay``)."""
    known = options_of(method)
    for name in options:
        if name not in known:
            hint = did_you_mean(name, known)
            takes = ", ".join(known) if known else "none"
            raise ParameterError(f"method {method!r} has no option {name!r}{hint}; its options: {takes}")
    return rule_of(method)(n_candidates, alpha, **options)


def for_problems(method: str | type[Rule], n_problems: int) -> dict[str, Any]:
    """The options of a method that follow from the number of problems."""
    return {"grid": horizon_grid(n_problems)} if "grid" in options_of(method) else {}


def refuse_grid(options: Mapping[str, Any]) -> None:
    """The grid comes from the data."""
    if "grid" in options:
        raise ParameterError("follows from the number of problems and cannot be given", parameter="grid")


def options_of(method: str | type[Rule]) -> dict[str, Any]:
    """The options of a method and their defaults."""
    parameters = inspect.signature(rule_of(method).__init__).parameters
    return {name: p.default for name, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}
