"""Shapes of a diagram: frozen, in points (1/72 inch), x to the right, y downwards.

``role`` and ``about`` say what a shape stands for, so that tests can check the picture against the result. ``hint`` is
a tooltip, which the SVG backend shows.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from bakeoff.dataclass import dataclass
from bakeoff.figures.geometry.metrics import text_width

Point = tuple[float, float]
Rectangle = tuple[float, float, float, float]
Colour = Literal["black", "grey", "light", "pale", "white", "accent", "tint1", "tint2", "tint3", "tint4"]
Anchor = Literal["start", "middle", "end"]
Shape = Literal["circle", "square", "up", "down", "cross"]

POINTS_PER_MM = 72 / 25.4
LABEL = 8.0  # text sizes in points; nothing is smaller than SMALL
SMALL = 7.0
MARGIN = 3.0

# one accent: prints as dark grey, and blue is safe for common colour vision deficiencies
PALETTE: dict[Colour, str] = {
    "black": "#000000",
    "grey": "#595959",
    "light": "#bdbdbd",
    "pale": "#f2f2f2",
    "white": "#ffffff",
    "accent": "#0b5394",
    # even steps of lightness towards the accent: darker means more, also in print
    "tint1": "#dfeaf5",
    "tint2": "#b3cfe8",
    "tint3": "#7babd5",
    "tint4": "#3f7fb8",
}
TINTS: tuple[Colour, ...] = ("tint1", "tint2", "tint3", "tint4", "accent")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    role: str = ""
    about: tuple[str, ...] = ()  # names of algorithms or problems
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke(_Shape):
    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 0.6
    colour: Colour = "black"
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(_Shape):
    x: float  # of the anchor
    y: float  # of the baseline
    text: str
    size: float = SMALL
    anchor: Anchor = "start"
    bold: bool = False
    colour: Colour = "black"

    @property
    def width(self) -> float:
        return text_width(self.text, self.size, self.bold)

    @property
    def box(self) -> Rectangle:
        """Left, top, right, bottom: Helvetica's ascender is 0.72 em, its descender 0.21 em."""
        left = self.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor] * self.width
        return left, self.y - 0.72 * self.size, left + self.width, self.y + 0.21 * self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(_Shape):
    x: float
    y: float
    width: float
    height: float
    fill: Colour = "white"
    edge: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(_Shape):
    x: float
    y: float
    shape: Shape = "circle"
    radius: float = 2.0
    filled: bool = True
    colour: Colour = "black"

    @property
    def corners(self) -> tuple[Point, ...]:
        """Corners of a polygon; the four stroke ends of a cross; none of a circle."""
        x, y, r = self.x, self.y, self.radius
        half = 0.866 * r
        outlines: dict[Shape, tuple[Point, ...]] = {
            "circle": (),
            "square": ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)),
            "cross": ((x - half, y - half), (x + half, y + half), (x - half, y + half), (x + half, y - half)),
            "up": ((x, y - r), (x + r, y + half), (x - r, y + half)),
            "down": ((x, y + r), (x + r, y - half), (x - r, y - half)),
        }
        return outlines[self.shape]


@dataclass(frozen=True, slots=True, kw_only=True)
class Polygon(_Shape):
    """A closed area, or with ``fill=None`` an open line through its points."""

    points: tuple[Point, ...]
    fill: Colour | None = None
    edge: Colour | None = None
    width: float = 0.6
    dashed: bool = False  # of an open line


Item = Stroke | Text | Box | Mark | Polygon


def overlap(a: Rectangle, b: Rectangle) -> bool:
    """Tell whether two rectangles (left, top, right, bottom) have a point in common."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A diagram: shapes in drawing order on a white page of ``width`` × ``height`` points."""

    width: float
    height: float
    # "line" (critical difference diagram) | "list" (ranked list) | "triangle" | "strip" (shares of one pair)
    # | "ridges" (posterior mean ranks) | "statements" (who is better than whom, jointly)
    form: str
    title: str
    description: str  # the diagram in words, for screen readers
    items: tuple[Item, ...]

    @property
    def width_mm(self) -> float:
        return self.width / POINTS_PER_MM

    @property
    def height_mm(self) -> float:
        return self.height / POINTS_PER_MM


# Widths of a diagram: the one asked for, else the columns of a journal, in points.

COLUMN_MM, MEDIUM_MM, PAGE_MM = 80.0, 120.0, 180.0  # one column of a journal, one and a half, two

Width = float | None  # in millimetres; None: the diagram chooses


def widths(width_mm: Width, usual: Sequence[float] = (COLUMN_MM, MEDIUM_MM, PAGE_MM)) -> list[float]:
    """In points: the width asked for, else the usual ones, narrowest first."""
    return [width * POINTS_PER_MM for width in (usual if width_mm is None else (width_mm,))]


def width_of(width_mm: Width, usual: float = COLUMN_MM) -> float:
    """In points: the width asked for, else the usual one."""
    return widths(width_mm, (usual,))[0]


def narrowest(draw: Callable[[float, bool], Drawing | None], tried: list[float]) -> Drawing:
    """The first width in which ``draw`` can show whole names (True); else the last one, with shortened names."""
    for width in tried:
        drawing = draw(width, True)
        if drawing is not None:
            return drawing
    shortened = draw(tried[-1], False)
    assert shortened is not None
    return shortened
