"""Penalised means (PARk) and shifted geometric means: per cell, per algorithm, and of pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bakeoff.nulls.tails import normal_two_sided
from bakeoff.paired._cluster_t import clustered_mean_and_error
from bakeoff.paired._paired_t import mean_and_error, t_pvalue
from bakeoff.paired._wilcoxon import signed_rank_sums, two_sided
from bakeoff.paired.differences import Differences
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, cluster_means
from bakeoff.survival.resampling import expanded, percentile_intervals, resampled_means
from bakeoff.survival.results import Interval
from bakeoff.survival.times import RunTimes

EXACT = 200  # differences; the exact law of signed ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalised:
    """What is averaged, and its bootstrap."""

    cells: Mapping[float, Array]  # by penalty, (n, k); empty where no cap is known
    drawn: Mapping[float, Array]  # (B, k) means of each resample
    logs: Array | None  # (n, k) mean log(time + shift)
    drawn_logs: Array | None  # (B, k)
    shift: float
    tail: float  # share of the resamples outside of an interval

    def sgm(self, j: int) -> float | None:
        return None if self.logs is None else self.unlogged(math.fsum(self.logs[:, j].tolist()) / len(self.logs))

    def sgm_draws(self, j: int) -> Array | None:
        return None if self.drawn_logs is None else np.exp(self.drawn_logs[:, j]) - self.shift

    def unlogged(self, value: float) -> float:
        return max(0.0, math.exp(value) - self.shift)


def penalised(
    runs: RunTimes, k: tuple[float, ...], shift: float, codes: Codes, weights: Array, alpha: float
) -> Penalised:
    cells = {penalty: found for penalty in k if (found := runs.penalised(penalty)) is not None}
    logs = runs.log_shifted(shift)
    return Penalised(
        cells=cells,
        drawn={penalty: resampled_means(values, codes, weights) for penalty, values in cells.items()},
        logs=logs,
        drawn_logs=None if logs is None else resampled_means(logs, codes, weights),
        shift=shift,
        tail=expanded(alpha, weights.shape[1]),
    )


def column_mean(values: Array) -> float:
    return math.fsum(values.tolist()) / len(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class PenalisedPair:
    difference: float
    pvalue: float
    wilcoxon: float


def penalised_pair(found: Penalised, penalty: float, a: int, b: int, codes: Codes) -> PenalisedPair:
    """PAR of b less that of a: the paired t test over problems (robust to clusters), and signed ranks."""
    cells = found.cells[penalty]
    differences = _differences(cells[:, a], cells[:, b])
    groups = int(codes.max()) + 1
    clustered = groups < len(codes)
    mean, se = clustered_mean_and_error(differences, codes) if clustered else mean_and_error(differences)
    t = mean / se if se > 0 else 0.0 if mean == 0 else math.copysign(math.inf, mean)
    ranked = differences
    if clustered:
        ranked = _differences(cluster_means(cells[:, a], codes), cluster_means(cells[:, b], codes))
    return PenalisedPair(
        difference=mean, pvalue=t_pvalue(t, se, groups - 1, "two-sided")[0], wilcoxon=_signed_ranks(ranked)
    )


def _signed_ranks(differences: Differences) -> float:
    """Two-sided p without the zeros: exact up to ``EXACT`` differences, else by the normal approximation."""
    sums = signed_rank_sums(differences, "drop")
    return two_sided(sums)[0] if len(sums.ranks) <= EXACT else float(normal_two_sided(sums.zstatistic)[0])


def _differences(x: Array, y: Array) -> Differences:
    scales = np.maximum(np.abs(x), np.abs(y))
    values = y - x
    zero = np.abs(values) <= tie_tolerance(scales)
    return Differences(values=np.where(zero, 0.0, values), scales=np.where(zero, 0.0, scales))


def sgm_ratio(found: Penalised, a: int, b: int) -> tuple[float | None, Interval | None]:
    """Of the shifted geometric means; nothing where that of b can be 0."""
    x, y = found.sgm(a), found.sgm(b)
    drawn_a, drawn_b = found.sgm_draws(a), found.sgm_draws(b)
    if not y or x is None or drawn_a is None or drawn_b is None or (drawn_b <= 0).any():
        return None, None
    return x / y, percentile_intervals((drawn_a / drawn_b)[:, None], found.tail)[0]
