"""By how much the new side is worse on each problem: by t, by exact ranks, or by bets.

Scores are costs (lower is better) or logarithms of costs, so that a difference new − baseline is positive where new is
worse. Rows are problems, columns are runs; NaN stands for runs that a problem does not have.

Ranks ask which runs are worse, not by how much they scatter: Mann and Whitney's test of the runs of new against those
of the baseline moved by the bound; of runs that belong together, Wilcoxon's signed ranks of their differences less the
bound. Bounds of the effect are the order statistics of the pairwise differences (of the Walsh averages) that these
tests invert to (Hodges & Lehmann 1963).
"""

import math

import numpy as np

from bakeoff.analyses.per_problem.statistics._mann_whitney import doubled_midranks, tested_ranks
from bakeoff.dataclass import dataclass, field
from bakeoff.means.betting import anytime_pvalues, lower_bounds
from bakeoff.nulls.rank_sum import largest_plain_statistic
from bakeoff.nulls.signed_rank import signed_rank_null, signed_rank_tail
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array
from bakeoff.special import chdtri, nctdtrinc, ndtr, ndtri, stdtr, stdtrit

POWER = 0.8
_FAR = 1000.0  # quantiles beyond which a normal deviate is next to nothing
_NORMAL = 1e6  # degrees of freedom from which Student's distribution is the normal one


@dataclass(frozen=True, slots=True)
class Contrasts:
    """(n,) each. NaN in ``error``: there is no error to be had. 0: runs do not show how they vary, so p is 1."""

    estimate: Array
    error: Array
    df: Array
    least: Array | float = field(default=0.0, kw_only=True)  # no p-value is below (``means.coarse``)
    tick: Array | float = field(default=0.0, kw_only=True)  # by which rounded runs may shift the estimate

    def p_above(self, bound: Array | float) -> Array:
        """p-values of "θ is at most ``bound``", one-sided."""
        return self._beyond(bound, 1)

    def p_below(self, bound: Array | float) -> Array:
        """p-values of "θ is at least ``bound``", one-sided."""
        return self._beyond(bound, -1)

    def _beyond(self, bound: Array | float, side: int) -> Array:
        """p-values of "θ is not beyond ``bound``", above it (``side`` 1) or below it (−1)."""
        return _tail(side * (self.estimate - bound) - self.tick, self)

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        """One-sided bounds of level 1 − alpha each; infinite without an error."""
        width = quantile(self.df, alpha) * self.error + self.tick
        bounded = self._reaches(alpha)
        low = np.where(bounded, self.estimate - width, -np.inf)
        return low, np.where(bounded, self.estimate + width, np.inf)

    def detectable(self, bound: Array | float, level: float) -> Array:
        """The θ that is shown to be above ``bound`` at ``level`` with power 0.8, for errors of this size."""
        effect, reached = np.full(len(self.error), np.inf), self._reaches(level)
        bound = np.broadcast_to(bound, reached.shape)[reached]
        effect[reached] = bound + detectable_noncentrality(self.df[reached], level) * self.error[reached]
        return effect + self.tick

    def _reaches(self, level: float) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        return np.asarray((self.error > 0) & (self.least <= level))


@dataclass(frozen=True, slots=True)
class AnytimeContrasts(Contrasts):
    """Pairs in the order in which they were measured, looked at after each (``means.betting``).

    ``differences`` (n, r); ``margin`` (n,) and ``spread``, the standard deviation of a run if known, choose the bets.
    """

    differences: Array
    margin: Array
    spread: float | None

    def _beyond(self, bound: Array | float, side: int) -> Array:
        return anytime_pvalues(side * self.differences, side * bound + self.tick, self.margin, self._sd)

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        low, high = (lower_bounds(side, alpha, self.margin, self._sd) for side in (self.differences, -self.differences))
        return low - self.tick, -high + self.tick

    def detectable(self, bound: Array | float, level: float) -> Array:
        """None: how many rounds there are depends on what they showed."""
        return np.full(len(self.error), np.nan)

    @property
    def _sd(self) -> float | None:
        """The standard deviation of a difference."""
        return None if self.spread is None else math.sqrt(2.0) * self.spread


def _tail(distance: Array, of: Contrasts) -> Array:
    """P(T ≥ distance / error), but at least ``of.least``; 1 (no evidence) without an error, or without spread."""
    p = np.ones(len(distance))
    spread = of.error > 0
    if spread.any():
        with np.errstate(over="ignore"):  # infinitely many of an error next to nothing
            t, df = distance[spread] / of.error[spread], of.df[spread]
        p[spread] = np.where(df >= _NORMAL, ndtr(-t), stdtr(np.minimum(df, _NORMAL), -t))
    return np.maximum(p, of.least)


