"""Profiles with bands: two algorithms in one area, more of them in an area each, in front of the others.

The bands of many algorithms in one area hide each other; beside each other they can be read in one colour and in grey.
The axis of τ is logarithmic for ratios and for distances of several orders, else linear.
"""

import math

import numpy as np

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import plain
from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.metrics import printable, short_labels, shorten, text_width
from bakeoff.figures.geometry.notes import Look, captioned, draw_keys, mark_keys, mark_of
from bakeoff.figures.geometry.plot_frame import PlotFrame
from bakeoff.figures.geometry.primitives import (
    COLUMN_MM,
    LABEL,
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Anchor,
    Colour,
    Drawing,
    Item,
    Point,
    Polygon,
    Text,
    Width,
    width_of,
)
from bakeoff.numerals import in_percent, percent, power_of_ten, significant
from bakeoff.scores import Array
from bakeoff.wings.curves.areas import BEHIND, PAGE, Sizes, area_frames, draw_area_axes
from bakeoff.wings.curves.profile.statistics import Profile
from bakeoff.wings.curves.profile.statistics.curves import direction_of

_WIDE = {
    "difference": 100.0,
    "data": 10.0,
    "score": 100.0,
}  # positive distances that span more than this have a logarithmic axis
# of ratios; beyond, who is near the best is known
_ENDS = (1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0)
_NARROW = 2.0  # times its beginning: an axis that ends before has round numbers at equal steps, logarithmic or not


