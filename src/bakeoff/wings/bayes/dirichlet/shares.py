"""Three shares that add to 1, of problems won, tied and lost: which is the largest, and how large E[H] is.

(θ_g, θ_t, θ_l) ~ Dirichlet(wins, ties, losses): independent gamma variables divided by their sum, gamma(0) being the
constant 0. The three are counts of problems, not all 0; one of them holds the prior strength besides, so that at most
one is not whole.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from bakeoff import special
from bakeoff.nulls.numerics import log_integral, root_between
from bakeoff.scores.cells import Array

Triple = tuple[float, float, float]
Pair = tuple[float, float]

_STEPS = 256
_HALF_LOG_TWO_PI = math.log(2.0 * math.pi) / 2.0


def above_half(wins: float, losses: float) -> float:
    """P(Z > 1/2), Z ~ Beta(wins, losses): Benavoli et al. (2015), Theorem 2, as the small tail where it is small.

    Without losses 1, without wins 0, without either 1/2 (then the share itself is 1/2).
    """
    if wins == losses:
        return 0.5
    if wins == 0 or losses == 0:
        return 1.0 if losses == 0 else 0.0
    return float(special.betainc(losses, wins, 0.5))


# --- which share is largest -------------------------------------------------------------------------------------


def largest_shares(wins: float, ties: float, losses: float) -> Triple:
    """P(each of the three shares is the largest); they add to 1.

    P(A largest) = P(B < A, C < A) = ∫ f_A(x) F_B(x) F_C(x) dx over independent gamma variables A, B, C.
    """
    p = _is_largest(wins, ties, losses), _is_largest(ties, wins, losses), _is_largest(losses, wins, ties)
    total = (p[0] + p[2]) + p[1]
    return p[0] / total, p[1] / total, p[2] / total


def _is_largest(a: float, *others: float) -> float:
    b, c = sorted(others)
    if a == 0:
        return 0.0
    if b == 0:
        return 1.0 if c == 0 else above_half(a, c)
    low, high = _window(a, b, c)
    return min(1.0, math.exp(float(log_integral(_log_integrand(a, b, c), low, high, _STEPS)[0])))


def _window(a: float, b: float, c: float) -> tuple[Array, Array]:
    """The range of ln x: to the left the integrand falls like x^(a+b+c), to the right like exp(−x)."""
    most = max(a, b, c)
    low = min(0.0, math.log(most)) - 5.0 - 50.0 / (a + b + c)
    return np.array([low]), np.array([math.log(most + 10.0 * math.sqrt(most) + 60.0)])


def _log_integrand(a: float, b: float, c: float) -> Callable[[Array], Array]:
    """ln of f_A(x)·x·F_B(x)·F_C(x) at y = ln x. About its mode ln a, f_A(x)·x is exp(a(v − eᵛ + 1))·√(a/2π)·e^(−δ)."""
    middle, peak = math.log(a), 0.5 * math.log(a) - _HALF_LOG_TWO_PI - stirling_rest(a)

    def f(y: Array) -> Array:
        x, v = np.exp(y), y - middle
        with np.errstate(divide="ignore"):  # a tail below 1e-308 has the logarithm −inf and adds nothing
            tails = np.log(special.gammainc(b, x)) + np.log(special.gammainc(c, x))
        return np.asarray(a * (v - np.expm1(v)) + peak + tails)

    return f


def stirling_rest(a: float) -> float:
    """δ(a) = ln Γ(a) − (a − ½) ln a + a − ½ ln 2π, without cancellation for large a (DLMF 5.11.1)."""
    if a < 15.0:
        return math.lgamma(a) - (a - 0.5) * math.log(a) + a - _HALF_LOG_TWO_PI
    r = 1.0 / (a * a)
    return (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / a


# --- the law of E[H] = θ_g + θ_t/2 ------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def heaviside_interval(wins: float, ties: float, losses: float, gamma: float) -> Pair:
    """Equal-tail credible interval of E[H] = θ_g + θ_t/2 at level 1 − gamma; to 1e-10 for gamma from 1e-6 on."""
    low, high = _point(wins, ties, losses, gamma / 2), 1.0 - _point(losses, ties, wins, gamma / 2)
    return low, max(low, high)


def beta_interval(wins: float, losses: float, gamma: float) -> Pair:
    """Equal-tail credible interval of a share with law Beta(wins, losses); a point where one of them is 0."""
    low = float(special.betaincinv(wins, losses, gamma / 2)) if wins > 0 and losses > 0 else float(wins > 0)
    high = float(special.betaincinv(losses, wins, gamma / 2)) if wins > 0 and losses > 0 else float(losses > 0)
    return low, 1.0 - high


def lower_tail(x: float, wins: float, ties: float, losses: float) -> float:
    """P(θ_g + θ_t/2 ≤ x) for 0 < x < 1/2.

    θ_g + θ_t/2 = T/2 + (1 − T)Z with independent T ~ Beta(ties, wins + losses), Z ~ Beta(wins, losses).

    For x < 1/2:  P = ∫₀ˣ f_Z(z) F_T((x − z)/(½ − z)) dz = ∫₀²ˣ f_T(u) F_Z((x − u/2)/(1 − u)) du, the first where
    f_Z is bounded at 0 (wins ≥ 1; otherwise ties ≥ 1). The variable is the logit of z/x (of u/2x): both ends become
    exponential.
    """
    by_z = wins >= 1
    a, b, end = (wins, losses, x) if by_z else (ties, wins + losses, 2.0 * x)
    constant = _log_beta_constant(a, b)

    def f(y: Array) -> Array:
        left, right = special.expit(y), special.expit(-y)  # of the way to the end, and what is left of it
        point = end * left
        if by_z:
            inner = special.betainc(ties, wins + losses, x * right / ((0.5 - x) + x * right))
        else:
            inner = special.betainc(wins, losses, x * right / (1.0 - point))
        with np.errstate(divide="ignore"):
            tail = np.log(inner)
        density = a * np.log(point) + (b - 1.0) * np.log1p(-point) - constant
        return np.asarray(density + np.log(right) + tail)

    reach = 60.0 + math.log(1.0 + a + b) + abs(math.log(end))
    low, high = np.array([-reach]), np.array([reach - math.log(0.5 - x)])
    if not np.isfinite(f(low[:, None])).all():  # the inner tail is largest here: below 1e-308 everywhere
        return 0.0
    return min(1.0, math.exp(float(log_integral(f, low, high, _STEPS)[0])))


def _log_beta_constant(a: float, b: float) -> float:
    """ln B(a, b)."""
    n = a + b
    main = a * math.log(a / n) + b * math.log(b / n) - 0.5 * math.log(a * b / n) + _HALF_LOG_TWO_PI
    return main + stirling_rest(a) + stirling_rest(b) - stirling_rest(n)


def _point(wins: float, ties: float, losses: float, p: float) -> float:
    """The x with P(θ_g + θ_t/2 ≤ x) = p."""
    if wins == 0 or losses == 0 or ties == 0:
        return _simple_point(wins, ties, losses, p)
    half = above_half(losses, wins)  # P(θ_g + θ_t/2 ≤ 1/2)
    if p == half:
        return 0.5
    return _below_half(wins, ties, losses, p) if p < half else 1.0 - _below_half(losses, ties, wins, 1.0 - p)


def _simple_point(wins: float, ties: float, losses: float, p: float) -> float:
    """One of the three is the constant 0: Beta quantiles."""
    if wins == 0 and losses == 0:
        return 0.5
    if ties == 0:
        return float(special.betaincinv(wins, losses, p)) if wins > 0 and losses > 0 else float(wins > 0)
    if wins == 0:
        return 0.5 * float(special.betaincinv(ties, losses, p))
    return 1.0 - 0.5 * float(special.betaincinv(ties, wins, 1.0 - p))


def _below_half(wins: float, ties: float, losses: float, p: float) -> float:
    """The x < 1/2 with P(θ_g + θ_t/2 ≤ x) = p, on the scales of ln x (it may be small) and of normal quantiles.

    On these the law is nearly a line, and few evaluations are needed.
    """
    goal, half = float(special.ndtri(p)), math.log(0.5)

    @lru_cache
    def excess(log_x: float) -> float:
        below = lower_tail(math.exp(log_x), wins, ties, losses) if log_x < half else above_half(losses, wins)
        return float(special.ndtri(max(below, 1e-300))) - goal

    low, high = _near(wins, ties, losses, goal)
    while high < half and excess(high) < 0:
        low, high = high, min(half, high + 2.0 * (high - low))
    while excess(low) > 0 and low > -300.0:
        low, high = low - 2.0 * (high - low), low
    return math.exp(root_between(excess, low, high, 1e-13)) if excess(low) <= 0 else 0.0


def _near(wins: float, ties: float, losses: float, z: float) -> Pair:
    """The range of ln x by the normal distribution with the mean and variance of E[H]; no farther than ln ½."""
    total = wins + ties + losses
    mean = (wins + ties / 2) / total
    deviation = math.sqrt(((wins + ties / 4) / total - mean * mean) / (total + 1.0))
    middle = max(mean + z * deviation, mean / 20.0)
    reach = max(0.2 * deviation / mean, 1e-12)
    high = min(math.log(0.5), math.log(middle) + reach)
    return high - 2.0 * reach, high
