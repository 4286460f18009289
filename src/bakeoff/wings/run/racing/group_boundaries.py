"""Boundaries of a test at a few planned looks, so that all looks together err with probability alpha.

At information fraction f the z statistic of a test is W(f)/√f, W a Brownian motion. Looking at f_1 < … < f_K = 1 and
rejecting when |z_k| >= c_k, the probability of ever rejecting follows by carrying the density of W from look to look
(Armitage, McPherson & Rowe 1969):

    g_1(w) = φ(w; 0, f_1),   g_{k+1}(w) = ∫_{|u| < c_k √f_k} g_k(u) φ(w − u; 0, f_{k+1} − f_k) du
"""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from bakeoff import special
from bakeoff.checks import number
from bakeoff.dataclass import dataclass
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


def group_design(fractions: Sequence[float], alpha: float = 0.05, power: float = 0.8) -> GroupDesign:
    """O'Brien and Fleming's critical values of a two-sided test, c_k = c/√f_k: strict early, and hardly stricter than
    one test at the end. ``fractions`` increase from above 0 to 1.

    A t-test uses the nominal levels ``pvalues`` for its own p-values. The level then holds for differences that are
    symmetric or not too heavily skewed; early looks suffer most from skewness.
    """
    number("power", power, above=alpha, below=1.0)
    looks = np.array(fractions, dtype=float)
    critical = constant(looks, alpha, 1.0 / np.sqrt(looks))
    return GroupDesign(
        fractions=read_only(looks),
        critical_values=read_only(critical),
        pvalues=read_only(2.0 * special.ndtr(-critical)),
        inflation=inflation(looks, critical, alpha, power),
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


def constant(fractions: Array, alpha: float, shape: Array) -> Array:
    """c · shape with total error alpha."""
    z = float(special.ndtri(1.0 - alpha / 2.0))

    def unspent(c: float) -> float:
        return alpha - float(crossing(fractions, c * shape).sum())

    return root_between(unspent, 0.5 * z, 2.0 * z + 2.0, _TOLERANCE) * shape


def inflation(fractions: Array, critical: Array, alpha: float, power: float) -> float:
    """(drift needed with these looks / drift needed with one)²: instances grow with the square of the drift."""
    z = special.ndtri(1.0 - alpha / 2.0)

    def drift(looks: Array, bounds: Array) -> float:
        def excess(drift: float) -> float:
            return float(crossing(looks, bounds, drift).sum()) - power

        return root_between(excess, 0.0, 3.0 * float(z + special.ndtri(power)) + 3.0, _TOLERANCE)

    return (drift(fractions, critical) / drift(np.ones(1), np.array([z]))) ** 2
