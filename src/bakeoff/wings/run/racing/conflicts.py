"""Disagreements of mean ranks and majorities: who was eliminated with the better mean rank, and majorities in a circle.

"Best" in the guarantee of e-sign is a candidate that no other one beats more often than it is beaten (a weak Condorcet
winner). There may be none, and it need not have the best mean rank, by which the result's ``best`` is chosen.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, listing
from bakeoff.ranks._rank import doubled_row_ranks
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.pair_evidence import log_pair_evidence
from bakeoff.wings.run.racing.rules.rule import wins_in

MOST_IN_CYCLES = 300  # candidates; with more, cycles are looked for among those that raced longest

Blocks = Sequence[tuple[npt.NDArray[np.int64], Array]]  # candidates that raced, and their costs
Weights = Sequence[Array]  # of the problems of each block: 1, or 1 / the size of the cluster


def mean_rank_conflict(
    names: Sequence[str], blocks: Blocks, weights: Weights, best: int, eliminated: Sequence[int], of_table: bool = False
) -> tuple[Caution, ...]:
    """Whether an eliminated candidate ranked better than ``best`` on problems that both ran on.

    ``of_table``: the one block is the whole table of a replay. Otherwise ranks are among those that raced, and also
    among all before the first one left.
    """
    if not eliminated:
        return ()
    ranked = [(who, field_ranks(costs)) for who, costs in blocks]
    conflict = _ahead(len(names), ranked, weights, best, eliminated)
    if not of_table:
        first = [at for at, (who, _) in enumerate(ranked) if len(who) == len(ranked[0][0])]
        whole = [ranked[at] for at in first], [weights[at] for at in first]
        conflict = _ahead(len(names), *whole, best, eliminated) | conflict
    if not conflict:
        return ()
    where = "of the table" if of_table else "that both ran on"
    shown = listing(
        f"{names[i]!r} ({own:.2f} against {its:.2f} on {n} problems)" for i, (n, own, its) in conflict.items()
    )
    return (caution_of("mean-rank-conflict", "race", names=names[best], where=where, shown=shown),)


def _ahead(
    q: int, ranked: Blocks, weights: Weights, best: int, eliminated: Sequence[int]
) -> dict[int, tuple[int, float, float]]:
    """The candidates whose mean rank is better than the best one's: the number of problems and both mean ranks."""
    own, its, total, n = np.zeros(q), np.zeros(q), np.zeros(q), np.zeros(q, dtype=np.int64)
    for (who, ranks), weight in zip(ranked, weights, strict=True):
        at = np.flatnonzero(who == best)
        if len(at):
            own[who] += weight @ ranks
            its[who] += weight @ ranks[:, at[0]]
            total[who] += weight.sum()
            n[who] += len(ranks)
    return {
        i: (int(n[i]), float(own[i] / total[i]), float(its[i] / total[i]))
        for i in eliminated
        if own[i] < its[i] - 1e-9 * total[i]
    }


def majority_cycle(
    names: Sequence[str], blocks: Blocks, weights: Weights, unit: str = "problem"
) -> tuple[Caution, ...]:
    """Whether a beats b, b beats c and c beats a more often than not, each with evidence E >= (2 C(q, 3)/0.05)^(1/3).

    Of q equal candidates there are 2 C(q, 3) such circles, and each of the three E reaches c with probability at most
    1/c: the limit keeps circles by chance rare, and is no test. Of clusters the shares of their problems won count.
    """
    q = len(names)
    taking_part = np.zeros(q, dtype=np.int64)
    for who, costs in blocks:
        taking_part[who] += len(costs)
    chosen = np.sort(np.argsort(-taking_part, kind="stable")[:MOST_IN_CYCLES])
    place = np.full(q, -1)
    place[chosen] = np.arange(len(chosen))
    wins = np.zeros((len(chosen),) * 2)
    for (who, costs), weight in zip(blocks, weights, strict=True):
        if costs.ndim != 2:  # several metrics have no single majority
            return ()
        here = place[who] >= 0
        wins[np.ix_(place[who[here]], place[who[here]])] += _weighted_wins(costs[:, here], weight)
    limit = math.log(2.0 * math.comb(q, 3) / 0.05) / 3.0 if q > 2 else math.inf
    beats = log_pair_evidence(wins, wins.T) >= limit
    circles = (beats.astype(np.float32) @ beats.astype(np.float32)) * beats.T  # [a, c]: a > b > c for some b, and c > a
    if not circles.any():
        return ()
    a, c = (int(i) for i in np.unravel_index(int(np.argmax(circles > 0)), circles.shape))
    b = int(np.argmax(beats[a] & beats[:, c]))
    of = "" if unit == "problem" else f" {unit}s, in shares of their problems"
    text = ", ".join(
        f"{names[chosen[i]]!r} beats {names[chosen[j]]!r} ({wins[i, j]:.4g}–{wins[j, i]:.4g}{of})"
        for i, j in ((a, b), (b, c), (c, a))
    )
    n = round(float(circles.sum()) / 3.0)
    more = f" There are {n} such cycles." if n > 1 else ""
    return (caution_of("cycle", "race", said=text, more=more),)


def _weighted_wins(costs: Array, weight: Array) -> Array:
    """(m, m) weights of the problems on which the row's candidate beats the column's."""
    if (weight == 1.0).all():
        return wins_in(costs).astype(np.float64)
    return np.asarray(sum((w * (row[:, None] < row) for w, row in zip(weight, costs, strict=True))))


def field_ranks(costs: Array) -> Array:
    """(n, m) mid-ranks in each row, 1 the lowest; averaged over metrics."""
    if costs.ndim == 2:
        return np.asarray(doubled_row_ranks(costs) / 2.0)
    return np.asarray(np.mean([doubled_row_ranks(costs[:, :, k]) for k in range(costs.shape[2])], axis=0) / 2.0)
