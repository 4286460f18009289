"""Rankings as the Plackett–Luce model reads them: blocks of problems, algorithms in the order of their places.

A block is (places, problems): first those that have no score on the problem (they take no part), then the others, best
first. The last axis of what is computed from it is that of the chains, so that inner loops run over them.
"""

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.errors import ScoreError
from bakeoff.ranks import doubled_ranks
from bakeoff.ranks.problem_order import ranks_by_cluster
from bakeoff.scores import Array, Scores

BLOCK = 1 << 11  # places × problems of a block: with 16 chains 256 kB, which stays in the cache
ABSENT = np.iinfo(np.int64).max
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TiedSets:
    """Sets of about equally many algorithms that are tied, with worse ones behind them."""

    members: Ints  # (m, G) algorithms; k + 1 where a set has fewer
    places: Ints  # (m, G) of the members in the block, place · problems + problem; of none: the first member's
    behind: Ints  # (G,) of the best algorithm behind the set, likewise


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankingBlock:
    """``counts`` problems of each column are alike; columns with ties have one problem each."""

    order: Ints  # (k, b) algorithms by place; k where none
    index: Ints  # (k, b) where each algorithm stands, place · problems + problem
    single: Array  # (k, b, 1) how often the algorithm at this place was ahead of all behind it, alone
    rough: Array  # (k, b, 1) the same, where a tied set of m counts as m choices from it and all behind (Breslow)
    tied: tuple[TiedSets, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rankings:
    """All problems. ``levels`` are sorted by content, so that nothing depends on the order of problems."""

    levels: Ints  # (n, k) twice the mid-ranks; ABSENT without a score
    counts: Ints  # (n,) how many problems have these
    ahead: Array  # (k,) on how many problems each was ahead of another
    blocks: tuple[RankingBlock, ...]

    @property
    def k(self) -> int:
        return int(self.levels.shape[1])

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def n_tied(self) -> int:
        ordered = np.sort(self.levels, axis=1)
        same = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != ABSENT)
        return int(self.counts[same.any(axis=1)].sum())

    @property
    def n_silent(self) -> int:
        """On how many all are tied."""
        worst = np.where(self.levels == ABSENT, -1, self.levels).max(axis=1)
        return int(self.counts[worst == self.levels.min(axis=1)].sum())

    @property
    def n_partial(self) -> int:
        return int(self.counts[(self.levels == ABSENT).any(axis=1)].sum())

    @property
    def met(self) -> Array:
        """(k, k) on how many problems both are ranked."""
        there = (self.levels != ABSENT).astype(np.float64)
        return np.asarray((there.T * self.counts) @ there)

    @property
    def has_ties(self) -> bool:
        """Ties in front of others: those of the last say nothing."""
        return any(block.tied for block in self.blocks)


def rankings_of(scores: Scores) -> Rankings:
    """One per problem, or per cluster, by the mean rank within its problems."""
    return rankings(tied_levels(ranks_by_cluster(scores)))


def first_places_seen(rankings: Rankings) -> Array:
    """(k,) share of problems on which each was first; a tie is divided."""
    best = rankings.levels == rankings.levels.min(axis=1, keepdims=True)
    return np.asarray((rankings.counts[:, None] * best / best.sum(axis=1, keepdims=True)).sum(axis=0) / rankings.n)


def wins(rankings: Rankings) -> Array:
    """(k, k) on how many problems the row was ahead of the column."""
    x = rankings.levels
    return np.array([((x[:, i, None] < x) & (x != ABSENT)).T @ rankings.counts for i in range(rankings.k)], dtype=float)


def tied_levels(scores: Scores) -> Ints:
    """(n, k), with missing scores; algorithms in the order of their names."""
    columns = np.array(sorted(range(scores.n_algorithms), key=scores.algorithms.__getitem__))
    present = ~scores.holes[:, columns]
    if not (present.sum(axis=1) >= 2).any():
        raise ScoreError("has no problem with two scores: nothing can be compared", parameter="scores")
    levels = np.full(present.shape, ABSENT, dtype=np.int64)
    patterns: dict[bytes, list[int]] = {}
    for i, row in enumerate(present):
        if row.sum() >= 2:
            patterns.setdefault(row.tobytes(), []).append(i)
    for problems in patterns.values():
        those = np.flatnonzero(present[problems[0]])
        levels[np.ix_(np.array(problems), those)] = doubled_ranks(scores.select(columns[those].tolist(), problems))
    return np.asarray(levels[present.sum(axis=1) >= 2])


