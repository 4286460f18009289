"""evaluate(): means of models over questions, and which of their differences are shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np

from bakeoff.adjusting import adjust
from bakeoff.cautions import caution_of
from bakeoff.checks import N_RESAMPLES, choice, draw_count, probability
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, ParameterError, TooLargeError, counted, listing
from bakeoff.means.assumptions import long_tails
from bakeoff.means.cautions import skewed_differences, strata_cautions
from bakeoff.means.contributions import contribution_cautions, own_interval
from bakeoff.means.max_t import FlipLaw, flip_law
from bakeoff.means.moments import Moments, compensated_means, noise_of_means, suite_moments
from bakeoff.means.pair_moments import Columns, PairMoments, pair_moments
from bakeoff.means.serial import serial_cautions
from bakeoff.means.strata import FEWEST, Stratum
from bakeoff.nulls.numerics import positive_root
from bakeoff.nulls.tails import clopper_pearson, t_two_sided
from bakeoff.paired._mcnemar import mcnemar_tail
from bakeoff.paired.shares import score_of_t, tango
from bakeoff.plan.power_models.t import noncentral_t_sf
from bakeoff.plan.question_design import QuestionDesign
from bakeoff.posthoc.groups import maximal_groups, rank_intervals
from bakeoff.randomness import generator, integer_seed
from bakeoff.ranks.cautions import alone_undecided, dependent_runs, input_cautions
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.clusters import Codes, cluster_codes, codes_of
from bakeoff.scores.contents import unpaired_problems
from bakeoff.scores.design import Weights
from bakeoff.scores.pair_family import family_of, shown_better
from bakeoff.special import betaincinv, ndtri, stdtrit
from bakeoff.takes_table import takes_table
from bakeoff.wings.boards.evaluate.statistics.results import (
    Correction,
    Evaluation,
    EvaluationPair,
    Interval,
    Method,
    ModelEstimate,
    SuiteMeans,
    Verdict,
)
from bakeoff.wings.boards.evaluate.table import NAME, EvaluationTable, evaluation_table, suite_labels


def ranked_table(judged: Evaluation) -> EvaluationTable:
    """The table that an evaluation over problems averaged."""
    return evaluation_table(judged.scores, judged.tasks, judged.unit)


# Judge the pairs of an evaluation and make its records: corrected p-values, detectable differences, tied sets.


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
    flips: Array  # (P,) p of the sign flips of each by itself
    adjusted: Array
    criticals: Array  # (P,) |t|
    verdicts: list[Verdict]
    reachable: bool
    own_level: float  # that a pair's own p may not exceed, whatever the other pairs are


def judged_pairs(
    table: EvaluationTable, moments: PairMoments, law: FlipLaw, correction: str, alpha: float
) -> Decisions:
    t, flips = moments.t, law.own_pvalues()
    alike = np.isinf(t)  # all differences equal: t says nothing, and signs that they have one
    own = t_own = np.where(alike, 0.0, t_two_sided(np.where(alike, 0.0, t), moments.df)[0])
    if table.binary:
        counts = zip(moments.wins.tolist(), moments.losses.tolist(), strict=True)
        own = np.array([mcnemar_tail(wins, losses, "exact")[0] for wins, losses in counts])
    own, t_own = (np.where(alike, np.maximum(p, flips), p) for p in (own, t_own))
    m = len(t)
    reachable = table.decides and (correction != "max-t" or 2.0 ** (1 - table.n_clusters) <= alpha)
    level = alpha if correction == "max-t" else alpha / m
    criticals = -stdtrit(moments.df, level / 2)
    if table.is_dominated:  # one cluster rules mean and error: whole clusters are flipped as well
        own = np.maximum(own, flips)
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
        flips=flips,
        adjusted=adjusted,
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


def estimate_records(table: EvaluationTable, moments: Moments, alpha: float) -> tuple[ModelEstimate, ...]:
    scores, z = table.scores, -float(ndtri(alpha / 2))
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
    table: EvaluationTable, of_each: Moments, moments: PairMoments, pairs: Columns, judged: Decisions, alpha: float
) -> tuple[EvaluationPair, ...]:
    names, correlation = table.scores.algorithms, _correlations(table.values)
    omega2, shares = _omega2(table, moments, pairs), _noise_shares(table, moments, pairs)

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
            sign_flip=float(judged.flips[p]),
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
    return QuestionDesign(omega2=variance, alpha=judged.own_level, binary=True)


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


# Cautions for a reader of an evaluation.


def design_cautions(
    table: EvaluationTable, suites: Sequence[str] | None, reachable: bool, alpha: float, tasks: str
) -> list[Caution]:
    """Caution of the numbers of problems and clusters, and of the kind of runs."""
    scores, strata, groups = table.scores, table.strata, table.n_clusters
    one = "task" if tasks == "new" else table.unit
    cautions = []
    hint = _suites_hint(scores) if one == "cluster" and suites is None else ""
    if not reachable:
        few, least = counted(groups, one), 2.0 ** (1 - groups)
        cautions.append(
            caution_of("out-of-reach", "sign-flips", count=few, groups=least, alpha=alpha, one=one, hint=hint)
        )
    cautions += strata_cautions(strata, one, hint if reachable else "", _ways_out(strata, one, suites))
    are_suites = suites is not None and np.array_equal(codes_of(suites), cluster_codes(scores))
    if scores.clusters is not None and table.unit == "problem" and tasks == "fixed" and not are_suites:
        cautions.append(caution_of("dependence", "means"))
    return cautions + _runs(scores)


def skewed_pairs(table: EvaluationTable, pairs: Sequence[EvaluationPair], columns: tuple[Codes, Codes]) -> list[str]:
    """None of right and wrong answers: differences of equal shares are symmetric, and intervals are Tango's. Nor of
    contributions, of which nobody asks who is ahead more often."""
    if table.binary or table.of_predictions:
        return []
    tails = long_tails(table.oriented, columns, table.strata)
    return [f"{p.a} and {p.b}" for p, tail in zip(pairs, tails.tolist(), strict=True) if tail]


def _on_the_edge(p: float, alpha: float, draws: int) -> bool:
    """Is alpha within the 99 % interval of a p-value from so many draws?"""
    low, high = clopper_pearson(max(0, round(p * (draws + 1)) - 1), draws)
    return low <= alpha <= high


def _ways_out(strata: Sequence[Stratum], one: str, suites: Sequence[str] | None) -> str:
    """Where one cluster is most of the problems: what each way counts."""
    if suites is not None or one != "cluster" or strata[0].decides or strata[0].n_clusters <= FEWEST:
        return ""
    return (
        " To let each cluster count the same, and claim something of others like them, say suites='clusters', "
        "tasks='new'; if problems of a cluster do not resemble each other, unit='problem'."
    )


def _suites_hint(scores: Scores) -> str:
    """Clusters after which problems are called, as tasks of a suite are: perhaps no sample of tasks is meant."""
    assert scores.clusters is not None
    pairs = zip(scores.problems, scores.clusters, strict=True)
    if not all(problem.startswith(f"{cluster}/") for problem, cluster in pairs):
        return ""
    return " If these clusters are tasks, and the claim is about these tasks alone, say suites='clusters'."


def _runs(scores: Scores) -> list[Caution]:
    if scores.runs is None:
        return []
    cautions = dependent_runs(scores.run_kind, "averaged-runs")
    if scores.run_kind == "seed":
        cautions.append(caution_of("these-seeds"))
    rows = unpaired_problems(scores) if scores.run_kind == "split" else []
    if rows:
        names = listing(scores.problems[i] for i in rows)
        cautions.append(caution_of("not-paired", "splits", problems=counted(len(rows), "problem"), names=names))
    return cautions


def result_cautions(
    scores: Scores, constant: Sequence[str], pairs: Sequence[EvaluationPair], n_sampled: int, alpha: float
) -> Iterator[Caution]:
    """Caution of what the scores gave; ``n_sampled``: choices of signs that decide, 0 if all of them or none do."""
    near = [f"{p.a} and {p.b}" for p in pairs if n_sampled and _on_the_edge(p.adjusted, alpha, n_sampled)]
    if near:
        named, draws = listing(near), 10 * n_sampled
        yield caution_of("sampled", "adjusted", n_sampled=n_sampled, names=named, alpha=alpha, draws=draws)
    if constant and (scores.predicted is None or scores.predicted.is_mean):
        which = "mean" if scores.runs is not None else "score"
        yield caution_of("no-variation", "scores", which=which, names=listing(constant))
    equal = [f"{p.a} and {p.b}" for p in pairs if p.standard_error == 0 and p.difference != 0]
    if equal:
        yield caution_of("no-variation", "mean-differences", names=listing(equal))
    negative = sum(p.omega2 is not None and p.omega2 < 0 for p in pairs)
    if negative:
        yield caution_of("negative-variance", "questions", pairs=counted(negative, "pair"))


CORRECTIONS = ("max-t", "holm", "bonferroni")


@takes_table
def evaluate(
    scores: Scores,
    control: str | int | None = None,
    correction: Correction = "max-t",
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    *,
    suites: Iterable[object] | Mapping[str, object] | Literal["clusters", "prefix"] | None = None,
    tasks: Literal["fixed", "new"] = "fixed",
    weights: Weights | Literal["task", "question"] | None = None,
    unit: Literal["cluster", "problem"] | None = None,
    n_resamples: int = N_RESAMPLES,
) -> Evaluation:
    """Which model answers better on average, by how much, and would more questions or more answers tell?

    Use it for means over many questions of one metric; where sizes of scores differ between problems, ``bo.compare``.

    Parameters
    ----------
    scores : Scores
        (n_questions, n_models) or with answers as a third axis, which are averaged first; ``clusters`` are respected.
    control : str or int, optional
        Compared with each other model; else all pairs.
    correction : {"max-t", "holm", "bonferroni"}
        "max-t": distribution of the largest |t| of all pairs, from signs of clusters shared by all models.
    alpha : float
        Error rate of the family; default 0.05.
    n_resamples : int
        Choices of signs drawn; all 2^(G − 1) of G clusters where they are no more.
    rng : int or Generator, optional
        Seed or Generator of the signs; seed 0 if absent.
    suites : sequence, mapping, "clusters" or "prefix", optional
        Task of each problem, in place of ``scores.tasks``; "prefix": its name up to the first slash.
    tasks : {"fixed", "new"}
        "fixed": of these suites, SE = √Σ SE_b²/B. "new": of others like them, the suites' means are the sample.
    weights : {"tasks", "problems", "clusters"}, optional
        What counts equally, in place of ``scores.design.weights``. A task of one problem keeps its weight: then every
        verdict is "cannot tell", as its error is unknown.
    unit : {"cluster", "problem"}, optional
        What is independent; by default clusters, if there are any.

    Returns
    -------
    Evaluation
        ``.estimates``, ``.pairs``, ``.rank_intervals`` {name: (best, worst)}, ``.groups`` (tied sets), ``.detectable``.

    Raises
    ------
    MissingScoreError, InfiniteScoreError, ScoreError, ParameterError
        A missing or infinite cell, named; one problem, or one cluster; suites that are no labels.

    Notes
    -----
    V = (G − 1)/G · Σ_g (w_g r_g/(1 − w_g))², of differences too, with t(G* − 1), G* = 1/Σ w_g²; w_g, r_g: share
    and residual mean of a cluster (MacKinnon, Nielsen & Webb 2023). Share above 2/G: sign flips too; G* < 3: none. 0/1
    scores with one answer and no clusters: intervals of Wilson and Tango, McNemar's exact test. Max-t: the larger of p
    itself and the distributions of flipped differences (exact if symmetric) and of flipped residuals. Ranks: [1 +
    number shown better, k − number shown worse], with the error rate of the family (Klein, Wright & Wieczorek 2020).

    Examples
    --------
    >>> import bakeoff as bo
    >>> answers = [[1, 1, 0]] * 9 + [[1, 0, 0]] * 8 + [[0, 1, 1]] * 3
    >>> found = bo.evaluate(bo.Scores(answers, ["A", "B", "C"], better="higher"))
    >>> [(p.a, p.b, round(p.difference, 2), p.verdict) for p in found.pairs][1], found.rank_intervals["A"]
    (('A', 'C', 0.7, 'a better'), (1, 2))
    """
    scores = check_scores(scores)
    scores.require_finite(NAME)
    column = None if control is None else scores.index(control, "control")
    choice("correction", correction, CORRECTIONS)
    choice("tasks", tasks, ("fixed", "new"))
    alpha = probability("alpha", alpha)
    size, seed = draw_count("n_resamples", n_resamples, math.ceil(1 / alpha)), integer_seed(rng)
    scores = _designed(scores, suites, weights)
    table = evaluation_table(scores, tasks, unit)
    labels = scores.design.tasks if len(table.strata) > 1 or tasks == "new" else None
    family = family_of(scores.n_algorithms, column)
    pairs = np.array([a for a, _ in family]), np.array([b for _, b in family])

    of_each = suite_moments(table.values, table.scales, table.strata)
    moments = pair_moments(table.oriented, table.scales, pairs, table.strata)
    law = flip_law(table.oriented, pairs, moments, table.strata, generator(seed), size)
    judged = judged_pairs(table, moments, law, correction, alpha)
    estimates = estimate_records(table, of_each, alpha)
    rows = alone_undecided(scores, pair_records(table, of_each, moments, pairs, judged, alpha))
    groups, beyond = ((), []) if column is not None else tied_sets(estimates, rows, scores.better)
    by_flips = table.is_dominated or (correction == "max-t" and len(rows) > 1)
    sampled = 0 if law.exact or not by_flips or not judged.reachable else size
    reached = judged.reachable or not table.decides
    of_design = design_cautions(table, labels, reached, alpha, tasks)
    cautions = (
        *(c for c in input_cautions(scores) if labels is None or c.code != "one-stem"),
        *serial_cautions(scores, alpha),
        *(c for c in of_design if not (scores.serial and c.code == "too-few")),
        *result_cautions(scores, [e.algorithm for e in estimates if e.standard_error == 0], rows, sampled, alpha),
        *contribution_cautions(scores, [(e.algorithm, e.mean, e.standard_error) for e in estimates], table.strata),
        *skewed_differences(skewed_pairs(table, rows, pairs), "suites" if table.of_suites else f"{table.unit}s"),
        *beyond,
    )
    return Evaluation(
        scores=scores,
        control=None if column is None else scores.algorithms[column],
        correction=correction,
        alpha=alpha,
        unit=table.unit,
        suites=labels,
        tasks=tasks,
        weights=scores.design.weights,
        n_resamples=size,
        rng=seed,
        n_clusters=table.n_clusters,
        exact=law.exact,
        critical=float(judged.criticals.max()) if np.isfinite(judged.criticals).all() else None,
        estimates=estimates,
        pairs=rows,
        rank_intervals=rank_intervals(scores.algorithms, rows),
        groups=groups,
        suite_means=means_of_suites(table, labels),
        n_for_half=rows_for_half(table, moments, judged, rows),
        cautions=cautions,
    )


def _designed(scores: Scores, suites: object, weights: str | None) -> Scores:
    """The scores with the tasks and weights of the call."""
    changed: dict[str, object] = {} if suites is None else {"tasks": suite_labels(scores, suites)}
    changed |= {} if weights is None else {"weights": {"task": "tasks", "question": "problems"}.get(weights, weights)}
    return scores.with_design(**changed) if changed else scores
