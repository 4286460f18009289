"""Record of a race: passes committed blocks to the rule, collects what happened, and turns it into a result.

It decides nothing and has no clock: given the same blocks it ends in the same state. Replays of finished tables and
races that make their own runs both use it.
"""

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, ParameterError, counted, listing
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.conflicts import field_ranks, majority_cycle, mean_rank_conflict
from bakeoff.wings.run.racing.pair_evidence import win_confidence
from bakeoff.wings.run.racing.results import EliminatedCandidate, EvidencePath, RaceResult, Standing, Stopped
from bakeoff.wings.run.racing.rules.rule import ALONE, IN_CLUSTERS, Elimination, Rule


class RaceRecord:
    """``problem_costs``: cost of one evaluation on a problem, 1 if not given.

    ``late``: candidates that join later, and after how many problems, in the order in which they join. ``clusters``:
    the cluster of each problem, if some have several: problems come cluster after cluster, and each counts as one.
    """

    def __init__(
        self,
        rule: Rule,
        algorithms: Sequence[str],
        *,
        problem_costs: Mapping[str, float] | None = None,
        late: Mapping[str, int] | None = None,
        clusters: Mapping[str, str] | None = None,
    ) -> None:
        if len(algorithms) != rule.n_candidates:
            raise ParameterError(f"the rule races {rule.n_candidates} candidates; got {len(algorithms)} names")
        self.rule = rule
        self.clusters = clusters
        if clusters is not None:
            rule.take_clusters()
        self.algorithms = list(algorithms)
        self.problems: list[str] = []
        self.evaluations = 0
        self.cost = 0.0
        self._prices = {} if problem_costs is None else dict(problem_costs)
        self._waiting = dict(late or {})  # late candidates that have not joined yet
        self._joined = [0] * len(algorithms)  # number of problems before each candidate joined
        self._joined_units = [0] * len(algorithms)  # the same in clusters, where there are any
        self._paths: list[list[tuple[int, int, float]]] = [[] for _ in algorithms]  # as in EvidencePath
        self.eliminated: list[EliminatedCandidate] = []
        self._seen: list[tuple[npt.NDArray[np.int64], Array]] = []  # candidates and costs of each block
        self._weights: list[Array] = []  # of their problems: 1, or 1 / the size of the cluster

    @property
    def alive(self) -> tuple[str, ...]:
        return tuple(self.algorithms[i] for i in self.rule.alive.tolist())

    def price(self, problem: str) -> float:
        return self._prices.get(problem, 1.0)

    def observe(self, problems: Sequence[str], costs: Array) -> list[Elimination]:
        """Take in a committed block: (problems, candidates alive), lower is better, +inf for a failed run."""
        block = np.array(costs, dtype=float)
        if len(block) != len(problems):
            raise ParameterError(
                f"must have a row for each of the {len(problems)} problems; got {len(block)}", parameter="costs"
            )
        alive, sizes = self.rule.alive.copy(), self.sizes(problems)
        leaving = self.rule.observe(block, sizes)
        self.problems += problems
        self.evaluations += len(block) * len(alive)
        self.cost += sum(self.price(problem) for problem in problems) * len(alive)
        self._seen.append((alive, block))
        self._weights.append(np.repeat(1.0 / np.array(sizes), sizes))
        for candidate, evidence in zip(alive.tolist(), self.rule.last_evidence.tolist(), strict=True):
            self._paths[candidate].append((len(self.problems), self.evaluations, evidence))
        self.eliminated += map(self._described, leaving)
        return leaving

    def sizes(self, problems: Sequence[str]) -> list[int]:
        """The number of successive problems in each cluster; without clusters 1 each."""
        if self.clusters is None:
            return [1] * len(problems)
        return [len(list(group)) for _, group in groupby(problems, key=self.clusters.__getitem__)]

    @property
    def unit(self) -> str:
        return "problem" if self.clusters is None else "cluster"

    def admit(self, algorithms: Sequence[str]) -> None:
        """Add candidates, compared from the next block on."""
        known = set(self.algorithms)
        if len(set(algorithms)) != len(algorithms) or known & set(algorithms):
            raise ParameterError(f"a candidate's name is used once; got {', '.join(map(repr, algorithms))}")
        self.rule.admit(len(algorithms))
        self.algorithms += algorithms
        self._paths += [[] for _ in algorithms]
        self._joined += [len(self.problems)] * len(algorithms)
        self._joined_units += [self.rule.n_problems] * len(algorithms)

    @property
    def until_next_late(self) -> int:
        """Number of problems, or clusters, before the next late candidate joins."""
        return min(self._waiting.values(), default=sys.maxsize) - self.rule.n_problems

    def admit_due(self) -> None:
        """Admit the late candidates that are due; with a single survivor, those that come next."""
        while self._waiting and (self.until_next_late <= 0 or len(self.rule.alive) == 1):
            after = min(self._waiting.values())
            self.admit([name for name, n in self._waiting.items() if n == after])
            self._waiting = {name: n for name, n in self._waiting.items() if n != after}

    def _described(self, left: Elimination) -> EliminatedCandidate:
        return EliminatedCandidate(
            algorithm=self.algorithms[left.candidate],
            reason=left.reason,
            by=None if left.by is None else self.algorithms[left.by],
            evidence=left.evidence,
            n_problems=len(self.problems),
            evaluations=self.evaluations,
        )

    def result(
        self,
        *,
        stopped: Stopped,
        available: Sequence[str],
        block: int,
        order: str,
        budget: float | None = None,
        n_dropped: int = 0,
        cautions: tuple[Caution, ...] = (),
        table: Array | None = None,
    ) -> RaceResult:
        """``available``: all problems of the full design in racing order; ``table``: costs on them, if known."""
        rule, standings = self.rule, self._standings()
        survivors = tuple(standing.algorithm for standing in standings)
        return RaceResult(
            method=rule.name,
            alpha=rule.alpha,
            guarantee=self._in_clusters(rule.promise),
            anytime=rule.anytime,
            measure=rule.measure,
            threshold=rule.threshold,
            algorithms=tuple(self.algorithms),
            survivors=survivors,
            best=survivors[0],
            claim=self._in_clusters(rule.claim),
            eliminated=tuple(self.eliminated),
            equivalents=tuple(gone for gone in self.eliminated if gone.reason == "equivalent"),
            discoveries=self._discoveries(),
            standings=standings,
            paths=self._evidence_paths(),
            problems=tuple(self.problems),
            n_problems=len(self.problems),
            n_available=len(available),
            n_clusters=None if self.clusters is None else rule.n_problems,
            n_available_clusters=None if self.clusters is None else len(self.sizes(available)),
            n_dropped=n_dropped,
            n_ties=sum(_tied_pairs(costs) for _, costs in self._seen),
            n_failed=sum(int(np.count_nonzero(costs == np.inf)) for _, costs in self._seen),
            block=block,
            evaluations=self.evaluations,
            full_evaluations=self.full_evaluations(len(available)),
            cost=self.cost,
            full_cost=sum(
                q * math.fsum(map(self.price, available[joined:])) for joined, q in Counter(self._joined).items()
            ),
            budget=budget,
            order=order,
            stopped=stopped,
            cautions=(
                *rule.cautions(),
                *few_problems(rule, len(self.sizes(available)), block, self.unit),
                *self._cluster_cautions(),
                *self._late_cautions(),
                *self._conflicts(survivors[0], table, available),
                *cautions,
            ),
        )

    def _in_clusters(self, text: str) -> str:
        """A guarantee or claim, which with clusters is about them."""
        if self.clusters is None:
            return text
        return text.replace(ALONE, IN_CLUSTERS)

    def _cluster_cautions(self) -> tuple[Caution, ...]:
        if self.clusters is None or self.rule.takes_shares:
            return ()
        return (caution_of("averaged", "race-clusters", name=self.rule.name),)

    def full_evaluations(self, n_available: int) -> int:
        """Cells of the full design: every candidate that has joined, on every problem since then."""
        return sum(n_available - joined for joined in self._joined)

    def _evidence_paths(self) -> tuple[EvidencePath, ...]:
        named = zip(self.algorithms, self._paths, strict=True)
        return tuple(EvidencePath(name, *np.array(path, dtype=float).reshape(-1, 3).T.copy()) for name, path in named)

    def _conflicts(self, best: str, table: Array | None, available: Sequence[str]) -> tuple[Caution, ...]:
        """Cautions where mean ranks and majorities disagree."""
        place = {name: i for i, name in enumerate(self.algorithms)}
        gone = [place[e.algorithm] for e in self.eliminated if e.reason == "worse"]
        blocks, weights = self._seen, self._weights
        if table is not None:
            blocks = [(np.arange(len(self.algorithms)), table[:, : len(self.algorithms)])]
            sizes = self.sizes(available)
            weights = [np.repeat(1.0 / np.array(sizes), sizes)]
        conflict = mean_rank_conflict(self.algorithms, blocks, weights, place[best], gone, of_table=table is not None)
        return (*conflict, *majority_cycle(self.algorithms, blocks, weights, self.unit))

    def _late_cautions(self) -> tuple[Caution, ...]:
        joined = [
            f"{n!r} after {counted(i, self.unit)}"
            for n, i in zip(self.algorithms, self._joined_units, strict=True)
            if i
        ]
        missed = [repr(name) for name in self._waiting]
        if not (joined or missed):
            return ()
        which = "waiting" if missed else "joined"
        names, waiting = listing(joined) or "none", listing(missed)
        return (caution_of("late-candidates", which, joined=names, unit=self.unit, missed=waiting),)

    def _discoveries(self) -> tuple[str, ...] | None:
        """e-BH (Wang & Ramdas 2022): the k largest E with the largest k such that the k-th is at least q/(kα).

        E is frozen when its candidate is eliminated, and counts as 0 unless it was eliminated as worse: e-BH does not
        cover a list that is shortened afterwards. It needs a fixed number of hypotheses, so no late candidates.
        """
        rule = self.rule
        if rule.measure != "e-value" or any(self._joined) or self._waiting:
            return None
        worse = {gone.algorithm for gone in self.eliminated if gone.reason == "worse"}
        last = np.array([path[-1][2] if path else 0.0 for path in self._paths])
        left = np.array([name in worse for name in self.algorithms])
        chosen = e_bh(np.where(left, last, 0.0), rule.alpha)
        return tuple(name for name, taken in zip(self.algorithms, chosen.tolist(), strict=True) if taken)

    def _standings(self) -> tuple[Standing, ...]:
        """List survivors by mean rank on the problems that all of them ran on; ties in the order of the candidates.

        A candidate that the rule has chosen comes first.
        """
        alive = self.rule.alive
        q = len(self.algorithms) + len(self._waiting)  # fixed in advance, whether or not all of them joined
        shared = [costs[:, np.isin(who, alive)] for who, costs in self._seen if np.isin(alive, who).all()]
        parts = [w for (who, _), w in zip(self._seen, self._weights, strict=True) if np.isin(alive, who).all()]
        weights = np.concatenate(parts) if parts else np.zeros(0)
        m = len(alive)
        if not shared:
            costs, mean_ranks = np.zeros((0, m)), np.full(m, (m + 1) / 2.0)
        else:
            costs = np.concatenate(shared)
            mean_ranks = field_ranks(costs).mean(axis=0)
            if self.clusters is not None:
                mean_ranks = np.average(field_ranks(costs), axis=0, weights=weights)
        order = np.argsort(mean_ranks, kind="stable")
        if self.rule.chosen is not None:
            order = np.array(sorted(order.tolist(), key=lambda i: int(alive[i]) != self.rule.chosen))
        standings = []
        for place, i in enumerate(order.tolist()):
            won, lost = _apart(costs[:, order[0]], costs[:, i])
            better, worse = int(won.sum()), int(lost.sum())
            low, high = win_confidence(float(weights @ won), float(weights @ lost), self.rule.alpha / (q * (q - 1) / 2))
            standings.append(
                Standing(
                    algorithm=self.algorithms[alive[i]],
                    mean_rank=float(mean_ranks[i]),
                    wins=better,
                    losses=worse,
                    ties=len(costs) - better - worse,
                    p_low=low if place else None,
                    p_high=high if place else None,
                )
            )
        return tuple(standings)


