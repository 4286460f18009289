"""Tail probabilities of the usual laws, each with a logarithm that does not underflow.

Every function takes a scalar or an array and returns ``(p, log_p)``: two floats for scalars, two arrays of the
broadcast shape otherwise. Scalars need no SciPy (:mod:`bakeoff.special`). Of arrays ``p`` is SciPy's special function;
where it leaves the range of a float, ``log_p`` comes from a continued fraction whose prefactor is never exponentiated
(DLMF 8.9.2 and 8.17.22).
"""

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

from bakeoff import special

Array = npt.NDArray[np.float64]
Tail = tuple[Any, Any]  # two floats or two arrays, as the input

_TINY = 1e-290  # below, p loses bits to denormals and then all of them
_LOG_TWO = math.log(2.0)
_EXACT_TRIALS = 2000


def normal_sf(z: npt.ArrayLike) -> Tail:
    """P(Z ≥ z) of the standard normal distribution."""
    x = np.asarray(z, dtype=np.float64)
    return _same_shape(special.ndtr(-x), special.log_ndtr(-x))


def normal_two_sided(z: npt.ArrayLike) -> Tail:
    """P(|Z| ≥ |z|) of the standard normal distribution."""
    x = np.abs(np.asarray(z, dtype=np.float64))
    near = np.log1p(-special.erf(np.minimum(x, 1.0) / math.sqrt(2.0)))
    log_p = np.where(x < 1.0, near, _LOG_TWO + special.log_ndtr(-np.maximum(x, 1.0)))
    return _same_shape(2.0 * special.ndtr(-x), log_p)


def t_two_sided(t: npt.ArrayLike, df: npt.ArrayLike) -> Tail:
    """P(|T| ≥ |t|) of Student's distribution with ``df`` degrees of freedom."""
    if single := _numbers(t, df):
        number, freedom = single
        return special.beta_tail(number * number, freedom, freedom / 2.0, 0.5)
    x, v = _broadcast(t, df)
    with np.errstate(divide="ignore"):
        log_odds = 2.0 * np.log(np.abs(x)) - np.log(v)  # t²/df may overflow, its logarithm does not
    return _same_shape(*_beta_tail(log_odds, _odds(x / v, x), v / 2.0, np.full_like(v, 0.5)))


def t_sf(t: npt.ArrayLike, df: npt.ArrayLike) -> Tail:
    """P(T ≥ t) of Student's distribution with ``df`` degrees of freedom."""
    x, v = _broadcast(t, df)
    two, log_two = (np.asarray(part) for part in t_two_sided(x, v))
    p = np.where(x > 0, two / 2.0, 1.0 - two / 2.0)
    log_p = np.where(x > 0, log_two - _LOG_TWO, np.log1p(-two / 2.0))
    return _same_shape(p, log_p)


def expanded_tail(alpha: float, n: float) -> float:
    """2Φ(−√(n/(n − 1))·t) with t of n − 1 degrees of freedom: the share that bootstrap percentiles leave out.

    Those of n units are as narrow as a z interval with the biased variance; these are as wide as t's (Hesterberg 2015).
    Of clusters of unequal size n is their effective number.
    """
    if n <= 1:
        return 0.0
    t = -float(special.stdtrit(n - 1, alpha / 2))
    return 2 * float(special.ndtr(-math.sqrt(n / (n - 1)) * t))


def f_sf(x: npt.ArrayLike, d1: npt.ArrayLike, d2: npt.ArrayLike) -> Tail:
    """P(F ≥ x) of Fisher's law with ``d1`` and ``d2`` degrees of freedom; 1 for x ≤ 0."""
    if single := _numbers(x, d1, d2):
        number, above, below = single
        return special.beta_tail(number * above, below, below / 2.0, above / 2.0)
    f, v1, v2 = _broadcast(x, d1, d2)
    f = np.maximum(f, 0.0)
    with np.errstate(divide="ignore"):
        log_odds = np.log(f) + np.log(v1) - np.log(v2)
    return _same_shape(*_beta_tail(log_odds, _odds(v1 / v2, f), v2 / 2.0, v1 / 2.0))


