"""What every list has: names with their positions and numbers at the left, and shaded bands of rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bakeoff.figures.geometry.metrics import short_labels, shorten
from bakeoff.figures.geometry.primitives import MARGIN, Box, Item, Text

SHORTEST_NAME = 30.0
SMALLEST_CELL = 0.9  # of a matrix beside the list
_BAND = 5  # rows per band; every second band is shaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Where the names of a list begin and end, and their size, in points; and all of them, to be told apart."""

    left: float
    right: float
    size: float
    labels: tuple[str, ...]


@lru_cache(maxsize=4)
def _apart(labels: tuple[str, ...], limit: float, size: float) -> dict[str, str]:
    """Short labels of which no two are the same; none if only numbers could do that, which the positions are."""
    shown, key = short_labels(labels, limit, size)
    return {} if key else dict(zip(labels, shown, strict=True))


def draw_entry(
    names: Names, i: int, name: str, label: str, y: float, numbers: Sequence[tuple[float, str]], bold: bool = False
) -> list[Item]:
    """Position, name, and numbers (right edge, text) of row ``i`` on the baseline ``y``."""
    about, room = (name,), names.right - names.left
    shown = shorten(_apart(names.labels, room, names.size).get(label, label), room, names.size, bold)
    hint = label if shown != label else ""
    return [
        Text(x=names.left - 4, y=y, text=str(i + 1), anchor="end", colour="grey", role="position"),
        Text(x=names.left, y=y, text=shown, size=names.size, bold=bold, role="label", about=about, hint=hint),
        *(Text(x=x, y=y, text=text, anchor="end", colour="grey", role="value", about=about) for x, text in numbers),
    ]


def draw_bands(k: int, top: float, pitch: float, right: float) -> list[Item]:
    """Alternate blocks of five rows shaded, in long lists."""
    if k <= 3 * _BAND:
        return []
    bands: list[Item] = []
    for first in range(_BAND, k, 2 * _BAND):
        y, height = top + first * pitch, (min(first + _BAND, k) - first) * pitch
        bands.append(Box(x=MARGIN, y=y, width=right - MARGIN, height=height, fill="pale", role="band"))
    return bands
