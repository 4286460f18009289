"""Judge the pairs of an evaluation and make its records: corrected p-values, detectable differences, tied sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from bakeoff.adjusting import adjust
from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, ParameterError, TooLargeError
from bakeoff.means.contributions import own_interval
from bakeoff.means.max_t import FlipLaw
from bakeoff.means.moments import Moments, compensated_means, noise_of_means, suite_moments
from bakeoff.means.pair_moments import Columns, PairMoments
from bakeoff.nulls.numerics import positive_root
from bakeoff.nulls.tails import t_two_sided
from bakeoff.paired._mcnemar import mcnemar_tail
from bakeoff.paired.shares import score_of_t, tango
from bakeoff.plan.power_models.t import noncentral_t_sf
from bakeoff.plan.question_design import QuestionDesign
from bakeoff.posthoc.groups import maximal_groups
from bakeoff.scores import Array, Scores
from bakeoff.scores.pair_family import shown_better
from bakeoff.special import betaincinv, ndtri, stdtrit
from bakeoff.wings.boards.evaluate.statistics.results import (
    EvaluationPair,
    Interval,
    Method,
    ModelEstimate,
    SuiteMeans,
    Verdict,
)
from bakeoff.wings.boards.evaluate.statistics.table import EvaluationTable

POWER = 0.8


@lru_cache(maxsize=4096)
def detectable_ratio(df: float, critical: float, power: float = POWER) -> float:
    """δ/SE with P(|T| > critical) = power, T noncentral t with ``df`` degrees of freedom and noncentrality δ/SE."""

    def surplus(ratio: float) -> float:
        shifts = np.array([ratio, -ratio])
        return float(noncentral_t_sf(np.full(2, critical), np.full(2, df), shifts).sum()) - power

    return positive_root(surplus, critical + 1.0, 1e-10)


@lru_cache(maxsize=256)
def least_detectable(n: int, level: float, power: float = POWER) -> float | None:
    """The difference of two shares of ``n`` below which McNemar's exact test has less power, whatever the shares are.

    It needs m questions that one model alone answers, 2·2^(−m) ≤ level, and has most power where none favours the
    other: P(Bin(n, δ) ≥ m) = power. None where n < m.
    """
    m = math.ceil(1.0 - math.log2(level) - 1e-9)
    return float(betaincinv(m, n - m + 1, power)) if n >= m else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    own: Array  # (P,) p of each pair by itself
    t_own: Array
    adjusted: Array
    critical: float  # |t| of the family, where it is the same for all pairs: the largest
    criticals: Array  # (P,)
    verdicts: list[Verdict]
    reachable: bool
    own_level: float  # that a pair's own p may not exceed, whatever the other pairs are


def judged_pairs(
    table: EvaluationTable, moments: PairMoments, law: FlipLaw, correction: str, alpha: float
) -> Decisions:
    t = moments.t
    alike = np.isinf(t)  # all differences equal: t says nothing, and signs that they have one
    own = t_own = np.where(alike, 0.0, t_two_sided(np.where(alike, 0.0, t), moments.df)[0])
    if table.binary:
        counts = zip(moments.wins.tolist(), moments.losses.tolist(), strict=True)
        own = np.array([mcnemar_tail(wins, losses, "exact")[0] for wins, losses in counts])
    own, t_own = (np.where(alike, np.maximum(p, law.own_pvalues()), p) for p in (own, t_own))
    m = len(t)
    reachable = table.decides and (correction != "max-t" or 2.0 ** (1 - table.n_clusters) <= alpha)
    level = alpha if correction == "max-t" else alpha / m
    criticals = -stdtrit(moments.df, level / 2)
    if table.is_dominated:  # one cluster rules mean and error: whole clusters are flipped as well
        own = np.maximum(own, law.own_pvalues())
        criticals = np.maximum(criticals, law.critical(alpha))
    if m == 1:
        adjusted = own
    elif correction == "max-t":
        adjusted = np.maximum(own, law.adjusted(t))
        criticals = np.maximum(criticals, law.critical(alpha))
    else:
        adjusted = np.asarray(adjust(own.tolist(), correction))
    if not reachable:
        criticals = np.full(m, math.inf)
        adjusted = np.maximum(adjusted, min(1.0, 2.0 ** (1 - table.n_clusters)))
        adjusted = adjusted if table.decides else np.ones(m)
    signs = zip(moments.means.tolist(), adjusted.tolist(), strict=True)
    verdicts: list[Verdict] = [shown_better(p <= alpha, mean) if reachable else "cannot tell" for mean, p in signs]
    return Decisions(
        own=own,
        t_own=t_own,
        adjusted=adjusted,
        critical=float(criticals.max()),
        criticals=criticals,
        verdicts=verdicts,
        reachable=reachable,
        own_level=level,
    )


def tied_sets(
    estimates: Sequence[ModelEstimate], pairs: Sequence[EvaluationPair], direction: str
) -> tuple[tuple[tuple[str, ...], ...], list[Caution]]:
    """Maximal sets of algorithms of which no two were shown to differ, best mean first; a caution if too many."""
    names = [estimate.algorithm for estimate in estimates]
    place = {name: j for j, name in enumerate(names)}
    alike = np.ones((len(names),) * 2, dtype=bool)
    for pair in pairs:
        if pair.verdict in ("a better", "b better"):
            alike[place[pair.a], place[pair.b]] = alike[place[pair.b], place[pair.a]] = False
    sign = -1.0 if direction == "higher" else 1.0
    best_first = [int(j) for j in np.argsort([sign * e.mean for e in estimates], kind="stable")]
    try:
        groups = maximal_groups(alike, best_first)
    except TooLargeError as error:
        return (), [caution_of("not-computed", "tied-sets", error=error)]
    return tuple(tuple(names[j] for j in group) for group in groups), []


def estimate_records(
    scores: Scores, table: EvaluationTable, moments: Moments, alpha: float
) -> tuple[ModelEstimate, ...]:
    z = -float(ndtri(alpha / 2))
    one, noise = table.is_one_sample, table.noise
    variances = table.questions.var(axis=0, ddof=1)

    def record(j: int, name: str) -> ModelEstimate:
        mean, error, df = (float(part[j]) for part in (moments.means, moments.errors, moments.df))
        between = variances[j] - noise[1][:, j].mean() if one and noise is not None else None
        interval: Interval = table.share_interval(j, z) if table.answers else _t_interval(table, mean, error, df, alpha)
        method: Method = "wilson" if table.answers else "t"
        if scores.predicted is not None and not scores.predicted.is_mean:
            own = own_interval(scores.predicted, table.back(mean), table.back(error), df, alpha, table.strata)
            interval, method = (own.low, own.high), own.method
        return ModelEstimate(
            algorithm=name,
            mean=table.back(mean),
            standard_error=table.back(error),
            interval=interval,
            df=df,
            method=method,
            n=scores.n_problems,
            n_clusters=table.n_clusters,
            variance=table.squared(float(variances[j])) if one else None,
            variance_between=None if between is None else table.squared(float(between)),
            sigma2_within=None if noise is None else table.squared(float(noise[0][j])),
        )

    return tuple(record(j, name) for j, name in enumerate(scores.algorithms))


def _t_interval(table: EvaluationTable, mean: float, error: float, df: float, alpha: float) -> Interval:
    if math.isinf(error):  # of a task with one unit
        return -math.inf, math.inf
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
    flips, correlation = law.own_pvalues(), _correlations(table.values)
    omega2, shares = _omega2(table, moments, pairs), _noise_shares(table, moments, pairs)
    names = scores.algorithms

    def record(p: int, a: int, b: int) -> EvaluationPair:
        error, df = float(moments.errors[p]), float(moments.df[p])
        interval, simultaneous = _intervals(table, moments, judged, p, alpha)
        return EvaluationPair(
            a=names[a],
            b=names[b],
            difference=table.back(float(moments.means[p])),
            statistic=float(moments.t[p]),
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
            omega2=omega2[p],
            noise_share=shares[p],
            detectable=_detectable(table, moments, judged, p),
            wins=int(moments.wins[p]),
            losses=int(moments.losses[p]),
            verdict=judged.verdicts[p],
        )

    return tuple(record(p, *columns) for p, columns in enumerate(zip(*(x.tolist() for x in pairs), strict=True)))


def _intervals(
    table: EvaluationTable, moments: PairMoments, judged: Decisions, p: int, alpha: float
) -> tuple[Interval, Interval | None]:
    """The interval of a pair by itself, and the simultaneous one."""
    critical = float(judged.criticals[p])
    if table.binary:
        n, level = len(table.values), -float(ndtri(judged.own_level / 2))
        counts = int(moments.wins[p]), int(moments.losses[p]), n
        own = tango(*counts, -float(ndtri(alpha / 2)))
        return own, tango(*counts, max(score_of_t(critical, n), level)) if math.isfinite(critical) else None
    mean, error, df = (float(part[p]) for part in (moments.means, moments.errors, moments.df))
    own = _t_interval(table, mean, error, df, alpha)
    if not math.isfinite(critical):
        return own, None
    simultaneous = table.back(mean - critical * error), table.back(mean + critical * error)
    return (simultaneous if len(moments.means) == 1 else own), simultaneous  # of one pair: as the verdict, by flips too


def _omega2(table: EvaluationTable, moments: PairMoments, pairs: Columns) -> list[float | None]:
    """Var(d) without what the answers' own variance adds."""
    if not table.is_one_sample or table.noise is None:
        return [None] * len(moments.means)
    of_each = zip(moments.variances.tolist(), *(side.tolist() for side in pairs), strict=True)
    return [table.squared(x - float(table.noise[1][:, [a, b]].sum(axis=1).mean())) for x, a, b in of_each]