def chi2_sf(x: npt.ArrayLike, df: npt.ArrayLike) -> Tail:
    """P(X ≥ x) of the chi-squared law with ``df`` degrees of freedom; 1 for x ≤ 0."""
    if single := _numbers(x, df):
        return special.gamma_tail(single[1] / 2.0, single[0] / 2.0)
    y, v = _broadcast(x, df)
    half, a = np.maximum(y, 0.0) / 2.0, v / 2.0
    p = special.gammaincc(a, half)
    log_p = _log_from_both(p, special.gammainc(a, half))
    return _same_shape(p, _beyond(p, log_p, _log_gammaincc, a, half))


def binomial_sf(k: int, n: int) -> tuple[float, float]:
    """P(Bin(n, 1/2) ≥ k): exact, by whole numbers up to n = 2000, by the incomplete beta function beyond."""
    if k <= 0:
        return 1.0, 0.0
    if k > n:
        return 0.0, -math.inf
    if n > _EXACT_TRIALS:
        p, log_p = _beta_tail(*_broadcast(0.0, 1.0, k, n - k + 1))
        return float(p), float(log_p)
    # the shorter tail is summed, so that P near 1 keeps the digits of its logarithm too
    upper = 2 * k > n
    tail = _binomial_sum(n, k, n) if upper else _binomial_sum(n, 0, k - 1)
    if upper:
        return tail / 2**n, math.log(tail) - n * _LOG_TWO
    return (2**n - tail) / 2**n, math.log1p(-(tail / 2**n))


def _binomial_sum(n: int, low: int, high: int) -> int:
    """Σ C(n, i) over low ≤ i ≤ high."""
    term = math.comb(n, low)
    total = term
    for i in range(low, high):
        term = term * (n - i) // (i + 1)
        total += term
    return total


def _beta_tail(log_odds: Array, odds: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """I_z(a, b) and its logarithm at z = 1/(1 + odds): small for large odds."""
    with np.errstate(over="ignore"):
        z, w = 1.0 / (1.0 + odds), 1.0 / (1.0 + 1.0 / np.maximum(odds, np.finfo(float).tiny))
    w = np.where(odds > 0, w, 0.0)
    # of z and 1 − z only the smaller one is known to full relative precision
    small_w = w < 0.5
    p = np.where(small_w, special.betaincc(b, a, w), special.betainc(a, b, z))
    cdf = np.where(small_w, special.betainc(b, a, w), special.betaincc(a, b, z))
    return p, _beyond(p, _log_from_both(p, cdf), _log_betainc, a, b, log_odds)


def _log_from_both(p: Array, cdf: Array) -> Array:
    """log p from whichever of p and 1 − p is small."""
    return np.where(p > 0.5, np.log1p(-np.minimum(cdf, 0.5)), np.log(np.maximum(p, _TINY)))


def _beyond(p: Array, log_p: Array, series: Callable[..., Array], *arguments: Array) -> Array:
    """``log_p`` with the entries of tiny p replaced by the continued fraction."""
    far = p < _TINY
    if not np.any(far):
        return log_p
    chosen = [np.broadcast_to(x, far.shape)[far] for x in arguments]
    return _put(log_p, far, series(*chosen))


def _put(array: Array, where: npt.NDArray[np.bool_], values: Array) -> Array:
    result = np.array(array, dtype=np.float64)
    result[where] = values
    return result


def _log_gammaincc(a: Array, x: Array) -> Array:
    """log Q(a, x) for x > a + 1: −x + a·log x − log Γ(a) − log of a continued fraction (DLMF 8.9.2)."""
    infinite = np.isinf(x)
    y = np.where(infinite, 2.0 * a + 2.0, x)

    def term(i: int) -> tuple[Array, Array]:
        return i * (a - i), y + 2.0 * i + 1.0 - a

    fraction = _lentz(y + 1.0 - a, term)
    return np.where(infinite, -np.inf, a * np.log(y) - y - special.gammaln(a) - np.log(fraction))


def _log_betainc(a: Array, b: Array, log_odds: Array) -> Array:
    """log I_z(a, b) for z < (a+1)/(a+b+2), z = 1/(1 + odds) (DLMF 8.17.22)."""
    infinite = np.isposinf(log_odds)
    u = np.where(infinite, 700.0, log_odds)
    log_z, log_w = -np.logaddexp(0.0, u), -np.logaddexp(0.0, -u)
    z = np.exp(log_z)

    def term(i: int) -> tuple[Array, Array]:
        m = i // 2
        if i % 2:
            return -(a + m) * (a + b + m) * z / ((a + 2 * m) * (a + 2 * m + 1)), np.ones_like(a)
        return m * (b - m) * z / ((a + 2 * m - 1) * (a + 2 * m)), np.ones_like(a)

    fraction = _lentz(np.ones_like(a), term)
    front = a * log_z + b * log_w - np.log(a) - special.betaln(a, b)
    return np.where(infinite, -np.inf, front - np.log(fraction))


def _lentz(first: Array, term: Callable[[int], tuple[Array, Array]]) -> Array:
    """first + a₁/(b₁ + a₂/(b₂ + …)) by the modified Lentz algorithm, all entries together."""
    floor = 1e-300
    value, c, d = first, first, np.zeros_like(first)
    for i in range(1, 100_000):
        numerator, denominator = term(i)
        d = denominator + numerator * d
        d = 1.0 / np.where(d == 0, floor, d)
        c = denominator + numerator / np.where(c == 0, floor, c)
        step = c * d
        value = value * step
        # an exact 1 may be a zero numerator, as with even degrees of freedom: then the fraction has ended
        if np.all(np.abs(step - 1.0) <= 4e-16):
            break
    return value


def _odds(factor: Array, x: Array) -> Array:
    with np.errstate(over="ignore"):
        return factor * x


def _numbers(*values: npt.ArrayLike) -> tuple[float, ...] | None:
    """The arguments of a tail as floats; None if one is an array, or a product might overflow."""
    if any(np.ndim(value) for value in values):
        return None
    numbers = tuple(float(value) for value in values)  # type: ignore[arg-type]
    return numbers if abs(numbers[0]) < 1e100 and all(1e-3 <= df <= 1e9 for df in numbers[1:]) else None


def _broadcast(*values: npt.ArrayLike) -> tuple[Array, ...]:
    return tuple(np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in values)))


