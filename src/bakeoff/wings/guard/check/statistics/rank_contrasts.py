"""The same questions by exact rank tests: which runs are worse, not by how much they scatter.

Mann and Whitney's test of the runs of new against those of the baseline moved by the bound; of runs that belong
together, Wilcoxon's signed ranks of their differences less the bound. Bounds of the effect are the order statistics of
the pairwise differences (of the Walsh averages) that these tests invert to (Hodges & Lehmann 1963).
"""

import math
from dataclasses import dataclass

import numpy as np

from bakeoff.analyses.per_problem.statistics._mann_whitney import doubled_midranks, tested_ranks
from bakeoff.nulls.rank_sum import largest_plain_statistic
from bakeoff.nulls.signed_rank import signed_rank_null, signed_rank_tail
from bakeoff.scores import Array
from bakeoff.wings.guard.check.statistics.contrasts import Contrasts

_DIGITS = 12  # significant digits on which ties are decided: a logarithm moved by a bound has noise in the last ones


@dataclass(frozen=True, slots=True)
class RankContrasts(Contrasts):
    """``old`` and ``new`` (n, r), runs in columns; ``paired``: column by column."""

    old: Array
    new: Array
    paired: bool

    def p_above(self, bound: Array | float) -> Array:
        return np.array([self._greater(old, new, at + tick) for old, new, tick, at in self._rows(bound)])

    def p_below(self, bound: Array | float) -> Array:
        return np.array([self._greater(new, old, tick - at) for old, new, tick, at in self._rows(bound)])

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        intervals = [(*self._bounds(old, new, alpha), tick) for old, new, tick, _ in self._rows(0.0)]
        return np.array([low - tick for low, _, tick in intervals]), np.array(
            [high + tick for _, high, tick in intervals]
        )

    def _rows(self, bound: Array | float) -> list[tuple[Array, Array, float, float]]:
        ticks, bounds = (np.broadcast_to(x, self.estimate.shape).tolist() for x in (self.tick, bound))
        rows = zip(self.old, self.new, ticks, bounds, strict=True)
        return [(old[~np.isnan(old)], new[~np.isnan(new)], tick, at) for old, new, tick, at in rows]

    def _greater(self, old: Array, new: Array, bound: float) -> float:
        if not len(old) or not len(new):
            return 1.0
        if self.paired:
            return _signed(_rounded(new - old - bound))
        ranks, ties = doubled_midranks(_rounded(np.concatenate([new - bound, old])))
        return tested_ranks(ranks, len(new), ties, "greater", "auto").pvalue

    def _bounds(self, old: Array, new: Array, alpha: float) -> tuple[float, float]:
        if not len(old) or not len(new):
            return -np.inf, np.inf
        values = np.sort(_contrasts(old, new, self.paired))
        if self.paired:
            cut = signed_rank_null(_plain_ranks(len(old))).largest_sum(alpha) // 2
        else:
            cut = largest_plain_statistic(len(new), len(old), alpha)
        if cut < 0:
            return -np.inf, np.inf
        return float(values[cut]), float(values[len(values) - 1 - cut])


def rank_contrasts(of: Contrasts, old: Array, new: Array, paired: bool) -> RankContrasts:
    """With the Hodges–Lehmann estimate in place of the mean; the error stays, for what could be detected."""
    estimates, least = [], []
    for row_old, row_new in zip(old, new, strict=True):
        a, b = row_old[~np.isnan(row_old)], row_new[~np.isnan(row_new)]
        known = len(a) > 0 and len(b) > 0
        estimates.append(float(np.median(_contrasts(a, b, paired))) if known else np.nan)
        least.append(_least(len(a), len(b), paired) if known else 1.0)
    return RankContrasts(np.array(estimates), of.error, of.df, old, new, paired, least=np.array(least))


def _least(n_old: int, n_new: int, paired: bool) -> float:
    """The least p-value that as many runs can give."""
    return float(0.5**n_old) if paired else 1 / math.comb(n_old + n_new, n_new)


def _contrasts(old: Array, new: Array, paired: bool) -> Array:
    """The Walsh averages of the differences, or the differences of all pairs."""
    if not paired:
        return np.subtract.outer(new, old).ravel()
    first, second = np.triu_indices(len(old))
    return np.asarray((new - old)[first] + (new - old)[second]) / 2.0


def _signed(d: Array) -> float:
    """P(W₊ ≥ w₊) if signs are fair; a difference of zero counts as one below."""
    ranks, _ = doubled_midranks(np.abs(d))
    return signed_rank_tail(ranks, int(ranks[d <= 0].sum()))[0]


def _rounded(values: Array) -> Array:
    top = float(np.max(np.abs(values), initial=0.0))
    if top == 0.0 or not np.isfinite(top):
        return values
    return np.round(values, _DIGITS - 1 - int(np.floor(np.log10(top)))) + 0.0


def _plain_ranks(n: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return 2 * np.arange(1, n + 1, dtype=np.int64)
