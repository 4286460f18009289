"""A drawing as a file: the suffix picks the backend."""

from os import PathLike
from pathlib import Path

from bakeoff.errors import ParameterError
from bakeoff.figures.backends.svg import to_svg
from bakeoff.figures.backends.tikz import to_tikz
from bakeoff.figures.geometry.notes import uncaptioned
from bakeoff.figures.geometry.primitives import Drawing
from bakeoff.files import write_bytes

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
