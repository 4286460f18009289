"""tradeoff(): as good, and cheaper? Several metrics, each with its margin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting import adjust
from bakeoff.cautions import caution_of
from bakeoff.checks import draw_count, probability
from bakeoff.dataclass import dataclass, replace
from bakeoff.designed import of_means, weights_decide
from bakeoff.errors import Caution, by_severity, counted, listing
from bakeoff.means.assumptions import long_tails
from bakeoff.means.cautions import BY_SIGNS, skewed_differences, strata_cautions
from bakeoff.means.contributions import contribution_cautions, own_interval
from bakeoff.means.moments import suite_moments
from bakeoff.means.pair_moments import PairMoments, pair_moments
from bakeoff.means.sign_flips import flips_above
from bakeoff.nulls.tails import normal_sf, t_sf
from bakeoff.paired.shares import tango_score, wilson
from bakeoff.places import load
from bakeoff.predictions import read_predictions
from bakeoff.randomness import chunk_size, generator, integer_seed, product
from bakeoff.ranks import cautions, tie_tolerance
from bakeoff.ranks.cautions import looks_clustered, one_process, without_evidence
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes, cluster_sums
from bakeoff.scores.margins import beyond_scores
from bakeoff.scores.source_cautions import direction_doubtful, dropped, of_files, runs_as_algorithms, tasks_left_out
from bakeoff.special import betainc, ndtri, stdtrit
from bakeoff.wings.boards.tradeoff.statistics.results import MetricMean, Position, State, Tradeoff, TradeoffPair
from bakeoff.wings.boards.tradeoff.statistics.tables import (
    MetricTable,
    Strata,
    averaged_units,
    margins_of,
    metric_tables,
)

# The metrics as tables with the same rows and columns, each with its margin.


Tables = Sequence[MetricTable]
Pairs = tuple[TradeoffPair, ...]


# Not worse in any metric and better in one: intersection–union tests of ordered pairs.
#
# "a is a better trade-off than b" is denied if a is worse by the margin in some metric, or better in none. The first is
# rejected at max_j p_NI,j (each denial alone suffices: no correction), the second at the smallest Holm-adjusted p of
# superiority, which is M·min_j p_j; both at the larger one. Valid whatever the dependence between metrics.
#
# Each p is of a one-sided t-test of the mean difference, but for right and wrong answers (0 and 1, one of each, without
# clusters), whose differences may all be 0 by chance: Tango's score test (1998) against the margin and McNemar's exact
# one against 0. Where differences do not vary, sign flips decide on superiority, p = 2^−G. They cannot decide on
# non-inferiority: two that agree on all units may differ on rare ones. With scores of range R, a mean of −margin needs
# other differences than the d that was seen on a share q = (d + margin)/(R + d) of units at least, and G units miss
# these with probability (1 − q)^G. A metric that varies for no algorithm (a size, a price) is known and not measured.
#
# P(Pareto-optimal) is of the Bayesian bootstrap: one set of weights of problems, or clusters, for all metrics.


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTests:
    """Tests of one metric, (k, k): row a against column b; the diagonal has no meaning."""

    differences: Array
    not_worse: Array
    better: Array
    unvaried: tuple[tuple[int, int], ...]  # pairs by sign flips


def metric_tests(table: MetricTable, strata: Strata) -> MetricTests:
    """One-sided t-tests of the mean difference against −margin, and against 0, both ways."""
    s = table.measured
    k = s.n_algorithms
    a, b = np.triu_indices(k, 1)
    oriented = s.values if s.better == "higher" else -s.values
    moments = pair_moments(oriented, s.scales, (a, b), strata)
    margin = table.margin.value
    tolerance = tie_tolerance(np.maximum(s.scales[:, a], s.scales[:, b]).max(axis=0))
    differences = np.zeros((k, k))
    not_worse, better = np.ones((k, k)), np.ones((k, k))
    differences[a, b], differences[b, a] = moments.means, -moments.means
    answers, top = is_binary(table, strata), float(s.values.max()) or 1.0
    least = 0.0 if is_known(table) else 0.5 ** sum(s.n_clusters for s in strata)
    flipped = partial(_flipped, strata, oriented) if least > 0 else lambda rows, columns, null: 0.0
    fewest = min(s.n_clusters / s.weight for s in strata)
    for rows, columns, means, wins, losses in (
        (a, b, moments.means, moments.wins, moments.losses),
        (b, a, -moments.means, moments.losses, moments.wins),
    ):
        if answers:
            better[rows, columns] = _more_wins(wins, losses)
            not_worse[rows, columns] = _not_fewer(wins, losses, s.n_problems, margin / top)
        else:
            better[rows, columns] = np.maximum(_above(means, moments, tolerance, least), flipped(rows, columns, 0.0))
            missed = _missed(means, margin, float(np.ptp(s.values)), fewest) if least > 0 else 0.0
            missed = np.ones_like(means) if table.contributed else missed
            limit = np.minimum(np.maximum(least, missed), better[rows, columns])
            by_t = _above(means + margin, moments, tolerance, limit)
            not_worse[rows, columns] = np.maximum(by_t, flipped(rows, columns, -margin))
    flipped = (moments.errors == 0) & (least > 0) & (not answers)
    return MetricTests(
        differences=differences,
        not_worse=not_worse,
        better=better,
        unvaried=tuple(zip(a[flipped].tolist(), b[flipped].tolist(), strict=True)),
    )


def _flipped(strata: Strata, values: Array, rows: Codes, columns: Codes, null: float) -> Array | float:
    """p of "the mean is not above ``null``" that t may not fall below, where clusters have unequal sizes."""
    if not any(s.decides for s in strata):
        return 1.0
    if not any(s.is_dominated for s in strata):
        return 0.0
    parts = []
    for s in strata:
        sums = s.sums(values)
        parts.append(s.weight * len(values) / s.n * (sums[:, rows] - sums[:, columns] - null * s.sizes[:, None]))
    return flips_above(np.concatenate(parts))


def is_binary(table: MetricTable, strata: Strata) -> bool:
    """Right and wrong answers, 0 and 1 or 0 and 100, one per problem, each problem by itself, in one table."""
    s = table.measured
    alone = s.runs is None and not table.contributed and len(strata) == 1 and not strata[0].is_clustered
    return alone and not table.margin.relative and bool(np.isin(s.values, (0, 1)).all() or _in_percent(table))


def _in_percent(table: MetricTable) -> bool:
    """0 and 100; not where each algorithm has one of them throughout, as of a price."""
    return bool(np.isin(table.measured.values, (0, 100)).all()) and not is_known(table)


def is_known(table: MetricTable) -> bool:
    """Whether each algorithm has the same number on all problems: not measured, but a property of the algorithm."""
    if table.contributed:
        return False
    return bool(np.all(np.ptp(table.measured.values, axis=0) <= tie_tolerance(table.measured.scales.max(axis=0))))


def _missed(means: Array, margin: float, spread: float, n_units: float) -> Array:
    """The largest P(all units have the difference seen) if their mean is −margin, and none is below −spread."""
    share = np.clip((means + margin) / np.maximum(spread + means, np.finfo(float).tiny), 0.0, 1.0)
    return np.asarray((1.0 - share) ** n_units)


def _above(means: Array, moments: PairMoments, tolerance: Array, least: float | Array) -> Array:
    """p of "the mean is not above 0"; without variation ``least`` above it, else 1."""
    varies = moments.errors > 0
    t = np.where(varies, means / np.where(varies, moments.errors, 1.0), 0.0)
    limit = np.where(means > tolerance, least, 1.0)
    return np.where(varies, t_sf(t, moments.df)[0], limit)


def _more_wins(wins: Codes, losses: Codes) -> Array:
    """P(so many wins or more) of wins + losses fair coins."""
    return np.where(wins > 0, betainc(np.maximum(wins, 1), losses + 1.0, 0.5), 1.0)


def _not_fewer(wins: Codes, losses: Codes, n: int, margin: float) -> Array:
    """p of "the share of right answers is lower by the margin or more"."""
    if margin >= 1.0:
        return np.zeros(len(wins))
    scores = [tango_score(w, x, n, -margin) for w, x in zip(wins.tolist(), losses.tolist(), strict=True)]
    return np.asarray(normal_sf(scores)[0])


def better_in_one(tests: Sequence[MetricTests]) -> Array:
    """(k, k) M·min_j p_j of superiority, the smallest p adjusted by Holm."""
    smallest = np.minimum.reduce([each.better for each in tests])
    return np.asarray(np.minimum(1.0, len(tests) * smallest))


def better_tradeoff(tests: Sequence[MetricTests]) -> Array:
    """(k, k) max(max_j p_NI,j, M·min_j p_j)."""
    return np.maximum(np.maximum.reduce([each.not_worse for each in tests]), better_in_one(tests))


_CHUNK = 1 << 17  # comparisons at a time: they stay in the cache
_ROUNDING = 1e-12  # of the largest size of a table: means nearer than that are equal


def undominated(tables: Tables, strata: Strata, rng: np.random.Generator, n_draws: int) -> Array:
    """(k,) share of draws in which no other is as good in all metrics and better in one: (c + ½)/(draws + 1).

    Weights of clusters are Dirichlet(1, …, 1); a mean is Σ w_g S_g/Σ w_g m_g over their sums S and sizes m, of several
    strata that of their means.
    """
    oriented = [t.measured.values if t.measured.better == "higher" else -t.measured.values for t in tables]
    reaches = [_ROUNDING * float(np.abs(values).max()) for values in oriented]
    units = [np.repeat(np.arange(s.n_clusters), s.sizes) for s in strata]
    sums = [[cluster_sums(each[s.rows], of) for s, of in zip(strata, units, strict=True)] for each in oriented]
    k, groups = tables[0].scores.n_algorithms, sum(s.n_clusters for s in strata)
    ends = np.cumsum([s.n_clusters for s in strata])[:-1]
    counts = np.zeros(k)
    step, few = chunk_size(groups + len(sums) * k), max(1, _CHUNK // (k * k))
    for first in range(0, n_draws, step):
        drawn = rng.standard_exponential((min(step, n_draws - first), groups))
        weights = [np.ascontiguousarray(part) for part in np.split(drawn, ends, axis=1)]
        totals = [(w @ s.sizes.astype(np.float64))[:, None] / s.weight for w, s in zip(weights, strata, strict=True)]
        of_strata = [zip(weights, each, totals, strict=True) for each in sums]
        means = [np.sum([product(w, s) / total for w, s, total in parts], axis=0) for parts in of_strata]
        for start in range(0, len(drawn), few):
            part = slice(start, start + few)
            counts += (~_beaten([each[part] for each in means], reaches)).sum(axis=0)
    return np.asarray((counts + 0.5) / (n_draws + 1))


def _beaten(means: Sequence[Array], reaches: Sequence[float]) -> npt.NDArray[np.bool_]:
    """(draws, k): is another one as good in all metrics, and better in one?"""
    draws, k = means[0].shape
    as_good = np.ones((draws, k, k), dtype=bool)  # row a is as good as column b in all
    better = np.zeros_like(as_good)
    for each, reach in zip(means, reaches, strict=True):
        gaps = each[:, :, None] - each[:, None, :]
        as_good &= gaps >= -reach
        better |= gaps > reach
    return np.asarray((as_good & better).any(axis=1))


# Cautions for a reader of several metrics.


def tradeoff_cautions(
    as_they_came: Tables, tables: Tables, tests: Sequence[MetricTests], pairs: Pairs, strata: Strata, unit: str
) -> tuple[Caution, ...]:
    """Caution of the tables as they came, the number of independent units, and what t does not see."""
    scores = tables[0].scores
    alone = [one_process(table.scores) for table in as_they_came]
    cautions = [*dict.fromkeys(caution for caution in alone if caution), *_of_tables(as_they_came)]
    for one in as_they_came:
        if not one.margin.relative:
            cautions += beyond_scores(one.scores, one.margin.value, f"margin of {one.name}")
    if not all(is_binary(table, strata) for table in tables):
        cautions += strata_cautions(strata, unit)
    if scores.clusters is not None and unit == "problem":
        cautions.append(caution_of("dependence", "metrics"))
    for table in tables:
        cautions += _of_contributions(table)
    known = [table.name for table in tables if is_known(table) and not is_binary(table, strata)]
    if known:
        cautions.append(caution_of("no-variation", "metric", names=listing(known)))
    n = sum(s.n_clusters for s in strata)
    units: dict[str, Any] = {"n_clusters": n, "count": counted(n, unit)}
    for table, test in zip(tables, tests, strict=True):
        names = listing(f"{scores.algorithms[a]} and {scores.algorithms[b]}" for a, b in test.unvaried)
        if test.unvaried:
            cautions.append(caution_of("no-variation", "metric-differences", name=table.name, names=names, **units))
    return tuple(by_severity([*cautions, *_of_tails(tables, pairs, strata, unit)]))


def _of_contributions(table: MetricTable) -> list[Caution]:
    """Caution of small classes, and of a metric near the end of its range."""
    if table.own_strata is None:
        return []
    s = table.scores
    moments = suite_moments(s.values, s.scales, table.own_strata)
    estimates = zip(s.algorithms, moments.means.tolist(), moments.errors.tolist(), strict=True)
    return contribution_cautions(s, list(estimates), table.own_strata)


def _of_tables(tables: Tables) -> list[Caution]:
    """Caution of each table, once where several say the same."""
    by_text: dict[tuple[str, str], tuple[Caution, list[str]]] = {}
    checks = (
        runs_as_algorithms,
        of_files,
        cautions.transposed,
        cautions.not_paired,
        dropped,
        cautions.filled,
        cautions.failed_runs,
        cautions.different_versions,
        looks_clustered,
    )
    record = load("analyses:by_function")()["bo.tradeoff"]
    for table in tables:
        decided = weights_decide(table.scores, record, of_means(table.scores))
        source = (decided, direction_doubtful(table.name, table.scores.better), tasks_left_out(table.scores))
        uneven = cautions.unequal_runs(table.scores, cautions.OF_LOGARITHMS) if table.margin.relative else None
        for caution in filter(None, (*source, uneven, *(check(table.scores) for check in checks))):
            by_text.setdefault((caution.name, caution.text), (caution, []))[1].append(table.name)
    return [_named(caution, names, len(tables)) for caution, names in by_text.values()]


def _named(caution: Caution, metrics: Sequence[str], of: int) -> Caution:
    if len(metrics) == of:
        return caution
    return replace(caution, text=f"{listing(metrics)}: {caution.text}")


def _of_tails(tables: Tables, pairs: Pairs, strata: Strata, unit: str) -> list[Caution]:
    """Caution of pairs in that order whose tail lets t say too much: differences of measured metrics, not of shares."""
    cautions = []
    tested = [table for table in tables if not is_binary(table, strata) and not table.contributed]
    once = sorted({tuple(sorted((p.a, p.b))) for p in pairs})
    for table in tested:
        s = table.measured
        at = {name: j for j, name in enumerate(s.algorithms)}
        a, b = (np.array([at[name] for name in side]) for side in zip(*once, strict=True))
        tails = long_tails(s.values, (a, b) if s.better == "higher" else (b, a), strata, len(tested))
        ordered = [pair if tail < 0 else pair[::-1] for pair, tail in zip(once, tails.tolist(), strict=True) if tail]
        names = [f"{first} and {second}" for first, second in ordered]
        if names:
            errs = 'the one-sided t-test says "better" or "not worse" too often if the long tail is on the second '
            errs += "side. Standard lognormal differences err at 5 % in 15 % of tables with 30 problems, 11 % with 100."
            instead = f"Rare large differences may be missing here: get more problems. {BY_SIGNS}"
            if not table.margin.relative:
                instead += " A margin as a percentage compares logarithms, whose tails are shorter."
            cautions += skewed_differences(names, f"{unit}s", errs, instead, table.name)
    return cautions


def tradeoff(
    metrics: Mapping[str, Scores] | Any,
    margins: Mapping[str, float | str],
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    *,
    unit: Literal["cluster", "problem"] | None = None,
    n_draws: int = 10_000,
    truth: str | None = None,
) -> Tradeoff:
    """Which algorithm is as good as another in every metric and better in one, and which has no better alternative?

    Use it for quality and cost of the same algorithms on the same problems. Metrics are never added up.

    Parameters
    ----------
    metrics : mapping of str to Scores
        Two or more tables (n_problems, n_algorithms) of the same problems, algorithms and clusters, in any order.
        Runs are averaged first.
    margins : mapping of str to float or str
        The smallest difference that matters, fixed before the scores were seen: in score units, or ``"5%"``, which
        compares logarithms (ratios of geometric means) and needs scores above 0.
    alpha : float
        Error rate of all statements "better trade-off", and of all "frontier"; default 0.05.
    rng : int or Generator, optional
        Seed or Generator of the draws; seed 0 if absent.
    n_draws : int
        Draws behind ``p_pareto``.
    unit : {"cluster", "problem"}, optional
        What is independent; by default clusters, if there are any.
    truth : str, optional
        Column of the truth, if ``metrics`` is a table of predictions: then ``margins`` names the metrics, such as auc
        and brier (``bo.read_predictions``).

    Returns
    -------
    Tradeoff
        ``.pairs`` (ordered; ``.p_better_tradeoff``, ``.adjusted``, ``.verdict``), ``.frontier``, ``.dominated``,
        ``.cannot_tell``, ``.positions`` (means, ``.dominated_by``, ``.p_pareto``).

    Raises
    ------
    ParameterError, ScoreError, MissingScoreError
        A metric without a margin; other problems or algorithms; a missing cell; a percentage of scores not above 0.

    Notes
    -----
    Intersection–union (Bloch, Lai & Tubert-Bitter 2001): p = max(max_j p_NI,j, M·min_j p_j) from one-sided t-tests of
    mean differences over problems (or clusters), Holm over ordered pairs. Right and wrong answers use Tango's (1998)
    and McNemar's tests. Dominated: another one is a better trade-off, not the reverse. Frontier: not dominated, and
    better than each other one in some metric (largest p, Holm over algorithms). P(Pareto): Bayesian bootstrap (Rubin
    1981), the same weights for all metrics.

    Examples
    --------
    >>> import bakeoff as bo
    >>> quality = [[0.81, 0.80], [0.74, 0.75], [0.92, 0.91], [0.66, 0.67], [0.88, 0.86], [0.79, 0.80]]
    >>> seconds = [[10, 12.0], [9, 10.0], [11, 14.1], [8, 10.0], [10, 11.4], [12, 14.3]]
    >>> tables = {"quality": bo.Scores(quality, better="higher"), "seconds": bo.Scores(seconds, better="lower")}
    >>> found = bo.tradeoff(tables, {"quality": 0.02, "seconds": "5%"})
    >>> found.pair(0, 1).verdict, round(found.pair(0, 1).p_better_tradeoff, 4), found.dominated
    ('a better trade-off', 0.0052, ('A2',))
    """
    if truth is not None:
        judged = {name: read_predictions(metrics, truth, name) for name in margins_of(margins)}
        metrics = judged
    tables = metric_tables(metrics, margins)
    alpha, seed = probability("alpha", alpha), integer_seed(rng)
    size = draw_count("n_draws", n_draws, 100)
    original, (used, tables, strata) = tables, averaged_units(tables, unit)
    tests = [metric_tests(table, table.own_strata or strata) for table in tables]
    pairs = _pairs(tables, tests, alpha, min(s.n_clusters for s in strata) < 2)
    shares = undominated(tables, strata, generator(seed), size)
    return Tradeoff(
        metrics={table.name: table.scores for table in original},
        margins={table.name: table.margin.given for table in tables},
        requested_margins={table.name: table.raw_margin for table in tables},
        alpha=alpha,
        unit=used,
        n_draws=size,
        rng=seed,
        n_clusters=sum(s.n_clusters for s in strata),
        pairs=pairs,
        positions=_positions(tables, pairs, better_in_one(tests), shares, strata, alpha, size),
        cautions=tradeoff_cautions(original, tables, tests, pairs, strata, used),
    )


def _pairs(tables: list[MetricTable], tests: list[MetricTests], alpha: float, unknown: bool) -> Pairs:
    """``unknown``: a task has one unit, and so no error."""
    names = tables[0].scores.algorithms
    ordered = [(a, b) for a in range(len(names)) for b in range(len(names)) if a != b]
    undone = np.any([without_evidence(table.scores, ordered) | unknown for table in tables], axis=0).tolist()
    whole_p, in_one = better_tradeoff(tests), better_in_one(tests)
    adjusted = adjust([float(whole_p[pair]) for pair in ordered], "holm").tolist()

    def each(of: str, pair: tuple[int, int]) -> dict[str, float]:
        return {table.name: float(getattr(test, of)[pair]) for table, test in zip(tables, tests, strict=True)}

    return tuple(
        TradeoffPair(
            a=names[pair[0]],
            b=names[pair[1]],
            difference=each("differences", pair),
            p_not_worse=each("not_worse", pair),
            p_better=each("better", pair),
            p_better_tradeoff=float(whole_p[pair]),
            adjusted=p,
            p_better_in_one=float(in_one[pair]),
            verdict="cannot tell" if none else "a better trade-off" if p <= alpha else "not shown",
        )
        for (pair, p), none in zip(zip(ordered, adjusted, strict=True), undone, strict=True)
    )


def _positions(
    tables: list[MetricTable], pairs: Pairs, in_one: Array, shares: Array, strata: Strata, alpha: float, n_draws: int
) -> tuple[Position, ...]:
    names = tables[0].scores.algorithms
    shown = {(pair.a, pair.b) for pair in pairs if pair.verdict == "a better trade-off"}
    own = np.where(np.eye(len(names), dtype=bool), 0.0, in_one).max(axis=1)
    adjusted = adjust(own.tolist(), "holm").tolist()
    means = [_means(table, table.own_strata or strata, alpha) for table in tables]
    untold = {name for pair in pairs if pair.verdict == "cannot tell" for name in (pair.a, pair.b)}
    apart = [name not in untold for name in names]  # a position is one against each of the others

    def position(j: int, name: str, share: float) -> Position:
        by = tuple(a for a in names if (a, name) in shown and (name, a) not in shown)
        state: State = "dominated" if by else "frontier" if adjusted[j] <= alpha and apart[j] else "cannot tell"
        return Position(
            algorithm=name,
            state=state,
            means=tuple(of_metric[j] for of_metric in means),
            dominated_by=by,
            p_frontier=float(own[j]),
            adjusted=adjusted[j],
            p_pareto=share,
            monte_carlo_error=math.sqrt(share * (1.0 - share) / n_draws),
        )

    return tuple(position(j, name, share) for j, (name, share) in enumerate(zip(names, shares.tolist(), strict=True)))


def _means(table: MetricTable, strata: Strata, alpha: float) -> list[MetricMean]:
    if is_binary(table, strata):
        n, z = table.scores.n_problems, float(-ndtri(alpha / 2))
        top = float(table.scores.values.max()) or 1.0  # 1, or 100
        shares = [(right / n, wilson(right, n, z)) for right in (table.scores.values.sum(axis=0) / top).tolist()]
        return [MetricMean(metric=table.name, mean=top * m, interval=(top * a, top * b)) for m, (a, b) in shares]
    values = np.log(table.scores.values) if table.margin.relative else table.scores.values
    scales = np.ones_like(values) if table.margin.relative else table.scores.scales
    moments = suite_moments(values, scales, strata)
    if table.contributed and table.scores.predicted is not None:
        of_each = zip(moments.means.tolist(), moments.errors.tolist(), moments.df.tolist(), strict=True)
        own = [(m, own_interval(table.scores.predicted, m, error, df, alpha, strata)) for m, error, df in of_each]
        return [MetricMean(metric=table.name, mean=m, interval=(each.low, each.high)) for m, each in own]
    reach = -stdtrit(moments.df, alpha / 2) * moments.errors
    ends = (moments.means, moments.means - reach, moments.means + reach)
    mean, low, high = ((np.exp(x) if table.margin.relative else x).tolist() for x in ends)
    return [MetricMean(metric=table.name, mean=m, interval=(a, b)) for m, a, b in zip(mean, low, high, strict=True)]
