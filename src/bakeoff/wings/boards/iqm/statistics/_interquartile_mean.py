"""interquartile_mean(): robust aggregates over problems and runs, with intervals and paired differences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting import adjust
from bakeoff.cautions import caution_of
from bakeoff.checks import FEWER_RESAMPLES, choice, integer, number, probability
from bakeoff.dataclass import dataclass, fields, replace
from bakeoff.errors import Caution, ScoreError, counted, listing
from bakeoff.means.cautions import unequal_clusters, unknown_errors
from bakeoff.means.run_means import refuse_single_runs
from bakeoff.means.strata import FEWEST, Stratum, design_strata
from bakeoff.means.trimmed_means import (
    QUARTER,
    Spread,
    TrimmedMean,
    kept_parts,
    run_weights,
    spread_over_problems,
    spread_over_runs,
    summed_spread,
    trimmed_mean,
)
from bakeoff.nulls.tails import t_two_sided
from bakeoff.randomness import generator, in_chunks, integer_seed
from bakeoff.ranks.cautions import alone_undecided, dependent_runs, one_process
from bakeoff.ranks.problem_order import Rows, nested_order, problem_content, problem_order
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.clusters import codes_of, row_unit
from bakeoff.scores.design import shares as design_shares
from bakeoff.scores.pair_family import Family, family_of, shown_better
from bakeoff.scores.source_cautions import source_cautions
from bakeoff.special import stdtrit
from bakeoff.takes_table import takes_table
from bakeoff.wings.boards.evaluate.table import independent_units
from bakeoff.wings.boards.iqm.statistics.results import AggregateEstimate, AggregatePair, InterquartileMean, Interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellRuns:
    """Runs of all algorithms in an order of their content, in safe units."""

    scores: Scores
    rows: Rows  # (T,) places in these
    runs: Array  # (T, k, R)
    strata: list[Stratum] | None  # None: the problems are these
    shares: Array | None  # (T,) of the problems, if unequal
    equally: bool  # each cluster counts the same
    higher: bool
    alpha: float
    goal: float | None

    @property
    def decides(self) -> bool:
        """Over problems: do these stand alone, or are their clusters worth enough of equal size for a verdict?"""
        if self.strata is None:
            return True
        enough = any(s.decides or (self.equally and s.n_clusters >= FEWEST) for s in self.strata)
        return enough and min(s.n_clusters for s in self.strata) > 1

    def mean(self, runs: Array, cut: bool) -> TrimmedMean:
        return trimmed_mean(runs, cut, self.shares)

    @property
    def n_units(self) -> int:
        """Independent ones, over problems."""
        return sum(s.n_clusters for s in self.strata or ())

    def shortfalls(self, j: int) -> Array:
        """(T, R) how far each run is from the goal."""
        assert self.goal is not None
        x = self.runs[:, j]
        return np.maximum(self.goal - x if self.higher else x - self.goal, 0.0)

    def spread(self, *means: TrimmedMean) -> Spread:
        """The spread of one, or of the first less the second on the same problems."""
        if self.strata is None:
            return self.settled(spread_over_runs(*means))
        contributions = means[0].by_problem - sum(x.by_problem for x in means[1:])
        kept = [x.kept for x in means]
        return self.settled(spread_over_problems(contributions, self.strata, self.equally, *kept))

    def settled(self, spread: Spread) -> Spread:
        """Without what is rounding of the scores alone."""
        smallest = ROUNDING * float(np.nanmax(np.abs(self.runs)))
        return spread if spread.variance > smallest**2 else Spread(variance=0.0, df=spread.df)

    def by_t(self, value: float, spread: Spread) -> Interval:
        if math.isinf(spread.variance):  # of a task with one unit
            return -math.inf, math.inf
        reach = -float(stdtrit(spread.df, self.alpha / 2)) * spread.error
        return value - reach, value + reach

    def by_percentiles(self, drawn: Array) -> Interval:
        if self.strata is not None and min(s.n_clusters for s in self.strata) < 2:
            return -math.inf, math.inf
        low, high = np.quantile(drawn, (self.alpha / 2, 1 - self.alpha / 2))
        return float(low), float(high)


CELLS = 1 << 21  # runs drawn at once
COMPARED = 1 << 23  # pairs of runs that a chunk may have

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampled:
    """(B, k) of each algorithm; ``improvement`` is (B, m), of each pair."""

    iqm: Array
    mean: Array
    median: Array
    gap: Array
    improvement: Array


def resampled_aggregates(
    table: CellRuns, columns: list[int], pairs: list[tuple[int, int]], n_resamples: int, rng: np.random.Generator
) -> Resampled:
    """Runs are drawn for one algorithm after the other, in the order of ``columns``; before them, with strata, clusters
    of problems in each."""
    runs, goal, higher, shares = table.runs, table.goal, table.higher, table.shares
    t, k, r = runs.shape
    counts = (~np.isnan(runs)).sum(axis=2)
    weights = np.column_stack([run_weights(counts[:, j], shares) for j in range(k)])
    groups = None if table.strata is None else [np.split(s.rows, s.starts[1:]) for s in table.strata]

    def draw(stream: np.random.Generator, size: int) -> tuple[Array, ...]:
        every = [np.broadcast_to(np.arange(t), (size, t))]
        rows = np.hstack(every if groups is None else [_problems(each, stream, size) for each in groups])
        of = {j: _drawn_runs(runs[:, j], counts[:, j], rows, stream) for j in columns}
        drawn = [of[j][0] for j in range(k)]
        short = 0.0 if goal is None else goal
        gaps = [np.maximum(short - x if higher else x - short, 0.0) for x in drawn]
        own = [_weights_drawn(weights[:, j], rows, x) for j, x in enumerate(drawn)]
        often = np.stack([of[j][1] for j in range(k)], axis=2)
        return (
            np.column_stack([_interquartile(x.reshape(size, -1), w) for x, w in zip(drawn, own, strict=True)]),
            np.column_stack([_mean(x.reshape(size, -1), w) for x, w in zip(drawn, own, strict=True)]),
            np.column_stack([_median_of_problems(x) for x in drawn]),
            np.column_stack([_mean(x.reshape(size, -1), w) for x, w in zip(gaps, own, strict=True)]),
            _improvements(runs if higher else -runs, pairs, rows, often, shares),
        )

    widest = t if groups is None else sum(len(each) * max(map(len, each)) for each in groups)
    chunk = max(1, min(CELLS // (widest * k * r), COMPARED // (widest * r * r)))
    parts = [np.concatenate(part) for part in zip(*in_chunks(draw, n_resamples, chunk, rng), strict=True)]
    return Resampled(iqm=parts[0], mean=parts[1], median=parts[2], gap=parts[3], improvement=parts[4])


def _problems(groups: list[Places], stream: np.random.Generator, size: int) -> Places:
    """(size, T') places of problems, −1 where a drawn cluster has fewer problems than the largest."""
    widest = max(map(len, groups))
    table = np.full((len(groups), widest), -1, dtype=np.int64)
    for row, group in zip(table, groups, strict=True):
        row[: len(group)] = group
    return table[stream.integers(0, len(groups), (size, len(groups)))].reshape(size, -1)


def _drawn_runs(
    runs: Array, counts: npt.NDArray[np.int64], problems: Places, stream: np.random.Generator
) -> tuple[Array, Array]:
    """(size, T', R) runs of these problems, drawn with replacement, NaN beyond the number of runs of a problem; and how
    often each run of the problem was drawn."""
    r = runs.shape[1]
    sizes = counts[problems][:, :, None]
    place = (stream.random((*problems.shape, r)) * sizes).astype(np.int64)
    drawn = runs[problems[:, :, None], place]
    missing = (np.arange(r) >= sizes) | (problems < 0)[:, :, None]
    cell = np.arange(problems.size).reshape(problems.shape)[:, :, None] * r + place
    often = np.bincount(cell[~missing], minlength=problems.size * r).astype(np.float64).reshape(drawn.shape)
    return np.where(missing, np.nan, drawn) if missing.any() else drawn, often


def _weights_drawn(weights: Array, problems: Places, drawn: Array) -> Array | None:
    """(size, T'·R) weights of the ``drawn`` runs of these problems; None where all are equal, and none is missing."""
    if weights.min() == weights.max() and not np.isnan(drawn).any():
        return None
    return np.where(np.isnan(drawn), 0.0, weights[problems][:, :, None]).reshape(len(drawn), -1)


def _interquartile(values: Array, weights: Array | None) -> Array:
    """(size,) of rows (size, N) with NaN, which sort to the end."""
    if weights is not None:
        order = np.argsort(values, axis=1, kind="stable")
        ordered, own = (np.take_along_axis(part, order, axis=1) for part in (values, weights))
        return _mean(ordered, kept_parts(own, QUARTER, (~np.isnan(values)).sum(axis=1)))
    g = values.shape[1] // QUARTER
    return np.asarray(np.sort(values, axis=1)[:, g : values.shape[1] - g].mean(axis=1))


def _mean(values: Array, weights: Array | None) -> Array:
    """(size,) of rows with NaN, which are left out."""
    if weights is not None:
        return np.asarray(np.nansum(weights * values, axis=1) / weights.sum(axis=1))
    return np.asarray((np.nanmean if np.isnan(values).any() else np.mean)(values, axis=1))


def _median_of_problems(drawn: Array) -> Array:
    known = ~np.isnan(drawn)
    if known.all():
        return np.asarray(np.median(drawn.mean(axis=2), axis=1))
    counts = known.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(known, drawn, 0.0).sum(axis=2) / counts
    return np.asarray(np.nanmedian(means, axis=1))


def _improvements(
    runs: Array, pairs: list[tuple[int, int]], problems: Places, often: Array, shares: Array | None
) -> Array:
    """(size, m) mean over problems of the share of pairs of runs in which a is higher, ties one half.

    ``often`` (size, T', k, R) says how often each run was drawn: w_a · wins · w_b of the runs as they are, in whole and
    half numbers, compares them once, not in each resample.
    """
    others: dict[int, list[int]] = {}
    for place, (a, _) in enumerate(pairs):
        others.setdefault(a, []).append(place)
    second, flat = np.array([b for _, b in pairs]), problems.ravel()
    often = often.reshape(len(flat), *often.shape[2:])
    met = often.sum(axis=2)
    won_shares = np.full((len(pairs), len(flat)), np.nan)
    for problem, cells in enumerate(runs):
        at = np.flatnonzero(flat == problem)
        weights = often[at]
        for a, places in others.items():
            b = second[places]
            mine, theirs = cells[a][:, None, None], cells[b][None]
            wins = (mine > theirs) + 0.5 * (mine == theirs)
            won = (weights[:, a] @ wins.reshape(len(wins), -1)).reshape(len(at), len(b), -1)
            with np.errstate(invalid="ignore"):
                sums = np.einsum("sbr,sbr->sb", won, weights[:, b])  # exact in any order
                share = sums / (met[at, a][:, None] * met[at][:, b])
            won_shares[np.array(places)[:, None], at] = share.T
    own = None if shares is None else np.where(problems < 0, 0.0, shares[problems])
    return np.column_stack([_mean(one.reshape(problems.shape), own) for one in won_shares])


FEW_PROBLEMS, FEW_RUNS = 10, 10
ROUNDING = 1e-13  # of the largest score: errors below are those of sums
EXCHANGES = 1999  # deals of runs, at least
FAR = 1000  # powers of two by which a goal may be beyond the scores in their unit
SCALES = 100.0  # a problem whose scores spread so much more than the median problem's outweighs the others


@takes_table
def interquartile_mean(
    scores: Scores,
    control: str | int | None = None,
    over: Literal["problems", "runs", "tasks"] = "problems",
    interval: Literal["t", "percentile"] = "t",
    alpha: float = 0.05,
    *,
    goal: float | None = None,
    n_resamples: int = FEWER_RESAMPLES["interquartile-mean"],
    rng: int | np.random.Generator | None = None,
) -> InterquartileMean:
    """How good is each algorithm over all problems and runs, without the worst and the best quarter of runs?

    Use it for normalised scores of few runs on several problems, as in reinforcement learning. Not for scores whose
    scale differs between problems: ``bo.compare`` ranks within problems.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms, n_runs), the problems (games, environments) on one scale, such as human-normalised
        scores. They count as ``scores.design.weights`` says, and the runs of a problem equally within it.
    control : str or int, optional
        Compare it with each other algorithm; else all pairs.
    over : {"problems", "runs"}
        What else could have come out: other problems and runs (all algorithms meet the same problems; clusters are used
        if known), or other runs on these problems alone. "tasks" is the former word for "problems".
    interval : {"t", "percentile"}
        By Winsorized variances and Student's t; or percentiles of the bootstrap, as rliable, too short with few runs.
    alpha : float
        Level of each interval, and of all pairs together.
    goal : float, optional
        Score that counts as solved, for the optimality gap; 1 where higher is better, else none.
    n_resamples : int
        Resamples of the bootstrap.
    rng : int or Generator, optional
        Seed or Generator of the bootstrap; the same seed gives the same answer.

    Returns
    -------
    InterquartileMean
        ``.estimates`` (IQM, mean, median, optimality gap), ``.pairs`` (difference, p, probability of improvement).

    Raises
    ------
    ScoreError, ParameterError, UnknownNameError
        One run in a cell with ``over="runs"``, one problem without, infinite scores, an unknown name.

    Notes
    -----
    Agarwal et al. (2021). Error: Tukey and McLaughlin (1963), contributions summed by problem;
    docs/guides/interquartile.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> runs = [[[0.2, 0.3, 0.4], [0.1, 0.2, 0.2]], [[0.7, 0.9, 0.8], [0.5, 0.9, 0.6]]]
    >>> found = bo.interquartile_mean(bo.Scores(runs, ["new", "old"], better="higher"), over="runs")
    >>> [round(estimate.iqm, 4) for estimate in found.estimates]
    [0.55, 0.375]
    """
    scores = check_scores(scores)
    choice("over", over, ("problems", "runs", "tasks"))
    choice("interval", interval, ("t", "percentile"))
    alpha, n_resamples = probability("alpha", alpha), integer("n_resamples", n_resamples, 100, 10**7)
    scores.require_finite("An interquartile mean")
    higher = scores.better == "higher"
    aim = 1.0 if goal is None and higher else None if goal is None else number("goal", goal)
    column = None if control is None else scores.index(control, "control")
    rows, strata = _rows(scores, over)
    seed, family = integer_seed(rng), family_of(scores.n_algorithms, column)
    largest, far = (math.frexp(x)[1] for x in (float(np.max(scores.scales)), aim or 0.0))
    exponent, weights = max(largest, far - FAR), scores.design.weights  # squares neither overflow nor vanish in it
    table = CellRuns(
        scores=scores,
        rows=rows,
        runs=np.ldexp(_runs(scores)[rows], -exponent),
        strata=strata,
        shares=None if weights == "problems" else design_shares(scores.design, weights, scores.n_problems)[rows],
        equally=weights == "clusters",
        higher=higher,
        alpha=alpha,
        goal=None if aim is None else math.ldexp(aim, -exponent),
    )
    drawn = None
    if interval == "percentile":
        by_name, stream = sorted(range(scores.n_algorithms), key=scores.algorithms.__getitem__), generator(seed)
        drawn = resampled_aggregates(table, by_name, family, n_resamples, stream)
    pairs = (_back(pair, exponent) for pair in _pairs(table, drawn, family))
    return InterquartileMean(
        scores=scores,
        control=None if column is None else scores.algorithms[column],
        over=over,
        interval=interval,
        alpha=alpha,
        goal=aim,
        n_resamples=0 if drawn is None else n_resamples,
        estimates=tuple(_back(_estimate(table, drawn, j, n), exponent) for j, n in enumerate(scores.algorithms)),
        pairs=alone_undecided(scores, pairs),
        request={"control": None if column is None else scores.algorithms[column], "over": over, "interval": interval}
        | {"alpha": alpha, "goal": goal, "n_resamples": n_resamples, "rng": seed},
        cautions=tuple(_cautions(table, over, drawn)),
    )


_Row = TypeVar("_Row", AggregateEstimate, AggregatePair)
_UNITLESS = ("df", "pvalue", "adjusted", "p_improvement", "p_improvement_interval")


def _back(row: _Row, exponent: int) -> _Row:
    """In the unit of the scores."""
    changed: dict[str, Any] = {}
    with np.errstate(over="ignore", under="ignore"):
        for field in fields(row):
            value = getattr(row, field.name)
            if field.name not in _UNITLESS and isinstance(value, float | tuple):
                scaled = np.ldexp(value, exponent).tolist()
                changed[field.name] = tuple(scaled) if isinstance(value, tuple) else scaled
    return replace(row, **changed)


def _runs(scores: Scores) -> Array:
    """The best first, and missing ones last: resamples do not depend on the order of runs either."""
    if scores.runs is None:
        return scores.values[:, :, None]
    return np.sort(scores.runs, axis=2) if scores.better == "lower" else -np.sort(-scores.runs, axis=2)


def _rows(scores: Scores, over: str) -> tuple[Rows, list[Stratum] | None]:
    """The problems in an order of their content, for the draws; and strata of them if there could have been others."""
    if over == "runs":
        refuse_single_runs(scores, scores.n_runs, "over='problems'")
        return problem_order(scores), None
    design, (unit, codes) = scores.design, independent_units(scores, None)
    if int(codes.max()) < 1:
        rule = f"has one {unit} only, which says nothing of others; use over='runs', or get more"
        raise ScoreError(rule, parameter="scores")
    tasks = [codes_of(design.tasks)] if design.task_names and design.tasks else []
    rows = nested_order(problem_content(scores), *tasks, codes)
    return rows, design_strata(design, codes, rows)


def _estimate(table: CellRuns, drawn: Resampled | None, j: int, name: str) -> AggregateEstimate:
    runs = table.runs[:, j]
    iqm, mean = table.mean(runs, cut=True), table.mean(runs, cut=False)
    gap = None if table.goal is None else table.mean(table.shortfalls(j), cut=False)

    def interval(of: str, value: TrimmedMean) -> Interval:
        if drawn is not None:
            return table.by_percentiles(getattr(drawn, of)[:, j])
        return table.by_t(value.value, table.spread(value))

    spread = table.spread(iqm)
    return AggregateEstimate(
        algorithm=name,
        iqm=iqm.value,
        interval=interval("iqm", iqm),
        standard_error=spread.error,
        df=spread.df,
        mean=mean.value,
        mean_interval=interval("mean", mean),
        median=float(np.median(np.nanmean(runs, axis=1))),
        median_interval=None if drawn is None else table.by_percentiles(drawn.median[:, j]),
        optimality_gap=None if gap is None else gap.value,
        optimality_gap_interval=None if gap is None else interval("gap", gap),
    )


def _pairs(table: CellRuns, drawn: Resampled | None, family: Family) -> Iterator[AggregatePair]:
    iqms = [table.mean(table.runs[:, j], cut=True) for j in range(table.scores.n_algorithms)]
    pairs = [_pair(table, drawn, iqms, at, *pair) for at, pair in enumerate(family)]
    adjusted = adjust([pair.pvalue if table.decides else 1.0 for pair in pairs], "holm").tolist()
    for pair, p in zip(pairs, adjusted, strict=True):
        verdict = shown_better(p <= table.alpha, pair.difference) if table.decides else "cannot tell"
        yield replace(pair, adjusted=p, verdict=verdict)


def _pair(table: CellRuns, drawn: Resampled | None, iqms: list[TrimmedMean], at: int, i: int, j: int) -> AggregatePair:
    """Before any correction."""
    names, sign = table.scores.algorithms, 1.0 if table.higher else -1.0
    difference = sign * (iqms[i].value - iqms[j].value)
    spread = table.spread(iqms[i], iqms[j])
    share, share_spread = _improvement(table, i, j)
    if drawn is None:
        interval, shares = table.by_t(difference, spread), table.by_t(share, share_spread)
        means = (table.mean(table.runs[:, column], cut=False) for column in (i, j))
        alike = table.spread(*means).variance == 0.0  # everywhere, and not only in the middle half of the runs
        p = _least_pvalue(table, i, j) if alike and difference != 0.0 else 1.0
        if spread.variance > 0.0:
            p = float(t_two_sided(difference / spread.error, spread.df)[0])
    else:
        differences = sign * (drawn.iqm[:, i] - drawn.iqm[:, j])
        interval, shares = table.by_percentiles(differences), table.by_percentiles(drawn.improvement[:, at])
        beyond = 1 + min(int((differences <= 0).sum()), int((differences >= 0).sum()))
        p = min(1.0, max(2.0 * beyond / (1 + len(differences)), _least_pvalue(table, i, j)))
    if table.strata is None and p <= table.alpha:
        p = max(p, _exchanged(table, i, j))
    if shares[1] - shares[0] < ROUNDING:
        shares = _of_equal_shares(table, i, j, share)
    return AggregatePair(
        a=names[i],
        b=names[j],
        difference=difference,
        interval=interval,
        standard_error=spread.error,
        df=spread.df,
        pvalue=p,
        adjusted=p,
        verdict="no difference shown",
        p_improvement=share,
        p_improvement_interval=(max(shares[0], 0.0), min(shares[1], 1.0)),
    )


def _least_pvalue(table: CellRuns, i: int, j: int) -> float:
    """The smallest p of exchanges: of clusters, 2^(1 − G), or of runs within each problem, 2/Π C(m + n, m)."""
    if table.strata is not None:
        return math.ldexp(1.0, 1 - table.n_units)
    counts = (~np.isnan(table.runs[:, [i, j]])).sum(axis=2).tolist()
    ways = math.fsum(math.lgamma(a + b + 1) - math.lgamma(a + 1) - math.lgamma(b + 1) for a, b in counts)
    return min(1.0, 2.0 * math.exp(-ways))


def _exchanged(table: CellRuns, i: int, j: int) -> float:
    """How often runs that are dealt anew to both, problem by problem, are as far apart; 0 if each cell has as many.

    Few runs beside many may all be of one kind, or decide what is cut: without this, equal algorithms differed in 10 to
    28 % of tables with 2 and 20 runs of up to seven problems.
    """
    runs = table.runs[:, sorted((i, j), key=table.scores.algorithms.__getitem__)]
    counts = (~np.isnan(runs)).sum(axis=2)
    if counts.min() == counts.max():
        return 0.0
    pools = [np.sort(cells[~np.isnan(cells)]) for cells in runs]
    sides = [np.repeat(run_weights(each, table.shares), each) for each in counts.T]
    a, b = (table.mean(runs[:, side], cut=True).value for side in (0, 1))

    def draw(stream: np.random.Generator, size: int) -> tuple[Array]:
        dealt = [pool[np.argsort(stream.random((size, len(pool))), axis=1)] for pool in pools]
        parts = [np.split(each, [m], axis=1) for each, m in zip(dealt, counts[:, 0].tolist(), strict=True)]
        both = (np.hstack(side) for side in zip(*parts, strict=True))
        low, high = (_interquartile(x, np.broadcast_to(w, x.shape)) for x, w in zip(both, sides, strict=True))
        return (low - high,)

    k = table.scores.n_algorithms
    size = max(EXCHANGES, math.ceil(2 * k * (k - 1) / table.alpha))
    far = [part for (part,) in in_chunks(draw, size, max(1, CELLS // int(counts.sum())), generator(0))]
    return float((1 + (np.abs(np.concatenate(far)) >= abs(a - b) * (1 - 1e-12)).sum()) / (1 + size))


def _of_equal_shares(table: CellRuns, i: int, j: int, share: float) -> Interval:
    """Where N independent shares are all equal: others have a probability below 1 − (α/2)^(1/N), and any value."""
    if table.strata is not None:
        n = table.n_units
    else:
        n = int((~np.isnan(table.runs[:, [i, j]])).sum(axis=2).min(axis=1).sum())
    equal = (table.alpha / 2) ** (1 / n)
    return share * equal, share * equal + 1 - equal


def _improvement(table: CellRuns, i: int, j: int) -> tuple[float, Spread]:
    """Mean over problems of P(a run of i beats one of j), and its variance: DeLong's on each, or that over problems."""
    x, y = table.runs[:, i], table.runs[:, j]
    x, y = (x[:, :, None], y[:, None]) if table.higher else (-x[:, :, None], -y[:, None])
    wins = (x > y) + 0.5 * (x == y)  # 0 where a run is missing
    m, n = (~np.isnan(x)).sum(axis=1), (~np.isnan(y)).sum(axis=2)
    shares = wins.sum(axis=(1, 2), keepdims=True) / (m * n)[:, None]
    weights = np.ones(len(shares)) if table.shares is None else len(shares) * table.shares
    share = math.fsum(weights * shares.ravel()) / len(shares)
    if table.strata is not None:
        return share, spread_over_problems(
            weights * (shares.ravel() - share) / len(shares), table.strata, table.equally
        )
    of_x = np.where(np.isnan(x), 0.0, wins.sum(axis=2, keepdims=True) / n[:, None] - shares)
    of_y = np.where(np.isnan(y), 0.0, wins.sum(axis=1, keepdims=True) / m[:, None] - shares)
    squares, sizes = np.stack([(of_x**2).sum(axis=(1, 2)), (of_y**2).sum(axis=(1, 2))], axis=1), np.hstack([m, n])
    variances = weights[:, None] ** 2 * squares / ((sizes - 1) * sizes * len(shares) ** 2)
    return share, summed_spread(variances.ravel(), sizes.ravel() - 1.0)


def _cautions(table: CellRuns, over: str, drawn: Resampled | None) -> Iterator[Caution]:
    scores = table.scores
    if alone := one_process(scores):
        yield alone
    yield from source_cautions(scores)
    if table.strata is not None:
        several = [s for s in table.strata if s.n_clusters > 1]
        yield from unknown_errors(table.strata, row_unit(scores))
        fewest = min(s.n_clusters for s in several or table.strata)
        if fewest < FEW_PROBLEMS:
            where = " of one task" if len(table.strata) > 1 else ""
            yield caution_of("too-few", "tasks", groups=counted(fewest, row_unit(scores)) + where)
        if several and not table.equally:
            yield from unequal_clusters([s.sizes for s in several], [s.name for s in several])
    if over == "runs" and 1 < len(table.runs) < FEW_PROBLEMS:
        yield caution_of("too-few", "middle-half", tasks=counted(len(table.runs), "problem"))
    fewest = int(scores.n_runs.min())
    if drawn is not None and over == "runs" and fewest < FEW_RUNS:
        yield caution_of("too-few", "runs-per-task", runs=counted(fewest, "run"))
    if over == "runs":
        yield from dependent_runs(scores.run_kind, "runs-of-tasks")
    spreads = np.nanmax(table.runs, axis=(1, 2)) - np.nanmin(table.runs, axis=(1, 2))
    middle = float(np.median(spreads))
    if len(spreads) > 2 and middle > 0 and float(spreads.max()) > SCALES * middle:
        row = int(np.argmax(spreads))
        problem = scores.problems[table.rows[row]]
        yield caution_of("scales-differ", "tasks", problems=problem, spreads=spreads[row] / middle)
    means = {name: table.mean(table.runs[:, j], cut=True) for j, name in enumerate(scores.algorithms)}
    constant = [name for name, each in means.items() if table.spread(each).variance == 0.0]
    if drawn is None and constant:  # the error is 0, which it is not
        yield caution_of("middle-constant", "means", names=listing(constant))
