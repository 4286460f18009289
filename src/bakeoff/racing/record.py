"""A race as it goes: feeds committed blocks to the rule, keeps the book, and turns it into a result.

It decides nothing and has no clock: fed the same blocks again it holds the same book. A replay of a finished table and
a race that makes its own runs both keep it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.racing.pair_confidence import win_confidence
from bakeoff.racing.results import EvidencePath, Leaver, RaceResult, Standing, Stopped
from bakeoff.racing.rule import Elimination, Rule
from bakeoff.racing.rules.pair_evidence import log_pair_evidence
from bakeoff.ranks._rank import doubled_row_ranks
from bakeoff.scores.cells import Array


@dataclass(slots=True)
class _Path:
    n_problems: list[int] = field(default_factory=list)
    evaluations: list[int] = field(default_factory=list)
    evidence: list[float] = field(default_factory=list)


class RaceRecord:
    """``problem_costs``: what one evaluation on a problem costs, 1 where it is not given."""

    def __init__(
        self,
        rule: Rule,
        algorithms: Sequence[str],
        *,
        problem_costs: Mapping[str, float] | None = None,
    ) -> None:
        if len(algorithms) != rule.n_candidates:
            raise ParameterError(f"the rule races {rule.n_candidates} candidates; got {len(algorithms)} names")
        self.rule = rule
        self.algorithms = list(algorithms)
        self.problems: list[str] = []
        self.evaluations = 0
        self.cost = 0.0
        self._prices = {} if problem_costs is None else dict(problem_costs)
        self._latecomers = False
        self._paths = [_Path() for _ in algorithms]
        self._leavers: list[Leaver] = []
        self._seen: list[tuple[npt.NDArray[np.int64], Array]] = []  # who ran, and their costs

    @property
    def alive(self) -> tuple[str, ...]:
        return tuple(self.algorithms[i] for i in self.rule.alive.tolist())

    def price(self, problem: str) -> float:
        return self._prices.get(problem, 1.0)

    def observe(self, problems: Sequence[str], costs: Array) -> list[Elimination]:
        """A committed block: (problems, candidates alive), lower is better, +inf for a failed run."""
        block = np.array(costs, dtype=float)
        if len(block) != len(problems):
            raise ParameterError(f"costs must have a row for each of the {len(problems)} problems; got {len(block)}")
        alive = self.rule.alive.copy()
        leaving = self.rule.observe(block)
        self.problems += problems
        self.evaluations += len(block) * len(alive)
        self.cost += sum(self.price(problem) for problem in problems) * len(alive)
        self._seen.append((alive, block))
        for candidate, evidence in zip(alive.tolist(), self.rule.last_evidence.tolist(), strict=True):
            path = self._paths[candidate]
            path.n_problems.append(self.rule.n_problems)
            path.evaluations.append(self.evaluations)
            path.evidence.append(evidence)
        self._leavers += [self._leaver(elimination) for elimination in leaving]
        return leaving

    def admit(self, algorithms: Sequence[str]) -> None:
        """New candidates, measured from the next block on."""
        known = set(self.algorithms)
        if len(set(algorithms)) != len(algorithms) or known & set(algorithms):
            raise ParameterError(f"a candidate's name is used once; got {', '.join(map(repr, algorithms))}")
        self.rule.admit(len(algorithms))
        self.algorithms += algorithms
        self._paths += [_Path() for _ in algorithms]
        self._latecomers = True

    def _leaver(self, left: Elimination) -> Leaver:
        return Leaver(
            algorithm=self.algorithms[left.candidate],
            reason=left.reason,
            by=None if left.by is None else self.algorithms[left.by],
            evidence=left.evidence,
            n_problems=left.n_problems,
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
    ) -> RaceResult:
        """``available``: all problems of the full design, raced on or not."""
        rule, standings = self.rule, self._standings()
        survivors = tuple(standing.algorithm for standing in standings)
        q = len(self.algorithms)
        return RaceResult(
            method=rule.name,
            alpha=rule.alpha,
            guarantee=rule.promise,
            anytime=rule.anytime,
            measure=rule.measure,
            threshold=rule.threshold,
            algorithms=tuple(self.algorithms),
            survivors=survivors,
            best=survivors[0],
            eliminated=tuple(self._leavers),
            equivalents=tuple(leaver for leaver in self._leavers if leaver.reason == "equivalent"),
            discoveries=self._discoveries(),
            standings=standings,
            paths=self._evidence_paths(),
            problems=tuple(self.problems),
            n_problems=len(self.problems),
            n_available=len(available),
            n_dropped=n_dropped,
            n_ties=sum(_tied_pairs(costs) for _, costs in self._seen),
            n_failed=sum(int(np.count_nonzero(costs == np.inf)) for _, costs in self._seen),
            block=block,
            evaluations=self.evaluations,
            full_evaluations=q * len(available),
            cost=self.cost,
            full_cost=q * math.fsum(self.price(problem) for problem in available),
            budget=budget,
            order=order,
            stopped=stopped,
            cautions=(*rule.cautions(), *few_problems(rule, len(available)), *cautions),
        )

    def _evidence_paths(self) -> tuple[EvidencePath, ...]:
        return tuple(
            EvidencePath(
                algorithm=name,
                n_problems=np.array(path.n_problems, dtype=float),
                evaluations=np.array(path.evaluations, dtype=float),
                evidence=np.array(path.evidence, dtype=float),
            )
            for name, path in zip(self.algorithms, self._paths, strict=True)
        )

    def _discoveries(self) -> tuple[str, ...] | None:
        """e-BH (Wang & Ramdas 2022): the k largest E with the largest k such that the k-th is at least q/(kα).

        An E stays what it was when its candidate left; of one that did not leave as worse it counts as 0, since of a
        list that is shortened afterwards nothing is promised. The number of hypotheses must be fixed: not with
        latecomers.
        """
        rule = self.rule
        if rule.measure != "e-value" or self._latecomers:
            return None
        worse = {leaver.algorithm for leaver in self._leavers if leaver.reason == "worse"}
        last = np.array([path.evidence[-1] if path.evidence else 0.0 for path in self._paths])
        left = np.array([name in worse for name in self.algorithms])
        chosen = e_bh(np.where(left, last, 0.0), rule.alpha)
        return tuple(name for name, taken in zip(self.algorithms, chosen.tolist(), strict=True) if taken)

    def _standings(self) -> tuple[Standing, ...]:
        """By mean rank on the problems that all survivors ran on; ties in the order of the candidates."""
        alive = self.rule.alive
        q = len(self.algorithms)
        shared = [costs[:, np.isin(who, alive)] for who, costs in self._seen if np.isin(alive, who).all()]
        m = len(alive)
        if not shared:
            costs, mean_ranks = np.zeros((0, m)), np.full(m, (m + 1) / 2.0)
        else:
            costs = np.concatenate(shared)
            doubled = doubled_row_ranks(costs) if costs.ndim == 2 else _doubled_over_metrics(costs)
            mean_ranks = doubled.mean(axis=0) / 2.0
        order = np.argsort(mean_ranks, kind="stable")
        found = []
        for place, i in enumerate(order.tolist()):
            better, worse = _apart(costs[:, order[0]], costs[:, i])
            low, high = win_confidence(better, worse, self.rule.alpha / (q * (q - 1) / 2))
            found.append(
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
        return tuple(found)


def few_problems(rule: Rule, n_available: int) -> tuple[Caution, ...]:
    """Whether no scores whatever could have removed anybody: evidence is at most that of nothing but losses."""
    if rule.measure != "e-value" or rule.threshold is None or rule.threshold > 1e15:
        return ()
    if getattr(rule, "equivalence", None) is not None:  # by another test, which may need fewer
        return ()
    fewest = 1
    while float(log_pair_evidence(fewest, 0)) < math.log(rule.threshold):
        fewest += 1
    if n_available >= fewest:
        return ()
    return (
        Caution(
            code="few-problems",
            text=f"With {counted(n_available, 'problem')} no scores could have removed anybody: that takes at least "
            f"{fewest} at this level.",
            reference="",
        ),
    )


def e_bh(evidence: Array, alpha: float) -> npt.NDArray[np.bool_]:
    """Which of q e-values are taken so that the expected share of true hypotheses among them is at most alpha.

    The largest k with k e-values >= q/(kα), whatever their dependence: Wang & Ramdas (2022), definition 2.
    """
    q = len(evidence)
    ordered = np.sort(evidence)[::-1]
    enough = np.flatnonzero(ordered * np.arange(1, q + 1) >= q / alpha)
    if not len(enough):
        return np.zeros(q, dtype=bool)
    return np.asarray(evidence >= q / (alpha * (enough[-1] + 1.0)))


def _apart(best: Array, other: Array) -> tuple[int, int]:
    """On how many problems the one is better and worse; of several metrics: in every one of them."""
    if not len(best):
        return 0, 0
    metrics = best.reshape(len(best), -1), other.reshape(len(other), -1)
    better, worse = (metrics[0] < metrics[1]).all(axis=1), (metrics[0] > metrics[1]).all(axis=1)
    return int(better.sum()), int(worse.sum())


def _doubled_over_metrics(costs: Array) -> Array:
    """(n, m) twice the ranks, the mean over metrics."""
    return np.asarray(np.mean([doubled_row_ranks(costs[:, :, k]) for k in range(costs.shape[2])], axis=0))


def _tied_pairs(costs: Array) -> int:
    """Pairs with equal costs, from the lengths of runs of equals in each sorted row."""
    rows = costs if costs.ndim == 2 else np.moveaxis(costs, 2, 1).reshape(-1, costs.shape[1])
    ordered = np.sort(rows, axis=1)
    pairs, run = 0, np.zeros(len(rows), dtype=np.int64)
    for j in range(1, rows.shape[1]):
        run = np.where(ordered[:, j] == ordered[:, j - 1], run + 1, 0)
        pairs += int(run.sum())
    return pairs
