"""What decided pairs say of the places of all algorithms."""

from collections.abc import Iterable, Sequence
from typing import Protocol


class DecidedPair(Protocol):
    """A pair of which it is shown which is better, or not."""

    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...
    @property
    def verdict(self) -> str: ...


def rank_intervals(algorithms: Sequence[str], pairs: Iterable[DecidedPair]) -> dict[str, tuple[int, int]]:
    """{name: (1 + number shown to be better, k − number shown to be worse)}.

    Where no pair is wrongly decided, all true ranks lie within: their coverage is that of the family (Klein, Wright and
    Wieczorek 2020).
    """
    better, worse = dict.fromkeys(algorithms, 0), dict.fromkeys(algorithms, 0)
    for pair in pairs:
        if pair.verdict in ("a better", "b better"):
            first, second = (pair.a, pair.b) if pair.verdict == "a better" else (pair.b, pair.a)
            worse[first] += 1
            better[second] += 1
    return {name: (1 + better[name], len(algorithms) - worse[name]) for name in algorithms}


def rank_words(ranks: Sequence[int]) -> str:
    """``2–4``, or ``3`` of one place."""
    best, worst = ranks
    return str(best) if best == worst else f"{best}–{worst}"
