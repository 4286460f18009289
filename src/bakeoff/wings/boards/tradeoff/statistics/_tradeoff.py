"""tradeoff(): as good, and cheaper? Several metrics, each with its margin."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from bakeoff.adjusting import adjust
from bakeoff.checks import draw_count, probability
from bakeoff.designed import of_means
from bakeoff.means.contributions import own_interval
from bakeoff.means.moments import suite_moments
from bakeoff.means.strata import Stratum
from bakeoff.paired.shares import wilson
from bakeoff.predictions import read_predictions
from bakeoff.randomness import generator, integer_seed
from bakeoff.ranks.cautions import without_evidence
from bakeoff.scores import Array, Scores
from bakeoff.scores.design import Estimand
from bakeoff.special import ndtri, stdtrit
from bakeoff.wings.boards.tradeoff.statistics.cautions import tradeoff_cautions
from bakeoff.wings.boards.tradeoff.statistics.intersection_union import (
    MetricTests,
    better_in_one,
    better_tradeoff,
    is_binary,
    metric_tests,
    undominated,
)
from bakeoff.wings.boards.tradeoff.statistics.results import MetricMean, Position, State, Tradeoff, TradeoffPair
from bakeoff.wings.boards.tradeoff.statistics.tables import MetricTable, averaged_units, margins_of, metric_tables


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


def _pairs(
    tables: list[MetricTable], tests: list[MetricTests], alpha: float, unknown: bool
) -> tuple[TradeoffPair, ...]:
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
    tables: list[MetricTable],
    pairs: tuple[TradeoffPair, ...],
    in_one: Array,
    shares: Array,
    strata: list[Stratum],
    alpha: float,
    n_draws: int,
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


def _means(table: MetricTable, strata: list[Stratum], alpha: float) -> list[MetricMean]:
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


def estimand(result: Tradeoff) -> Estimand:
    """The mean of each metric, by the weights that all of them have."""
    return of_means(result.scores, "mean of each metric")
