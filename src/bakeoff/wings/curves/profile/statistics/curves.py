"""Step functions (the share of problems within τ), their bands, and the test of two algorithms by swapping.

Bands are a bootstrap of sup_τ |ρ*(τ) − ρ(τ)| over problems (clusters) drawn again. The swap test asks whether the
largest gap between two profiles is more than exchanging labels gives: if a and b do not differ, their two scores on a
problem can be exchanged; the best of the pool stays what it is, and so do the distances, which merely change owner.
Problems of a cluster are exchanged together. Exact for any number of problems.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.effects.curve_bands import dkw_of_clusters, drawn_in_chunks, largest_deviation, suprema
from bakeoff.errors import InfiniteScoreError, ScoreError
from bakeoff.means.run_means import Over as Over, refuse_single_runs
from bakeoff.means.sign_flips import all_bits
from bakeoff.means.strata import drawn_units
from bakeoff.ranks.ties import tie_groups, tie_tolerance
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.cells import refuse_best_of_unequal
from bakeoff.scores.clusters import Codes, cluster_codes, codes_of
from bakeoff.scores.runs import MISSING, OK, by_run
from bakeoff.wings.curves.even_runs import are_even, drawn_evenly

Form = Literal["ratio", "difference", "data", "score"]
Cell = Literal["mean", "median", "best"]
Flags = npt.NDArray[np.bool_]
NEAREST = {"ratio": 1.0, "difference": 0.0}
"""The distance of the best itself."""


def direction_of(scores: Scores, form: Form) -> float:
    """−1 where τ is a score and higher is better: within τ is then what is not below it."""
    return -1.0 if form == "score" and scores.better == "higher" else 1.0


def count_failed(scores: Scores) -> npt.NDArray[np.int64]:
    """(n, k): runs with a status that is neither ok nor merely missing."""
    if scores.status is None:
        return np.zeros(scores.values.shape, dtype=np.int64)
    words = by_run(scores.status).astype(str)
    return np.asarray((~np.isin(words, (OK, "", MISSING))).sum(axis=2))


def run_costs(scores: Scores) -> Array:
    """(n, k, R), lower is better: infinite of runs that failed, NaN where a cell has fewer."""
    failed = count_failed(scores)
    runs = scores.values[:, :, None] if scores.runs is None else scores.runs
    costs = runs if scores.better == "lower" else -runs + 0.0
    _refuse(
        np.asarray(np.isneginf(costs).any(axis=2)),
        scores,
        costs,
        "infinitely good, and nothing can be compared with it",
    )
    more = np.where(np.arange(int(failed.max(initial=0))) < failed[:, :, None], np.inf, np.nan)
    return np.concatenate([costs, more], axis=2)


def cell_costs(scores: Scores, every: Array, cell: Cell, drawn: bool) -> Array:
    """(n, k), lower is better: of runs (n, k, R), perhaps ``drawn`` ones, infinite where they failed; NaN for none."""
    if cell == "mean" and not drawn:
        return np.asarray(np.where(count_failed(scores) > 0, np.inf, scores.costs))
    costs = np.full(scores.values.shape, np.nan)
    there = ~np.isnan(every).all(axis=2)
    summary: Any = {"mean": np.nanmean, "median": np.nanmedian, "best": np.nanmin}[cell]
    costs[there] = summary(every[there], axis=1)
    return costs


def check_costs(scores: Scores, costs: Array, form: Form) -> Flags:
    """(n, k, R) the runs that failed, after every other one was found to have a score that this form takes."""
    failed = np.isposinf(costs)
    if np.isnan(costs[:, :, 0]).any():
        check_scores(scores)  # names the cells
    if form == "data" and scores.better == "higher":
        rule = "is a table where higher is better, and the budgets of a data profile are costs"
        raise ScoreError(f"{rule}; give the budgets at which a target was reached", parameter="scores")
    if form in ("ratio", "data"):
        what = "a ratio needs scores from 0 on" if form == "ratio" else "a budget cannot be negative"
        negative = costs < 0 if scores.better == "lower" else (costs > 0) & ~failed
        _refuse(
            np.asarray(negative.any(axis=2)), scores, costs, f"negative, and {what}; kind='difference' takes any score"
        )
    return failed


def _refuse(bad: Flags, scores: Scores, costs: Array, rule: str) -> None:
    where = np.argwhere(bad)
    if not len(where):
        return
    i, j = where[0].tolist()
    best = float(np.nanmin(costs[i, j]))
    value = best if scores.better == "lower" else -best
    kind = InfiniteScoreError if np.isinf(value) else ScoreError
    more = f" ({len(where)} such cells)" if len(where) > 1 else ""
    rule = f"has {value:g} for problem {scores.problems[i]!r}, algorithm {scores.algorithms[j]!r}{more}: {rule}"
    raise kind(rule, parameter="scores")


def distances(costs: Array, scales: Array, failed: Flags, form: Form, better: str) -> Array:
    """(n, k) of costs (lower is better) and the largest scores behind them; infinite where a run failed.

    Ties are decided on decimals, as everywhere: a score within 16 units in the last place of the best is the best, and
    distances that differ by no more are one and the same step.

    ratio: score / best where lower is better, best / score where higher is. Where the best is 0, it is 1 for all scores
    of 0 and infinite for all others. difference: how much worse than the best. data, score: the cost itself.
    """
    values = np.where(failed, np.inf, costs)
    if form not in NEAREST:
        return _stepped(values, scales)
    nobody = failed.all(axis=1)
    best = values.min(axis=1, keepdims=True)
    best[nobody] = 0.0
    at_best = np.take_along_axis(scales, values.argmin(axis=1, keepdims=True), axis=1)
    behind = np.where(failed, 0.0, np.maximum(scales, at_best))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        tied = ~failed & (values - best <= tie_tolerance(behind))
        if form == "difference":
            behind_best = np.where(tied, 0.0, values - best)
            return _stepped(behind_best, np.where(tied, 0.0, behind))
        # costs of scores that are better when higher are their negatives
        behind_best = np.abs(best / values if better == "higher" else values / best)
    behind_best = np.where(failed, np.inf, np.where(tied, 1.0, behind_best))
    behind_best[np.isnan(behind_best)] = np.inf
    return _stepped(behind_best, np.where(np.isfinite(behind_best), behind_best, 0.0))


def _stepped(distances: Array, scales: Array) -> Array:
    """Tied distances made equal: each the smallest of its group."""
    flat, finite = distances.ravel().copy(), np.isfinite(distances).ravel()
    if finite.any():
        values = flat[finite]
        groups = tie_groups(values, scales.ravel()[finite])
        smallest = np.full(int(groups.max()) + 1, np.inf)
        np.minimum.at(smallest, groups, values)
        flat[finite] = smallest[groups]
    return flat.reshape(distances.shape)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProfileRows:
    """The costs of each problem (n, k, R), lower is better: of its cells R is 1, else the most runs of a cell."""

    scores: Scores
    form: Form
    costs: Array
    failed: Flags
    shares: Array | None  # (n · R, k) of each run in the curve of its algorithm; None of cells, which count equally
    drawn: bool  # had algorithms unequal numbers of runs?

    def distances(self, columns: list[int] | None = None) -> Array:
        """(n · R, k) from the best of the problem among these columns; NaN where a cell has fewer runs."""
        chosen = slice(None) if columns is None else columns
        costs, failed = self.costs[:, chosen], self.failed[:, chosen]
        absent = np.isnan(costs)
        scales = np.where(failed | absent, 0.0, self.scores.scales[:, chosen, None])
        n = len(costs)
        each = distances(
            costs.reshape(n, -1), scales.reshape(n, -1), (failed | absent).reshape(n, -1), self.form, self.scores.better
        ).reshape(costs.shape)
        return np.asarray(np.where(absent, np.nan, each).transpose(0, 2, 1).reshape(-1, costs.shape[1]))


def profile_rows(scores: Scores, form: Form, cell: Cell, over: Over, seed: int | None) -> ProfileRows:
    """Each cell, or each run; over problems of as many runs of each algorithm, drawn with this seed."""
    costs = run_costs(scores)
    if cell == "best" and over == "problems":
        refuse_best_of_unequal(np.sum(~np.isnan(costs), axis=2), scores.algorithms)
    drawn = over != "runs" and not are_even(costs)
    if drawn:
        costs = np.where(drawn_evenly(costs, scores.algorithms, cluster_codes(scores), seed), costs, np.nan)
    if over == "problems":
        costs = cell_costs(scores, costs, cell, drawn)[:, :, None]
    failed, shares = check_costs(scores, costs, form), None
    if over != "problems":
        counts = (~np.isnan(costs)).sum(axis=2)
        if over == "runs":
            refuse_single_runs(scores, counts, "over='problems'")
        each = ~np.isnan(costs) / (counts[:, :, None] * len(costs))
        shares = each.transpose(0, 2, 1).reshape(-1, costs.shape[1])
    return ProfileRows(scores=scores, form=form, costs=costs, failed=failed, shares=shares, drawn=drawn)


EVEN = 1 << 40
"""Shares of rows that do not count equally are rounded to multiples of its inverse."""


def steps_of(distances: Array, first: float | None) -> Array:
    """(T,) where any of the curves may rise, after the distance of the best itself."""
    steps = np.unique(distances[np.isfinite(distances)])
    if first is None or (len(steps) and steps[0] == first):
        return steps if len(steps) else np.zeros(1)
    return np.concatenate([[first], steps])


def shares_within(distances: Array, tau: Array, weights: Array | None = None) -> Array:
    """(k, T): the share of the n rows whose distance is at most τ; NaN is within none.

    ``weights`` (n, k), whose columns sum to 1, where rows do not count equally.
    """
    if weights is None:
        within = [np.searchsorted(np.sort(column), tau, side="right") for column in distances.T]
        return np.stack(within) / len(distances)
    order = np.argsort(distances, axis=0, kind="stable")
    heights = np.cumsum(np.take_along_axis(weights, order, axis=0), axis=0)
    heights = np.vstack([np.zeros((1, distances.shape[1])), heights]).round(14)
    ordered = np.take_along_axis(distances, order, axis=0)
    return np.stack([heights[np.searchsorted(ordered[:, j], tau, side="right"), j] for j in range(ordered.shape[1])])


def just_above(tau: Array) -> Array:
    """τ with the tolerance of ties: 0.6 is at most 3 times 0.2, though not in binary."""
    return np.asarray(tau + tie_tolerance(np.abs(tau)))


def half_widths(
    distances: Array, shares: Array | None, codes: Codes, band: float, n_resamples: int, rng: np.random.Generator
) -> Array:
    """(k,) of the band around each curve: clusters of rows are drawn again, with all rows of each."""
    groups = int(codes.max()) + 1
    of_weights = suprema(distances, shares)

    def draw(size: int) -> Array:
        return of_weights(drawn_units(groups, size, rng)[:, codes])

    largest = drawn_in_chunks(draw, n_resamples, max(len(codes), groups))
    return largest_deviation(largest, dkw_of_clusters(codes, band), band)


_CHUNK = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapTest:
    """The largest gap between two profiles, and how probable one as large is if labels may be exchanged."""

    statistic: float  # sup over τ of |share of a − share of b|
    tau: float | None  # where it is first reached; None if the two are never apart
    pvalue: float  # of the largest distance between the two profiles
    exact: bool  # of all exchanges, not of a sample
    n_resamples: int  # 0 where exact


def swap_test(
    distances: Array, shares: Array | None, codes: Codes, n_resamples: int, rng: np.random.Generator
) -> SwapTest:
    """sup_τ |ρ_a(τ) − ρ_b(τ)| of two columns under exchanges within problems: all of them if they are no more than
    ``n_resamples``. ``shares`` (n, 2) of rows that do not count equally."""
    a, b = distances.T
    differing = np.flatnonzero(a != b if shares is None else (a != b) | (shares[:, 0] != shares[:, 1]))
    n = len(a) if shares is None else EVEN
    if not len(differing):
        return SwapTest(statistic=0.0, tau=None, pvalue=1.0, exact=True, n_resamples=0)
    x, y = a[differing], b[differing]
    owner = codes_of([str(code) for code in codes[differing].tolist()])
    groups = int(owner.max()) + 1
    steps = np.ones((len(x), 2)) if shares is None else shares[differing] * EVEN
    gains = np.rint(np.concatenate([steps[:, 0], -steps[:, 1]])).astype(np.int64)
    whose = np.concatenate([owner, owner])
    exact = groups - 1 < 62 and 2 ** (groups - 1) <= n_resamples
    size = 2 ** (groups - 1) if exact else n_resamples

    def drawn(first: int, rows: int) -> Array:
        # exchanging every label changes no absolute gap: the first group need not be exchanged
        bits = all_bits(first, rows, groups).astype(np.int64) if exact else rng.integers(0, 2, (rows, groups))
        return np.asarray((2 * bits - 1)[:, whose] * gains)

    largest, tau, count = _largest_gap(np.concatenate([x, y]), gains, drawn, size)
    p = count / size if exact else (1 + count) / (1 + size)
    return SwapTest(statistic=largest / n, tau=tau, pvalue=p, exact=exact, n_resamples=0 if exact else size)


def _largest_gap(
    places: Array, gains: npt.NDArray[Any], drawn: Callable[[int, int], Array], size: int
) -> tuple[float, float | None, int]:
    """The largest gap of two curves whose difference changes by ``gains`` at finite ``places``, the first place of it,
    and how many of ``size`` exchanges, ``drawn`` some at a time, have one as large."""
    kept = np.flatnonzero(np.isfinite(places))
    order = kept[np.argsort(places[kept], kind="stable")]
    ends = np.flatnonzero(np.diff(places[order], append=np.inf) > 0)

    def gaps(each: Array) -> Array:
        return np.abs(np.cumsum(each[:, order], axis=1)[:, ends]).round(12)

    seen = gaps(gains[None])[0]
    largest = float(seen.max(initial=0.0))
    if largest == 0:
        return 0.0, None, size
    count, per_chunk = 0, max(1, _CHUNK // len(places))
    for first in range(0, size, per_chunk):
        count += int((gaps(drawn(first, min(per_chunk, size - first))).max(axis=1) >= largest).sum())
    return largest, float(places[order][ends[int(seen.argmax())]]), count


def run_swap_test(
    distances: Array, shares: Array, problems: Codes, n_resamples: int, rng: np.random.Generator
) -> SwapTest:
    """sup_τ |ρ_a(τ) − ρ_b(τ)| of two columns under exchanges of runs within problems, drawn at random."""
    there = shares > 0
    places, weights = distances.T[there.T], np.concatenate([shares[there[:, 0], 0], -shares[there[:, 1], 1]])
    owner = np.concatenate([problems[there[:, 0]], problems[there[:, 1]]])
    cells = [np.flatnonzero(owner == problem) for problem in np.unique(owner)]

    def drawn(first: int, size: int) -> Array:
        moved = np.empty((size, len(places)))
        for rows in cells:
            moved[:, rows] = rng.permuted(np.broadcast_to(weights[rows], (size, len(rows))), axis=1)
        return moved

    largest, tau, count = _largest_gap(places, weights, drawn, n_resamples)
    if tau is None:
        return SwapTest(statistic=0.0, tau=None, pvalue=1.0, exact=True, n_resamples=0)
    p = (1 + count) / (1 + n_resamples)
    return SwapTest(statistic=largest, tau=tau, pvalue=p, exact=False, n_resamples=n_resamples)
