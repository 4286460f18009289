"""Rows in time: a series as the few independent averages that its mean may be judged by.

Differences of neighbouring days resemble each other, so that n days show less than n independent rows. Lazarus, Lewis,
Stock and Watson (2018, J. Bus. Econ. Stat. 36, 541–559) judge the mean of a series x_1, …, x_n by cosines:

    Λ_j = √(2/n)·Σ_t x_t·cos(πj(t − ½)/n),  j = 1 … B;   ω² = Σ_j Λ_j²/B;   t = √n·x̄/ω with B degrees of freedom.

Slow cosines see the long-run variance, which neighbours add up to, and are nearly independent of each other and of the
mean. Together with √n·x̄ they are B + 1 numbers. Turned by the cosines of B + 1 rows they become as many *averages* of
the series: what is left of it without its faster waves, at B + 1 places. Their mean is x̄, their ordinary t-test is the
test above, and under the null hypothesis they are independent in the limit. So whatever judges independent rows by
t, by signs of whole rows, or by an analysis of variance, judges a series by its averages.

B = 0.41·n^⅔. Where neighbours resemble each other, quick cosines have less variance than slow ones, and their mean
square is too small. So each Λ_j² is divided by what an AR(1) series has there, as a share of what it has at 0:

    g_j = (1 − ρ)²/(1 − 2ρ·cos(πj/n) + ρ²),

with the lag-1 autocorrelation ρ of the differences (prewhitening: Andrews and Monahan 1992, Econometrica 60, 953–966).
"""

from __future__ import annotations

import math

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError, ScoreError, counted
from bakeoff.means.deviations import means_and_deviations
from bakeoff.scores import Array, Scores

