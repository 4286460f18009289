"""The error of means in an analysis of variance with repeated measures, shared by Tukey's and Dunnett's tests."""

import math
from typing import Any, TypeVar

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError
from bakeoff.omnibus.additive_fit import ROUNDINGS, additive_fit
from bakeoff.ranks import TIE_ULPS, tie_tolerance
from bakeoff.scores import Array, Scores, read_only
from bakeoff.scores.cells import exact_mean
from bakeoff.scores.clusters import of_units, row_unit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class PooledResult:
    """Result of a test of means with a pooled error; arrays have one entry per comparison."""

    algorithms: tuple[str, ...]  # compared, in column order; with a control, the others
    statistic: Array
    pvalue: Array  # adjusted for all comparisons
    log_pvalue: Array
    estimates: Array  # difference of means in score units
    low: Array  # simultaneous intervals of the estimates; one-sided alternative, one infinite end
    high: Array
    confidence_level: float
    means: Array  # (k,) in score units, of all algorithms
    mean_square_error: float
    df: int  # (n − 1)(k − 1)
    method: str  # "tukey" or "dunnett"
    n_problems: int
    n_algorithms: int
    n_dropped: int  # problems left out when the scores were read
    cautions: tuple[Caution, ...]


Result = TypeVar("Result", bound=PooledResult)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    means: Array  # (k,)
    effects: Array  # (k,) means less the mean of all, without what a problem's level would round away
    mean_square_error: float
    standard_error: float  # of one mean: √(MSE/n)
    df: int
    n: int  # problems, or clusters

    @property
    def decides(self) -> bool:
        """Is there an error to compare with? One problem has none, and exactly additive scores show none."""
        return self.df > 0 and self.standard_error > 0.0


def repeated_measures(scores: Scores, method: str) -> Fit:
    """Means, and the mean square of what problem and algorithm effects leave: the fit of the analysis of variance."""
    scores.require_finite(method)
    n, k = scores.values.shape
    if float(np.abs(scores.values).max()) > 1e300 / (n * k):
        raise ParameterError(f"{method}: scores are too large to add up (beyond 1e300); rescale the table")
    parts = additive_fit(scores, method)
    df = (n - 1) * (k - 1)
    squares = math.fsum((parts.residuals**2).ravel().tolist()) / df if df else 0.0
    return Fit(
        means=np.array([exact_mean(column) for column in scores.values.T.tolist()]),
        effects=parts.effects * parts.unit,
        mean_square_error=parts.unit * (parts.unit * squares),
        standard_error=parts.unit * math.sqrt(squares / n),
        df=df,
        n=n,
    )


def differences(scores: Scores, fit: Fit) -> Array:
    """(k, k) differences of means, positive where the row is better, 0 where rounding of the scores explains them."""
    sign = 1.0 if scores.better == "lower" else -1.0
    apart = sign * (fit.effects[None, :] - fit.effects[:, None])
    # each row's larger tolerance of the two columns, one pair of columns at a time: n k² would not fit in memory
    for a in range(scores.n_algorithms):
        tolerance = tie_tolerance(np.maximum(scores.scales, scores.scales[:, a : a + 1]))
        slack = np.maximum(tolerance.min(axis=0), tolerance.mean(axis=0) * (ROUNDINGS / TIE_ULPS))
        apart[a, np.abs(apart[a]) <= slack] = 0.0
    return apart


def in_units(estimates: Array, se: float, df: int) -> Array:
    """estimate / se; infinite where only rounding is left to compare with, 0 where nothing can be estimated."""
    if df == 0:
        return np.zeros(estimates.shape)
    if se > 0.0:
        with np.errstate(over="ignore"):
            return estimates / se
    return np.where(estimates == 0.0, 0.0, np.copysign(np.inf, estimates))


def pooled_result(
    kind: type[Result], original: Scores, fit: Fit, tests: tuple[Array, Array], ends: tuple[Array, Array], **own: Any
) -> Result:
    """The result of ``tests``, statistics and logarithms of p, on the problems or clusters of the fit."""
    statistic, log_pvalue = tests
    cautions: tuple[Caution, ...] = ()
    if fit.df == 0:
        cautions = (caution_of("one-problem", "contrasts"),)
    elif np.isinf(statistic).any():
        cautions = (caution_of("no-variation", "errors"),)
    return kind(
        statistic=read_only(statistic),
        pvalue=read_only(np.exp(log_pvalue)),
        log_pvalue=read_only(log_pvalue),
        low=read_only(ends[0]),
        high=read_only(ends[1]),
        means=read_only(fit.means),
        mean_square_error=fit.mean_square_error,
        df=fit.df,
        n_problems=fit.n,
        n_algorithms=len(fit.means),
        n_dropped=len(original.dropped),
        cautions=of_units(cautions, row_unit(original)),
        **own,
    )
