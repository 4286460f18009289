"""adjust_pairwise(): the p-values of all pairs of algorithms."""

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting._adjust import as_numbers, correction_rule, outside
from bakeoff.adjusting.arithmetic import LOGS, ORDINARY, Pairs
from bakeoff.adjusting.classical import running_max
from bakeoff.adjusting.methods import PAIRWISE_METHODS
from bakeoff.checks import choice
from bakeoff.errors import ParameterError
from bakeoff.ranks import tie_groups
from bakeoff.scores import Array

SLACK = 1e-9
"""Relative difference of p-values that rounding may explain (z from mean ranks instead of rank sums)."""


def adjust_pairwise(
    pvalues: npt.ArrayLike,
    method: str,
    *,
    positions: npt.ArrayLike | None = None,
    monotone: bool = False,
    log: bool = False,
) -> Array:
    """Adjust the p-values of all k(k−1)/2 comparisons between k algorithms.

    Use it when every algorithm is compared with every other; with one control only, :func:`adjust` has more power.
    Rejecting adjusted p ≤ alpha keeps the chance of any false claim below alpha, if every p keeps its level.

    Parameters
    ----------
    pvalues : array_like, shape (k, k)
        Symmetric; the diagonal is ignored.
    method : str
        ``bonferroni``, ``holm``: valid under any dependence. ``shaffer``, ``shaffer-dynamic``, ``bergmann-hommel``, in
        this order of power: too, if equality is transitive. ``hochberg``, ``hommel``: under positive dependence, which
        tests of all pairs do not promise. ``nemenyi``: m·p, as the papers print it; Nemenyi's test itself needs ranks.
    positions : array_like, shape (k,), optional
        Rank sums or mean ranks with whose distance the p-values decrease, as those of z tests on ranks do. Unlocks
        ``bergmann-hommel`` and ``shaffer-dynamic`` at any k.
    monotone : bool
        Take the largest value over all pairs with p at most this one, as the papers' tables do. Matters for
        ``bergmann-hommel`` only, whose definition is not monotone.
    log : bool
        ``pvalues`` are natural logarithms of p-values, and so is what is returned: exact far below 1e-308.

    Returns
    -------
    ndarray, shape (k, k)
        Adjusted p-values: symmetric, never below the raw ones, 1 on the diagonal (0 with ``log``).

    Raises
    ------
    ParameterError
        Not square, not symmetric, not in [0, 1], NaN; positions that the p-values contradict.
    TooLargeError
        Beyond 18 algorithms without ``positions`` for the last two methods (20 with the extra ``fast``).

    Notes
    -----
    Shaffer (1986), Bergmann & Hommel (1988), Garcia & Herrera (2008); Derrac et al. (2011), section 5. Definitions in
    docs/methods.

    Examples
    --------
    >>> import numpy as np, bakeoff as bo
    >>> p = np.array([[1, 0.01, 0.03], [0.01, 1, 0.40], [0.03, 0.40, 1]])
    >>> bo.adjust_pairwise(p, "shaffer")[0]  # Garcia & Herrera: once one pair differs, at most one more can be equal
    array([1.  , 0.03, 0.03])
    """
    choice("method", method, PAIRWISE_METHODS)
    raw = _check_matrix(pvalues, log)
    on = LOGS if log else ORDINARY
    order = None
    if positions is not None:
        order, raw = _along_line(raw, positions, log)
    adjusted = np.full(raw.shape, on.one)
    if len(raw) < 2:
        return adjusted
    pairs = Pairs(matrix=raw, order=order, on=on)
    values = np.clip(PAIRWISE_METHODS[method].function(pairs), pairs.upper, on.one)
    if monotone:
        values = _largest_up_to(values, pairs.upper)
    rows, columns = np.triu_indices(len(raw), 1)
    adjusted[rows, columns] = adjusted[columns, rows] = values
    return adjusted


def _largest_up_to(values: Array, p: Array) -> Array:
    """For each pair the largest value among all with p at most its own; equal p, equal value."""
    order = np.argsort(p, kind="stable")
    largest = running_max(values[order])
    return largest[np.searchsorted(p[order], p, side="right") - 1]


def _check_matrix(pvalues: npt.ArrayLike, log: bool) -> Array:
    raw = as_numbers("pvalues", pvalues)
    if raw.ndim != 2 or raw.shape[0] != raw.shape[1]:
        raise ParameterError(
            f"must be a square table (k, k), one row and column each; got shape {raw.shape}", parameter="pvalues"
        )
    np.fill_diagonal(raw, 0.0)
    bad = np.argwhere(outside(raw, log))
    if bad.size:
        i, j = bad[0]
        raise ParameterError(
            f"must be {correction_rule(log)}; row {i + 1}, column {j + 1} is {raw[i, j]}", parameter="pvalues"
        )
    # both halves may have been computed separately: rounding is no asymmetry, the larger p is taken
    unlike = np.argwhere(~np.isclose(raw, raw.T, rtol=1e-12, atol=0.0))
    if unlike.size:
        i, j = unlike[0]
        raise ParameterError(
            f"must be symmetric; row {i + 1}, column {j + 1} is {raw[i, j]}, but row {j + 1}, "
            f"column {i + 1} is {raw[j, i]}. Give both halves: p + p.T of an upper triangle",
            parameter="pvalues",
        )
    return np.maximum(raw, raw.T) + 0.0


def _along_line(raw: Array, positions: npt.ArrayLike, log: bool) -> tuple[npt.NDArray[np.intp], Array]:
    """The order along the line, and p-values made one non-increasing function of the distance.

    Distances and p-values that differ by rounding only count as equal; the larger p is taken.
    """
    x = _check_positions(positions, len(raw))
    rows, columns = np.triu_indices(len(x), 1)
    order = np.argsort(x, kind="stable")
    if not len(rows):
        return order, raw
    distance = np.abs(x[rows] - x[columns])
    group = tie_groups(distance, np.maximum(np.abs(x[rows]), np.abs(x[columns])))
    p = raw[rows, columns]
    low, high = np.full(group.max() + 1, np.inf), np.full(group.max() + 1, -np.inf)
    np.minimum.at(low, group, p)
    np.maximum.at(high, group, p)
    settled = np.maximum.accumulate(high[::-1])[::-1]  # the largest p at this or a larger distance
    slack = SLACK * np.maximum(1.0, np.abs(settled, where=np.isfinite(settled), out=np.ones_like(settled)))
    floor = settled - slack if log else settled * (1 - SLACK)
    bad = np.flatnonzero(low < floor)
    if bad.size:
        i = int(np.flatnonzero((group == bad[0]) & (p == low[bad[0]]))[0])
        raise ParameterError(
            f"contradict pvalues: algorithms {rows[i] + 1} and {columns[i] + 1}, at distance "
            f"{distance[i]:g}, have p = {p[i]:g}, but a pair at this or a larger distance has "
            f"{settled[bad[0]]:g}. p must be equal at equal distances and "
            "must not increase with the distance; leave positions out for other tests",
            parameter="positions",
        )
    smooth = raw.copy()
    smooth[rows, columns] = smooth[columns, rows] = settled[group]
    return order, smooth


def _check_positions(positions: npt.ArrayLike, k: int) -> Array:
    x = as_numbers("positions", positions)
    if x.shape != (k,):
        raise ParameterError(
            f"must have one value per algorithm, shape ({k},); got shape {x.shape}", parameter="positions"
        )
    if not np.isfinite(x).all():
        raise ParameterError("must be finite numbers", parameter="positions")
    return x
