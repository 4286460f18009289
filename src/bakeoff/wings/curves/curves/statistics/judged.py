"""From a table of curves to verdicts; what a report is verified by."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from bakeoff.checks import N_RESAMPLES, choice, draw_count, flag, probability
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.means.run_means import CLAIMS, Over, refuse_lone_runs
from bakeoff.randomness import generator
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes, codes_of
from bakeoff.scores.pair_family import Family, family_of
from bakeoff.scores.read_as import LONG
from bakeoff.wings.curves.curves.statistics.cautions import curve_cautions, interquartile_cautions
from bakeoff.wings.curves.curves.statistics.curves_of_runs import judged_by_runs
from bakeoff.wings.curves.curves.statistics.grid import area_weights
from bakeoff.wings.curves.curves.statistics.interquartile_along import InterquartileCurve, interquartile_curves
from bakeoff.wings.curves.curves.statistics.results import CurvePair, Curves, CurveTable
from bakeoff.wings.curves.curves.statistics.segments import curve_sentence, shown_segments
from bakeoff.wings.curves.curves.statistics.step_down import StepDown, step_down

_TIED = 16 * np.finfo(np.float64).eps  # of the larger score: differences that decimals do not have
MOST_NUMBERS = 1 << 26


def judged_curves(
    table: CurveTable,
    control: str | int | None = None,
    alpha: float = 0.05,
    unit: Literal["cluster", "problem"] | None = None,
    n_resamples: int = N_RESAMPLES,
    rng: int | None = None,
    over: Over = "problems",
    interquartile: bool = False,
) -> Curves:
    """The arguments are checked; ``rng`` is a seed."""
    alpha = probability("alpha", alpha)
    n_resamples = draw_count("n_resamples", n_resamples, math.ceil(1 / alpha))
    scores = _scores(table, table.values[:, :, -1])
    column = None if control is None else scores.index(control, "control")
    choice("over", over, tuple(CLAIMS))
    if flag("interquartile", interquartile) and over != "runs":
        raise ParameterError(f"is over runs, and needs over='runs'; got over={over!r}", parameter="interquartile")
    if unit is not None:
        choice("unit", unit, ("cluster", "problem"))
    family = family_of(len(table.algorithms), column)
    judge = _over_runs if over == "runs" else _over_problems
    used, n_units, means, tested = judge(table, scores, family, unit, n_resamples, rng)
    reachable = used == "run" or 2.0 ** (1 - n_units) <= alpha
    along: tuple[InterquartileCurve, ...] = ()
    if interquartile and table.runs is not None:
        along = interquartile_curves(
            table.runs, len(table.problems), table.algorithms, alpha, generator(rng), n_resamples
        )
    pairs = tuple(_pair(table, pair, means[i], tested, i, alpha, reachable) for i, pair in enumerate(family))
    return Curves(
        table=table,
        scores=scores,
        area=_scores(table, table.values @ area_weights(table.t, table.spacing)),
        control=None if column is None else scores.algorithms[column],
        alpha=alpha,
        unit=used,
        n_units=n_units,
        n_resamples=n_resamples,
        rng=rng,
        over=over,
        exact=tested.exact,
        reachable=reachable,
        pairs=pairs,
        interquartile=along,
        cautions=(
            *curve_cautions(table, used, n_units, reachable, alpha, tested, pairs),
            *interquartile_cautions(table, along),
        ),
    )


Judged = tuple[Literal["cluster", "problem", "run"], int, Array, StepDown]
"""What is independent, how many of them, (P, T) differences, positive where the first is better, and their tests."""


def _over_problems(
    table: CurveTable, scores: Scores, family: Family, unit: str | None, n_resamples: int, rng: int | None
) -> Judged:
    """Problems, or clusters of them, are the sample."""
    by_cluster = unit != "problem" and table.clusters is not None
    used: Literal["cluster", "problem"] = "cluster" if by_cluster else "problem"
    codes = codes_of(table.clusters) if by_cluster and table.clusters is not None else np.arange(len(table.problems))
    groups = int(codes.max()) + 1
    if groups < 2:
        raise ScoreError(f"has one {used} only; a test over {used}s needs two or more", parameter="table")
    if groups * len(family) * len(table.t) > MOST_NUMBERS:
        raise ScoreError(
            f"has {len(family)} pairs at {len(table.t)} budgets on {groups} {used}s, more than can be judged at once; "
            "use a coarser grid (grid=100) or a control",
            parameter="table",
        )
    differences = _differences(table, family, codes)
    return used, groups, differences.mean(axis=0), step_down(differences, generator(rng), n_resamples)


def _over_runs(
    table: CurveTable, scores: Scores, family: Family, unit: str | None, n_resamples: int, rng: int | None
) -> Judged:
    """The problems as given: their runs are the sample."""
    if unit is not None:
        raise ParameterError(f"is of over='problems'; over='runs' counts runs. Got {unit!r}", parameter="unit")
    n, k = table.values.shape[:2]
    if table.runs is None:
        raise ScoreError("has no runs, of which over='runs' speaks", parameter="table")
    counts = table.runs.counts(n * k).reshape(n, k)
    refuse_lone_runs(scores, counts, "over='problems'", "table")
    sign = 1.0 if table.better == "higher" else -1.0
    means, tested = judged_by_runs(table.runs, n, table.algorithms, family, generator(rng), n_resamples)
    turned = replace(tested, statistic=sign * tested.statistic + 0.0)
    return "run", int(counts.sum(axis=0).min()), sign * means + 0.0, turned


def _pair(
    table: CurveTable, pair: tuple[int, int], means: Array, tested: StepDown, i: int, alpha: float, reachable: bool
) -> CurvePair:
    a, b = (table.algorithms[j] for j in pair)
    segments = shown_segments(table.t, means, tested.adjusted[i], alpha) if reachable else ()
    return CurvePair(
        a=a,
        b=b,
        difference=means,
        statistic=tested.statistic[i],
        pvalue=tested.pvalue[i],
        adjusted=tested.adjusted[i],
        segments=segments,
        verdict=curve_sentence(a, b, segments, table.t, table.budget_name, reachable),
    )


def _differences(table: CurveTable, family: list[tuple[int, int]], codes: Codes) -> Array:
    """(G, P, T) positive where a is better: of problems, or means over the problems of a cluster.

    The units are in the order of their content, so that neither sums nor drawn signs depend on the order of rows.
    """
    sign = 1.0 if table.better == "higher" else -1.0
    groups = int(codes.max()) + 1
    differences = np.empty((groups, len(family), len(table.t)))
    for i, (a, b) in enumerate(family):
        x, y = table.values[:, a], table.values[:, b]
        d = sign * (x - y)
        d[np.abs(d) <= _TIED * np.maximum(np.abs(x), np.abs(y))] = 0.0
        differences[:, i] = d if groups == len(codes) else _cluster_means(d, codes, groups)
    differences += 0.0  # no −0.0
    sizes = np.sort(np.abs(differences.reshape(groups, -1)), axis=1)  # the same for any order of algorithms
    return differences[sorted(range(groups), key=lambda g: (sizes[g].tobytes(), differences[g].tobytes()))]


def _cluster_means(d: Array, codes: Codes, groups: int) -> Array:
    """(G, T) summed from the smallest difference on."""
    means = np.empty((groups, d.shape[1]))
    for g in range(groups):
        part = d[codes == g]
        means[g] = np.take_along_axis(part, np.argsort(np.abs(part), axis=0), axis=0).mean(axis=0)
    return means


def _scores(table: CurveTable, values: Array) -> Scores:
    metric = table.metric or "score"
    return Scores.from_cells(
        values[:, :, None],
        table.algorithms,
        table.problems,
        better=table.better,
        metric=f"log10 {metric}" if table.scale == "log" else table.metric,
        clusters=table.clusters,
        source_sha256=table.source_sha256,
        read_as=LONG,
    )
