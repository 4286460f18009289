"""The distribution of the largest |t| over pairs and budgets, step-down, from signs of units that all of them share.

A resample flips the whole curves of a unit (a problem, or a cluster), one sign for all budgets and pairs, so that the
dependence along a curve and between pairs stays. Where the curves of the differences are symmetric about 0 for those
pairs and budgets without a difference, jointly, the family-wise error is at most alpha (Westfall and Young 1993,
Algorithm 4.1; the maximum over all hypotheses not yet rejected is at least that over the true ones).

Statistics are compared by u = |Σ ±d|/√Σd², whose order is that of t (``means.signs``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bakeoff.means.sign_flips import all_bits, drawn_bits, flipped_t
from bakeoff.scores import Array

_CHUNK = 1 << 21  # numbers at a time; fixed, so that the answer does not depend on the machine
_ROUNDING = 1e-9  # relative: two statistics that differ by less are tied


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDown:
    """Shaped as the differences without their first axis."""

    statistic: Array  # t of the mean difference; infinite where all differences are equal and not 0
    pvalue: Array
    adjusted: Array
    exact: bool
    size: int  # choices of signs, the observed one among them


def step_down(differences: Array, rng: np.random.Generator, n_resamples: int) -> StepDown:
    """``differences`` (G, …), a row per unit."""
    groups, shape = len(differences), differences.shape[1:]
    flat = differences.reshape(groups, -1)
    squares = np.einsum("ij,ij->j", flat, flat)
    with np.errstate(divide="ignore"):
        scaled = flat * np.where(squares > 0, 1 / np.sqrt(squares), 0.0)
    sums = scaled.sum(axis=0)
    observed = np.abs(sums)
    order = np.argsort(-observed, kind="stable")
    exact = groups - 1 <= 40 and 2 ** (groups - 1) <= n_resamples + 1
    bits = all_bits(0, 2 ** (groups - 1), groups) if exact else drawn_bits(n_resamples, groups, rng)
    signs = np.ascontiguousarray(1.0 - 2.0 * bits.T)
    own, successive = _counts(scaled[:, order], observed[order], signs)
    size = signs.shape[1] + (0 if exact else 1)
    extra = 0 if exact else 1
    pvalue, adjusted = np.empty(len(order)), np.empty(len(order))
    pvalue[order] = (own + extra) / size
    adjusted[order] = np.maximum.accumulate((successive + extra) / size)
    return StepDown(
        statistic=flipped_t(sums, groups).reshape(shape),
        pvalue=pvalue.reshape(shape),
        adjusted=adjusted.reshape(shape),
        exact=exact,
        size=size,
    )


def _counts(columns: Array, observed: Array, signs: Array) -> tuple[Array, Array]:
    """How often each is as large as observed; and the largest of it and of all smaller ones. Descending order."""
    m, size = len(observed), signs.shape[1]
    own, successive = np.empty(m), np.empty(m)
    largest = np.zeros(size)
    per_chunk = max(1, _CHUNK // size)
    for last in range(m, 0, -per_chunk):
        first = max(0, last - per_chunk)
        sums = columns[:, first:last].T @ signs
        np.abs(sums, out=sums)
        least = observed[first:last] * (1 - _ROUNDING)
        for row in range(last - first - 1, -1, -1):
            np.maximum(largest, sums[row], out=largest)
            own[first + row] = np.count_nonzero(sums[row] >= least[row])
            successive[first + row] = np.count_nonzero(largest >= least[row])
    return own, successive
