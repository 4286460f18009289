"""Battles: who met whom, who won, and which battles belong together; runs of scores as battles, problem by problem."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ScoreError, WrongTypeError, listing
from bakeoff.paired.differences import directions
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.cells import labels
from bakeoff.scores.clusters import cluster_codes, cluster_names, codes_of
from bakeoff.scores.contents import ids_of, matching_order
from bakeoff.scores.win_table import WinTable


def shares_won(scores: Scores) -> Array:
    """(n, k, k) share of the comparisons on a problem in which a run of the row is better than one of the column.

    Splits that all algorithms share (``run_kind="split"`` with identifiers) meet their own kind, one battle for each;
    other runs of one algorithm meet all those of the other. What two shares lack to 1 is tied. Runs are compared
    exactly, and infinite scores are ordered.
    """
    assert scores.runs is not None
    costs = scores.runs if scores.better == "lower" else -scores.runs
    shares = np.empty((scores.n_problems, scores.n_algorithms, scores.n_algorithms))
    paired = by_split(scores)
    for row in range(scores.n_problems):
        cells = [costs[row, j, : int(scores.n_runs[row, j])] for j in range(scores.n_algorithms)]
        shares[row] = _of_splits(scores, row, cells) if paired else _of_all(cells)
    return shares


def by_split(scores: Scores) -> bool:
    """Are the runs splits that are known by name in every cell?"""
    n, k = scores.n_problems, scores.n_algorithms
    return scores.run_kind == "split" and all(ids_of(scores, i, j) is not None for i in range(n) for j in range(k))


def _of_splits(scores: Scores, row: int, cells: list[Array]) -> Array:
    ordered = [cells[0]]
    for j in range(1, len(cells)):
        order = matching_order(scores, row, (0, j))
        assert order is not None
        ordered.append(cells[j][order])
    table = np.array(ordered)
    return np.array([(one < table).mean(axis=1) for one in table])


def _of_all(cells: list[Array]) -> Array:
    """Every run of one against every run of the other."""
    sizes = np.array([len(cell) for cell in cells])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    every = np.concatenate(cells)
    won = np.array([np.add.reduceat(np.searchsorted(np.sort(cell), every, side="left"), starts) for cell in cells])
    return np.asarray(won / (sizes[:, None] * sizes))


Places = npt.NDArray[np.int64]
ROUNDING = 1e-12  # of one battle


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # arrays inside: == would be ambiguous
class Battles:
    """The result of :func:`bakeoff.read_battles`: each row is a pair, in one cluster, with counts of outcomes."""

    algorithms: tuple[str, ...]
    first: Places  # (m,) positions in ``algorithms``
    second: Places  # (m,)
    counts: Array  # (m, 3) won by the first, by the second, tied
    clusters: tuple[str, ...] | None  # names of the clusters; None: every battle for itself
    cluster: Places | None  # (m,) positions in ``clusters``
    source_sha256: str = ""
    covariates: tuple[str, ...] = ()
    differences: Array | None = None  # (m, p) covariates of the first less those of the second
    categories: tuple[str, ...] = ()  # in order of name; empty: none are known
    category: Places | None = None  # (m,) positions in ``categories``

    @property
    def n_battles(self) -> float:
        return float(self.counts.sum())

    @property
    def n_ties(self) -> float:
        return float(self.counts[:, 2].sum())

    def __repr__(self) -> str:
        within = "" if self.clusters is None else f", {len(self.clusters)} clusters"
        within += f", covariates {listing(self.covariates)}" if self.covariates else ""
        within += f", {len(self.categories)} categories" if self.categories else ""
        return f"Battles({len(self.algorithms)} algorithms, {self.n_battles:g} battles, {self.n_ties:g} tied{within})"

    def pooled(self) -> Battles:
        """The same without categories, as it would be read without them."""
        return self if self.category is None else self.part(np.arange(len(self.first)), self.algorithms)

    def of_category(self, at: int) -> Battles:
        """Those of one category, between the algorithms that met in it."""
        assert self.category is not None
        rows = np.flatnonzero(self.category == at)
        there = np.unique([self.first[rows], self.second[rows]])
        return self.part(rows, tuple(self.algorithms[i] for i in there.tolist()))

    def part(self, rows: Places, algorithms: tuple[str, ...]) -> Battles:
        """Some rows between these algorithms, without categories."""
        place = np.array([algorithms.index(name) if name in algorithms else -1 for name in self.algorithms])
        clusters = None
        if self.clusters is not None and self.cluster is not None:
            clusters = [self.clusters[code] for code in self.cluster[rows].tolist()]
        return merged_battles(
            algorithms,
            place[self.first[rows]],
            place[self.second[rows]],
            self.counts[rows],
            clusters,
            self.source_sha256,
            self.covariates,
            None if self.differences is None else self.differences[rows],
        )

    def tables(self) -> tuple[Array, Array]:
        """(k, k) wins of the row over the column, and ties, which stand at both places."""
        k = len(self.algorithms)
        wins, ties = np.zeros((k, k)), np.zeros((k, k))
        np.add.at(wins, (self.first, self.second), self.counts[:, 0])
        np.add.at(wins, (self.second, self.first), self.counts[:, 1])
        np.add.at(ties, (self.first, self.second), self.counts[:, 2])
        return wins, ties + ties.T

    def sizes(self) -> Array:
        """(G,) battles of each cluster."""
        assert self.cluster is not None
        each = self.counts.sum(axis=1)
        return np.bincount(self.cluster, weights=each, minlength=len(self.clusters or ())).astype(np.float64)

    def cluster_tables(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        """(G, k·k) wins and ties of each cluster; sparse, as few pairs meet in each of many clusters."""
        assert self.clusters is not None
        assert self.cluster is not None
        k = len(self.algorithms)
        places = (
            np.tile(self.cluster, 2),
            np.concatenate([self.first * k + self.second, self.second * k + self.first]),
        )

        def table(there: Array, back: Array) -> sparse.csr_array:
            return sparse.csr_array((np.concatenate([there, back]), places), shape=(len(self.clusters or ()), k * k))

        won, lost, tied = self.counts.T
        return table(won, lost), table(tied, tied)


def merged_battles(
    algorithms: Sequence[str],
    first: Places,
    second: Places,
    counts: Array,
    clusters: Iterable[str] | None,
    source_sha256: str = "",
    covariates: Sequence[str] = (),
    differences: Array | None = None,
    categories: Sequence[str] | None = None,
) -> Battles:
    """Battles from rows in any order; rows of one pair in one cluster, category, and with the same covariates, are
    added up. ``clusters`` and ``categories``: of each row."""
    names = labels("algorithms", list(algorithms), "A", len(algorithms))
    if len(names) < 2:
        raise ScoreError(f"must be between at least 2 algorithms; there are {len(names)}", parameter="battles")
    if (first == second).any():
        row = int(np.flatnonzero(first == second)[0])
        raise ScoreError(f": {names[first[row]]!r} meets itself in battle {row + 1}", parameter="battles")
    codes, groups = None, None
    if clusters is not None:
        cluster_labels = list(clusters)
        codes, groups = codes_of(cluster_labels), tuple(dict.fromkeys(cluster_labels))
    turned = first > second
    low, high = np.where(turned, second, first), np.where(turned, first, second)
    ordered = np.where(turned[:, None], counts[:, [1, 0, 2]], counts)
    kinds = () if categories is None else tuple(sorted(set(categories)))
    kind = np.zeros_like(low) if categories is None else np.searchsorted(kinds, categories)
    keys = np.column_stack([np.zeros_like(low) if codes is None else codes, low, high, kind])
    if differences is not None:
        keys = np.column_stack([keys, np.where(turned[:, None], 0.0 - differences, differences)])
    rows, place = np.unique(keys, axis=0, return_inverse=True)
    beside, rows = rows[:, 4:], rows[:, :4].astype(np.int64)
    total = np.zeros((len(rows), 3))
    np.add.at(total, place.ravel(), ordered)
    if not source_sha256:
        text = "\n".join([*names, *(groups or ()), *covariates, *kinds]).encode()
        known = rows if kinds else rows[:, :3]
        source_sha256 = hashlib.sha256(text + known.tobytes() + total.tobytes() + beside.tobytes()).hexdigest()
    return Battles(
        algorithms=names,
        first=rows[:, 1],
        second=rows[:, 2],
        counts=read_only(total),
        clusters=groups,
        cluster=None if codes is None else rows[:, 0],
        source_sha256=source_sha256,
        covariates=tuple(covariates),
        differences=None if differences is None else read_only(beside),
        categories=kinds,
        category=rows[:, 3] if kinds else None,
    )


def battles_of(source: object) -> Battles:
    """Scores: on each problem every pair meets once, and the problem (or its cluster) is the cluster of these.

    Runs share that one battle.
    """
    if isinstance(source, Battles):
        return source
    if isinstance(source, WinTable):
        low, high = np.nonzero(np.triu(source.games > 0, 1))
        counts = np.column_stack([source.wins[low, high], source.wins[high, low], source.ties[low, high]])
        return merged_battles(source.algorithms, low, high, counts, None)
    if isinstance(source, Scores):
        return _of_scores(check_scores(source))
    rule = f"must be what bo.read_battles returned, a bakeoff.Scores or a bo.WinTable; got {type(source).__name__}"
    raise WrongTypeError(rule, parameter="battles")


def ordered_battles(battles: Battles) -> tuple[Battles, Places]:
    """The same battles in an order that resamples may depend on, and the places (k,) of the algorithms in it.

    Algorithms come in the order of their names, clusters in that of what happened in them.
    """
    names = tuple(sorted(battles.algorithms))
    places = np.array([names.index(name) for name in battles.algorithms])
    merged = battles.part(np.arange(len(battles.first)), names)
    if merged.cluster is None or merged.clusters is None:
        return merged, places
    beside = np.empty((len(merged.first), 0)) if merged.differences is None else merged.differences
    rows = np.column_stack([merged.first, merged.second, merged.counts, beside])
    parts = [part.tolist() for part in np.split(rows, np.flatnonzero(np.diff(merged.cluster)) + 1)]
    order = sorted(range(len(parts)), key=parts.__getitem__)
    cluster = np.argsort(order)[merged.cluster]
    by_cluster = np.argsort(cluster, kind="stable")
    return replace(
        merged,
        first=merged.first[by_cluster],
        second=merged.second[by_cluster],
        counts=read_only(merged.counts[by_cluster]),
        clusters=tuple(merged.clusters[i] for i in order),
        cluster=cluster[by_cluster],
        differences=None if merged.differences is None else read_only(beside[by_cluster]),
    ), places


def _of_scores(scores: Scores) -> Battles:
    k, n = scores.n_algorithms, scores.n_problems
    low, high = np.triu_indices(k, 1)
    if scores.runs is None:
        signs = np.column_stack([directions(scores, i, j) for i, j in zip(low.tolist(), high.tolist(), strict=True)])
        flat = signs.ravel()
        counts = np.column_stack([flat == 1, flat == -1, flat == 0]).astype(np.float64)
    else:
        won = shares_won(scores)
        first, second = won[:, low, high].ravel(), won[:, high, low].ravel()
        counts = np.column_stack([first, second, np.maximum(1.0 - first - second, 0.0)])
        counts[counts < ROUNDING] = 0.0
    names = cluster_names(scores)
    clusters = [names[code] for code in np.repeat(cluster_codes(scores), len(low)).tolist()]
    return merged_battles(
        scores.algorithms, np.tile(low, n), np.tile(high, n), counts, clusters, source_sha256=scores.source_sha256
    )
