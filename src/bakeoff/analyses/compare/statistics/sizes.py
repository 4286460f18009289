"""How much: wins, ties, losses, effect and rank-biserial correlation of each pair.

Of large families effects and intervals are computed when they are read, a block of neighbouring pairs at a time: a page
that lists twenty pairs of half a million needs no others, and reading all of them in order computes each once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from bakeoff.analyses.compare.statistics.effect_choice import (
    Bounds,
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
    EVIDENCE,
    SIZES,
    Comparison,
    Effect,
    EffectKind,
    Interval,
    Pair,
    Size,
    Verdict,
)
from bakeoff.analyses.compare.statistics.units import SharedRows, Units
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
    units: Units,
    family: Family,
    tests: Sequence[str],
    verdicts: Sequence[Verdict],
    request: EffectRequest | None,
    rank_biserial: Array | None,
) -> PairSizes:
    """Sizes of the differences, positive where a is better; ``tests`` decided the pairs, with these ``verdicts``.

    ``request``: None if only wins are counted. ``rank_biserial``: if the test found it.
    """
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
        kinds = kinds_of(used.values, two_values(used), family, tests, ties.tolist(), request.scale)
        levels = None
        if read_later(m):
            defined = ~undefined_pairs(used.values, family)
            levels = Levels.of(
                [kind for kind, one in zip(kinds, defined, strict=True) if one], scores.n_problems, request
            )
        later = SizesLater(
            scores=used,
            measured=units.measured,
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
            block = later.block(0, m)
            levels, each = block.levels, block.each()
            if not {"mean", "a12"}.isdisjoint(block.effects["kind"]):
                means = shown_as_means(used, family, each, later.student)
        cautions = levels.cautions
    return PairSizes(wins=wins, ties=ties, losses=losses, each=each, cautions=cautions, means=means)


def sizes_of_rows(
    rows: Sequence[SharedRows],
    tests: Sequence[str],
    verdicts: Sequence[Verdict],
    request: EffectRequest | None,
    rank_biserial: Array | None,
) -> PairSizes:
    """Sizes of all pairs, of those that share their problems together; cautions of those with the fewest."""
    if len(rows) == 1 and rows[0].units is not None:
        return pair_sizes(rows[0].units, rows[0].family, tests, verdicts, request, rank_biserial)
    wins, ties, losses = (np.zeros(len(tests), dtype=np.int64) for _ in range(3))
    each, means, cautions, fewest = [_NONE] * len(tests), list[ShownMean](), tuple[Caution, ...](), math.inf
    for one in rows:
        if one.units is None:
            continue
        of_tests, of_verdicts = [tests[i] for i in one.places], [verdicts[i] for i in one.places]
        sizes = pair_sizes(one.units, one.family, of_tests, of_verdicts, request, None)
        for k, i in enumerate(one.places):
            wins[i], ties[i], losses[i], each[i] = sizes.wins[k], sizes.ties[k], sizes.losses[k], sizes.each[k]
        means += sizes.means
        if sizes.cautions and one.n < fewest:
            cautions, fewest = sizes.cautions, one.n
    return PairSizes(wins=wins, ties=ties, losses=losses, each=each, cautions=cautions, means=tuple(means))


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SizeBlock:
    """Sizes of neighbouring pairs."""

    levels: Levels
    places: list[int]  # of the pairs that have an effect; columns are of these
    effects: dict[str, list[Any]]
    intervals: dict[str, list[Any]]
    rank_biserial: list[float | None]

    def each(self) -> list[Size]:
        sizes: list[Size] = [(None, None, biserial) for biserial in self.rank_biserial]
        effects, intervals = _records(Effect, self.effects), _records(Interval, self.intervals)
        for i, effect, interval in zip(self.places, effects, intervals, strict=True):
            sizes[i] = (effect, interval, self.rank_biserial[i])
        return sizes

    def columns(self) -> tuple[Any, Any, list[float | None]]:
        """Effects, intervals and correlations; where each pair has an effect, the fields of these as columns."""
        if len(self.places) == len(self.rank_biserial):
            return self.effects, self.intervals, self.rank_biserial
        effects, intervals, _ = zip(*self.each(), strict=True)
        return effects, intervals, self.rank_biserial


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
    pooled: list[list[Bounds]] = field(default_factory=list)  # of all pairs, once one is needed

    def __getitem__(self, place: int) -> Size:
        number, i = divmod(place, BLOCK)
        block = self.known.get(number)
        if block is None:
            block = self.block(number * BLOCK, (number + 1) * BLOCK).each()
            self.known.clear()
            self.known[number] = block
        return block[i]

    def block(self, start: int, stop: int) -> SizeBlock:
        family, request, n = self.family[start:stop], self.request, self.scores.n_problems
        kinds, bounds = pair_bounds(
            self.scores, family, self.kinds[start:stop], request.levels, self.n_shifts, self.student
        )
        places = [i for i, kind in enumerate(kinds) if kind is not None]
        of_effects = [kind for kind in kinds if kind is not None]
        levels = self.levels or Levels.of(of_effects, n, request)
        pooled = self._pooled() if request.by_test else None
        effects, intervals = sized(
            of_effects,
            bounds[places],
            None if pooled is None else [pooled[start + i] for i in places],
            [self.verdicts[start + i] for i in places],
            levels,
            request,
        )
        return SizeBlock(
            levels=levels,
            places=places,
            effects=effects,
            intervals=intervals,
            rank_biserial=self._rank_biserial(start, stop, bool(places)),
        )

    def _pooled(self) -> list[Bounds]:
        if not self.pooled and self.request.pooled is not None:
            self.pooled.append(
                pooled_intervals(self.scores, self.family, self.request.pooled, 1.0 - self.request.alpha)
            )
        return self.pooled[0]

    def _rank_biserial(self, start: int, stop: int, needed: bool) -> list[float | None]:
        """Of the pairs with finite differences only."""
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairSource:
    """Where the pairs of a large family look up what they do not have yet: half a million records would take half a
    gigabyte."""

    sizes: list[Size] | SizesLater
    columns: tuple[Array, Array, Array]  # statistic, p, log p
    adjusted: Mapping[str, Array]

    def evidence(self, place: int) -> tuple[float, float, float, dict[str, float]]:
        """The fields of ``EVIDENCE``."""
        statistic, pvalue, log_pvalue = (float(column[place]) for column in self.columns)
        return statistic, pvalue, log_pvalue, {name: float(column[place]) for name, column in self.adjusted.items()}


def read_when_needed(source: PairSource, place: int, values: dict[str, Any]) -> Pair:
    """A pair of these values that looks up its evidence, effect and interval when they are read."""
    pair, put = object.__new__(Pair), object.__setattr__
    put(pair, "_source", source)
    put(pair, "_place", place)
    for name, value in values.items():
        put(pair, name, value)
    return pair


def by_evidence(comparison: Comparison) -> list[Pair]:
    """Pairs by adjusted p, then by the logarithm of raw p, then in the order of the columns."""
    pairs, primary = comparison.pairs, comparison.primary
    source: PairSource | None = getattr(pairs[0], "_source", None) if pairs else None
    if source is None:
        return sorted(pairs, key=lambda pair: (pair.adjusted[primary], pair.log_pvalue))
    return [pairs[i] for i in np.lexsort((source.columns[2], source.adjusted[primary])).tolist()]


def later_columns(pairs: Sequence[Pair], names: Iterable[str], start: int, stop: int) -> dict[str, Any]:
    """What some pairs of a large family have, as lists; none of them keeps what is looked up."""
    block = pairs[start:stop]
    source: PairSource | None = getattr(block[0], "_source", None)
    if source is None or isinstance(source.sizes, list):
        return {name: [getattr(pair, name) for pair in block] for name in names}
    sizes = source.sizes.block(start, stop).columns()
    columns = (column[start:stop].tolist() for column in source.columns)
    adjusted = {name: column[start:stop].tolist() for name, column in source.adjusted.items()}
    ready = dict(zip((*SIZES, *EVIDENCE), (*sizes, *columns, adjusted), strict=True))
    return {name: ready[name] if name in ready else [*map(attrgetter(name), block)] for name in names}
