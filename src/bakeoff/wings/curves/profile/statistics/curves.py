"""Step functions (the share of problems within τ), their bands, and the test of two algorithms by swapping.

Bands are a bootstrap of sup_τ |ρ*(τ) − ρ(τ)| over problems (clusters) drawn again. The swap test asks whether the
largest gap between two profiles is more than exchanging labels gives: if a and b do not differ, their two scores on a
problem can be exchanged; the best of the pool stays what it is, and so do the distances, which merely change owner.
Problems of a cluster are exchanged together. Exact for any number of problems.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bakeoff.effects.curve_bands import dkw_of_clusters, drawn_in_chunks, largest_deviation, suprema
from bakeoff.means.sign_flips import all_bits
from bakeoff.means.strata import drawn_units
from bakeoff.ranks.ties import tie_tolerance
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, codes_of

EVEN = 1 << 40
"""Shares of rows that do not count equally are rounded to multiples of its inverse."""


def steps_of(distances: Array, first: float | None) -> Array:
    """(T,) where any of the curves may rise, after the distance of the best itself."""
    steps = np.unique(distances[np.isfinite(distances)])
    if first is None or (len(steps) and steps[0] == first):
        return steps if len(steps) else np.zeros(1)
    return np.concatenate([[first], steps])


def shares_within(distances: Array, tau: Array, weights: Array | None = None) -> Array:
    """(k, T): the share of the n rows whose distance is at most τ; NaN is within none.

    ``weights`` (n, k), whose columns sum to 1, where rows do not count equally.
    """
    if weights is None:
        within = [np.searchsorted(np.sort(column), tau, side="right") for column in distances.T]
        return np.stack(within) / len(distances)
    order = np.argsort(distances, axis=0, kind="stable")
    heights = np.cumsum(np.take_along_axis(weights, order, axis=0), axis=0)
    heights = np.vstack([np.zeros((1, distances.shape[1])), heights]).round(14)
    ordered = np.take_along_axis(distances, order, axis=0)
    return np.stack([heights[np.searchsorted(ordered[:, j], tau, side="right"), j] for j in range(ordered.shape[1])])


def just_above(tau: Array) -> Array:
    """τ with the tolerance of ties: 0.6 is at most 3 times 0.2, though not in binary."""
    return np.asarray(tau + tie_tolerance(np.abs(tau)))


def half_widths(
    distances: Array, shares: Array | None, codes: Codes, band: float, n_resamples: int, rng: np.random.Generator
) -> Array:
    """(k,) of the band around each curve: clusters of rows are drawn again, with all rows of each."""
    groups = int(codes.max()) + 1

    def draw(size: int) -> Array:
        return suprema(distances, drawn_units(groups, size, rng)[:, codes], shares)

    largest = drawn_in_chunks(draw, n_resamples, max(len(codes), groups))
    return largest_deviation(largest, dkw_of_clusters(codes, band), band)


_CHUNK = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapTest:
    """The largest gap between two profiles, and how probable one as large is if labels may be exchanged."""

    statistic: float  # sup over τ of |share of a − share of b|
    tau: float | None  # where it is first reached; None if the two are never apart
    pvalue: float  # of the largest distance between the two profiles
    exact: bool  # of all exchanges, not of a sample
    n_resamples: int  # 0 where exact


def swap_test(
    distances: Array, shares: Array | None, codes: Codes, n_resamples: int, rng: np.random.Generator
) -> SwapTest:
    """sup_τ |ρ_a(τ) − ρ_b(τ)| of two columns under exchanges within problems: all of them if they are no more than
    ``n_resamples``. ``shares`` (n, 2) of rows that do not count equally."""
    a, b = distances.T
    differing = np.flatnonzero(a != b if shares is None else (a != b) | (shares[:, 0] != shares[:, 1]))
    n = len(a) if shares is None else EVEN
    if not len(differing):
        return SwapTest(statistic=0.0, tau=None, pvalue=1.0, exact=True, n_resamples=0)
    x, y = a[differing], b[differing]
    owner = codes_of([str(code) for code in codes[differing].tolist()])
    groups = int(owner.max()) + 1
    places = np.concatenate([x, y])
    steps = np.ones((len(x), 2)) if shares is None else shares[differing] * EVEN
    gains = np.rint(np.concatenate([steps[:, 0], -steps[:, 1]])).astype(np.int64)
    whose = np.concatenate([owner, owner])
    kept = np.isfinite(places)
    order = np.argsort(places[kept], kind="stable")
    places, gains, whose = (part[kept][order] for part in (places, gains, whose))
    ends = np.flatnonzero(np.append(places[1:] != places[:-1], True))

    gap = np.abs(np.cumsum(gains)[ends])
    observed = int(gap.max())
    tau = float(places[ends[int(gap.argmax())]]) if observed else None
    exact = groups - 1 < 62 and 2 ** (groups - 1) <= n_resamples
    size = 2 ** (groups - 1) if exact else n_resamples
    per_chunk = max(1, _CHUNK // len(places))
    count = 0
    for first in range(0, size, per_chunk):
        rows = min(per_chunk, size - first)
        # exchanging every label changes no absolute gap: the first group need not be exchanged
        bits = all_bits(first, rows, groups).astype(np.int64) if exact else rng.integers(0, 2, (rows, groups))
        signs = 2 * bits - 1
        gaps = np.abs(np.cumsum(signs[:, whose] * gains, axis=1)[:, ends]).max(axis=1)
        count += int((gaps >= observed).sum())
    p = count / size if exact else (1 + count) / (1 + size)
    return SwapTest(statistic=observed / n, tau=tau, pvalue=p, exact=exact, n_resamples=0 if exact else size)


def run_swap_test(
    distances: Array, shares: Array, problems: Codes, n_resamples: int, rng: np.random.Generator
) -> SwapTest:
    """sup_τ |ρ_a(τ) − ρ_b(τ)| of two columns under exchanges of runs within problems, drawn at random."""
    there = shares > 0
    places, weights = distances.T[there.T], np.concatenate([shares[there[:, 0], 0], -shares[there[:, 1], 1]])
    owner = np.concatenate([problems[there[:, 0]], problems[there[:, 1]]])
    kept = np.isfinite(places)
    order = np.argsort(np.where(kept, places, np.inf), kind="stable")[: int(kept.sum())]
    if not len(order):
        return SwapTest(statistic=0.0, tau=None, pvalue=1.0, exact=True, n_resamples=0)
    ends = np.flatnonzero(np.append(places[order][1:] != places[order][:-1], True))

    def gaps(each: Array) -> Array:
        return np.abs(np.cumsum(each[:, order], axis=1)[:, ends]).round(12)

    seen = gaps(weights[None])[0]
    observed = float(seen.max())
    if observed == 0:
        return SwapTest(statistic=0.0, tau=None, pvalue=1.0, exact=True, n_resamples=0)
    cells = [np.flatnonzero(owner == problem) for problem in np.unique(owner)]
    count, per_chunk = 0, max(1, _CHUNK // len(places))
    for first in range(0, n_resamples, per_chunk):
        size = min(per_chunk, n_resamples - first)
        drawn = np.empty((size, len(places)))
        for rows in cells:
            drawn[:, rows] = rng.permuted(np.broadcast_to(weights[rows], (size, len(rows))), axis=1)
        count += int((gaps(drawn).max(axis=1) >= observed).sum())
    tau = float(places[order][ends[int(seen.argmax())]])
    p = (1 + count) / (1 + n_resamples)
    return SwapTest(statistic=observed, tau=tau, pvalue=p, exact=False, n_resamples=n_resamples)
