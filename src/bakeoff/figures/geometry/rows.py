"""Rows of a list: names, positions and numbers at the left, and estimates with intervals on one axis."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution
from bakeoff.figures.geometry.metrics import pair_labels, short_labels, shorten, text_width
from bakeoff.figures.geometry.plot_frame import (
    PlotFrame,
    Ticks,
    draw_no_difference,
    draw_x_axis,
    finished_plot,
    plot_frame,
    widened,
)
from bakeoff.figures.geometry.primitives import (
    COLUMN_MM,
    LABEL,
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Box,
    Drawing,
    Item,
    Mark,
    Polygon,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.numerals import score

# What every list has: names with their positions and numbers at the left, and shaded bands of rows.

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


# Rows of estimates with intervals on one axis, an overall one on top: how they lie, whatever they are estimates of.

LISTED = 40  # rows of a figure that leaves rows out; its caption says which ones
NAMED = 60  # rows; beyond, they are too low for names
_PITCH = 9.0
_TALLEST = 300.0
_LONGEST = 0.4  # of the width: names
_ARROW = 4.0  # points
_FAR = 2.0  # ends of intervals may lie so many times the usual length beyond the estimates


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """``low`` and ``high`` are None where only the estimate is known, ``value`` where nothing could be estimated.

    ``words`` stand at the right. ``pair``: the two names in ``name``, which are shortened one by one. ``filled``: the
    mark is a disk, else a ring. ``hint`` and ``interval_hint`` are shown where one points at the mark (without it: name
    and estimate), and at the interval.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    words: str = ""
    filled: bool = True
    bold: bool = False
    hint: str = ""
    interval_hint: str = ""
    pair: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """``overall`` is drawn as a diamond, if there is one; ``margin`` as a solid line with its name above.

    ``ticks``: of an axis that is not linear, where ``value``, ``low`` and ``high`` of the rows are places on it.
    """

    rows: tuple[ForestRow, ...]
    unit: str
    caption: str
    overall: ForestRow | None = None
    percent: bool = False
    equal: float | None = 0.0  # where neither is better
    margin: tuple[float, str] | None = None
    reach: tuple[float, float] | None = None  # of the axis; None: as the estimates need
    ticks: Ticks | None = None
    column: str = ""  # head of the words at the right
    widest: float = 0.3  # of the width: words at the right
    between: str = " – "  # the names of a pair
    title: str = "Estimated differences with intervals"
    form: str = "forest"
    spoken: str | None = None  # to screen readers, after the caption; None: how many are above ``equal``


def draw_forest(forest: Forest, width_mm: Width) -> Drawing:
    """The rows in the order given."""
    named = len(forest.rows) <= NAMED
    width = width_of(width_mm, MEDIUM_MM if named else COLUMN_MM)
    rows = [*([] if forest.overall is None else [forest.overall]), *forest.rows]
    pitch = _PITCH if named else _TALLEST / len(rows)
    names, key = _names(forest, rows, _LONGEST * width) if named else ([""] * len(rows), "")
    left = MARGIN + max((text_width(n, SMALL, r.bold) for n, r in zip(names, rows, strict=True)), default=0.0) + 8
    words = [shorten(r.words, forest.widest * width, SMALL, r.bold) for r in rows]
    widest = max(text_width(w, SMALL, r.bold) for w, r in zip([forest.column, *words], [rows[0], *rows], strict=True))
    right = width - MARGIN - widest - 8 if widest else None
    height = pitch * (len(rows) + 0.5)
    frame = plot_frame(forest.reach or _limits(forest, rows), (0.0, 1.0), width, height, left=left, right=right)
    middle = (frame.left + frame.right) / 2
    unit = shorten(forest.unit, 2 * (min(middle, width - middle) - MARGIN), LABEL)
    items: list[Item] = [
        *draw_x_axis(frame, unit, 100.0 if forest.percent else 1.0, ticks=forest.ticks),
        *_lines(forest, frame),
    ]
    if forest.column:
        items.append(Text(x=width - MARGIN, y=frame.top - 4, text=forest.column, anchor="end", colour="grey",
                          role="column"))  # fmt: skip
    for i, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = frame.top + pitch * (i + 0.5)
        over_all = row is forest.overall
        items += _diamond(frame, row, y) if over_all else _row(frame, row, y, named)
        if name:
            items.append(Text(x=left - 6, y=y + 2.3, text=name, anchor="end", bold=over_all or row.bold, role="name",
                              about=(row.name,), hint=row.name))  # fmt: skip
        if words[i]:
            items.append(Text(x=width - MARGIN, y=y + 2.3, text=words[i], anchor="end", bold=row.bold, role="value",
                              about=(row.name,), hint=row.words if words[i] != row.words else ""))  # fmt: skip
    caption = forest.caption + key
    if any(item.role == "goes on" for item in items):
        caption += " An arrow: beyond the axis."
    spoken = forest.spoken
    if spoken is None and forest.equal is not None:
        above = sum(r.value is not None and r.value > forest.equal for r in forest.rows)
        spoken = f"{above} of {len(forest.rows)} estimates are above {forest.equal:g}."
    return finished_plot(frame, items, caption, width, form=forest.form, title=forest.title, spoken=spoken or "")


