"""The rows of some algorithms in the accent colour, their names in bold type where the page has room."""

from collections.abc import Sequence
from dataclasses import replace

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, UnknownNameError, listing
from bakeoff.figures.geometry.primitives import Drawing, Item, Mark, Polygon, Stroke, Text, overlap

_WIDER = 1.6  # times the width of a stroke


def highlighted(drawing: Drawing, names: str | Sequence[str]) -> Drawing:
    """What belongs to one of ``names`` alone is emphasised; lines of several algorithms stay as they are."""
    chosen = [names] if isinstance(names, str) else names
    if not isinstance(chosen, list | tuple) or not all(isinstance(name, str) for name in chosen):
        raise ParameterError(
            f"must be the name of an algorithm, or a list of names; got {names!r}", parameter="highlight"
        )
    shown = list(dict.fromkeys(item.about[0] for item in drawing.items if len(item.about) == 1))
    for name in chosen:
        if name not in shown:
            hint = did_you_mean(name, shown)
            there = f"; there are {listing(shown, 10)}" if shown else "; this diagram has no algorithm by itself"
            raise UnknownNameError(f": nothing in the diagram is called {name!r}{hint}{there}", parameter="highlight")
    texts = [item for item in drawing.items if isinstance(item, Text)]
    items = tuple(
        _emphasised(item, drawing, texts) if len(item.about) == 1 and item.about[0] in chosen else item
        for item in drawing.items
    )
    return replace(drawing, items=items)


def _emphasised(item: Item, drawing: Drawing, texts: list[Text]) -> Item:
    if isinstance(item, Text):
        return replace(
            item, colour="accent", bold=item.bold or _has_room(replace(item, bold=True), item, drawing, texts)
        )
    if isinstance(item, Stroke) and item.role != "mean":  # on a filled ridge
        return replace(item, colour="accent", width=_WIDER * item.width)
    if isinstance(item, Mark):
        return replace(item, colour="accent")
    if isinstance(item, Polygon):
        return replace(item, fill=item.fill and "tint4", edge="accent", width=_WIDER * item.width)
    return item  # the colour of a cell is a verdict


def _has_room(bold: Text, item: Text, drawing: Drawing, texts: list[Text]) -> bool:
    left, _, right, _ = bold.box
    inside = left >= 0 and right <= drawing.width
    return inside and not any(overlap(bold.box, other.box) for other in texts if other is not item)
