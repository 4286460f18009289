"""Times that are equal for all purposes: within a second, or within five per cent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array
from bakeoff.scores.margins import read_margin

_RULE = 'must be a number above 0 in the unit of the times, or a percentage such as "5%"'


@dataclass(frozen=True, slots=True, kw_only=True)
class TieTolerance:
    """Two times tie if the larger is at most ``reach`` of the smaller: the same rule whichever comes first."""

    value: float
    relative: bool

    @property
    def given(self) -> float | str:
        """As a caller writes it."""
        return f"{100.0 * self.value:.12g}%" if self.relative else self.value

    def reach(self, times: Array) -> Array:
        """The largest time that is equal to each, decided on decimals: 3.1 is 2.1 + 1. Of a solved run it is finite."""
        with np.errstate(over="ignore"):
            ends = times * (1.0 + self.value) if self.relative else times + self.value
            ends = np.minimum(ends + tie_tolerance(ends), np.finfo(np.float64).max)
        return np.asarray(np.where(np.isfinite(times), ends, times))


def tolerance_of(ties: float | str | None) -> TieTolerance | None:
    if ties is None:
        return None
    value, relative = read_margin(ties, _RULE, "the largest difference that does not count", parameter="ties")
    return TieTolerance(value=value, relative=relative)