def _noise_shares(table: EvaluationTable, moments: PairMoments, pairs: Columns) -> list[float | None]:
    """The share of the squared error that the answers' own variance explains."""
    if table.noise is None:
        return [None] * len(moments.means)
    noise = noise_of_means(table.noise[1], table.of_suites or table.strata)
    within, errors = (noise[pairs[0]] + noise[pairs[1]]).tolist(), moments.errors.tolist()
    return [min(1.0, x / error**2) if error > 0 else None for x, error in zip(within, errors, strict=True)]


def _detectable(table: EvaluationTable, moments: PairMoments, judged: Decisions, p: int) -> float | None:
    """The difference that is found with power 0.8; of right and wrong answers, by McNemar's exact test at the least."""
    df, error, critical = (float(part[p]) for part in (moments.df, moments.errors, judged.criticals))
    if not math.isfinite(critical):
        return None
    by_t = table.back(detectable_ratio(df, critical) * error) if error > 0 else None
    if not table.binary:
        return by_t
    n = len(table.values)
    least = least_detectable(n, judged.own_level)
    if least is None or by_t is None:
        return least
    try:
        exact = _mcnemar(moments, judged, p, n).detectable(n, POWER) if len(moments.means) == 1 else by_t
    except ParameterError:  # with as few questions that tell
        exact = by_t
    return max(least, exact)


