"""The compiled twins of ``subsets``: the same whole numbers, thirty-two thresholds at a time.

Imported only through ``bakeoff.accelerator``. A subset is a number whose bits are its members. Tables are
(2^k, LANES): row = subset, column = threshold − start. A clique lives in a prefix of the thresholds, so further up only
the few cliques that live there cost anything.
"""

from typing import Any

import numpy as np
from numba import njit

LANES = 32
"""Thresholds side by side: one instruction takes them all."""


@njit(cache=True)
def partitions(clique: Any, pairs: Any, start: int, best: Any) -> None:
    """Most pairs within blocks over partitions of each subset, at the thresholds from ``start`` on.

    With h the highest member of S: f(S) = max over cliques B ∋ h of C(|B|,2) + f(S∖B). ``clique`` (2^k,) says at how
    many thresholds a subset is a clique, ``pairs`` (2^k,) is C(|B|,2).
    """
    living = np.empty(LANES, np.uint8)
    best[0] = 0
    top = 1
    while top < len(best):
        smaller, larger = best[:top], best[top : 2 * top]
        larger[:] = smaller  # h alone
        for others in range(1, top):
            alive, gain = clique[top | others] - start, pairs[top | others]
            if alive <= 0:
                continue
            for t in range(LANES):
                living[t] = 255 if t < alive else 0
            free = (top - 1) ^ others
            rest = free
            while True:
                source, target = smaller[rest], larger[rest | others]
                for t in range(LANES):
                    count = np.uint8(np.uint8(source[t] + gain) & living[t])
                    target[t] = count if count > target[t] else target[t]
                if rest == 0:
                    break
                rest = (rest - 1) & free
        top *= 2


@njit(cache=True)
def with_pair(clique: Any, pairs: Any, start: int, best: Any, most: Any) -> None:
    """Raise ``most`` (k, k, LANES), i > j: C(|B|,2) + f(complement of B) over the cliques B that hold i and j."""
    k, everything = len(most), len(best) - 1
    member, held = np.empty(k, np.int64), np.empty(LANES, np.uint8)
    for s in range(len(best)):
        alive, gain = clique[s] - start, pairs[s]
        if alive <= 0:
            continue
        size = 0
        for i in range(k):
            if s >> i & 1:
                member[size] = i
                size += 1
        rest = best[everything ^ s]
        for t in range(LANES):
            held[t] = np.uint8(rest[t] + gain) if t < alive else 0
        for x in range(size):
            for y in range(x):
                target = most[member[x], member[y]]
                for t in range(LANES):
                    target[t] = held[t] if held[t] > target[t] else target[t]
