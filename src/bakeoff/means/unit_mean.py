"""The mean of differences over independent units, clusters of problems among them: error, p-values and interval.

t = (d̄ − θ₀)/SE with the error of the cluster jackknife and G* − 1 degrees of freedom (``moments``). Where one cluster
has more than twice its even share, its own deviation rules both mean and error, and a decision needs the sign-flip test
of whole clusters as well: p is the larger of both, and the interval the hull of both, so that one excludes θ₀ exactly
if the other rejects it.

The inverted sign-flip test has a closed form. Σ_g ±(S_g − n_g θ₀) is at least Σ_g (S_g − n_g θ₀) exactly if the
clusters F with a minus have a mean M_F = Σ_F S_g/Σ_F n_g of at most θ₀ (Hartigan 1969: means of subsets are typical
values). So p is the share of subsets with M_F ≤ θ₀, the empty one among them, and the lower end is a quantile of M_F.
"""

from __future__ import annotations

import math

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.means.sign_flips import EXACT, RESAMPLES, drawn_bits
from bakeoff.means.strata import FEWEST, effective_clusters, is_dominated
from bakeoff.nulls.tails import t_sf, t_two_sided
from bakeoff.randomness import generator
from bakeoff.ranks import all_equal, tie_tolerance
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, cluster_sums, members
from bakeoff.special import stdtrit


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitMean:
    """The mean of ``n`` differences in ``n_units`` independent units."""

    estimate: float
    error: float  # 0: the units do not vary
    df: float  # G* − 1
    n: int
    n_units: int
    subsets: Subsets | None  # where a decision needs sign flips

    @property
    def decides(self) -> bool:
        """Do the units show how they vary, and are there enough of them?"""
        return self.error > 0 and (self.n_units == self.n or self.df >= FEWEST - 1.0)

    def pvalue(self, alternative: str = "two-sided", null: float = 0.0) -> tuple[float, float]:
        """p of "the mean is ``null``", or not above it ("greater"), or not below ("less"), and its logarithm.

        1 where the units do not vary: one value says nothing of its spread.
        """
        if not (0 < self.error < math.inf):
            return 1.0, 0.0
        t = (self.estimate - null) / self.error
        toward = {"two-sided": abs(t), "greater": t, "less": -t}[alternative]
        tail = t_two_sided(t, self.df) if alternative == "two-sided" else t_sf(toward, self.df)
        p, log_p = float(tail[0]), float(tail[1])
        if self.subsets is not None:
            flipped = self.subsets.pvalue(alternative, null)
            if flipped > p:
                return flipped, math.log(flipped)
        return p, log_p

    def interval(self, level: float, alternative: str = "two-sided") -> tuple[float, float]:
        """The values that :meth:`pvalue` does not reject at 1 − ``level``; unbounded where the units do not vary."""
        if not (0 < self.error < math.inf):
            return -math.inf, math.inf
        beyond = (1.0 - level) / (2.0 if alternative == "two-sided" else 1.0)
        reach = -float(stdtrit(self.df, beyond)) * self.error
        low, high = self.estimate - reach, self.estimate + reach
        if self.subsets is not None:
            flipped = self.subsets.interval(beyond)
            low, high = min(low, flipped[0]), max(high, flipped[1])
        return -math.inf if alternative == "less" else low, math.inf if alternative == "greater" else high


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subsets:
    """Sorted means M_F of the non-empty subsets of clusters, all or a sample of them, and how many were empty."""

    means: Array
    empty: int  # of a sample, the observed signs among them
    slack: float  # within which two means are equal

    @property
    def size(self) -> int:
        return len(self.means) + self.empty

    def pvalue(self, alternative: str, null: float) -> float:
        below = int(np.searchsorted(self.means, null + self.slack, side="right"))
        above = len(self.means) - int(np.searchsorted(self.means, null - self.slack, side="left"))
        greater, less = (below + self.empty) / self.size, (above + self.empty) / self.size
        return min(1.0, {"two-sided": 2.0 * min(greater, less), "greater": greater, "less": less}[alternative])

    def interval(self, beyond: float) -> tuple[float, float]:
        """Means that neither side rejects at ``beyond``: p > ``beyond`` needs so many subsets below, or above."""
        needed = math.floor(beyond * self.size * (1.0 + 1e-12)) + 1 - self.empty
        if needed < 1:
            return -math.inf, math.inf
        return float(self.means[needed - 1]), float(self.means[-needed])


