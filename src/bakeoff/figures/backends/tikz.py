"""A Drawing as a TikZ picture, set in the fonts of the LaTeX document around it."""

import unicodedata
from collections.abc import Callable

from bakeoff.figures.geometry.primitives import PALETTE, TINTS, Box, Colour, Drawing, Item, Mark, Polygon, Stroke, Text
from bakeoff.numerals import POWER_OF_TEN, in_ascii

_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}
_NAMES: dict[Colour, str] = {"grey": "bkgrey", "light": "bklight", "pale": "bkpale", "accent": "bkaccent"}

# Special characters of TeX, and as mathematics those absent from its old encodings; the report escapes the same ones
SPECIAL = {
    "\\": r"$\backslash$",
    "{": r"$\{$",
    "}": r"$\}$",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    "\u00a0": "~",
    "–": "--",
    "—": "---",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≈": r"$\approx$",
    "°": r"\textdegree{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "\ufffd": "?",
}
# Ligatures: --, ?`, '', <<
_ESCAPES = SPECIAL | {'"': r"{\ttfamily\char34}", "'": "{'}", "`": "{`}", "-": "-{}", ",": ",{}", "…": r"\ldots{}"}
_JOINERS = "\u200c\u200d"  # part of words and emoji
_GREEK = {"GREEK SMALL LETTER ": str.lower, "GREEK CAPITAL LETTER ": str.capitalize}
# omicron and the capitals that look Latin have no command
_SMALL = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi"
_CAPITAL = "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
_MATHS = frozenset(f"{_SMALL} chi psi omega {_CAPITAL}".split())


def to_tikz(drawing: Drawing) -> str:
    """The diagram as a ``tikzpicture``; 1 unit is 1 bp, so it has the same size as the SVG and the PDF.

    With ``\\usepackage{tikz}`` the diagram is set in the document's sans serif. Names are escaped; characters beyond
    Latin and Greek add a comment that LuaLaTeX or XeLaTeX is needed. If the document's sans serif is much wider than
    Helvetica, labels may touch: ``save`` a .pdf instead.

    Parameters
    ----------
    drawing : Drawing
        From ``diagram``.

    Examples
    --------
    >>> import bakeoff as bo
    >>> from bakeoff.figures import diagram, to_tikz
    >>> source = to_tikz(diagram(bo.compare(bo.datasets.load("demsar_2006"))))
    >>> source.splitlines()[0]
    '% needs \\\\usepackage{tikz} in the preamble'
    """
    body = "\n".join(_item(item) for item in drawing.items)
    tints = sorted({c for item in drawing.items for c in _colours(item) if c in TINTS} - set(_NAMES))
    named = [*_NAMES.items(), *((tint, f"bk{tint}") for tint in tints)]
    colours = "\n".join(f"  \\definecolor{{{name}}}{{HTML}}{{{PALETTE[colour][1:].upper()}}}" for colour, name in named)
    unicode = "% has characters beyond Latin: compile with lualatex or xelatex and a font that has them\n"
    note = "" if _plain(drawing) else unicode
    corner = f"({_n(drawing.width)},{_n(drawing.height)})"
    return (
        f"% needs \\usepackage{{tikz}} in the preamble\n{note}"
        "\\begin{tikzpicture}[x=1bp,y=-1bp,inner sep=0pt,outer sep=0pt,line cap=butt]\n"
        f"{colours}\n  \\useasboundingbox (0,0) rectangle {corner};\n{body}\n\\end{{tikzpicture}}\n"
    )


def _item(item: Item) -> str:
    if isinstance(item, Stroke):
        style = f"draw={_colour(item.colour)},line width={_n(item.width)}bp"
        style += ",dash pattern=on 2bp off 1.5bp" if item.dashed else ""
        return f"  \\draw[{style}] {_at(item.x1, item.y1)} -- {_at(item.x2, item.y2)};"
    if isinstance(item, Text):
        return _words(item)
    if isinstance(item, Box):
        edge = f",draw={_colour(item.edge)},line width=0.4bp" if item.edge else ""
        far = _at(item.x + item.width, item.y + item.height)
        return f"  \\path[fill={_colour(item.fill)}{edge}] {_at(item.x, item.y)} rectangle {far};"
    return _polygon(item) if isinstance(item, Polygon) else _mark(item)


