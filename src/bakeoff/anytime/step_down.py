"""The law of the largest |t| over pairs and budgets, step-down, from signs of units that all of them share.

A resample flips the whole curves of a unit (a problem, or a cluster), one sign for all budgets and pairs, so that the
dependence along a curve and between pairs stays. Where the curves of the differences are symmetric about 0 for those
pairs and budgets without a difference, jointly, the family-wise error is at most alpha (Westfall and Young 1993,
Algorithm 4.1; the maximum over all hypotheses not yet rejected is at least that over the true ones).

With G units t² = (G − 1)u²/(G − u²), u = |Σ ±d|/√Σd²: the signs leave the denominator of u, and its order is t's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
    signs = _all_signs(groups) if exact else _drawn_signs(groups, n_resamples, rng)
    own, successive = _counts(scaled[:, order], observed[order], signs)
    size = signs.shape[1] + (0 if exact else 1)
    extra = 0 if exact else 1
    pvalue, adjusted = np.empty(len(order)), np.empty(len(order))
    pvalue[order] = (own + extra) / size
    adjusted[order] = np.maximum.accumulate((successive + extra) / size)
    return StepDown(
        statistic=_as_t(sums, groups).reshape(shape),
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
        found = columns[:, first:last].T @ signs
        np.abs(found, out=found)
        least = observed[first:last] * (1 - _ROUNDING)
        for row in range(last - first - 1, -1, -1):
            np.maximum(largest, found[row], out=largest)
            own[first + row] = np.count_nonzero(found[row] >= least[row])
            successive[first + row] = np.count_nonzero(largest >= least[row])
    return own, successive


def _as_t(sums: Array, groups: int) -> Array:
    left = groups - sums**2
    left = np.where(left <= 1e-13 * groups, 0.0, left)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(sums == 0, 0.0, sums * np.sqrt((groups - 1) / left)))


def _all_signs(groups: int) -> Array:
    """(G, 2^(G − 1)): the first is always plus, as all others turned round give the same |t|."""
    numbers = np.arange(2 ** (groups - 1), dtype=np.int64)
    bits = (numbers >> np.arange(groups - 1, -1, -1)[:, None]) & 1
    return np.asarray(1.0 - 2.0 * bits)


def _drawn_signs(groups: int, count: int, rng: np.random.Generator) -> Array:
    packed = rng.integers(0, 256, size=(count, -(-groups // 8)), dtype=np.uint8)
    return np.ascontiguousarray(1.0 - 2.0 * np.unpackbits(packed, axis=1, count=groups).T)
