"""Not worse in any metric and better in one: intersection–union tests of ordered pairs.

"a is a better trade-off than b" is denied if a is worse by the margin in some metric, or better in none. The first is
rejected at max_j p_NI,j (each denial alone suffices: no correction), the second at the smallest Holm-adjusted p of
superiority, which is M·min_j p_j; both at the larger one. Valid whatever the dependence between metrics.

Each p is of a one-sided t-test of the mean difference, but for right and wrong answers (0 and 1, one of each, without
clusters), whose differences may all be 0 by chance: Tango's score test (1998) against the margin and McNemar's exact
one against 0. Where differences do not vary, sign flips decide on superiority, p = 2^−G. They cannot decide on
non-inferiority: two that agree on all units may differ on rare ones. With scores of range R, a mean of −margin needs
other differences than the d that was seen on a share q = (d + margin)/(R + d) of units at least, and G units miss these
with probability (1 − q)^G. A metric that varies for no algorithm (a size, a price) is known and not measured.

P(Pareto-optimal) is of the Bayesian bootstrap: one set of weights of problems, or clusters, for all metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.means.pair_moments import PairMoments, pair_moments
from bakeoff.means.sign_flips import flips_above
from bakeoff.means.strata import Stratum
from bakeoff.nulls.tails import normal_sf, t_sf
from bakeoff.paired.shares import tango_score
from bakeoff.randomness import chunk_size, product
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, cluster_sums
from bakeoff.special import betainc
from bakeoff.wings.boards.tradeoff.statistics.tables import MetricTable


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTests:
    """Tests of one metric, (k, k): row a against column b; the diagonal has no meaning."""

    differences: Array
    not_worse: Array
    better: Array
    unvaried: tuple[tuple[int, int], ...]  # pairs by sign flips


def metric_tests(table: MetricTable, strata: Sequence[Stratum]) -> MetricTests:
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


def _flipped(strata: Sequence[Stratum], values: Array, rows: Codes, columns: Codes, null: float) -> Array | float:
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


def is_binary(table: MetricTable, strata: Sequence[Stratum]) -> bool:
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


def undominated(
    tables: Sequence[MetricTable], strata: Sequence[Stratum], rng: np.random.Generator, n_draws: int
) -> Array:
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