def _colours(item: Item) -> set[Colour | None]:
    """Every colour a shape may have."""
    return {getattr(item, name, None) for name in ("colour", "fill", "edge")}


def _polygon(area: Polygon) -> str:
    style = [f"fill={_colour(area.fill)}"] if area.fill else []
    style += [f"draw={_colour(area.edge)}", f"line width={_n(area.width)}bp"] if area.edge else []
    style += ["dash pattern=on 2bp off 1.5bp"] if area.dashed else []
    path = " -- ".join(_at(x, y) for x, y in area.points)
    return f"  \\path[{','.join(style)}] {path}{' -- cycle' if area.fill else ''};"


def _words(text: Text) -> str:
    weight = r"\bfseries" if text.bold else ""
    size = round(text.size)  # in TeX's points, 0.4 % smaller: sizes that every font has
    font = f"\\sffamily{weight}\\fontsize{{{size}}}{{{_n(1.2 * size)}}}\\selectfont"
    style = f"anchor={_ANCHORS[text.anchor]},text={_colour(text.colour)},font={font}"
    return f"  \\node[{style}] at {_at(text.x, text.y)} {{{escape(text.text)}}};"


def _mark(mark: Mark) -> str:
    colour = _colour(mark.colour)
    style = f"draw={colour},fill={colour if mark.filled else 'white'},line width=0.7bp"
    if mark.shape == "circle":
        return f"  \\path[{style}] {_at(mark.x, mark.y)} circle[radius={_n(mark.radius)}bp];"
    corners = [_at(x, y) for x, y in mark.corners]
    if mark.shape == "cross":
        a, b, c, d = corners
        return f"  \\draw[draw={colour},line width=1bp] {a} -- {b} {c} -- {d};"
    return f"  \\path[{style}] {' -- '.join(corners)} -- cycle;"


def escape(text: str) -> str:
    """``text`` with everything escaped that LaTeX would interpret, without invisible characters, which it refuses."""
    visible = "".join(c for c in text if c in _JOINERS or unicodedata.category(c) != "Cf")
    return with_powers(visible, lambda part: "".join(_ESCAPES.get(character) or greek(character) for character in part))


def with_powers(text: str, write: Callable[[str], str]) -> str:
    r"""Powers of ten as mathematics (``×10⁻⁶`` as ``$\times10^{-6}$``), the text between them by ``write``."""
    parts, end = [], 0
    for power in POWER_OF_TEN.finditer(text):
        times = r"\times" if power[0][0] == "×" else ""
        exponent = in_ascii(f"10{power[1]}").partition("e")[2]
        parts += [write(text[end : power.start()]), f"${times}10^{{{exponent}}}$"]
        end = power.end()
    return "".join([*parts, write(text[end:])])


def greek(character: str) -> str:
    """A Greek letter as mathematics, which every LaTeX has; any other character as it is."""
    if not "\u0370" <= character <= "\u03ff":
        return character
    name = unicodedata.name(character, "")
    for prefix, case in _GREEK.items():
        letter = case(name.removeprefix(prefix).replace("LAMDA", "LAMBDA"))
        if name.startswith(prefix) and letter in _MATHS:
            return f"$\\{letter}$"
    return character


def _plain(drawing: Drawing) -> bool:
    """Whether pdfLaTeX's default encoding has every character."""
    texts = (escape(item.text) for item in drawing.items if isinstance(item, Text))
    return all(ord(character) < 0x180 for text in texts for character in text)


def _colour(colour: Colour) -> str:
    return _NAMES.get(colour, f"bk{colour}" if colour in TINTS else colour)


def _at(x: float, y: float) -> str:
    return f"({_n(x)},{_n(y)})"


def _n(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
