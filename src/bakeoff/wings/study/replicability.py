"""Power and replicability from the outcomes of many draws: Demšar (2006), section 4.1.2; Bouckaert (2004)."""

import math
from dataclasses import dataclass

import numpy as np

from bakeoff.checks import integer
from bakeoff.errors import ParameterError
from bakeoff.scores import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarloEstimate:
    """A number and its Monte Carlo standard error."""

    value: float
    error: float


def replicability(rejections: int, draws: int) -> float:
    """R(e) = (p(p − 1) + q(q − 1)) / (n(n − 1)): the share of pairs of draws with the same outcome.

    q of n draws reject, p do not. Bouckaert (2004); Demšar (2006), section 4.1.2.
    """
    n = integer("draws", draws, 2)
    q = integer("rejections", rejections, 0, n)
    p = n - q
    return (p * (p - 1) + q * (q - 1)) / (n * (n - 1))


def mean_of(values: Array) -> MonteCarloEstimate:
    """The mean over draws."""
    return MonteCarloEstimate(
        value=math.fsum(values.tolist()) / len(values), error=math.sqrt(_variance(values) / len(values))
    )


def agreement_of(values: Array) -> MonteCarloEstimate:
    """1 − 2·var, the variance with n − 1: R(e) of outcomes 0 and 1, R(p) of p-values.

    Its standard error is twice that of a sample variance, √((m₄ − (n − 3)/(n − 1)·s⁴)/n).
    """
    n = len(values)
    variance = _variance(values)
    fourth = float(np.mean((values - values.mean()) ** 4))
    return MonteCarloEstimate(
        value=1.0 - 2.0 * variance, error=2.0 * math.sqrt(max(0.0, fourth - (n - 3) / (n - 1) * variance**2) / n)
    )


def _variance(values: Array) -> float:
    if len(values) < 2:
        raise ParameterError("must be at least 2: one draw has no variance", parameter="draws")
    return float(np.var(values, ddof=1))
