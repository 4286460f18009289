"""The hierarchical model over problems × runs: its sufficient statistics, the bounds of its priors, and ν's prior.

    x_i | δ_i, σ_i ~ MVN(1 δ_i, σ_i² ((1 − ρ) I + ρ J))     the runs of problem i
    δ_i | δ₀, σ₀, ν ~ Student t_ν(δ₀, σ₀)                   the problems
    σ_i ~ U(0, s̄),  δ₀ ~ U(−m, m),  σ₀ ~ U(0, s̄₀),  ν − 1 ~ Gamma(α, β),  α ~ U(0.5, 5),  β ~ U(0.05, 0.15)

(Corani, Benavoli, Demšar, Mangili & Zaffalon 2017, Machine Learning 106, 1817–1837.) The covariance has
the eigenvalue σ²(1 + (n−1)ρ) along 1 and σ²(1 − ρ) across it, so the n runs of a problem enter through their mean and
their sum of squares alone: mean ~ N(δ, σ²c), c = (1 + (n−1)ρ)/n, and squares/(1 − ρ) ~ σ² χ²(n − 1).
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bakeoff import special
from bakeoff.dataclass import dataclass
from bakeoff.paired.run_differences import RunSummary
from bakeoff.scores import read_only
from bakeoff.scores.cells import Array

BOUND_FACTOR = 1000.0  # σ's bounds are this many times what is seen: wide enough not to matter (ibid.)
SHAPE_RANGE = (0.5, 5.0)  # α
RATE_RANGE = (0.05, 0.15)  # β
LOG_EXCESS_RANGE = (-28.0, 8.5)  # of ln(ν − 1); beyond it the prior holds less than 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTable:
    """The data of q problems, as the sampler sees them; arrays are (q,) or, one data set per chain, (c, q).

    Everything is in units of ``unit``, the mean standard deviation within the problems: scores of any size fit.
    """

    unit: float
    means: Array
    squares: Array  # Σ (x − mean)² / (1 − ρ)
    inflation: Array  # c: variance of a problem's mean over σ²
    df: Array  # n − 1
    fixed: npt.NDArray[np.bool_]  # problems whose σ is not drawn
    fixed_sigma: float  # the value used instead
    largest_mean: float  # m
    largest_sigma: float  # s̄
    largest_spread: float  # s̄₀


def run_table(problems: Sequence[RunSummary], rho: float) -> RunTable:
    """The statistics of every problem and the bounds they imply; at least one problem must vary between runs."""
    n = np.array([p.n for p in problems], dtype=float)
    sds = np.array([p.sd for p in problems])
    fixed = sds == 0
    unit = float(np.mean(sds[~fixed]))
    means, sds = np.array([p.mean for p in problems]) / unit, sds / unit
    among = float(np.std(means, ddof=1)) if len(problems) > 1 else 0.0
    return RunTable(
        unit=unit,
        means=means,
        squares=np.maximum(sds**2, 1e-200) * (n - 1) / (1 - rho),  # one problem may have far less noise than the others
        inflation=(1 + (n - 1) * rho) / n,
        df=n - 1,
        fixed=fixed,
        fixed_sigma=1.0 / BOUND_FACTOR,
        largest_mean=max(p.largest for p in problems) / unit,
        largest_sigma=BOUND_FACTOR,
        largest_spread=BOUND_FACTOR * max(1.0, among),
    )


def log_prior_excess(log_excess: Array) -> Array:
    """ln of the prior density of y = ln(ν − 1), α and β integrated out; from a table (its error is below 1e-6)."""
    grid, logs = _prior_table()
    return np.interp(log_excess, grid, logs)


@lru_cache(maxsize=1)
def _prior_table() -> tuple[Array, Array]:
    grid = np.linspace(*LOG_EXCESS_RANGE, 8193)
    return read_only(grid), read_only(np.log(prior_excess(np.exp(grid))) + grid)


def prior_excess(excess: Array) -> Array:
    """Prior density of x = ν − 1 > 0: the mean over α of α/x² (P(α+1, β₁x) − P(α+1, β₀x))/(β₁ − β₀).

    ∫ β^α x^(α−1) e^(−βx)/Γ(α) dβ is an incomplete gamma function; the mean over α is by Gauss–Legendre.
    """
    nodes, weights = np.polynomial.legendre.leggauss(48)
    low, high = SHAPE_RANGE
    alpha = (low + high) / 2 + (high - low) / 2 * nodes
    x = excess[..., None]
    upper, lower = RATE_RANGE[1] * x, RATE_RANGE[0] * x
    far = lower > alpha + 1  # both near 1: take the difference of the upper tails
    mass = np.where(
        far,
        special.gammaincc(alpha + 1, lower) - special.gammaincc(alpha + 1, upper),
        special.gammainc(alpha + 1, upper) - special.gammainc(alpha + 1, lower),
    )
    density = alpha / x**2 * mass / (RATE_RANGE[1] - RATE_RANGE[0])
    return np.asarray((density * weights).sum(axis=-1) / 2)