def _names(forest: Forest, rows: Sequence[ForestRow], room: float) -> tuple[list[str], str]:
    bold, pairs = any(row.bold for row in rows), [row.pair for row in rows if row.pair is not None]
    if len(pairs) == len(rows):
        return pair_labels(pairs, room, SMALL, bold, forest.between)
    return short_labels([row.name for row in rows], room, SMALL, bold)


def rows_left_out(count: int, of: str) -> str:
    """The sentence of a caption that says how many rows are drawn; empty if all are. ``of``: ``algorithms``."""
    return f" The first {LISTED} of {count} {of}, as in the table." if count > LISTED else ""


def check_first(cautions: Iterable[Caution]) -> str:
    """The sentence of a caption that names what must be settled before anything is read; empty if there is nothing."""
    names = [caution.name for caution in cautions if caution.severity == "stop"]
    return f" Check this first: {', '.join(names)}." if names else ""


def _lines(forest: Forest, frame: PlotFrame) -> list[Item]:
    items: list[Item] = [] if forest.equal is None else [draw_no_difference(frame, forest.equal)]
    if forest.margin is not None:
        x, name = frame.x(forest.margin[0]), forest.margin[1]
        half = text_width(name, SMALL) / 2
        middle = min(max(x, frame.left + half), frame.right - half)
        items += [
            Stroke(x1=x, y1=frame.top - 2, x2=x, y2=frame.bottom, role="margin"),
            Text(x=middle, y=frame.top - 4, text=name, anchor="middle", colour="grey", role="margin"),
        ]
    return items


def _limits(forest: Forest, rows: Sequence[ForestRow]) -> tuple[float, float]:
    """All estimates and lines, and the ends of intervals that are not far away from all of these."""
    fixed = [] if forest.equal is None else [forest.equal]
    fixed += [] if forest.margin is None else [forest.margin[0]]
    fixed += [r.value for r in rows if r.value is not None and abs(r.value) < 1e300]
    ends = [v for r in rows for v in (r.low, r.high) if v is not None and abs(v) < 1e300]
    low, high = min(fixed), max(fixed)
    lengths = sorted(
        r.high - r.low for r in rows if r.low is not None and r.high is not None and r.high - r.low < 1e300
    )
    usual = lengths[(len(lengths) - 1) // 2] if lengths else 0.0
    room = _FAR * max(high - low, usual)
    ends = [min(max(v, low - room), high + room) for v in ends]
    return widened(min(low, *ends), max(high, *ends)) if ends else widened(low, high)


def _within(frame: PlotFrame, value: float) -> float:
    """Values beyond the axis are drawn at its end."""
    return min(max(value, frame.low_x), frame.high_x)


def _row(frame: PlotFrame, row: ForestRow, y: float, named: bool) -> list[Item]:
    about = (row.name,)
    items: list[Item] = []
    known = row.low is not None and row.high is not None
    values = [v for v in (row.value, *((row.low, row.high) if known else ())) if v is not None]
    if row.low is not None and row.high is not None:
        x1, x2 = (frame.x(_within(frame, v)) for v in (row.low, row.high))
        items.append(Stroke(x1=x1, y1=y, x2=x2, y2=y, colour="tint3", width=1.2 if named else 0.5, role="interval",
                            about=about, hint=row.interval_hint))  # fmt: skip
    if named and values:
        left, right = min(values) < frame.low_x, max(values) > frame.high_x
        for x, back in [(frame.left, _ARROW)] * left + [(frame.right, -_ARROW)] * right:
            points = ((x, y), (x + back, y - 2.2), (x + back, y + 2.2))
            items.append(Polygon(points=points, fill="tint3", role="goes on", about=about))
    if row.value is not None:
        beyond = (row.value > frame.high_x) - (row.value < frame.low_x)  # beside the arrow, then
        x = frame.x(_within(frame, row.value)) - (_ARROW + 2.4) * beyond
        items.append(Mark(x=x, y=y, radius=1.6 if named else 0.8, filled=row.filled, colour="accent", role="estimate",
                          about=about, hint=row.hint or f"{row.name}: {score(row.value)}"))  # fmt: skip
    return items


def _diamond(frame: PlotFrame, row: ForestRow, y: float) -> list[Item]:
    assert row.value is not None
    assert row.low is not None
    assert row.high is not None
    x1, x2 = (frame.x(_within(frame, v)) for v in (row.low, row.high))
    middle = frame.x(_within(frame, row.value))
    points = ((x1, y), (middle, y - 3.2), (x2, y), (middle, y + 3.2))
    return [Polygon(points=points, fill="black", role="overall", about=(row.name,), hint=f"{score(row.value)}")]
