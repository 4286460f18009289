"""Profiles with bands: two algorithms in one area, more of them in an area each, in front of the others.

The bands of many algorithms in one area hide each other; beside each other they can be read in one colour and in grey.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import printable, shorten, text_width
from bakeoff.figures.geometry.notes import Key, captioned, draw_keys
from bakeoff.figures.geometry.plot_frame import PlotFrame
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    SMALL,
    Anchor,
    Colour,
    Drawing,
    Item,
    Mark,
    Point,
    Polygon,
    Shape,
    Stroke,
    Text,
)
from bakeoff.figures.geometry.profile.scales import TauScale, tau_scale
from bakeoff.figures.geometry.widths import COLUMN_MM, MEDIUM_MM, Width, width_of
from bakeoff.numerals import in_percent, percent, significant
from bakeoff.profiles import Profile
from bakeoff.scores import Array

TOGETHER = 2  # algorithms in one area
BEHIND = 12  # algorithms; of more, the highest curve alone stands behind each
_NARROWEST, _COLUMN = 68.0, 56.0  # points of an area among several, and in one column of a journal
_TITLE = 10.0
_PAGE, _LOWEST = 600.0, 24.0  # points: all rows are on one page, unless areas would be too low to read
_FINE = 0.3  # points: steps nearer than this are one
LOOKS: tuple[tuple[Colour, bool, Shape, bool], ...] = (
    ("accent", False, "circle", True),
    ("black", True, "square", False),
)
"""Colour, dashes, mark and whether it is filled, of curves in one area."""


def draw_profile(found: Profile, width_mm: Width) -> Drawing:
    """Of the result of ``bo.profile``."""
    k = found.scores.n_algorithms
    width = width_of(width_mm, COLUMN_MM if k <= BEHIND else MEDIUM_MM)
    scale = tau_scale(found)
    items, bottom = _one_area(found, scale, width) if k <= TOGETHER else _areas(found, scale, width)
    name = shorten(f"τ: {axis_name(found)}", width - 2 * MARGIN, LABEL)
    items.append(Text(x=width / 2, y=bottom + 20, text=name, size=LABEL, anchor="middle", role="axis name"))
    y = bottom + 26
    if k <= TOGETHER:
        legend, y = draw_keys(_keys(found), y, width)
        items += legend
    caption = _caption(found, scale)
    order = found.order[:20]
    tau = 2.0 if found.form == "ratio" else float(np.median(found.tau))
    at = found.at(tau)
    said = "; ".join(f"{plain(found.scores.algorithms[j])} {in_percent(float(at[j]))}" for j in order)
    return captioned(
        items,
        caption,
        y,
        width,
        form="profile",
        title="Profiles with bands",
        description=f"{caption} At τ = {significant(tau, 3)}: {said}.",
    )


def axis_name(found: Profile) -> str:
    """What τ is, for an axis."""
    what = printable(found.scores.metric) if found.scores.metric else "score"
    if found.form == "data":
        return what if found.scores.metric else "budget"
    if found.form == "difference":
        return f"difference from the best {what}"
    return f"best {what} / {what}" if found.scores.better == "higher" else f"{what} / best {what}"


def _caption(found: Profile, scale: TauScale) -> str:
    band = f"simultaneous {percent(found.band)} band"
    if found.scores.n_algorithms <= TOGETHER:
        said = f"Share of problems within τ, each curve with its {band}."
    else:
        behind = "the others" if found.scores.n_algorithms <= BEHIND else "the highest of all curves"
        said = f"Share of problems within τ, of each algorithm with its {band}; grey: {behind}."
    beyond = np.isfinite(found.distances) & (found.distances > scale.high * (1 + 1e-9))
    if beyond.any():
        said += f" Not shown: distances beyond {significant(scale.high, 4)} ({int(beyond.sum())} of {beyond.size})."
    return said


# --- one area ---------------------------------------------------------------------------------------------------


def _one_area(found: Profile, scale: TauScale, width: float) -> tuple[list[Item], float]:
    top = MARGIN + LABEL + 6
    frame = _frame(MARGIN + text_width("100 %", SMALL) + 6, width - MARGIN - 8, top, 0.62)
    items: list[Item] = [Text(x=MARGIN, y=MARGIN + LABEL - 1, text="share of problems", size=LABEL, role="axis name")]
    items += [_band(found, j, scale, frame, "tint1" if i == 0 else "pale") for i, j in enumerate(found.order)]
    for i, j in enumerate(found.order):
        edge: Colour = "light" if i else "tint3"
        items += [_edge(found, j, scale, frame, side, edge) for side in (found.lower, found.upper)]
    items += _axes(scale, frame, numbers=True, values=True)
    for i, j in enumerate(found.order):
        colour, dashed, _, _ = LOOKS[i]
        items.append(_curve(found, j, scale, frame, colour, 1.1, dashed))
        items += _marks(found, j, scale, frame, i)
    return items, frame.bottom


def _frame(left: float, right: float, top: float, ratio: float) -> PlotFrame:
    height = ratio * (right - left)
    return PlotFrame(low_x=0.0, high_x=1.0, low_y=0.0, high_y=1.0, left=left, right=right, top=top, bottom=top + height)


def _keys(found: Profile) -> list[Key]:
    return [
        Key(words=printable(found.scores.algorithms[j]), mark=_mark(i, 0.0, 0.0)) for i, j in enumerate(found.order)
    ]


def _mark(i: int, x: float, y: float) -> Mark:
    colour, _, shape, filled = LOOKS[i]
    return Mark(x=x, y=y, shape=shape, filled=filled, colour=colour, radius=2.0)


def _marks(found: Profile, j: int, scale: TauScale, frame: PlotFrame, i: int) -> list[Item]:
    """At some places along a curve, others for each."""
    items: list[Item] = []
    name = found.scores.algorithms[j]
    for m in range(5):
        place = (m + 0.3 * (i + 1)) / 5
        y = frame.y(_height(found.share[j], found.tau, scale, place))
        items.append(replace(_mark(i, frame.x(place), y), role="curve mark", about=(name,)))
    return items


def _height(shares: Array, tau: Array, scale: TauScale, place: float) -> float:
    """Of a curve at a place of the axis."""
    reached = sum(scale.place(t) <= place + 1e-12 for t in tau.tolist())
    return float(shares[reached - 1]) if reached else 0.0


# --- several areas ----------------------------------------------------------------------------------------------


def _areas(found: Profile, scale: TauScale, width: float) -> tuple[list[Item], float]:
    k = found.scores.n_algorithms
    left, apart = MARGIN + text_width("100 %", SMALL) + 6, 8.0
    room = width - left - MARGIN - 4
    least = _COLUMN if width < 300 else _NARROWEST
    across = max(1, min(k, int((room + apart) // (least + apart))))
    across = math.ceil(k / math.ceil(k / across))  # the last row is as full as it can be
    size = (room - (across - 1) * apart) / across
    rows = math.ceil(k / across)
    high = max(_LOWEST, min(0.72 * min(size, 130.0), _PAGE / rows - _TITLE - 6))
    top = MARGIN + LABEL + 5 + _TITLE
    items: list[Item] = [Text(x=MARGIN, y=MARGIN + LABEL - 1, text="share of problems", size=LABEL, role="axis name")]
    paths = _behind(found, scale)
    bottom = top
    for i, j in enumerate(found.order):
        row, column = divmod(i, across)
        x = left + column * (size + apart)
        y = top + row * (high + _TITLE + 6)
        frame = PlotFrame(low_x=0.0, high_x=1.0, low_y=0.0, high_y=1.0, left=x, right=x + size, top=y, bottom=y + high)
        bottom = max(bottom, frame.bottom)
        items += _panel(found, j, scale, frame, paths, first=column == 0, last=i + across >= k)
    return items, bottom


def _panel(
    found: Profile, j: int, scale: TauScale, frame: PlotFrame, paths: Sequence[list[Point]], first: bool, last: bool
) -> list[Item]:
    name = found.scores.algorithms[j]
    items: list[Item] = [_band(found, j, scale, frame, "tint1")]
    for path in paths:
        at = tuple((frame.x(x), frame.y(y)) for x, y in path)
        items.append(Polygon(points=at, edge="light", width=0.5, role="other curve"))
    items += _axes(scale, frame, numbers=last, values=first)
    items.append(_curve(found, j, scale, frame, "accent", 1.2, dashed=False))
    words = shorten(printable(name), frame.right - frame.left, SMALL)
    items.append(Text(x=frame.left + 1, y=frame.top - 3, text=words, bold=True, role="name", about=(name,), hint=name))
    return items


def _behind(found: Profile, scale: TauScale) -> list[list[Point]]:
    """What stands behind every area: the other curves, or of many the highest."""
    if found.scores.n_algorithms <= BEHIND:
        return [_path(found.share[j], found.tau, scale) for j in found.order]
    return [_path(found.share.max(axis=0), found.tau, scale)]


# --- parts ------------------------------------------------------------------------------------------------------


def _axes(scale: TauScale, frame: PlotFrame, numbers: bool, values: bool) -> list[Item]:
    """``numbers`` below, ``values`` at the left."""
    items: list[Item] = [
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.right, y2=frame.bottom, role="axis"),
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.left, y2=frame.top, role="axis"),
    ]
    for tau, label in scale.ticks(frame.right - frame.left):
        x = frame.x(scale.place(tau))
        items.append(Stroke(x1=x, y1=frame.bottom, x2=x, y2=frame.bottom + 2.5, role="tick"))
        if numbers:
            anchor: Anchor = "start" if tau <= scale.low else "end" if scale.place(tau) > 0.98 else "middle"
            items.append(Text(x=x, y=frame.bottom + 10, text=label, anchor=anchor, role="tick label"))
    for share, label in ((0.0, "0"), (0.5, "50 %"), (1.0, "100 %")):
        y = frame.y(share)
        items.append(Stroke(x1=frame.left - 2.5, y1=y, x2=frame.left, y2=y, role="tick"))
        if values:
            items.append(Text(x=frame.left - 4, y=y + 2.3, text=label, anchor="end", role="tick label"))
    return items


def _path(shares: Array, tau: Array, scale: TauScale) -> list[Point]:
    """Corners of a step curve, places from 0 to 1; steps that could not be told apart are one."""
    height, last = 0.0, 0.0
    path: list[Point] = []
    for t, share in zip(tau.tolist(), shares.tolist(), strict=True):
        place = scale.place(t)
        if place >= 1.0 and t > scale.high * (1 + 1e-9):
            break
        if share == height:
            continue
        if path and place - last < _FINE / 200:
            path[-1] = (last, share)
        elif place <= 0.0:
            path = [(0.0, share)]
        else:
            path += [(place, height), (place, share)] if path else [(0.0, 0.0), (place, 0.0), (place, share)]
            last = place
        height = share
    return [*(path or [(0.0, 0.0)]), (1.0, height)]


def _curve(
    found: Profile, j: int, scale: TauScale, frame: PlotFrame, colour: Colour, width: float, dashed: bool
) -> Item:
    name = found.scores.algorithms[j]
    path = tuple((frame.x(x), frame.y(y)) for x, y in _path(found.share[j], found.tau, scale))
    hint = f"{plain(name)}: {in_percent(float(found.solved[j]))} within any τ"
    return Polygon(points=path, edge=colour, width=width, dashed=dashed, role="curve", about=(name,), hint=hint)


def _band(found: Profile, j: int, scale: TauScale, frame: PlotFrame, fill: Colour) -> Item:
    upper, lower = (_path_from(found, side, j, scale) for side in (found.upper, found.lower))
    points = tuple((frame.x(x), frame.y(y)) for x, y in (*upper, *reversed(lower)))
    return Polygon(points=points, fill=fill, role="band", about=(found.scores.algorithms[j],))


def _edge(found: Profile, j: int, scale: TauScale, frame: PlotFrame, side: Array, colour: Colour) -> Item:
    points = tuple((frame.x(x), frame.y(y)) for x, y in _path_from(found, side, j, scale))
    return Polygon(points=points, edge=colour, width=0.5, role="band edge", about=(found.scores.algorithms[j],))


def _path_from(found: Profile, side: Array, j: int, scale: TauScale) -> list[Point]:
    """Of an edge of the band, which need not begin at 0."""
    return _path(side[j], found.tau, scale)
