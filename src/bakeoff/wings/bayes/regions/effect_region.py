"""Credible regions of the relative effects of independent samples: does "all equal", every effect 1/2, lie inside?

Both regions have the shape of the posterior covariance. The exact one contains 1 − γ of the posterior's draws, which
takes the covariance for known. The ellipsoid allows for its estimation from r_i runs of each algorithm: its edge is a
quantile of c·F(q, f) after Johansen (1980, Biometrika 67, 85–92), with

    A = Σ_i [tr Q_i² + (tr Q_i)²] / (2 (r_i − 1)),   c = q + 2A − 6A/(q + 2),   f = q (q + 2)/(3A),

q the dimensions in which effects vary and Q_i the part of the covariance that comes from the runs of algorithm i, in
coordinates in which the whole is 1. A factor turns the posterior's variances into unbiased ones; it enters twice,
because variances of relative effects also shrink as the effects leave 1/2: with the factor once, equal algorithms were
called different in up to 7 % of tables at γ = 5 %.
"""

import math

import numpy as np
from scipy.special import betainc, betaincinv

from bakeoff.scores import Array
from bakeoff.wings.bayes.dirichlet.relative_effects import covariance_parts, effect_covariance, first_and_second_moments
from bakeoff.wings.bayes.dirichlet.run_signs import RunSigns
from bakeoff.wings.bayes.regions.credible_region import RegionTest, WhitenedPosterior, depths_of, region_from_draws

LEAST_STRENGTH = 1.0
"""Of the prior in the ellipsoid: without it, samples that do not overlap leave directions without any variance."""


def effect_ellipsoid(signs: RunSigns, strength: float, gamma: float) -> RegionTest:
    """The region whose edge is a quantile of F; with at least one run's worth of prior for each algorithm."""
    s = max(strength, LEAST_STRENGTH)
    to_white, null, outside = _whitened(-_centre(signs, s), effect_covariance(signs, s))
    q = to_white.shape[1]
    if q == 0:
        return _point(outside)
    depth = float(null @ null)
    runs = signs.counts[0].astype(np.float64)
    if runs.min() < 2:  # the variance between the runs of this algorithm is not known
        return _tested(depth, math.inf, 0.0, False)
    parts = np.einsum("ar,iab,bt->irt", to_white, covariance_parts(signs, s), to_white)
    traces, squares = np.trace(parts, axis1=1, axis2=2), (parts**2).sum(axis=(1, 2))
    a = float(np.sum((squares + traces**2) / (2.0 * (runs - 1.0))))
    c, f = q + 2.0 * a - 6.0 * a / (q + 2.0), q * (q + 2.0) / (3.0 * a)
    total = runs + s
    unit = c * float(np.max(runs * (total + 1.0) / total / (runs - 1.0))) ** 2
    y = float(betaincinv(f / 2.0, q / 2.0, gamma))  # γ-quantile of Beta(f/2, q/2): F = f (1 − y)/(q y)
    edge = unit * f * (1.0 - y) / (q * y) if y > 0 else math.inf
    x = q * depth / unit
    return _tested(depth, edge, float(betainc(q / 2.0, f / 2.0, x / (x + f))), depth > edge)


def exact_effect_region(leads: Array, centre: Array, covariance: Array, gamma: float) -> RegionTest:
    """The region of the draws ``leads`` (n_draws, k) of the effects less ½, about their mean ``centre``."""
    to_white, null, outside = _whitened(-centre, covariance)
    if to_white.shape[1] == 0:  # no draw differs from another
        return _point(outside)
    rank = to_white.shape[1]
    depth = math.inf if outside else float(null @ null)
    shape = WhitenedPosterior(atoms=np.zeros((0, rank)), prior=np.zeros(rank), null=null, depth=depth)
    return region_from_draws(depths_of((leads - centre) @ to_white), shape, gamma)


def _centre(signs: RunSigns, strength: float) -> Array:
    """(k,) posterior means of the effects less ½."""
    return np.asarray(first_and_second_moments(signs, strength)[0].mean(axis=1) / 2.0)


def _whitened(null: Array, covariance: Array) -> tuple[Array, Array, bool]:
    """(k, q) to coordinates in which the covariance is 1, on its range; the null in them, and whether it is outside."""
    scale = math.sqrt(float(np.max(covariance.diagonal() + null**2))) or 1.0  # small where the prior is strong
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-13 * scale**2
    outside = float(np.abs(null - vectors[:, kept] @ (vectors[:, kept].T @ null)).max()) > 1e-9 * scale
    to_white = vectors[:, kept] / np.sqrt(values[kept])
    return to_white, null @ to_white, outside


def _point(outside: bool) -> RegionTest:
    """The posterior is a point."""
    return _tested(math.inf if outside else 0.0, 0.0, float(outside), outside)


def _tested(depth: float, edge: float, content: float, rejected: bool) -> RegionTest:
    return RegionTest(
        statistic=depth,
        critical_value=edge,
        probability=content,
        standard_error=0.0,
        n_draws=0,
        rejected=rejected,
        decided=True,
    )
