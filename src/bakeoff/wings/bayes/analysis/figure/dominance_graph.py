"""The dominance graph of jointly accepted statements; the better algorithm is above.

Lines are the transitive reduction: every accepted statement is a line or a path of lines that leads downwards.
"""

import itertools
import math

from bakeoff.errors import counted
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.notes import captioned
from bakeoff.figures.geometry.primitives import (
    LABEL,
    SMALL,
    Box,
    Drawing,
    Item,
    Point,
    Polygon,
    Rectangle,
    Text,
    crosses,
    overlap,
)
from bakeoff.wings.bayes.analysis.figure.blocks import Block, Edge, Order, graph_notes
from bakeoff.wings.bayes.analysis.figure.graph_frames import LINE, PAD, BoxNames, Frame, names_of, place_boxes
from bakeoff.wings.bayes.statements.wording import chance

MOST = 40  # boxes; larger graphs cannot be followed by eye


def dominance_graph(order: Order, width: float, longest: float | None) -> Drawing | None:
    """The graph; None if it does not fit. ``longest``: names are shortened to this many points (None: whole)."""
    if len(order.blocks) > MOST:
        return None
    names = [names_of(order, block, longest) for block in order.blocks]
    frame = place_boxes(order, names, width)
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
    words = graph_notes(order)
    labels, unlabelled = _labels(order, frame, width)
    if order.edges:
        words += " A line: the upper is better." if frame.falls else " A line: the left-hand one is better."
        words += " Beside it: the probability, of several pairs the smallest." if labels else ""
        words += f" {counted(unlabelled, 'line')} without room for it." if unlabelled and labels else ""
    return statements_drawing("graph", order, lines + heads + labels + boxes, words, frame.bottom + 5, width)


def statements_drawing(form: str, order: Order, items: list[Item], more: str, y: float, width: float) -> Drawing:
    """The drawing of ``items``; its caption is that of the order and ``more``."""
    title = f"Who is better than whom, {order.k} algorithms jointly"
    return captioned(items, order.caption + more, y, width, form=form, title=title, description=_in_words(order))


def _in_words(order: Order) -> str:
    """The accepted statements, each better one with all that are worse."""
    sentences = []
    for i in range(order.k):
        worse = [order.labels[j] for j in range(order.k) if order.stated[i, j]]
        if worse:
            sentences.append(f"{order.labels[i]} is better than {', '.join(worse)}.")
    return " ".join([*sentences, order.caption + graph_notes(order)])


def _head(points: list[Point]) -> Item:
    """A small arrow head at the worse one."""
    (x1, y1), (x2, y2) = points[-2], points[-1]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    back = (x2 - 4.5 * dx, y2 - 4.5 * dy)
    corners = ((x2, y2), (back[0] - 1.7 * dy, back[1] + 1.7 * dx), (back[0] + 1.7 * dy, back[1] - 1.7 * dx))
    return Polygon(points=corners, fill="grey", role="arrow")


def _box(order: Order, block: Block, names: BoxNames, where: Rectangle) -> list[Item]:
    left, top, width, height = where
    about = tuple(order.names[i] for i in block.members)
    items: list[Item] = [
        Box(x=left, y=top, width=width, height=height, fill="white", edge=None if block.cycle else "grey", role="box",
            about=about)
    ]  # fmt: skip
    if block.cycle:
        corners = ((left, top), (left + width, top), (left + width, top + height), (left, top + height), (left, top))
        items.append(Polygon(points=corners, edge="accent", width=1.0, dashed=True, role="cycle", about=about))
    x = left + PAD
    for column, wide in zip(names.columns, names.widths, strict=True):
        for row, i in enumerate(column):
            text, y = names.shown[i], top + PAD + row * LINE + 6.0
            hint = order.labels[i] if text != order.labels[i] else ""
            items.append(Text(x=x, y=y, text=text, size=LABEL, role="label", about=(order.names[i],), hint=hint))
        x += wide + 8.0
    return items


def _labels(order: Order, frame: Frame, width: float) -> tuple[list[Item], int]:
    """The probability of every edge on it, where it touches no box, no other one and no other edge; how many cannot."""
    far = 1e6
    beyond = [(-far, -far, 0.0, far), (width, -far, far, far), (-far, -far, far, 0.0)]  # the page ends here
    taken = beyond + [(x - 1, y - 1, x + w + 1, y + h + 1) for x, y, w, h in frame.boxes]
    items: list[Item] = []
    missing = 0
    for i, (edge, points) in enumerate(zip(order.edges, frame.lines, strict=True)):
        others = [leg for j, line in enumerate(frame.lines) if j != i for leg in itertools.pairwise(line)]
        label = _label(edge, points, taken, others)
        missing += not label
        items += label
    return items, missing


def _label(edge: Edge, points: list[Point], taken: list[Rectangle], others: list[tuple[Point, Point]]) -> list[Item]:
    words = chance(edge.probability)
    half, high = text_width(words, SMALL) / 2 + 1.2, 3.4
    legs = sorted(itertools.pairwise(points), key=lambda leg: -math.dist(*leg))
    for t in (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.15, 0.85):
        for (x1, y1), (x2, y2) in legs[:3]:
            x, y = x1 + t * (x2 - x1), y1 + t * (y2 - y1)
            area = (x - half, y - high, x + half, y + high)
            free = not any(overlap(area, other) for other in taken)
            if free and not any(crosses(start, end, area) for start, end in others):
                taken.append(area)
                return [
                    Box(x=area[0], y=area[1], width=2 * half, height=2 * high, fill="white", role="label room"),
                    Text(x=x, y=y + 2.3, text=words, anchor="middle", colour="accent",
                         role="edge probability", hint=edge.hint),
                ]  # fmt: skip
    return []