def unit_mean(values: Array, scales: Array, codes: Codes | None = None) -> UnitMean:
    """``values`` (n,) with the ``scales`` of the scores behind them; ``codes`` (n,) whose cluster each is.

    Sums are correctly rounded and scaled by a power of two, so that squares cannot overflow. Means of clusters that
    differ by no more than rounding have an error of 0; one unit alone has an infinite one.
    """
    n = len(values)
    exponent = math.frexp(float(np.max(np.abs(values))))[1]
    scaled = np.ldexp(values, -exponent)
    mean = math.fsum(scaled.tolist()) / n
    if codes is None or int(codes.max()) == n - 1:
        error = math.inf if n == 1 else 0.0 if all_equal(values, scales) else _students(scaled - mean)
        error = math.ldexp(error, exponent)
        return UnitMean(estimate=math.ldexp(mean, exponent), error=error, df=n - 1.0, n=n, n_units=n, subsets=None)
    rows = members(codes)
    sizes = np.array([len(each) for each in rows])
    sums = cluster_sums(scaled, codes)
    error = _error(scaled - mean, sums / sizes, codes, np.ldexp([scales[each].max() for each in rows], -exponent))
    subsets = None
    if is_dominated(sizes) and 0 < error < math.inf:
        subsets = _subsets(sums, sizes, exponent, float(tie_tolerance(scales).max()))
    return UnitMean(
        estimate=math.ldexp(mean, exponent),
        error=math.ldexp(error, exponent),
        df=effective_clusters(sizes) - 1.0,
        n=n,
        n_units=len(sizes),
        subsets=subsets,
    )


def _error(residuals: Array, cluster_means: Array, codes: Codes, scales: Array) -> float:
    """√((G − 1)/G · Σ_g (w_g r_g/(1 − w_g))²); Student's s/√G where clusters have one size."""
    groups, n = len(cluster_means), len(residuals)
    if groups == 1:
        return math.inf
    if all_equal(cluster_means, scales):
        return 0.0
    sizes = np.bincount(codes)
    sums = cluster_sums(residuals, codes)
    if sizes.min() == sizes.max():
        return _students(sums / sizes)
    return math.sqrt((groups - 1) / groups * math.fsum(((sums / (n - sizes)) ** 2).tolist()))


def _students(residuals: Array) -> float:
    n = len(residuals)
    return math.sqrt(math.fsum((residuals**2).tolist()) / (n - 1) / n)


def _subsets(sums: Array, sizes: Codes, exponent: int, slack: float) -> Subsets:
    """``sums`` in units of 2^``exponent``."""
    if len(sums) <= EXACT:
        s, m = np.zeros(1), np.zeros(1)
        for total, size in zip(sums.tolist(), sizes.tolist(), strict=True):
            s, m = np.concatenate([s, s + total]), np.concatenate([m, m + size])
        return Subsets(means=np.ldexp(np.sort(s[1:] / m[1:]), exponent), empty=1, slack=slack)
    means, rng = [], generator(0)
    order = np.lexsort((sums, sizes))  # signs belong to a cluster's content, not to its place
    sums, sizes = sums[order], sizes[order]
    drawn, empty = 0, 1
    while drawn < RESAMPLES:
        count = min(8192, RESAMPLES - drawn)
        taken = drawn_bits(count, len(sums), rng).astype(bool)
        some = taken.any(axis=1)
        s, m = (np.where(taken[some], part, 0.0).sum(axis=1) for part in (sums, sizes))
        means.append(s / m)
        drawn, empty = drawn + count, empty + int((~some).sum())
    return Subsets(means=np.ldexp(np.sort(np.concatenate(means)), exponent), empty=empty, slack=slack)