def _same_shape(p: Any, log_p: Any) -> Tail:
    """Floats for scalars; zero is never negative and a probability never exceeds 1."""
    p, log_p = np.minimum(p, 1.0), np.minimum(log_p, 0.0)
    if np.ndim(p) == 0:
        return float(p), float(log_p)
    return p, log_p


# What a count of successes says about their probability: an exact interval, and the error of a simulated share.


def clopper_pearson(
    count: int,
    trials: int,
    confidence_level: float = 0.99,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
) -> tuple[float, float]:
    """Interval for a probability of which ``count`` in ``trials`` were seen (Clopper & Pearson 1934).

    ``"greater"`` bounds it from below only, ``"less"`` from above only.
    """
    tail = (1.0 - confidence_level) / (2.0 if alternative == "two-sided" else 1.0)
    low, high = 0.0, 1.0
    if count and alternative != "less":
        low = float(special.betaincinv(count, trials - count + 1, tail))
    if count < trials and alternative != "greater":
        high = float(special.betaincinv(count + 1, trials - count, 1.0 - tail))
    return low, high


def share_error(share: ArrayLike, draws: ArrayLike) -> Array:
    """Standard error of a share of ``draws`` independent draws, after Jeffreys: not 0 where all draws agree.

    With the prior Beta(1/2, 1/2) the probability is Beta(a, b), a = p·N + 1/2, b = (1 − p)·N + 1/2; its standard
    deviation is √(ab/((a + b)²(a + b + 1))).
    """
    p, n = np.asarray(share, dtype=np.float64), np.asarray(draws, dtype=np.float64)
    a, b = p * n + 0.5, (1.0 - p) * n + 0.5
    return np.asarray(np.sqrt(a * b / ((a + b) ** 2 * (a + b + 1.0))), dtype=np.float64)


def drawn_share(count: ArrayLike, draws: ArrayLike, outcomes: int = 2) -> Array:
    """The probability of one of ``outcomes`` that ``count`` of ``draws`` showed: (count + 1/outcomes)/(draws + 1).

    As if one more draw had been divided evenly: shares add to 1, and none is 0 or 1, which no number of draws shows.
    """
    return np.asarray((np.asarray(count, dtype=np.float64) + 1.0 / outcomes) / (np.asarray(draws) + 1.0))
