"""A Drawing as PNG or PDF, by matplotlib, which is imported only when it draws."""

from __future__ import annotations

import io
import unicodedata
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from bakeoff.errors import MissingPackageError, WrongTypeError
from bakeoff.figures.geometry.primitives import PALETTE, Anchor, Box, Drawing, Mark, Polygon, Stroke, Text

_DPI = 300
_FAMILIES = ("Arial", "Liberation Sans", "DejaVu Sans")  # matplotlib ships the last
# fonts of common systems for other scripts
_FALLBACKS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Micro Hei", "PingFang SC"),
    *("Hiragino Sans", "Microsoft YaHei", "SimHei", "Yu Gothic", "Malgun Gothic", "Apple SD Gothic Neo"),
    *("Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Arial Unicode MS"),
    *("Noto Sans Symbols2", "Noto Sans Symbols", "Segoe UI Symbol", "Segoe UI Emoji", "Apple Symbols", "Noto Emoji"),
)
_NO_LETTERS = (
    "Last Resort",
    "LastResort",
    ".LastResort",
    "Adobe Blank",
    "Unicode BMP Fallback",
    "cm",
    "STIXN",
    "STIXS",
)
"""Beginnings of families that have a box for every character, or other characters than they say."""
_MISSING = "?"  # of marks that no font has; letters and digits are refused, as names would become the same

_SIDES: dict[Anchor, Literal["left", "center", "right"]] = {"start": "left", "middle": "center", "end": "right"}


