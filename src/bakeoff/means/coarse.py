"""Few or coarse measurements: p-values that a t-test of them must not go below.

Where each process is fast or slow as a whole, all of one side may be slow and differ by next to nothing: t is then as
large as one likes. If all n differences lie beyond the bound, the test of their signs has p = 2⁻ⁿ, and of two samples
of n runs the test that shuffles all runs has 1/C(2n, n). Of two samples of different sizes the larger shows its mean,
and the k runs of the smaller one are all on one side of that with probability 2⁻ᵏ. No p-value of t falls below these
where a side has at most ``FEW`` runs, or where differences take at most ``COARSE`` values, as a clock's ticks do. From
five different runs on t stands: bounded there too, ten pairs could show nothing in a family of forty benchmarks.

However many runs there are, the mean of rounded ones may be off by half a step, and a difference by a whole one
(``clock_steps``): where differences take so few values, the noise is too small to even this out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import binom

from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array

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
