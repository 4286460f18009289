"""The pairs of algorithms that one analysis compares."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, Self, TypeVar

from bakeoff.errors import ParameterError, UnknownNameError
from bakeoff.scores.cells import position


class OfTwo(Protocol):
    """The finding of one analysis for a against b."""

    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def turned(self) -> Any:
        """The same of b against a."""


P = TypeVar("P", bound=OfTwo)
W = TypeVar("W", bound=str)

TURNED: Mapping[str, str] = {
    "a better": "b better",
    "b better": "a better",
    "a not worse": "b not worse",
    "b not worse": "a not worse",
}
"""Verdicts that name one of the two, of b against a; the others stay."""


def shown_better(different: bool, lead: float) -> Literal["a better", "b better", "no difference shown"]:
    """The verdict of a test in both directions; ``lead`` is positive where a is ahead."""
    if not different or lead == 0:
        return "no difference shown"
    return "a better" if lead > 0 else "b better"


def turned_verdict(verdict: W) -> W:
    """The same verdict of b against a."""
    return TURNED.get(verdict, verdict)  # type: ignore[return-value]  # a word of the same vocabulary


def turned_interval(interval: tuple[float, float]) -> tuple[float, float]:
    """The interval of the negated quantity."""
    return 0.0 - interval[1], 0.0 - interval[0]


def turned_ratios(interval: tuple[float, float]) -> tuple[float, float]:
    """The interval of the ratio the other way round."""
    low, high = (1.0 / end if end else math.inf for end in reversed(interval))
    return low, high


def turned_on_scale(scale: str, low: float, high: float) -> tuple[float, float]:
    """The interval of an effect for b against a from one for a against b."""
    if scale == "a12":
        return 1.0 - high, 1.0 - low
    if scale == "percent":
        upper, lower = (100.0 / (1.0 + x / 100.0) - 100.0 if x > -100.0 else math.inf for x in (low, high))
        return lower, upper
    return -high, -low


def two_of(algorithms: tuple[str, ...], a: str | int, b: str | int) -> tuple[int, int]:
    """The places of two different algorithms, each given by name or place."""
    i, j = (position(name, algorithms, "algorithm", parameter) for name, parameter in ((a, "a"), (b, "b")))
    if i == j:
        rule = f"and b must be two different algorithms; both are {algorithms[i]!r}"
        raise ParameterError(rule, parameter="a")
    return i, j


def decision_of_pairs(verdicts: Iterable[str]) -> str:
    """One word for the verdicts of all pairs: "difference" of at least one pair, "equal" or "not worse" of each."""
    words = set(verdicts)
    if words & {"a better", "b better", "above the null value", "below the null value"}:
        return "difference"
    if words <= {"cannot tell", "depends on the missing scores"}:
        return "cannot tell"
    if words <= {"practically equal"}:
        return "equal"
    return "not worse" if words <= {"practically equal", "a not worse", "b not worse"} else "none"


class Turning:
    """A record of two algorithms, of which ``turned`` is the same of b against a."""

    __slots__ = ()

    def _turned(self, **changes: Any) -> Self:
        """Names, wins and losses change places; the verdict names the other one; ``changes`` are of other fields."""
        pair: Any = self
        same: dict[str, Any] = {"a": pair.b, "b": pair.a}
        names = {field.name for field in fields(pair)}
        if "verdict" in names:
            same["verdict"] = turned_verdict(pair.verdict)
        if "wins" in names:
            same |= {"wins": pair.losses, "losses": pair.wins}
        if "difference" in names:
            same["difference"] = 0.0 - pair.difference
        if isinstance(interval := getattr(pair, "interval", None), tuple):
            same["interval"] = turned_interval(interval)
        turned: Self = replace(pair, **(same | changes))
        return turned


class Adjusted(Turning):
    """A pair with a p-value that is adjusted over all of them."""

    __slots__ = ()

    @property
    def adjusted_pvalue(self) -> float:
        """Over the family of pairs; of several corrections that of the first, which decides."""
        adjusted: Any = self.adjusted  # type: ignore[attr-defined]  # of every pair that is one
        return float(next(iter(adjusted.values())) if isinstance(adjusted, Mapping) else adjusted)


class WithPairs(Generic[P]):
    """A result that says something of pairs of algorithms: ``pair(a, b)`` is the one about a against b."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def pairs(self) -> Sequence[P]: ...

    @property
    def decision(self) -> str | None:
        """For scripts: "difference" of at least one pair, "equal" or "not worse" of each, "none" or "cannot tell"."""
        return decision_of_pairs(pair.verdict for pair in self.pairs)

    def _algorithms(self) -> tuple[str, ...]:
        return self.scores.algorithms  # type: ignore[attr-defined, no-any-return]  # of those without: overridden

    def pair(self, a: str | int, b: str | int) -> P:
        """The pair of two algorithms by name (or column), as a against b: turned, if it is listed as b against a."""
        names = self._algorithms()
        i, j = two_of(names, a, b)
        first, second = names[i], names[j]
        for pair in self.pairs:
            if (pair.a, pair.b) == (first, second):
                return pair
            if (pair.a, pair.b) == (second, first):
                return pair.turned  # type: ignore[no-any-return]
        c = getattr(self, "control", None)
        if c is None:
            raise UnknownNameError(f"and b: this result has no pair of {first!r} and {second!r}", parameter="a")
        raise UnknownNameError(
            f"and b: with the control {c!r} there is no pair of {first!r} and {second!r}; there are .pair({c!r}, "
            f"{first!r}) and .pair({c!r}, {second!r}). For every pair: the same call without a control.",
            parameter="a",
        )


Family = list[tuple[int, int]]


def family_of(k: int, control: int | None) -> Family:
    """(a, b) of each comparison: the control and each other algorithm, or every a before b, in column order."""
    if control is None:
        return [(a, b) for a in range(k) for b in range(a + 1, k)]
    return [(control, b) for b in range(k) if b != control]
