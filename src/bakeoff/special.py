"""Special functions by SciPy's names: single numbers by ``math`` alone, everything else by SciPy when it is called.

Half of a short command's time went into loading ``scipy.special``, which the usual comparison asks for a dozen single
numbers. Their tails are computed here, to 1e-13 of the exact value (the tests hold them against mpmath). Arrays of more
than :data:`SMALL` numbers, and all other functions, load SciPy.
"""

import math
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from functools import cache
from typing import Any

import numpy as np

SMALL = 64
"""Arrays up to this size are computed number by number."""

_BY_SCIPY = frozenset(
    {
        "bdtr",
        "betainc",
        "betaincc",
        "betaincinv",
        "betaln",
        "binom",
        "chdtr",
        "chdtrc",
        "chdtri",
        "chndtr",
        "erf",
        "expit",
        "fdtri",
        "gammainc",
        "gammaincc",
        "gammainccinv",
        "gammaln",
        "log_expit",
        "logit",
        "logsumexp",
        "nctdtrinc",
        "ndtri_exp",
        "pdtrc",
        "stdtr",
        "stdtrit",
        "xlog1py",
        "xlogy",
    }
)

_LOG_TWO_PI = math.log(2.0 * math.pi)
_ROOT_HALF = math.sqrt(0.5)
_ROOT_HALF_LOW = -4.833646656726457e-17  # √½ − the double nearest to it
_LARGE = 25.0  # beyond, the rounding of an exponent is more than 3e-15 of its exponential
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)


def __getattr__(name: str) -> Any:
    """SciPy's function of this name: to import it from here loads nothing, its first call does."""
    if name not in _BY_SCIPY:
        raise AttributeError(f"module 'bakeoff.special' has no attribute {name!r}")
    return _by_scipy(name)


@cache
def _by_scipy(name: str) -> Callable[..., Any]:
    def call(*args: Any, **options: Any) -> Any:
        from scipy import special

        return getattr(special, name)(*args, **options)

    return call


def _each(function: Callable[[float], float]) -> Callable[[Any], Any]:
    """The function for numbers and small arrays; SciPy's of the same name, without the underscore, for large ones."""
    by_scipy = _by_scipy(function.__name__.removeprefix("_"))

    def call(x: Any) -> Any:
        array = np.asarray(x, dtype=np.float64)
        if array.size > SMALL:
            return by_scipy(array)
        values = np.array([function(value) for value in array.ravel().tolist()], dtype=np.float64)
        return values.reshape(array.shape)[()]

    return call


# The normal law.


def _product(a: float, b: float) -> tuple[float, float]:
    """a·b and what its rounding left out (Dekker 1971)."""
    product = a * b
    high_a, high_b = (x * 134217729.0 - (x * 134217729.0 - x) for x in (a, b))
    low_a, low_b = a - high_a, b - high_b
    return product, ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b


def _ndtr(x: float) -> float:
    """Φ(x) = erfc(−x/√2)/2.

    The rounding of x/√2 would cost x² units in the last place: erfc(y + δ) ≈ erfc(y) − 2δ·exp(−y²)/√π puts them back.
    """
    if not -40.0 < x < 40.0:
        return x if math.isnan(x) else float(x > 0)
    y, rest = _product(-x, _ROOT_HALF)
    rest -= x * _ROOT_HALF_LOW
    return 0.5 * math.erfc(y) - rest * math.exp(-y * y) / math.sqrt(math.pi)


def _log_ndtr(x: float) -> float:
    """log Φ(x); below −30 by the continued fraction of Mills' ratio (DLMF 7.9.3), which does not underflow."""
    if x > 0.0:
        return math.log1p(-_ndtr(-x))
    if not x <= -30.0:
        return math.log(_ndtr(x))
    if math.isinf(x):
        return x
    mills = -x
    for i in range(30, 0, -1):
        mills = -x + i / mills
    return -0.5 * x * x - 0.5 * _LOG_TWO_PI - math.log(mills)


def _ndtri(p: float) -> float:
    """The x with Φ(x) = p: Hastings' start (Abramowitz & Stegun 26.2.23), then Newton's steps."""
    if not 0.0 < p < 1.0:
        return -math.inf if p == 0.0 else math.inf if p == 1.0 else math.nan
    tail = min(p, 1.0 - p)
    t = math.sqrt(-2.0 * math.log(tail))
    x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
    for _ in range(4):
        log_density = -0.5 * (x * x + _LOG_TWO_PI)
        if tail > 0.25:  # near the middle only the distance of p from ½ keeps its digits
            x += (abs(p - 0.5) - 0.5 * math.erf(x * _ROOT_HALF)) / math.exp(log_density)
        else:
            log_tail = _log_ndtr(-x)
            x += (log_tail - math.log(tail)) / math.exp(log_density - log_tail)
    return x if p > 0.5 else -x


ndtr, log_ndtr, ndtri = _each(_ndtr), _each(_log_ndtr), _each(_ndtri)


def owens_t(h: Any, a: Any) -> Any:
    """Owen's T of two numbers with \\|a\\| ≤ 1: ∫₀ᵃ exp(−h²(1 + x²)/2)/(1 + x²) dx/2π (Owen 1956); others by SciPy."""
    if np.ndim(h) or np.ndim(a) or not abs(a) <= 1.0:
        return _by_scipy("owens_t")(h, a)
    h, a = abs(float(h)), float(a)
    half = 0.5 * math.copysign(min(abs(a), 9.0 / h if h else 1.0), a)  # beyond, exp(−h²x²/2) is below 1e-17
    points = ((half * (1.0 + node), weight) for node, weight in _gauss_legendre(24 if h < 5.0 else 40))
    values = (weight * math.exp(-0.5 * h * h * (1.0 + x * x)) / (1.0 + x * x) for x, weight in points)
    return half / (2.0 * math.pi) * math.fsum(values)


