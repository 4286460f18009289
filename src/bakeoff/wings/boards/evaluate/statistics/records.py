"""From arrays to the records of a result."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri, stdtrit

from bakeoff.means.max_t import FlipLaw
from bakeoff.means.moments import Moments, compensated_means, noise_of_means, suite_moments
from bakeoff.means.pair_moments import Columns, PairMoments
from bakeoff.means.strata import Stratum
from bakeoff.paired.shares import score_of_t, tango
from bakeoff.scores import Array, Scores
from bakeoff.wings.boards.evaluate.statistics.decisions import Decisions
from bakeoff.wings.boards.evaluate.statistics.power import detectable_ratio, least_detectable
from bakeoff.wings.boards.evaluate.statistics.results import EvaluationPair, Interval, ModelEstimate, SuiteMeans
from bakeoff.wings.boards.evaluate.statistics.table import EvaluationTable


def estimate_records(
    scores: Scores, table: EvaluationTable, moments: Moments, alpha: float
) -> tuple[ModelEstimate, ...]:
    z = -float(ndtri(alpha / 2))
    made = []
    one = table.of_suites is None and len(table.strata) == 1
    variances = table.questions.var(axis=0, ddof=1)
    for j, name in enumerate(scores.algorithms):
        mean, error, df = (float(part[j]) for part in (moments.means, moments.errors, moments.df))
        interval = table.share_interval(j, z) if table.answers else _t_interval(table, mean, error, df, alpha)
        between = None
        if one and table.noise is not None:
            between = table.squared(float(variances[j] - table.noise[1][:, j].mean()))
        made.append(
            ModelEstimate(
                algorithm=name,
                mean=table.back(mean),
                standard_error=table.back(error),
                interval=interval,
                df=df,
                method="wilson" if table.answers else "t",
                n=scores.n_problems,
                n_clusters=table.n_clusters,
                variance=table.squared(float(variances[j])) if one else None,
                variance_between=between,
                sigma2_within=None if table.noise is None else table.squared(float(table.noise[0][j])),
            )
        )
    return tuple(made)


def _t_interval(table: EvaluationTable, mean: float, error: float, df: float, alpha: float) -> Interval:
    reach = -float(stdtrit(df, alpha / 2)) * error
    return table.back(mean - reach), table.back(mean + reach)


def pair_records(
    scores: Scores,
    table: EvaluationTable,
    of_each: Moments,
    moments: PairMoments,
    law: FlipLaw,
    pairs: Columns,
    judged: Decisions,
    alpha: float,
) -> tuple[EvaluationPair, ...]:
    n, z, level = len(table.values), -float(ndtri(alpha / 2)), -float(ndtri(judged.own_level / 2))
    flips, t = law.own_pvalues(), moments.t
    correlation = _correlations(table.values)
    noise = None if table.noise is None else noise_of_means(table.noise[1], table.of_suites or table.strata)
    one = table.of_suites is None and len(table.strata) == 1
    made = []
    for p, (a, b) in enumerate(zip(*(side.tolist() for side in pairs), strict=True)):
        mean, error, df = float(moments.means[p]), float(moments.errors[p]), float(moments.df[p])
        critical, wins, losses = float(judged.criticals[p]), int(moments.wins[p]), int(moments.losses[p])
        simultaneous: Interval | None = None
        if table.binary:
            interval = tango(wins, losses, n, z)
            if math.isfinite(critical):
                simultaneous = tango(wins, losses, n, max(score_of_t(critical, n), level))
        else:
            interval = _t_interval(table, mean, error, df, alpha)
            if math.isfinite(critical):
                simultaneous = table.back(mean - critical * error), table.back(mean + critical * error)
                interval = simultaneous if len(pairs[0]) == 1 else interval  # of one pair: as the verdict, by flips too
        omega2 = share = None
        if noise is not None and table.noise is not None and error > 0:
            share = min(1.0, float(noise[a] + noise[b]) / error**2)
        if one and table.noise is not None:
            within = float(table.noise[1][:, [a, b]].sum(axis=1).mean())
            omega2 = table.squared(float(moments.variances[p]) - within)
        detectable: float | None = None
        if math.isfinite(critical) and error > 0:
            detectable = table.back(detectable_ratio(df, critical) * error)
        if math.isfinite(critical) and table.binary:
            least = least_detectable(n, judged.own_level)
            detectable = None if least is None else max(least, detectable or 0.0)
        made.append(
            EvaluationPair(
                a=scores.algorithms[a],
                b=scores.algorithms[b],
                difference=table.back(mean),
                statistic=float(t[p]),
                standard_error=table.back(error),
                df=df,
                interval=interval,
                method="tango" if table.binary else "t",
                simultaneous=simultaneous,
                pvalue=float(judged.own[p]),
                t_pvalue=float(judged.t_own[p]),
                test="mcnemar" if table.binary else "t",
                adjusted=float(judged.adjusted[p]),
                sign_flip=float(flips[p]),
                correlation=None if math.isnan(correlation[a, b]) else float(correlation[a, b]),
                unpaired_error=table.back(of_each.unpaired(a, b)),
                omega2=omega2,
                noise_share=share,
                detectable=detectable,
                wins=wins,
                losses=losses,
                verdict=judged.verdicts[p],
            )
        )
    return tuple(made)


def _correlations(values: Array) -> Array:
    """(k, k) over the rows; NaN where a column is constant."""
    with np.errstate(divide="ignore", invalid="ignore"):
        correlations = np.corrcoef(values, rowvar=False)
    flat = np.ptp(values, axis=0) == 0
    return np.where(flat | flat[:, None], np.nan, correlations)


def means_of_suites(table: EvaluationTable, labels: tuple[str, ...] | None) -> tuple[SuiteMeans, ...]:
    """In the order in which the suites first appear in the table."""
    if labels is None:
        return ()
    made = []
    of = {s.name: s for s in table.of_suites or table.strata}
    for s in (of[name] for name in dict.fromkeys(labels)):
        errors = None
        if s.n_clusters > 1:
            alone = Stratum(name=s.name, rows=s.rows, starts=s.starts, weight=1.0)
            moments = suite_moments(table.questions, table.question_scales, [alone])
            errors = tuple(table.back(x) for x in moments.errors.tolist())
        made.append(
            SuiteMeans(
                suite=s.name,
                n=s.n,
                n_clusters=s.n_clusters,
                means=tuple(table.back(x) for x in compensated_means(table.questions[s.rows]).tolist()),
                standard_errors=errors,
            )
        )
    return tuple(made)
