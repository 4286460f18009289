"""The dominance graph: who is better than whom by the statements that hold together; the better stands higher.

Lines are the transitive reduction: every accepted statement is a line or a path of lines that leads downwards.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from bakeoff.bayes.wording import chance
from bakeoff.figures.geometry.axis import LABEL, MARGIN, SMALL
from bakeoff.figures.geometry.blocks import Block, Edge, Order
from bakeoff.figures.geometry.layers import Layout, lay_out
from bakeoff.figures.geometry.metrics import shorten, text_width
from bakeoff.figures.geometry.notes import draw_caption
from bakeoff.figures.geometry.primitives import Box, Drawing, Item, Polygon, Text

MOST, CROSSINGS = 40, 40  # boxes, and lines that cross; beyond, a graph cannot be followed by eye
_LINE = 9.0  # from name to name in a box
_PAD = 4.0
_ROWS = 6  # names in a column of a box
_ACROSS = 10.0  # between boxes of a layer
_GAPS = (26.0, 17.0)  # between layers: enough, or just enough for a probability
_TALLEST = 720.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    """The names of a box in columns, and how large it is."""

    columns: tuple[tuple[int, ...], ...]
    shown: dict[int, str]
    widths: tuple[float, ...]

    @property
    def width(self) -> float:
        return sum(self.widths) + 8.0 * (len(self.widths) - 1) + 2 * _PAD

    @property
    def height(self) -> float:
        return max(map(len, self.columns)) * _LINE + 2 * _PAD - 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """Boxes as (left, top, width, height), lines as points, and how far down it all reaches."""

    boxes: list[tuple[float, float, float, float]]
    lines: list[list[tuple[float, float]]]
    bottom: float
    falls: bool  # the better is above, else at the left


def dominance_graph(order: Order, width: float, longest: float | None) -> Drawing | None:
    """The graph; None where it does not fit. ``longest``: names are shortened to so many points (None: whole)."""
    if len(order.blocks) > MOST:
        return None
    names = [_names(order, block, longest) for block in order.blocks]
    frame = next(
        (f for way in (_downwards, _rightwards) for gap in _GAPS if (f := way(order, names, width, gap))), None
    )
    if frame is None:
        return None
    lines: list[Item] = [
        Polygon(points=tuple(points), edge="grey", width=0.7, role="edge", hint=edge.hint)
        for edge, points in zip(order.edges, frame.lines, strict=True)
    ]
    heads = [_head(points) for points in frame.lines]
    boxes = [
        item
        for block, name, where in zip(order.blocks, names, frame.boxes, strict=True)
        for item in _box(order, block, name, where)
    ]
    words = order.caption
    labels, unlabelled = _labels(order, frame)
    if order.edges:
        words += " A line: the upper is better." if frame.falls else " A line: the left-hand one is better."
        words += " Beside it: the probability, of several pairs the smallest." if labels else ""
        words += f" {unlabelled} lines have no room for theirs." if unlabelled and labels else ""
    notes, below = draw_caption(words, frame.bottom + 5, width)
    return Drawing(
        width=width,
        height=below + MARGIN,
        form="graph",
        title=f"Who is better than whom, {order.k} algorithms jointly",
        description=in_words(order),
        items=tuple(lines + heads + labels + boxes + notes),
    )


def in_words(order: Order) -> str:
    """The accepted statements, each better one with all that are worse."""
    said = []
    for i in range(order.k):
        worse = [order.labels[j] for j in range(order.k) if order.stated[i, j]]
        if worse:
            said.append(f"{order.labels[i]} is better than {', '.join(worse)}.")
    return " ".join([*said, order.caption])


def _names(order: Order, block: Block, longest: float | None) -> _Names:
    shown = {i: order.labels[i] for i in block.members}
    if longest is not None:
        shown = {i: shorten(text, longest, LABEL) for i, text in shown.items()}
    n_columns = math.ceil(len(block.members) / max(_ROWS, math.sqrt(2 * len(block.members))))
    rows = math.ceil(len(block.members) / n_columns)
    columns = tuple(block.members[c * rows : (c + 1) * rows] for c in range(n_columns))
    columns = tuple(column for column in columns if column)
    widths = tuple(max(text_width(shown[i], LABEL) for i in column) for column in columns)
    return _Names(columns=columns, shown=shown, widths=widths)


def _downwards(order: Order, names: list[_Names], width: float, gap: float) -> _Frame | None:
    """Best at the top."""
    layout = _lay(order, [n.width for n in names], width - 2 * MARGIN)
    if layout is None:
        return None
    sizes = [n.height for n in names]
    tops, bottom = _stack(order, sizes, gap)
    if bottom > _TALLEST:
        return None
    boxes = []
    for v, n in enumerate(names):
        top, deep = tops[order.levels[v]]
        boxes.append((MARGIN + layout.places[v] - n.width / 2, top + (deep - n.height) / 2, n.width, n.height))
    lines = []
    for path, (out, into) in zip(layout.paths, _ports(layout, boxes, 0), strict=True):
        a, b = boxes[path[0]], boxes[path[-1]]
        points = [(out, a[1] + a[3])]
        for bend, level in zip(path[1:-1], range(order.levels[path[0]] + 1, order.levels[path[-1]]), strict=True):
            top, deep = tops[level]
            points += [(MARGIN + layout.places[bend], top), (MARGIN + layout.places[bend], top + deep)]
        lines.append([*points, (into, b[1])])
    return _centred(_Frame(boxes=boxes, lines=lines, bottom=bottom, falls=True), width)


def _rightwards(order: Order, names: list[_Names], width: float, gap: float) -> _Frame | None:
    """Best at the left: for many boxes beside each other in one layer."""
    heights = [n.height for n in names]
    columns, right = _stack(order, [n.width for n in names], gap)
    if right > width:
        return None
    start = (width - right) / 2
    need = max(sum(h + _ACROSS for v, h in enumerate(heights) if order.levels[v] == level) + len(order.edges) * 5.0
               for level in range(order.n_levels))  # fmt: skip
    room = min(need, _TALLEST - 2 * MARGIN)
    layout = _lay(order, heights, room)
    if layout is None:
        return None
    boxes = []
    for v, n in enumerate(names):
        left, _ = columns[order.levels[v]]
        boxes.append((start + left, MARGIN + layout.places[v] - n.height / 2, n.width, n.height))
    lines = []
    for path, (out, into) in zip(layout.paths, _ports(layout, boxes, 1), strict=True):
        a, b = boxes[path[0]], boxes[path[-1]]
        points = [(a[0] + a[2], out)]
        for bend, level in zip(path[1:-1], range(order.levels[path[0]] + 1, order.levels[path[-1]]), strict=True):
            (left, wide), y = columns[level], MARGIN + layout.places[bend]
            points += [(start + left, y), (start + left + wide, y)]
        lines.append([*points, (b[0], into)])
    top = min([box[1] for box in boxes] + [y for line in lines for _, y in line])
    bottom = max([y + h for _, y, _, h in boxes] + [y for line in lines for _, y in line])
    return _moved(_Frame(boxes=boxes, lines=lines, bottom=bottom, falls=False), 0.0, MARGIN - top)


def _centred(frame: _Frame, width: float) -> _Frame:
    left = min([x for x, _, _, _ in frame.boxes] + [x for line in frame.lines for x, _ in line])
    right = max([x + w for x, _, w, _ in frame.boxes] + [x for line in frame.lines for x, _ in line])
    return _moved(frame, (width - left - right) / 2, 0.0)


def _moved(frame: _Frame, dx: float, dy: float) -> _Frame:
    return _Frame(
        boxes=[(x + dx, y + dy, w, h) for x, y, w, h in frame.boxes],
        lines=[[(x + dx, y + dy) for x, y in line] for line in frame.lines],
        bottom=frame.bottom + dy,
        falls=frame.falls,
    )


def _lay(order: Order, sizes: list[float], room: float) -> Layout | None:
    found = lay_out(order.levels, sizes, [(e.better, e.worse) for e in order.edges], _ACROSS, room)
    return found if found and found.crossings <= CROSSINGS else None


def _stack(order: Order, sizes: list[float], gap: float) -> tuple[list[tuple[float, float]], float]:
    """Begin and depth of every layer, and where the last one ends."""
    at, found = MARGIN, []
    for level in range(order.n_levels):
        deep = max(size for v, size in enumerate(sizes) if order.levels[v] == level)
        found.append((at, deep))
        at += deep + gap
    return found, at - gap


def _ports(layout: Layout, boxes: list[tuple[float, float, float, float]], axis: int) -> list[tuple[float, float]]:
    """Where each edge leaves and enters, in the order of where it comes from and goes to: no twists at a box."""
    ports = [[0.0, 0.0] for _ in layout.paths]
    for end in (0, 1):
        for v in range(len(boxes)):
            mine = [i for i, path in enumerate(layout.paths) if path[-end] == v]
            mine.sort(key=lambda i: layout.places[layout.paths[i][1 if end == 0 else -2]])
            start, size = boxes[v][axis], boxes[v][2 + axis]
            for p, i in enumerate(mine):
                ports[i][end] = start + size * (p + 1) / (len(mine) + 1)
    return [(out, into) for out, into in ports]


def _head(points: list[tuple[float, float]]) -> Item:
    """A small arrow head at the worse one."""
    (x1, y1), (x2, y2) = points[-2], points[-1]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    back = (x2 - 4.5 * dx, y2 - 4.5 * dy)
    corners = ((x2, y2), (back[0] - 1.7 * dy, back[1] + 1.7 * dx), (back[0] + 1.7 * dy, back[1] - 1.7 * dx))
    return Polygon(points=corners, fill="grey", role="arrow")


def _box(order: Order, block: Block, names: _Names, where: tuple[float, float, float, float]) -> list[Item]:
    left, top, width, height = where
    about = tuple(order.names[i] for i in block.members)
    items: list[Item] = [
        Box(x=left, y=top, width=width, height=height, fill="white", edge=None if block.cycle else "grey", role="box",
            about=about)
    ]  # fmt: skip
    if block.cycle:
        corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height), (left, top))
        items.append(Polygon(points=corners, edge="accent", width=1.0, dashed=True, role="cycle", about=about))
    x = left + _PAD
    for column, wide in zip(names.columns, names.widths, strict=True):
        for row, i in enumerate(column):
            text, y = names.shown[i], top + _PAD + row * _LINE + 6.0
            hint = order.labels[i] if text != order.labels[i] else ""
            items.append(Text(x=x, y=y, text=text, size=LABEL, role="label", about=(order.names[i],), hint=hint))
        x += wide + 8.0
    return items


def _labels(order: Order, frame: _Frame) -> tuple[list[Item], int]:
    """The probability of every edge on it, where it touches neither a box nor another one; how many have no room."""
    taken = [(x - 1, y - 1, x + w + 1, y + h + 1) for x, y, w, h in frame.boxes]
    items: list[Item] = []
    missing = 0
    for edge, points in zip(order.edges, frame.lines, strict=True):
        found = _label(edge, points, taken)
        missing += not found
        items += found
    return items, missing


def _label(edge: Edge, points: list[tuple[float, float]], taken: list[tuple[float, float, float, float]]) -> list[Item]:
    words = chance(edge.probability)
    half, high = text_width(words, SMALL) / 2 + 1.2, 3.4
    legs = sorted(itertools.pairwise(points), key=lambda leg: -math.dist(*leg))
    for t in (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78):
        for (x1, y1), (x2, y2) in legs[:3]:
            x, y = x1 + t * (x2 - x1), y1 + t * (y2 - y1)
            area = (x - half, y - high, x + half, y + high)
            if all(area[0] >= b[2] or area[2] <= b[0] or area[1] >= b[3] or area[3] <= b[1] for b in taken):
                taken.append(area)
                return [
                    Box(x=area[0], y=area[1], width=2 * half, height=2 * high, fill="white", role="label room"),
                    Text(x=x, y=y + 2.3, text=words, size=SMALL, anchor="middle", colour="accent",
                         role="edge probability", hint=edge.hint),
                ]  # fmt: skip
    return []
