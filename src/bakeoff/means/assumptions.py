"""Assumptions of t-tests and rank-sum tests that measurements can contradict: symmetry, fine scales, equal spreads."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.means.strata import Stratum, one_stratum
from bakeoff.nulls.tails import t_two_sided
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes
from bakeoff.special import binom, ndtri

# Are differences so skewed that t errs more often than it says? A look at what units contribute to their mean.
#
# t at 5 %, one-sided, errs in about 5 % + 11 % · γ/√G, γ the skewness of what a unit contributes to the mean (Hall
# 1992, The Bootstrap and Edgeworth Expansion, §2.6). Two tests look at it, and either cautions. The L-skewness τ₃, the
# third L-moment over the second, has of n normal values nearly a normal distribution with variance 0.1866/n + 0.8/n²
# (Hosking 1990, J. Royal Statistical Society B 52, 105–124). It sees a shape: lognormal differences. The moment γ, made
# normal by D'Agostino (1970, Biometrika 57, 679–681), sees a few far values among noise: failures. At most one in ten
# tables with normal differences is cautioned, the level shared by its pairs.
#
# They compare with normal differences and not with all symmetric ones, as flips of signs would: one failure in 60
# problems could as well have been one success, and flips see nothing. But t errs there (failures of 5 %: in a quarter
# of tables). The price: heavy tails look skewed, too, in half of the tables of t with 3 df. There few units rule the
# mean.
#
# Where clusters differ in size, so do the spreads of what they contribute: as the sizes if problems of a cluster are
# equal, as the roots of the sizes if they are independent. Contributions are called skewed if they are so by both.

EACH = 0.065
"""Level of each of the two tests; either passes in 9 to 10 % of normal tables (10 units on, 1 to 45 pairs)."""
FEWEST = 10
"""Units below which the distribution is not that of the formula (of 8 normal values 12 % pass a limit of 10 %)."""
MATTERS = 0.065
"""|γ|/√G of a sample below which t at 5 % errs one-sided in 5.7 %; samples show less skewness than there is."""
_CHUNK = 1 << 21  # numbers at a time
Columns = tuple[Codes, Codes]


def long_tails(values: Array, pairs: Columns, strata: Sequence[Stratum], families: int = 1) -> Array:
    """(q,) skewness of what units add to the mean of ``values[:, a] − values[:, b]``; 0 where it tells nothing.

    ``values`` (n of the table, k); ``pairs``: the columns a and b of q pairs, as many as in each of the ``families``
    that share the level (metrics, say). Of several strata that of the largest.
    """
    values = values / max(float(np.max(np.abs(values))), 1e-300)
    tails = np.zeros(len(pairs[0]))
    limit = -float(ndtri(EACH / 2 / max(1, len(tails) * len(strata) * families)))
    for stratum in strata:
        sizes = stratum.sizes.astype(float)
        sums = stratum.sums(values)
        one = _telling(sums - sizes[:, None] * (sums.sum(axis=0) / sizes.sum()), pairs, sizes, limit)
        tails = np.where(np.abs(one) > np.abs(tails), one, tails)
    return tails


def long_tail(differences: Array, codes: Codes, families: int = 1) -> float:
    """The same of ``differences`` (n,) whose clusters, or problems, have these ``codes``."""
    columns = np.column_stack([differences, np.zeros(len(differences))])
    return float(long_tails(columns, (np.array([0]), np.array([1])), [one_stratum(codes)], families)[0])


def unit_skewness(values: Array, strata: Sequence[Stratum]) -> Array:
    """(q,) of what units add to the means of ``values``, of all strata; NaN where nothing varies."""
    sums = np.concatenate([s.weight / s.n * s.sums(values - values[s.rows].mean(axis=0)) for s in strata])
    reach = np.abs(sums).max(axis=0)
    vary = reach > 1e-12 * np.max(reach, initial=0.0)
    return np.asarray(np.where(vary, _skewness(sums / np.where(vary, reach, 1.0)), np.nan))


def _telling(parts: Array, pairs: Columns, sizes: Array, limit: float) -> Array:
    """(q,) skewness of ``parts`` (G, k), what each unit adds to sums of 0; ``limit``: standard errors that tell."""
    groups, tails = len(sizes), np.zeros(len(pairs[0]))
    if groups < FEWEST:
        return tails
    spreads = _spreads(sizes)
    step = max(1, _CHUNK // groups)
    for first in range(0, len(tails), step):
        a, b = (side[first : first + step] for side in pairs)
        d = parts[:, a] - parts[:, b]
        reach = np.abs(d).max(axis=0)
        vary = reach > 1e-12 * np.maximum(np.abs(parts[:, a]).max(axis=0), np.abs(parts[:, b]).max(axis=0))
        d = np.where(vary, d / np.where(vary, reach, 1.0), 0.0)
        skewness = _skewness(d)
        seen = np.min([_standard_errors(d / spread[:, None], np.sign(skewness)) for spread in spreads], axis=0)
        tells = (seen >= limit) & (np.abs(skewness) >= MATTERS * math.sqrt(groups))
        tails[first : first + step] = np.where(tells, skewness, 0.0)
    return tails


def _spreads(sizes: Array) -> list[Array]:
    """Standard deviations of S_g − n_g·x̄ where problems of a cluster are independent, and where they are equal."""
    if sizes.min() == sizes.max():
        return [np.ones(len(sizes))]
    shares = sizes / sizes.sum()
    return [np.sqrt(sizes * (1 - shares)), sizes * np.sqrt(1 - 2 * shares + (shares**2).sum())]


def _standard_errors(parts: Array, side: Array) -> Array:
    """(q,) by which the skewness of ``parts`` is off 0 to this ``side``, by the test that says more."""
    n = len(parts)
    by_shape = _l_skewness(parts) / math.sqrt(0.1866 / n + 0.8 / n**2)
    kurtosis = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    w2 = math.sqrt(2 * (kurtosis - 1)) - 1
    units = math.sqrt((n + 1) * (n + 3) / (6 * (n - 2)) * (w2 - 1) / 2)
    by_moment = np.arcsinh(_skewness(parts - parts.mean(axis=0)) * units) / math.sqrt(math.log(w2) / 2)
    return np.maximum(side * by_shape, side * by_moment)


def _l_skewness(parts: Array) -> Array:
    """(q,) λ₃/λ₂ by probability-weighted moments; 0 where nothing varies."""
    n = len(parts)
    rank = np.arange(n)
    once, twice = rank / (n - 1), rank * (rank - 1) / ((n - 1) * (n - 2))
    ordered = np.sort(parts, axis=0)
    spread, third = (2.0 * once - 1.0) @ ordered, (6.0 * twice - 6.0 * once + 1.0) @ ordered
    vary = spread > 1e-12 * n * np.abs(parts).max(axis=0)
    return np.asarray(np.where(vary, third / np.where(vary, spread, 1.0), 0.0))


def _skewness(parts: Array) -> Array:
    """(q,) √G Σ v³/(Σ v²)^1.5 of ``parts`` v with Σ v = 0; 0 where nothing varies."""
    squares = (parts**2).sum(axis=0)
    vary = squares > 0
    return np.asarray(
        np.where(vary, (parts**3).sum(axis=0) * math.sqrt(len(parts)) / np.where(vary, squares, 1.0) ** 1.5, 0.0)
    )


# Few or coarse measurements: p-values that a t-test of them must not go below.
#
# Where each process is fast or slow as a whole, all of one side may be slow and differ by next to nothing: t is then as
# large as one likes. If all n differences lie beyond the bound, the test of their signs has p = 2⁻ⁿ, and of two samples
# of n runs the test that shuffles all runs has 1/C(2n, n). Of two samples of different sizes the larger shows its mean,
# and the k runs of the smaller one are all on one side of that with probability 2⁻ᵏ. No p-value of t falls below these
# where a side has at most ``FEW`` runs, or where differences take at most ``COARSE`` values, as a clock's ticks do.
# From five different runs on t stands: bounded there too, ten pairs could show nothing in a family of forty benchmarks.
#
# However many runs there are, the mean of rounded ones may be off by half a step, and a difference by a whole one
# (``clock_steps``): where differences take so few values, the noise is too small to even this out.

FEW = 4
COARSE = 3


def least_pvalues(old: Array, new: Array, paired: bool) -> Array:
    """(m,) of one-sided tests, for runs in columns, NaN where there is none; 0 where t is not bounded."""
    n_old, n_new = ((~np.isnan(side)).sum(axis=1).astype(float) for side in (old, new))
    fewer = np.minimum(n_old, n_new)
    shuffled = (n_old == n_new) & (not paired)
    least = np.where(shuffled, 1.0 / binom(2.0 * fewer, fewer), 0.5**fewer)
    return np.where((fewer <= FEW) | is_coarse(old, new, paired), least, 0.0)


def clock_steps(old: Array, new: Array, paired: bool) -> Array:
    """(m,) the step of a clock whose noise is too small to even it out: the smallest distance of two values, where more
    than ``FEW`` runs have differences of few values; 0 elsewhere."""
    fewer = np.minimum(*((~np.isnan(side)).sum(axis=1) for side in (old, new)))
    slack = tie_tolerance(np.fmax(_largest(old), _largest(new)))
    distances = np.diff(np.sort(np.concatenate([old, new], axis=1), axis=1), axis=1)
    step = np.where(distances > slack[:, None], distances, np.inf).min(axis=1, initial=np.inf)
    return np.where((fewer > FEW) & np.isfinite(step) & is_coarse(old, new, paired), step, 0.0)


def is_coarse(old: Array, new: Array, paired: bool) -> npt.NDArray[np.bool_]:
    """(m,) do differences new − old, of pairs or of any two runs, take at most ``COARSE`` values?"""
    size = np.fmax(_largest(old), _largest(new))
    slack = tie_tolerance(size)
    if paired:
        return np.asarray(_distinct(new - old, slack) <= COARSE)
    coarse = (_distinct(old, slack) <= COARSE) & (_distinct(new, slack) <= COARSE)
    for i in np.flatnonzero(coarse).tolist():  # few distinct values: few differences
        a, b = (np.unique(side[i][~np.isnan(side[i])]) for side in (old, new))
        coarse[i] = _distinct(np.subtract.outer(b, a).reshape(1, -1), slack[i : i + 1])[0] <= COARSE
    return np.asarray(coarse)


def _largest(runs: Array) -> Array:
    return np.asarray(np.where(np.isnan(runs), 0.0, np.abs(runs)).max(axis=1, initial=0.0))


def _distinct(values: Array, slack: Array) -> Array:
    """(m,) numbers that differ from the next smaller one by more than rounding."""
    if not values.shape[1]:
        return np.zeros(len(values))
    ordered = np.sort(values, axis=1)  # NaN last
    steps = np.diff(ordered, axis=1) > slack[:, None]
    return np.asarray(steps.sum(axis=1) + ~np.isnan(ordered[:, 0]))


# Do the runs of two sides spread equally? Rank-sum tests need it: they are exact if both have one distribution.

LEVEL = 0.05  # of false alarms among tables without unequal spreads


def spread_pvalues(first: Array, second: Array) -> Array:
    """(n,) of runs (n, r), NaN where there is none; 1 where nothing varies, or a side has infinite runs or one.

    Brown and Forsythe's test (1974): Student's t of the distances of runs from the median of their side.
    """
    with np.errstate(all="ignore"):
        d0, d1 = (np.abs(runs - np.nanmedian(runs, axis=1, keepdims=True)) for runs in (first, second))
        n0, n1 = ((~np.isnan(runs)).sum(axis=1) for runs in (first, second))
        pooled = (n0 * np.nanvar(d0, axis=1) + n1 * np.nanvar(d1, axis=1)) / (n0 + n1 - 2)
        t = (np.nanmean(d1, axis=1) - np.nanmean(d0, axis=1)) / np.sqrt(pooled * (1 / n0 + 1 / n1))
    known = np.isfinite(t) & (np.minimum(n0, n1) > 1)
    p = np.ones(len(t))
    p[known] = t_two_sided(t[known], (n0 + n1 - 2)[known])[0]
    return p


def found_unequal(pvalues: Array) -> npt.NDArray[np.intp]:
    """Where spreads are unequal, of all tests of a table: a false discovery rate of 5 % (Benjamini & Hochberg 1995).

    The p-values up to the largest p_(i) <= 5 % · i/m.
    """
    ordered = np.sort(pvalues)
    small = ordered[ordered <= LEVEL * np.arange(1, len(ordered) + 1) / len(ordered)]
    return np.flatnonzero(pvalues <= small[-1]) if len(small) else np.zeros(0, dtype=np.intp)
