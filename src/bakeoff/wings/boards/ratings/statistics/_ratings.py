"""ratings(): how strong is each algorithm, and which differences of strength are shown?"""

from __future__ import annotations

import itertools
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bakeoff.adjusting import adjust
from bakeoff.cautions import caution_of
from bakeoff.checks import FEWER_RESAMPLES, choice, integer, probability
from bakeoff.dataclass import dataclass, fields, replace
from bakeoff.errors import BakeoffError, Caution, TooLargeError, UnknownNameError, listing
from bakeoff.nulls.tails import normal_two_sided, t_two_sided
from bakeoff.randomness import integer_seed
from bakeoff.ranks.cautions import input_cautions
from bakeoff.scores import Array, Scores
from bakeoff.scores.design import Estimand
from bakeoff.scores.win_table import WinTable
from bakeoff.takes_table import takes_table
from bakeoff.wings.boards.ratings._read_battles import Battles, Places, battles_of
from bakeoff.wings.boards.ratings.board import (
    How,
    Model,
    RatedBoard,
    RatedChange,
    Ratings,
    difference_variances,
    rated_board,
)
from bakeoff.wings.boards.ratings.fit import linked, scales_of

# A board for each category of battles, all of them judged at once, and which distances change between categories.
#
# With B boards, the one of all battles among them, each has the level α/B: whatever battles they share, all intervals
# and ranks hold at once. A pair's distance d_c in category c has the variance V_c of its board. Two categories are
# compared by Welch's t = (d_c − d_e)/√(V_c + V_e + 2·max(0, −C_ce)), with the covariance C_ce that clusters of both
# categories cause. One that makes the change surer is not used.


LEAST = 10  # battles of a category: fewer show nothing, and would widen all other intervals
MOST = 50  # categories
MOST_CHANGES = 1 << 24
_KNOWN = ("battles-independent",)  # of all boards