def quantile(df: Array, alpha: float) -> Array:
    """The upper quantile of Student's distribution."""
    return np.where(df >= _NORMAL, -float(ndtri(alpha)), -stdtrit(np.minimum(df, _NORMAL), alpha))


def detectable_noncentrality(df: Array, level: float) -> Array:
    """δ with P(T'(δ) > t_{1−level}) = 0.8: how many standard errors an effect must lie beyond the bound.

    Beyond a t of 1000, where SciPy's search may take for ever, T' varies with its χ² alone. Below df 1: none, ∞.
    """
    v = np.clip(df, 1.0, 1000.0)
    t = quantile(v, level)
    exact = nctdtrinc(v, 1.0 - POWER, np.minimum(t, _FAR))
    exact = np.where(t > _FAR, t * np.sqrt(chdtri(v, 1.0 - POWER) / v), exact)
    return np.where(df < 1.0, np.inf, np.where(df > 1000.0, -float(ndtri(level)) + float(ndtri(POWER)), exact))


def pairs_needed(sd: Array, distance: Array, level: float, fewest: int = 5) -> Array:
    """The least n with δ(n − 1) · sd / √n ≤ distance: so many pairs show an effect so far beyond its bound, power 0.8.

    At least five: p-values of fewer are those of signs (``means.coarse``). Infinite where there is no distance.
    """

    def enough(n: Array) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        return np.asarray(detectable_noncentrality(n - 1.0, level) * ratio <= np.sqrt(n))

    with np.errstate(divide="ignore", over="ignore"):
        ratio = np.where(distance > 0, sd / distance, np.inf)
    possible = np.isfinite(ratio)
    ratio = np.where(possible, ratio, 0.0)
    low = np.full(len(ratio), fewest - 1.0)  # not enough, or not allowed
    high = np.maximum(fewest, np.ceil((detectable_noncentrality(low, level) * ratio) ** 2))  # δ falls with n
    while (high - low > 1.0).any():
        middle = np.floor((low + high) / 2.0)
        within = enough(np.maximum(middle, fewest))
        high, low = np.where(within, np.maximum(middle, fewest), high), np.where(within, low, middle)
    return np.where(possible, high, np.inf)


def row_moments(runs: Array, slack: Array | float = 0.0) -> tuple[Array, Array, Array]:
    """Mean, sum of squared deviations and number of the runs of each row; deviations from the mean, not raw squares.

    Runs that differ by no more than ``slack`` are equal.
    """
    there = ~np.isnan(runs)
    count = there.sum(axis=1).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(there, runs, 0.0).sum(axis=1) / count
    off = np.where(there, runs - mean[:, None], 0.0)
    mean = mean + off.sum(axis=1) / np.maximum(count, 1.0)  # the rounding error of the first mean
    squares = (np.where(there, runs - mean[:, None], 0.0) ** 2).sum(axis=1)
    most, least = np.where(there, runs, -np.inf).max(axis=1), np.where(there, runs, np.inf).min(axis=1)
    alike = (count > 0) & (most <= least + slack)
    return mean, np.where(alike, 0.0, squares), count


def rounding(old: Array, new: Array, size: float) -> Array:
    """(n,) what the last bits of costs make of their differences; ``size`` 1 for logarithms, as that of a score is."""
    sizes = [np.where(np.isnan(side), 0.0, np.abs(side)).max(axis=1, initial=0.0) for side in (old, new)]
    return np.asarray(tie_tolerance(np.maximum(np.maximum(*sizes), size)))


def welch(old: Array, new: Array, size: float = 0.0) -> Contrasts:
    """Independent runs: Welch's t with Satterthwaite's degrees of freedom."""
    slack = rounding(old, new, size)
    (m0, s0, n0), (m1, s1, n1) = row_moments(old, slack), row_moments(new, slack)
    with np.errstate(invalid="ignore", divide="ignore"):
        v0, v1 = s0 / (n0 - 1) / n0, s1 / (n1 - 1) / n1
        df = (v0 + v1) ** 2 / (v0**2 / (n0 - 1) + v1**2 / (n1 - 1))
    few = (n0 < 2) | (n1 < 2)
    error = np.where(few, np.nan, np.sqrt(np.where(few, 0.0, v0 + v1)))
    return Contrasts(m1 - m0, error, np.where(error > 0, df, 1.0))