@cache
def _gauss_legendre(n: int) -> tuple[tuple[float, float], ...]:
    """Nodes on (−1, 1) and weights, by Newton's method on the Legendre polynomial."""
    rule = []
    for i in range(n):
        x, slope = math.cos(math.pi * (i + 0.75) / (n + 0.5)), 1.0
        for _ in range(6):
            below, value = 1.0, x
            for k in range(2, n + 1):
                below, value = value, ((2 * k - 1) * x * value - (k - 1) * below) / k
            slope = n * (x * value - below) / (x * x - 1.0)
            x -= value / slope
        rule.append((x, 2.0 / ((1.0 - x * x) * slope * slope)))
    return tuple(rule)


# The incomplete gamma and beta functions of single numbers, each with its logarithm: a factor whose exponent is exact
# where it is large, times a power series or a continued fraction.


def gamma_tail(a: float, x: float) -> tuple[float, float]:
    """Q(a, x) = Γ(a, x)/Γ(a) and its logarithm (DLMF 8.11.4 and 8.9.2)."""
    if x <= 0.0:
        return 1.0, 0.0
    exponent = _exponent(lambda log, a, x: a * log(x / a) + (a - x), a, x)
    constant = -_stirling_error(a) - 0.5 * (math.log(a) + _LOG_TWO_PI)  # log(aᵃ·exp(−a)/Γ(a + 1))
    if x >= a + 1.0:
        fraction = _lentz(x + 1.0 - a, lambda i: (i * (a - i), x + 2.0 * i + 1.0 - a))
        return _scaled(a / fraction, exponent, constant)
    term, total, n = 1.0, 1.0, a
    while term > 1e-17 * total:
        n += 1.0
        term *= x / n
        total += term
    return _complement(_scaled(total, exponent, constant))


def beta_tail(above: float, below: float, a: float, b: float) -> tuple[float, float]:
    """I_z(a, b) and its logarithm at z = below/(above + below): small where ``above`` is large."""
    if above <= 0.0:
        return 1.0, 0.0
    if a * above < b * below:  # z is beyond the mean a/(a + b): the other tail is the smaller one
        return _complement(_smaller_beta_tail(below, above, b, a))
    return _smaller_beta_tail(above, below, a, b)


def _smaller_beta_tail(above: float, below: float, a: float, b: float) -> tuple[float, float]:
    """zᵃwᵇ/B(a, b), w = 1 − z, by a continued fraction (Didonato & Morris 1992, equation 9)."""

    def powers(log: Any, a: Any, b: Any, above: Any, below: Any) -> Any:
        return a * log((a + b) / a / (1 + above / below)) + b * log((a + b) / b / (1 + below / above))

    exponent = _exponent(powers, a, b, above, below)
    constant = _stirling_error(a + b) - _stirling_error(a) - _stirling_error(b)
    constant += 0.5 * (math.log(a) + math.log(b) - math.log(a + b) - _LOG_TWO_PI)
    z, w = below / (above + below), above / (above + below)
    distance = (a * above - b * below) / (above + below) + 1.0

    def coefficients(n: int) -> tuple[float, float]:
        end = a + 2.0 * n - 1.0
        beta = n + n * (b - n) * z / end + (a + n) / (end + 2.0) * (distance + n * (1.0 + w))
        return (a + n - 1.0) * (a + b + n - 1.0) * n * (b - n) * (z / end) ** 2, beta

    return _scaled(1.0 / _lentz(a / (a + 1.0) * distance, coefficients), exponent, constant)


def _exponent(formula: Callable[..., Any], *numbers: float) -> tuple[float, float]:
    """The value of a formula of logarithms, and what its rounding leaves out; with 34 digits where it is large.

    The first two numbers are factors of the logarithms.
    """
    value = formula(math.log, *numbers)
    if max(*numbers[:2], abs(value)) <= _LARGE:
        return value, 0.0
    with localcontext(Context(prec=34)) as exact:
        precise = formula(exact.ln, *map(Decimal, numbers))
        value = float(precise)
        return value, float(precise - Decimal(value))


def _scaled(value: float, exponent: tuple[float, float], constant: float) -> tuple[float, float]:
    """value·exp(exponent + constant), and its logarithm. Two halves do not underflow before the product does."""
    high, low = exponent
    half = math.exp(0.5 * high)
    value *= math.exp(constant)
    return half * value * (1.0 + low) * half, math.log(value) + high + low


def _complement(tail: tuple[float, float]) -> tuple[float, float]:
    return 1.0 - tail[0], math.log1p(-tail[0]) if tail[0] < 1.0 else -math.inf


def _stirling_error(a: float) -> float:
    """log Γ(a) − ((a − ½)·log a − a + ½·log 2π): Stirling's series (DLMF 5.11.1), from a + i ≥ 10 down."""
    total = 0.0
    while a < 10.0:
        total += (a + 0.5) * math.log1p(1.0 / a) - 1.0
        a += 1.0
    return total + math.fsum(c / a ** (2 * i + 1) for i, c in enumerate(_STIRLING))


def _lentz(first: float, coefficients: Callable[[int], tuple[float, float]]) -> float:
    """first + α₁/(β₁ + α₂/(β₂ + …)) by the modified Lentz algorithm."""
    value, c, d = first, first, 0.0
    for i in range(1, 100_000):
        numerator, denominator = coefficients(i)
        d = 1.0 / (denominator + numerator * d or 1e-300)
        c = denominator + numerator / (c or 1e-300)
        value *= c * d
        if abs(c * d - 1.0) <= 4e-16:
            break
    return value