@dataclass(frozen=True, slots=True, kw_only=True)
class TauScale:
    """τ to a place from 0 to 1. ``zero``: a logarithmic axis whose left end stands for 0."""

    low: float
    high: float
    log: bool
    zero: bool
    sign: float = 1.0  # −1: the place of τ is that of −τ

    @property
    def left(self) -> float:
        """The place at the left end: numbers grow to the right."""
        return 0.0 if self.sign > 0 else 1.0

    def beyond(self, tau: float) -> bool:
        return self.sign * tau > self.high + 1e-9 * abs(self.high)

    def place(self, tau: float) -> float:
        """Values beyond the ends are at the ends."""
        tau *= self.sign
        if tau <= self.low:
            return 0.0
        if self.log:
            return min(1.0, math.log(tau / self.low) / math.log(self.high / self.low))
        return min(1.0, (tau - self.low) / (self.high - self.low))

    def ticks(self, width: float) -> list[tuple[float, str]]:
        """Values and their labels, as many as ``width`` points hold."""
        if not self.log or self.high < _NARROW * self.low:
            most = max(2, int(width // 28))
            values = [self.sign * value for value in multiples(self.low, self.high, most)]
            return [(value + 0.0, significant(value + 0.0, 4)) for value in values]
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        values = [10.0**e for e in range(first, last + 1)]
        if last - first < 2:
            finer = [d * 10.0**e for e in range(first - 1, last + 1) for d in (1.0, 2.0, 5.0)]
            values = [x for x in finer if self.low * (1 - 1e-9) <= x <= self.high * (1 + 1e-9)]
        labelled = [(x, "0" if self.zero and x <= self.low * (1 + 1e-9) else _label(x)) for x in values]
        for every in range(1, len(labelled)):
            kept = labelled[::every]
            if self._fit(kept, width):
                return kept
        return labelled[:1]

    def _fit(self, labelled: list[tuple[float, str]], width: float) -> bool:
        """Do the labels not touch each other? The first one begins at its tick, one at the right end ends there."""
        end = -math.inf
        for x, label in labelled:
            wide, at = text_width(label, SMALL), self.place(x) * width
            start = at if x <= self.low else at - wide if self.place(x) > 0.98 else at - wide / 2
            if start < end + 4:
                return False
            end = start + wide
        return True


def _label(value: float) -> str:
    exponent = round(math.log10(value))
    return significant(value, 2) if abs(exponent) <= 3 else power_of_ten(exponent)


def tau_scale(result: Profile) -> TauScale:
    """Choose the axis by the distances that occur."""
    finite = result.distances[np.isfinite(result.distances)]
    if result.form == "ratio":
        most = float(np.quantile(finite, 0.95)) if len(finite) else 2.0
        end = next((end for end in _ENDS if end >= most), _ENDS[-1])
        return TauScale(low=1.0, high=end, log=True, zero=False)
    if result.form == "score" and (
        not len(finite) or finite.min() <= 0 or finite.max() <= _WIDE["score"] * finite.min()
    ):
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
        sign = direction_of(result.scores, result.form)
        return TauScale(low=low, high=high if high > low else low + 1.0, log=False, zero=False, sign=sign)
    positive = finite[finite > 0]
    if not len(positive):
        return TauScale(low=0.0, high=1.0, log=False, zero=False)
    low, high = float(positive.min()), float(positive.max())
    if high > _WIDE[result.form] * low:
        bottom = 10.0 ** (math.floor(math.log10(low) + 1e-9) - (1 if result.form == "difference" else 0))
        return TauScale(low=bottom, high=high, log=True, zero=result.form == "difference")
    return TauScale(low=0.0, high=high, log=False, zero=False)


TOGETHER = 2  # algorithms in one area
_SIZES = Sizes(least=68.0, apart=8.0, ratio=0.72, widest=130.0, lowest=24.0, page=PAGE)
_COLUMN = 56.0  # points of an area in one column of a journal
_FINE = 0.3  # points: steps nearer than this are one
LOOKS: tuple[Look, ...] = (("circle", True, "accent"), ("square", False, "black"))  # of curves in one area


def draw_profile(result: Profile, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.profile``."""
    k = result.scores.n_algorithms
    width = width_of(width_mm, COLUMN_MM if k <= BEHIND else MEDIUM_MM)
    scale = tau_scale(result)
    items, bottom, key = _one_area(result, scale, width) if k <= TOGETHER else _areas(result, scale, width)
    metric = printable(result.scores.metric) if result.scores.metric else None
    name = shorten(f"τ: {result.axis_of(metric)}", width - 2 * MARGIN, LABEL)
    items.append(Text(x=width / 2, y=bottom + 20, text=name, size=LABEL, anchor="middle", role="axis name"))
    y = bottom + 26
    if k <= TOGETHER:
        legend, y = draw_keys(
            mark_keys([printable(result.scores.algorithms[j]) for j in result.order], LOOKS), y, width
        )
        items += legend
    caption = _caption(result, scale) + key
    order = result.order[:20]
    tau = 2.0 if result.form == "ratio" else float(np.median(result.tau))
    at = result.at(tau)
    numbers = "; ".join(f"{plain(result.scores.algorithms[j])} {in_percent(float(at[j]))}" for j in order)
    return captioned(
        items,
        caption,
        y,
        width,
        form="profile",
        title="Profiles with bands",
        spoken=f"At τ = {significant(tau, 3)}: {numbers}.",
    )


def _caption(result: Profile, scale: TauScale) -> str:
    band = f"simultaneous {percent(result.band)} band"
    if result.scores.n_algorithms <= TOGETHER:
        caption = f"Share of {result.counted} {result.relation}, each curve with its {band}."
    else:
        behind = "the others" if result.scores.n_algorithms <= BEHIND else "the highest of all curves"
        caption = f"Share of {result.counted} {result.relation}, of each algorithm with its {band}; grey: {behind}."
    beyond = np.isfinite(result.distances) & (result.distances > scale.high + 1e-9 * abs(scale.high))
    among = int((~np.isnan(result.distances)).sum())
    if beyond.any():
        caption += f" Not shown: distances beyond {significant(scale.high, 4)} ({int(beyond.sum())} of {among})."
    return caption


# --- one area ---------------------------------------------------------------------------------------------------


def _one_area(result: Profile, scale: TauScale, width: float) -> tuple[list[Item], float, str]:
    top = MARGIN + LABEL + 6
    left, right = MARGIN + text_width("100 %", SMALL) + 6, width - MARGIN - 8
    frame = _frame(scale, left, right, top, 0.62 * (right - left))
    items: list[Item] = [_name(result)]
    items += [_band(result, j, scale, frame, "tint1" if i == 0 else "pale") for i, j in enumerate(result.order)]
    for i, j in enumerate(result.order):
        edge: Colour = "light" if i else "tint3"
        items += [_edge(result, j, scale, frame, side, edge) for side in (result.lower, result.upper)]
    items += _axes(scale, frame, numbers=True, values=True)
    for i, j in enumerate(result.order):
        items.append(_curve(result, j, scale, frame, LOOKS[i][2], 1.1, dashed=i > 0))
        items += _marks(result, j, scale, frame, i)
    return items, frame.bottom, ""


def _name(result: Profile) -> Text:
    y = MARGIN + LABEL - 1
    return Text(x=MARGIN, y=y, text=f"share of {result.counted}", size=LABEL, role="axis name")


def _frame(scale: TauScale, left: float, right: float, top: float, height: float) -> PlotFrame:
    x = {"low_x": scale.left, "high_x": 1.0 - scale.left}
    return PlotFrame(**x, low_y=0.0, high_y=1.0, left=left, right=right, top=top, bottom=top + height)


def _marks(result: Profile, j: int, scale: TauScale, frame: PlotFrame, i: int) -> list[Item]:
    """Place marks along a curve, elsewhere on each."""
    items: list[Item] = []
    name = result.scores.algorithms[j]
    for m in range(5):
        place = (m + 0.3 * (i + 1)) / 5
        y = frame.y(_height(result.share[j], result.tau, scale, place))
        items.append(replace(mark_of(LOOKS[i], frame.x(place), y), role="curve mark", about=(name,)))
    return items


def _height(shares: Array, tau: Array, scale: TauScale, place: float) -> float:
    """The height of a curve at a place of the axis."""
    reached = sum(scale.place(t) <= place + 1e-12 for t in tau.tolist())
    return float(shares[reached - 1]) if reached else 0.0


# --- several areas ----------------------------------------------------------------------------------------------


def _areas(result: Profile, scale: TauScale, width: float) -> tuple[list[Item], float, str]:
    left = MARGIN + text_width("100 %", SMALL) + 6
    x, k, room = (scale.left, 1.0 - scale.left), result.scores.n_algorithms, width - left - MARGIN - 4
    sizes = _SIZES._replace(least=_COLUMN) if width < 300 else _SIZES
    areas = area_frames(k, x, (0.0, 1.0), left, room, sizes)
    items: list[Item] = [_name(result)]
    paths = _behind(result, scale)
    names = [result.scores.algorithms[j] for j in result.order]
    titles, key = short_labels(names, areas[0].frame.right - left - 1, SMALL, bold=True)
    for j, name, title, (frame, first, last) in zip(result.order, names, titles, areas, strict=True):
        items.append(
            Text(x=frame.left + 1, y=frame.top - 3, text=title, bold=True, role="name", about=(name,), hint=name)
        )
        items.append(_band(result, j, scale, frame, "tint1"))
        items += (Polygon(points=frame.points(path), edge="light", width=0.5, role="other curve") for path in paths)
        items += _axes(scale, frame, numbers=last, values=first)
        items.append(_curve(result, j, scale, frame, "accent", 1.2, dashed=False))
    return items, areas[-1].frame.bottom, key


def _behind(result: Profile, scale: TauScale) -> list[list[Point]]:
    """Curves behind every area: the other curves, or of many the highest."""
    if result.scores.n_algorithms <= BEHIND:
        return [_path(result.share[j], result.tau, scale) for j in result.order]
    return [_path(result.share.max(axis=0), result.tau, scale)]


# --- parts ------------------------------------------------------------------------------------------------------


def _axes(scale: TauScale, frame: PlotFrame, numbers: bool, values: bool) -> list[Item]:
    """``numbers`` below, ``values`` at the left."""
    below: list[tuple[float, str, Anchor]] = []
    for tau, label in scale.ticks(frame.right - frame.left):
        x = frame.x(scale.place(tau))
        at_end = (x - frame.left) / (frame.right - frame.left) > 0.98
        anchor: Anchor = "start" if x <= frame.left else "end" if at_end else "middle"
        below.append((x, label if numbers else "", anchor))
    shares = ((0.0, "0"), (0.5, "50 %"), (1.0, "100 %"))
    return draw_area_axes(frame, below, [(share, label if values else "") for share, label in shares])


def _path(shares: Array, tau: Array, scale: TauScale) -> list[Point]:
    """Corners of a step curve, places from 0 to 1; steps that could not be told apart are one."""
    height, last = 0.0, 0.0
    path: list[Point] = []
    for t, share in zip(tau.tolist(), shares.tolist(), strict=True):
        place = scale.place(t)
        if place >= 1.0 and scale.beyond(t):
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
    result: Profile, j: int, scale: TauScale, frame: PlotFrame, colour: Colour, width: float, dashed: bool
) -> Item:
    name = result.scores.algorithms[j]
    path = frame.points(_path(result.share[j], result.tau, scale))
    hint = f"{plain(name)}: {in_percent(float(result.solved[j]))} within any τ"
    return Polygon(points=path, edge=colour, width=width, dashed=dashed, role="curve", about=(name,), hint=hint)


def _band(result: Profile, j: int, scale: TauScale, frame: PlotFrame, fill: Colour) -> Item:
    upper, lower = (_path(side[j], result.tau, scale) for side in (result.upper, result.lower))
    points = frame.points((*upper, *reversed(lower)))
    return Polygon(points=points, fill=fill, role="band", about=(result.scores.algorithms[j],))


def _edge(result: Profile, j: int, scale: TauScale, frame: PlotFrame, side: Array, colour: Colour) -> Item:
    points = frame.points(_path(side[j], result.tau, scale))
    return Polygon(points=points, edge=colour, width=0.5, role="band edge", about=(result.scores.algorithms[j],))
