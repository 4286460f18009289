"""Evidence that may be looked at after every instance: e-processes for paired differences.

An e-process is a non-negative process that starts at 1 and whose mean is at most 1 under the null hypothesis at any
stopping time, so P(it ever reaches 1/α) <= α (Ville's inequality), however often one looks and whenever one stops.
Every function takes the differences in their canonical order (never in order of completion) and returns the natural
logarithm of the evidence after 1, 2, …, n of them. Positive differences favour a.
"""

import math

import numpy as np
from scipy import special

from bakeoff.checks import positive
from bakeoff.errors import InfiniteScoreError, ParameterError
from bakeoff.scores.cells import Array

_LAMBDAS = (0.25, 0.5, 1.0, 2.0)  # the mixture of the signed-rank process


def log_e_two_point(differences: Array, effect_size: float = 0.5) -> Array:
    """Mean 0, normal, unknown variance, against |mean|/sd = d*, half the weight on each side.

    e_n = [f(t; ν, d*√n) + f(t; ν, −d*√n)] / (2 f(t; ν, 0)) = exp(−n d*²/2) ₁F₁(n/2; 1/2; n d*² u²/2)

    with f the noncentral t density, ν = n − 1 and u² = t²/(ν + t²).
    """
    positive("effect_size", effect_size)
    n, u2 = _t_paths(differences)
    half = 0.5 * n * effect_size**2
    log_e = np.array([_log_1f1(m / 2.0, z) for m, z in zip(n.tolist(), (half * u2).tolist(), strict=True)]) - half
    log_e[:1] = 0.0  # one difference says nothing without its variance
    return log_e


def log_e_sign(differences: Array) -> Array:
    """P(a better | not equal) = 1/2, uniformly mixed: e_n = 2^{W+L} B(1 + W, 1 + L); equal ones count nothing.

    Needs no assumption on the differences, but speaks about who wins more often, not about the mean.
    """
    x = _finite_or_infinite(differences)
    wins, losses = np.cumsum(x > 0), np.cumsum(x < 0)
    return np.asarray((wins + losses) * math.log(2.0) + special.betaln(1.0 + wins, 1.0 + losses))


def log_e_signed_rank(differences: Array) -> Array:
    """Differences symmetric about 0: sequential signed ranks.

    Given |x_1| … |x_i| the sign of x_i is a fair coin, so with u_i = (rank of |x_i| among the first i)/(i + 1)

    e_n = mean over λ in {±1/4, ±1/2, ±1, ±2} of Π_i exp(λ s_i u_i) / cosh(λ u_i);  an equal pair contributes 1.
    """
    x = _finite_or_infinite(differences)
    signed = np.sign(x) * _sequential_ranks(np.abs(x))
    lambdas = np.array([sign * size for size in _LAMBDAS for sign in (1.0, -1.0)])[:, None]
    exponents = lambdas * signed
    sizes = np.abs(exponents)
    log_cosh = sizes + np.log1p(np.exp(-2.0 * sizes)) - math.log(2.0)
    steps = np.where(x == 0, 0.0, exponents - log_cosh)
    return np.asarray(special.logsumexp(np.cumsum(steps, axis=1), axis=0) - math.log(len(lambdas)))


def _sequential_ranks(sizes: Array) -> Array:
    """Mid-rank of each among those up to itself, divided by their number plus one: insertion into a sorted list."""
    import bisect

    seen: list[float] = []
    ranks = np.empty(len(sizes))
    for i, size in enumerate(sizes.tolist()):
        low, high = bisect.bisect_left(seen, size), bisect.bisect_right(seen, size)
        seen.insert(high, size)
        ranks[i] = (low + high + 2) / 2.0 / (i + 2)
    return ranks


def _t_paths(differences: Array) -> tuple[Array, Array]:
    """n = 1, 2, … and u² = (Σx)² / (n Σx²), 0 while all differences are 0."""
    x = _finite_or_infinite(differences)
    if not np.all(np.isfinite(x)):
        raise InfiniteScoreError("an e-process for the mean takes finite differences; use the sign process instead")
    largest = float(np.max(np.abs(x), initial=0.0))
    x = x / largest if largest > 0 else x
    n = np.arange(1, x.size + 1, dtype=float)
    squares = np.cumsum(x * x)
    u2 = np.divide(np.cumsum(x) ** 2, n * squares, out=np.zeros(x.size), where=squares > 0)
    return n, np.minimum(u2, 1.0)


def _log_1f1(a: float, z: float) -> float:
    """log ₁F₁(a; 1/2; z) for z >= 0: every term (a)_j/(1/2)_j z^j/j! is positive, so the sum loses no digits."""
    if z == 0.0:
        return 0.0
    # a term is z (a + j) / ((j + 1/2)(j + 1)) times the one before: log-concave, the largest at the peak, no wider
    # than the root of the peak; 12 such widths to either side leave out less than rounding does
    peak = 0.5 * (z + math.sqrt(z * z + 4.0 * a * z))
    reach = 12.0 * math.sqrt(peak + 1.0) + 40.0
    j = np.arange(max(0, int(peak - reach)), int(peak + reach), dtype=float)
    terms = special.gammaln(a + j) - special.gammaln(0.5 + j) - special.gammaln(1.0 + j) + j * math.log(z)
    return float(special.logsumexp(terms) - special.gammaln(a) + special.gammaln(0.5))


def _finite_or_infinite(differences: Array) -> Array:
    x = np.asarray(differences, dtype=float)
    if x.ndim != 1 or np.any(np.isnan(x)):
        raise ParameterError("differences must be a list of numbers without NaN, in their canonical order")
    return x
