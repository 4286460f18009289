"""Battles: who met whom, who won, and which battles belong together; runs of scores as battles, problem by problem."""

from __future__ import annotations

import hashlib
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bakeoff.checks import did_you_mean
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ParameterError, ReadingError, ScoreError, WrongTypeError, listing
from bakeoff.paired.differences import directions
from bakeoff.reading.columns import dict_table, frame_table, records_table
from bakeoff.reading.files import file_table
from bakeoff.reading.number_parsing import NotANumber, number_from
from bakeoff.reading.table import SourceTable, place
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
    cluster: Places  # (m,) positions in ``clusters``, if there are any
    source_sha256: str
    covariates: tuple[str, ...]
    differences: Array  # (m, p) covariates of the first less those of the second
    categories: tuple[str, ...]  # in order of name; empty: none are known
    category: Places  # (m,) positions in ``categories``, if there are any

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
        return self.part(np.arange(len(self.first)), self.algorithms) if self.categories else self

    def of_category(self, at: int) -> Battles:
        """Those of one category, between the algorithms that met in it."""
        rows = np.flatnonzero(self.category == at)
        there = np.unique([self.first[rows], self.second[rows]])
        return self.part(rows, tuple(self.algorithms[i] for i in there.tolist()))

    def part(self, rows: Places, algorithms: tuple[str, ...]) -> Battles:
        """Some rows between these algorithms, without categories."""
        place = np.array([algorithms.index(name) if name in algorithms else -1 for name in self.algorithms])
        first, second, counts = place[self.first[rows]], place[self.second[rows]], self.counts[rows]
        clusters = None if self.clusters is None else [self.clusters[code] for code in self.cluster[rows].tolist()]
        about = (self.source_sha256, self.covariates, self.differences[rows])
        return merged_battles(algorithms, first, second, counts, clusters, *about)

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
        each = self.counts.sum(axis=1)
        return np.bincount(self.cluster, weights=each, minlength=len(self.clusters or ())).astype(np.float64)

    def cluster_tables(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        """(G, k·k) wins and ties of each cluster; sparse, as few pairs meet in each of many clusters."""
        k = len(self.algorithms)
        there_and_back = np.concatenate([self.first * k + self.second, self.second * k + self.first])
        places = (np.tile(self.cluster, 2), there_and_back)

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
    if differences is None:
        differences = np.empty((len(first), 0))
    of_each = [] if clusters is None else list(clusters)
    groups = None if clusters is None else tuple(dict.fromkeys(of_each))
    turned = first > second
    low, high = np.where(turned, second, first), np.where(turned, first, second)
    ordered = np.where(turned[:, None], counts[:, [1, 0, 2]], counts)
    kinds = () if categories is None else tuple(sorted(set(categories)))
    kind = np.zeros_like(low) if categories is None else np.searchsorted(kinds, categories)
    codes = np.zeros_like(low) if groups is None else codes_of(of_each)
    differences = np.where(turned[:, None], 0.0 - differences, differences)
    keys = np.column_stack([codes, low, high, kind, differences])
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
        cluster=rows[:, 0],
        source_sha256=source_sha256,
        covariates=tuple(covariates),
        differences=read_only(beside),
        categories=kinds,
        category=rows[:, 3],
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
    if merged.clusters is None:
        return merged, places
    rows = np.column_stack([merged.first, merged.second, merged.counts, merged.differences])
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
        differences=read_only(merged.differences[by_cluster]),
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


# read_battles(): a table of who met whom and who won -> Battles.


MOST = 50  # columns of the model
LARGEST = 1e100  # whose square is a number, too
SIDES = (("a", "b"), ("1", "2"), ("first", "second"), ("left", "right"))


def read_covariates(
    table: SourceTable, covariates: Sequence[str], sides: tuple[str, str]
) -> tuple[tuple[str, ...], Array]:
    """Names, and differences (m, p) of the first side less the second; ``sides``: the columns of the algorithms.

    ``length`` is a column of differences, or two columns such as length_a and length_b. Two columns of words become an
    indicator of each word but the commonest.
    """
    if isinstance(covariates, str):
        covariates = (covariates,)
    names: list[str] = []
    columns: list[Array] = []
    for name in dict.fromkeys(covariates):
        for label, difference in _differences(table, name, _columns(table, name, sides)):
            if not difference.any():
                raise ParameterError(f"{label!r} is the same on both sides of every battle", parameter="covariates")
            names.append(label)
            columns.append(difference)
    if len(names) > MOST:
        _refuse_many(len(names))
    return tuple(names), np.column_stack(columns)


def _bare(name: str) -> str:
    return "".join(c for c in name.lower() if c not in " _-.")


def _columns(table: SourceTable, name: str, sides: tuple[str, str]) -> list[int]:
    """One column, or one for each side."""
    if name in table.names:
        return [table.names.index(name)]
    plain, stem = [_bare(column) for column in table.names], _bare(name)
    for two in (*SIDES, (_bare(sides[0]), _bare(sides[1]))):
        for made in ([stem + side for side in two], [side + stem for side in two]):
            if all(plain.count(column) == 1 for column in made):
                return [plain.index(column) for column in made]
    raise ReadingError(
        f": {table.origin} has no column {name!r}{did_you_mean(name, table.names)}, and no two for the sides, such as "
        f"{name + '_a'!r} and {name + '_b'!r}. It has {listing(list(table.names), 20)}",
        parameter="covariates",
    )


def _differences(table: SourceTable, name: str, columns: list[int]) -> list[tuple[str, Array]]:
    cells, _ = table.take(columns, [])
    for column, values in zip(columns, cells, strict=True):
        if "" in values:
            where = table.row(values.index(""))
            raise ReadingError(f"{table.origin}, {where}: there is nothing in column {table.names[column]!r}")
    numbers = np.array([[_number(value) for value in values] for values in cells])
    known = np.isfinite(numbers)
    if known.all():
        if np.abs(numbers).max() > LARGEST:
            raise ParameterError(f"{name!r} has numbers beyond {LARGEST:g}; rescale them", parameter="covariates")
        return [(name, numbers[0] if len(columns) == 1 else numbers[0] - numbers[1])]
    if 2 * np.count_nonzero(known) >= known.size:  # numbers, with a word among them
        side, row = np.argwhere(~known)[0].tolist()
        raise ReadingError(f"{place(table, row, columns[side])}: {cells[side][row]!r} is not a number")
    if len(columns) == 1:
        raise ReadingError(
            f"{table.origin}: column {name!r} is no number, the difference of a and b. Words need a column for each "
            f"side, such as {name + '_a'!r} and {name + '_b'!r}",
            parameter="covariates",
        )
    counts = Counter(cells[0]) + Counter(cells[1])
    if len(counts) > MOST:
        _refuse_many(len(counts) - 1)
    usual = min(counts, key=lambda word: (-counts[word], word))
    one, two = (np.array(values) for values in cells)
    return [
        (f"{name}={word} vs {usual}", 1.0 * (one == word) - (two == word)) for word in sorted(counts) if word != usual
    ]


def _refuse_many(columns: int) -> NoReturn:
    rule = f"give {columns} columns to the model, of which it takes {MOST}; join rare words"
    raise ParameterError(rule, parameter="covariates")


def _number(value: str) -> float:
    """NaN where it is a word."""
    try:
        return number_from(value)
    except NotANumber:
        return math.nan


FIRST = ("a", "modela", "playera", "model1", "player1", "first", "left", "white", "home", "player")
SECOND = ("b", "modelb", "playerb", "model2", "player2", "second", "right", "black", "away", "opponent")
WINNER = ("winner", "result", "outcome", "preference", "preferred", "score")
TIES = ("tie", "draw", "both", "bothbad", "tie (bothbad)", "same", "=", "0.5", "1/2-1/2", "½-½", "a=b", "[[c]]")
WON, LOST = ("1-0", "win", "won", "a>b", "a>>b", "[[a]]"), ("0-1", "loss", "lost", "lose", "b>a", "b>>a", "[[b]]")
POINTS = {"1": 0, "1.0": 0, "0": 1, "0.0": 1}
"""What the first got; in a column of the winner, 0 and 1 may as well count the sides."""
SEVERAL = "Battles are of two; rankings and winners of several are a table of ranks, for plackett-luce"


def read_battles(
    source: object,
    *,
    a: str | None = None,
    b: str | None = None,
    winner: str | None = None,
    cluster: str | None = None,
    covariates: Sequence[str] = (),
    category: str | None = None,
) -> Battles:
    """Read battles, one a row: two algorithms, and who won.

    Use it for matches and comparisons by judges or users; a table of scores needs none of it (``bo.ratings`` takes
    ``Scores``).

    Parameters
    ----------
    source : path, "-", open file, data frame, list of records, or dict of columns
        As ``bo.read_scores`` reads them.
    a : str, optional
        Column of the first algorithm; a, model_a, player_1, white are recognised.
    b : str, optional
        Column of the second algorithm; b, model_b, player_2, black are recognised.
    winner : str, optional
        Column of who won: its name, ``a`` or ``b`` (or the name of its column), 1-0 or 0-1, A>B, [[A]], win or loss (of
        the first), or ``tie``; winner, result, preferred and score are recognised.
    cluster : str, optional
        Column of what battles share: the prompt, the user, the problem. ``cluster`` is recognised.
    covariates : sequence of str, optional
        How the two sides differed, for ``bo.ratings`` to allow for: ``length`` is two columns of numbers or words,
        ``length_a`` and ``length_b``, or one of the differences a − b.
    category : str, optional
        Column of the kind of battle: topic, language. ``bo.ratings`` then makes a board for each, beside that of all.

    Returns
    -------
    Battles
        ``.algorithms`` in order of name, ``.n_battles``, ``.n_ties``, ``.tables()``.

    Raises
    ------
    ReadingError, ScoreError
        A column that is not there, an empty field, a winner that did not take part, an algorithm that meets itself.

    Examples
    --------
    >>> import bakeoff as bo
    >>> rows = [{"a": "x", "b": "y", "winner": "x"}, {"a": "y", "b": "x", "winner": "tie"}]
    >>> bo.read_battles(rows)
    Battles(2 algorithms, 2 battles, 1 tied)
    """
    table, sha256 = _table(source)
    columns = [_column(table, "a", a, FIRST), _column(table, "b", b, SECOND), _column(table, "winner", winner, WINNER)]
    grouped, sort = _cluster_column(table, cluster), None if category is None else _named(table, "category", category)
    more = [at for at in (grouped, sort) if at is not None]
    if len({*columns, *more}) < len(columns) + len(more):
        raise ParameterError("a, b, winner, cluster and category must be different columns")
    taken, _ = table.take([*columns, *more], [])
    if not taken[0]:
        raise ReadingError(f"{table.origin} holds no battle", parameter="source")
    for at, cells in zip([*columns, *more], taken, strict=True):
        if "" in cells:
            row = cells.index("")
            raise ReadingError(f"{table.origin}, {table.row(row)}: there is nothing in column {table.names[at]!r}")
    names = sorted({*taken[0], *taken[1]})
    place = {name: i for i, name in enumerate(names)}
    first, second = (np.array([place[name] for name in side], dtype=np.int64) for side in taken[:2])
    words = POINTS if _plain(table.names[columns[2]]) in ("score", "result") else {}
    for side, usual in enumerate((("a", *WON), ("b", *LOST), TIES)):
        words = words | dict.fromkeys(usual, side)
    words |= {table.names[columns[side]].lower(): side for side in (0, 1)}
    outcomes = np.array(
        [_outcome(table, row, x, y, won, words) for row, (x, y, won) in enumerate(zip(*taken[:3], strict=True))]
    )
    clusters = taken[3] if grouped is not None else None
    sides = (table.names[columns[0]], table.names[columns[1]])
    added, differences = read_covariates(table, covariates, sides) if covariates else ((), None)
    kinds = None if sort is None else taken[-1]
    return merged_battles(names, first, second, np.eye(3)[outcomes], clusters, sha256, added, differences, kinds)


def _table(source: object) -> tuple[SourceTable, str]:
    if isinstance(source, str | os.PathLike) or callable(getattr(source, "read", None)):
        table, digest = file_table(source)
        return table, digest()
    if isinstance(source, Mapping):
        return dict_table("the dict", source), ""
    if isinstance(source, list | tuple) and source and all(isinstance(entry, Mapping) for entry in source):
        return records_table("the records", source), ""
    return frame_table(source), ""


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c not in " _-")


