"""Binary segmentation: the parts of a history that has changed are searched again, level by level."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.adjusting import adjust
from bakeoff.analyses.history.statistics.permutations import null_of_largest, pvalue_of, takes_all
from bakeoff.analyses.history.statistics.statistic import largest_split
from bakeoff.scores import Array


@dataclass(frozen=True, slots=True)
class Split:
    """In one series without gaps: the new level begins at ``place``."""

    place: int
    statistic: float
    pvalue: float
    level: int


def segmented(
    series: Mapping[int, Array],
    first: Mapping[int, tuple[float, int, float]],
    alpha: float,
    h: int,
    n_resamples: int,
    rng: np.random.Generator,
) -> dict[int, list[Split]]:
    """Splits of each series; ``first`` are statistic, place and adjusted p-value in the whole history.

    Deeper levels: each segment has its own permutations, and Holm over all segments of the level.
    """
    accepted: dict[int, list[Split]] = {key: [] for key in series}
    open_parts: list[tuple[int, int, int]] = []
    for key, (statistic, place, pvalue) in first.items():
        if pvalue <= alpha:
            accepted[key].append(Split(place, statistic, pvalue, 1))
            open_parts += [(key, 0, place), (key, place, len(series[key]))]
    level = 2
    while open_parts:
        parts = [part for part in open_parts if part[2] - part[1] >= 2 * h]
        tested = [_tested(series[key][low:high], h, n_resamples, rng) for key, low, high in parts]
        adjusted = adjust([test[2] for test in tested], "holm").tolist() if tested else []
        open_parts = []
        for (key, low, high), (statistic, place, _), pvalue in zip(parts, tested, adjusted, strict=True):
            if pvalue <= alpha:
                accepted[key].append(Split(low + place, statistic, pvalue, level))
                open_parts += [(key, low, low + place), (key, low + place, high)]
        level += 1
    return {key: sorted(splits, key=lambda split: split.place) for key, splits in accepted.items()}


def _tested(values: Array, h: int, n_resamples: int, rng: np.random.Generator) -> tuple[float, int, float]:
    statistic, place = largest_split(values, h)
    exact = takes_all(len(values))
    return statistic, place, pvalue_of(statistic, null_of_largest([values], h, exact, n_resamples, rng), exact)


def segment_bounds(splits: Sequence[Split], n: int) -> list[tuple[int, int]]:
    """The segments between the splits."""
    cuts = [0, *(split.place for split in splits), n]
    return list(itertools.pairwise(cuts))
