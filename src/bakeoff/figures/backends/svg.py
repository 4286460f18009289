"""A Drawing as SVG, so that a report with a diagram needs no drawing library."""

import hashlib

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import is_exact
from bakeoff.figures.geometry.primitives import PALETTE, Box, Drawing, Item, Mark, Polygon, Stroke, Text

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
    >>> "Worse than SaDE: SSGA, CHC, PSO." in svg
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
    title = f"<title>{_text(item.hint)}</title>" if item.hint else ""
    if isinstance(item, Text):
        return f"<text {_words(item)}>{title}{_text(item.text)}</text>"
    if isinstance(item, Stroke):
        tag, attributes = "line", _line(item)
    elif isinstance(item, Box):
        tag, attributes = "rect", _box(item)
    elif isinstance(item, Polygon):
        tag, attributes = "path", _polygon(item)
    else:
        tag, attributes = "circle" if item.shape == "circle" else "path", _mark(item)
    return f"<{tag} {attributes}>{title}</{tag}>" if title else f"<{tag} {attributes}/>"


def _line(line: Stroke) -> str:
    dash = ' stroke-dasharray="2 1.5"' if line.dashed else ""
    return (
        f'x1="{_n(line.x1)}" y1="{_n(line.y1)}" x2="{_n(line.x2)}" y2="{_n(line.y2)}" '
        f'stroke="{PALETTE[line.colour]}" stroke-width="{_n(line.width)}"{dash}'
    )


def _words(text: Text) -> str:
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    weight = ' font-weight="bold"' if text.bold else ""
    colour = "" if text.colour == "black" else f' fill="{PALETTE[text.colour]}"'
    # other fonts are fitted to the width that the layout assumed
    length = f' textLength="{_n(text.width)}" lengthAdjust="spacingAndGlyphs"' if is_exact(text.text) else ""
    return f'x="{_n(text.x)}" y="{_n(text.y)}" font-size="{_n(text.size)}"{anchor}{weight}{colour}{length}'


def _box(box: Box) -> str:
    edge = f' stroke="{PALETTE[box.edge]}" stroke-width="0.4"' if box.edge else ""
    return (
        f'x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" height="{_n(box.height)}" '
        f'fill="{PALETTE[box.fill]}"{edge} shape-rendering="crispEdges"'
    )


def _mark(mark: Mark) -> str:
    colour = PALETTE[mark.colour]
    style = f'fill="{colour if mark.filled else PALETTE["white"]}" stroke="{colour}" stroke-width="0.7"'
    if mark.shape == "circle":
        return f'cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{_n(mark.radius)}" {style}'
    corners = [f"{_n(x)} {_n(y)}" for x, y in mark.corners]
    if mark.shape == "cross":
        a, b, c, d = corners
        return f'd="M{a}L{b}M{c}L{d}" stroke="{colour}" stroke-width="1"'
    return f'd="M{"L".join(corners)}Z" {style}'


def _polygon(area: Polygon) -> str:
    path = "L".join(f"{_n(x)} {_n(y)}" for x, y in area.points)
    fill = "none" if area.fill is None else PALETTE[area.fill]
    dash = ' stroke-dasharray="2 1.5"' if area.dashed else ""
    edge = f' stroke="{PALETTE[area.edge]}" stroke-width="{_n(area.width)}"{dash}' if area.edge else ""
    return f'd="M{path}{"Z" if area.fill else ""}" fill="{fill}"{edge}'


def _text(text: str) -> str:
    # by hand: xml.sax.saxutils imports urllib and http (60 ms of start-up)
    # plain(): hints hold whole names, and XML forbids most control characters
    return plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _n(value: float) -> str:
    """Two decimals (a hundredth of a point) without trailing zeros; never ``-0``."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
