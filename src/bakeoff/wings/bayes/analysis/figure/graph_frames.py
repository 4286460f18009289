"""Coordinates of a dominance graph: layers from top to bottom or, if one is too wide, from left to right."""

import math
from dataclasses import dataclass, replace

from bakeoff.figures.geometry.metrics import shorten, text_width
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, Point, Rectangle
from bakeoff.wings.bayes.analysis.figure.blocks import Block, Order
from bakeoff.wings.bayes.analysis.figure.graph_layers import Layout, lay_out

LINE, PAD = 9.0, 4.0  # from name to name in a box, and between names and its sides
CROSSINGS = 40  # crossings of lines; beyond, they cannot be followed by eye
_ROWS = 6  # names in a column of a box
_ACROSS = 10.0  # between boxes of a layer
_GAPS = (26.0, 17.0)  # between layers: enough, or just enough for a probability
_TALLEST = 720.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxNames:
    """The names of a box in columns, and how large it is."""

    columns: tuple[tuple[int, ...], ...]
    shown: dict[int, str]
    widths: tuple[float, ...]

    @property
    def width(self) -> float:
        return sum(self.widths) + 8.0 * (len(self.widths) - 1) + 2 * PAD

    @property
    def height(self) -> float:
        return max(map(len, self.columns)) * LINE + 2 * PAD - 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Boxes as (left, top, width, height), lines as points, and the lower end of all."""

    boxes: list[Rectangle]
    lines: list[list[Point]]
    bottom: float
    falls: bool  # the better is above, else at the left


def place_boxes(order: Order, names: list[BoxNames], width: float) -> Frame | None:
    """The first layout that fits the page and whose lines can be followed."""
    return next((f for way in (_downwards, _rightwards) for gap in _GAPS if (f := way(order, names, width, gap))), None)


def names_of(order: Order, block: Block, longest: float | None) -> BoxNames:
    shown = {i: order.labels[i] for i in block.members}
    if longest is not None:
        shown = {i: shorten(text, longest, LABEL) for i, text in shown.items()}
    n_columns = math.ceil(len(block.members) / max(_ROWS, math.sqrt(2 * len(block.members))))
    rows = math.ceil(len(block.members) / n_columns)
    columns = tuple(block.members[start : start + rows] for start in range(0, len(block.members), rows))
    widths = tuple(max(text_width(shown[i], LABEL) for i in column) for column in columns)
    return BoxNames(columns=columns, shown=shown, widths=widths)


def _downwards(order: Order, names: list[BoxNames], width: float, gap: float) -> Frame | None:
    """Best at the top."""
    layout = _lay(order, [n.width for n in names], width - 2 * MARGIN)
    if layout is None:
        return None
    tops, bottom = _stack(order, [n.height for n in names], gap)
    if bottom > _TALLEST:
        return None
    boxes = []
    for v, n in enumerate(names):
        top, deep = tops[order.levels[v]]
        boxes.append((MARGIN + layout.places[v] - n.width / 2, top + (deep - n.height) / 2, n.width, n.height))
    lines = []
    for path, (out, into) in zip(layout.paths, _ports(layout, boxes, 0), strict=True):
        a, b = boxes[path[0]], boxes[path[-1]]
        ways = _way(order, layout, path, out, into, tops)
        lines.append(_without_repeats([(out, a[1] + a[3]), *((x, y) for y, x in ways), (into, b[1])]))
    return _centred(Frame(boxes=boxes, lines=lines, bottom=bottom, falls=True), width)


def _rightwards(order: Order, names: list[BoxNames], width: float, gap: float) -> Frame | None:
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
        ways = _way(order, layout, path, out, into, columns)
        lines.append(_without_repeats([(a[0] + a[2], out), *((start + x, y) for x, y in ways), (b[0], into)]))
    top = min([box[1] for box in boxes] + [y for line in lines for _, y in line])
    bottom = max([y + h for _, y, _, h in boxes] + [y for line in lines for _, y in line])
    return _moved(Frame(boxes=boxes, lines=lines, bottom=bottom, falls=False), 0.0, MARGIN - top)


def _way(order: Order, layout: Layout, path: list[int], out: float, into: float, layers: list[Point]) -> list[Point]:
    """(along, across) the layers: straight inside a layer, where boxes stand; slanting only between layers."""
    first, last = order.levels[path[0]], order.levels[path[-1]]
    points = [(sum(layers[first]), out)]
    for bend, level in zip(path[1:-1], range(first + 1, last), strict=True):
        begin, deep = layers[level]
        place = MARGIN + layout.places[bend]
        points += [(begin, place), (begin + deep, place)]
    return [*points, (layers[last][0], into)]


def _without_repeats(points: list[Point]) -> list[Point]:
    kept = points[:1]
    for point in points[1:]:
        if math.dist(point, kept[-1]) > 1e-6:
            kept.append(point)
    return kept


def _centred(frame: Frame, width: float) -> Frame:
    left = min([x for x, _, _, _ in frame.boxes] + [x for line in frame.lines for x, _ in line])
    right = max([x + w for x, _, w, _ in frame.boxes] + [x for line in frame.lines for x, _ in line])
    return _moved(frame, (width - left - right) / 2, 0.0)


def _moved(frame: Frame, dx: float, dy: float) -> Frame:
    boxes = [(x + dx, y + dy, w, h) for x, y, w, h in frame.boxes]
    lines = [[(x + dx, y + dy) for x, y in line] for line in frame.lines]
    return replace(frame, boxes=boxes, lines=lines, bottom=frame.bottom + dy)


def _lay(order: Order, sizes: list[float], room: float) -> Layout | None:
    layout = lay_out(order.levels, sizes, [(e.better, e.worse) for e in order.edges], _ACROSS, room)
    return layout if layout and layout.crossings <= CROSSINGS else None


def _stack(order: Order, sizes: list[float], gap: float) -> tuple[list[Point], float]:
    """Begin and depth of every layer, and where the last one ends."""
    at, frames = MARGIN, []
    for level in range(order.n_levels):
        deep = max(size for v, size in enumerate(sizes) if order.levels[v] == level)
        frames.append((at, deep))
        at += deep + gap
    return frames, at - gap


def _ports(layout: Layout, boxes: list[Rectangle], axis: int) -> list[Point]:
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
