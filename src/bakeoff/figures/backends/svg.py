"""A Drawing as SVG, so that a report with a diagram needs no drawing library."""

from __future__ import annotations

import hashlib

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import is_exact
from bakeoff.figures.geometry.primitives import PALETTE, Box, Drawing, Item, Line, Mark, Polygon, Text

_FONTS = "Helvetica, Arial, 'Liberation Sans', 'Nimbus Sans', sans-serif"


def to_svg(drawing: Drawing) -> str:
    """The diagram as a self-contained SVG document, in millimetres, with a description for screen readers.

    Use it inside an HTML page: it needs no fonts, styles or scripts from outside, and equal diagrams give equal text.
    For a paper, ``save`` writes .pdf, and .tex for LaTeX.

    Parameters
    ----------
    drawing : Drawing
        From ``diagram``.

    Examples
    --------
    >>> import bakeoff as bo
    >>> from bakeoff.figures import diagram, to_svg
    >>> svg = to_svg(diagram(bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE")))
    >>> "Worse than SaDE: CHC, PSO." in svg
    True
    """
    body = "\n".join(_item(item) for item in drawing.items)
    # ids must differ between diagrams on one page and be reproducible
    key = hashlib.sha256((drawing.description + body).encode()).hexdigest()[:10]
    w, h = _n(drawing.width), _n(drawing.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(drawing.width_mm)}mm" height="{_n(drawing.height_mm)}mm" '
        f'viewBox="0 0 {w} {h}" role="img" aria-labelledby="t{key}" aria-describedby="d{key}" '
        f'font-family="{_FONTS}" fill="#000000">\n'
        f'<title id="t{key}">{_text(drawing.title)}</title>\n'
        f'<desc id="d{key}">{_text(drawing.description)}</desc>\n'
        f'<rect width="{w}" height="{h}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _item(item: Item) -> str:
    if isinstance(item, Line):
        return _line(item)
    if isinstance(item, Text):
        return _words(item)
    if isinstance(item, Polygon):
        return _polygon(item)
    return _box(item) if isinstance(item, Box) else _mark(item)


def _line(line: Line) -> str:
    dash = ' stroke-dasharray="2 1.5"' if line.dashed else ""
    return _hinted(
        "line",
        f'x1="{_n(line.x1)}" y1="{_n(line.y1)}" x2="{_n(line.x2)}" y2="{_n(line.y2)}" '
        f'stroke="{PALETTE[line.colour]}" stroke-width="{_n(line.width)}"{dash}',
        line.hint,
    )


def _words(text: Text) -> str:
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    weight = ' font-weight="bold"' if text.bold else ""
    colour = "" if text.colour == "black" else f' fill="{PALETTE[text.colour]}"'
    # other fonts are fitted to the width that the layout assumed
    length = f' textLength="{_n(text.width)}" lengthAdjust="spacingAndGlyphs"' if is_exact(text.text) else ""
    hint = f"<title>{_text(text.hint)}</title>" if text.hint else ""
    return (
        f'<text x="{_n(text.x)}" y="{_n(text.y)}" font-size="{_n(text.size)}"{anchor}{weight}{colour}{length}>'
        f"{hint}{_text(text.text)}</text>"
    )


def _box(box: Box) -> str:
    edge = f' stroke="{PALETTE[box.edge]}" stroke-width="0.4"' if box.edge else ""
    return _hinted(
        "rect",
        f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" height="{_n(box.height)}" '
        f'fill="{PALETTE[box.fill]}"{edge} shape-rendering="crispEdges"',
        box.hint,
    )


def _mark(mark: Mark) -> str:
    colour = PALETTE[mark.colour]
    style = f'fill="{colour if mark.filled else PALETTE["white"]}" stroke="{colour}" stroke-width="0.7"'
    if mark.shape == "circle":
        attributes = f'cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{_n(mark.radius)}" {style}'
        return _hinted("circle", attributes, mark.hint)
    corners = [f"{_n(x)} {_n(y)}" for x, y in mark.corners]
    if mark.shape == "cross":
        a, b, c, d = corners
        return _hinted("path", f'd="M{a}L{b}M{c}L{d}" stroke="{colour}" stroke-width="1"', mark.hint)
    return _hinted("path", f'd="M{"L".join(corners)}Z" {style}', mark.hint)


def _polygon(area: Polygon) -> str:
    path = "L".join(f"{_n(x)} {_n(y)}" for x, y in area.points)
    fill = "none" if area.fill is None else PALETTE[area.fill]
    dash = ' stroke-dasharray="2 1.5"' if area.dashed else ""
    edge = f' stroke="{PALETTE[area.edge]}" stroke-width="{_n(area.width)}"{dash}' if area.edge else ""
    return _hinted("path", f'd="M{path}{"Z" if area.fill else ""}" fill="{fill}"{edge}', area.hint)


def _hinted(tag: str, attributes: str, hint: str) -> str:
    return f"<{tag} {attributes}><title>{_text(hint)}</title></{tag}>" if hint else f"<{tag} {attributes}/>"


def _text(text: str) -> str:
    # by hand: xml.sax.saxutils imports urllib and http (60 ms of start-up)
    # plain(): hints hold whole names, and XML forbids most control characters
    return plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _n(value: float) -> str:
    """Two decimals (a hundredth of a point) without trailing zeros; never ``-0``."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