def paired(old: Array, new: Array, size: float = 0.0) -> Contrasts:
    """Runs that belong together, column by column: the paired t."""
    mean, squares, n = row_moments(new - old, rounding(old, new, size))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.where(n < 2, np.nan, np.sqrt(squares / (n - 1) / n))
    return Contrasts(mean, error, np.maximum(n - 1, 1.0))


def known_spread(old: Array, new: Array, sd: float) -> Contrasts:
    """The standard deviation between runs is given: the normal distribution."""
    (m0, _, n0), (m1, _, n1) = row_moments(old), row_moments(new)
    with np.errstate(divide="ignore"):
        error = sd * np.sqrt(1.0 / n0 + 1.0 / n1)
    return Contrasts(m1 - m0, np.where((n0 > 0) & (n1 > 0), error, np.nan), np.full(len(m0), np.inf))


_DIGITS = 12  # significant digits on which ties are decided: a logarithm moved by a bound has noise in the last ones


@dataclass(frozen=True, slots=True)
class RankContrasts(Contrasts):
    """``old`` and ``new`` (n, r), runs in columns; ``paired``: column by column."""

    old: Array
    new: Array
    paired: bool

    def _beyond(self, bound: Array | float, side: int) -> Array:
        rows = [(old, new, side * at + tick) for old, new, tick, at in self._rows(bound)]
        if side < 0:
            rows = [(new, old, at) for old, new, at in rows]
        return np.array([self._greater(*row) for row in rows])

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        intervals = [(*self._bounds(old, new, alpha), tick) for old, new, tick, _ in self._rows(0.0)]
        low, high, ticks = np.array(intervals).reshape(-1, 3).T
        return low - ticks, high + ticks

    def _rows(self, bound: Array | float) -> list[tuple[Array, Array, float, float]]:
        ticks, bounds = (np.broadcast_to(x, self.estimate.shape).tolist() for x in (self.tick, bound))
        rows = zip(self.old, self.new, ticks, bounds, strict=True)
        return [(old[~np.isnan(old)], new[~np.isnan(new)], tick, at) for old, new, tick, at in rows]

    def _greater(self, old: Array, new: Array, bound: float) -> float:
        if self.paired:  # if signs are fair; a difference of zero counts as one below
            d = _rounded(new - old - bound)
            signed, _ = doubled_midranks(np.abs(d))
            return signed_rank_tail(signed, int(signed[d <= 0].sum()))[0]
        ranks, ties = doubled_midranks(_rounded(np.concatenate([new - bound, old])))
        return tested_ranks(ranks, len(new), ties, "greater", "auto").pvalue

    def _bounds(self, old: Array, new: Array, alpha: float) -> tuple[float, float]:
        values = np.sort(_contrasts(old, new, self.paired))
        if self.paired:
            cut = signed_rank_null(2 * np.arange(1, len(old) + 1)).largest_sum(alpha) // 2
        else:
            cut = largest_plain_statistic(len(new), len(old), alpha)
        return (-np.inf, np.inf) if cut < 0 else (float(values[cut]), float(values[-1 - cut]))


def rank_contrasts(of: Contrasts, old: Array, new: Array, paired: bool) -> RankContrasts:
    """With the Hodges–Lehmann estimate in place of the mean; the error stays, for what could be detected."""
    estimates, least = [], []
    for row_old, row_new in zip(old, new, strict=True):
        a, b = row_old[~np.isnan(row_old)], row_new[~np.isnan(row_new)]
        estimates.append(float(np.median(_contrasts(a, b, paired))))
        least.append(0.5 ** len(a) if paired else 1 / math.comb(len(a) + len(b), len(b)))
    return RankContrasts(np.array(estimates), of.error, of.df, old, new, paired, least=np.array(least))


def _contrasts(old: Array, new: Array, paired: bool) -> Array:
    """The Walsh averages of the differences, or the differences of all pairs."""
    if not paired:
        return np.subtract.outer(new, old).ravel()
    first, second = np.triu_indices(len(old))
    return np.asarray((new - old)[first] + (new - old)[second]) / 2.0


def _rounded(values: Array) -> Array:
    top = float(np.max(np.abs(values), initial=0.0))
    if top == 0.0 or not np.isfinite(top):
        return values
    return np.round(values, _DIGITS - 1 - int(np.floor(np.log10(top)))) + 0.0
