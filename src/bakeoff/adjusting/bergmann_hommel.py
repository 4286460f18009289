"""Bergmann and Hommel's correction, by dynamic programming over subsets of algorithms or over positions on a line."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.accelerator import compiled
from bakeoff.adjusting import bergmann_hommel_line
from bakeoff.adjusting.arithmetic import Pairs
from bakeoff.errors import TooLargeError
from bakeoff.scores import Array

# Largest partitions into cliques, for any p-values: dynamic programming over all subsets of the algorithms.
#
# At threshold t two algorithms may share a block if their p-value is at least t. f(S) = the largest number of pairs
# within blocks over partitions of S; with h the highest member of S, f(S) = max over cliques B ∋ h of
# C(|B|,2) + f(S∖B). All thresholds run side by side: edges only vanish as t grows, so a clique lives in a prefix.

Ints = npt.NDArray[np.int64]
Counts = npt.NDArray[np.uint8]
Index = slice | int
Harvest = Callable[[int, npt.NDArray[np.int32], Counts, Counts, Counts], None]

LIMIT, LIMIT_COMPILED = 18, 20
"""Most algorithms for which 3^k steps are affordable, in NumPy (0.05 s for 12, 1 s for 16, 7 s for 18) and compiled."""

WORTH_COMPILING = 15
"""Algorithms from which loading the compiled twin pays for itself."""


def limit() -> int:
    """Most algorithms that can be done here; the compiled twin goes two further."""
    return LIMIT if compiled(_twin, worth_loading=True) is None else LIMIT_COMPILED


def refuse_large(k: int, method: str) -> None:
    """Raise TooLargeError where the work on arbitrary p-values is out of reach."""
    if k <= LIMIT or k <= (most := limit()):
        return
    more = "" if most == LIMIT_COMPILED else f" ({LIMIT_COMPILED} with the extra 'fast')"
    raise TooLargeError(
        f"method {method!r} takes at most {most} algorithms for arbitrary p-values{more}; got {k}. Use 'shaffer', or "
        "give positions=rank sums if p-values decrease with their distance: then any number is possible."
    )


def most_within(lives: Ints) -> Ints:
    """(T,): the largest number of pairs within blocks at each threshold.

    ``lives`` (k, k) says at how many of the T thresholds, lowest first, the pair may share a block; T on the diagonal.
    """
    if (fast := _compiled(lives)) is not None:
        return _blockwise(fast, lives, (), lambda start, clique, pairs, best, most: np.copyto(most, best[-1]))
    best = _best_partitions(lives, _clique_lives(lives))
    most: Ints = best[-1].astype(np.int64)
    return most


def most_with_pair(lives: Ints) -> Ints:
    """(k, k, T): the same over the partitions that keep the two together; 0 where they cannot be."""
    k, count = len(lives), int(lives[0, 0])
    if (fast := _compiled(lives)) is not None:
        half = _blockwise(
            fast,
            lives,
            (k, k),
            lambda start, clique, pairs, best, most: fast.with_pair(clique, pairs, start, best, most),
        )
        return np.maximum(half, half.transpose(1, 0, 2))
    clique = _clique_lives(lives)
    best = _best_partitions(lives, clique)
    pairs = _pairs_within(k)
    held = best[::-1] + pairs[:, None]  # best[::-1] is indexed by the complement
    held[np.arange(count) >= clique[:, None]] = 0
    cube = held.reshape((2,) * k + (count,))
    most = np.zeros((k, k, count), dtype=np.int64)
    for i in range(k):
        for j in range(i):
            with_both = _at(cube, k, {i: 1, j: 1}).reshape(-1, count)
            most[i, j] = most[j, i] = with_both.max(axis=0)
    return most


def _compiled(lives: Ints) -> ModuleType | None:
    return compiled(_twin, worth_loading=len(lives) >= WORTH_COMPILING)


def _twin() -> ModuleType:
    from bakeoff.adjusting import bergmann_hommel_subsets_compiled

    return bergmann_hommel_subsets_compiled


def _blockwise(fast: ModuleType, lives: Ints, shape: tuple[int, ...], harvest: Harvest) -> Ints:
    """(*shape, T): what ``harvest`` takes from the compiled table of each block of thresholds; one block in memory."""
    k, count, width = len(lives), int(lives[0, 0]), int(fast.LANES)
    clique, pairs = _clique_lives(lives).astype(np.int32), _pairs_within(k)
    best = np.empty((2**k, width), dtype=np.uint8)
    most = np.zeros((*shape, -(-count // width) * width), dtype=np.int64)
    for start in range(0, count, width):
        fast.partitions(clique, pairs, start, best)
        block = np.zeros((*shape, width), dtype=np.uint8)
        harvest(start, clique, pairs, best, block)
        most[..., start : start + width] = block
    return most[..., :count]


def _best_partitions(lives: Ints, clique: Ints) -> Counts:
    """(2^k, T): f of every subset."""
    k, count = len(lives), int(lives[0, 0])
    best, alive = np.zeros((2**k, count), dtype=np.uint8), clique.tolist()
    free: Index = slice(None)
    without: list[tuple[Index, ...]] = [()]  # of a subset of the first h: where smaller subsets hold none of it
    within: list[tuple[Index, ...]] = [()]  # where they hold all of it
    for h in range(k):
        smaller = best[: 2**h].reshape((2,) * h + (count,))
        larger = best[2**h : 2 ** (h + 1)].reshape((2,) * h + (count,))
        larger[...] = smaller  # h alone
        for others in range(1, 2**h):
            n, thresholds = others.bit_count() + 1, slice(0, alive[2**h + others])
            target = larger[(*within[others], thresholds)]
            np.maximum(target, smaller[(*without[others], thresholds)] + np.uint8(n * (n - 1) // 2), out=target)
        without = [(first, *rest) for first in (free, 0) for rest in without]  # the highest bit is the first axis
        within = [(first, *rest) for first in (free, 1) for rest in within]
    return best


def _clique_lives(lives: Ints) -> Ints:
    """(2^k,): at how many thresholds each subset is a clique."""
    k = len(lives)
    clique = np.full(2**k, lives[0, 0])
    for h in range(k):
        to_h = np.full(2**h, lives[0, 0])
        for i in range(h):
            to_h[2**i : 2 ** (i + 1)] = np.minimum(to_h[: 2**i], lives[h, i])
        clique[2**h : 2 ** (h + 1)] = np.minimum(clique[: 2**h], to_h)
    return clique


def _pairs_within(k: int) -> Counts:
    """(2^k,): the pairs within each subset, at most 190 for 20 algorithms."""
    size = np.zeros(2**k, dtype=np.int64)
    for i in range(k):
        size[2**i : 2 ** (i + 1)] = size[: 2**i] + 1
    pairs: Counts = (size * (size - 1) // 2).astype(np.uint8)
    return pairs


def _at(cube: npt.NDArray[Any], k: int, fixed: dict[int, int]) -> npt.NDArray[Any]:
    """The part of a (2, …, 2, T) array in which some bits are fixed; the highest bit is the first axis."""
    return cube[tuple(fixed.get(bit, slice(None)) for bit in range(k - 1, -1, -1))]


# Bergmann and Hommel's correction: the most powerful of those that use only which hypotheses can be true together.


def bergmann_hommel(pairs: Pairs) -> Array:
    """max over exhaustive sets I holding the pair of |I| · min{p in I}, by thresholds t = min{p in I}."""
    distinct, lives = pairs.thresholds()
    k = len(lives)
    adjusted = np.empty((k, k))
    if pairs.order is not None:
        grid = np.ix_(pairs.order, pairs.order)
        adjusted[grid] = bergmann_hommel_line.adjusted_on_line(distinct, lives[grid], pairs.on)
    else:
        refuse_large(k, "bergmann-hommel")
        most = most_with_pair(lives)
        values = pairs.on.times(distinct, np.maximum(most, 1))
        adjusted = np.where(most > 0, values, pairs.on.zero).max(axis=2)
    return adjusted[np.triu_indices(k, 1)]
