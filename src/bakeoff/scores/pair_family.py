"""The pairs of algorithms that one analysis compares."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from bakeoff.errors import UnknownNameError
from bakeoff.scores._scores import Scores


class OfTwo(Protocol):
    """Has the names of two algorithms."""

    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...


P = TypeVar("P", bound=OfTwo)

Family = list[tuple[int, int]]


def family_of(k: int, control: int | None) -> Family:
    """(a, b) of each comparison: the control and each other algorithm, or every a before b, in column order."""
    if control is None:
        return [(a, b) for a in range(k) for b in range(a + 1, k)]
    return [(control, b) for b in range(k) if b != control]


def pair_of(pairs: Sequence[P], scores: Scores, a: str | int, b: str | int) -> P:
    """That of two algorithms, given by name or column in either order."""
    i, j = scores.pair(a, b)
    wanted = {scores.algorithms[i], scores.algorithms[j]}
    for pair in pairs:
        if {pair.a, pair.b} == wanted:
            return pair
    raise UnknownNameError(f"there is no pair of {' and '.join(sorted(wanted))}: with a control, pairs contain it")