FEWEST_ROWS = 11
"""Below them, 0.41·n^⅔ is less than two cosines, and nothing decides by fewer than three averages."""
RESTORED, NEAR_ONE, ALL = 1.0 / 3.0, 0.85, 0.95
"""An estimated ρ has the bias −(1 + 4ρ)/n (Marriott and Pope 1954). A third of it is added back, and more from NEAR_ONE
on, up to all of it. Simulated AR(1) series of 52 rows with ρ = 0.8 then reject in 8.1 % at 5 %, with 0.81 of the power
of a test that knows ρ; if all of the bias is always added, in 7.2 %, with 0.72."""
HIGH = 0.6
"""Estimated autocorrelation above which the test is cautioned with the error to expect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialMean:
    """How a series in time was judged.

    Attributes
    ----------
    averages : Scores
        (B + 1, k) independent averages of the series.
    autocorrelation : float
        Lag-1, the largest of the differences of any two algorithms; at least 0.
    n : int
        Rows of the series.
    """

    averages: Scores
    autocorrelation: float
    n: int

    @property
    def words(self) -> str:
        """What judged the series, with the works to cite, for a paragraph on methods."""
        m = self.averages.n_problems
        words = f"{m} independent averages of the series, the mean and its first {m - 1} cosines [@lazarus2018]"
        if self.autocorrelation == 0.0:
            return words
        return f"{words}, prewhitened by their lag-1 autocorrelation of {self.autocorrelation:.2f} [@andrews1992]"

    @property
    def is_doubtful(self) -> bool:
        """Is the autocorrelation so high that the test errs more often than stated?"""
        return self.autocorrelation > HIGH

    def error(self, alpha: float) -> float:
        """About how often the test errs at ``alpha``: α·(1 + 3/(2n(1 − ρ)² + 1)), ρ without its bias.

        Fitted to simulated AR(1) series with 20 to 1000 rows and ρ of 0.6 to 0.9 at α = 0.05
        (docs/trust/folds-and-series.md).
        """
        rho = _without_bias(self.autocorrelation, self.n)
        return min(1.0, alpha * (1.0 + 3.0 / (2.0 * self.n * (1.0 - rho) ** 2 + 1.0)))


def serial_mean(scores: Scores) -> SerialMean:
    """The independent averages of a table whose rows are in time: by ``scores.order``, else as they stand."""
    n = scores.n_problems
    if n < FEWEST_ROWS:
        rule = f"has {counted(n, 'row')}, and a series in time needs {FEWEST_ROWS} or more to show how its mean varies"
        raise ScoreError(rule, parameter="scores")
    scores.require_finite("A mean over a series in time")
    values = scores.values if scores.order is None else scores.values[np.argsort(scores.order, kind="stable")]
    rho = lag_one(values)
    b = n_cosines(n)
    names = [f"average {i}" for i in range(1, b + 2)]
    about = {"metric": scores.metric, "unit": scores.unit}
    averages = Scores(averages_of_series(values, b, rho), scores.algorithms, names, better=scores.better, **about)  # type: ignore[arg-type]
    return SerialMean(averages=averages, autocorrelation=rho, n=n)


def refuse_groups_of_series(scores: Scores) -> None:
    """Rows that are clusters, of several tasks, or contributions to a metric of all items are no single series."""
    if scores.design.has_clusters:
        rule = "and cluster= are two ways to judge the same rows: clusters are independent, a series is not; give one"
        raise ParameterError(rule, parameter="serial")
    if scores.design.task_names:
        rule = "is for one series of rows, and these come in several tasks: keep those of one in a file of its own"
        raise ParameterError(rule, parameter="serial")
    if scores.predicted is not None and not scores.predicted.is_mean:
        rule = f"is for scores of rows, and the {scores.predicted.label} is one of all items: take a mean over items"
        raise ParameterError(f"{rule}, such as accuracy, brier, abs-error or squared-error", parameter="serial")


def serial_cautions(scores: Scores, alpha: float) -> list[Caution]:
    """Caution of a series whose neighbours resemble each other so much that its test errs more often than stated."""
    if not scores.serial:
        return []
    mean = serial_mean(scores)
    if not mean.is_doubtful:
        return []
    error = mean.error(alpha)
    return [caution_of("dependence", "series", rho=mean.autocorrelation, n=mean.n, error=error, alpha=alpha)]


def n_cosines(n: int) -> int:
    """B: 0.41·n^⅔, at least 2."""
    return max(2, round(0.41 * math.pow(n, 2.0 / 3.0)))


def spectrum(autocorrelation: float, n: int, b: int) -> Array:
    """(b,) g_j: what an AR(1) series of n rows has at its cosines, as a share of what it has at 0."""
    near = (_without_bias(autocorrelation, n) - NEAR_ONE) / (ALL - NEAR_ONE)
    share = RESTORED + (1.0 - RESTORED) * min(1.0, max(0.0, near))
    rho = _without_bias(autocorrelation, n, share) if autocorrelation > 0.0 else 0.0
    waves = np.cos(np.pi * np.arange(1, b + 1) / n)
    return np.asarray((1.0 - rho) ** 2 / (1.0 - 2.0 * rho * waves + rho**2))


def _without_bias(autocorrelation: float, n: int, share: float = 1.0) -> float:
    """An estimate from n rows less ``share`` of its bias −(1 + 4ρ)/n."""
    return min(0.995, autocorrelation + share * (1.0 + 4.0 * autocorrelation) / n)


def lag_one(values: Array) -> float:
    """The largest lag-1 autocorrelation of the differences of two columns of ``values`` (n, k), a row per time; at
    least 0.

    Products of neighbours and squares of a − b follow from those of the columns: C_aa + C_bb − C_ab − C_ba.
    """
    size = float(np.abs(values).max()) or 1.0
    away = values / size
    away = away - away.mean(axis=0)
    away = away - away.mean(axis=1, keepdims=True)  # of all algorithms, which no difference has
    products, squares = away[1:].T @ away[:-1], away.T @ away
    of_pairs = [np.add.outer(np.diag(x), np.diag(x)) - x - x.T for x in (products, squares)]
    varies = of_pairs[1] > 1e-20 * len(values)
    return max(0.0, float((of_pairs[0][varies] / of_pairs[1][varies]).max(initial=0.0)))


def averages_of_series(values: Array, b: int, autocorrelation: float = 0.0) -> Array:
    """(b + 1, k): the mean and b cosines of each column of ``values`` (n, k), as the values of as many places.

    The square of each cosine is divided by the ``spectrum`` of an AR(1) series with ``autocorrelation``.
    """
    n, m = len(values), b + 1
    means, away = means_and_deviations(values)
    waves = math.sqrt(2.0 / n) * _cosines(n, b) @ away
    waves /= np.sqrt(spectrum(autocorrelation, n, b))[:, None]
    return np.asarray(means + math.sqrt(m / n) * math.sqrt(2.0 / m) * _cosines(m, b).T @ waves)


def _cosines(n: int, b: int) -> Array:
    """(b, n) cos(πj(t − ½)/n)."""
    return np.asarray(np.cos(np.pi / n * np.outer(np.arange(1, b + 1), np.arange(n) + 0.5)))
