"""Boundaries of a test at a few planned looks, so that all looks together err with probability alpha.

At information fraction f the z statistic of a test is W(f)/√f, W a Brownian motion. Looking at f_1 < … < f_K = 1 and
rejecting when |z_k| >= c_k, the probability of ever rejecting follows by carrying the density of W from look to look
(Armitage, McPherson & Rowe 1969):

    g_1(w) = φ(w; 0, f_1),   g_{k+1}(w) = ∫_{|u| < c_k √f_k} g_k(u) φ(w − u; 0, f_{k+1} − f_k) du
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import special

from bakeoff.checks import choice, number, probability
from bakeoff.errors import ParameterError
from bakeoff.nulls.numerics import root_between
from bakeoff.scores.cells import Array, read_only

_NODES = 96  # Gauss–Legendre nodes per look; the integrands are smooth: errors near 1e-14
_TOLERANCE = 1e-13  # of critical values and drifts


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDesign:
    """Looks planned before the data. ``pvalues``: reject at look k when the two-sided p-value is at most this."""

    fractions: Array  # (K,) share of the instances used at each look
    critical_values: Array  # (K,) for |z|
    pvalues: Array  # (K,) nominal two-sided levels
    inflation: float  # largest number of instances, relative to a design with one look and the same power


def group_design(
    fractions: Sequence[float] = (0.5, 0.75, 1.0), alpha: float = 0.05, power: float = 0.8, kind: str = "obrien-fleming"
) -> GroupDesign:
    """Critical values of a group-sequential two-sided test.

    ``kind``: "obrien-fleming" (c_k = c/√f_k: strict early, hardly stricter than one test at the end), "pocock"
    (c_k = c), or "lan-demets" (the error spent by f is 4 − 4Φ(z_{α/4}/√f); looks may then be chosen freely).

    A t-test uses the nominal levels ``pvalues`` for its own p-values. The level then holds for differences that are
    symmetric or not too heavily skewed; early looks suffer most from skewness.
    """
    looks = _fractions(fractions)
    probability("alpha", alpha)
    number("power", power, above=alpha, below=1.0)
    choice("kind", kind, _KINDS)
    critical = _KINDS[kind](looks, alpha)
    return GroupDesign(
        fractions=read_only(looks),
        critical_values=read_only(critical),
        pvalues=read_only(2.0 * special.ndtr(-critical)),
        inflation=_inflation(looks, critical, alpha, power),
    )


def crossing(fractions: Array, critical: Array, drift: float = 0.0) -> Array:
    """(K,) probability that look k is the first with |z_k| >= c_k when W has this drift (E W(1))."""
    bounds = critical * np.sqrt(fractions)
    nodes, weights = _rule()
    first = np.empty(len(fractions))
    density, at, step = np.ones(1), np.zeros(1), np.ones(1)  # all mass at W(0) = 0
    before = 0.0
    for k, (f, bound) in enumerate(zip(fractions, bounds, strict=True)):
        sd, mean = math.sqrt(f - before), at + drift * (f - before)
        mass = density * step
        first[k] = mass @ (special.ndtr((mean - bound) / sd) + special.ndtr((-bound - mean) / sd))
        points = nodes * bound
        z = (points[:, None] - mean[None, :]) / sd
        density = np.exp(-0.5 * z * z) @ mass / (sd * math.sqrt(2.0 * math.pi))
        at, step, before = points, weights * bound, float(f)
    return first


@cache
def _rule() -> tuple[Array, Array]:
    """Gauss–Legendre nodes and weights; finding them takes longer than all the rest."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return read_only(nodes), read_only(weights)


def _constant(fractions: Array, alpha: float, shape: Array) -> Array:
    """c · shape with total error alpha."""
    z = float(special.ndtri(1.0 - alpha / 2.0))

    def unspent(c: float) -> float:
        return alpha - float(crossing(fractions, c * shape).sum())

    return root_between(unspent, 0.5 * z, 2.0 * z + 2.0, _TOLERANCE) * shape


def _lan_demets(fractions: Array, alpha: float) -> Array:
    """Look by look: the error spent up to f is 4 − 4Φ(z_{α/4}/√f) (Lan & DeMets 1983, two-sided O'Brien–Fleming)."""
    z = float(special.ndtri(1.0 - alpha / 4.0))
    spent = 4.0 * special.ndtr(-z / np.sqrt(fractions))
    critical = np.empty(len(fractions))
    for k in range(len(fractions)):

        def unspent(c: float, k: int = k) -> float:
            return float(spent[k] - crossing(fractions[: k + 1], np.append(critical[:k], c)).sum())

        critical[k] = root_between(unspent, 0.0, 38.0, _TOLERANCE)
    return critical


_KINDS: dict[str, Callable[[Array, float], Array]] = {
    "obrien-fleming": lambda fractions, alpha: _constant(fractions, alpha, 1.0 / np.sqrt(fractions)),
    "pocock": lambda fractions, alpha: _constant(fractions, alpha, np.ones(len(fractions))),
    "lan-demets": _lan_demets,
}


def _inflation(fractions: Array, critical: Array, alpha: float, power: float) -> float:
    """(drift needed with these looks / drift needed with one)²: instances grow with the square of the drift."""
    z = special.ndtri(1.0 - alpha / 2.0)

    def drift(looks: Array, bounds: Array) -> float:
        def excess(drift: float) -> float:
            return float(crossing(looks, bounds, drift).sum()) - power

        return root_between(excess, 0.0, 3.0 * float(z + special.ndtri(power)) + 3.0, _TOLERANCE)

    return (drift(fractions, critical) / drift(np.ones(1), np.array([z]))) ** 2


def _fractions(fractions: Sequence[float]) -> Array:
    looks = np.asarray(fractions, dtype=float)
    if looks.ndim != 1 or not 1 <= looks.size <= 100 or not np.all(np.isfinite(looks)):
        raise ParameterError(f"fractions must be 1 to 100 numbers; got {fractions!r}")
    if looks[0] <= 0 or np.any(np.diff(looks) <= 0) or looks[-1] != 1.0:
        raise ParameterError(f"fractions must increase from above 0 to exactly 1; got {tuple(looks.tolist())}")
    return looks.copy()