def rankings(levels: Ints) -> Rankings:
    """Problems that are alike are counted; of those with ties each is kept, for its latent times."""
    rows, counts = np.unique(levels, axis=0, return_counts=True)
    copies = np.where(_with_ties(rows), counts, 1)
    each = np.repeat(np.arange(len(rows)), copies)
    rows, counts = rows[each], np.where(copies > 1, 1, counts)[each]
    k = rows.shape[1]
    step = max(1, BLOCK // k)
    blocks = tuple(_block(rows[i : i + step], counts[i : i + step]) for i in range(0, len(rows), step))
    worst = np.where(rows == ABSENT, -1, rows).max(axis=1, keepdims=True)
    ahead = (counts[:, None] * (rows < worst)).sum(axis=0)
    return Rankings(levels=rows, counts=counts, ahead=ahead.astype(np.float64), blocks=blocks)


def _with_ties(rows: Ints) -> npt.NDArray[np.bool_]:
    """(n,) are there two that are tied, and others behind them?"""
    ordered = np.sort(rows, axis=1)
    present = ordered != ABSENT
    last = np.where(present, ordered, -1).max(axis=1, keepdims=True)
    same = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] < last)
    return np.asarray(same.any(axis=1))


def _block(rows: Ints, counts: Ints) -> RankingBlock:
    b, k = rows.shape
    absent = rows == ABSENT
    order = np.argsort(np.where(absent, -1, rows), axis=1, kind="stable").T
    level = np.take_along_axis(np.where(absent, -1, rows).T, order, axis=0)
    index = np.empty_like(order)
    np.put_along_axis(index, order, np.broadcast_to(np.arange(k)[:, None], order.shape), axis=0)
    start = np.ones((k, b), dtype=bool)
    start[1:] = level[1:] != level[:-1]
    size = _sizes(start)
    ahead = start & (level >= 0) & (level < level[-1])
    return RankingBlock(
        order=np.where(level < 0, k, order),
        index=index * b + np.arange(b),
        single=(ahead & (size == 1)).astype(np.float64)[:, :, None] * counts[:, None],
        rough=(ahead * size).astype(np.float64)[:, :, None] * counts[:, None],
        tied=_tied_sets(order, ahead & (size > 1), size),
    )


def _sizes(start: npt.NDArray[np.bool_]) -> Ints:
    """(k, b) of the tied set at each place, from where sets start."""
    places = np.arange(len(start))[:, None]
    first = np.maximum.accumulate(np.where(start, places, 0), axis=0)
    end = np.where(np.roll(start, -1, axis=0), places + 1, len(start))  # the first place starts a set: so ends the last
    return np.asarray(np.minimum.accumulate(end[::-1], axis=0)[::-1] - first)


def _tied_sets(order: Ints, first: npt.NDArray[np.bool_], size: Ints) -> tuple[TiedSets, ...]:
    """Those of 2 to 4, of 5 to 16, of 17 to 64 … members together."""
    k, b = order.shape
    place, problem = np.nonzero(first)
    many = size[first]
    sets, low, high = [], 2, 4
    while low <= k:
        those = np.flatnonzero((many >= low) & (many <= high))
        if those.size:
            m = int(many[those].max())
            within = np.arange(m)[:, None] < many[those]
            at = place[those] + np.where(within, np.arange(m)[:, None], 0)
            sets.append(
                TiedSets(
                    members=np.where(within, order[at, problem[those]], k + 1),
                    places=at * b + problem[those],
                    behind=(place[those] + many[those]) * b + problem[those],
                )
            )
        low, high = high + 1, 4 * high
    return tuple(sets)