@dataclass(frozen=True, slots=True, kw_only=True)
class Categories:
    """The categories of battles; empty without them."""

    boards: tuple[RatedBoard, ...] = ()
    n_boards: int = 1
    unrated: tuple[tuple[str, str], ...] = ()
    changes: tuple[RatedChange, ...] = ()
    n_changes: int = 0
    cautions: tuple[Caution, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Part:
    board: RatedBoard
    model: Model

    def shown(self) -> Array:
        """(k, k) 1 where the row is shown to be stronger, −1 where the column is."""
        k = len(self.board.algorithms)
        signs = np.zeros((k, k))
        verdicts = [(pair.verdict == "a better") - 1.0 * (pair.verdict == "b better") for pair in self.board.pairs]
        signs[np.triu_indices(k, 1)] = verdicts
        return signs - signs.T

    def distances(self, low: Places, high: Places) -> tuple[Array, Array]:
        """Distances of these pairs, and their variances."""
        theta = self.board.strengths
        return theta[low] - theta[high], difference_variances(self.board.covariance, low, high)


def rated_categories(table: Battles, how: How) -> Categories:
    """Categories that cannot be rated are named, with the reason."""
    if len(names := table.categories) > MOST:
        raise TooLargeError(f"battles have {len(names)} categories, of which ratings takes {MOST}; join rare ones")
    parts = {name: table.of_category(at) for at, name in enumerate(names)}
    unrated = {name: why for name, part in parts.items() if (why := _unfit(part))}
    fit = [name for name in names if name not in unrated]
    how = replace(how, boards=1 + len(fit))
    rated: list[_Part] = []
    for name in fit:
        try:
            board, model = rated_board(parts[name], how, category=name)
            rated.append(_Part(board=board, model=model))
        except BakeoffError as error:
            unrated[name] = str(error)
    changes, n_changes = _changes(table.algorithms, rated, how.alpha)
    return Categories(
        boards=tuple(part.board for part in rated),
        n_boards=how.boards,
        unrated=tuple(sorted(unrated.items())),
        changes=changes,
        n_changes=n_changes,
        cautions=_cautions(names, [part.board for part in rated], unrated),
    )


def _unfit(part: Battles) -> str:
    """The reason why the battles of a category have no board, by who met whom alone; else empty."""
    if part.n_battles < LEAST:
        return f"{part.n_battles:g} of {LEAST} battles that are needed"
    wins, ties = (table[None] for table in part.tables())
    if not linked(wins, ties)[0]:
        return "groups of algorithms that never met, even through others"
    return "all battles in one cluster" if part.clusters is not None and len(part.clusters) < 2 else ""


def _changes(names: tuple[str, ...], rated: list[_Part], alpha: float) -> tuple[tuple[RatedChange, ...], int]:
    """The two categories of each pair of algorithms that differ most surely, or have it shown in opposite order."""
    tests = [(x, y, _compared(x, y, names)) for x, y in itertools.combinations(rated, 2)]
    total = sum(len(test.p) for *_, test in tests)
    if total > MOST_CHANGES:
        raise TooLargeError(f"categories have {total} changes of a pair, of which ratings tests {MOST_CHANGES}")
    if not total:
        return (), 0
    k = len(names)
    adjusted = adjust(np.concatenate([test.p for *_, test in tests]), "holm")
    best, of, row = np.full(k * k, np.inf), np.zeros(k * k, dtype=np.intp), np.zeros(k * k, dtype=np.intp)
    for i, (*_, test) in enumerate(tests):
        key = test.p - 2.0 * test.turned  # an opposite order comes before every p
        surer = np.flatnonzero(key < best[test.pair])
        place = test.pair[surer]
        best[place], of[place], row[place] = key[surer], i, surer
    starts = np.cumsum([0, *(len(test.p) for *_, test in tests)])
    listed = []
    for pair in np.argsort(best, kind="stable")[: int(np.isfinite(best).sum())].tolist():
        (x, y, test), at = tests[of[pair]], int(row[pair])
        surely = float(adjusted[starts[of[pair]] + at])
        shown = "distance changes" if surely <= alpha else "no change shown"
        change = RatedChange(
            a=names[pair // k],
            b=names[pair % k],
            first=str(x.board.category),
            second=str(y.board.category),
            difference_first=float(test.first[at]),
            difference_second=float(test.second[at]),
            change=float(test.first[at] - test.second[at]),
            standard_error=float(test.error[at]),
            pvalue=float(test.p[at]),
            adjusted=surely,
            verdict="order changes" if test.turned[at] else shown,
        )
        listed.append(change)
    return tuple(listed), total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Compared:
    """The pairs that two categories have."""

    pair: Places  # places of the two in all algorithms, as first · k + second
    first: Array  # distances
    second: Array
    error: Array  # of their difference
    p: Array
    turned: npt.NDArray[np.bool_]  # one is shown to be stronger here, the other there


def _compared(x: _Part, y: _Part, names: tuple[str, ...]) -> _Compared:
    both = [name for name in x.board.algorithms if name in y.board.algorithms]
    low, high = np.triu_indices(len(both), 1)
    here, there, place = (
        np.array([algorithms.index(name) for name in both], dtype=np.intp)
        for algorithms in (x.board.algorithms, y.board.algorithms, names)
    )
    (d, v), (e, w) = x.distances(here[low], here[high]), y.distances(there[low], there[high])
    correlation, shared = _correlations(x, y, here, there)
    error = np.sqrt(v + w + 2 * np.sqrt(v * w) * np.maximum(0.0, -correlation))
    t = (d - e) / error
    of_x, of_y = x.board.df, y.board.df
    if of_x is None or of_y is None:
        p = normal_two_sided(t)[0]
    else:
        welch = (v + w) ** 2 / (v**2 / of_x + w**2 / of_y)
        p = t_two_sided(t, np.full(len(t), min(of_x, of_y)) if shared else welch)[0]
    signs = x.shown()[here[low], here[high]] * y.shown()[there[low], there[high]]
    pair = place[low] * len(names) + place[high]
    return _Compared(pair=pair, first=d, second=e, error=error, p=p, turned=signs < 0)


def _correlations(x: _Part, y: _Part, here: Places, there: Places) -> tuple[Array, bool]:
    """Correlation of the distances of each pair by clusters of both categories, in first order; are there any?"""
    low, high = np.triu_indices(len(here), 1)
    names = [p.board.battles.clusters or () for p in (x, y)]
    if not (shared := sorted(set(names[0]) & set(names[1]))):
        return np.zeros(len(low)), False
    order = [{name: i for i, name in enumerate(each)} for each in names]
    sums, inverses = zip(*(_scores(p) for p in (x, y)), strict=True)
    rows = [[of[name] for name in shared] for of in order]
    crossed = inverses[0] @ np.asarray((sums[0][rows[0]].T @ sums[1][rows[1]]).todense()) @ inverses[1].T
    own = [i @ np.asarray((s.T @ s).todense()) @ i.T for s, i in zip(sums, inverses, strict=True)]

    def of_pairs(c: Array, a: Places, b: Places) -> Array:
        c = c[np.ix_(a, b)]
        return np.asarray(np.diagonal(c)[low] + np.diagonal(c)[high] - c[low, high] - c[high, low])

    size = of_pairs(own[0], here, here) * of_pairs(own[1], there, there)
    covariance = of_pairs(crossed, here, there)
    return np.divide(covariance, np.sqrt(size), out=np.zeros_like(covariance), where=size > 0), True


def _scores(part: _Part) -> tuple[sparse.csr_array, Array]:
    """(G, q) score of each cluster, and (k, q) what the strengths move by for each unit of it."""
    battles, model = part.board.battles, part.model
    k, m = len(battles.algorithms), len(battles.first)
    z = battles.differences / scales_of(battles)
    by_name = np.argsort(np.argsort(battles.algorithms))  # places in the model
    first, second = by_name[battles.first], by_name[battles.second]
    d = model.theta[first] - model.theta[second] + z @ model.effects
    tie = 0.0 if model.fit.eta is None else float(np.exp(model.fit.eta[0]))
    win, lose = np.exp(d / 2), np.exp(-d / 2)
    won, lost, tied = battles.counts.T
    n, whole = won + lost + tied, win + lose + tie
    away = (won - lost) / 2 - n * (win - lose) / whole / 2
    columns = [away[:, None] * z] + ([] if model.fit.eta is None else [(tied - n * tie / whole)[:, None]])
    values = np.concatenate([away, -away, *(column.T.ravel() for column in columns)])
    more = values.size // m - 2
    places = np.concatenate([first, second, np.repeat(np.arange(k, k + more), m)])
    shape = (len(battles.clusters or ()), k + more)
    sums = sparse.csr_array((values, (np.tile(battles.cluster, 2 + more), places)), shape=shape)
    return sums, np.asarray(model.fit.covariance[0, by_name])


def _cautions(names: tuple[str, ...], boards: list[RatedBoard], unrated: dict[str, str]) -> tuple[Caution, ...]:
    if not names:
        return ()
    cautions = []
    if unrated:
        reasons = listing([f"{name} ({why})" for name, why in sorted(unrated.items())])
        cautions.append(caution_of("left-out", "categories", n=len(unrated), of=len(names), reasons=reasons))
    names_of = dict.fromkeys(c.name for board in boards for c in board.cautions if c.name not in _KNOWN)
    if names_of:
        of = {name: [str(b.category) for b in boards if name in {c.name for c in b.cautions}] for name in names_of}
        listed = "; ".join(f"{name} of {listing(of[name])}" for name in names_of)
        cautions.append(caution_of("categories-cautioned", listed=listed))
    return tuple(cautions)


MOST_ALGORITHMS = 500


@takes_table
def ratings(
    battles: Battles | Scores | WinTable,
    ties: Literal["auto", "davidson", "half"] = "auto",
    penalty: Literal["auto", "firth", "none"] = "auto",
    reference: str | None = None,
    alpha: float = 0.05,
    *,
    n_resamples: int = FEWER_RESAMPLES["ratings"],
    rng: int | np.random.Generator | None = None,
) -> Ratings:
    """How strong is each algorithm, by who beat whom, and which differences of strength are shown?

    Use it for matches and for comparisons by judges or users. For scores it counts who was better and forgets by how
    much: ``bo.compare`` assumes less.

    Parameters
    ----------
    battles : Battles, Scores or WinTable
        What ``bo.read_battles`` returned; scores, where every pair meets once on each problem, a battle that its runs
        share before any average; a ``bo.WinTable``.
    ties : {"auto", "davidson", "half"}
        Model ties by Davidson's parameter, or count each as half a win of both; "auto": Davidson if there are any.
    penalty : {"auto", "firth", "none"}
        Firth's penalty keeps strengths finite; "auto": only where some algorithms never lost to the others.
    reference : str, optional
        The algorithm whose strength is 0; else strengths sum to 0.
    alpha : float
        Simultaneous level of pairs and ranks, and level of each single interval.
    n_resamples : int
        Of the cluster bootstrap, where battles are in clusters: problems, users, prompts.
    rng : int or numpy.random.Generator, optional
        The same seed gives the same answer.

    Returns
    -------
    Ratings
        ``.strengths``, ``.elo`` (of this fit, not sequential), ``.pairs``, ``.rank_intervals``, ``.tie_parameter``,
        ``.covariates``; of battles with categories ``.boards`` (at α/B each) and ``.changes``.

    Raises
    ------
    ScoreError, ParameterError, TooLargeError
        Groups that never met; ``penalty="none"`` where the estimate is infinite; one cluster; more than 500 algorithms.

    Notes
    -----
    Bradley & Terry (1952). A pair's error comes from the whole covariance: of the information, or in clusters of the
    bootstrap, times G/(G − 1) and more where sizes differ, with t(G* − 1), G* = 1/Σ w². Simultaneous by max-|t| over
    all pairs: docs/guides/ratings.md.
    Covariates z add β·(z_a − z_b) to the log odds, each scaled to root mean square 1; errors in clusters are then of
    the jackknife. Strengths are those of sides that do not differ in them.

    Examples
    --------
    >>> import bakeoff as bo
    >>> found = bo.ratings(bo.WinTable([[0, 7, 9], [6, 0, 7], [4, 6, 0]], algorithms=["x", "y", "z"]))
    >>> round(found.pair("x", "z").difference, 3), found.pair("x", "z").verdict
    (0.631, 'no difference shown')
    """
    choice("ties", ties, ("auto", "davidson", "half"))
    choice("penalty", penalty, ("auto", "firth", "none"))
    alpha, n_resamples = probability("alpha", alpha), integer("n_resamples", n_resamples, 100, 10**6)
    table = battles_of(battles)
    if (k := len(table.algorithms)) > MOST_ALGORITHMS:
        raise TooLargeError(f"ratings is limited to {MOST_ALGORITHMS} algorithms; got {k}. Select some of them.")
    if reference is not None and reference not in table.algorithms:
        rule = f"must be one of {listing(table.algorithms, 20)}; got {reference!r}"
        raise UnknownNameError(rule, parameter="reference")
    seed = integer_seed(rng)
    how = How(ties=ties, penalty=penalty, reference=reference, alpha=alpha, n_resamples=n_resamples, seed=seed)
    scores = battles if isinstance(battles, Scores) else None
    parts = rated_categories(table, how)
    board, _ = rated_board(table.pooled(), replace(how, boards=parts.n_boards), scores)
    known = {field.name: getattr(board, field.name) for field in fields(board)}
    own = () if scores is None else input_cautions(scores)
    known |= {field.name: getattr(parts, field.name) for field in fields(parts)}
    known |= {"battles": table, "cautions": (*own, *board.cautions, *parts.cautions)}
    arguments = {name: getattr(how, name) for name in ("ties", "penalty", "reference", "alpha", "n_resamples")}
    return Ratings(**known, scores=scores, alpha=alpha, request={**arguments, "rng": seed})


def estimand(result: Ratings) -> Estimand | None:
    """Each problem is one battle of each pair; battles that were read are about no table."""
    if result.scores is None:
        return None
    shared = "" if result.scores.runs is None else "its runs share one battle of each pair"
    return Estimand(weights="problems", runs=shared)
