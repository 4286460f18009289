"""The swap test of two algorithms: is the largest gap between their profiles more than exchanging labels gives?

If a and b do not differ, their two scores on a problem can be exchanged; the best of the pool stays what it is, and so
do the distances, which merely change owner. Problems of a cluster are exchanged together. Exact for any number of
problems.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bakeoff.means.sign_flips import all_bits
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, codes_of
from bakeoff.wings.curves.profile.statistics.curves import EVEN

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
