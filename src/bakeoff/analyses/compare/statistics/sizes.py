"""The sizes of differences: wins, ties, losses, effect and rank-biserial correlation of each pair.

Of large families effects and intervals are computed when they are read, a block of neighbouring pairs at a time: a page
that lists twenty pairs of half a million needs no others, and reading all of them in order computes each once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from bakeoff.analyses.compare.statistics.effect_choice import (
    EffectRequest,
    Levels,
    effect_scores,
    kinds_of,
    mean_superiority,
    pair_bounds,
    pooled_intervals,
    sized,
)
from bakeoff.analyses.compare.statistics.limits import read_later, too_many_for_sizes
from bakeoff.analyses.compare.statistics.mean_cautions import ShownMean
from bakeoff.analyses.compare.statistics.pair_test import undefined_pairs
from bakeoff.analyses.compare.statistics.results import (
    SIZES,
    Comparison,
    Effect,
    EffectKind,
    Interval,
    Pair,
    Size,
    Verdict,
)
from bakeoff.analyses.compare.statistics.units import SharedRows
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import Caution
from bakeoff.paired.differences import beaten, ordered_differences
from bakeoff.paired.many_pairs import for_signed_ranks
from bakeoff.ranks import Ints
from bakeoff.scores import Array, Scores
from bakeoff.scores.contents import two_values
from bakeoff.scores.pair_family import Family

BLOCK = 500
"""Pairs whose effects are computed together once one of them is read."""
_NONE: Size = (None, None, None)
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSizes:
    """In the order of the family."""

    wins: Ints
    ties: Ints
    losses: Ints
    each: list[Size] | SizesLater  # None where an infinite score leaves no difference to compute
    cautions: tuple[Caution, ...]  # of the intervals: all pairs have as many problems, so one stands for all
    means: tuple[ShownMean, ...] = ()  # none if sizes are computed later


def pair_sizes(
    rows: SharedRows,
    tests: Sequence[str],
    verdicts: Sequence[Verdict],
    request: EffectRequest | None,
    rank_biserial: Array | None,
) -> PairSizes:
    """Sizes of the differences, positive where a is better; ``tests`` decided the pairs, with these ``verdicts``.

    ``request``: None if only wins are counted. ``rank_biserial``: if the test found it.
    """
    units, family = rows.units, rows.family
    if units is None:
        none = np.zeros(len(family), dtype=np.int64)
        return PairSizes(wins=none, ties=none, losses=none, each=[_NONE] * len(family), cautions=())
    scores = units.rows
    won = beaten(scores)
    a, b = np.array(family, dtype=np.intp).T
    wins, losses = won[a, b], won[b, a]
    ties, m = scores.n_problems - wins - losses, len(family)
    each: list[Size] | SizesLater = [_NONE] * m
    cautions: tuple[Caution, ...] = ()
    means: tuple[ShownMean, ...] = ()
    if request is not None and not too_many_for_sizes(scores.n_problems, m):
        used = effect_scores(units, request.scale)
        two = None if units.depend else two_values(used)
        kinds = kinds_of(used.values, two, family, tests, ties.tolist(), request.scale)
        levels = None
        if read_later(m):
            defined = ~undefined_pairs(used.values, family)
            levels = Levels.of(
                [kind for kind, one in zip(kinds, defined, strict=True) if one], scores.n_problems, request
            )
        later = SizesLater(
            scores=used,
            measured=units.ranked if units.depend else units.measured,
            family=family,
            kinds=kinds,
            n_shifts=kinds.count("hodges-lehmann"),
            verdicts=verdicts,
            request=request,
            rank_biserial=rank_biserial,
            student="t" in tests,
            levels=levels,
        )
        each = later
        if levels is None:
            each = later.each(0, m)
            shown = {effect.kind for effect, _, _ in each if effect is not None}
            levels = Levels.of(shown, scores.n_problems, request)
            means = shown_as_means(used, family, each, later.student) if shown & {"mean", "a12"} else ()
        cautions = levels.cautions
    return PairSizes(wins=wins, ties=ties, losses=losses, each=each, cautions=cautions, means=means)


def shown_as_means(scores: Scores, family: Family, each: Sequence[Size], student: bool) -> tuple[ShownMean, ...]:
    """The effects that are means with an interval, and what they are means of."""
    means = []
    for (a, b), (effect, _, _) in zip(family, each, strict=True):
        if effect is None or effect.kind not in ("mean", "a12") or math.isinf(effect.low):
            continue
        values = ordered_differences(scores, a, b).values if effect.kind == "mean" else mean_superiority(scores, a, b)
        if values is not None:
            name = f"{scores.algorithms[a]} – {scores.algorithms[b]}"
            means.append(ShownMean(name=name, values=values, tied=effect.kind == "mean" and not student))
    return tuple(means)


def _records(kind: Callable[..., R], columns: dict[str, list[Any]]) -> Iterator[R]:
    return (kind(**dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SizesLater:
    """Everything that the sizes of a family are computed from."""

    scores: Scores  # of the effects
    measured: Scores
    family: Family
    kinds: list[EffectKind]
    n_shifts: int
    verdicts: Sequence[Verdict]
    request: EffectRequest
    rank_biserial: Array | None
    student: bool  # means are those of the test
    levels: Levels | None  # None: to be found from the effects
    known: dict[int, list[Size]] = field(default_factory=dict)  # the block computed last
    pooled: list[Array] = field(default_factory=list)  # of all pairs, once one is needed

    def __getitem__(self, place: int) -> Size:
        number, i = divmod(place, BLOCK)
        block = self.known.get(number)
        if block is None:
            block = self.each(number * BLOCK, (number + 1) * BLOCK)
            self.known.clear()
            self.known[number] = block
        return block[i]

    def block(self, start: int, stop: int) -> tuple[Any, Any, list[float | None]]:
        """The effects, intervals and correlations of neighbouring pairs; fields as columns if each has an effect."""
        family, request, n = self.family[start:stop], self.request, self.scores.n_problems
        kinds, bounds = pair_bounds(
            self.scores, family, self.kinds[start:stop], request.levels, self.n_shifts, self.student
        )
        places = [i for i, kind in enumerate(kinds) if kind is not None]
        of_effects = [kind for kind in kinds if kind is not None]
        effects, intervals = sized(
            of_effects,
            bounds[places],
            self._pooled(start, places),
            [self.verdicts[start + i] for i in places],
            self.levels or Levels.of(of_effects, n, request),
            request,
        )
        biserial = self._rank_biserial(start, stop, bool(places))
        if len(places) == len(kinds):
            return effects, intervals, biserial
        effect_of = dict(zip(places, _records(Effect, effects), strict=True))
        interval_of = dict(zip(places, _records(Interval, intervals), strict=True))
        return [*map(effect_of.get, range(len(kinds)))], [*map(interval_of.get, range(len(kinds)))], biserial

    def each(self, start: int, stop: int) -> list[Size]:
        """The sizes of neighbouring pairs, one by one."""
        effects, intervals, biserial = self.block(start, stop)
        if isinstance(effects, dict):
            effects, intervals = _records(Effect, effects), _records(Interval, intervals)
        return list(zip(effects, intervals, biserial, strict=True))

    def _pooled(self, start: int, places: Sequence[int]) -> Array | None:
        test, level = self.request.pooled, 1.0 - self.request.alpha
        if test is None or not self.request.by_test:
            return None
        if not self.pooled:
            self.pooled.append(pooled_intervals(self.scores, self.family, test, level))
        return self.pooled[0][[start + i for i in places]]

    def _rank_biserial(self, start: int, stop: int, needed: bool) -> list[float | None]:
        """The correlation of each pair with finite differences."""
        if self.rank_biserial is not None and needed:
            return [*self.rank_biserial[start:stop].tolist()]
        scores, family = self.measured, self.family[start:stop]
        finite, undefined = np.asarray(np.isfinite(scores.values).all(axis=0)), undefined_pairs(scores.values, family)
        usable = [
            needed and bool(finite[a] and finite[b] and not none)
            for (a, b), none in zip(family, undefined, strict=True)
        ]
        pairs = [pair for pair, ok in zip(family, usable, strict=True) if ok]
        correlations = iter(
            for_signed_ranks(scores, pairs, lambda sums: sums.rank_biserial, "The rank-biserial correlation")
        )
        return [next(correlations) if ok else None for ok in usable]


Column: TypeAlias = Any
"""A list or an array with an entry for each pair, or several by name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairColumns:
    """All pairs of a comparison, field by field: half a million records of them would take half a gigabyte."""

    known: Mapping[str, Column]
    sizes: list[Size] | SizesLater

    def pairs(self) -> tuple[Pair, ...]:
        """The records, which hold names and verdict, and read their other fields here."""
        made, put, here = [], object.__setattr__, ("a", "b", "verdict")
        for place, values in enumerate(zip(*(self.known[name] for name in here), strict=True)):
            pair = object.__new__(Pair)
            put(pair, "_columns", self)
            put(pair, "_place", place)
            for name, value in zip(here, values, strict=True):
                put(pair, name, value)
            made.append(pair)
        return tuple(made)

    def values(self, name: str, place: int) -> dict[str, Any]:
        """A field of one pair, with what is computed together with it."""
        if name in SIZES:
            return dict(zip(SIZES, self.sizes[place], strict=True))
        return {name: _part(self.known[name], place) if name in self.known else None}

    def block(self, names: Iterable[str], start: int, stop: int) -> dict[str, Any]:
        """Fields of neighbouring pairs; none of these keeps what is looked up."""
        rows = slice(start, stop)
        sizes = zip(*self.sizes[rows], strict=True) if isinstance(self.sizes, list) else self.sizes.block(start, stop)
        ready = dict(zip(SIZES, sizes, strict=True))
        return {name: ready[name] if name in ready else _part(self.known[name], rows) for name in names}


def _part(column: Column, rows: int | slice) -> Any:
    """One entry, or neighbouring ones, as Python's numbers."""
    if isinstance(column, Mapping):
        return {name: _part(one, rows) for name, one in column.items()}
    part = column[rows]
    return part.tolist() if isinstance(part, np.ndarray | np.generic) else part


def by_evidence(comparison: Comparison) -> list[Pair]:
    """Pairs by adjusted p, then by the logarithm of raw p, then in the order of the columns."""
    pairs, primary = comparison.pairs, comparison.primary
    columns: PairColumns | None = getattr(pairs[0], "_columns", None) if pairs else None
    if columns is None:
        return sorted(pairs, key=lambda pair: (pair.adjusted[primary], pair.log_pvalue))
    return [pairs[i] for i in np.lexsort((columns.known["log_pvalue"], columns.known["adjusted"][primary])).tolist()]
