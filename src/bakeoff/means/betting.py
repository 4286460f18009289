"""Evidence that paired differences exceed a bound, which may be looked at after every pair.

The order within a pair is drawn. If new's cost is old's plus the bound, the two are therefore exchangeable given all
that was before: x = difference − bound is as likely as −x, whatever drifts. So each pair multiplies a stake by
1 + tanh(λ x), λ ≥ 0 fixed before it, with expectation 1; at most 1 where new is worse by less, since tanh increases.
The stake ever reaches t with probability at most 1/t (Ville 1939; de la Peña 1999 on symmetric differences).
λ = δ/s² makes it the likelihood ratio of a normal difference of mean δ and variance s² against its mirror image. δ is
the margin, or half of it; s² is estimated from the pairs before, with a prior of few degrees of freedom at some
multiples of the margin. Stakes are averaged over these.
"""

import numpy as np

from bakeoff.scores.cells import Array
from bakeoff.special import logsumexp

STAKE = 0.999  # of what is at hand: a pair never takes all of it
_UNKNOWN = ((1.0, 0.9, 2.0, 0.45), (1.0, 2.0, 2.0, 0.45), (0.5, 1.5, 2.0, 0.1))
"""Distance beyond the bound and standard deviation, in margins; degrees of freedom of the latter; weight."""
_KNOWN = ((1.0, 20.0, 0.9), (0.5, 20.0, 0.1))
"""The same where a standard deviation is given: validity does not depend on it."""


def log_stakes(differences: Array, bound: Array | float, margin: Array, spread: float | None = None) -> Array:
    """(m, n) log e of "at most ``bound``" after each pair; ``differences`` (m, n), NaN where there is no pair.

    ``margin`` (m,) and ``spread``, the standard deviation of a difference if known, choose the bets and no more.
    """
    there = ~np.isnan(differences)
    first = differences[np.arange(len(differences)), np.argmax(there, axis=1)] if differences.size else np.empty(0)
    d = np.where(there, differences - first[:, None], 0.0)
    count, total, squares = (_before(column) for column in (there.astype(float), d, d * d))
    deviations = np.maximum(squares - total**2 / np.maximum(count, 1.0), 0.0)
    x = np.where(there, differences - np.reshape(bound, (-1, 1)), 0.0)
    logs, weights = [], []
    for distance, sd, df, weight in _UNKNOWN if spread is None else [(a, spread, df, w) for a, df, w in _KNOWN]:
        prior = (sd * (margin if spread is None else 1.0)) ** 2 * df
        variance = (deviations + np.reshape(prior, (-1, 1))) / (np.maximum(count - 1.0, 0.0) + df)
        bets = np.tanh(distance * margin[:, None] * x / variance)
        logs.append(np.cumsum(np.log1p(STAKE * bets), axis=1))
        weights.append(weight)
    return np.asarray(logsumexp(np.stack(logs), axis=0, b=np.array(weights)[:, None, None]))


def _before(column: Array) -> Array:
    """Sums over the pairs before each."""
    return np.asarray(np.cumsum(column, axis=1) - column)


def anytime_pvalues(differences: Array, bound: Array | float, margin: Array, spread: float | None = None) -> Array:
    """(m,) 1 over the largest evidence so far, at most 1: a p-value at any time of stopping."""
    if not differences.shape[1]:
        return np.ones(len(differences))
    return np.asarray(np.exp(-np.maximum(log_stakes(differences, bound, margin, spread).max(axis=1), 0.0)))


def lower_bounds(differences: Array, alpha: float, margin: Array, spread: float | None = None) -> Array:
    """(m,) the largest bound that was ever excluded at ``alpha``; −∞ where none was."""
    if not differences.size:
        return np.full(len(differences), -np.inf)
    least, most = np.nanmin(differences, axis=1), np.nanmax(differences, axis=1)
    reach = 1e3 * (most - least + margin)
    low, high = least - reach, most.copy()
    none = anytime_pvalues(differences, low, margin, spread) > alpha
    for _ in range(60):
        middle = (low + high) / 2.0
        out = anytime_pvalues(differences, middle, margin, spread) <= alpha
        low, high = np.where(out, middle, low), np.where(out, high, middle)
    return np.where(none, -np.inf, low)