def _column(table: SourceTable, role: str, chosen: str | None, usual: tuple[str, ...]) -> int:
    if chosen is not None:
        return _named(table, role, chosen)
    plain = [_plain(name) for name in table.names]
    for name in usual:
        if plain.count(name) == 1:
            return plain.index(name)
    listed = listing([name or "(no name)" for name in table.names], 20)
    rule = f"is missing: {table.origin} has the columns {listed}, none of them called as usual; name the one. {SEVERAL}"
    raise ReadingError(rule, parameter=role)


def _named(table: SourceTable, role: str, name: str) -> int:
    if name not in table.names:
        rule = f": {table.origin} has no column {name!r}{did_you_mean(name, table.names)}"
        raise ReadingError(rule, parameter=role)
    return table.names.index(name)


def _cluster_column(table: SourceTable, chosen: str | None) -> int | None:
    if chosen is not None:
        return _named(table, "cluster", chosen)
    plain = [_plain(name) for name in table.names]
    return plain.index("cluster") if "cluster" in plain else None


def _outcome(table: SourceTable, row: int, a: str, b: str, won: str, words: Mapping[str, int]) -> int:
    """0: the first won; 1: the second; 2: a tie. A name of one that took part comes before a word."""
    if won in (a, b):
        return 0 if won == a else 1
    if won.lower() in words:
        return words[won.lower()]
    rule = f"{table.origin}, {table.row(row)}: the winner must be {a!r}, {b!r}, 'a', 'b' or 'tie'; it is {won!r}"
    raise ReadingError(f"{rule}. {SEVERAL}")
