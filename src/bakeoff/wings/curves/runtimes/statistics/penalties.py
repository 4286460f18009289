"""Penalised means (PARk) and shifted geometric means: per cell, per algorithm, of pairs, and by hardness of problems.

Brackets by hardness keep problems that somebody solved and on which somebody took long (Achterberg and Wunderling).
Hardness is that of the slowest run of all algorithms, so that no algorithm is favoured by the choice of the problems
(of the times of one alone the others would profit). An unsolved run counts as slower than any time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.means.pair_moments import pair_moments
from bakeoff.means.run_means import RunMeans, columns_of_pairs, run_differences, run_means
from bakeoff.means.sign_flips import flips_above
from bakeoff.means.strata import one_stratum
from bakeoff.nulls.signed_rank import signed_rank_tail
from bakeoff.nulls.tails import normal_two_sided, t_two_sided
from bakeoff.paired._wilcoxon import signed_rank_sums
from bakeoff.paired.alternatives import both_sides
from bakeoff.paired.many_pairs import Columns, Pairs, RowDifferences, chunks_of, row_differences
from bakeoff.posthoc.pairs import t_rows
from bakeoff.scores import Array
from bakeoff.scores.cells import exact_mean
from bakeoff.scores.clusters import Codes, cluster_means
from bakeoff.special import stdtrit
from bakeoff.wings.curves.runtimes.statistics.resampling import (
    interval_around,
    studentised_half_widths,
    studentised_half_widths_of_pairs,
)
from bakeoff.wings.curves.runtimes.statistics.results import Bracket, Interval
from bakeoff.wings.curves.runtimes.statistics.times import RunTimes

EXACT = 200  # differences; the exact distribution of signed ranks
_CELLS = 1 << 20  # differences at a time


Key = float | Literal["logs"]
"""What is averaged: times at a penalty, or their logarithms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverProblems:
    """Half the widths of intervals around means: problems, or clusters of them, are drawn again."""

    cells: Mapping[Key, Array]  # (n, k)
    codes: Codes
    weights: Array
    alpha: float

    def of_means(self, key: Key) -> Array:
        """(k,)."""
        return studentised_half_widths(self.cells[key], self.codes, self.weights, self.alpha)

    def of_pairs(self, key: Key, family: Pairs, slopes: Array | None = None) -> Array:
        """(P,) of b less a, of columns times ``slopes`` (k,)."""
        cells = self.cells[key] if slopes is None else self.cells[key] * slopes
        return studentised_half_widths_of_pairs(cells, family, self.codes, self.weights, self.alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class OverRuns:
    """The same of the problems as given: Welch's t of the runs within them."""

    means: Mapping[Key, RunMeans]  # times 2^−exponent: squares do not overflow
    exponents: Mapping[Key, int]
    alpha: float

    def of_means(self, key: Key) -> Array:
        means = self.means[key]
        return np.asarray(np.ldexp(-stdtrit(means.df, self.alpha / 2) * np.sqrt(means.variances), self.exponents[key]))

    def of_pairs(self, key: Key, family: Pairs, slopes: Array | None = None) -> Array:
        means = self.means[key] if slopes is None else self.means[key].times(slopes)
        each = run_differences(means, columns_of_pairs(family))
        return np.asarray(np.ldexp(-stdtrit(each.df, self.alpha / 2) * each.errors, self.exponents[key]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalised:
    """Penalised values, and how intervals of their means are made."""

    cells: Mapping[float, Array]  # by penalty, (n, k); empty where no cap is known
    largest: Mapping[float, float]  # by penalty, the mean if nothing were solved
    logs: Array | None  # (n, k) mean log(time + shift)
    shift: float
    spread: OverProblems | OverRuns

    def sgm(self, j: int) -> float | None:
        return None if self.logs is None else self.unlogged(column_mean(self.logs[:, j]))

    def unlogged(self, value: float) -> float:
        return max(0.0, math.exp(value) - self.shift)

    def par_intervals(self, penalty: float) -> list[Interval | None]:
        """(k,)."""
        cells, most = self.cells[penalty], self.largest[penalty]
        halves = self.spread.of_means(penalty).tolist()
        return [interval_around(column_mean(cells[:, j]), half, 0.0, most) for j, half in enumerate(halves)]

    def pair_intervals(self, penalty: float, family: Sequence[tuple[int, int]]) -> list[Interval | None]:
        """Intervals of b less a."""
        cells, most = self.cells[penalty], self.largest[penalty]
        halves = self.spread.of_pairs(penalty, family).tolist()
        rows = np.ascontiguousarray(cells.T)
        means = [exact_mean((rows[b] - rows[a]).tolist()) for a, b in family]
        return [interval_around(mean, half, -most, most) for mean, half in zip(means, halves, strict=True)]

    def sgm_intervals(self) -> list[Interval | None] | None:
        """(k,) from intervals of the means of logarithms."""
        if self.logs is None:
            return None
        least = math.log(self.shift) if self.shift > 0 else -math.inf
        intervals = []
        for j, half in enumerate(self.spread.of_means("logs").tolist()):
            own = interval_around(column_mean(self.logs[:, j]), _doubles(half), least)
            intervals.append(None if own is None else (self.unlogged(own[0]), self.unlogged(own[1])))
        return intervals

    def sgm_ratios(self, family: Sequence[tuple[int, int]]) -> list[tuple[float | None, Interval | None]]:
        """Ratios of a over b, with intervals from those of the linearised logarithm; nothing where one is 0."""
        if self.logs is None:
            return [(None, None)] * len(family)
        ratios: list[float] = [self.unlogged(column_mean(self.logs[:, j])) for j in range(self.logs.shape[1])]
        slopes = np.array([1.0 + self.shift / x if x > 0 else 0.0 for x in ratios])
        halves = self.spread.of_pairs("logs", family, slopes).tolist()
        made: list[tuple[float | None, Interval | None]] = []
        for (a, b), half in zip(family, halves, strict=True):
            if not ratios[a] > 0 or not ratios[b] > 0:
                made.append((ratios[a] / ratios[b] if ratios[b] > 0 else None, None))
                continue
            own = interval_around(math.log(ratios[a] / ratios[b]), _doubles(half))
            made.append((ratios[a] / ratios[b], None if own is None else (math.exp(own[0]), math.exp(own[1]))))
        return made


def _doubles(half: float) -> float:
    """The half-width of a logarithm: beyond a factor of e^500 nothing bounds it, and doubles end at e^709."""
    return half if half <= 500.0 else math.inf


def penalised(
    runs: RunTimes, k: tuple[float, ...], shift: float, codes: Codes, weights: Array | None, alpha: float
) -> Penalised:
    """``weights`` of the problems (clusters) drawn again; None: their runs vary."""
    each: dict[Key, Array | None] = {penalty: runs.penalised(penalty) for penalty in k}
    of_runs = {key: x for key, x in {**each, "logs": runs.log_shifted(shift)}.items() if x is not None}
    cells: dict[Key, Array] = {key: runs.means(x) for key, x in of_runs.items()}
    logs = cells.get("logs")
    return Penalised(
        cells={key: x for key, x in cells.items() if key != "logs"},
        largest={key: math.inf if runs.caps is None else key * column_mean(runs.caps) for key in k},
        logs=logs,
        shift=shift,
        spread=_of_runs(of_runs, alpha)
        if weights is None
        else OverProblems(cells=cells, codes=codes, weights=weights, alpha=alpha),
    )


def _of_runs(values: Mapping[Key, Array], alpha: float) -> OverRuns:
    exponents = {key: math.frexp(float(np.nanmax(np.abs(x))))[1] for key, x in values.items()}
    means = {key: run_means(np.ldexp(x, -exponents[key])) for key, x in values.items()}
    return OverRuns(means=means, exponents=exponents, alpha=alpha)


def column_mean(values: Array) -> float:
    return math.fsum(values.tolist()) / len(values)


class PenalisedPair(NamedTuple):
    """One pair at one penalty."""

    difference: float
    pvalue: float
    wilcoxon: float | None  # of cells; None where runs vary


def penalised_pairs(values: Penalised, penalty: float, family: Pairs, codes: Codes) -> list[PenalisedPair]:
    """PAR of b less that of a, many pairs at a time: the paired t-test over problems (robust to clusters), and signed
    ranks.

    Where differences do not vary t has no error: sign flips decide, of which 2 of 2^G are as extreme. Over runs Welch's
    t of the runs within problems.
    """
    cells = values.cells[penalty]
    if isinstance(values.spread, OverRuns):
        each = run_differences(values.spread.means[penalty], columns_of_pairs([(b, a) for a, b in family]))
        rows = zip(np.ldexp(each.means, values.spread.exponents[penalty]).tolist(), each.pvalues.tolist(), strict=True)
        return [PenalisedPair(mean, p, None) for mean, p in rows]
    clustered = int(codes.max()) + 1 < len(codes)
    columns, units = _columns(cells), _columns(cluster_means(cells, codes) if clustered else cells)
    made: list[PenalisedPair] = []
    for pairs in chunks_of(family, len(cells), _CELLS):
        differences = row_differences(columns, pairs)
        means = [exact_mean(row) for row in differences.values.tolist()]
        pvalues = (_clustered_pvalues(cells, pairs, codes) if clustered else _t_pvalues(differences)).tolist()
        ranked = _signed_rank_pvalues(row_differences(units, pairs) if clustered else differences)
        made += map(PenalisedPair, means, pvalues, ranked)
    return made


def _columns(cells: Array) -> Columns:
    rows = np.ascontiguousarray(cells.T)
    return Columns(costs=rows, scales=np.abs(rows))


def _t_pvalues(rows: RowDifferences) -> Array:
    """(p,) as ``bo.paired_t``, but for differences that do not vary."""
    t, _, p, _ = t_rows(rows).T
    return np.asarray(np.where(np.isinf(t), 2.0 ** (1 - rows.values.shape[1]), p))


def _clustered_pvalues(cells: Array, pairs: Pairs, codes: Codes) -> Array:
    """(p,) as ``bo.cluster_t``; 1 where the clusters do not vary, or are too few."""
    stratum = one_stratum(codes)
    columns = np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])
    moments = pair_moments(-cells, np.abs(cells), columns, [stratum])
    varies = (moments.errors > 0) & stratum.decides
    t = np.where(varies, moments.means / np.where(varies, moments.errors, 1.0), 0.0)
    p = np.where(varies, t_two_sided(t, moments.df)[0], 1.0)
    if not stratum.is_dominated:
        return np.asarray(p)
    sums = stratum.sums(cells)
    toward = np.sign(moments.means) * (sums[:, columns[1]] - sums[:, columns[0]])
    return np.asarray(np.maximum(p, np.minimum(1.0, 2.0 * flips_above(toward))))


def _signed_rank_pvalues(differences: RowDifferences) -> list[float]:
    """Two-sided p without the zeros: exact up to ``EXACT`` differences, else by the normal approximation. Pairs share
    ranks: those of the same ones follow each other, as few exact distributions are remembered.
    """
    pvalues, exact = [1.0] * len(differences.values), dict[int, tuple[bytes, int]]()
    for i in range(len(pvalues)):
        sums = signed_rank_sums(differences.row(i), "drop")
        if len(sums.ranks) > EXACT:
            pvalues[i] = float(normal_two_sided(sums.zstatistic)[0])
        else:
            exact[i] = np.sort(sums.ranks).tobytes(), min(sums.plus, sums.minus)
    for i in sorted(exact, key=exact.__getitem__):
        ranks, least = exact[i]
        pvalues[i] = both_sides(*signed_rank_tail(np.frombuffer(ranks, dtype=np.int64), least))[0]
    return pvalues


MOST = 5


def brackets(runs: RunTimes, names: Sequence[str], penalised: Penalised) -> tuple[Bracket, ...]:
    """All problems that somebody solved, then those of at least 1, 10, 100 … as far as these are others."""
    hardness = np.nanmax(runs.times, axis=(1, 2))
    solved = runs.solved.any(axis=(1, 2))
    finite = hardness[solved & np.isfinite(hardness) & (hardness > 0)]
    if not len(finite):
        return ()
    powers = range(math.floor(math.log10(finite.min())), math.floor(math.log10(finite.max())) + 1)
    made: list[Bracket] = []
    for least in (0.0, *(10.0**power for power in powers)):
        rows = np.flatnonzero(solved & (hardness >= least))
        if made and len(rows) == made[-1].n_problems:
            continue
        logs = None if penalised.logs is None else penalised.logs[rows]
        made.append(
            Bracket(
                least=least,
                n_problems=len(rows),
                solved={name: math.fsum(runs.shares[rows, j].tolist()) for j, name in enumerate(names)},
                sgm={}
                if logs is None
                else {name: penalised.unlogged(column_mean(logs[:, j])) for j, name in enumerate(names)},
            )
        )
    return tuple(made if len(made) <= MOST else [made[0], *made[1 - MOST :]])
