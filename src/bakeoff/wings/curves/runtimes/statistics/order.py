"""The order of two algorithms by their times alone: a run that was not solved is slower than any solved.

Two unsolved runs are tied. Nothing here depends on what a timeout counts. A tolerance, a second or five per cent, makes
times equal. Points, as competitions of provers give them: for a right answer some, for a wrong one fewer than none; a
run is solved or ended otherwise, and whose end begins with a word has that word's points, of several words those of the
longest. Of several runs of a problem each counts its share, so that a problem has the same weight whatever its runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, listing
from bakeoff.means.run_means import alike_variances, run_differences, run_means, separation
from bakeoff.nulls.tails import chi2_sf
from bakeoff.paired._mcnemar import mcnemar_tail
from bakeoff.paired._sign_test import sign_tail
from bakeoff.paired.many_pairs import Pairs, chunks_of
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes
from bakeoff.scores.margins import read_margin
from bakeoff.scores.runs import OK, is_known_end
from bakeoff.wings.curves.runtimes.statistics.times import RunTimes

_RULE = 'must be a number above 0 in the unit of the times, or a percentage such as "5%"'


@dataclass(frozen=True, slots=True, kw_only=True)
class TieTolerance:
    """Two times tie if the larger is at most ``reach`` of the smaller: the same rule whichever comes first."""

    value: float
    relative: bool

    @property
    def given(self) -> float | str:
        """As a caller writes it."""
        return f"{100.0 * self.value:.12g}%" if self.relative else self.value

    def reach(self, times: Array) -> Array:
        """The largest time that is equal to each, decided on decimals: 3.1 is 2.1 + 1. Of a solved run it is finite."""
        with np.errstate(over="ignore"):
            ends = times * (1.0 + self.value) if self.relative else times + self.value
            ends = np.minimum(ends + tie_tolerance(ends), np.finfo(np.float64).max)
        return np.asarray(np.where(np.isfinite(times), ends, times))


def tolerance_of(ties: float | str | None) -> TieTolerance | None:
    if ties is None:
        return None
    value, relative = read_margin(ties, _RULE, "the largest difference that does not count", parameter="ties")
    return TieTolerance(value=value, relative=relative)


RULE = 'must say points by status, such as "ok=1,wrong=-16": above 0 for ok, else at most 0'


def points_of(points: Mapping[str, float] | str | None, runs: RunTimes | None = None) -> dict[str, float] | None:
    """Points by the word with which an end begins; ok is worth 1 unless it is there. ``runs``: whose ends have them."""
    if points is None:
        return None
    if isinstance(points, str):
        points = dict(part.rpartition("=")[::2] for part in points.split(","))  # type: ignore[misc]
    if not isinstance(points, Mapping):
        raise ParameterError(f"{RULE}; got {type(points).__name__}", parameter="points")
    made = {OK: 1.0}
    ends = [] if runs is None else sorted({end for end in runs.ends.ravel().tolist() if end})
    for key, value in points.items():
        word, worth = str(key).strip(), _number(value)
        if not word or not math.isfinite(worth) or not (worth > 0 if word == OK else worth <= 0):
            raise ParameterError(f"{RULE}; got {value!r} for {word!r}", parameter="points")
        known = word == OK or is_known_end(word.partition(":")[0]) or any(end.startswith(word) for end in ends)
        if runs is not None and not known:
            raise ParameterError(f"has {word!r}, and no run ended so; runs ended {listing(ends)}", parameter="points")
        made[word] = worth
    return made


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan


def points_text(points: Mapping[str, float] | None) -> str | None:
    return None if points is None else ",".join(f"{word}={worth:.15g}" for word, worth in points.items())


def run_points(runs: RunTimes, points: Mapping[str, float]) -> Array:
    """(n, k, r) of each run its points over the number of runs of its cell."""
    made = np.zeros(runs.times.shape)
    for word in sorted(points, key=len):
        made[np.char.startswith(runs.ends.astype(str), word)] = points[word]
    made[runs.solved] = points[OK]
    return np.asarray(np.where(np.isnan(runs.times), 0.0, made) / runs.n_runs[:, :, None])


_ROUNDING = 1e-12  # shares of pairs of runs, and sums of them


class PairOrder(NamedTuple):
    """The order of one pair; counts are of problems."""

    direction: float  # above 0: a is faster on more problems (clusters)
    least: float  # the smallest p-value that any order of these runs has
    wins: int
    losses: int
    ties: int
    lead: float  # share of pairs of runs in which a is faster less that in which b is, mean over problems
    units_won: int  # problems, or clusters, on which a is faster
    units_lost: int
    pvalue: float  # sign test over these; over runs, t of the lead
    logrank: float
    logrank_pvalue: float
    only_a: int
    only_b: int
    solved_pvalue: float  # McNemar's mid-p; over runs, t of the shares of runs solved


def pair_orders(
    runs: RunTimes, family: Pairs, codes: Codes, equal: TieTolerance | None = None, over_runs: bool = False
) -> list[PairOrder]:
    """One per pair, many at a time; ``codes``: whose cluster each problem is."""
    columns, shares = algorithm_rows(runs.times), algorithm_rows(runs.shares)
    made: list[PairOrder] = []
    for pairs in chunks_of(family, runs.times[:, 0].size):
        a, b = np.array(pairs, dtype=np.intp).T
        made += _orders_of(columns[a], columns[b], shares[a] - shares[b], codes, equal, over_runs)
    return made


def _orders_of(
    x: Array, y: Array, shares: Array, codes: Codes, equal: TieTolerance | None, over_runs: bool
) -> list[PairOrder]:
    """Compare times (p, n, r), with the differences (p, n) of the shares of runs that were solved."""
    faster = faster_share(x, y, equal)
    leads = [math.fsum(row) / len(row) for row in faster.tolist()]
    wins, losses = _signs(faster)
    units, more = _signs(cluster_totals(faster, codes)), _signs(cluster_totals(shares, codes))
    ties = [x.shape[1] - won - lost for won, lost in zip(wins, losses, strict=True)]
    statistics, logrank_pvalues = logrank(*logrank_scores(x, y), codes, x.shape[-1] > 1 and not over_runs)
    direction: list[float] = leads
    if over_runs:
        pvalues, least, solved_pvalues = _over_runs(x, y, np.array(leads), equal)
    else:
        direction = [won - lost for won, lost in zip(*units, strict=True)]
        pvalues, solved_pvalues = [*map(_sign_pvalue, *units)], [*map(_mid_p, *more)]
        least = [min(1.0, 2.0 ** (-int(codes.max())))] * len(leads)
    tests = (pvalues, statistics.tolist(), logrank_pvalues.tolist(), *_signs(shares), solved_pvalues)
    rows = zip(direction, least, wins, losses, ties, leads, *units, *tests, strict=True)
    return [PairOrder(*row) for row in rows]


def _over_runs(
    x: Array, y: Array, leads: Array, equal: TieTolerance | None
) -> tuple[list[float], list[float], list[float]]:
    """Return p of the lead of each pair, the smallest that there is, and p of the shares of runs that were solved.

    The lead of a run is the share of the other's runs of the problem that it beats less that of those it loses to.
    These vary as placements do (Brunner and Munzel 2000): V = Σ_i (s²_ai/r_ai + s²_bi/r_bi)/n² is the variance of the
    mean over the problems, with Satterthwaite's degrees of freedom; with unequal numbers of runs at least Student's, of
    ranks among the runs of both (Conover and Iman 1981). No p is below ``_least``.
    """
    pairs = len(x)
    columns = np.arange(pairs), np.arange(pairs, 2 * pairs)
    own = np.concatenate(
        [run_leads(x, y, equal) / _n_runs(y)[..., None], run_leads(y, x, equal) / _n_runs(x)[..., None]]
    )
    placed = run_means(np.moveaxis(own, 0, 1))
    differs = np.nanmax(np.abs(own), axis=2).T
    apart = np.maximum(differs[:, columns[0]], differs[:, columns[1]]) > 0
    tests = run_differences(placed, columns, leads, _alike(x, y, equal, own))
    pvalues = np.maximum(tests.pvalues, _least(placed.counts, columns, apart))
    solved = np.where(np.isnan(own), np.nan, np.isfinite(np.concatenate([x, y])))
    of_solved = run_differences(run_means(np.moveaxis(solved, 0, 1)), columns).pvalues
    least = _least(placed.counts, columns, np.ones(apart.shape, dtype=bool))
    return pvalues.tolist(), least.tolist(), of_solved.tolist()


def _least(counts: Array, pairs: tuple[Codes, Codes], apart: npt.NDArray[np.bool_]) -> Array:
    """(m,) the smallest p of pairs whose runs are all in one order on the problems on which they are ``apart`` (n, m).

    Of exchanging runs within problems; and of signs, 2 · ½^Σ min(r_a, r_b), as runs that vary around those of a solver
    that hardly does are all faster or all slower.
    """
    fewer = np.where(apart, np.minimum(counts[:, pairs[0]], counts[:, pairs[1]]), 0.0).sum(axis=0)
    signs = np.minimum(1.0, 2.0 ** (1.0 - np.minimum(fewer, 1000.0)))
    return np.asarray(np.maximum(separation(counts, pairs, apart), signs))


def _alike(x: Array, y: Array, equal: TieTolerance | None, own: Array) -> tuple[Array, Array]:
    """Student's variance of leads, S²_Q/((r_a + r_b) r_a r_b) of ranks Q that vary alike; 0 for as many runs of both.

    Q is how many runs of either are slower less how many are faster, r_b (−r_a) times the lead on average; ``own`` are
    the leads of runs of x, then of y, over the runs of the other.
    """
    variances, df = np.zeros(len(x)), np.full(len(x), math.inf)
    counts = _n_runs(x).astype(np.float64), _n_runs(y).astype(np.float64)
    uneven = np.flatnonzero((counts[0] != counts[1]).any(axis=1))
    if not len(uneven):
        return variances, df
    ra, rb = (side[uneven] for side in counts)
    over = own[uneven] * rb[..., None], own[uneven + len(x)] * ra[..., None]
    squares = np.zeros(ra.shape)
    for leads, runs in zip(over, (x[uneven], y[uneven]), strict=True):
        ranks = leads + run_leads(runs, runs, equal)
        squares += np.nansum((ranks - np.nanmean(ranks, axis=-1, keepdims=True)) ** 2, axis=-1)
    variances[uneven], df[uneven] = alike_variances((squares / ((ra + rb) * ra.shape[1]) ** 2).T, ra.T, rb.T)
    return variances, df


@lru_cache(maxsize=1 << 12)  # pairs share their counts
def _sign_pvalue(wins: int, losses: int) -> float:
    return 1.0 if wins == losses else sign_tail(wins, wins + losses, "two-sided")[0]


@lru_cache(maxsize=1 << 12)
def _mid_p(wins: int, losses: int) -> float:
    return mcnemar_tail(wins, losses, "mid-p")[0]


def algorithm_rows(values: Array) -> Array:
    """(k, n, …) of (n, k, …), so that an algorithm is contiguous."""
    return np.ascontiguousarray(np.moveaxis(values, 1, 0))


def cluster_totals(values: Array, codes: Codes) -> Array:
    """(…, G) sums over the problems of each cluster, of values (…, n)."""
    groups = int(codes.max()) + 1
    rows = values.reshape(-1, len(codes))
    places = codes + groups * np.arange(len(rows))[:, None]
    sums = np.bincount(places.ravel(), weights=rows.ravel(), minlength=groups * len(rows))
    return np.asarray(sums.reshape(*values.shape[:-1], groups), dtype=np.float64)


def _signs(values: Array) -> tuple[list[int], list[int]]:
    """Count the values (p, n) above 0, and those below."""
    above, below = (np.count_nonzero(side, axis=1).tolist() for side in (values > _ROUNDING, values < -_ROUNDING))
    return above, below


def faster_share(x: Array, y: Array, equal: TieTolerance | None = None) -> Array:
    """(…, n) of times (…, n, r) and (…, n, s): share of pairs of runs in which x is faster, less that in which y is
    (Gehan 1965); neither where they are equal.
    """
    if x.shape[-1] == y.shape[-1] == 1:
        return run_leads(x, y, equal)[..., 0]
    return np.asarray(np.nansum(run_leads(x, y, equal), axis=-1) / (_n_runs(x) * _n_runs(y)))


def run_leads(x: Array, y: Array, equal: TieTolerance | None = None) -> Array:
    """(…, n, r) of times (…, n, r) and (…, n, s): of each run of x how many of y are slower, less those that are
    faster; NaN where there is no run."""
    beyond_x, beyond_y = (x, y) if equal is None else (equal.reach(x), equal.reach(y))
    leads = np.zeros(np.broadcast_shapes(x.shape[:-1], y.shape[:-1]) + x.shape[-1:])
    for run, beyond in zip(np.moveaxis(y, -1, 0), np.moveaxis(beyond_y, -1, 0), strict=True):
        leads += beyond_x < run[..., None]
        leads -= x > beyond[..., None]
    leads[np.broadcast_to(np.isnan(x), leads.shape)] = np.nan
    return leads


def _n_runs(times: Array) -> npt.NDArray[np.int64]:
    return np.asarray(np.count_nonzero(~np.isnan(times), axis=-1))


def logrank_scores(x: Array, y: Array) -> tuple[Array, Array]:
    """(…, n) and (…, n) of times (…, n, r) and (…, n, s): solved runs of x less those expected, and the hypergeometric
    variance of that number, if on each problem both had the same law of times (Mantel 1966).

    At each time of a solved run its share of runs at risk that are of x is expected; runs that were never solved
    are at risk throughout, as all runs of a problem have one cap.
    """
    observed = np.count_nonzero(np.isfinite(x), axis=-1)
    expected, variance = np.zeros(observed.shape), np.zeros(observed.shape)
    for times in (*np.moveaxis(x, -1, 0), *np.moveaxis(y, -1, 0)):
        event = np.isfinite(times)
        at_risk = [np.count_nonzero(each >= times[..., None], axis=-1) for each in (x, y)]
        total = np.maximum(at_risk[0] + at_risk[1], 1)
        share = at_risk[0] / total
        equal = sum(np.count_nonzero(each == times[..., None], axis=-1) for each in (x, y))
        expected += np.where(event, share, 0.0)
        variance += np.where(event, share * (1 - share) * (total - equal) / np.maximum(total - 1, 1), 0.0)
    return np.asarray(observed - expected), variance


def logrank(scores: Array, variances: Array, codes: Codes, several: bool = False) -> tuple[Array, Array]:
    """(p,) and (p,) of scores U and their variances V (p, n): χ² with one degree of freedom, and its p.

    The log-rank test stratified by problem, (Σ U)²/Σ V; with one run of each, (W − L)²/(W + L). In clusters of problems
    its robust form, (Σ U)²/Σ U² over sums of clusters, which is at most the number of clusters; of ``several`` runs,
    which share how well an algorithm suits the problem, the same over problems.
    """
    sums = cluster_totals(scores, codes)
    alone = sums.shape[1] == len(codes) and not several
    squares = variances.sum(axis=1) if alone else (sums**2).sum(axis=1)
    some = squares > _ROUNDING
    statistics = np.where(some, sums.sum(axis=1) ** 2 / np.where(some, squares, 1.0), 0.0)
    return statistics, np.where(some, chi2_sf(statistics, 1)[0], 1.0)


def mean_ranks(runs: RunTimes, equal: TieTolerance | None = None) -> Array:
    """(k,): 1 is the fastest; with several runs, 1 + the shares of pairs of runs lost to each other algorithm.

    They count pairs, as equality within a tolerance is not transitive: a and b may tie, b and c too, and a beat c.
    """
    columns = algorithm_rows(runs.times)
    k = len(columns)
    ahead: list[list[float]] = [[] for _ in range(k)]
    for a in range(k):
        for b, shares in enumerate(faster_share(columns[a], columns[a + 1 :], equal).tolist(), start=a + 1):
            total = math.fsum(shares)
            ahead[a].append(total)
            ahead[b].append(-total)
    return np.array([1.0 + (k - 1) / 2 - math.fsum(row) / (2 * len(runs.times)) for row in ahead])
