"""Penalised means (PARk) and shifted geometric means: per cell, per algorithm, and of pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
from bakeoff.survival.resampling import interval_around, studentised_half_widths, studentised_half_widths_of_pairs
from bakeoff.survival.results import Interval
from bakeoff.survival.times import RunTimes

EXACT = 200  # differences; the exact law of signed ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalised:
    """What is averaged, and how intervals of its means are made."""

    cells: Mapping[float, Array]  # by penalty, (n, k); empty where no cap is known
    largest: Mapping[float, float]  # by penalty, the mean if nothing were solved
    logs: Array | None  # (n, k) mean log(time + shift)
    shift: float
    codes: Codes
    weights: Array
    alpha: float

    def sgm(self, j: int) -> float | None:
        return None if self.logs is None else self.unlogged(column_mean(self.logs[:, j]))

    def unlogged(self, value: float) -> float:
        return max(0.0, math.exp(value) - self.shift)

    def par_intervals(self, penalty: float) -> list[Interval | None]:
        """(k,)."""
        cells = self.cells[penalty]
        halves = studentised_half_widths(cells, self.codes, self.weights, self.alpha).tolist()
        most = self.largest[penalty]
        return [interval_around(column_mean(cells[:, j]), half, 0.0, most) for j, half in enumerate(halves)]

    def pair_intervals(self, penalty: float, family: Sequence[tuple[int, int]]) -> list[Interval | None]:
        """Of b less a."""
        cells, most = self.cells[penalty], self.largest[penalty]
        halves = studentised_half_widths_of_pairs(cells, family, self.codes, self.weights, self.alpha).tolist()
        means = [math.fsum((cells[:, b] - cells[:, a]).tolist()) / len(cells) for a, b in family]
        return [interval_around(mean, half, -most, most) for mean, half in zip(means, halves, strict=True)]

    def sgm_intervals(self) -> list[Interval | None] | None:
        """(k,) from intervals of the means of logarithms."""
        if self.logs is None:
            return None
        least = math.log(self.shift) if self.shift > 0 else -math.inf
        halves = studentised_half_widths(self.logs, self.codes, self.weights, self.alpha).tolist()
        found = []
        for j, half in enumerate(halves):
            own = interval_around(column_mean(self.logs[:, j]), half, least)
            found.append(None if own is None else (self.unlogged(own[0]), self.unlogged(own[1])))
        return found

    def sgm_ratios(self, family: Sequence[tuple[int, int]]) -> list[tuple[float | None, Interval | None]]:
        """Of a over b, and intervals from those of the linearised logarithm; nothing where one is 0."""
        if self.logs is None:
            return [(None, None)] * len(family)
        found: list[float] = [self.unlogged(column_mean(self.logs[:, j])) for j in range(self.logs.shape[1])]
        slopes = np.array([1.0 + self.shift / x if x > 0 else 0.0 for x in found])
        halves = studentised_half_widths_of_pairs(
            self.logs * slopes, family, self.codes, self.weights, self.alpha
        ).tolist()
        made: list[tuple[float | None, Interval | None]] = []
        for (a, b), half in zip(family, halves, strict=True):
            if not found[a] > 0 or not found[b] > 0:
                made.append((found[a] / found[b] if found[b] > 0 else None, None))
                continue
            own = interval_around(math.log(found[a] / found[b]), half)
            made.append((found[a] / found[b], None if own is None else (math.exp(own[0]), math.exp(own[1]))))
        return made


def penalised(
    runs: RunTimes, k: tuple[float, ...], shift: float, codes: Codes, weights: Array, alpha: float
) -> Penalised:
    cells = {penalty: found for penalty in k if (found := runs.penalised(penalty)) is not None}
    logs = runs.log_shifted(shift)
    return Penalised(
        cells=cells,
        largest={k: math.inf if runs.caps is None else k * column_mean(runs.caps) for k in cells},
        logs=logs,
        shift=shift,
        codes=codes,
        weights=weights,
        alpha=alpha,
    )


def column_mean(values: Array) -> float:
    return math.fsum(values.tolist()) / len(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class PenalisedPair:
    difference: float
    pvalue: float
    wilcoxon: float


def penalised_pair(found: Penalised, penalty: float, a: int, b: int, codes: Codes) -> PenalisedPair:
    """PAR of b less that of a: the paired t test over problems (robust to clusters), and signed ranks.

    Where differences do not vary t has no error: sign flips decide, of which 2 of 2^G are as extreme.
    """
    cells = found.cells[penalty]
    differences = _differences(cells[:, a], cells[:, b])
    groups = int(codes.max()) + 1
    clustered = groups < len(codes)
    mean, se = clustered_mean_and_error(differences, codes) if clustered else mean_and_error(differences)
    ranked = differences
    if clustered:
        ranked = _differences(cluster_means(cells[:, a], codes), cluster_means(cells[:, b], codes))
    if se > 0:
        pvalue = t_pvalue(mean / se, se, groups - 1, "two-sided")[0]
    else:
        pvalue = 1.0 if mean == 0 else 2.0 ** (1 - groups)
    return PenalisedPair(difference=mean, pvalue=pvalue, wilcoxon=_signed_ranks(ranked))


def _signed_ranks(differences: Differences) -> float:
    """Two-sided p without the zeros: exact up to ``EXACT`` differences, else by the normal approximation."""
    sums = signed_rank_sums(differences, "drop")
    return two_sided(sums)[0] if len(sums.ranks) <= EXACT else float(normal_two_sided(sums.zstatistic)[0])


def _differences(x: Array, y: Array) -> Differences:
    scales = np.maximum(np.abs(x), np.abs(y))
    values = y - x
    zero = np.abs(values) <= tie_tolerance(scales)
    return Differences(values=np.where(zero, 0.0, values), scales=np.where(zero, 0.0, scales))
