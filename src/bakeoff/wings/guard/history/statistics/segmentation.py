"""Binary segmentation: the parts of a history that has changed are searched again, level by level."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bakeoff.adjusting import adjust
from bakeoff.scores import Array
from bakeoff.wings.guard.history.statistics.permutations import SingleNulls


@dataclass(frozen=True, slots=True)
class Split:
    """In one series without gaps: the new level begins at ``place``."""

    place: int
    statistic: float
    pvalue: float
    level: int


def segmented(
    series: Mapping[int, Array], first: Mapping[int, tuple[float, int, float]], alpha: float, nulls: SingleNulls
) -> dict[int, list[Split]]:
    """Splits of each series; ``first`` are statistic, place and adjusted p-value in the whole history.

    Deeper levels: each segment is permuted by itself, and Holm over all segments of the level.
    """
    accepted: dict[int, list[Split]] = {key: [] for key in series}
    open_parts: list[tuple[int, int, int]] = []
    for key, (statistic, place, pvalue) in first.items():
        if pvalue <= alpha:
            accepted[key].append(Split(place, statistic, pvalue, 1))
            open_parts += [(key, 0, place), (key, place, len(series[key]))]
    level = 2
    while open_parts:
        parts = [part for part in open_parts if part[2] - part[1] >= 2 * nulls.h]
        tested = [nulls.test(series[key][low:high]) for key, low, high in parts]
        adjusted = adjust([test[2] for test in tested], "holm").tolist() if tested else []
        open_parts = []
        for (key, low, high), (statistic, place, _), pvalue in zip(parts, tested, adjusted, strict=True):
            if pvalue <= alpha:
                accepted[key].append(Split(low + place, statistic, pvalue, level))
                open_parts += [(key, low, low + place), (key, low + place, high)]
        level += 1
    return {key: sorted(splits, key=lambda split: split.place) for key, splits in accepted.items()}


def segment_bounds(splits: Sequence[Split], n: int) -> list[tuple[int, int]]:
    """The segments between the splits."""
    cuts = [0, *(split.place for split in splits), n]
    return list(itertools.pairwise(cuts))
