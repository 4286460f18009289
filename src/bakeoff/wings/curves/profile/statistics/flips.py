"""Pairs whose order at some τ reverses when a third algorithm leaves the table (Gould and Scott 2016)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bakeoff.scores import Array
from bakeoff.wings.curves.profile.statistics.curves import EVEN, shares_within
from bakeoff.wings.curves.profile.statistics.results import OrderFlip

MOST = 4096  # τ looked at
_WORK = 10**9  # of pairs, thirds and τ: of more than 78 algorithms fewer τ


def order_flips(
    names: tuple[str, ...], whole: Array, weights: Array | None, without: Callable[[list[int]], Array]
) -> tuple[OrderFlip, ...]:
    """``whole`` are the (n, k) distances, ``without(columns)`` those among the columns alone; the clearest flips first.

    A pair and a third algorithm are listed once, at the τ where the smaller of the two gaps, with and without the
    third, is largest (the first such τ). Looked at are all steps of the curves, or ``MOST`` of them, evenly spread.
    """
    k, n = len(names), len(whole) if weights is None else EVEN  # shares are whole n-ths
    most = max(64, min(MOST, 2 * _WORK // k**3))
    flips: list[tuple[float, OrderFlip]] = []
    for third in range(k) if k > 2 else ():
        rest = [j for j in range(k) if j != third]
        left = without(rest)
        of_rest = None if weights is None else weights[:, rest]
        changed = (left != whole[:, rest]).any(axis=1)
        if not changed.any():
            continue
        tau = np.unique(np.concatenate([whole[:, rest], left]))
        tau = tau[np.isfinite(tau)]
        if len(tau) > most:
            tau = tau[np.linspace(0, len(tau) - 1, most).round().astype(np.int64)]
        before = np.rint(n * shares_within(whole[:, rest], tau, of_rest)).astype(np.int64)
        after = np.rint(n * shares_within(left, tau, of_rest)).astype(np.int64)
        for i in range(len(rest)):
            gap, later = before[i] - before[i + 1 :], after[i] - after[i + 1 :]
            smaller = np.where((gap < 0) == (later > 0), np.minimum(np.abs(gap), np.abs(later)), 0)
            for m in np.flatnonzero(smaller.max(axis=1, initial=0)).tolist():
                j, at = i + 1 + m, int(smaller[m].argmax())
                flip = OrderFlip(
                    a=names[rest[i]],
                    b=names[rest[j]],
                    without=names[third],
                    tau=float(tau[at]),
                    share_a=int(before[i, at]) / n,
                    share_b=int(before[j, at]) / n,
                    share_a_without=int(after[i, at]) / n,
                    share_b_without=int(after[j, at]) / n,
                )
                flips.append((int(smaller[m, at]) / n, flip))
    return tuple(flip for _, flip in sorted(flips, key=lambda each: -each[0]))