def to_bytes(drawing: Drawing, format: Literal["png", "pdf"]) -> bytes:
    """The diagram as a file's content, the same bytes every time on one machine."""
    try:
        import matplotlib.style
    except ImportError as error:
        raise MissingPackageError(
            f"a .{format} diagram needs the package matplotlib ({error}); install it, or save a .svg or .tex"
        ) from None
    # the user's style must not change a diagram; "default" leaves the backend alone
    with matplotlib.style.context("default"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fonts: what cannot be drawn has been replaced already
        matplotlib.rcParams["pdf.fonttype"] = 42  # TrueType: journals refuse Type 3
        matplotlib.rcParams["text.hinting"] = "none"  # hinted letters are wider: a long line would leave the page
        figure = _figure(drawing)
        buffer = io.BytesIO()
        metadata: dict[str, Any] = {"Title": drawing.title, "Software": None}
        if format == "pdf":
            metadata = {"Title": drawing.title, "CreationDate": None}
        figure.savefig(buffer, format=format, dpi=_DPI, metadata=metadata, facecolor="white")
    return buffer.getvalue()


def _figure(drawing: Drawing) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.transforms import Affine2D

    figure = Figure(figsize=(drawing.width / 72, drawing.height / 72))
    FigureCanvasAgg(figure)
    # points from the top left corner to inches from the bottom left one
    where = Affine2D().scale(1 / 72, -1 / 72).translate(0, drawing.height / 72) + figure.dpi_scale_trans
    for artist in _artists(drawing, where):
        figure.add_artist(artist)
    return figure


def new_axes(drawing: Drawing) -> Any:
    """That fill a new figure of this size, which pyplot shows."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise MissingPackageError(f"to plot a result needs the package matplotlib ({error}); install it") from None
    figure = pyplot.figure(figsize=(drawing.width / 72, drawing.height / 72))
    return figure.add_axes((0.0, 0.0, 1.0, 1.0))


def draw_on(drawing: Drawing, axes: Any) -> Any:
    """Into Axes of the user's figure, scaled to fit: shapes in data coordinates, type and strokes alike."""
    if not hasattr(axes, "transData"):
        raise WrongTypeError(
            f"must be Axes of matplotlib, as from matplotlib.pyplot.subplots(); got {type(axes).__name__}",
            parameter="ax",
        )
    import matplotlib.style

    axes.set_xlim(0.0, drawing.width)
    axes.set_ylim(drawing.height, 0.0)
    axes.set_aspect("equal", adjustable="box")
    axes.axis("off")
    axes.apply_aspect()
    scale = axes.get_window_extent().width * 72 / axes.figure.dpi / drawing.width
    page = Box(x=0.0, y=0.0, width=drawing.width, height=drawing.height)  # white, also in a figure that is dark
    # as in files: the user's style must not change a diagram
    with matplotlib.style.context("default"):
        for artist in _artists(replace(drawing, items=(page, *drawing.items)), axes.transData, scale):
            artist.set_clip_on(False)
            axes.add_artist(artist)
    return axes


def _artists(drawing: Drawing, where: Any, scale: float = 1.0) -> Iterator[Any]:
    """One artist per shape, placed by ``where``; ``scale`` is what a point of type and strokes becomes."""
    fonts = _Fonts(drawing)
    for order, item in enumerate(drawing.items):
        artist = _text(item, fonts) if isinstance(item, Text) else _shape(item)
        if isinstance(item, Text):
            artist.set_fontsize(scale * artist.get_fontsize())
        else:
            artist.set_linewidth(scale * artist.get_linewidth())
        artist.set_transform(where)
        artist.set_zorder(order)  # as drawn; matplotlib would put every line above every mark
        yield artist


def _shape(item: Stroke | Box | Mark | Polygon) -> Any:
    from matplotlib.lines import Line2D
    from matplotlib.patches import (
        Circle,
        PathPatch,
        Polygon as Outline,  # our own is a shape of the diagram
        Rectangle,
    )
    from matplotlib.path import Path

    if isinstance(item, Polygon):
        return PathPatch(
            Path(item.points + item.points[:1] if item.fill else item.points, closed=item.fill is not None),
            facecolor=PALETTE[item.fill] if item.fill else "none",
            edgecolor=PALETTE[item.edge] if item.edge else "none",
            linewidth=item.width if item.edge else 0,
            linestyle=_dashes(item),
            joinstyle="round",
            capstyle="butt",
        )
    if isinstance(item, Stroke):
        return Line2D(
            (item.x1, item.x2),
            (item.y1, item.y2),
            color=PALETTE[item.colour],
            linewidth=item.width,
            linestyle=_dashes(item),
            solid_capstyle="butt",
            dash_capstyle="butt",
        )
    if isinstance(item, Box):
        edge = PALETTE[item.edge] if item.edge else "none"
        return Rectangle(
            (item.x, item.y),
            item.width,
            item.height,
            facecolor=PALETTE[item.fill],
            edgecolor=edge,
            linewidth=0.4 if item.edge else 0,
            antialiased=bool(item.edge),  # or neighbours show a seam
        )
    colour = PALETTE[item.colour]
    style = {"facecolor": colour if item.filled else "white", "edgecolor": colour, "linewidth": 0.7}
    if item.shape == "circle":
        return Circle((item.x, item.y), item.radius, **style)
    if item.shape == "cross":
        return PathPatch(Path(item.corners, [1, 2, 1, 2]), edgecolor=colour, facecolor="none", linewidth=1.0)
    return Outline(item.corners, closed=True, **style)


def _dashes(item: Stroke | Polygon) -> Any:
    return (0, (2 / item.width, 1.5 / item.width)) if item.dashed else "solid"


def _text(item: Text, fonts: _Fonts) -> Any:
    from matplotlib.text import Text as Words

    return Words(
        item.x,
        item.y,
        fonts.drawable(item.text),
        fontfamily=fonts.families,
        fontsize=item.size * fonts.scale,
        fontweight="bold" if item.bold else "normal",
        color=PALETTE[item.colour],
        horizontalalignment=_SIDES[item.anchor],
        verticalalignment="baseline",
        parse_math=False,  # a dollar sign in a name is literal
    )


class _Fonts:
    """Font families that cover this diagram's characters, and the scale at which its text keeps its widths."""

    def __init__(self, drawing: Drawing) -> None:
        from matplotlib.font_manager import fontManager

        installed = {font.name for font in fontManager.ttflist if not font.name.startswith(_NO_LETTERS)}
        texts = [item for item in drawing.items if isinstance(item, Text)]
        shown = {character for item in texts for character in item.text}
        needed = {ord(character) for character in shown if unicodedata.category(character) != "Cf"}
        base = next(name for name in _FAMILIES if name in installed)
        self.families = [base]
        covered = _characters(base)
        for name in ("DejaVu Sans", *_FALLBACKS, *sorted(installed)):
            if needed <= covered:
                break
            if name in installed and name not in self.families and (needed - covered) & _characters(name):
                self.families.append(name)
                covered = covered | _characters(name)
        self._missing = needed - covered
        if lost := "".join(chr(code) for code in sorted(self._missing) if unicodedata.category(chr(code))[0] in "LN"):
            raise MissingPackageError(
                f"no installed font has the characters {lost[:8]}{'…' if lost[8:] else ''}, so a .png or .pdf cannot "
                "show these names: install one that has them (such as Noto Sans CJK), or save a .svg"
            )
        self.scale = min([1.0, *(item.width / width for item in texts if (width := self._measure(item)) > item.width)])

    def drawable(self, text: str) -> str:
        """``text`` with a question mark for characters that no installed font has, without invisible ones.

        Format characters such as U+FEFF are measured as nothing, and matplotlib's PDF backend fails on some of them.
        """
        visible = (character for character in text if unicodedata.category(character) != "Cf")
        return "".join(_MISSING if ord(character) in self._missing else character for character in visible)

    def _measure(self, item: Text) -> float:
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import text_to_path

        weight = "bold" if item.bold else "normal"
        font = FontProperties(family=self.families, size=item.size, weight=weight)
        return float(text_to_path.get_text_width_height_descent(self.drawable(item.text), font, False)[0])


def _characters(family: str) -> frozenset[int]:
    from matplotlib.font_manager import fontManager, get_font

    fonts = [font for font in fontManager.ttflist if font.name == family]
    upright = [font for font in fonts if font.style == "normal" and font.weight in (400, "normal", "regular")]
    return frozenset(get_font((upright or fonts)[0].fname).get_charmap())
