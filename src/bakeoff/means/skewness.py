"""Are differences so skewed that t errs more often than it says? A look at what units contribute to their mean.

t has the level α + O(γ/√G), γ the skewness of what a unit contributes to the mean (Hall 1992, The Bootstrap and
Edgeworth Expansion, §2.6). A sample of n has a skewness of at most (n − 2)/√(n − 1), so that few units never pass a
limit in standard errors. Hence a test by signs: if contributions are symmetric about their mean, other signs of them
are as likely, and their skewness is one of those that other signs give. The largest of many columns stands for all
(Westfall & Young 1993), so that at most one in twenty tables with nothing skewed is cautioned.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bakeoff.means.signs import drawn_bits
from bakeoff.means.strata import Stratum
from bakeoff.randomness import generator
from bakeoff.scores import Array

LEVEL = 0.05
RESAMPLES = 199
MATTERS = 0.15  # |γ|/√G below which t at 5 % errs in 5.5 % at most
_CHUNK = 1 << 22


def skewed(differences: Array, strata: Sequence[Stratum]) -> Array:
    """(q,) which columns of ``differences`` (n of the table, q) are skewed over the units of any stratum."""
    found = np.zeros(differences.shape[1], dtype=bool)
    largest = np.abs(differences).max(axis=0)
    differences = differences / np.where(largest > 0, largest, 1.0)
    for stratum in strata:
        sums, sizes = stratum.sums(differences), stratum.sizes.astype(float)
        found |= _skewed(sums - sizes[:, None] * (sums.sum(axis=0) / sizes.sum()), sizes)
    return found


def _skewed(parts: Array, sizes: Array) -> Array:
    """Of ``parts`` (G, q): what each unit adds to a sum of 0."""
    largest = np.abs(parts).max(axis=0)
    some = largest > 1e-9
    result = np.zeros(parts.shape[1], dtype=bool)
    if len(sizes) < 3 or not some.any():
        return result
    parts, sizes = parts[:, some] / largest[some], sizes / sizes.mean()
    order = np.lexsort((np.abs(parts).min(axis=1), np.abs(parts).max(axis=1), sizes))  # signs are of a content
    parts, sizes = parts[order], sizes[order]
    own = _skewness(np.ones((1, len(sizes))), parts, sizes)[0]
    signs = 2.0 * drawn_bits(RESAMPLES, len(sizes), generator(0)) - 1.0
    per_chunk = max(1, _CHUNK // parts.shape[1])
    drawn = np.concatenate(
        [_skewness(signs[i : i + per_chunk], parts, sizes).max(axis=1) for i in range(0, RESAMPLES, per_chunk)]
    )
    p = (1 + (drawn[:, None] >= own * (1.0 - 1e-9)).sum(axis=0)) / (RESAMPLES + 1)
    result[some] = (p <= LEVEL) & (own >= MATTERS * math.sqrt(len(sizes)))
    return result


def _skewness(signs: Array, parts: Array, sizes: Array) -> Array:
    """(B, q) |Σ v³|·√G/(Σ v²)^1.5 of v = ±u_g − c·n_g with c so that Σ v = 0."""
    n, plain = sizes[:, None], signs @ parts
    even = bool((sizes == 1.0).all())
    once, twice = (plain if even else signs @ (parts * n**power) for power in (1, 2))
    c = plain / sizes.sum()
    squares = (parts**2).sum(axis=0) - 2.0 * c * once + c**2 * float((sizes**2).sum())
    cubes = (
        signs @ parts**3 - 3.0 * c * (parts**2 * n).sum(axis=0) + 3.0 * c**2 * twice - c**3 * float((sizes**3).sum())
    )
    spread = np.maximum(squares, 1e-12 * (parts**2).sum(axis=0))
    return np.asarray(np.abs(cubes) * math.sqrt(len(sizes)) / spread**1.5)
