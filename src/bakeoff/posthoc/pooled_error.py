"""The error of means in an analysis of variance with repeated measures, shared by Tukey's and Dunnett's tests."""

import math
from dataclasses import dataclass

import numpy as np

from bakeoff.errors import Caution, ParameterError
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array, Scores

_ROBUST = "Demšar (2006), section 3.2.1"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class PooledResult:
    """What tests of means with a pooled error return; arrays have one entry per comparison."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    means: Array  # (k,)
    mean_square_error: float
    standard_error: float  # of one mean: √(MSE/n)
    df: int


def repeated_measures(scores: Scores, method: str) -> Fit:
    """Means, and the mean square of what problem and algorithm effects leave; sums are rounded once, in any order.

    Residuals within 16 units in the last place of the largest score are rounding: then MSE is 0.
    """
    scores.require_finite(method)
    values = scores.values
    n, k = values.shape
    size = float(np.abs(values).max())
    if size > 1e300 / (n * k):
        raise ParameterError(f"{method}: scores are too large to add up (beyond 1e300); rescale the table")
    columns = np.array([math.fsum(column) / n for column in values.T.tolist()])
    rows = np.array([math.fsum(row) / k for row in values.tolist()])
    grand = math.fsum(values.ravel().tolist()) / (n * k)
    residuals = (values - rows[:, None]) - (columns - grand)[None, :]
    df = (n - 1) * (k - 1)
    largest = float(np.abs(residuals).max())
    if df == 0 or largest <= float(tie_tolerance(np.array([scores.scales.max()]))[0]):
        return Fit(means=columns, mean_square_error=0.0, standard_error=0.0, df=df)
    # scaled, so that squares of tiny numbers do not vanish
    scaled = math.fsum(((residuals / largest) ** 2).ravel().tolist()) / df
    return Fit(
        means=columns,
        mean_square_error=largest * (largest * scaled),
        standard_error=largest * math.sqrt(scaled / n),
        df=df,
    )


def differences(scores: Scores, fit: Fit) -> Array:
    """(k, k) differences of means, positive where the row is better, 0 within rounding of the scores."""
    sign = 1.0 if scores.better == "lower" else -1.0
    apart = sign * (fit.means[None, :] - fit.means[:, None])
    largest = scores.scales.max(axis=0)
    slack = tie_tolerance(np.maximum(largest[:, None], largest[None, :]))
    return np.where(np.abs(apart) <= slack, 0.0, apart)


def in_units(estimates: Array, se: float, df: int) -> Array:
    """estimate / se; infinite where only rounding is left to compare with, 0 where nothing can be estimated."""
    if df == 0:
        return np.zeros(estimates.shape)
    if se > 0.0:
        with np.errstate(over="ignore"):
            return estimates / se
    return np.where(estimates == 0.0, 0.0, np.copysign(np.inf, estimates))


def pooled_cautions(fit: Fit, statistic: Array) -> tuple[Caution, ...]:
    if fit.df == 0:
        text = "One problem leaves no degrees of freedom: nothing can be tested, p is set to 1."
        return (Caution(code="one-problem", text=text, reference=_ROBUST),)
    if np.isinf(statistic).any():
        text = "The scores are exactly additive: no error is left to compare with, and p = 0 is a limit, not a finding."
        return (Caution(code="no-error", text=text, reference=_ROBUST),)
    return ()