def _mcnemar(moments: PairMoments, judged: Decisions, p: int, n: int) -> QuestionDesign:
    """The design of a pair of right and wrong answers."""
    wins, losses = int(moments.wins[p]), int(moments.losses[p])
    variance = (wins + losses - (wins - losses) ** 2 / n) / (n - 1)
    return QuestionDesign(
        omega2=variance,
        sigma2=(0.0, 0.0),
        answers=(1, 1),
        alpha=judged.own_level,
        one_sided=False,
        clusters=None,
        by_t=False,
        binary=True,
    )


def rows_for_half(
    table: EvaluationTable, moments: PairMoments, judged: Decisions, pairs: Sequence[EvaluationPair]
) -> int | None:
    """Rows that detect half of the largest detectable difference, in the same proportions of tasks and clusters.

    With f times as many, error² falls to its fth part, and each suite has f·G* − 1 degrees of freedom.
    """
    sizes = [pair.detectable or 0.0 for pair in pairs]
    p, n = int(np.argmax(sizes)), len(table.values)
    error, critical, df = (float(part[p]) for part in (moments.errors, judged.criticals, moments.df))
    if not sizes[p] > 0.0 or not 0.0 < error < math.inf:
        return None
    squares = moments.residual_squares[:, p]
    parts = np.array([s.weight**2 / s.n**2 * square for s, square in zip(table.strata, squares, strict=True)])
    effective = np.array([s.effective for s in table.strata])
    level, half = float(t_two_sided(critical, df)[0]), sizes[p] / 2.0

    def surplus(times: float) -> float:
        more = float(parts.sum() ** 2 / (parts**2 / (times * effective - 1.0)).sum())
        ratio = detectable_ratio(more, -float(stdtrit(more, level / 2)))
        return half * math.sqrt(times) - table.back(ratio * error)

    needed = math.ceil(n * positive_root(surplus, 4.0, 1e-9) - 1e-6)
    if not table.binary:
        return needed
    exact = _mcnemar(moments, judged, p, n)
    possible = min(max(exact.omega2, half - half**2), 1.0 - half**2)  # of answers that differ by so much
    return max(needed, replace(exact, omega2=possible).rows(half, POWER)[0])


def _correlations(values: Array) -> Array:
    """(k, k) over the rows; NaN where a column is constant."""
    with np.errstate(divide="ignore", invalid="ignore"):
        correlations = np.corrcoef(values, rowvar=False)
    flat = np.ptp(values, axis=0) == 0
    return np.where(flat | flat[:, None], np.nan, correlations)


def means_of_suites(table: EvaluationTable, labels: tuple[str, ...] | None) -> tuple[SuiteMeans, ...]:
    """In the order in which the suites first appear in the table."""
    strata, made = table.of_suites or table.strata, []
    for name in dict.fromkeys(labels or ()):
        own = [s for s in strata if s.name == name]  # of each class, where these are strata
        n, errors = sum(s.n for s in own), None
        alone = [replace(s, weight=s.n / n) for s in own]
        rows = np.concatenate([s.rows for s in own])
        means = map(table.back, compensated_means(table.questions[rows]).tolist())
        if min(s.n_clusters for s in own) > 1:
            moments = suite_moments(table.questions, table.question_scales, alone)
            errors = tuple(map(table.back, moments.errors.tolist()))
        units = sum(s.n_clusters for s in own)
        made.append(SuiteMeans(suite=name, n=n, n_clusters=units, means=tuple(means), standard_errors=errors))
    return tuple(made)
