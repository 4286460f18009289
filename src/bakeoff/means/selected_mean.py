"""The mean of the winner, given that it won (Andrews, Kitagawa & McCloskey 2024, Quarterly J. Economics 139, 305–358).

Y has mean μ and covariance Σ, and Y₁ is its largest. Given Z_j = Y_j − (σ₁ⱼ/σ₁₁)·Y₁, which are independent of it, Y₁
won exactly if it lies between two bounds, so that its law is a truncated one with the unknown mean μ₁.
"""

from __future__ import annotations

import math

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.nulls.numerics import root_between
from bakeoff.scores import Array
from bakeoff.special import ndtr, ndtri, stdtr, stdtrit

CONDITIONAL = 5  # problems or clusters. With fewer the tails of t are so long that a cut law is no longer monotone
_NO_ROOM = 1e-12  # of σ₁₁: σ₁₁ − σ₁ⱼ is 0 but for rounding, and j sets no bound


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedMean:
    """A largest mean, where it could have been for it to win, and the distribution of its error: t(df), or normal."""

    value: float
    error: float
    low: float  # the winner's value given the Z_j lies in [low, high]
    high: float
    df: float = math.inf

    def _tail(self, x: float) -> float:
        """P(T ≤ x)."""
        return float(ndtr(x)) if math.isinf(self.df) else float(stdtr(self.df, x))

    def share(self, mean: float, reach: float = math.inf) -> float:
        """P(Y₁ ≤ value) of the truncated law with this mean, cut at mean ± ``reach`` too.

        It falls with the mean if the law is normal, and of t near the value; further off than some √df errors it may
        rise again, which matters with fewer than ``CONDITIONAL`` units.
        """
        low, high = max(self.low, mean - reach), min(self.high, mean + reach)
        if low >= high:
            return 1.0 if self.value >= mean else 0.0
        a, x, b = ((end - mean) / self.error for end in (low, self.value, high))
        if a > 0:  # differences of upper tails keep their digits
            a, x, b = -a, -x, -b
        whole = self._tail(b) - self._tail(a)
        if whole == 0:
            return 1.0 if self.value >= mean else 0.0
        return min(1.0, max(0.0, (self._tail(x) - self._tail(a)) / whole))

    def mean_at(self, share: float, reach: float, cut: bool = False) -> float:
        """The mean at which :meth:`share` is this, within value ± reach; ``cut``: with the law cut there too."""
        inner = reach if cut else math.inf

        def surplus(mean: float) -> float:
            return share - self.share(mean, inner)

        return root_between(surplus, self.value - reach, self.value + reach, 1e-13 * max(abs(self.value), reach))

    def quantile(self, level: float) -> float:
        """The quantile of the distribution that is not truncated."""
        return float(ndtri(level)) if math.isinf(self.df) else float(stdtrit(self.df, level))


def selected_mean(values: Array, covariance: Array, winner: int, df: float = math.inf) -> SelectedMean:
    """``values`` (k,), the largest of which is that of ``winner``; ``covariance`` (k,) of each with the winner's.

    Y₁ ≥ Y_j is Y₁·(σ₁₁ − σ₁ⱼ)/σ₁₁ ≥ Z_j: a lower bound σ₁₁·Z_j/(σ₁₁ − σ₁ⱼ) where σ₁₁ > σ₁ⱼ, an upper one where it is
    smaller. It is Y₁ − (Y₁ − Y_j)·σ₁₁/(σ₁₁ − σ₁ⱼ), which loses no digits.
    """
    own, value = float(covariance[winner]), float(values[winner])
    room = own - covariance
    gap = value - values
    others = np.arange(len(values)) != winner
    below, above = (others & (sign * room > _NO_ROOM * own) for sign in (1, -1))
    return SelectedMean(
        value=value,
        error=math.sqrt(own),
        low=float(np.max(value - gap[below] * own / room[below], initial=-math.inf)),
        high=float(np.min(value - gap[above] * own / room[above], initial=math.inf)),
        df=df,
    )


def simultaneous_reach(selected: SelectedMean, k: int, beta: float) -> float:
    """c·SE with P(|T_j| ≤ c for all k) ≥ 1 − ``beta`` for any covariance (Šidák 1967), exact for independent ones."""
    return selected.quantile((1.0 + (1.0 - beta) ** (1.0 / k)) / 2.0) * selected.error


def hybrid_interval(selected: SelectedMean, k: int, alpha: float) -> tuple[float, float]:
    """Conditional within a simultaneous interval of error β = α/10, at (α − β)/(1 − β): never infinitely long."""
    beta = alpha / 10.0
    reach, level = simultaneous_reach(selected, k, beta), (alpha - beta) / (1.0 - beta)
    return selected.mean_at(1.0 - level / 2.0, reach, cut=True), selected.mean_at(level / 2.0, reach, cut=True)


def median_unbiased(selected: SelectedMean, k: int, alpha: float) -> float:
    """The mean of which the value is the median, given that it won; at least value − reach of the simultaneous one."""
    return selected.mean_at(0.5, simultaneous_reach(selected, k, alpha / 10.0))


def of_all_at_once(selected: SelectedMean, k: int, alpha: float) -> tuple[float, float, float]:
    """Estimate and interval of any of k means, whichever is chosen: for a tie, where the conditional distribution has
    no width.

    The interval is simultaneous (Šidák). The estimate is the value less the median of the largest of k independent
    errors: it is above the truth at most half of the time if correlations are not negative (Slepian 1962).
    """
    reach = simultaneous_reach(selected, k, alpha)
    middle = selected.value - selected.quantile(0.5 ** (1.0 / k)) * selected.error
    return middle, selected.value - reach, selected.value + reach
