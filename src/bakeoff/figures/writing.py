"""A drawing on its way out: the rows of some algorithms highlighted, and the file that it becomes."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, UnknownNameError, listing
from bakeoff.figures.backends.svg import to_svg
from bakeoff.figures.backends.tikz import to_tikz
from bakeoff.figures.geometry.notes import uncaptioned
from bakeoff.figures.geometry.primitives import Drawing, Item, Mark, Polygon, Stroke, Text, overlap
from bakeoff.files import write_bytes

# The rows of some algorithms in the accent colour, their names in bold type where the page has room.

_WIDER = 1.6  # times the width of a stroke


def highlighted(drawing: Drawing, names: str | Sequence[str]) -> Drawing:
    """Emphasise what belongs to one of ``names`` alone; lines of several algorithms stay as they are."""
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


# A drawing as a file: the suffix picks the backend.

SUFFIXES = (".svg", ".png", ".pdf", ".tex", ".tikz")


def save(drawing: Drawing, path: str | PathLike[str]) -> None:
    """Write a diagram to a file; the suffix picks the format: .svg .png .pdf .tex .tikz.

    Use .pdf or .tex (a ``tikzpicture`` for ``\\input``; .tikz is the same without the caption) in a paper, .svg on a
    web page, .png (300 dpi) elsewhere. The file is replaced atomically. The same diagram gives the same bytes (.png and
    .pdf: with the same matplotlib and fonts). In .png and .pdf, characters missing from all installed fonts become
    ``?``; .svg, .tex and .tikz use the fonts of the viewer or document.

    Parameters
    ----------
    drawing : Drawing
        From ``diagram``.
    path : str or PathLike
        Where to write.

    Raises
    ------
    ParameterError
        Another suffix, or ``path`` cannot be written.
    MissingPackageError
        .png or .pdf without matplotlib.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import bakeoff as bo
    >>> from bakeoff.figures import diagram, save
    >>> drawing = diagram(bo.compare(bo.datasets.load("demsar_2006")))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "ranks.svg"
    ...     save(drawing, path)
    ...     path.read_text(encoding="utf-8")[:4]
    '<svg'
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise ParameterError(
            f"must end in one of {', '.join(SUFFIXES)} (the format of the diagram); got {str(path)!r}", parameter="path"
        )
    content = file_content(drawing, suffix)
    try:
        write_bytes(target, content)
    except OSError as error:
        raise ParameterError(
            f"{str(path)!r} cannot be written: {error.strerror or error}. Choose a folder that exists and may be "
            "written to.",
            parameter="path",
        ) from None


def file_content(drawing: Drawing, suffix: str) -> bytes:
    """The content of a file with this suffix."""
    if suffix == ".svg":
        return to_svg(drawing).encode()
    if suffix in (".tex", ".tikz"):  # a .tikz is a figure of a paper, which has a caption of its own
        return to_tikz(drawing if suffix == ".tex" else uncaptioned(drawing)).encode()
    from bakeoff.figures.backends import matplotlib  # only where it draws

    return matplotlib.to_bytes(drawing, "pdf" if suffix == ".pdf" else "png")
