"""Digits for the rows of a table of scores: enough to see the differences, no more than were measured."""

import math
import sys
from collections.abc import Sequence

import numpy as np

from bakeoff import numerals
from bakeoff.dataclass import dataclass
from bakeoff.scores import Array

OF_RANGE, OF_DEVIATION = 3, 2  # digits of the range of a row; of its typical standard deviation
COARSER, FINER = 2, 1  # powers of ten by which a row may differ from the typical one and still share its decimals
MOST_PLACES, SMALLEST, LARGEST = 10, 1e-4, 1e7  # beyond: significant digits, as powers of ten
LONGEST = 1e9  # digits in all
FEW = 4  # decimals where nothing says how many are wanted
SHORT = 1e5  # a table of scores of up to five digits, three of them decimals, is printed as it is


def middle(values: Sequence[float]) -> tuple[float, float]:
    """The lower and the upper median."""
    ordered, half = sorted(values), len(values) // 2
    return ordered[(len(ordered) - 1) // 2], ordered[half]


@dataclass(frozen=True, slots=True)
class Digits:
    """The digits of one row: fixed decimals, or (``places`` None) significant digits."""

    places: int | None
    significant: int = OF_RANGE

    def write(self, value: float) -> str:
        """The value; a dash where there is none."""
        if math.isnan(value):
            return numerals.MISSING
        if self.places is None:
            return numerals.scientific(value, self.significant)
        return numerals.decimals(value, self.places)

    @property
    def number_format(self) -> str:
        """The same for a spreadsheet."""
        if self.places is None:
            return f"0.{'0' * (self.significant - 1)}E+00"
        return f"0.{'0' * self.places}" if self.places else "0"


def digits_of_rows(values: Array, deviations: Array | None, exact: bool = True) -> list[Digits]:
    """The digits of each row of ``values``; ``exact``: no more decimals than the values themselves have."""
    rows = [[x for x in row if math.isfinite(x)] for row in values.tolist()]
    spreads = [[] for _ in rows] if deviations is None else [_positive(row) for row in deviations.tolist()]
    own = [_places(row, spread) for row, spread in zip(rows, spreads, strict=True)]
    recorded = [_given_places(row) if exact and deviations is None else MOST_PLACES for row in rows]
    most = max(recorded, default=0)
    if exact and deviations is None and most <= OF_RANGE and max(map(_size, rows), default=0.0) * 10.0**most < SHORT:
        return [Digits(most)] * len(rows)
    known = [places for places in own if places is not None]
    typical = int(middle(known)[0]) if known else min(FEW, most)
    alike = [i for i, places in enumerate(own) if places is None or -COARSER <= places - typical <= FINER]
    common = max(0, min(typical, max((recorded[i] for i in alike), default=0)))
    written = []
    for i, (row, places) in enumerate(zip(rows, own, strict=True)):
        shared = common if i in alike else None
        noise = [0.0] * len(row)
        if deviations is not None:
            noise = np.nan_to_num(deviations[i])[np.isfinite(values[i])].tolist()
        written.append(_of_row(row, shared, places, recorded[i], noise, spreads[i]))
    if any(each.places is None for each in written):  # one style for all: powers of ten
        return [_significant(row, spread) for row, spread in zip(rows, spreads, strict=True)]
    return written


def _size(row: Sequence[float]) -> float:
    """The largest number in a row, whatever its sign."""
    return max(map(abs, row), default=0.0)


def _positive(row: Sequence[float]) -> list[float]:
    return [x for x in row if math.isfinite(x) and x > 0.0]


def _places(row: Sequence[float], deviations: Sequence[float]) -> int | None:
    """Decimals that show the differences of a row; None if there are none. Negative: places before the point."""
    if deviations:
        return OF_DEVIATION - 1 - math.floor(math.log10(sum(middle(deviations)) / 2))
    size = _range(row)
    return OF_RANGE - 1 - math.floor(math.log10(size)) if size > 0.0 else None


def _range(row: Sequence[float]) -> float:
    """From the smallest to the largest score, at most the largest number."""
    return min(max(row) - min(row), sys.float_info.max) if row else 0.0


def _given_places(row: Sequence[float]) -> int:
    """The decimals that the scores of a row have, as far as they matter."""
    most = 0
    for value in row:
        most = max(most, _decimals(value))
        if most >= MOST_PLACES:
            break
    return most


def _decimals(value: float) -> int:
    mantissa, _, exponent = repr(value).partition("e")
    after = mantissa.partition(".")[2].rstrip("0")
    return max(0, len(after) - int(exponent or 0)) if after or exponent else 0


def _of_row(
    row: Sequence[float],
    shared: int | None,
    own: int | None,
    recorded: int,
    noise: Sequence[float],
    deviations: Sequence[float],
) -> Digits:
    """The shared decimals if they keep every score apart from 0, else its own, else significant digits."""
    largest = _size(row)
    if largest == 0.0 or SMALLEST <= largest < LARGEST:
        needed = min(max(0, own or 0), recorded)
        for places in ([] if shared is None else [shared]) + [
            needed,
            min(needed + 1, recorded),
            min(needed + 2, recorded),
        ]:
            if (
                places <= MOST_PLACES
                and largest * 10.0**places < LONGEST
                and not any(_vanishes(x, places, own_noise) for x, own_noise in zip(row, noise, strict=True))
            ):
                return Digits(places)
    return _significant(row, deviations)


def _significant(row: Sequence[float], deviations: Sequence[float]) -> Digits:
    """So many digits that the scores differ by their range or deviation."""
    largest, size = _size(row), sum(middle(deviations)) / 2 if deviations else _range(row)
    smallest = min((abs(x) for x in row if x), default=0.0)
    finest = 0  # digits that all scores share; none if they differ by powers of ten
    if smallest > 1e-3 * largest and size > 0.0:
        finest = max(0, math.floor(math.log10(largest / size)))
    usual = OF_DEVIATION if deviations else OF_RANGE
    return Digits(None, min(max(usual + finest, OF_RANGE), 9))


def _vanishes(value: float, places: int, noise: float) -> bool:
    """Would a score that is not 0 be printed as 0 with a deviation of 0: more than its own runs' noise lost?"""
    least = 0.5 * 10.0**-places
    return 0.0 < abs(value) < least and noise < least