def few_problems(rule: Rule, n_available: int, block: int, unit: str = "problem") -> tuple[Caution, ...]:
    """Whether no scores at all could have eliminated a candidate: even losing every problem is too little evidence."""
    if rule.measure != "e-value" or rule.threshold is None or rule.threshold > 1e15:
        return ()
    fewest = 1
    while rule.log_most(fewest, block) < math.log(rule.threshold):
        fewest += 1
    if n_available >= fewest:
        return ()
    return (caution_of("out-of-reach", "race", count=counted(n_available, unit), fewest=fewest),)


def e_bh(evidence: Array, alpha: float) -> npt.NDArray[np.bool_]:
    """Mask of rejected hypotheses with false discovery rate at most alpha, under any dependence.

    The largest k with k e-values >= q/(kα): Wang & Ramdas (2022), definition 2.
    """
    q = len(evidence)
    ordered = np.sort(evidence)[::-1]
    enough = np.flatnonzero(ordered * np.arange(1, q + 1) >= q / alpha)
    if not len(enough):
        return np.zeros(q, dtype=bool)
    return np.asarray(evidence >= q / (alpha * (enough[-1] + 1.0)))


def _apart(best: Array, other: Array) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """(problems,) on which ``best`` is better and worse; with several metrics: in all of them."""
    if not len(best):
        return np.zeros(0, dtype=bool), np.zeros(0, dtype=bool)
    metrics = best.reshape(len(best), -1), other.reshape(len(other), -1)
    return np.all(metrics[0] < metrics[1], axis=1), np.all(metrics[0] > metrics[1], axis=1)


def _tied_pairs(costs: Array) -> int:
    """Number of pairs with equal costs, from runs of equal values in each sorted row."""
    rows = costs if costs.ndim == 2 else np.moveaxis(costs, 2, 1).reshape(-1, costs.shape[1])
    ordered = np.sort(rows, axis=1)
    pairs, run = 0, np.zeros(len(rows), dtype=np.int64)
    for j in range(1, rows.shape[1]):
        run = np.where(ordered[:, j] == ordered[:, j - 1], run + 1, 0)
        pairs += int(run.sum())
    return pairs
